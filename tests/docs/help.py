#!/usr/bin/env python3
"""Runs the examples of every help page.

    help.py FOLDSTAT ROOT

Every command that `foldstat --help` lists, and every other topic of help, has a page that begins with its usage and
then examples. Each example that needs foldstat alone is run with bash, in a folder where the names that examples use
are fixtures: it must end well and say something. Examples that record, or that reach another machine, are not run, but
every page has one that is. Exit status: 0; 1 on a failure. Ends with the line `N passed, N failed`.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "completion"))
import check as help_pages  # noqa: E402 (reads commands and options from help pages)

# What the examples' files are; below, what they are for one command. A name that is not here makes an example
# fail: add it.
FILES = {
    "all.raw": "dflash/all.raw", "gil.raw": "dflash/gil.raw", "threads.raw": "pyspy/pools.raw",
    "before.raw": "diff/before-1.raw", "after.raw": "diff/after-1.raw",
    "base.raw": "diff/before-1.raw", "new.raw": "diff/after-1.raw",
    **{f"{side[0]}{i}.raw": f"diff/{side}-{i}.raw" for side in ("before", "after") for i in range(1, 5)},
    **{f"n{i}.raw": f"diff/after-{i}.raw" for i in range(1, 5)},
    "a.raw": "dflash/gil.raw", "b.raw": "dflash/all.raw", "flame.svg": "svg/pyspy-icicle.svg",
}
OF_COMMAND = {"gil": {name: f"gil/contended-{name}" for name in ("gil.raw", "all.raw", "idle.raw")}}
TEXTS = {"budget.txt": "max-increase 2pp\nmax-self parse=5%\n"}
COMPRESSED = {"host1.raw.gz": "dflash/all.raw", "host2.raw.gz": "dflash/gil.raw"}
ELSEWHERE = ("py-spy ", "ssh ", "perf ", "flamegraph.pl ")  # of other programs and machines
FOUND = {"check": (0, 1), "diff": (0, 1)}  # exit codes that are an answer


def lay_out(folder, root, binary, command):
    """Fills a folder with what the examples of the command name."""
    for name, source in {**FILES, **OF_COMMAND.get(command, {})}.items():
        shutil.copy(root / "fixtures" / source, folder / name)
    for name, text in TEXTS.items():
        folder.joinpath(name).write_text(text, encoding="utf-8")
    for name, source in COMPRESSED.items():
        data = subprocess.run(["gzip", "-c", root / "fixtures" / source], check=True,
                              stdout=subprocess.PIPE).stdout
        folder.joinpath(name).write_bytes(data)
    for place in (".bin", ".zfunc", ".config/fish/completions"):
        folder.joinpath(place).mkdir(parents=True)
    folder.joinpath(".bin/foldstat").symlink_to(binary)


def examples_of(page):
    """The commands of a page's examples, without the words that explain them."""
    listed = page.split("\n\n")[1]
    if not page.startswith("Usage: ") or not listed.startswith("Examples:\n"):
        return None
    return [re.split(r" {2,}", line.strip())[0] for line in listed.splitlines()[1:]]


def is_elsewhere(example):
    """Whether one of the commands of the pipe is."""
    return any(part.startswith(ELSEWHERE) for part in example.split(" | "))


def complaint_of(command, example, folder):
    """Why an example does not hold; None where it does."""
    environment = {**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8",
                   "PATH": f"{folder}/.bin:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-o", "pipefail", "-c", example], cwd=folder, env=environment,
                          check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    if done.returncode not in FOUND.get(command, (0,)):
        return f"exit {done.returncode}: {done.stderr.decode('utf-8', 'replace')}"
    silent = not done.stdout and not re.search(r"[>]|source| -o|--output", example)
    return "it says nothing" if silent else None


def main():
    """Runs all examples of all pages."""
    binary, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    passed = failed = 0
    for command in sorted(help_pages.commands_of(str(binary))) + ["completion"]:
        examples = examples_of(help_pages.run(str(binary), "help", command)[0])
        here = [example for example in examples or [] if not is_elsewhere(example)]
        if not here:
            failed += 1
            print(f"help {command}: the page does not begin with its usage and examples to run")
        for example in here:
            with tempfile.TemporaryDirectory() as base:
                folder = pathlib.Path(base)
                lay_out(folder, root, binary, command)
                complaint = complaint_of(command, example, folder)
            passed += complaint is None
            if complaint is not None:
                failed += 1
                print(f"help {command}: {example}\n    {complaint}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
