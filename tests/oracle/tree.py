#!/usr/bin/env python3
"""Compares `foldstat tree` and `foldstat peek` with a calculation that shares nothing with them.

    tree.py FOLDSTAT FIXTURES RECORDED

Reads recordings of py-spy with Python alone and works out, by going through every stack, what each way
from a root or from a leaf holds, and for every function its callers, callees, lines and stacks. The JSON
of `tree` (both ways, by frame and by function, whole and cut) and of `peek . --all` must hold exactly
that, in the right order. The recordings are those of FIXTURES and, where there is such a folder, of
RECORDED. The last line is `N passed, N failed, N skipped`.

Exit codes: 0 all agree; 1 some do not; 2 usage.
"""
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

# Whose names and command lines hold newlines, so that a line is no stack: tests/cli/records has such.
NOT_BY_LINES = {"pyspy__w2_default.raw", "pyspy__w2_full.raw", "pyspy__w2_function.raw",
                "pyspy__w4_subprocesses.raw"}
PROCESS = re.compile(r'process \d+:".*?"(?=;| \d+$)')
SPLIT = re.compile(r"(.*) \((.*):(-?\d+)\)", re.DOTALL)


def read(path):
    """The stacks of a recording of py-spy, with their counts."""
    stacks = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        stack, _, count = line.rpartition(" ")
        if not count.isdigit() or line.startswith(("py-spy> ", "# ")):
            continue
        frames = []
        while line.startswith("process ") and (led := PROCESS.match(line)):
            frames.append(led.group())
            line = line[led.end() + 1:]
        rest = line.rpartition(" ")[0]
        frames += rest.split(";") if rest else []
        stacks[tuple(frames or ["[no Python frames]"])] += int(count)
    return stacks


def function(frame):
    """The frame without its line."""
    parts = None if frame.startswith(("process ", "thread ")) else SPLIT.fullmatch(frame)
    return f"{parts[1]} ({parts[2]})" if parts else frame


def grouped(stacks, label):
    """The stacks with other names for their frames."""
    out = Counter()
    for frames, count in stacks.items():
        out[tuple(map(label, frames))] += count
    return out


