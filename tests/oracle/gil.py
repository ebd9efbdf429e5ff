#!/usr/bin/env python3
"""Compares `foldstat gil` with a calculation that shares nothing with it.

    gil.py FOLDSTAT FIXTURES RECORDED

Reads pairs of recordings with Python alone, works every figure of docs/STATISTICS.md out from its
definition, and demands what `foldstat gil --format json` prints: shares of ticks, intervals (Wilson's
by solving its equation, Clopper's and Pearson's by adding up binomial probabilities), rows, threads
with pools, and the verdict. The pairs are those of FIXTURES (dflash, and gil/X-gil.raw with
gil/X-all.raw) and, where there is such a folder, real ones of RECORDED, whose INDEX.tsv tells rate,
duration and errors. For each pair a table below says which verdict somebody gives who knows the
program. The last line is `N passed, N failed, N skipped`.

Exit codes: 0 all agree; 1 some do not; 2 usage.
"""
import csv
import json
import math
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

Z = 1.959963984540054

# What a reader says who knows the programs: fixtures/gil/README.md, fixtures/dflash/README.md; and for
# the recorded ones, a program in which two pool threads compute in Python all the time, so that the
# lock is nearly always held, while others hash, do I/O and wait for locks. Only where threads are
# named can the two be told apart.
FIXTURE_VERDICTS = {
    "contended": "contended", "bound": "GIL-bound", "pool": "contended", "mixed": "mixed",
    "sleepy": "mostly idle", "unknown": "unknown", "native": "mixed", "processes": "GIL-bound",
}
RECORDED_PAIRS = [
    ("pyspy__w1_threads_gil.raw", "pyspy__w1_threads.raw", "pyspy__w1_threads_idle.raw",
     "contended"),
    ("pyspy__w1_gil.raw", "pyspy__w1_default.raw", "pyspy__w1_idle.raw", "GIL-bound"),
    ("pyspy__w1_py3.10.13_cmpgil.raw", "pyspy__w1_py3.10.13_cmp.raw", None, "GIL-bound"),
    ("pyspy__w1_py3.13.0_cmpgil.raw", "pyspy__w1_py3.13.0_cmp.raw", None, "GIL-bound"),
    ("pyspy__w1_native_gil.raw", "pyspy__w1_native.raw", None, "GIL-bound"),
]

# ---- reading ----

PROCESS = re.compile(r'process \d+:".*?"(?=;| \d+$)')


def read(path):
    """Yields the frames and the count of each stack of a py-spy recording."""
    for line in path.read_text(encoding="utf-8").splitlines():
        stack, _, count = line.rpartition(" ")
        if not count.isdigit() or line.startswith(("py-spy> ", "# ")):
            continue
        frames = []
        while (led := PROCESS.match(line)) and line.startswith("process "):
            frames.append(led.group())
            line = line[led.end() + 1:]
        rest = line.rpartition(" ")[0]
        frames += rest.split(";") if rest else []
        yield frames or ["[no Python frames]"], int(count)


class Recording:
    """Sums of a recording."""

    def __init__(self, path, ticks):
        self.ticks = ticks
        self.total = 0
        self.leaves = defaultdict(int)
        self.roots = defaultdict(int)
        self.threads = defaultdict(int)
        self.processes = set()
        self.python = False
        for frames, count in read(path):
            self.add(frames, count)

    def add(self, frames, count):
        """Counts a stack."""
        self.total += count
        self.leaves[frames[-1]] += count
        thread = next((frame for frame in frames if frame.startswith("thread (")), None)
        self.threads[thread] += count
        self.processes.update(frame for frame in frames if frame.startswith("process "))
        code = [frame for frame in frames if not frame.startswith(("thread (", "process "))]
        self.python |= any(re.search(r"(\.py|<[^>]*>)(:\d+)?\)$", frame) for frame in code)
        self.roots[root_of(code)] += count


SCAFFOLDING = {"_bootstrap", "_bootstrap_inner", "thread_run", "clone3", "start_thread", "_start",
               "__libc_start_main", "Py_BytesMain", "pymain_main", "Py_RunMain"}


def root_of(code):
    """The function of the first frame that is no scaffolding."""
    for frame in code:
        name, _, place = frame.partition(" (")
        scaffold = (name in SCAFFOLDING or re.fullmatch("0x[0-9a-f]+", name)
                    or name == "run" and "threading.py" in place
                    or name in ("_worker", "run") and "concurrent/futures/thread.py" in place
                    or name == "_call_with_frames_removed")
        if not scaffold:
            return re.sub(r":\d+\)$", ")", frame)
    return code[-1] if code else "[no Python frames]"


# ---- intervals ----

def bisect(function, low, high):
    """Where a rising function is zero."""
    for _ in range(200):
        middle = (low + high) / 2
        if function(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def wilson(count, n):
    """The shares p at which count/n is Z standard deviations of a binomial with p away from p."""
    share = count / n
    distance = lambda p: (p - share) - Z * math.sqrt(p * (1 - p) / n)
    below = lambda p: (p - share) + Z * math.sqrt(p * (1 - p) / n)
    low = bisect(below, 0, share) if count > 0 else 0.0
    high = bisect(distance, share, 1) if count < n else 1.0
    return [low, high]


def log_chance(k, n, p):
    """log P(X = k) of a binomial."""
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
            + k * math.log(p) + (n - k) * math.log1p(-p))


