#!/usr/bin/env python3
"""Leaf and root tables of a collapsed profile, as a throw-away script prints them.

This is the reference that `foldstat top --format plain` must match byte for byte.
It is of the kind that people publish beside a py-spy recording: a line is split
at its last space into a stack and a count, the stack at `;`, and two Counters do
the rest. It knows nothing of comments, fractions, quoted command lines or empty
stacks, and is meant to stay that way: on input that it does not understand (a
count that is no integer, a line without a space, samples that sum to zero) it
ends with a traceback.

    toptable.py [--label L] [--root N] FILE

With --label GIL the headings are TOTAL_GIL, TOP_GIL_LEAF and TOP_GIL_ROOT,
without it TOTAL, TOP_LEAF and TOP_ROOT. The root of a stack is frame N (3 unless
told otherwise, counted from 0), or frame 0 where a stack has no frame N. Equal
counts keep the order of their first occurrence.

Bytes pass through unchanged, whether or not they are UTF-8, and only a line feed
ends a line.

Exit codes: 0 the tables were printed; 1 the input was not understood; 2 usage.
"""

import argparse
import sys
from collections import Counter

LEAF_ROWS = 20
ROOT_ROWS = 12
DEFAULT_ROOT = 3


def count_frames(path, root_index):
    """Return the Counters of leaf and of root frames, in samples."""
    leaves, roots = Counter(), Counter()
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
        for line in lines:
            if not line.strip():
                continue
            stack, count = line.rstrip("\n").rsplit(" ", 1)
            n = int(count)
            frames = stack.split(";")
            leaves[frames[-1]] += n
            roots[frames[root_index] if len(frames) > root_index else frames[0]] += n
    return leaves, roots


def print_table(heading, counter, rows, total):
    """Print the heading and the `rows` most common frames with their shares."""
    print(heading)
    for k, v in counter.most_common(rows):
        print(f"{v:5d} {v/total*100:5.1f}% {k}")


def main():
    parser = argparse.ArgumentParser(description="print the leaf and root tables of a collapsed profile")
    parser.add_argument("--label", help="a word for the headings, such as GIL")
    parser.add_argument("--root", type=int, default=DEFAULT_ROOT, metavar="N",
                        help="frame that is a stack's root, counted from 0 (default %(default)s)")
    parser.add_argument("file", metavar="FILE")
    args = parser.parse_args()

    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    leaves, roots = count_frames(args.file, args.root)
    total = leaves.total()
    label = f"_{args.label}" if args.label else ""
    print(f"TOTAL{label} {total}")
    print_table(f"TOP{label}_LEAF", leaves, LEAF_ROWS, total)
    print_table(f"TOP{label}_ROOT", roots, ROOT_ROWS, total)


if __name__ == "__main__":
    main()
