#!/usr/bin/env python3
"""Compares `foldstat diff` with a calculation that shares nothing with it.

    diff.py FOLDSTAT FIXTURES RECORDED

Reads py-spy recordings with Python alone, works every figure of docs/STATISTICS.md out from its
definition, and demands what `foldstat diff --format json` prints: counts by function, shares,
differences, Newcombe's intervals (from Wilson's, by solving its equation), Fisher's test by adding up
tables, Benjamini's and Hochberg's q by their definition; with several recordings a side all
arrangements, and Student's t by integrating its density. The pairs are those of FIXTURES and, where
there is such a folder, real ones of RECORDED. The last line is `N passed, N failed, N skipped`.

Exit codes: 0 all agree; 1 some do not; 2 usage.
"""
import itertools
import json
import math
import re
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

Z = 1.959963984540054
RECORDED_PAIRS = [
    ("pyspy__w1_rate10.raw", "pyspy__w1_default.raw"),
    ("pyspy__w1_default.raw", "pyspy__w1_function.raw"),
    ("pyspy__w1_py3.10.13.raw", "pyspy__w1_py3.12.1.raw"),
    ("pyspy__w5_default.raw", "pyspy__w8_deep.raw"),
]

# ---- reading ----


def function_of(frame):
    """A frame without its line; generated names, threads' numbers and pools have one name."""
    if frame.startswith("thread ("):
        frame = re.sub(r"^thread \(\w+\)", "thread (*)", frame)
        return re.sub(r"ThreadPoolExecutor-\d+_\d+$", "ThreadPoolExecutor-*", frame)
    frame = re.sub(r"\(c[a-z2-7]{51}\.py", "(<inductor>.py", frame)
    frame = re.sub(r"^(torch_dynamo_resume_in_\w+_at)_\d+ ", r"\1_* ", frame)
    return re.sub(r":-?\d+\)$", ")", frame)


def read(path):
    """Self and total counts by function, and their sum, of a recording without process frames."""
    self_counts, totals, whole = defaultdict(int), defaultdict(int), 0
    for line in path.read_text(encoding="utf-8").splitlines():
        stack, _, count = line.rpartition(" ")
        if not count.isdigit() or line.startswith(("py-spy> ", "# ")):
            continue
        frames = [function_of(f) for f in stack.split(";")] if stack else ["[no Python frames]"]
        whole += int(count)
        self_counts[frames[-1]] += int(count)
        for frame in set(frames):
            totals[frame] += int(count)
    return {"self": self_counts, "total": totals, "whole": whole}


# ---- distributions ----


def bisect(function, low, high):
    """Where a rising function is zero."""
    for _ in range(70):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2


def wilson(share, n):
    """The shares that are Z standard deviations away."""
    def off(p, sign):
        return (p - share) + sign * Z * math.sqrt(p * (1 - p) / n)
    low = bisect(lambda p: off(p, 1), 0, share) if share > 0 else 0.0
    high = bisect(lambda p: off(p, -1), share, 1) if share < 1 else 1.0
    return low, high


def newcombe(p1, n1, p2, n2):
    """The interval of p2 - p1."""
    (l1, u1), (l2, u2) = wilson(p1, n1), wilson(p2, n2)
    return [p2 - p1 - math.sqrt((p2 - l2) ** 2 + (u1 - p1) ** 2),
            p2 - p1 + math.sqrt((u2 - p2) ** 2 + (p1 - l1) ** 2)]


def log_choose(n, k):
    """log of n over k."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def two_shares(k1, n1, k2, n2):
    """Fisher's exact test, or the z-test where the rarer outcome is not rare."""
    k, n = k1 + k2, n1 + n2
    if k <= 1:
        return 1.0
    if min(k, n - k) < 1000:
        logs = {x: log_choose(n1, x) + log_choose(n2, k - x) - log_choose(n, k)
                for x in range(max(0, k - n2), min(k, n1) + 1)}
        return min(1.0, math.fsum(math.exp(v) for v in logs.values() if v <= logs[k1] + 1e-7))
    p = k / n
    z = (k2 / n2 - k1 / n1) / math.sqrt(p * (1 - p) * (1 / n1 + 1 / n2))
    return math.erfc(abs(z) / math.sqrt(2))


def student_p(t, df):
    """Both tails of Student's t, by Simpson's rule over atan."""
    steps = 600
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)
    low, high = math.atan(abs(t) / math.sqrt(df)), math.pi / 2
    width = (high - low) / steps
    values = [max(0.0, math.cos(low + i * width)) ** (df - 1) for i in range(steps + 1)]
    inner = math.fsum((4 if i % 2 else 2) * v for i, v in enumerate(values[1:-1], 1))
    return min(1.0, 2 * scale * width / 3 * (values[0] + inner + values[-1]))


