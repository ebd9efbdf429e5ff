#!/usr/bin/env python3
"""Compare foldstat's plain tables with those of toptable.py, byte for byte.

    compare.py [-v] FOLDSTAT_BINARY [--shared DIR] FILE_OR_DIR...

Every profile is given to toptable.py (`--label GIL --root 3`) and to the binary
(`--format plain --label GIL --root 3 --no-normalize`), and their standard output
must be the same. Folders are searched to the bottom; notes, indexes and programs
in them are no profiles and are passed over. A file or folder that does not exist
is passed over with a message. --shared DIR stands for the folders
profiles/recorded, profiles/real and cases in DIR.

A profile is skipped where foldstat reads it otherwise on purpose: compressed
data, comments, quoted command lines and so on, each a row of the rules below.
This is judged from the file's own bytes, never from what foldstat prints. Where
no rule applies but toptable.py itself gives up there is nothing to compare, and
the profile is skipped too. The reasons are counted at the end; -v names the files.

The last line is `N passed, N failed, N skipped`.

Exit codes: 0 all compared profiles agree; 1 some differ, or what exists held
nothing to compare; 2 usage; 77 none of the files and folders exists.
"""

import argparse
import difflib
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOPTABLE = Path(__file__).resolve().with_name("toptable.py")
SHARED_FOLDERS = ("profiles/recorded", "profiles/real", "cases")
NO_PROFILES = {".awk", ".json", ".md", ".pl", ".py", ".sh", ".tsv"}
OPTIONS = ("--label", "GIL", "--root", "3")
TIMEOUT_S = 120
EXIT_NOTHING_THERE = 77

DIFF_LINES = 12
DIFF_COLUMNS = 200

# ---- what foldstat reads otherwise than the script, by the file's bytes ----

# What may stand before the first line, and what it is.
MAGIC = (
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xef\xbb\xbf", "byte order mark: part of the first name to the script"),
)

BLANKS = b" \t\r"
INTEGER = re.compile(rb"[+-]?[0-9]+")
NUMBER = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
PYSPY_SAYS = re.compile(
    rb"(?:\x1b\[[0-9;]*m)*py-spy>"
    rb"|Sampling process [0-9]+ times a second"
    rb"|Wrote .* Samples: [0-9]+ Errors: [0-9]+[ \t\r]*$"
)
PROCESS_OPENS = re.compile(rb'process [0-9]+:"')
PROCESS_CLOSES = re.compile(rb'"(?=;|$)')

# Counts are exact in 128 bits with 12 decimals; what is near that limit is not compared.
COUNT_LIMIT = 2**127 // 10**12


class Line:
    """A line that is not blank, cut as the script cuts it: at the last space."""

    def __init__(self, raw):
        self.raw = raw
        self.body = raw.rstrip(BLANKS)
        self.stack, self.space, self.count = self.body.rpartition(b" ")


def split_quoted(stack):
    """Split a stack at `;` but not in `process N:"…"`; None if a quote stays open."""
    frames, start = [], 0
    while start <= len(stack):
        search = start
        opening = PROCESS_OPENS.match(stack, start)
        if opening:
            closing = PROCESS_CLOSES.search(stack, opening.end())
            if not closing:
                return None
            search = closing.end()
        end = stack.find(b";", search)
        end = len(stack) if end < 0 else end
        frames.append(stack[start:end])
        start = end + 1
    return frames


def is_comment(line):
    return line.raw.startswith(b"# ") or line.body == b"#"


def is_log(line):
    return PYSPY_SAYS.match(line.raw) is not None


def is_empty_stack(line):
    return not line.stack and NUMBER.fullmatch(line.count) is not None


def has_quoted_delimiter(line):
    return b"process " in line.stack and split_quoted(line.stack) != line.stack.split(b";")


def has_empty_frame(line):
    return line.stack.startswith(b";") or line.stack.endswith(b";") or b";;" in line.stack


def has_trailing_blank(line):
    return b" " in line.raw[len(line.body):]


def has_tab(line):
    return b"\t" in line.count


def has_fraction(line):
    return NUMBER.fullmatch(line.count) is not None and not INTEGER.fullmatch(line.count)


def has_odd_integer(line):
    """Python's int() takes `1_000`, digits of other scripts and more blanks."""
    try:
        int(line.count.decode("utf-8", "surrogateescape"))
    except ValueError:
        return False
    return not INTEGER.fullmatch(line.count)


def has_line_frame(line):
    """Austin 1 and 2 write a line number as a frame of its own."""
    return re.search(rb";L[0-9]+(;|$| )", line.stack) is not None


def has_delimiter(line):
    """perf's tools put `-` and `--` between stacks; they are no frames."""
    return re.search(rb";--?(;|$)", line.stack) is not None


def has_two_counts(line):
    return NUMBER.fullmatch(line.stack.rpartition(b" ")[2]) is not None


def is_blank_to_script(line):
    return not line.raw.decode("utf-8", "surrogateescape").strip()