def at_least(k, n, p):
    """P(X >= k)."""
    return math.fsum(math.exp(log_chance(i, n, p)) for i in range(k, n + 1))


def at_most(k, n, p):
    """P(X <= k)."""
    return math.fsum(math.exp(log_chance(i, n, p)) for i in range(k + 1))


def clopper_pearson(k, n):
    """The shares at which so many, or so few, are seen with a chance of 2.5 %."""
    tiny = 1e-15
    low = bisect(lambda p: at_least(k, n, p) - 0.025, tiny, 1 - tiny) if k > 0 else 0.0
    high = bisect(lambda p: 0.025 - at_most(k, n, p), tiny, 1 - tiny) if k < n else 1.0
    return [low, high]


# ---- figures ----

def occupancy_of(gil, processes):
    """h and its interval."""
    n = gil.ticks * processes
    if gil.total == 0:
        return 0.0, [0.0, 1 - 0.05 ** (1 / n)]
    h = gil.total / n
    return h, wilson(gil.total, n) if h <= 1 else None


def share_of(gil, everything, h, h_ci, processes):
    """q and its interval."""
    a = everything.total / everything.ticks
    q = gil.total / gil.ticks / a
    m = len({identity(frame) for frame in everything.threads if frame is not None})
    v = 1 / everything.total
    if m > 0:
        v = max(v, (m - a) / (a * everything.ticks))
    if gil.total == 0:
        return q, [0.0, h_ci[1] * processes / (a * math.exp(-Z * math.sqrt(v)))]
    if h > 1:
        return q, None
    s = math.sqrt((1 - h) / gil.total + v)
    return q, [q * math.exp(-Z * s), q * math.exp(Z * s)]


def row_of(name, gil, everything, known):
    """A row of frames as JSON has it."""
    g, t = gil.leaves.get(name, 0), everything.leaves.get(name, 0)
    low, high = clopper_pearson(g, g + t)
    scale = everything.ticks / gil.ticks
    low, high = low / (1 - low) * scale, (high / (1 - high) * scale if t > 0 else None)
    label = "holds the GIL" if low > 0.5 else "unclear"
    if high is not None and high < 0.5:
        label = "releases it"
    return {"name": name, "gil": g, "all": t, "held": g / gil.ticks,
            "active": t / everything.ticks,
            "ratio": g / gil.ticks / (t / everything.ticks) if t > 0 else None,
            "ratio_ci": [low, high], "label": label if known else None}


# ---- threads ----

def identity(frame):
    """The number in a thread frame."""
    return re.match(r"thread \((\w+)\)", frame).group(1) if frame else None


def thread_names(recording):
    """Yields name, number and sum of every thread frame; a late name counts for all of them."""
    late = {}
    for frame in recording.threads:
        named = re.match(r"thread \((\w+)\): (.+)", frame or "")
        if named:
            late.setdefault(named.group(1), named.group(2))
    for frame, total in recording.threads.items():
        yield late.get(identity(frame), frame or "[no thread]"), identity(frame), total


def pool_of(name):
    """The pool that a name belongs to, and whether it is one however few members it has."""
    default = re.fullmatch(r"(ThreadPoolExecutor-)\d+_\d+|(Thread-|Dummy-)\d+( \(.*)?", name)
    if default:
        return (default.group(1) or default.group(2)) + "*" + (default.group(3) or ""), True
    family = re.fullmatch(r"(.+[-_])\d+", name)
    if family and not name.startswith("thread ("):
        return family.group(1) + "*", False
    return None, False


def thread_rows(recordings):
    """Rows of threads: name to members and sums, and the largest member of the first recording."""
    entries = [(i, *entry) for i, recording in enumerate(recordings) if recording is not None
               for entry in thread_names(recording)]
    members = defaultdict(set)
    for side, name, number, _ in entries:
        members[pool_of(name)[0], side].add(number)
    rows = defaultdict(lambda: {"sums": [0, 0, 0], "ids": [defaultdict(int) for _ in range(3)]})
    for side, name, number, total in entries:
        pool, always = pool_of(name)
        many = pool and max(len(members[pool, i]) for i in range(3)) >= 8
        row = rows[pool if always or many else name]
        row["sums"][side] += total
        row["ids"][side][number] += total
    return rows


def sharers_of(gil, recordings):
    """How many threads, or roots, have a tenth of the lock each."""
    if set(gil.threads) <= {None}:
        return sum(total >= gil.total / 10 for total in gil.roots.values())
    count = 0
    for name, row in thread_rows(recordings).items():
        if name != "[no thread]":
            largest = max(row["ids"][0].values(), default=0)
            count += row["sums"][0] >= gil.total / 10
            count += row["sums"][0] - largest >= gil.total / 10
    return count


