# The names that others rely on; more may be added.
import json, sys
top = json.load(sys.stdin, parse_int=str, parse_float=lambda text: "%.6f" % float(text))
one = "path dialect bytes lines stack_lines skipped_lines rate duration errors ticks"
leaf = "name self self_share self_ci total total_share busy"
root = "name total total_share total_ci busy"
def show(what, keys):
    print({key: what[key] for key in keys.split()})
show(top, "schema command unit total by root notes")
for item in top["inputs"]:
    show(item, one)
for table, keys in ("leaf", leaf), ("root_table", root):
    print(table, "of", top[table]["of"])
    for row in top[table]["rows"]:
        show(row, keys)
