import json, sys
top = json.load(sys.stdin)
print(top["counting"], top["total"], top["independent_samples"])
print(*top["notes"], sep="\n")
for row in top["leaf"]["rows"]:
    ends = row["self_ci"]
    print(row["name"], row["self"], "%.3f" % row["self_share"], "%.3f %.3f" % tuple(ends) if ends else ends)
