#!/usr/bin/env python3
"""Validates what foldstat prints as JSON against the schemas in docs/schema.

    validate.py FOLDSTAT SCHEMA_DIR FIXTURES_DIR [--all]

Runs `foldstat top --format json` with a few sets of options, and with some of them also CSV and TSV:
Python's csv module must find the same names and numbers in them as in the JSON. `foldstat gil` likewise
on every pair X-gil.raw and X-all.raw, on the pair of dflash, and on fixtures as pairs with themselves;
`foldstat diff` and `foldstat check` on these pairs and on those of diff, with one recording a side and
several; `foldstat convert --to json`: its counts must sum to its total, and its stacks lead to all frames
that it lists; `foldstat tree` and `foldstat peek`.

What takes the time is starting programs. So each fixture has a turn of three: one set of options of top,
one of tree, peek and convert, and one of gil, diff and check; all sets come up on many fixtures. With
--all every fixture has everything.

Exit status: 0; 1 on a failure or if nothing was validated; 77 if the jsonschema module is not installed.
Ends with the line `N passed, N failed`.
"""
import csv
import io
import json
import pathlib
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

try:
    import jsonschema
except ImportError:
    print("skipped: the Python module jsonschema is not installed")
    sys.exit(77)

OPTION_SETS = [
    [],
    ["-r", "49", "-d", "30"],
    ["--by", "function", "--sort", "total", "-n", "5"],
    ["--root", "0", "--design-effect", "2.5", "--percent-of", "all"],
    ["--by", "category,function"],
    ["--by", "module", "--normalize", "--hide", "^(_|lib)", "--percent-of", "all", "--idle", "exclude"],
    ["--by", "thread,line", "--normalize", "--root", "thread", "--min-percent", "5"],
]
COMPARED = ([], ["--by", "category,function"])  # in all formats


# A validator keeps where it is in its schema: one thread at a time.
VALIDATING = threading.Lock()


def hold_against(validator, document):
    """Raises jsonschema.ValidationError where the document does not fit."""
    with VALIDATING:
        validator.validate(document)