def trigamma(x):
    """The second derivative of log gamma, by its sum and the rest's integral."""
    terms = 2000
    rest = x + terms
    return math.fsum(1 / (x + i) ** 2 for i in range(terms)) + 1 / rest + 1 / (2 * rest ** 2)


def q_values(p):
    """By definition: the least p_j * m / rank_j among all that are no smaller."""
    order = sorted(p, key=lambda name: (p[name], name))
    values = [p[name] * len(order) / (i + 1) for i, name in enumerate(order)]
    return {name: min(1.0, min(values[i:])) for i, name in enumerate(order)}


# ---- one recording a side ----


def compare_two(before, after, on):
    """Figures of every row."""
    names = [n for n in before["total"].keys() | after["total"].keys()
             if before[on][n] or after[on][n]]
    n1, n2 = before["whole"], after["whole"]
    p = {n: two_shares(before[on][n], n1, after[on][n], n2) for n in names}
    q = q_values(p)
    return {n: {"delta": after[on][n] / n2 - before[on][n] / n1,
                "ci": newcombe(before[on][n] / n1, n1, after[on][n] / n2, n2),
                "p": p[n], "q": q[n]} for n in names}


# ---- several recordings a side ----


def squares(values):
    """Around their mean."""
    return math.fsum((v - statistics.fmean(values)) ** 2 for v in values)


def prior_of(rows, weight, df, variance_of):
    """The extra variance in proportion to the share, and its degrees of freedom."""
    median = (1 - 2 / (9 * df)) ** 3
    telling = [r for r in rows if r["noise"] > 0 and r["mean"] / weight >= 20]
    excess = sorted(((variance_of(r) / median - r["noise"] * weight) / r["noise"] ** 2,
                     r["mean"] / weight) for r in telling)
    half, so_far, extra = math.fsum(e[1] for e in excess) / 2, 0.0, 0.0
    for value, samples in excess:
        so_far += samples
        extra = max(0.0, value)
        if so_far >= half:
            break
    logs = [math.log(variance_of(r) / (r["noise"] * weight + extra * r["noise"] ** 2))
            for r in telling if variance_of(r) > 0]
    if len(logs) < 10:
        return extra, 4.0
    beyond = statistics.variance(logs) - trigamma(df / 2)
    if beyond <= 0:
        return extra, 20.0
    d0 = 2 * bisect(lambda x: beyond - trigamma(x), 1e-3, 1e6)
    return extra, min(20.0, max(1.0, d0))


def rows_of(before, after, on):
    """Shares of every row in every recording."""
    everything = before + after
    names = {n for r in everything for n in r["total"]}
    for name in sorted(names):
        values = [r[on][name] / r["whole"] for r in everything]
        if any(values):
            mean = statistics.fmean(values)
            yield {"name": name, "values": values, "mean": mean, "noise": mean * (1 - mean),
                   "count": sum(r[on][name] for r in everything)}


def compare_several(before, after, on):
    """Figures of every row: by dispersion, or from four a side by permutation."""
    m1, m2 = len(before), len(after)
    rows = list(rows_of(before, after, on))
    weights = [1 / r["whole"] for r in before + after]
    weight, df = statistics.fmean(weights), m1 + m2 - 2
    permuted = m1 >= 4 and m2 >= 4

    def within(r):
        return squares(r["values"][:m1]) + squares(r["values"][m1:])
    extra, d0 = (prior_of(rows, weight, df + 1, lambda r: squares(r["values"]) / (df + 1))
                 if permuted else prior_of(rows, weight, df, lambda r: within(r) / df))
    out = {}
    for r in rows:
        r["expected"] = r["noise"] * weight + extra * r["noise"] ** 2
        delta = statistics.fmean(r["values"][m1:]) - statistics.fmean(r["values"][:m1])
        variance = (within(r) + d0 * r["expected"]) / (df + d0)
        error = math.sqrt(variance * (1 / m1 + 1 / m2))
        if not permuted:
            least = sum(w / (m1 if i < m1 else m2) ** 2 for i, w in enumerate(weights))
            error = max(error, math.sqrt(r["noise"] * least))
        out[r["name"]] = {"delta": delta, "error": error, "df": df + d0, "p": 1.0, "q": 1.0}
    varying = [r for r in rows if r["noise"] > 0]
    if permuted:
        permute(varying, m1, m2, d0, out)
    else:
        n1, n2 = sum(r["whole"] for r in before), sum(r["whole"] for r in after)
        for r in varying:
            figures = out[r["name"]]
            means = (statistics.fmean(r["values"][:m1]), statistics.fmean(r["values"][m1:]))
            pooled = two_shares(round(means[0] * n1), n1, round(means[1] * n2), n2)
            figures["p"] = max(student_p(figures["delta"] / figures["error"], figures["df"]), pooled)
    for r in rows:
        if r["count"] <= 1:
            out[r["name"]]["p"] = out[r["name"]]["q"] = 1.0
    if not permuted:
        for name, q in q_values({n: f["p"] for n, f in out.items()}).items():
            out[name]["q"] = q
    for figures in out.values():
        half = figures["error"] * bisect(lambda t: 0.05 - student_p(t, figures["df"]), 0, 100) \
            if figures["error"] > 0 else 0.0
        figures["ci"] = [figures["delta"] - half, figures["delta"] + half]
    return out


