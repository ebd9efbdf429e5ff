#!/usr/bin/env python3
"""Check what `foldstat convert` writes against readers that are not ours.

    convert.py FOLDSTAT_BINARY FIXTURES CACHE

Every fixture below is converted, and the result is held against the figures of
`foldstat --format json` on the fixture itself:

  structure   decoded here by the rules of profile.proto: the first string is empty
              and all are UTF-8, ids count from 1, every number leads somewhere, the
              leaf comes first, there is one line a location, no system_name
  pprof       `go tool pprof -top -lines`: every row, self and total
  pprof-format  the npm package: the sum of the samples
  schema      speedscope's own JSON schema, of the npm package
  page        speedscope's page in Chromium, for its own form and for pprof's: the
              rows of its table

The last four need go (Debian's golang-go), npm, python3-jsonschema and chromium; the
npm packages are installed into CACHE. What is not there, or cannot be had, is skipped
with a message.

The last line is `N passed, N failed, N skipped`. Exit codes: 0 all passed; 1 some
failed; 2 usage.
"""

import base64
import collections
import gzip
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FILES = ["dflash/all.raw", "dflash/gil.raw", "pyspy/threads.raw", "austin/v1.austin",
         "austin/v3.austin", "perf/pid.folded", "rbspy/collapsed.txt"]
PAGES = ["dflash/all.raw"]
PACKAGES = ["pprof-format@2", "speedscope@1"]
NPM_S, PAGE_S, COMMAND_S = 180, 120, 120


class Skip(Exception):
    """A check that cannot be made here."""


def run(command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True,
                          timeout=options.pop("timeout", COMMAND_S), check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command[0]}: exit {done.returncode}: "
                             f"{done.stderr.decode(errors='replace')[-400:]}")
    return done.stdout