# The first rule that holds for a line gives the reason.
LINE_RULES = (
    ("comment or metadata", is_comment),
    ("message of py-spy", is_log),
    ("blank after the count", has_trailing_blank),
    ("empty stack", is_empty_stack),
    ("quoted command line with a delimiter", has_quoted_delimiter),
    ("empty frame or trailing `;`", has_empty_frame),
    ("tab before the count", has_tab),
    ("fraction or exponent", has_fraction),
    ("count that only the script accepts", has_odd_integer),
    ("line that is blank only to the script", is_blank_to_script),
    ("line number in a frame of its own", has_line_frame),
    ("delimiter between stacks", has_delimiter),
    ("several counts", has_two_counts),
)


def reason_to_skip(data):
    """Why foldstat must read these bytes otherwise than the script, or None."""
    for magic, reason in MAGIC:
        if data.startswith(magic):
            return reason
    weight = 0
    for raw in data.split(b"\n"):
        if not raw.strip(BLANKS):
            continue
        line = Line(raw)
        for reason, holds in LINE_RULES:
            if holds(line):
                return reason
        if INTEGER.fullmatch(line.count):
            weight += abs(int(line.count[:100]))
    return "counts near the limit of 128 bits" if weight >= COUNT_LIMIT else None


# ---- finding profiles ----


def is_profile(path):
    if path.name.startswith(".") or path.suffix in NO_PROFILES or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(2) != b"#!"


def find_profiles(arguments):
    """Return the profiles below the arguments, and how many of these exist."""
    profiles, existing = [], 0
    for argument in arguments:
        if not argument.exists():
            print(f"{argument}: not there, passed over")
            continue
        existing += 1
        if argument.is_dir():
            profiles += sorted(path for path in argument.rglob("*") if is_profile(path))
        else:
            profiles.append(argument)
    return list(dict.fromkeys(profiles)), existing


# ---- comparing one profile ----


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=TIMEOUT_S, check=False)


def visible(line):
    """A line of output as text of bounded length, its odd bytes as escapes."""
    text = line.decode("utf-8", "backslashreplace")
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return text if len(text) <= DIFF_COLUMNS else text[:DIFF_COLUMNS] + "…"


def short_diff(script, binary):
    """Return the first lines of a unified diff of two outputs."""
    lines = list(difflib.diff_bytes(
        difflib.unified_diff, script.split(b"\n"), binary.split(b"\n"),
        b"toptable.py", b"foldstat", n=1, lineterm=b""))
    shown = [visible(line) for line in lines[:DIFF_LINES]]
    if len(lines) > DIFF_LINES:
        shown.append(f"… {len(lines) - DIFF_LINES} more lines")
    return "\n".join(shown)


class Outcome:
    """What came of one profile: passed, failed or skipped, with a reason or a diff."""

    def __init__(self, path, verdict, why=""):
        self.path, self.verdict, self.why = path, verdict, why


def compare(binary, path):
    reason = reason_to_skip(path.read_bytes())
    if reason:
        return Outcome(path, "skipped", reason)
    script = run(sys.executable, "-I", "-S", TOPTABLE, *OPTIONS, path)
    if script.returncode != 0:
        return Outcome(path, "skipped", "not understood by the script")
    try:
        answer = run(binary, "--format", "plain", *OPTIONS, "--no-normalize", path)
    except subprocess.TimeoutExpired:
        return Outcome(path, "failed", f"no answer within {TIMEOUT_S} s")
    if answer.returncode != 0:
        said = "\n".join(visible(line) for line in answer.stderr.split(b"\n")[:DIFF_LINES])
        return Outcome(path, "failed", f"exit code {answer.returncode}\n{said}".rstrip())
    if answer.stdout != script.stdout:
        return Outcome(path, "failed", short_diff(script.stdout, answer.stdout))
    return Outcome(path, "passed")


# ---- command line ----


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="compare foldstat's plain tables with those of toptable.py")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the skipped files")
    parser.add_argument("--shared", type=Path, metavar="DIR",
                        help="also the profiles and cases of this folder")
    parser.add_argument("binary", metavar="FOLDSTAT_BINARY")
    parser.add_argument("paths", type=Path, nargs="*", metavar="FILE_OR_DIR")
    args = parser.parse_intermixed_args()
    args.binary = os.path.abspath(args.binary)
    if not os.access(args.binary, os.X_OK):
        parser.error(f"{args.binary}: no program there")
    if args.shared:
        args.paths += [args.shared / folder for folder in SHARED_FOLDERS]
    if not args.paths:
        parser.error("name a file or a folder, or give --shared")
    return args


def main():
    args = parse_arguments()
    sys.stdout.reconfigure(errors="backslashreplace")
    profiles, existing = find_profiles(args.paths)
    tally, reasons = Counter(), Counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for outcome in pool.map(lambda path: compare(args.binary, path), profiles):
            tally[outcome.verdict] += 1
            if outcome.verdict == "failed":
                print(f"FAILED {outcome.path}\n{outcome.why}")
            elif outcome.verdict == "skipped":
                reasons[outcome.why] += 1
                if args.verbose:
                    print(f"skipped {outcome.path}: {outcome.why}")
    for reason, count in reasons.most_common():
        print(f"{count:5d} skipped: {reason}")
    print(f"{tally['passed']} passed, {tally['failed']} failed, {tally['skipped']} skipped")

    if existing == 0:
        return EXIT_NOTHING_THERE
    return 1 if tally["failed"] or not tally["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
