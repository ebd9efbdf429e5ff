#!/usr/bin/env python3
"""Completes in a real shell and compares with what the program says of itself.

    check.py FOLDSTAT SHELL

For every command that `foldstat --help` lists, the options that Tab offers are those that the command's
help lists; the words that Tab offers behind an option are those that the program asks for where it gets
another; and a few lines that people type. Exit status: 0; 1 on a difference; 77 where the shell is not
installed. Ends with the line `N passed, N failed`.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import shells

FILES = {"all.raw", "gil.raw", "my file.raw", "sub"}
TOPICS = {"help", "completion"}
ROWS = ("frame", "function", "line", "file", "module", "thread", "process", "category", "stack")
# An entry of a help page: the option's names, and its text with the lines that belong to it.
ENTRY = re.compile(r"^  (-\w(?:, --\S+)?|    --\S+)((?: .*)?\n(?: {20,}.*\n)*)", re.MULTILINE)
FREE = "\x01"  # a value that no option takes as a word


def run(binary, *arguments):
    """Standard output and error."""
    done = subprocess.run([binary, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    return done.stdout, done.stderr


def commands_of(binary):
    """The commands that the help page lists."""
    listed = run(binary, "--help")[0].split("\nCommands:\n", 1)[1].split("\n\n", 1)[0]
    return {line.split()[0] for line in listed.splitlines()} - TOPICS


def options_of(binary, command):
    """The command's options, and whether each has a value: name to argument, or to None."""
    options = {}
    for head, text in ENTRY.findall(run(binary, command, "-h")[0]):
        name, argument = re.fullmatch(r"(?: {4}|-\w, |-)(--[a-z0-9-]+|\w)(?:=(\S+))?", head).groups()
        if name.startswith("--"):
            options[name] = argument
        for side in re.findall(r"--[a-z0-9-]+", text.partition("of one recording:")[2]):
            options[side] = argument
    return options


def words_of(binary, command, option):
    """The words that the program asks for behind the option; none where it wants something else."""
    asked = re.search(r": expected (.*), found ", run(binary, command, f"{option}={FREE}")[1])
    words = re.split(r", | or ", asked[1]) if asked else []
    return {word for word in words if re.fullmatch(r"[a-z0-9-]+", word)}


def lines(commands):
    """Lines that people type, with what should be offered."""
    first = commands | TOPICS | FILES
    yield "foldstat ", first
    yield "foldstat -n 3 ", first
    yield "foldstat --by thread al", {"all.raw"}
    yield "foldstat gi", {"gil", "gil.raw"}
    yield "foldstat --by gil --format pl", {"plain"}  # gil is a value here, no command
    yield "foldstat gil --format pl", set()
    yield "foldstat all.raw ", FILES
    yield "foldstat -- ", FILES
    yield "foldstat top all.raw --by=fu", {"function"}
    yield "foldstat --by thread,cat", {"thread,category"}
    yield "foldstat top all.raw --by=thread,fu", {"thread,function"}
    yield "foldstat gil --by file,", {f"file,{word}" for word in ROWS if word != "file"}
    yield "foldstat --by thread,line,", set()
    yield "foldstat tree --by file,", set()
    yield "foldstat -r ", set()
    yield "foldstat --categories ", FILES
    yield "foldstat --categories=my", {"my file.raw"}
    yield "foldstat --idle ", {"include", "exclude"}
    yield "foldstat gil --idle ", FILES
    yield "foldstat help ", commands | TOPICS | {"categories"}
    yield "foldstat help gil ", set()
    yield "foldstat completion ", {"bash", "zsh", "fish"}
    yield "foldstat completion bash ", set()
    yield "foldstat nothing-like-it", set()


def questions(binary):
    """Every line, with what should be offered behind it."""
    commands = commands_of(binary)
    yield from lines(commands)
    for command in sorted(commands):
        options = options_of(binary, command)
        yield f"foldstat {command} --", set(options)
        for option, argument in options.items():
            words = words_of(binary, command, option) if argument else set()
            if words:
                yield f"foldstat {command} {option} ", words


def main():
    """Asks one shell everything."""
    binary, name = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2]
    if not shells.available(name):
        print(f"skipped: {name} is not installed")
        return 77
    passed = failed = 0
    with tempfile.TemporaryDirectory() as base:
        folder = pathlib.Path(base, "work")
        folder.mkdir()
        for file in FILES - {"sub"}:
            folder.joinpath(file).touch()
        folder.joinpath("sub").mkdir()
        script = pathlib.Path(base, "script")
        script.write_text(run(binary, "completion", name)[0], encoding="utf-8")
        shell = shells.SHELLS[name](script, folder)
        for line, wanted in questions(binary):
            got = shell.ask(line)
            passed += got == wanted
            if got != wanted:
                failed += 1
                print(f"{line!r}: offered but not wanted {sorted(got - wanted)}, "
                      f"wanted but not offered {sorted(wanted - got)}")
        shell.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
