"""Asks real shells what they would complete.

Each class starts one shell that has loaded a completion script, and answers `ask(line)` with the set of
words that Tab offers at the end of that line. They run in a folder of the caller's, with no files of the
user's own. `available(name)` says whether the shell is installed.
"""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time

BEGIN, END = "\x1c", "\x1d"  # around what the stand-in for foldstat prints
SECONDS = 20


def available(name):
    """Whether there is a shell of that name."""
    return shutil.which(name) is not None


class Interactive:
    """A shell on a terminal of its own. A key inserts every completion into the line; a function in
    place of foldstat then prints the arguments that the line has."""

    def __init__(self, command, setup, folder):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "dumb",
                           "LC_ALL": "C.UTF-8"}
            os.execvpe(command[0], command, environment)
        self.seen = ""
        for line in setup:
            self._send(line + "\n")
        self._send("foldstat ready\n")
        self._answer()

    def ask(self, line):
        """The words that would be offered behind the line's last blank or \"=\"."""
        self._send(line + "\x1b*\n")
        words = self._answer()
        fixed = line.split()[1:]
        if not line.endswith(" "):
            typed = fixed.pop()
            if "=" in typed:
                option, typed = typed.split("=", 1)
                words = [word.removeprefix(option + "=") for word in words]
            if words[len(fixed):] == [typed]:
                words = fixed  # nothing was inserted, unless it is complete as it is
        assert words[:len(fixed)] == fixed, (line, words)
        return {word.rstrip("/") for word in words[len(fixed):]}

    def close(self):
        """Ends the shell."""
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.terminal)

    def _send(self, text):
        os.write(self.terminal, text.encode())

    def _answer(self):
        """The arguments that foldstat's stand-in printed."""
        deadline = time.monotonic() + SECONDS
        while END not in self.seen:
            ready, _, _ = select.select([self.terminal], [], [], deadline - time.monotonic())
            assert ready, f"no answer within {SECONDS} s; the terminal shows {self.seen!r}"
            self.seen += os.read(self.terminal, 65536).decode("utf-8", "replace")
        shown, self.seen = self.seen.split(END, 1)
        return re.split("\x1f", shown.rsplit(BEGIN, 1)[1])[:-1]


STAND_IN = r"""foldstat() { printf '\034'; printf '%s\037' "$@"; printf '\035\n'; }"""


def bash(script, folder):
    """bash with the script sourced."""
    return Interactive(["bash", "--norc", "--noprofile", "-i"],
                       ["PS1=", "stty -echo", f". '{script}'", STAND_IN,
                        "bind 'set completion-query-items 0'", "bind '\"\\e*\": insert-completions'"],
                       folder)


def zsh(script, folder):
    """zsh with the script where it looks for functions."""
    functions = folder / ".zfunc"
    functions.mkdir(exist_ok=True)
    shutil.copy(script, functions / "_foldstat")
    return Interactive(["zsh", "-f", "-i"],
                       ["PROMPT=", "stty -echo", "unsetopt zle_bracketed_paste 2>/dev/null; unset zle_bracketed_paste",
                        f"fpath=('{functions}' $fpath)", "autoload -U compinit; compinit -u -D",
                        "zstyle ':completion:every::::' completer _all_matches _complete",
                        "zstyle ':completion:every:*' insert true",
                        "zle -C every complete-word _generic", "bindkey '\\e*' every", STAND_IN],
                       folder)


class Fish:
    """fish, which completes a line on request. It starts anew for every question."""

    def __init__(self, script, folder):
        self.script, self.folder = script, folder

    def ask(self, line):
        """The words that would be offered."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(["fish", "--no-config", "-c", f"source '{self.script}'; complete -C $argv[1]",
                               line], cwd=self.folder, env=environment, check=True,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert done.stderr == "", done.stderr
        words = {row.split("\t")[0] for row in done.stdout.splitlines()}
        prefix = line.split()[-1].split("=")[0] + "="
        if "=" in line.split()[-1]:
            words = {word.removeprefix(prefix) for word in words}
        return {word.rstrip("/") for word in words}

    def close(self):
        """Nothing runs."""


SHELLS = {"bash": bash, "zsh": zsh, "fish": Fish}