def permute(rows, m1, m2, d0, out):
    """Every arrangement, and Westfall's and Young's step-down maximum."""
    def t2(r, chosen):
        one = [r["values"][i] for i in chosen]
        other = [v for i, v in enumerate(r["values"]) if i not in chosen]
        d = statistics.fmean(other) - statistics.fmean(one)
        return d * d / (squares(one) + squares(other) + d0 * r["expected"])
    observed = {r["name"]: t2(r, set(range(m1))) for r in rows}
    order = sorted(rows, key=lambda r: -observed[r["name"]])
    alone, together, count = defaultdict(int), defaultdict(int), 0
    for chosen in itertools.combinations(range(m1 + m2), m1):
        most, count, chosen = 0.0, count + 1, set(chosen)
        for r in reversed(order):
            value = t2(r, chosen)
            most = max(most, value)
            limit = observed[r["name"]] * (1 - 1e-9)
            alone[r["name"]] += value >= limit
            together[r["name"]] += most >= limit
    least = 0.0
    for r in order:
        least = max(least, together[r["name"]] / count)
        out[r["name"]].update(p=alone[r["name"]] / count, q=least)


# ---- comparing ----


def near(got, wanted, tolerance=1e-7):
    """Both absent, or close."""
    return got is not None and abs(got - wanted) <= tolerance * max(1e-3, abs(wanted))


def complaints_about(report, before, after, on):
    """What foldstat says otherwise."""
    single = len(before) == len(after) == 1
    wanted = compare_two(before[0], after[0], on) if single else compare_several(before, after, on)
    rows = {row["name"]: row for row in report["rows"]}
    for name, figures in wanted.items():
        row = rows.get(name)
        if row is None:
            yield f"no row {name}"
            continue
        for side, recordings in (("before", before), ("after", after)):
            count = sum(r[on][name] for r in recordings)
            if row[f"{side}_{on}"] != count:
                yield f"{name}: {side}_{on} is {row[f'{side}_{on}']}, not {count}"
        for key in ("delta", "p", "q"):
            if not near(row[f"{key}_{on}"], figures[key]):
                yield f"{name}: {key}_{on} is {row[f'{key}_{on}']}, not {figures[key]}"
        got = row[f"delta_{on}_ci"]
        if got is not None and not all(near(g, w, 1e-6) for g, w in zip(got, figures["ci"])):
            yield f"{name}: delta_{on}_ci is {got}, not {figures['ci']}"
        if on == report["sort_on"] and row["significant"] != (row[f"q_{on}"] <= report["fdr"]):
            yield f"{name}: significant is {row['significant']}"
    for name, row in rows.items():
        if name not in wanted and (row[f"before_{on}"] or row[f"after_{on}"]):
            yield f"row {name} should not be there"


def check(binary, before, after):
    """Returns what is wrong with one comparison."""
    paths = [*map(str, before), *(["--vs"] if len(before) + len(after) > 2 else []), *map(str, after)]
    done = subprocess.run([binary, "diff", "--format", "json", *paths], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        return [f"exit code {done.returncode}"]
    report = json.loads(done.stdout)
    sides = [read(path) for path in before], [read(path) for path in after]
    return [c for on in ("self", "total") for c in complaints_about(report, *sides, on)]


def jobs_of(fixtures, recorded):
    """Yields the recordings of both sides."""
    before = sorted((fixtures / "diff").glob("before-*.raw"))
    after = sorted((fixtures / "diff").glob("after-*.raw"))
    for one, other in zip(before, after):
        yield [one], [other]
    yield [before[0]], [before[1]]
    yield [fixtures / "dflash/gil.raw"], [fixtures / "dflash/all.raw"]
    for count in (2, 3, 4):
        yield before[:count], after[:count]
    yield before[:1], after[:3]
    yield before[:2], before[2:]
    for one, other in RECORDED_PAIRS:
        yield [recorded / one], [recorded / other]


def main():
    """Checks every job."""
    if len(sys.argv) != 4:
        print(__doc__)
        return 2
    passed = failed = skipped = 0
    for before, after in jobs_of(Path(sys.argv[2]), Path(sys.argv[3])):
        if not all(path.exists() for path in [*before, *after]):
            skipped += 1
            continue
        complaints = check(sys.argv[1], before, after)
        names = " ".join(p.name for p in before) + " --vs " + " ".join(p.name for p in after)
        for complaint in complaints[:5]:
            print(f"{names}: {complaint}")
        failed += bool(complaints)
        passed += not complaints
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
