#!/usr/bin/env python3
"""Validates what foldstat prints as JSON against the schemas in docs/schema.

    validate.py FOLDSTAT SCHEMA_DIR FIXTURES_DIR

Runs `foldstat top --format json` on every fixture that it reads, with a few sets of options, and
with some of them also CSV and TSV: Python's csv module must find the same names and numbers in them as
in the JSON. Exit status: 0; 1 on a failure or if nothing was validated; 77 if the jsonschema module is
not installed. Ends with the line `N passed, N failed`.
"""
import csv
import io
import json
import pathlib
import subprocess
import sys

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


def run(binary, options, path):
    """Returns the exit code and the standard output's bytes."""
    done = subprocess.run([binary, *options, str(path)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout


def rows_of(report):
    """The rows of a JSON report as csv and tsv should have them: table, name, self, total."""
    for row in report["leaf"]["rows"]:
        yield ["leaf", row.get("name_hex", row["name"]), str(row["self"]), str(row["total"])]
        for inner in row.get("rows", []):
            yield ["within", inner.get("name_hex", inner["name"]), str(inner["self"]),
                   str(inner["total"])]
    for row in report["root_table"]["rows"]:
        yield ["root", row.get("name_hex", row["name"]), "", str(row["total"])]


def as_in_json(name):
    """Bytes that are not UTF-8 are compared in hexadecimal."""
    raw = name.encode("utf-8", "surrogateescape")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.hex()


def rows_of_csv(data):
    """The same four fields of every line of a CSV output."""
    text = io.StringIO(data.decode("utf-8", "surrogateescape"), newline="")
    lines = list(csv.reader(text, strict=True))
    where = [lines[0].index(field) for field in ("table", "name", "self", "total")]
    for line in lines[1:]:
        assert len(line) == len(lines[0]), line
        fields = [line[i] for i in where]
        yield [fields[0], as_in_json(fields[1]), *fields[2:]]


def rows_of_tsv(data):
    """The same four fields of every line of a TSV output."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")[:-1]
    head = lines[0].split("\t")
    where = [head.index(field) for field in ("table", "name", "self", "total")]
    escapes = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
    for line in lines[1:]:
        parts = line.split("\t")
        assert len(parts) == len(head), line
        fields = [parts[i] for i in where]
        name = iter(fields[1])
        fields[1] = "".join(escapes[next(name)] if c == "\\" else c for c in name)
        yield [fields[0], as_in_json(fields[1]), *fields[2:]]


def check(binary, validator, options, path):
    """Returns None where foldstat reads no such file, else a list of complaints."""
    code, out = run(binary, [*options, "--format", "json"], path)
    if code != 0:
        return None
    report = json.loads(out, parse_float=str, parse_int=str)
    validator.validate(json.loads(out))
    complaints = []
    wanted = list(rows_of(report))
    others = (("csv", rows_of_csv), ("tsv", rows_of_tsv)) if options in COMPARED else ()
    for name, read in others:
        got = list(read(run(binary, [*options, "--format", name], path)[1]))
        if got != wanted:
            different = next((pair for pair in zip(got, wanted) if pair[0] != pair[1]), None)
            complaints.append(f"{name} and json differ: {different or 'in length'}")
    return complaints


def main():
    """Validates every fixture with every set of options."""
    binary, schema_dir, fixtures = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    schema = json.loads((schema_dir / "top.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    passed = failed = 0
    for path in sorted(fixtures.rglob("*")):
        if not path.is_file() or path.suffix in {".md", ".py", ".sh"}:
            continue
        for options in OPTION_SETS:
            try:
                complaints = check(binary, validator, options, path)
            except (jsonschema.ValidationError, ValueError, AssertionError, KeyError) as error:
                complaints = [str(error).splitlines()[0]]
            if complaints:
                failed += 1
                print(f"{path} {' '.join(options)}: {'; '.join(complaints)}")
            elif complaints is not None:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
