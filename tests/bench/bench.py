"""What tests/bench/run and tests/bench/compare share: corpora, timings, and how they are told.

Two commands are compared by hyperfine calls that run each of them once, one right after the other and
in turns first, so that whatever else the machine does hits both alike. The ratio of their times is
taken in every call, and the median of the ratios is what counts.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = PROJECT / "tests/bench/corpus.c"
CACHE = PROJECT / "build/bench"
RELEASE = PROJECT / "build/release/foldstat"
CORPORA = ("py", "sorted", "log", "cpp", "short")

EXIT_WRONG, EXIT_USAGE, EXIT_SKIPPED = 1, 2, 77
RESERVE = 1e9  # bytes of the disk that stay free

# What a program prints of the samples that it counted.
TOTAL = re.compile(rb"^TOTAL ([0-9]+)$|([0-9,]+) samples on [0-9,]+ lines|all \(([0-9,]+) samples, 100%\)",
                   re.MULTILINE)


class Failure(Exception):
    """Something that ends the program, with its exit code."""

    def __init__(self, message, code=EXIT_USAGE):
        super().__init__(message)
        self.code = code


class NoRoom(Failure):
    """The disk is too full for a corpus."""


def run_main(main):
    """Run a program's main(); what it cannot do is one line and an exit code."""
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"{Path(sys.argv[0]).name}: {failure}", file=sys.stderr)
        sys.exit(failure.code)
    except KeyboardInterrupt:
        sys.exit(130)


def say(message):
    print(message, file=sys.stderr, flush=True)


# ---- command line ----


def add_options(parser, size, runs):
    parser.add_argument("--size", type=float, default=size, metavar="BYTES",
                        help="size of a corpus (default %(default)g)")
    parser.add_argument("--runs", type=int, default=runs, metavar="N",
                        help="pairs of runs of each command (default %(default)s)")
    parser.add_argument("--corpora", metavar="KIND,...",
                        help=f"which corpora (default {','.join(CORPORA)})")
    parser.add_argument("--cache", type=Path, default=CACHE, metavar="DIR",
                        help="where the corpora are kept (default build/bench)")


def check_options(parser, args):
    args.corpora = args.corpora.split(",") if args.corpora else CORPORA
    unknown = [kind for kind in args.corpora if kind not in CORPORA]
    if unknown:
        parser.error(f"--corpora: expected some of {','.join(CORPORA)}, found \"{unknown[0]}\"")
    if args.size < 1 or args.runs < 1:
        parser.error("--size and --runs must be 1 or more")


def need_hyperfine():
    if not shutil.which("hyperfine"):
        raise Failure("hyperfine is not installed", EXIT_SKIPPED)


# ---- corpora ----


class Corpora:
    """Synthetic profiles in a folder, made where they are missing."""

    def __init__(self, folder, generator):
        self.folder, self.generator = folder.resolve(), generator
        if not generator.is_file():
            raise Failure(f"{generator}: no program there; build the preset release")
        self.folder.mkdir(parents=True, exist_ok=True)
        self.forget_others()

    def forget_others(self):
        """Remove the corpora that an earlier generator made."""
        stamp, digest = self.folder / "generator", hashlib.sha256(SOURCE.read_bytes()).hexdigest()
        if stamp.exists() and stamp.read_text() == digest:
            return
        for kind in CORPORA:
            for old in self.folder.glob(f"{kind}-[0-9]*.txt*"):
                old.unlink()
        stamp.write_text(digest)

    def has_room(self, size):
        return shutil.disk_usage(self.folder).free > size + RESERVE

    def make(self, path, size, command):
        """Make a file with a command, whole or not at all."""
        if path.exists():
            return path
        if not self.has_room(size):
            raise NoRoom(f"{path.name}: no room for it in {self.folder}")
        say(f"making {path.name}")
        unfinished = path.with_name(f"unfinished-{os.getpid()}")
        try:
            with unfinished.open("wb") as out:
                bash(command, stdout=out)
            unfinished.rename(path)
        finally:
            unfinished.unlink(missing_ok=True)
        return path

    def text(self, kind, size):
        path = self.folder / f"{kind}-{size:.0f}.txt"
        generate = f"{quote(self.generator)} {{}} {size:.0f}"
        if kind == "sorted":
            sort = f"LC_ALL=C sort -T {quote(self.folder)}"
            return self.make(path, 3 * size, f"{generate.format('py')} | {sort}")
        return self.make(path, size, generate.format(kind))

    def compressed(self, text, suffix, command):
        """The file beside its text that `command` makes of it."""
        path = text.with_name(text.name + suffix)
        return self.make(path, text.stat().st_size / 2, f"{command} {quote(text)}")


# ---- running ----


def quote(word):
    return shlex.quote(str(word))


def bash(command, **options):
    """Run a command that must succeed in all parts of its pipe."""
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], stdin=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False, **options)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()
        raise Failure(f"{command}: exit code {done.returncode}\n{said}".rstrip(), EXIT_WRONG)
    return done


def output_of(command):
    return bash(command, stdout=subprocess.PIPE).stdout


def hyperfine(commands, runs=1, warmup=0):
    """Return the seconds of each run of each command."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        words = ["hyperfine", "-N", "--style", "none", "-r", str(runs), "-w", str(warmup),
                 "--export-json", report.name]
        words += [f"sh -c {quote(command)}" if "|" in command else command for command in commands]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode != 0:
            raise Failure(done.stderr.decode(errors="replace").strip(), EXIT_WRONG)
        return [result["times"] for result in json.load(report)["results"]]


class Pairing:
    """Times of a reference and of a command, taken in pairs."""

    def __init__(self, reference, command):
        self.commands = [reference, command]
        self.reference_seconds, self.seconds, self.ratios = [], [], []

    def add_run(self):
        in_order = len(self.seconds) % 2 == 0
        times = hyperfine(self.commands if in_order else self.commands[::-1])
        (reference,), (command,) = times if in_order else times[::-1]
        self.reference_seconds.append(reference)
        self.seconds.append(command)
        self.ratios.append(reference / command)

    def ratio(self):
        """The reference's time as a multiple of the command's: its relative speed."""
        return statistics.median(self.ratios)

    def spread(self):
        return f"{rounded(min(self.ratios))} to {rounded(max(self.ratios))}"

    def reference_time(self):
        return statistics.median(self.reference_seconds)

    def time(self):
        return statistics.median(self.seconds)


def measure(pairings, runs):
    """Run all pairs once, then all again, so that a noisy minute does not hit one of them alone."""
    for _ in range(runs):
        for pairing in pairings:
            pairing.add_run()


# ---- telling ----


def total_told(output):
    """How many samples a program says that it counted, or None."""
    match = TOTAL.search(output)
    return int(next(filter(None, match.groups())).replace(b",", b"")) if match else None


def rounded(ratio):
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"


def human(size):
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
        if size >= unit:
            return f"{size / unit:g} {name}"
    return f"{size:g} bytes"


def table(heading, rows):
    """Print a table in Markdown."""
    rows = [[str(cell) for cell in row] for row in [heading, *rows]]
    widths = [max(map(len, column)) for column in zip(*rows)]
    rows.insert(1, ["-" * width for width in widths])
    for row in rows:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
    print(flush=True)


def describe_machine():
    """Print what the figures depend on."""
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{len(os.sched_getaffinity(0))} usable cores, {model}; load {load}")


def describe_binary(name, binary):
    lines = output_of(f"{quote(binary)} --version").decode().splitlines()
    print(f"{name}: {lines[0]}, {lines[-1]}", flush=True)
