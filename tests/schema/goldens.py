#!/usr/bin/env python3
"""Validates the JSON among the expected outputs of the command line cases.

    goldens.py FOLDSTAT SCHEMA_DIR CASES_DIR

Every JSON document of foldstat's in a case's stdout is held against docs/schema/COMMAND.json, by the command that it
names; every command that takes --format json or --to json has such a schema and such a case. All are found by name. Exit
status: 0; 1 on a failure; 77 if the jsonschema module is not installed. Ends with the line `N passed, N failed`.
"""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: the Python module jsonschema is not installed")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "completion"))
import check as help_pages  # noqa: E402 (reads commands and options from help pages)


def documents_of(text):
    """The JSON objects in a text that foldstat made: those with its mark."""
    decoder, at = json.JSONDecoder(), 0
    while (at := text.find("{", at)) >= 0:
        try:
            document, end = decoder.raw_decode(text, at)
        except ValueError:
            at += 1
            continue
        if isinstance(document, dict) and {"schema", "command"} <= set(document):
            yield document
        at = end


def main():
    """Validates everything."""
    binary, schemas, cases = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    validators, seen = {}, set()
    for path in sorted(schemas.glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[path.stem] = jsonschema.Draft202012Validator(schema)
    passed = failed = 0

    def complain(text):
        nonlocal failed
        failed += 1
        print(text)

    for path in sorted(cases.glob("*/*/stdout")):
        for document in documents_of(path.read_text(encoding="utf-8", errors="replace")):
            command = document["command"]
            seen.add(command)
            if command not in validators:
                complain(f"{path}: there is no docs/schema/{command}.json")
                continue
            # Cases take out what differs between versions and between places of the project.
            document.setdefault("version", "0.0.0")
            for recording in document.get("inputs", []):
                recording.setdefault("path", "")
            errors = [error.message for error in validators[command].iter_errors(document)]
            passed += not errors
            if errors:
                complain(f"{path}: {errors[0]}")
    for command in sorted(help_pages.commands_of(binary)):
        forms = {"--format", "--to"} & set(help_pages.options_of(binary, command))
        if not any("json" in help_pages.words_of(binary, command, option) for option in forms):
            continue
        if command not in validators:
            complain(f"{command} prints JSON, and there is no docs/schema/{command}.json")
        if command not in seen:
            complain(f"{command} prints JSON, and no case in tests/cli shows all of a document")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
