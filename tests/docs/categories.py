#!/usr/bin/env python3
"""Write which share of profiles the built-in categories leave in "other".

    categories.py FOLDSTAT SHARED PAGE.md [--check]

SHARED/profiles/recorded and SHARED/profiles/real hold recorded and published profiles. foldstat sorts each
by category; what stands in PAGE.md between the two comments "made by tests/docs/categories.py" and "end"
becomes a table of the files that leave more than 5 % of their total in "other". Names and numbers only;
no content is copied.

With --check nothing is written: PAGE.md must be what would be.

Exit codes: 0; 1 PAGE.md is not what it should be, or the table below names a file that needs no
explanation, or lacks one; 2 usage; 77 SHARED does not exist.
"""
import argparse
import difflib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

EXIT_NOTHING_THERE = 77
MUCH = 0.05
NEXT_MOST = 3
BEGIN = "<!-- made by tests/docs/categories.py -->\n"
END = "<!-- end -->\n"

# Made by hand, or the recording of another file of the list once more; neither says anything of rules.
LEFT_OUT = {
    "YS-L+flamelens__readable.txt",
    "brendangregg+FlameGraph__perf-funcab-cmd-01-collapsed-all.txt",
    "felixge+pprofutils__folded.in.txt",
    "felixge+pprofutils__folded.out.txt",
    "google+pprof__report.folded",
    "google+pprof__report0.folded",
    "google+pprof__report_mean.folded",
    "jlfwong+speedscope__alternating.txt",
    "jlfwong+speedscope__recursion.txt",
    "jlfwong+speedscope__simple-crlf.txt",
    "jlfwong+speedscope__simple-with-invalids.txt",
    "jlfwong+speedscope__simple.txt",
    "jlfwong+speedscope__tall.txt",
    "jonhoo+inferno__bad-lines.txt",
    "jonhoo+inferno__bad_before.txt",
    "jonhoo+inferno__basic.txt",
    "jonhoo+inferno__fractional.txt",
    "jonhoo+inferno__grey-frames.txt",
    "jonhoo+inferno__normalize.txt",
    "jonhoo+inferno__perf-cycles-instructions-01-collapsed-all-diff.txt",
    "jonhoo+inferno__single-line-stacks-collapsed.txt",
    "jonhoo+inferno__tricky-stack.txt",
    "jonhoo+inferno__utf8_bytes.txt",
    "jonhoo+inferno__with-space.txt",
    "jonhoo+inferno__zero-fractionals.txt",
    "jrfonseca+gprof2dot__digits.collapse",
    "jrfonseca+gprof2dot__keywords.collapse",
    "laixintao+flameshow__simple.txt",
}
AGAIN = re.compile(r"-(all|pid)\.folded$")  # other foldings of one recording

# What is in "other".
WHAT = {
    "brendangregg+FlameGraph__perf-rust-Yamakaky-dcpu-collapsed-all.txt":
        "the C library, and the loader",
    "AiX-im+Sample-based-GNN__perf.folded":
        "text read by C++ streams, and callers that are `[unknown]`",
    "Cloud-Storage-Team+algnet__main_out.folded":
        "a simulator's own code in C++, and the C library without symbols",
    "Cloud-Storage-Team+algnet__out.folded":
        "gnuplot's own code, and callers that are `[unknown]`",
    "IanNorris+Brook__profile.folded":
        "a kernel's own functions, one frame a line",
    "Invaern+chip8__profile.folded":
        "Haskell",
    "SpecificProtagonist+frightful_hobgoblin__stacks.folded":
        "a program's own code in Rust",
    "YS-L+flamelens__csvlens.data":
        "a program's own code in Rust",
    "brendangregg+FlameGraph__perf-cycles-instructions-01-collapsed-tid.txt":
        "`main` and `cksum`, programs' own code",
    "brendangregg+FlameGraph__perf-dd-stacks-01-collapsed-addrs.txt":
        "`dd`'s own code, without symbols",
    "brendangregg+FlameGraph__perf-java-faults-01-collapsed-all.txt":
        "functions of `sleep` and `perf`",
    "brendangregg+FlameGraph__perf-mirageos-stacks-01-collapsed-addrs.txt":
        "OCaml",
    "brendangregg+FlameGraph__perf-numa-stacks-01-collapsed-tid.txt":
        "code made at run time, without names",
    "githedgehog+dataplane__stacks.folded":
        "a network driver's own code in C",
    "jonhoo+inferno__after.txt":
        "`dd`'s own code, without symbols",
    "jonhoo+inferno__basic.folded":
        "a program's own code in Rust",
    "jonhoo+inferno__collapse-vsprof_results_sample-default.txt":
        "C#",
    "jonhoo+inferno__default.txt":
        "`dd`'s own code, without symbols",
    "jonhoo+inferno__flamegraph_base_flames.txt":
        "a program's own code in Rust",
    "jonhoo+inferno__percent.txt":
        "Haskell",
    "jonhoo+inferno__simple_frame_without_binary_info.folded":
        "a program's own code in Rust",
    "jonhoo+inferno__sourcepawn-jitdump-collapsed-jit.txt":
        "code that a script engine made at run time",
    "jonhoo+inferno__utf8.txt":
        "Haskell",
    "jonhoo+inferno__vtune-default.txt":
        "a program's own code in Rust",
    "perf__cpp_dwarf.folded":
        "a program's own code in C++",
    "perf__cpp_fp.folded":
        "a program's own code in C++",
    "perf__pf.folded":
        "`memset`, whose callers are `[unknown]`",
    "perf__py312_odd.folded":
        "CPython's inner functions, whose callers are `[unknown]`",
    "perf__py312_perf_support.folded":
        "CPython's inner functions, whose callers are `[unknown]`",
    "perf__rust_pyspy.folded":
        "a regular expression engine in Rust",
    "rafaelha+vscode-flamegraph__example.pyspy":
        "stacks of process labels alone",
    "seoklab+nurikit__out.perf-folded":
        "a library's own code in C++",
    "sproshut+CyTRIM__profile.pyspy":
        "stacks of process labels alone",
    "tspp-io+tspp-compiler__perf.folded":
        "the leak sanitizer",
    "zxjcarrot+caliby__out.folded":
        "a Python extension's own code in C++",
}


