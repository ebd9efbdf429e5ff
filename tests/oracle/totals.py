#!/usr/bin/env python3
"""Check foldstat's totals against those noted beside real profiles.

    totals.py FOLDSTAT_BINARY DIR

DIR holds profiles that are not part of the project: DIR/recorded, where py-spy
said how many samples it took, and DIR/real, published files of many profilers.
Each has an INDEX.tsv with the expected figures.

For every recorded/pyspy__*.raw the `total` of `foldstat --format json FILE` must
be the number of samples that py-spy said. For every file in real/ it must be
exactly the sum of the file's counts, computed here in decimals, and the index,
which holds some sums as binary floats, must agree with it. Files that are no
profile must be refused with exit code 2. The tables below name these, with reasons.

The last line is `N passed, N failed, N skipped`.

Exit codes: 0 all totals are right; 1 some are not; 2 usage; 77 DIR does not exist.
"""

import argparse
import csv
import json
import math
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Context, Decimal, ROUND_HALF_EVEN
from pathlib import Path

TIMEOUT_S = 120
EXIT_REFUSED = 2
EXIT_NOTHING_THERE = 77

# Files in real/ that are no profile: exit code 2 and no table.
REFUSED = {
    "bencan1a+calendarBot__pyspy.txt":
        "console text of `py-spy dump`: none of its 46 lines ends in a count",
    "brendangregg+FlameGraph__example-dtrace-stacks.txt":
        "output of dtrace, not yet folded: 35,090 of 38,501 lines are bad, more than half; the index"
        " adds up the bare counts between the stacks",
    "jlfwong+speedscope__simple-utf16-be.txt": "UTF-16 text with a byte order mark",
    "jlfwong+speedscope__simple-utf16-le.txt": "UTF-16 text with a byte order mark",
}

# Files in real/ of which the index knows no total, with the right one and why.
OTHERWISE = {
    "Invaern+chip8__profile.folded":
        (1000, "an SVG of flamegraph.pl; its titles give 1,000 samples, the index finds no line "
               "with a count"),
}

# ---- the right total of a file ----

BLANKS = b" \t\r"
NUMBER = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
EXACT = Context(prec=200, rounding=ROUND_HALF_EVEN)
LAST_DECIMAL = Decimal("1e-12")


def line_count(line):
    """The count of a line, to 12 decimals; 0 for a comment, a blank or a bad line."""
    body = line.rstrip(BLANKS)
    if line.startswith(b"# ") or not body:
        return Decimal(0)
    token = re.split(rb"[ \t]", body)[-1]
    if not NUMBER.fullmatch(token):
        return Decimal(0)
    return Decimal(token.decode()).quantize(LAST_DECIMAL, context=EXACT)


def exact_total(data):
    """The sum of the counts of a profile whose lines each hold one record."""
    total = Decimal(0)
    for line in data.split(b"\n"):
        total = EXACT.add(total, line_count(line))
    return total


def agrees(indexed, total):
    """Whether the index's total is this one; floats in it are near, integers equal."""
    if "." in indexed:
        return math.isclose(float(indexed), float(total), rel_tol=1e-12)
    return Decimal(indexed) == total


# ---- foldstat's total ----


class Wrong(Exception):
    """A check that failed; its text says what was found."""


def run_json(binary, path):
    try:
        return subprocess.run([binary, "--format", "json", path], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as timeout:
        raise Wrong(f"no answer within {TIMEOUT_S} s") from timeout


def first_line(data):
    return data.split(b"\n", 1)[0].decode("utf-8", "backslashreplace")


def json_total(binary, path):
    """The `total` that foldstat prints for a file, as an exact Decimal."""
    answer = run_json(binary, path)
    if answer.returncode != 0:
        raise Wrong(f"exit code {answer.returncode}: {first_line(answer.stderr)}")
    try:
        total = json.loads(answer.stdout, parse_int=Decimal, parse_float=Decimal)["total"]
    except (ValueError, LookupError, TypeError) as error:
        raise Wrong(f"no total in the JSON output: {error!r}") from error
    if not isinstance(total, Decimal):
        raise Wrong(f"total is {total!r}, no number")
    return total


# ---- the checks; each raises Wrong, or returns why it was skipped, or None ----


def check_recorded(binary, path, row):
    said = row["samples_said"]
    if not said:
        return "py-spy's number of samples was not noted"
    total = json_total(binary, path)
    if total != Decimal(said):
        raise Wrong(f"total {total}, py-spy said {said}")
    return None


def check_refused(binary, path):
    answer = run_json(binary, path)
    if answer.returncode != EXIT_REFUSED:
        raise Wrong(f"exit code {answer.returncode}, expected {EXIT_REFUSED}: {REFUSED[path.name]}")
    if answer.stdout:
        raise Wrong(f"refused, yet printed {first_line(answer.stdout)!r}")


def check_real(binary, path, row):
    if path.name in OTHERWISE:
        right, reason = OTHERWISE[path.name]
        total = json_total(binary, path)
        if total != right:
            raise Wrong(f"total {total}, right is {right}: {reason}")
        return None
    if path.name in REFUSED:
        check_refused(binary, path)
        return None
    right = exact_total(path.read_bytes())
    if not agrees(row["total"], right):
        raise Wrong(f"the index says {row['total']}, the file's counts sum to {right}: one needs a reason here")
    total = json_total(binary, path)
    if total != right:
        raise Wrong(f"total {total}, the file's counts sum to {right}")
    return None


# ---- going through the indexes ----


def read_index(folder):
    with (folder / "INDEX.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def list_checks(shared):
    """Return (check, path, row of the index) for every file to look at."""
    checks = []
    recorded = shared / "recorded"
    if recorded.is_dir():
        checks += [(check_recorded, recorded / row["file"], row) for row in read_index(recorded)
                   if row["file"].startswith("pyspy__") and row["file"].endswith(".raw")]
    real = shared / "real"
    if real.is_dir():
        checks += [(check_real, real / row["file"], row) for row in read_index(real)]
    return checks


def judge(binary, check, path, row):
    """Return the verdict on one file and what to say of it."""
    try:
        skipped = check(binary, path, row)
    except (Wrong, OSError) as error:
        return "failed", str(error)
    return ("skipped", skipped) if skipped else ("passed", "")


def main():
    parser = argparse.ArgumentParser(
        description="check foldstat's totals against those noted beside real profiles")
    parser.add_argument("binary", metavar="FOLDSTAT_BINARY")
    parser.add_argument("shared", type=Path, metavar="DIR")
    args = parser.parse_args()
    binary = os.path.abspath(args.binary)
    if not os.access(binary, os.X_OK):
        parser.error(f"{binary}: no program there")
    sys.stdout.reconfigure(errors="backslashreplace")

    tally = Counter()
    if args.shared.is_dir():
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            checks = list_checks(args.shared)
            verdicts = pool.map(lambda check: judge(binary, *check), checks)
            for (_, path, _), (verdict, why) in zip(checks, verdicts):
                tally[verdict] += 1
                if why:
                    print(f"{verdict} {path.parent.name}/{path.name}: {why}")
    else:
        print(f"{args.shared}: not there, nothing to check")
    print(f"{tally['passed']} passed, {tally['failed']} failed, {tally['skipped']} skipped")

    if not args.shared.is_dir():
        return EXIT_NOTHING_THERE
    return 1 if tally["failed"] or not tally["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
