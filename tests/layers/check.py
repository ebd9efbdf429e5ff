#!/usr/bin/env python3
"""Checks that no layer includes one to its right.

    base -> io -> parse -> model -> analysis -> render -> cli

A file may include headers of its own layer and of those to its left, the public header, and the
system's. Only the cli and main.c may name stderr. Exit status: 0 if so, 1 with the arrows that
point the wrong way, or if no file was found.
"""
import pathlib
import re
import sys

LAYERS = ["base", "io", "parse", "model", "analysis", "render", "cli"]
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def complaints_about(path, layer):
    """Yields a sentence for each include of path that its layer must not have."""
    text = path.read_text(encoding="utf-8")
    for header in INCLUDE.findall(text):
        if header == "foldstat.h":
            continue
        target = header.split("/")[0]
        if target not in LAYERS:
            yield f'{path}: "{header}" is in no layer'
        elif LAYERS.index(target) > LAYERS.index(layer):
            yield f'{path}: {layer} must not include {target} ("{header}")'
    if layer != "cli" and re.search(r"\bstderr\b", text):
        yield f"{path}: only the cli writes to stderr"


def main():
    """Runs the check on the project whose root is the first argument."""
    source = pathlib.Path(sys.argv[1]) / "src"
    files = 0
    wrong = []
    for layer in LAYERS:
        for path in sorted((source / layer).rglob("*.[ch]")):
            files += 1
            wrong.extend(complaints_about(path, layer))
    for sentence in wrong:
        print(sentence)
    print(f"{files} files, {len(wrong)} wrong arrows")
    return 1 if wrong or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
