#!/usr/bin/env python3
"""Runs a command in a pseudo-terminal and prints every byte that reached it.

    in_terminal.py [--columns N] [--term NAME] [--only stdout|stderr] [--stdin] [--type TEXT --after S] COMMAND...

--only attaches one of the two streams to the terminal and lets the other through; --stdin attaches
standard input too (else it is this program's). --type sends TEXT to the terminal S seconds after the
start, as a person would ("\\x03" is Ctrl-C). The line discipline's "\\r\\n" is shown as "\\n". Exits
with the command's status, 128 + N if signal N ended it, as a shell would say.
"""
import argparse
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time


def parse():
    """Reads the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--columns", type=int, default=80)
    parser.add_argument("--term", default="xterm-256color")
    parser.add_argument("--only", choices=["stdout", "stderr"])
    parser.add_argument("--stdin", action="store_true")
    parser.add_argument("--type", default="")
    parser.add_argument("--after", type=float, default=0.0)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser.parse_args()


def start(options, slave):
    """Starts the command with the chosen streams on the terminal."""
    def attach(name):
        return slave if options.only in (None, name) else None

    def own_session():
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    return subprocess.Popen(options.command, stdin=slave if options.stdin else None,
                            stdout=attach("stdout"), stderr=attach("stderr"),
                            env={**os.environ, "TERM": options.term}, preexec_fn=own_session)


def collect(process, master, options):
    """Reads the terminal until the command has ended and nothing is left; returns the bytes."""
    seen = bytearray()
    begun = time.monotonic()
    keys = options.type.encode().decode("unicode_escape").encode("latin-1")
    while True:
        if keys and time.monotonic() - begun >= options.after:
            os.write(master, keys)
            keys = b""
        ended = process.poll() is not None
        if select.select([master], [], [], 0 if ended else 0.02)[0]:
            seen += os.read(master, 65536)
        elif ended:
            return bytes(seen)


def main():
    """Runs the command and shows what the terminal got."""
    options = parse()
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, options.columns, 0, 0))
    process = start(options, slave)
    shown = collect(process, master, options)
    sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
    sys.stdout.flush()
    code = process.returncode
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
