#!/usr/bin/env python3
"""Prints the stacks whose counts differ most between two files: the dict that people write.

    stackdiff.py BEFORE AFTER

What `foldstat diff` is measured against; it knows whole stacks only.
"""
import sys


def load(path):
    """The counts of a file by stack."""
    counts = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            stack, _, count = line.rpartition(" ")
            counts[stack] = counts.get(stack, 0) + int(count)
    return counts


def main():
    """Prints twenty of them."""
    before, after = load(sys.argv[1]), load(sys.argv[2])
    delta = {s: after.get(s, 0) - before.get(s, 0) for s in before.keys() | after.keys()}
    for stack in sorted(delta, key=lambda s: -abs(delta[s]))[:20]:
        print(delta[stack], stack)


if __name__ == "__main__":
    main()
