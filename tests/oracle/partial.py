#!/usr/bin/env python3
"""Partial sums against sums that are computed here, from the texts of their inputs alone.

    partial.py FOLDSTAT

Shares are fractions here, rounded once; squares are Python's whole numbers; means and deviations come
from the statistics module. The partial sum is made in random groups of groups.
"""
import collections
import fractions
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

WHOLE = 10**9
FRAMES = ["main (a.py:1)", "fit (b.py:22)", "_loop (c d.py:3)", "wait", "\x01\u20ac\\n", "tab\tname", "end 7"]


def make_host(chance, at):
    """Lines of one recording; host 5 is unlike the others."""
    lines = []
    for _ in range(chance.randrange(5, 30)):
        stack = [chance.choice(FRAMES) for _ in range(chance.randrange(1, 6))]
        lines.append((";".join(stack), chance.choice(["1", "3", "250", "0.25", "1e1"])))
    steady = [("main (a.py:1);wait", 9000 + chance.randrange(100)), ("main (a.py:1);hot", 700 + chance.randrange(20))]
    if at == 5:
        steady[1] = ("main (a.py:1);hot", 4500)
    return lines + [(stack, str(count)) for stack, count in steady]


def rounded(part, whole):
    return round(fractions.Fraction(part) * WHOLE / fractions.Fraction(whole))  # half to even


def shares_of(lines):
    """Self and total of each frame in billionths."""
    own, total = collections.Counter(), collections.Counter()
    for stack, count in lines:
        frames = stack.split(";")
        own[frames[-1]] += fractions.Fraction(count)
        for frame in set(frames):
            total[frame] += fractions.Fraction(count)
    whole = sum(own.values())
    return {(frame, kind): rounded(count, whole)
            for kind, counts in (("self", own), ("total", total)) for frame, count in counts.items()}


def expected_lines(hosts):
    values = collections.defaultdict(list)
    for name, lines in hosts.items():
        for key, share in shares_of(lines).items():
            values[key].append((share, name))
    escape = lambda text: text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
    out = []
    for frame, kind in sorted(values, key=lambda k: (k[0].encode(), k[1])):
        found = values[frame, kind]
        most = sorted(found, key=lambda e: (-e[0], e[1].encode()))[:2]
        least = sorted(found, key=lambda e: (e[0], e[1].encode()))[:2]
        fields = [escape(frame), len(found), sum(s for s, _ in found), sum(s * s for s, _ in found)]
        fields += [field for share, name in most + least for field in (share, escape(name))]
        out.append("\t".join(map(str, ["# foldstat frame", *fields, kind])))
    return out, values


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def sum_in_groups(chance, foldstat, paths):
    """Merges files, and sums of them, two or three at a time."""
    paths = list(paths)
    while len(paths) > 1:
        chance.shuffle(paths)
        some, paths = paths[:3], paths[3:]
        name = f"sum{len(paths)}-{chance.randrange(10**9)}.raw.gz"
        run(foldstat, "merge", "-q", "--partial", "-o", name, *some)
        paths.append(name)
    return paths[0]


def check(condition, *what):
    if not condition:
        sys.exit(" ".join(map(str, what)))


def check_rows(page, values, count):
    for row in page["leaf"]["rows"]:
        for kind in ("self", "total"):
            found = values.get((row["name"], kind))
            spread = row[f"{kind}_spread"]
            check((found is None) == (spread is None), row["name"], kind)
            if found is None:
                continue
            shares = [s / WHOLE for s, _ in found] + [0] * (count - len(found))
            check(abs(spread["mean"] - statistics.mean(shares)) < 1e-12, row["name"], spread)
            check(abs(spread["sd"] - statistics.stdev(shares)) < 1e-9, row["name"], spread)
            check(spread["most"] == max(shares) and spread["least"] == min(shares), row["name"], spread)


def main():
    foldstat = os.path.abspath(sys.argv[1])
    chance = random.Random(20261130)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        hosts = {f"host{at}.raw": make_host(chance, at) for at in range(12)}
        for name, lines in hosts.items():
            with open(name, "w", newline="") as out:
                out.writelines(f"{stack} {count}\n" for stack, count in lines)
        path = sum_in_groups(chance, foldstat, hosts)
        run(foldstat, "merge", "-q", "--partial", "-o", "again.raw", path)
        text = open("again.raw", newline="").read()
        got = [line for line in text.split("\n") if line.startswith("# foldstat frame")]
        wanted, values = expected_lines(hosts)
        check(got == wanted, "lines of frames differ", [p for p in zip(got, wanted) if p[0] != p[1]][:1])
        plain = run(foldstat, "merge", "-q", *hosts)
        stacks = "".join(line + "\n" for line in text.split("\n") if line and not line.startswith("# "))
        check(stacks.encode() == plain, "stacks differ")
        # What knows no comments ignores lines that do not end in a blank and a number.
        check(not any(re.match(r"^(.*)\s+?(\d+(?:\.\d*)?)$", line) for line in text.split("\n")
                      if line.startswith("#")), "a comment reads like a stack")
        page = json.loads(run(foldstat, "-q", "--format", "json", "again.raw"))
        check(page["partial"] == {"inputs": 12, "compared": 12, "skipped_lines": 0}, page["partial"])
        check_rows(page, values, len(hosts))
        far = {(row["name"], end["name"]) for row in page["leaf"]["rows"] if row["self_spread"]
               for end in row["self_spread"]["highest"] if end["stands_out"]}
        check(far == {("hot", "host5.raw")}, "outliers:", far)
    print(f"{len(wanted)} lines of frames and {len(page['leaf']['rows'])} rows agree")


if __name__ == "__main__":
    main()
