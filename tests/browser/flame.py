#!/usr/bin/env python3
"""Flame graphs in a real browser: they open, zoom, search, answer keys, link and read in light and
dark, and names do nothing but stand there.

    tests/browser/flame.py FOLDSTAT FIXTURES [--pictures FOLDER]

Skipped (exit 77) where Chromium and its driver are not installed. --pictures keeps pictures of what
was looked at."""

import json
import os
import subprocess
import sys
import tempfile
import traceback

import colours
from webdriver import Browser, is_there

FRAMES = """
return Array.from(document.querySelectorAll('.frames > g'), (g) => {
  const r = g.querySelector('rect'), t = g.querySelector('text'), b = r.getBoundingClientRect();
  const title = g.querySelector('title');
  return { title: title ? title.textContent : null, shown: g.getAttribute('display') !== 'none',
           class: g.getAttribute('class'), x: b.x, y: b.y, w: b.width, h: b.height,
           label: t ? t.textContent : '', text: t && t.textContent ? t.getBoundingClientRect().width : 0,
           fill: getComputedStyle(r).fill, opacity: getComputedStyle(r).fillOpacity,
           ink: t ? getComputedStyle(t).fill : null };
});
"""


class Page:
    """A picture that foldstat made, in the browser."""

    def __init__(self, browser, foldstat, folder):
        self.browser = browser
        self.foldstat = foldstat
        self.path = os.path.join(folder, "flame.svg")

    def make(self, *arguments, cwd=None):
        subprocess.run([self.foldstat, "flame", "-q", *arguments, "-o", self.path], check=True,
                       cwd=cwd)

    def open(self, fragment="", width=1200, height=800, scheme="light"):
        self.browser.size(width, height)
        self.browser.scheme(scheme)
        self.browser.open("file://" + self.path + fragment)
        self.browser.settle()

    def frames(self):
        return self.browser.run(FRAMES)

    def shown(self):
        return [f for f in self.frames() if f["shown"]]

    def frame(self, start):
        return next(f for f in self.frames() if f["title"] and f["title"].startswith(start))

    def click(self, start):
        f = self.frame(start)
        self.browser.point(f["x"] + min(5, f["w"] / 2), f["y"] + 8, click=True)
        self.away()

    def away(self):
        """The frame under the mouse has lent its title to the card."""
        self.browser.point(1, 1)

    def hover(self, start):
        f = self.frame(start)
        self.browser.point(f["x"] + min(5, f["w"] / 2), f["y"] + 8)

    def card(self):
        return self.browser.run("""const c = document.querySelector('.card');
            return c.closest('foreignObject').hasAttribute('display') ? '' : c.innerText;""")

    def said(self):
        return self.browser.run("return document.querySelector('.bar output').textContent")

    def fragment(self):
        return self.browser.url().partition("#")[2]


def near(a, b, slack=1.5):
    return abs(a - b) <= slack


# --- what is tested ----------------------------------------------------------------------------------


def opens_complete(page, fixtures):
    page.make("all.raw", cwd=fixtures + "/dflash")
    page.open()
    frames = page.frames()
    assert len(frames) > 500, len(frames)
    assert frames[0]["title"] == "all (18,775 samples, 100.00%)", frames[0]
    assert near(frames[0]["w"], 1180) and near(frames[0]["x"], 10), frames[0]
    assert page.browser.run("return document.title") == "Where time goes"
    assert page.browser.run("return document.querySelectorAll('.bar input, .bar button').length") == 3
    assert page.browser.run("return performance.getEntriesByType('resource').length") == 0


