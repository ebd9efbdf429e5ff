#!/usr/bin/env python3
"""Write what foldstat makes of profiles that are not part of the project.

    profiles.py FOLDSTAT SHARED OUT.md [--check]

SHARED/profiles/recorded and SHARED/profiles/real hold recorded and published profiles, each with an
INDEX.tsv that says what their counts sum to; SHARED/cases holds small files with a page
NAME.expect.md beside them. OUT.md gets a table with one row for each file: what foldstat takes it
for, its total, and the total that it should have. Names and numbers only; no content is copied.

With --check nothing is written: OUT.md must be what would be.

Exit codes: 0; 1 a total differs from the right one for no reason given below, a reason is given that
is not needed, or OUT.md is not what it should be; 2 usage; 77 SHARED does not exist.
"""
import argparse
import csv
import difflib
import json
import math
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

TIMEOUT_S = 120
EXIT_NOTHING_THERE = 77
REFUSED = "refused"
UNKNOWN = "-"

INTRODUCTION = """\
# Profiles of many profilers, and what foldstat makes of them

`tests/docs/profiles.py` makes this page: it runs foldstat over profiles that were recorded or published and are not
part of the project, and compares each total with what the profiler said or what a count of the file gives. Where the
two differ the last column says why; a difference without a reason fails the test.
"""

# Why a total is not the one expected, or a file is refused whose total is not known.
REASONS = {
    "recorded/austin37__w1_binary_mojo.austin":
        "Austin's binary format: refused, with the command that converts it",
    "real/bencan1a+calendarBot__pyspy.txt":
        "console text of `py-spy dump`, no stacks with counts: refused",
    "real/brendangregg+FlameGraph__example-dtrace-stacks.txt":
        "output of dtrace, not folded: refused; the index adds up the counts between the stacks",
    "real/Invaern+chip8__profile.folded":
        "an SVG under the name of a collapsed file, which is read; the index finds no line with a count",
    "real/jlfwong+speedscope__simple-utf16-be.txt": "UTF-16: refused, with the command that converts it",
    "real/jlfwong+speedscope__simple-utf16-le.txt": "UTF-16: refused, with the command that converts it",
}

# The right totals of cases whose page has none in its tables, or only that of a plain reader.
CASE_TOTALS = {
    "13_two_columns_difffolded.folded": "85",
    "14_austin_three_metrics.folded": "20270",
    "15_austin_comma_metrics.folded": "1010",
    "19_utf16le.folded": REFUSED,
    "33_gil_vs_total_gil.folded": "88",
    "36_ties_order_shuffled.folded": "20",
    "41_gzip_concatenated.folded.gz": "357",
    "42_gzip_truncated.folded.gz": REFUSED,
    "43_line_over_1MB.folded": "8",
    "44_deep_recursion.folded": "5",
    "45_many_distinct_stacks.folded": "5000",
    "47_generated_file_names.folded": "24",
    "51_diff_rates_after.folded": "150",
    "56_empty_file.folded": "0",
    "56_empty_file_only_comments.folded": "0",
    "57_broken_pipe.folded": "4498500",
}


# ---- which files, and their right totals ----


