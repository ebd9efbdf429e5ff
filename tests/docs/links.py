#!/usr/bin/env python3
"""Checks what pages point to.

    links.py ROOT

Every link of README.md and docs/*.md to a file of the project leads to one, and to a heading of it where it names one;
every page of docs/ and its folders is linked from docs/README.md; every path of the project that stands in a page
between backquotes exists; the contents at the top of foldstat.h are its sections. Exit status: 0; 1 on a failure. Ends
with the line `N passed, N failed`.
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")
PATH = re.compile(r"`((?:docs|tests|fixtures|src|include)/[a-z0-9A-Z_./-]*[A-Za-z0-9_-])`")


def anchors_of(page):
    """The anchors that a page's headings have."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def complaints_of(page, root):
    """What a page points to in vain."""
    text = page.read_text(encoding="utf-8")
    for path, anchor in LINK.findall(text):
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            yield f"no file {path}"
        elif anchor and target.suffix == ".md" and anchor not in anchors_of(target):
            yield f"no heading {anchor} in {path or 'this page'}"
    for path in PATH.findall(text):
        if "NAME" not in path and not any(root.glob(path)) and not any(root.glob(path + ".*")):
            yield f"no path {path}"


def contents_differ(header):
    """Whether the list of contents at the header's top is not that of its sections."""
    text = header.read_text(encoding="utf-8")
    listed = re.findall(r"^ \* +(\d+\. .*)$", text, re.MULTILINE)
    sections = re.findall(r"^/\* -+ (\d+\. .*) -- \*/$", text, re.MULTILINE)
    return len(listed) != len(sections) or not all(map(str.startswith, listed, sections))


def main():
    """Checks all pages."""
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    failed = 0
    for page in pages:
        for complaint in complaints_of(page, root):
            failed += 1
            print(f"{page.relative_to(root)}: {complaint}")
    index = root / "docs/README.md"
    linked = {(index.parent / path).resolve() for path, _ in LINK.findall(index.read_text("utf-8"))}
    for thing in sorted((root / "docs").iterdir()):
        if thing not in linked and thing != index:
            failed += 1
            print(f"docs/README.md: does not name {thing.name}")
    if contents_differ(root / "include/foldstat.h"):
        failed += 1
        print("include/foldstat.h: its contents are not its sections")
    print(f"{len(pages)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