def zooms_and_links(page, fixtures):
    page.make("all.raw", cwd=fixtures + "/dflash")
    page.open()
    page.click("_train_epoch (dflash/train/loop.py:176)")
    zoomed = page.frame("_train_epoch (dflash/train/loop.py:176)")
    assert near(zoomed["w"], 1180) and near(zoomed["x"], 10), zoomed
    callers = [f for f in page.shown() if "above" in f["class"]]
    assert [f["title"].split(" ")[0] for f in callers] == ["all", "<module>", "main", "fit"], callers
    assert all(near(f["w"], 1180) for f in callers)
    link = page.fragment()
    assert link.startswith("zoom="), link
    shown = [f["title"] for f in page.shown()]
    page.open("#" + link)
    assert [f["title"] for f in page.shown()] == shown
    page.click("main (train_dflash.py:574)")
    page.browser.back()
    assert page.fragment() == link
    assert [f["title"] for f in page.shown()] == shown
    page.browser.press("Escape")
    assert page.fragment() == "" and len(page.shown()) == len(page.frames())


def total_of(page, fixtures, *arguments):
    out = subprocess.run([page.foldstat, "-q", "--format", "json", *arguments, "all.raw"], check=True,
                         cwd=fixtures + "/dflash", stdout=subprocess.PIPE)
    return json.loads(out.stdout)["total"]


def searches(page, fixtures):
    page.make("--min-width", "0", "all.raw", cwd=fixtures + "/dflash")
    page.open()
    share = total_of(page, fixtures, "--focus", "(?i)forward") / 18775 * 100
    page.browser.press("/", *"forward")
    hits = [f for f in page.frames() if "hit" in f["class"].split()]
    wanted = [f for f in page.frames() if "forward" in f["title"].rsplit(" (", 1)[0].lower()]
    assert len(hits) == len(wanted) > 50, (len(hits), len(wanted))
    assert page.said() == f"{len(hits)} frames, {share:.1f} % of all", page.said()
    assert page.fragment() == "find=forward"
    page.open("#find=forward")
    assert page.said() == f"{len(hits)} frames, {share:.1f} % of all", page.said()
    # Capitals make case count; what is no pattern is looked for as it stands.
    page.open("#find=Forward")
    assert page.said() == "0 frames, 0.0 % of all", page.said()
    page.open("#find=" + "(dflash/")
    assert not page.said().startswith("0 "), page.said()
    # In a zoomed view shares are of it.
    page.open("#find=forward")
    page.click("_train_epoch (dflash/train/loop.py:176)")
    assert page.said().endswith("of this view"), page.said()


def answers_keys(page, fixtures):
    page.make("before.txt", cwd=fixtures + "/flame")
    page.open()
    now = "return document.querySelector('.frames > g.now').getAttribute('aria-label')"
    page.browser.press("ArrowDown", "ArrowDown", "ArrowDown")
    assert page.browser.run(now).startswith("work (core/work.py:50)"), page.browser.run(now)
    page.browser.press("ArrowRight")
    assert page.browser.run(now).startswith("write (lib/io.py:42)")
    page.browser.press("ArrowLeft", "ArrowUp")
    assert page.browser.run(now).startswith("main (job.py:4)")
    assert "total" in page.card() and "3,000 samples" in page.card(), page.card()
    page.browser.press("ArrowDown", "Enter")
    assert page.fragment().startswith("zoom="), page.fragment()
    page.browser.press("Backspace")
    assert near(page.frame("main (job.py:4)")["w"], 1180)
    page.browser.press("Escape", "/", *"write", "Enter")
    assert page.browser.run(now).startswith("write (lib/io.py:42)"), page.browser.run(now)
    page.browser.press("n")
    assert page.browser.run(now).startswith("write (lib/io.py:40)"), page.browser.run(now)
    page.browser.press("N")
    assert page.browser.run(now).startswith("write (lib/io.py:42)"), page.browser.run(now)
    hidden = "return document.querySelector('.help').closest('foreignObject').hasAttribute('display')"
    page.browser.press("?")
    assert page.browser.run(hidden) is False
    page.browser.press("Escape")
    assert page.browser.run(hidden) is True and page.said() == "" and page.fragment() == ""