def ask(binary, path):
    """Return the shares by category, or None where foldstat reads no such file or it has no total."""
    answer = subprocess.run([binary, "-q", "--by", "category", "--format", "json", path], check=False,
                            stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    if answer.returncode != 0:
        return None
    top = json.loads(answer.stdout)
    if top["total"] <= 0:
        return None
    return {row["name"]: row["self_share"] for row in top["leaf"]["rows"]}


def measure(binary, shared):
    """Return (name, shares) for every file that counts, sorted by name."""
    paths = [path for folder in ("recorded", "real")
             for path in (shared / "profiles" / folder).iterdir()
             if path.name not in LEFT_OUT | {"INDEX.tsv", "README.md"} and not AGAIN.search(path.name)]
    paths.sort(key=lambda path: path.name)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda path: ask(binary, path), paths)
    return [(path.name, shares) for path, shares in zip(paths, answers) if shares is not None]


def make_row(name, shares):
    others = sorted(((share, category) for category, share in shares.items() if category != "other"),
                    key=lambda item: (-item[0], item[1]))
    beside = ", ".join(f"{category} {share * 100:.0f}" for share, category in others[:NEXT_MOST]
                       if share >= 0.005)
    return f"| `{name}` | {shares['other'] * 100:.1f} | {beside} | {WHAT.get(name, '')} |"


def make_table(measured):
    """Return the text between the comments, and complaints."""
    much = [(name, shares) for name, shares in measured if shares.get("other", 0) > MUCH]
    much.sort(key=lambda item: (-round(item[1]["other"], 3), item[0]))
    names = {name for name, _ in much}
    complaints = [f"{name}: nothing says what is in other" for name in sorted(names - WHAT.keys())]
    complaints += [f"{name}: leaves little in other; the explanation is not needed"
                   for name in sorted(WHAT.keys() - names)]
    lines = [f"{len(measured) - len(much)} of {len(measured)} files leave at most 5 % of their total. "
             "The others:", "", "| file | other, % | next, % | what is in other |",
             "|---|---:|---|---|", *(make_row(name, shares) for name, shares in much)]
    return "\n".join(lines) + "\n", complaints


def main():
    parser = argparse.ArgumentParser(description="write what categories leave in other")
    parser.add_argument("binary", metavar="FOLDSTAT")
    parser.add_argument("shared", type=Path, metavar="SHARED")
    parser.add_argument("page", type=Path, metavar="PAGE.md")
    parser.add_argument("--check", action="store_true", help="compare PAGE.md, write nothing")
    args = parser.parse_args()
    if not args.shared.is_dir():
        print(f"{args.shared}: not there, nothing to do")
        return EXIT_NOTHING_THERE
    table, complaints = make_table(measure(os.path.abspath(args.binary), args.shared))
    old = args.page.read_text(encoding="utf-8")
    before, rest = old.split(BEGIN)
    page = before + BEGIN + table + END + rest.split(END)[1]
    if not args.check:
        args.page.write_text(page, encoding="utf-8")
    elif page != old:
        complaints.append("".join(difflib.unified_diff(old.splitlines(True), page.splitlines(True),
                                                       str(args.page), "what it should be")))
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
