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

# What the examples' files are. A name that is not here makes an example fail: add it.
FILES = {
    "all.raw": "dflash/all.raw", "gil.raw": "dflash/gil.raw", "idle.raw": "gil/contended-idle.raw",
    "before.raw": "dflash/all.raw", "after.raw": "dflash/gil.raw", "base.raw": "dflash/all.raw",
    "new.raw": "dflash/all.raw", "threads.raw": "pyspy/pools.raw",
}
COMPRESSED = {"host1.raw.gz": "dflash/all.raw", "host2.raw.gz": "dflash/gil.raw"}
ELSEWHERE = ("py-spy ", "ssh ", "perf ")  # of other programs and machines
FOUND = {"check": (0, 1), "diff": (0, 1)}  # exit codes that are an answer


def lay_out(folder, root, binary):
    """Fills a folder with what the examples name."""
    for name, source in FILES.items():
        if (root / "fixtures" / source).exists():
            shutil.copy(root / "fixtures" / source, folder / name)
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
        here = [example for example in examples or [] if not example.startswith(ELSEWHERE)]
        if not here:
            failed += 1
            print(f"help {command}: the page does not begin with its usage and examples to run")
        for example in here:
            with tempfile.TemporaryDirectory() as base:
                folder = pathlib.Path(base)
                lay_out(folder, root, binary)
                complaint = complaint_of(command, example, folder)
            passed += complaint is None
            if complaint is not None:
                failed += 1
                print(f"help {command}: {example}\n    {complaint}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