def run(binary, *options):
    """What foldstat says as JSON, numbers as they are written."""
    done = subprocess.run([binary, *options, "--format", "json"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr.decode(errors="replace").strip())
    return json.loads(done.stdout)


# ---- trees ----

def ways_of(stacks, reverse):
    """Self counts and totals of all ways."""
    selves, totals = Counter(), Counter()
    for frames, count in stacks.items():
        way = frames[::-1] if reverse else frames
        selves[way] += count
        for depth in range(len(way) + 1):
            totals[way[:depth]] += count
    return selves, totals


def check_tree(report, stacks, reverse, least=0.0, most=None):
    """Yields what is wrong with a tree."""
    selves, totals = ways_of(stacks, reverse)
    whole = totals[()]
    wanted = {way for way, total in totals.items()
              if (whole == 0 or total / whole >= least) and (most is None or len(way) <= most)}
    wanted.add(())
    ways, children, got = {}, defaultdict(list), {}
    for node in report["nodes"]:
        parent = node["parent"]
        way = () if parent is None else ways[parent] + (node["name"],)
        ways[node["id"]] = way
        got[way] = (node["self"], node["total"])
        if parent is not None:
            children[parent].append((-node["total"], node["name"].encode()))
        left = node["total"] - node["self"]
        left -= sum(totals[other] for other in wanted if other[:-1] == way and len(other) == len(way) + 1) \
            if node.get("left_out_nodes") else left
        if node.get("left_out_nodes") and left != node["left_out"]:
            yield f"left out of {way[-1:]}: {node['left_out']}, not {left}"
    if got != {way: (selves[way], totals[way]) for way in wanted}:
        different = set(got.items()) ^ {(way, (selves[way], totals[way])) for way in wanted}
        yield f"{len(different)} nodes differ, as {sorted(different)[0]}"
    if any(siblings != sorted(siblings) for siblings in children.values()):
        yield "children in another order"


# ---- around a function ----

class Around:
    """What is around each function."""

    def __init__(self, stacks):
        self.selves, self.totals, self.begins = Counter(), Counter(), Counter()
        self.callers, self.callees = defaultdict(Counter), defaultdict(Counter)
        self.lines, self.line_selves = defaultdict(Counter), Counter()
        self.stacks = defaultdict(Counter)
        for frames, count in stacks.items():
            self.add(frames, tuple(map(function, frames)), count)

    def add(self, frames, names, count):
        """Counts a stack, once into all that it is part of."""
        self.selves[names[-1]] += count
        self.line_selves[frames[-1]] += count
        self.begins[names[0]] += count
        for name in set(names):
            self.totals[name] += count
            self.stacks[name][names] += count
        for caller, callee in set(zip(names, names[1:])):
            self.callers[callee][caller] += count
            self.callees[caller][callee] += count
        for frame in set(frames):
            self.lines[function(frame)][frame] += count


def links(rows):
    """Rows of callers or callees in their order."""
    return [(row["name"], row["total"]) for row in rows]


def ordered(counter):
    """The same of a counter."""
    return sorted(counter.items(), key=lambda item: (-item[1], item[0].encode()))


def line_of(frame):
    """The number of a frame's line, or None."""
    parts = None if function(frame) == frame else SPLIT.fullmatch(frame)
    return int(parts[3]) if parts else None


def check_match(match, around):
    """Yields what is wrong with a match."""
    name = match["name"]
    if (match["self"], match["total"]) != (around.selves[name], around.totals[name]):
        yield f"{name}: self or total"
    if match["begins"] != around.begins[name]:
        yield f"{name}: begins {match['begins']}, not {around.begins[name]}"
    if links(match["callers"]) != ordered(around.callers[name]):
        yield f"{name}: callers"
    if links(match["callees"]) != ordered(around.callees[name]):
        yield f"{name}: callees"
    lines = sorted((line_of(frame), frame, around.line_selves[frame], total)
                   for frame, total in around.lines[name].items() if line_of(frame) is not None)
    if [(r["line"], r["name"], r["self"], r["total"]) for r in match["lines"]] != lines:
        yield f"{name}: lines"
    counts = [stack["total"] for stack in match["stacks"]]
    stacks = {tuple(stack["frames"]): stack["total"] for stack in match["stacks"]}
    if counts != sorted(counts, reverse=True) or stacks != dict(around.stacks[name]):
        yield f"{name}: stacks"


def check_peek(report, stacks):
    """Yields what is wrong with what is around functions."""
    around = Around(stacks)
    if [match["name"] for match in report["matches"]] != [n for n, _ in ordered(around.totals)]:
        yield "matches"
    for match in report["matches"]:
        yield from check_match(match, around)


# ---- all of it ----

def check(binary, path):
    """Yields what is wrong with what foldstat says of a recording."""
    stacks = read(path)
    for by, label in (("frame", str), ("function", function)):
        ways = grouped(stacks, label)
        for reverse in (False, True):
            options = ["tree", str(path), "--by", by, *(["--reverse"] if reverse else [])]
            yield from check_tree(run(binary, *options), ways, reverse)
            cut = run(binary, *options, "--min-percent", "2", "--max-depth", "6")
            yield from check_tree(cut, ways, reverse, 0.02, 6)
    yield from check_peek(run(binary, "peek", ".", str(path), "--all"), stacks)


def main():
    """Checks every recording."""
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    binary, fixtures, recorded = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    paths = [fixtures / "dflash/gil.raw", fixtures / "dflash/all.raw",
             *sorted(fixtures.glob("gil/*.raw")), *sorted(recorded.glob("pyspy__*.raw"))]
    passed = failed = skipped = 0
    for path in paths:
        if path.name in NOT_BY_LINES or not sum(read(path).values()):
            skipped += 1
            continue
        try:
            complaints = list(check(binary, path))
        except ValueError as error:
            complaints = [str(error)]
        if complaints:
            failed += 1
            print(f"{path}: {complaints[0]} ({len(complaints)} complaints)")
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