def read_index(folder):
    with (folder / "INDEX.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def list_indexed(folder, column):
    """Return (path, right total) for every file of a folder with an index."""
    return [(folder / row["file"], row[column] or UNKNOWN) for row in read_index(folder)]


def case_total(path):
    """The right total of a case, from the table above or its page."""
    if path.name in CASE_TOTALS:
        return CASE_TOTALS[path.name]
    page = path.with_name(path.name.split(".")[0] + ".expect.md")
    found = re.search(r"^total ([-0-9.]+);", page.read_text(encoding="utf-8"), re.MULTILINE)
    return found.group(1) if found else UNKNOWN


def list_files(shared):
    """Return sections: (heading, what the expected total is, [(name, path, right total)])."""
    profiles = shared / "profiles"
    cases = sorted(path for path in (shared / "cases").iterdir()
                   if path.name != "README.md" and not path.name.endswith(".expect.md"))
    sections = [
        ("Recorded", "what py-spy said; other profilers say nothing",
         list_indexed(profiles / "recorded", "samples_said")),
        ("Published", "the sum of the last numbers of all lines",
         list_indexed(profiles / "real", "total")),
        ("Odd by design", "by hand", [(path, case_total(path)) for path in cases]),
    ]
    return [(heading, source, [(f"{path.parent.name}/{path.name}", path, right)
                               for path, right in sorted(files)])
            for heading, source, files in sections]


# ---- what foldstat says ----


def ask(binary, path):
    """Return (dialect, unit, total, bad lines) as text; the total is REFUSED with exit code 2."""
    answer = subprocess.run([binary, "-q", "--format", "json", path], stdin=subprocess.DEVNULL,
                            capture_output=True, timeout=TIMEOUT_S, check=False)
    if answer.returncode == 2 and not answer.stdout:
        return UNKNOWN, UNKNOWN, REFUSED, UNKNOWN
    if answer.returncode != 0:
        raise RuntimeError(f"{path}: exit code {answer.returncode}")
    top = json.loads(answer.stdout, parse_int=str, parse_float=str)
    source = top["inputs"][0]
    return source["dialect"], top["unit"], top["total"], source["skipped_lines"]


def agrees(total, right):
    """Whether a total is the right one; an index that holds a binary float is only near."""
    if right == UNKNOWN:
        return total != REFUSED
    if REFUSED in (total, right):
        return total == right
    return Decimal(total) == Decimal(right) or (
        "." in right and math.isclose(float(total), float(right), rel_tol=1e-12))


# ---- the page ----


def make_row(name, answer, right, complaints):
    """Return a row of the table, and adds to complaints what is not as it should be."""
    dialect, unit, total, bad = answer
    reason = REASONS.get(name, "")
    if agrees(total, right) and reason:
        complaints.append(f"{name}: total {total} is right; the reason given is not needed")
    if not agrees(total, right) and not reason:
        complaints.append(f"{name}: total {total}, expected {right}, and no reason given")
    return f"| `{name}` | {dialect} | {unit} | {total} | {right} | {bad} | {reason} |"


def make_page(binary, sections):
    """Return the text of the page, and the complaints."""
    complaints = []
    parts = [INTRODUCTION]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for heading, source, files in sections:
            answers = pool.map(lambda file: ask(binary, file[1]), files)
            rows = [make_row(name, answer, right, complaints)
                    for (name, _, right), answer in zip(files, answers)]
            parts.append("\n".join([
                f"## {heading}", "", f"{len(files)} files; expected: {source}.", "",
                "| file | read as | unit | total | expected | bad lines | why they differ |",
                "|---|---|---|---:|---:|---:|---|", *rows, ""]))
    seen = {name for _, _, files in sections for name, _, _ in files}
    complaints += [f"{name}: a reason is given, and the file is not there"
                   for name in REASONS if name not in seen]
    return "\n".join(parts), complaints


def check_page(out, page):
    """Return the complaint about a page that is not what it should be, or none."""
    old = out.read_text(encoding="utf-8") if out.exists() else ""
    return ["".join(difflib.unified_diff(old.splitlines(True), page.splitlines(True), str(out),
                                         "what it should be"))] if old != page else []


def main():
    parser = argparse.ArgumentParser(description="write what foldstat makes of profiles")
    parser.add_argument("binary", metavar="FOLDSTAT")
    parser.add_argument("shared", type=Path, metavar="SHARED")
    parser.add_argument("out", type=Path, metavar="OUT.md")
    parser.add_argument("--check", action="store_true", help="compare OUT.md, write nothing")
    args = parser.parse_args()
    binary = os.path.abspath(args.binary)
    if not os.access(binary, os.X_OK):
        parser.error(f"{binary}: no program there")
    if not args.shared.is_dir():
        print(f"{args.shared}: not there, nothing to do")
        return EXIT_NOTHING_THERE
    page, complaints = make_page(binary, list_files(args.shared))
    if args.check:
        complaints += check_page(args.out, page)
    else:
        args.out.write_text(page, encoding="utf-8")
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