def tells_details(page, fixtures):
    page.make("before.txt", cwd=fixtures + "/flame")
    page.open()
    page.hover("write (lib/io.py:40)")
    card = page.card()
    assert card.startswith("write (lib/io.py:40)"), card
    assert "340 samples" in card and "11.3 %" in card and "0 samples" in card, card
    page.away()
    assert page.card() == ""
    assert all(f["title"] for f in page.frames()), "a title that was hushed did not come back"
    page.make("--diff", "before.txt", "after.txt", cwd=fixtures + "/flame")
    page.open()
    page.hover("compress (zlibx/deflate.py:7)")
    card = page.card()
    assert "250 samples" in card and "−8.3 points" in card and "gone" in card, card
    page.hover("log (lib/log.py:5)")
    assert "within noise" in page.card(), page.card()
    page.hover("encrypt (sealed/box.py:17)")
    assert "new" in page.card(), page.card()


def highlights_modules(page, fixtures):
    page.make("before.txt", cwd=fixtures + "/flame")
    page.open()
    page.browser.run("Array.from(document.querySelectorAll('.key')).find((k) => "
                     "k.dataset.name === 'zlibx').dispatchEvent(new MouseEvent('click'))")
    page.browser.settle()
    hits = [f["title"].split(" ")[0] for f in page.frames() if "hit" in f["class"].split()]
    assert hits == ["compress", "window", "compress"], hits
    assert page.said() == "3 frames, 11.3 % of all", page.said()
    assert page.fragment().startswith("module="), page.fragment()


def lets_names_do_nothing(page, fixtures):
    page.make("--min-width", "0", "hostile.txt", cwd=fixtures + "/flame")
    page.open()
    count = len(page.frames())
    assert count > 35, count
    unharmed = """return [window.pwned === undefined,
        document.querySelectorAll('script').length,
        document.querySelectorAll('img, iframe, a, object, embed, image, use, animate, set').length,
        Array.from(document.querySelectorAll('*')).every((e) => Array.from(e.attributes)
            .every((a) => !/^on/i.test(a.name) && !/^javascript:/i.test(a.value)))];"""
    assert page.browser.run(unharmed) == [True, 1, 0, True], page.browser.run(unharmed)
    for i in range(count):
        f = page.frames()[i]
        page.browser.point(f["x"] + min(5, f["w"] / 2), f["y"] + 8)
    for fragment in ["#find=%3Cimg%20src%3Dx%20onerror%3Dwindow.pwned%3D1%3E", "#zoom=__proto__",
                     "#zoom=constructor", "#zoom=1.0&find=%E0%A4%A", "#module=%3Cscript%3E",
                     "#find=" + "(" * 50, "#" + "&" * 50]:
        page.open(fragment)
        assert page.browser.run(unharmed) == [True, 1, 0, True], fragment
        assert page.browser.errors() == [], fragment
    page.open("#find=script")
    page.browser.press("Enter", "n", "n", "Enter")
    assert page.browser.run(unharmed) == [True, 1, 0, True]
    page.away()
    labels = " ".join(f["title"] for f in page.frames() if f["title"])
    for text in ["<script>window.pwned=1</script>", "\\x1b]0 (", "title\\x07\\x1b[31mred", "caf\\xe9 \\xff\\xfe",
                 "nul\\x00byte", "\\ufffe\\uffff", "\\u202egnirts"]:
        assert text in labels, text


def fits_windows(page, fixtures):
    page.make("all.raw", cwd=fixtures + "/dflash")
    for width in (360, 700, 1000, 1900):
        page.open(width=width)
        sizes = page.browser.run("return [document.documentElement.scrollWidth, innerWidth, "
                                 "document.querySelector('.bar').getBoundingClientRect().right]")
        assert sizes[0] <= sizes[1] and sizes[2] <= sizes[1], (width, sizes)
        frames = page.shown()
        assert near(frames[0]["w"], width - 20), (width, frames[0])
        wide = [f for f in frames if f["text"] > f["w"]]
        assert wide == [], (width, wide[:3])
        assert sum(1 for f in frames if f["label"]) > 10
    page.browser.size(800, 700)
    page.browser.settle()
    assert near(page.frames()[0]["w"], 780)
    page.make("--width", "900", "all.raw", cwd=fixtures + "/dflash")
    page.open(width=1500)
    assert near(page.frames()[0]["w"], 880)