def run(binary, options, paths):
    """Returns the exit code and the standard output's bytes."""
    done = subprocess.run([binary, *options, *map(str, paths)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout


FIELDS = {
    "top": ("table", "name", "self", "total"),
    "gil": ("table", "name", "gil", "all"),
    "diff": ("table", "name", "before_self", "after_total"),
    "check": ("kind", "name", "before", "after"),
    "tree": ("id", "name", "self", "total"),
    "peek": ("relation", "name", "self", "total"),
}

GIL_OPTION_SETS = [
    [],
    ["--rate", "100", "--duration", "3"],
    ["--by", "function", "--gil-ticks", "299", "--all-rate", "50", "-n", "2"],
    ["--by", "file,function", "--ticks", "299", "--focus", ".", "--min-percent", "3"],
    ["--by", "category,module", "--normalize", "--percent-of", "all", "--ignore", "[qz]$"],
]

DIFF_OPTION_SETS = [
    [],
    ["--sort-on", "total", "--paths", "2", "-n", "9"],
    ["--basis", "rate", "--ticks", "299", "--by", "category"],
    ["--by", "thread", "--fdr", "0.2", "--percent-of", "all", "--ignore", "render"],
]
CHECK_OPTIONS = ["--max-increase", "2pp", "--max-self", "a=5%", "--max-total", "^m=60%"]
TREE_OPTION_SETS = [
    [],
    ["--reverse", "--by", "frame", "--percent-of", "all"],
    ["--min-percent", "3", "--max-depth", "4", "--by", "module", "--normalize", "--hide", "^_"],
]
PEEK_OPTION_SETS = [
    ["."],
    ["a", "--by", "frame", "-n", "2", "--ignore", "^x"],
    ["m", "--by", "file", "--normalize"],
]


def gil_row(table, row):
    """A row of gil: table, name and two counts."""
    return [table, row.get("name_hex", row["name"]), str(row["gil"]),
            "" if row["all"] is None else str(row["all"])]


def rows_of(report):
    """The rows of a JSON report as csv and tsv should have them: table, name and two counts."""
    if report["command"] == "tree":
        for row in report["nodes"]:
            yield [row["id"], row.get("name_hex", row["name"]), row["self"], row["total"]]
        return
    if report["command"] == "peek":
        for match in report["matches"]:
            yield from rows_around(match)
        return
    if report["command"] == "gil":
        for table, key in (("frame", "rows"), ("thread", "threads")):
            for row in report[key]:
                yield gil_row(table, row)
                for inner in row.get("rows", []):
                    yield gil_row("within", inner)
        return
    if report["command"] == "diff":
        for row in report["rows"]:
            yield ["row", row.get("name_hex", row["name"]), str(row["before_self"]),
                   str(row["after_total"])]
        return
    if report["command"] == "check":
        for row in report["rows"]:
            on = "total" if row["kind"] == "max-total" else "self"
            yield [row["kind"], row.get("name_hex", row["name"]), str(row[f"before_{on}"]),
                   str(row[f"after_{on}"])]
        return
    for row in report["leaf"]["rows"]:
        yield ["leaf", row.get("name_hex", row["name"]), str(row["self"]), str(row["total"])]
        for inner in row.get("rows", []):
            yield ["within", inner.get("name_hex", inner["name"]), str(inner["self"]),
                   str(inner["total"])]
    for row in report["root_table"]["rows"]:
        yield ["root", row.get("name_hex", row["name"]), "", str(row["total"])]


def rows_around(match):
    """The rows of a match of peek; stacks are compared by their counts."""
    name = match.get("name_hex", match["name"])
    yield ["match", name, match["self"], match["total"]]
    if float(match["begins"]) != 0:
        yield ["begins", name, "", match["begins"]]
    for relation in ("caller", "callee"):
        for row in match[relation + "s"]:
            yield [relation, row.get("name_hex", row["name"]), "", row["total"]]
    for row in match["lines"]:
        yield ["line", row.get("name_hex", row["name"]), row["self"], row["total"]]
    for row in match["stacks"]:
        yield ["stack", None, "", row["total"]]


def as_in_json(name):
    """Bytes that are not UTF-8 are compared in hexadecimal."""
    raw = name.encode("utf-8", "surrogateescape")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.hex()


def rows_of_csv(data, names):
    """The same four fields of every line of a CSV output."""
    text = io.StringIO(data.decode("utf-8", "surrogateescape"), newline="")
    lines = list(csv.reader(text, strict=True))
    where = [lines[0].index(field) for field in names]
    for line in lines[1:]:
        assert len(line) == len(lines[0]), line
        fields = [line[i] for i in where]
        yield [fields[0], as_in_json(fields[1]), *fields[2:]]


def rows_of_tsv(data, names):
    """The same four fields of every line of a TSV output."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")[:-1]
    head = lines[0].split("\t")
    where = [head.index(field) for field in names]
    escapes = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
    for line in lines[1:]:
        parts = line.split("\t")
        assert len(parts) == len(head), line
        fields = [parts[i] for i in where]
        name = iter(fields[1])
        fields[1] = "".join(escapes[next(name)] if c == "\\" else c for c in name)
        yield [fields[0], as_in_json(fields[1]), *fields[2:]]


def check(binary, validator, command, options, paths):
    """Returns None where foldstat reads no such file, else a list of complaints."""
    code, out = run(binary, [command, *options, "--format", "json"], paths)
    if code == 2:
        return None
    report = json.loads(out, parse_float=str, parse_int=str)
    hold_against(validator, json.loads(out))
    complaints = []
    wanted = list(rows_of(report))
    compared = options in (*COMPARED, GIL_OPTION_SETS[1], CHECK_OPTIONS, TREE_OPTION_SETS[1],
                           *PEEK_OPTION_SETS)
    others = (("csv", rows_of_csv), ("tsv", rows_of_tsv)) if compared else ()
    for name, read in others:
        output = run(binary, [command, *options, "--format", name], paths)[1]
        # figures, verdicts and waits of gil stand in lines of their own
        got = [row for row in read(output, FIELDS[command])
               if row[0] not in ("figure", "verdict", "wait", "path")]
        got = [[row[0], None, *row[2:]] if row[0] == "stack" else row for row in got]
        if got != wanted:
            different = next((pair for pair in zip(got, wanted) if pair[0] != pair[1]), None)
            complaints.append(f"{name} and json differ: {different or 'in length'}")
    return complaints


def check_convert(binary, validator, options, path):
    """The same for the list of stacks."""
    code, out = run(binary, ["convert", "--to", "json", *options], [path])
    if code != 0:
        return None
    hold_against(validator, json.loads(out))
    exact = json.loads(out, parse_float=Decimal, parse_int=Decimal)
    stacks = exact["stacks"]
    complaints = []
    if sum(stack["count"] for stack in stacks) != exact["total"]:
        complaints.append("the counts do not sum to the total")
    if {frame for stack in stacks for frame in stack["frames"]} != set(range(len(exact["frames"]))):
        complaints.append("stacks and frames do not fit")
    return complaints


def files_of(fixtures):
    """Every fixture that may be a profile."""
    return [path for path in sorted(fixtures.rglob("*"))
            if path.is_file() and path.suffix not in {".md", ".py", ".sh"}]


def jobs_of_file(path):
    """Every command and its options on one file, as groups."""
    return [
        [("top", options, [path]) for options in OPTION_SETS],
        [*(("tree", options, [path]) for options in TREE_OPTION_SETS),
         *(("peek", options, [path]) for options in PEEK_OPTION_SETS),
         ("convert", [], [path]),
         ("convert", ["--max-samples", "2"], [path])],
        [("gil", GIL_OPTION_SETS[1], [path, path]),
         ("diff", [], [path, path]),
         ("diff", ["--basis", "count", "--paths", "2"], [path, path]),
         ("check", CHECK_OPTIONS, [path, path])],
    ]


def jobs_of(fixtures, everything):
    """Yields every command, options and paths to validate."""
    files = files_of(fixtures)
    for turn, path in enumerate(files):
        for group in jobs_of_file(path):
            yield from group if everything else [group[turn % len(group)]]
    dflash = [fixtures / "dflash/gil.raw", fixtures / "dflash/all.raw"]
    pairs = [[path, path.with_name(path.name.replace("-gil", "-all"))]
             for path in files if path.name.endswith("-gil.raw")]
    for turn, pair in enumerate([dflash, *pairs]):
        for place, options in enumerate(GIL_OPTION_SETS):
            ways = [("gil", options, pair), ("gil", options, pair[:1]),
                    ("gil", [*options, "--idle", str(pair[1])], pair)]
            yield from ways if everything or turn == 0 else [ways[(turn + place) % len(ways)]]
    sides = {side: sorted((fixtures / "diff").glob(f"{side}-*.raw")) for side in ("before", "after")}
    for pair in [dflash, *pairs, *zip(sides["before"], sides["after"])]:
        for options in DIFF_OPTION_SETS:
            yield "diff", options, list(pair)
        yield "check", CHECK_OPTIONS, list(pair)
    for count in (2, 4):
        several = [*sides["before"][:count], "--vs", *sides["after"][:count]]
        for options in DIFF_OPTION_SETS:
            yield "diff", options, several
        yield "check", CHECK_OPTIONS, several
    yield "diff", [], [fixtures / "two-count/difffolded.folded"]


def validate(binary, validator, command, options, paths):
    """Returns the complaints about one job, or None where foldstat reads no such file."""
    try:
        if command == "convert":
            return check_convert(binary, validator, options, paths[0])
        return check(binary, validator, command, options, paths)
    except (jsonschema.ValidationError, ValueError, AssertionError, KeyError) as error:
        return [str(error).splitlines()[0]]


def main():
    """Validates every job."""
    binary, schema_dir, fixtures = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    validators = {}
    for command in (*FIELDS, "convert"):
        schema = json.loads((schema_dir / f"{command}.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[command] = jsonschema.Draft202012Validator(schema)
    jobs = list(jobs_of(fixtures, "--all" in sys.argv[4:]))
    with ThreadPoolExecutor(4) as pool:  # programs run while others' output is looked at
        results = pool.map(lambda job: validate(binary, validators[job[0]], *job), jobs)
        told = list(zip(jobs, results))
    passed = sum(1 for _, complaints in told if complaints == [])
    failed = sum(1 for _, complaints in told if complaints)
    for (command, options, paths), complaints in told:
        if complaints:
            print(f"{command} {' '.join(options)} {paths}: {'; '.join(complaints)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