# --- protobuf ---------------------------------------------------------------------------


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    """(number, value) of each field: an int, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        assert key & 7 in (0, 2), f"wire type {key & 7}"
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value - (1 << 64) if value >> 63 else value)
    return values


def message(data):
    """Fields by number; those of a number in their order."""
    found = collections.defaultdict(list)
    for number, value in fields(data):
        found[number].append(value)
    return found


def check_structure(path):
    """Checks the form, and returns {(function, file, line): [self, total]} of the first value."""
    profile = message(gzip.decompress(path.read_bytes()))
    strings = [text.decode("utf-8") for text in profile[6]]
    assert strings[0] == "", "the first string is not empty"
    functions, locations = {}, {}
    for count, data in enumerate(profile[5], 1):
        function = message(data)
        assert function[1] == [count], f"function {function[1]} is the {count}th"
        assert 3 not in function, "a system_name"
        functions[count] = strings[function[2][0]], strings[(function[4] or [0])[0]]
    for count, data in enumerate(profile[4], 1):
        location = message(data)
        assert location[1] == [count] and location[2] == [1] and len(location[4]) == 1
        line = message(location[4][0])
        number = (line[2] or [0])[0]
        locations[count] = *functions[line[1][0]], number - (1 << 64) if number >> 63 else number
    (mapping,) = [message(data) for data in profile[3]]
    assert mapping[1] == mapping[7] == mapping[8] == mapping[9] == [1]
    rows = collections.defaultdict(lambda: [0, 0])
    for data in profile[2]:
        sample = message(data)
        ids, values = packed(sample[1][0]), packed(sample[2][0])
        assert len(values) == len(profile[1]), "a value is missing"
        rows[locations[ids[0]]][0] += values[0]
        for location in {locations[number] for number in ids}:
            rows[location][1] += values[0]
        for label in map(message, sample[3]):
            assert strings[label[1][0]] in ("thread", "process") and strings[label[2][0]]
    return rows


# --- the checks --------------------------------------------------------------------------


class Checks:
    def __init__(self, binary, fixtures, cache, folder):
        self.binary, self.fixtures = binary, fixtures
        self.cache, self.folder = cache, folder
        self.modules = None

    def convert(self, name, ending, *options):
        path = self.folder / (name.replace("/", "-") + ending)
        run([self.binary, "convert", "-q", "-o", path, *options, self.fixtures / name])
        return path

    def rows(self, name):
        """{frame: (self, total)} as foldstat itself counts, without labels; and the total."""
        table = json.loads(run([self.binary, "-q", "--format", "json", "--sort", "total",
                                self.fixtures / name]))
        return {row["name"]: (row["self"], row["total"]) for row in table["leaf"]["rows"]}, table

    def install(self):
        """The folder of the npm packages."""
        if self.modules is None:
            if shutil.which("npm") is None or shutil.which("node") is None:
                raise Skip("no npm")
            self.cache.mkdir(parents=True, exist_ok=True)
            modules = self.cache / "node_modules"
            if not (modules / "speedscope").is_dir():
                try:
                    run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts",
                         "--prefix", self.cache, *PACKAGES], timeout=NPM_S)
                except (AssertionError, subprocess.TimeoutExpired) as why:
                    raise Skip(f"npm cannot install: {str(why)[:100]}") from why
            self.modules = modules
        return self.modules

    def structure(self, name):
        for options in ([], ["--threads", "frames"], ["-r", "99", "-d", "45"]):
            found = check_structure(self.convert(name, ".pb.gz", *options))
            wanted, table = self.rows(name)
            assert sum(row[0] for row in found.values()) == table["total"]
            listed = json.loads(run([self.binary, "convert", "-q", "--to", "json",
                                     self.fixtures / name]))
            parts = {(f["function"], f.get("file", ""), f.get("line", 0)): f["name"]
                     for f in listed["frames"]}
            for key, row in found.items():
                frame = parts.get(key, key[0])
                labelled = frame == "[no Python frames]"  # stacks of labels alone end there
                assert labelled or tuple(row) == wanted[frame], f"{frame}: {row}, {wanted[frame]}"

    def pprof(self, name):
        go = shutil.which("go")
        if go is None:
            raise Skip("no go")
        path = self.convert(name, ".pb.gz", "--threads", "frames")
        text = run([go, "tool", "pprof", "-top", "-lines", "-nodecount=100000", "-nodefraction=0",
                    "-edgefraction=0", "-unit=minimum", path]).decode()
        total = int(re.search(r"of (\d+)\w* total", text).group(1))
        wanted, table = self.rows(name)
        assert total == table["total"], f"{total} in all, not {table['total']}"
        found = {}
        for line in text[text.index("flat%"):].splitlines()[1:]:
            flat, _, _, cum, _, rest = line.split(None, 5)
            number = lambda word: int(re.match(r"-?\d+", word).group())
            found[rest.removesuffix(" (inline)")] = number(flat), number(cum)
        listed = json.loads(run([self.binary, "convert", "-q", "--to", "json",
                                 self.fixtures / name]))
        for frame in listed["frames"]:
            place = frame.get("file", "") + (f":{frame['line']}" if "line" in frame else "")
            shown = (frame["function"] + " " + place).strip()
            assert found.get(shown) == wanted[frame["name"]], \
                f"{shown}: {found.get(shown)}, not {wanted[frame['name']]}"

    def pprof_format(self, name):
        modules = self.install()
        path = self.convert(name, ".pb.gz")
        script = ("const {Profile} = require(process.argv[1] + '/pprof-format');"
                  "const p = Profile.decode(require('zlib').gunzipSync("
                  "require('fs').readFileSync(process.argv[2])));"
                  "let sum = 0n; for (const s of p.sample) sum += BigInt(s.value[0]);"
                  "console.log(String(sum), p.stringTable.strings[0] === '');")
        said = run(["node", "-e", script, modules, path]).decode().split()
        total = self.rows(name)[1]["total"]
        assert said == [str(total), "true"], f"{said}, not {total}"

    def schema(self, name):
        try:
            import jsonschema
        except ImportError as why:
            raise Skip("no jsonschema module") from why
        rules = self.install() / "speedscope/dist/release/file-format-schema.json"
        document = json.loads(self.convert(name, ".speedscope.json").read_text())
        jsonschema.validate(document, json.loads(rules.read_text()))
        (profile,) = document["profiles"]
        assert sum(profile["weights"]) == profile["endValue"] == self.rows(name)[1]["total"]

    def table_of_page(self, path):
        """The first rows of speedscope's table: (total, self, function)."""
        page = self.install() / "speedscope/dist/release/index.html"
        script = path.with_suffix(".js")
        script.write_text("speedscope.loadFileFromBase64(%s, %s)" % (
            json.dumps(path.name), json.dumps(base64.b64encode(path.read_bytes()).decode())))
        browser = shutil.which("chromium") or shutil.which("chromium-browser")
        if browser is None:
            raise Skip("no chromium")
        for budget_ms in (30_000, 60_000, 120_000):  # a busy machine draws late
            dom = run([browser, "--headless", "--no-sandbox", "--disable-gpu",
                       f"--user-data-dir={self.folder / 'browser'}",
                       "--allow-file-access-from-files", f"--virtual-time-budget={budget_ms}",
                       "--dump-dom",
                       f"file://{page}#localProfilePath={script}&view=sandwich"],
                      timeout=PAGE_S).decode()
            texts = [html.unescape(text) for text in re.findall(r">([^<>]+)<", dom)]
            cells = texts[texts.index("Symbol Name") + 1:] if "Symbol Name" in texts else []
            if len(cells) >= 3:
                break
        number = lambda text: int(text.split()[0].replace(",", ""))
        return [(number(cells[i]), number(cells[i + 1]), cells[i + 2])
                for i in range(0, min(30, len(cells) - 2), 3)]

    def page(self, name):
        wanted, _ = self.rows(name)
        lines = sorted(((total, own, frame.split(" (")[0])
                        for frame, (own, total) in wanted.items()), key=lambda row: -row[1])
        got = self.table_of_page(self.convert(name, ".speedscope.json"))
        assert [row[1] for row in got] == [row[1] for row in lines[:len(got)]], got
        assert set(got) <= set(lines), got
        functions = json.loads(run([self.binary, "-q", "--format", "json", "--by", "function",
                                    self.fixtures / name]))["leaf"]["rows"]
        got = self.table_of_page(self.convert(name, ".pb.gz"))
        lines = {(row["total"], row["self"], row["name"].split(" (")[0]) for row in functions}
        assert len(got) >= 5 and set(got) <= lines, got


def main():
    if len(sys.argv) != 4:
        print(__doc__.splitlines()[2].strip(), file=sys.stderr)
        return 2
    binary, fixtures, cache = (Path(word).resolve() for word in sys.argv[1:])
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(binary, fixtures, cache, Path(folder))
        for kind in ("structure", "pprof", "pprof_format", "schema", "page"):
            for name in PAGES if kind == "page" else FILES:
                try:
                    getattr(checks, kind)(name)
                    counts["passed"] += 1
                except Skip as why:
                    counts["skipped"] += 1
                    print(f"skipped {kind} {name}: {why}")
                except (AssertionError, KeyError, ValueError, subprocess.TimeoutExpired) as why:
                    counts["failed"] += 1
                    print(f"FAILED {kind} {name}: {type(why).__name__}: {why}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
