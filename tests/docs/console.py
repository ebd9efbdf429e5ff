#!/usr/bin/env python3
"""Runs the console examples of a page and compares what they print.

    console.py FOLDSTAT ROOT PAGE...

In every ```console block, and in every ``` block that begins with "$ ", a line that begins with "$ " is a
command and the lines up to the next one are what it prints, standard error first. All commands of a page
run with bash in one temporary folder, HOME, that has the project's fixtures, with `foldstat` on the path.
Exit status: 0; 1 if an output differs or a page has no example. Ends with the line `N passed, N failed`.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(?:console\n|\n(?=\$ ))(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples_of(page):
    """Yields pairs of a command and its expected output."""
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
        yield from zip(parts[1::2], parts[2::2])


def run(command, folder, environment):
    """Runs a command; returns its standard error and output, in this order."""
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return (done.stderr + done.stdout).decode("utf-8", "replace")


def main():
    """Runs all pages."""
    binary, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    passed = failed = 0
    for page in map(pathlib.Path, sys.argv[3:]):
        with tempfile.TemporaryDirectory() as folder:
            tools = pathlib.Path(folder, ".bin")
            tools.mkdir()
            tools.joinpath("foldstat").symlink_to(binary)
            pathlib.Path(folder, "fixtures").symlink_to(root / "fixtures")
            environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}",
                           "LC_ALL": "C.UTF-8", "HOME": folder}
            for command, expected in examples_of(page):
                got = run(command, folder, environment)
                if got == expected:
                    passed += 1
                    continue
                failed += 1
                print(f"{page.name}: {command}")
                print("\n".join(difflib.unified_diff(expected.splitlines(), got.splitlines(),
                                                     "page", "program", lineterm="")))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