def stands_on_its_root(page, fixtures):
    page.make("--layout", "flame", "before.txt", cwd=fixtures + "/flame")
    page.open()
    frames = {f["title"].split(" ")[0]: f for f in page.frames()}
    assert frames["all"]["y"] > frames["main"]["y"] > frames["compress"]["y"]
    page.browser.press("ArrowUp", "ArrowUp")
    now = page.browser.run("return document.querySelector('.frames > g.now').getAttribute('aria-label')")
    assert now.startswith("main"), now


def reads_in_light_and_dark(page, fixtures):
    arguments = {"modules": ("dflash", ["all.raw"]),
                 "changes": ("flame", ["--diff", "before.txt", "after.txt"])}
    for what, (folder, given) in arguments.items():
        page.make(*given, cwd=fixtures + "/" + folder)
        for scheme in ("light", "dark"):
            for fragment in ("", "#find=read", "#module=1"):
                page.open(fragment, scheme=scheme)
                paper = page.browser.run(
                    "return getComputedStyle(document.querySelector('.page')).fill")
                for f in page.shown():
                    if f["label"]:
                        ground = colours.over(f["fill"], float(f["opacity"]), paper)
                        contrast = colours.contrast(f["ink"], ground)
                        assert contrast >= 4.5, (what, scheme, fragment, contrast, f)
                texts = page.browser.run("""return Array.from(
                    document.querySelectorAll('.title, .about text, .foot text, .key text'),
                    (t) => getComputedStyle(t).fill)""")
                assert min(colours.contrast(t, paper) for t in texts) >= 4.5, (scheme, texts)


def colours_differ_for_everyone(page, fixtures):
    page.make("all.raw", cwd=fixtures + "/dflash")
    for scheme in ("light", "dark"):
        page.open(scheme=scheme)
        palette = page.browser.run("""return Array.from(document.querySelectorAll('.key rect'),
            (r) => getComputedStyle(r).fill)""")
        assert len(palette) == 7, palette
        for sight in colours.SIGHTS:
            least = colours.least_distance(palette, sight)
            assert least[0] >= 0.085, (scheme, sight, least)


TESTS = [opens_complete, zooms_and_links, searches, answers_keys, tells_details, highlights_modules,
         lets_names_do_nothing, fits_windows, stands_on_its_root, reads_in_light_and_dark,
         colours_differ_for_everyone]


def take_pictures(page, fixtures, folder):
    os.makedirs(folder, exist_ok=True)
    for name, cwd, given in [("modules", "dflash", ["all.raw", "-r", "99", "-d", "45"]),
                             ("changes", "flame", ["--diff", "before.txt", "after.txt"]),
                             ("hostile", "flame", ["hostile.txt"])]:
        page.make(*given, cwd=fixtures + "/" + cwd)
        for scheme in ("light", "dark"):
            for width in (400, 1200, 1900):
                page.open(width=width, scheme=scheme)
                page.browser.picture(f"{folder}/{name}-{scheme}-{width}.png")


def main():
    if not is_there():
        print("skipped: no chromium and chromedriver; apt-get install chromium chromium-driver")
        return 77
    foldstat = os.path.abspath(sys.argv[1])
    fixtures = os.path.abspath(sys.argv[2])
    failed = 0
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        page = Page(browser, foldstat, folder)
        for test in TESTS:
            try:
                test(page, fixtures)
                assert browser.errors() == []
                print("ok    ", test.__name__)
            except (AssertionError, RuntimeError, StopIteration):
                failed += 1
                print("FAILED", test.__name__)
                traceback.print_exc()
        if "--pictures" in sys.argv:
            take_pictures(page, fixtures, sys.argv[sys.argv.index("--pictures") + 1])
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