def verdict_of(gil, everything, recordings, h, processes):
    """The first rule that holds."""
    a = everything.total / everything.ticks / processes
    if gil.total == 0 and everything.python:
        return "unknown"
    if h >= 0.8:
        shared = processes == 1 and sharers_of(gil, recordings) >= 2
        return "contended" if shared else "GIL-bound"
    if a - h >= 1:
        return "native work without the GIL"
    return "mostly idle" if a < 0.3 else "mixed"


# ---- comparison ----

def differences(wanted, got, where=""):
    """Yields what differs, numbers beyond nine digits left alone."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            yield from differences(value, got.get(key), f"{where}.{key}")
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for i, value in enumerate(wanted):
            yield from differences(value, got[i], f"{where}[{i}]")
    elif isinstance(wanted, float) and isinstance(got, (int, float)):
        if not math.isclose(wanted, got, rel_tol=1e-9, abs_tol=1e-12):
            yield f"{where}: {got!r}, not {wanted!r}"
    elif wanted != got:
        yield f"{where}: {got!r}, not {wanted!r}"


def expectation(recordings, verdict):
    """What the JSON should hold."""
    gil, everything, idle = recordings
    processes = max(1, len(gil.processes), len(everything.processes))
    h, h_ci = occupancy_of(gil, processes)
    q, q_ci = share_of(gil, everything, h, h_ci, processes)
    computed = verdict_of(gil, everything, recordings, h, processes)
    assert computed == verdict, f"the rules give {computed}, a reader {verdict}"
    names = set(gil.leaves) | set(everything.leaves)
    names = sorted(names, key=lambda n: (-gil.leaves.get(n, 0), -everything.leaves.get(n, 0),
                                         n.encode()))
    threads = thread_rows(recordings)
    if set(threads) <= {"[no thread]"}:
        threads = {}
    order = sorted(threads, key=lambda n: ([-s for s in threads[n]["sums"]], n.encode()))
    a = everything.total / everything.ticks
    alive = idle.total / idle.ticks if idle else None
    return {
        "gil": {"samples": gil.total, "ticks": gil.ticks},
        "all": {"samples": everything.total, "ticks": everything.ticks},
        "processes": processes,
        "count_ratio": gil.total / everything.total,
        "occupancy": h, "occupancy_ci": h_ci, "active_threads": a,
        "gil_share": q, "gil_share_ci": q_ci,
        "alive_threads": alive, "blocked_threads": alive - a if idle else None,
        "verdict": verdict,
        "rows": [row_of(name, gil, everything, verdict != "unknown") for name in names],
        "threads": [{"name": name, "members": max(len(ids) for ids in threads[name]["ids"]),
                     "gil": threads[name]["sums"][0], "all": threads[name]["sums"][1],
                     "gil_share": threads[name]["sums"][0] / gil.total if gil.total else None}
                    for name in order],
    }


def run(binary, paths, ticks):
    """The JSON report of a pair, and perhaps a third recording."""
    command = [binary, "gil", "-q", "--format", "json", paths[0], paths[1]]
    for side, count in zip(("gil", "all", "idle"), ticks):
        if count is not None:
            command += [f"--{side}-ticks", str(count)]
    if paths[2] is not None:
        command += ["--idle", paths[2]]
    done = subprocess.run([str(word) for word in command], capture_output=True, check=True)
    return json.loads(done.stdout)


def pairs_of(fixtures, recorded):
    """Yields paths, ticks and the verdict of every pair."""
    yield ([fixtures / "dflash/gil.raw", fixtures / "dflash/all.raw", None],
           [49 * 30 - 1, 99 * 45 - 1, None], "native work without the GIL")
    for name, verdict in FIXTURE_VERDICTS.items():
        paths = [fixtures / f"gil/{name}-{side}.raw" for side in ("gil", "all", "idle")]
        idle = paths[2] if paths[2].exists() else None
        yield [*paths[:2], idle], [299, 299, 299 if idle else None], verdict
    if not recorded.is_dir():
        return
    with (recorded / "INDEX.tsv").open(encoding="utf-8") as file:
        index = {row["file"]: row for row in csv.DictReader(file, delimiter="\t")}
    for *names, verdict in RECORDED_PAIRS:
        rows = [index[name] if name else None for name in names]
        ticks = [int(row["rate_hz"]) * int(row["duration_s"]) - 1 - int(row["errors_said"])
                 if row else None for row in rows]
        yield [recorded / name if name else None for name in names], ticks, verdict


def main():
    """Compares every pair."""
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    passed = failed = 0
    recorded = Path(sys.argv[3])
    for paths, ticks, verdict in pairs_of(Path(sys.argv[2]), recorded):
        recordings = [Recording(path, count) if path else None
                      for path, count in zip(paths, ticks)]
        try:
            wanted = expectation(recordings, verdict)
            found = list(differences(wanted, run(sys.argv[1], paths, ticks)))
        except (AssertionError, subprocess.CalledProcessError) as error:
            found = [str(error)]
        for sentence in found[:10]:
            print(f"{paths[0].name}: {sentence}")
        failed += bool(found)
        passed += not found
    skipped = 0 if recorded.is_dir() else len(RECORDED_PAIRS)
    if skipped:
        print(f"skipped the recorded pairs: there is no {recorded}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
