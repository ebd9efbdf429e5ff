#!/usr/bin/env python3
"""Makes docs/demo/demo.svg, the picture in the README: commands that are run, as a terminal shows them.

    record.py FOLDSTAT ROOT [--check]

Each command runs in fixtures/dflash with colours on, and what it prints becomes text in the picture. With --check
nothing is written: exit status 1 where the picture is not what the commands print now. Ends with
`N passed, N failed`.
"""
import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile

WIDTH = 98  # cells
COMMANDS = [
    "foldstat -n 4 gil.raw",
    "foldstat gil gil.raw all.raw --gil-rate 49 --gil-duration 30 --all-rate 99 --all-duration 45"
    " | head -n 12",
    "foldstat diff -n 4 ../diff/before-*.raw --vs ../diff/after-*.raw | tail -n 7",
]
CELL, LINE, MARGIN, BAR = 8.43, 19, 16, 34  # pixels
STYLES = {"1": "bold", "31": "red", "32": "green", "33": "yellow", "36": "cyan", "2": "dim"}
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">
<title>{title}</title>
<style>
text {{ font: 14px/1 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d8dee9; white-space: pre; }}
.prompt {{ fill: #8fbcbb; font-weight: bold; }}
.typed {{ fill: #eceff4; font-weight: bold; }}
.bold {{ font-weight: bold; }} .dim {{ fill: #7b88a1; }} .red {{ fill: #ff7b86; }} .green {{ fill: #a3be8c; }}
.yellow {{ fill: #ebcb8b; }} .cyan {{ fill: #88c0d0; }}
</style>
<rect width="{width}" height="{height}" rx="8" fill="#242933"/>
<circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/><circle cx="60" cy="18" r="6" fill="#28c840"/>
"""


def run(binary, command, folder):
    """What a command prints on a terminal of that width."""
    with tempfile.TemporaryDirectory() as tools:
        pathlib.Path(tools, "foldstat").symlink_to(binary)
        environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        coloured = re.sub(r"(foldstat(?: gil| diff)?) ", rf"\1 --color always --width {WIDTH} ", command, count=1)
        return subprocess.run(["bash", "-c", coloured], cwd=folder, env=environment, check=True,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout


def spans_of(line):
    """A line with colour escapes as tspans."""
    spans, style = [], ""
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            style = " ".join(STYLES[code] for code in part[2:-1].split(";") if code in STYLES)
        elif part:
            text = html.escape(part, quote=False)
            spans.append(f'<tspan class="{style}">{text}</tspan>' if style else text)
    return "".join(spans)


def picture(binary, root):
    """The whole picture."""
    lines = []
    for command in COMMANDS:
        typed = html.escape(command, quote=False)
        for i, part in enumerate(re.findall(rf".{{1,{WIDTH - 4}}}(?: |$)", typed)):
            prompt = '<tspan class="prompt">$ </tspan>' if i == 0 else "    "
            lines.append(f'{prompt}<tspan class="typed">{part.rstrip()}</tspan>')
        lines += [spans_of(line) for line in run(binary, command, root / "fixtures/dflash").splitlines()]
        lines.append("")
    width, height = round(WIDTH * CELL + 2 * MARGIN), BAR + LINE * len(lines) + MARGIN
    out = [HEAD.format(width=width, height=height, title="foldstat in a terminal")]
    for i, line in enumerate(lines):
        if line:
            out.append(f'<text x="{MARGIN}" y="{BAR + LINE * i + 14}" xml:space="preserve">{line}</text>\n')
    return "".join(out) + "</svg>\n"


def main():
    """Writes or checks the picture."""
    binary, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    file = root / "docs/demo/demo.svg"
    made = picture(binary, root)
    if "--check" not in sys.argv[3:]:
        file.write_text(made, encoding="utf-8")
        return 0
    fresh = file.exists() and file.read_text(encoding="utf-8") == made
    if not fresh:
        print("docs/demo/demo.svg is not what the commands print now; docs/demo/record.py makes it anew")
    print(f"{int(fresh)} passed, {int(not fresh)} failed")
    return 0 if fresh else 1


if __name__ == "__main__":
    sys.exit(main())
