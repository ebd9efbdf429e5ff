#!/usr/bin/env python3
"""Checks the man pages against the help pages.

    check.py FOLDSTAT SOURCES PAGES

Every command that `foldstat --help` lists has a source docs/man/foldstat-COMMAND.1.scd, and a page was made of
it that mandoc's checks find nothing in, with the command's usage, examples and options as its help page
has them: none less, none more. Exit status: 0; 1 on a difference; 77 where scdoc made no pages or mandoc is
not installed (sources are looked for all the same). Ends with the line `N passed, N failed`.
"""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "completion"))
import check as help_pages  # noqa: E402 (reads commands and options from help pages)


def text_of(page):
    """The page as plain text, in lines of any length."""
    done = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=1000", str(page)], check=True,
                          capture_output=True, text=True)
    return re.sub(".\b", "", done.stdout)


def section(text, title):
    """The lines of a section."""
    return re.search(rf"^{title}\n((?:(?:  .*)?\n)*)", text, re.MULTILINE)[1]


def complaints_of(binary, command, page):
    """What is wrong with the page of a command."""
    lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(page)], capture_output=True,
                          text=True, check=False)
    if lint.stdout:
        yield lint.stdout
    text = text_of(page)
    if f"{page.stem} - " not in section(text, "NAME"):
        yield "its name is not under NAME"
    if command is None:
        return
    told = set()
    for line in section(text, "OPTIONS").splitlines():
        head = re.match(r" +(?:-\w, )?(--[a-z0-9-]+)(?:=|$)", line)
        told |= {head[1]} if head else set(re.findall(r"--[a-z0-9-]+", line)
                                           if "Of one recording:" in line else [])
    listed = set(help_pages.options_of(binary, command))
    if told != listed:
        yield f"options only of the page {sorted(told - listed)}, only of help {sorted(listed - told)}"
    examples = section(help_pages.run(binary, command, "--help")[0], "Examples:")
    squeezed = " ".join(section(text, "EXAMPLES").split())
    for line in examples.splitlines():
        if " ".join(line.split()) not in squeezed:
            yield f"lacks the example {line.strip()}"


def main():
    """Checks every page."""
    binary, sources, pages = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    commands = help_pages.commands_of(binary)
    wanted = {f"foldstat-{command}.1": command for command in sorted(commands)} | {"foldstat.1": None}
    there = {path.stem for path in sources.glob("*.scd")}
    passed = failed = 0
    skipped = not pages.is_dir() or shutil.which("mandoc") is None
    for name, command in wanted.items():
        if name not in there:
            complaints = [f"docs/man/{name}.scd is missing"]
        else:
            complaints = [] if skipped else list(complaints_of(binary, command, pages / name))
        failed += bool(complaints)
        passed += not complaints
        for complaint in complaints:
            print(f"{name}: {complaint}")
    for name in sorted(there - set(wanted)):
        failed += 1
        print(f"{name}: there is no such command")
    print(f"{passed} passed, {failed} failed")
    if skipped and not failed:
        print("skipped: the pages themselves, which scdoc and mandoc are needed for")
        return 77
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
