/* What makes a flame graph answer: zoom, search, keys, details and links.
 *
 * The picture is complete without it. The script reads what the elements say (places in percent of
 * the width, samples in fg:x and fg:w, names in titles) and keeps nothing else. Names are anybody's
 * bytes: they go into the page as text only, through textContent.
 *
 * Where the reader is stands in the fragment of the URL, and nowhere else: whatever changes the view
 * sets the fragment, and the view follows it. So a link, the history and a click are the same. */
(function () {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const HTML = "http://www.w3.org/1999/xhtml";
  const MARGIN = 10; // pixels beside everything
  const CELL = 7.25; // pixels of a character of the frames' font, at most
  const BAR = 540; // pixels that the controls take beside the title
  const picture = document.currentScript.closest("svg");
  const stage = picture.querySelector(".frames");
  const ROW = Number(stage.dataset.row);
  const flame = stage.dataset.layout === "flame";
  const differential = "before" in stage.dataset;
  const own = "reverse" in stage.dataset ? "begins here" : "self"; // stacks that go no further
  const unit = stage.dataset.unit;
  const scale = 10 ** Number(stage.dataset.decimals); // fg:w of one unit
  const fixed = picture.dataset.width === "fixed";
  const standalone = picture === document.documentElement;

  // ---- the frames, callers before what they called --------------------------------------------

  const groups = Array.from(stage.children);
  const count = groups.length;
  const rects = groups.map((g) => g.querySelector("rect"));
  const texts = groups.map((g) => g.querySelector("text"));
  const titles = groups.map((g) => g.querySelector("title"));
  const names = titles.map((t) => t.textContent.slice(0, t.textContent.lastIndexOf(" (")));
  const left = new Float64Array(count);
  const width = new Float64Array(count);
  const first = new Float64Array(count);
  const samples = new Float64Array(count);
  const depth = new Int32Array(count);
  const parent = new Int32Array(count);
  const end = new Int32Array(count); // behind the last frame above it
  const inner = new Float64Array(count); // samples in the frames above it that are drawn
  const byKey = new Map();
  const keys = new Array(count);
  const levels = Number(stage.dataset.levels);

  function takeFrame(i, open) {
    const r = rects[i];
    left[i] = parseFloat(r.getAttribute("x")) / 100;
    width[i] = parseFloat(r.getAttribute("width")) / 100;
    first[i] = Number(r.getAttribute("fg:x"));
    samples[i] = Number(r.getAttribute("fg:w"));
    const row = Math.round(Number(r.getAttribute("y")) / ROW);
    depth[i] = flame ? levels - 1 - row : row;
    while (open.length > depth[i]) end[open.pop()] = i;
    parent[i] = open.length > 0 ? open[open.length - 1] : -1;
    if (parent[i] >= 0) inner[parent[i]] += samples[i];
    open.push(i);
    let key = (samples[i] > 0 ? "" : "g") + depth[i] + "." + first[i];
    for (let n = 2, base = key; byKey.has(key); n++) key = base + "." + n;
    byKey.set(key, i);
    keys[i] = key;
  }

  function takeFrames() {
    const open = [];
    for (let i = 0; i < count; i++) takeFrame(i, open);
    while (open.length > 0) end[open.pop()] = count;
  }

  // ---- numbers and labels ------------------------------------------------------------------------

  const grouped = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 12 });
  const counted = (value) => grouped(value / scale) + " " + unit;

  function percent(part, whole) {
    if (!(whole > 0)) return "-";
    const p = (part / whole) * 100;
    return p > 0 && p < 0.05 ? "<0.1 %" : p.toFixed(1) + " %";
  }

  const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u;

  function cells(text) {
    let n = 0;
    for (const c of text) n += wide.test(c) ? 2 : 1;
    return n;
  }

  function cut(text, most) {
    let n = 0;
    let out = "";
    for (const c of text) {
      n += wide.test(c) ? 2 : 1;
      if (n > most - 1) return out + "\u2026";
      out += c;
    }
    return out;
  }

  // As src/render/flame_svg.c does: all of it, or without folders, or the function, or its start.
  function label(name, most) {
    if (most < 3) return "";
    if (name.length <= most && cells(name) <= most) return name;
    const parts = /^(.*\S) \(([^()]*)\)$/s.exec(name);
    const short = parts ? parts[1] + " (" + parts[2].replace(/^.*[/\\]/s, "") + ")" : name;
    if (cells(short) <= most) return short;
    const alone = parts ? parts[1] : name;
    return cells(alone) <= most ? alone : cut(alone, most);
  }

  // ---- the view ------------------------------------------------------------------------------------

  const view = { zoom: 0, find: "", key: "" };
  let pixels = 0; // width of the stage
  let now = 0; // the frame that keys act on

  function setLabel(i, w) {
    const text = label(names[i], Math.floor((w * pixels - 6) / CELL));
    if (!texts[i]) {
      if (text === "") return;
      texts[i] = document.createElementNS(SVG, "text");
      texts[i].setAttribute("dx", "4");
      texts[i].setAttribute("y", Number(rects[i].getAttribute("y")) + 13);
      groups[i].append(texts[i]);
    }
    if (texts[i].textContent !== text) texts[i].textContent = text;
  }

  function place(i, x, w, above) {
    const g = groups[i];
    g.removeAttribute("display");
    rects[i].setAttribute("x", x * 100 + "%");
    rects[i].setAttribute("width", w * 100 + "%");
    g.classList.toggle("thin", w * pixels < 3);
    g.classList.toggle("above", above);
    setLabel(i, w);
    if (texts[i]) texts[i].setAttribute("x", x * 100 + "%");
  }

  function placeAll() {
    const z = view.zoom;
    const callers = new Set();
    for (let i = parent[z]; i >= 0; i = parent[i]) callers.add(i);
    for (let i = 0; i < count; i++) {
      if (i >= z && i < end[z]) place(i, (left[i] - left[z]) / width[z], width[i] / width[z], false);
      else if (callers.has(i)) place(i, 0, 1, true);
      else groups[i].setAttribute("display", "none");
    }
  }

  // ---- search ---------------------------------------------------------------------------------------

  let hits = []; // frames that match, in their order

  // Capitals matter where there are some. What is no pattern is looked for as it stands.
  function matcher(text) {
    const flags = /[A-Z]/.test(text) ? "u" : "iu";
    try {
      return new RegExp(text, flags);
    } catch {
      return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, (c) => "\\x" + c.charCodeAt(0).toString(16)), flags);
    }
  }

  function isHit() {
    if (view.key !== "") return (i) => groups[i].classList.contains(view.key);
    const pattern = matcher(view.find);
    const known = new Map();
    return (i) => {
      if (!known.has(names[i])) known.set(names[i], pattern.test(names[i]));
      return known.get(names[i]);
    };
  }

  // Samples of the zoomed frame that lie in a match: of matches in each other the outermost counts.
  function matched() {
    let sum = 0;
    let behind = view.zoom;
    for (const i of hits) {
      if (i >= end[view.zoom]) break;
      if (i < behind) continue;
      sum += samples[i];
      behind = end[i];
    }
    return sum;
  }

  function markHits() {
    const searching = view.find !== "" || view.key !== "";
    hits = [];
    stage.classList.toggle("dimmed", searching);
    stage.classList.toggle("found", view.find !== "" && view.key === "");
    const hit = searching ? isHit() : () => false;
    for (let i = 0; i < count; i++) {
      const is = hit(i);
      if (is) hits.push(i);
      groups[i].classList.toggle("hit", is);
    }
  }

  function tellHits() {
    const searching = view.find !== "" || view.key !== "";
    if (!searching) {
      said.textContent = "";
      return;
    }
    const whole = samples[view.zoom];
    const inView = hits.filter((i) => i >= view.zoom && i < end[view.zoom]).length;
    said.textContent =
      grouped(inView) + (inView === 1 ? " frame, " : " frames, ") + percent(matched(), whole) +
      (view.zoom > 0 ? " of this view" : " of all");
  }

  // ---- the fragment ---------------------------------------------------------------------------------

  function fragment(to) {
    const parts = [];
    if (to.zoom > 0) parts.push("zoom=" + keys[to.zoom]);
    if (to.find !== "") parts.push("find=" + encodeURIComponent(to.find));
    if (to.key !== "") parts.push("module=" + to.key.slice(1));
    return "#" + parts.join("&");
  }

  function readFragment() {
    const said = { zoom: 0, find: "", key: "" };
    if (!standalone) return said;
    for (const part of window.location.hash.slice(1).split("&")) {
      const at = part.indexOf("=");
      let value = part.slice(at + 1);
      try {
        value = decodeURIComponent(value);
      } catch {
        // as it stands
      }
      if (part.startsWith("zoom=") && byKey.has(value)) said.zoom = byKey.get(value);
      if (part.startsWith("find=")) said.find = value;
      if (part.startsWith("module=") && /^[0-5x]$/.test(value)) said.key = "k" + value;
    }
    return said;
  }

  function show(to) {
    const again = to.find !== view.find || to.key !== view.key;
    const moved = to.zoom !== view.zoom;
    Object.assign(view, to);
    if (moved) {
      placeAll();
      setNow(view.zoom, false);
    }
    if (again) markHits();
    if (document.activeElement !== field) field.value = view.find;
    reset.hidden = view.zoom === 0 && view.find === "" && view.key === "";
    tellHits();
  }

  // Goes to a view: by the fragment, so that it is a step of the history, unless it replaces one.
  function go(change, replace) {
    const to = Object.assign({}, view, change);
    show(to);
    if (!standalone || fragment(to) === (window.location.hash || "#")) return;
    if (replace) window.location.replace(fragment(to));
    else window.location.hash = fragment(to);
  }

  // ---- details -----------------------------------------------------------------------------------------

  function html(tag, name, text) {
    const e = document.createElementNS(HTML, tag);
    if (name) e.setAttribute("class", name);
    if (text !== undefined) e.textContent = text;
    return e;
  }

  function foreign() {
    const f = document.createElementNS(SVG, "foreignObject");
    f.setAttribute("width", "0");
    f.setAttribute("height", "0");
    picture.append(f);
    return f;
  }

  function row(table, heading, ...values) {
    const tr = html("tr");
    tr.append(html("th", "", heading));
    for (const v of values) tr.append(html("td", "", v));
    table.append(tr);
  }

  function selfOf(i) {
    const said = groups[i].dataset.self;
    return said === undefined ? samples[i] - inner[i] : Number(said) * scale;
  }

  function shareTable(i) {
    const table = html("table");
    const all = samples[0];
    row(table, "total", counted(samples[i]), percent(samples[i], all));
    row(table, own, counted(selfOf(i)), percent(selfOf(i), all));
    if (parent[i] > 0) row(table, "of its caller", "", percent(samples[i], samples[parent[i]]));
    if (view.zoom > 0 && i > view.zoom && i < end[view.zoom] && parent[i] !== view.zoom) {
      row(table, "of this view", "", percent(samples[i], samples[view.zoom]));
    }
    return table;
  }

  function changeTable(i) {
    const table = html("table");
    const before = Number(groups[i].dataset.before || 0);
    const was = before / Number(stage.dataset.before);
    const is = samples[i] / samples[0];
    const points = (is - was) * 100;
    row(table, "before", grouped(before) + " " + unit, percent(was, 1));
    row(table, "after", counted(samples[i]), percent(is, 1));
    row(table, "change", "", (points < 0 ? "\u2212" : "+") + Math.abs(points).toFixed(1) + " points");
    row(table, own + " after", counted(selfOf(i)), percent(selfOf(i), samples[0]));
    return table;
  }

  const verdicts = { g: "gone", n: "new", c: "a change beyond noise", s: "within noise" };

  function fillCard(i) {
    const g = groups[i];
    card.replaceChildren(html("b", "", names[i]), differential ? changeTable(i) : shareTable(i));
    const about = [];
    if (differential && i > 0) about.push(verdicts[g.dataset.verdict] || verdicts.s);
    if (differential && g.dataset.verdict === "g" && g.classList.contains("s")) about.push(verdicts.s);
    const module = legend.find((k) => g.classList.contains(k.key));
    if (module) about.push(module.name);
    if (about.length > 0) card.append(html("p", "", about.join(" \u00b7 ")));
  }

  // The part of the picture that the window shows, in the picture's pixels.
  function visible() {
    const box = picture.getBoundingClientRect();
    const root = document.documentElement;
    const w = standalone ? window.innerWidth : root.clientWidth;
    const h = standalone ? window.innerHeight : root.clientHeight;
    return { x: Math.max(0, -box.left), y: Math.max(0, -box.top), w: Math.min(w, box.width), h: h, box: box };
  }

  function moveCard(x, y) {
    const seen = visible();
    cardFrame.setAttribute("width", Math.max(120, Math.min(460, seen.w - 2 * MARGIN)));
    cardFrame.setAttribute("height", "1");
    const size = card.getBoundingClientRect();
    let left = x + 14;
    let top = y + 18;
    if (left + size.width > seen.x + seen.w - 4) left = Math.max(seen.x + 4, x - size.width - 14);
    if (top + size.height > seen.y + seen.h - 4) top = Math.max(seen.y + 4, y - size.height - 10);
    cardFrame.setAttribute("x", left);
    cardFrame.setAttribute("y", top);
  }

  // The browser's own box would lie over the card: the title is away while the pointer is there.
  let hushed = -1;

  function hush(i) {
    if (hushed === i) return;
    if (hushed >= 0) groups[hushed].prepend(titles[hushed]);
    if (i >= 0) titles[i].remove();
    hushed = i;
  }

  function hideCard() {
    cardFrame.setAttribute("display", "none");
    hush(-1);
  }

  function showCard(i, x, y) {
    hush(i);
    cardFrame.removeAttribute("display");
    fillCard(i);
    moveCard(x, y);
  }

  function setNow(i, loudly) {
    groups[now].classList.remove("now");
    groups[now].removeAttribute("tabindex");
    now = i;
    groups[i].setAttribute("tabindex", "0");
    groups[i].setAttribute("role", "button");
    groups[i].setAttribute("aria-label", titles[i].textContent);
    if (!loudly) return;
    groups[i].classList.add("now");
    groups[i].focus({ preventScroll: true });
    const box = rects[i].getBoundingClientRect();
    const root = picture.getBoundingClientRect();
    if (box.top < 60) window.scrollBy(0, box.top - 120);
    else if (box.bottom > window.innerHeight - 160) window.scrollBy(0, box.bottom - window.innerHeight + 200);
    showCard(i, Math.max(box.left, 0) - root.left + 10, box.top - picture.getBoundingClientRect().top);
  }

  // ---- controls -------------------------------------------------------------------------------------------

  const barFrame = foreign();
  const bar = html("div", "bar");
  const said = html("output");
  const field = html("input");
  const reset = html("button", "", "Reset");
  const question = html("button", "", "?");
  const cardFrame = foreign();
  const card = html("div", "card");
  const helpFrame = foreign();
  const help = html("div", "help");
  const legend = Array.from(picture.querySelectorAll(".key")).map((g) => ({
    g: g,
    key: Array.from(g.classList).find((c) => /^k[0-5x]$/.test(c)) || "",
    name: g.dataset.name || "",
  }));

  function makeControls() {
    said.setAttribute("aria-live", "polite");
    field.setAttribute("type", "search");
    field.setAttribute("placeholder", "Search (press /)");
    field.setAttribute("aria-label", "Search frames, by a pattern");
    field.setAttribute("spellcheck", "false");
    reset.setAttribute("title", "Show all again (Esc)");
    question.setAttribute("title", "Keys (?)");
    bar.append(said, field, reset, question);
    barFrame.append(bar);
    card.setAttribute("role", "status");
    cardFrame.append(card);
    cardFrame.setAttribute("display", "none");
    cardFrame.setAttribute("pointer-events", "none");
    helpFrame.append(help);
    helpFrame.setAttribute("display", "none");
  }

  function makeHelp() {
    const table = html("table");
    row(table, "click, Enter", "zoom into a frame");
    row(table, "arrows", "go from frame to frame");
    row(table, "/", "search, by a pattern; a capital makes case count");
    row(table, "n  N", "the next match, the one before");
    row(table, "Backspace", "zoom out by one frame");
    row(table, "Esc, 0", "show all again");
    row(table, "?", "this box");
    help.append(table, html("p", "", "The address of the page is a link to what it shows."));
    for (const td of help.querySelectorAll("td")) td.setAttribute("style", "text-align:left");
  }

  function toggleHelp(on) {
    const hidden = helpFrame.hasAttribute("display");
    if (on === undefined ? hidden : on) helpFrame.removeAttribute("display");
    else helpFrame.setAttribute("display", "none");
  }

  // ---- layout ------------------------------------------------------------------------------------------------

  // Lines of a paragraph, as the picture has them; joined and broken anew.
  const paragraphs = Array.from(picture.querySelectorAll("g.about, g.foot")).map((g) => ({
    g: g,
    words: Array.from(g.children, (t) => t.textContent).join(" ").split(" "),
  }));

  function flow(p, y, w) {
    const lines = [""];
    const probe = p.g.children[0];
    for (const word of p.words) {
      const longer = lines[lines.length - 1] === "" ? word : lines[lines.length - 1] + " " + word;
      probe.textContent = longer;
      if (probe.getComputedTextLength() > w && lines[lines.length - 1] !== "") lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    p.g.replaceChildren(
      ...lines.map((line, k) => {
        const t = document.createElementNS(SVG, "text");
        t.setAttribute("x", MARGIN);
        t.setAttribute("y", y + 17 * k);
        t.textContent = line;
        return t;
      }),
    );
    return y + 17 * lines.length;
  }

  function flowLegend(y, w) {
    let x = MARGIN;
    for (const k of legend) {
      const size = Number(k.g.dataset.size);
      if (x + size > MARGIN + w && x > MARGIN) {
        x = MARGIN;
        y += 20;
      }
      k.g.setAttribute("transform", "translate(" + x + " " + y + ")");
      x += size;
    }
    return legend.length > 0 ? y + 24 : y;
  }

  const title = picture.querySelector("text.title");
  const titleText = title.textContent;

  function flowTitle(w) {
    title.textContent = titleText;
    for (let n = titleText.length; n > 1 && title.getComputedTextLength() > w; n--) {
      title.textContent = titleText.slice(0, n - 1) + "\u2026";
    }
  }

  let roots = 0; // y of the stage

  function layOut() {
    const w = fixed ? Number(picture.getAttribute("width")) : Math.max(280, Math.floor(visible().box.width));
    const narrow = w < 760;
    pixels = w - 2 * MARGIN;
    flowTitle(narrow ? pixels : pixels - BAR);
    let y = narrow ? 82 : 46;
    for (const p of paragraphs) if (p.g.classList.contains("about")) y = flow(p, y, narrow ? pixels : pixels - 10);
    y = flowLegend(y - 6, pixels) + 2;
    roots = y;
    stage.setAttribute("y", y);
    stage.setAttribute("width", pixels);
    y += levels * ROW + 20;
    for (const p of paragraphs) if (p.g.classList.contains("foot")) y = flow(p, y, pixels);
    picture.setAttribute("height", y + 4);
    barFrame.setAttribute("width", narrow ? pixels : BAR);
    barFrame.setAttribute("height", "36");
    barFrame.setAttribute("x", narrow ? MARGIN : w - MARGIN - BAR);
    helpFrame.setAttribute("width", Math.min(430, pixels));
    helpFrame.setAttribute("height", "1");
    follow();
  }

  // Controls stay in sight when the page is scrolled.
  function follow() {
    const seen = visible();
    const w = Number(picture.getAttribute("width")) || seen.box.width;
    const at = w < 760 ? 34 : 6;
    barFrame.setAttribute("y", Math.max(at, seen.y + 4));
    helpFrame.setAttribute("x", Math.max(MARGIN, w - MARGIN - Math.min(430, pixels)));
    helpFrame.setAttribute("y", Math.max(at, seen.y + 4) + 40);
  }

  // ---- events ---------------------------------------------------------------------------------------------------

  function frameOf(event) {
    const g = event.target.closest ? event.target.closest(".frames > g") : null;
    return g === null ? -1 : groups.indexOf(g);
  }

  let under = -1;

  stage.addEventListener("pointerover", (event) => {
    under = frameOf(event);
    if (under < 0) hideCard();
  });
  stage.addEventListener("pointermove", (event) => {
    if (under < 0) return;
    const box = picture.getBoundingClientRect();
    showCard(under, event.clientX - box.left, event.clientY - box.top);
  });
  stage.addEventListener("pointerleave", hideCard);
  stage.addEventListener("click", (event) => {
    const i = frameOf(event);
    if (i >= 0) go({ zoom: i }, false);
  });

  function child(i, of) {
    let best = -1;
    for (let k = of + 1; k < end[of]; k = end[k]) {
      if (best < 0 || (i < 0 ? width[k] > width[best] : k === i)) best = k;
    }
    return best;
  }

  function beside(i, step) {
    const p = parent[i];
    if (p < 0) return i;
    if (step > 0) return end[i] < end[p] ? end[i] : i;
    let before = i;
    for (let k = p + 1; k < i; k = end[k]) before = k;
    return before;
  }

  function nextHit(step) {
    const seen = hits.filter((i) => i >= view.zoom && i < end[view.zoom]);
    if (seen.length === 0) return;
    const behind = seen.findIndex((i) => (step > 0 ? i > now : i >= now));
    const at = step > 0 ? (behind < 0 ? 0 : behind) : behind <= 0 ? seen.length - 1 : behind - 1;
    setNow(seen[at], true);
  }

  function clear() {
    field.value = "";
    toggleHelp(false);
    hideCard();
    go({ zoom: 0, find: "", key: "" }, false);
  }

  const towardLeaf = flame ? "ArrowUp" : "ArrowDown";
  const actions = {
    "/": () => field.focus(),
    "?": () => toggleHelp(),
    0: clear,
    Escape: clear,
    Enter: () => go({ zoom: now }, false),
    " ": () => go({ zoom: now }, false),
    Backspace: () => view.zoom > 0 && go({ zoom: parent[view.zoom] }, false),
    n: () => nextHit(1),
    N: () => nextHit(-1),
    ArrowLeft: () => setNow(beside(now, -1), true),
    ArrowRight: () => setNow(beside(now, 1), true),
    [towardLeaf]: () => child(-1, now) >= 0 && setNow(child(-1, now), true),
    [flame ? "ArrowDown" : "ArrowUp"]: () => parent[now] >= 0 && setNow(parent[now], true),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inBar = bar.contains(event.target);
    if (!standalone && !picture.contains(event.target)) return;
    if (event.target === field) {
      if (event.key === "Escape") {
        field.value = "";
        go({ find: "" }, false);
        field.blur();
      } else if (event.key === "Enter") {
        field.blur();
        nextHit(1);
      }
      return;
    }
    if (inBar && (event.key === "Enter" || event.key === " ")) return;
    const action = Object.prototype.hasOwnProperty.call(actions, event.key) ? actions[event.key] : null;
    if (action) {
      event.preventDefault();
      action();
    }
  });

  field.addEventListener("input", () => go({ find: field.value, key: "" }, true));
  reset.addEventListener("click", clear);
  question.addEventListener("click", () => toggleHelp());
  for (const k of legend) {
    if (k.key === "") continue;
    k.g.addEventListener("click", () => go({ key: view.key === k.key ? "" : k.key, find: "" }, false));
  }
  window.addEventListener("hashchange", () => show(readFragment()));
  window.addEventListener("scroll", follow, { passive: true });
  let waiting = 0;
  window.addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      layOut();
      placeAll();
    });
  });

  // ---- the start ---------------------------------------------------------------------------------------------------

  takeFrames();
  makeControls();
  makeHelp();
  picture.removeAttribute("viewBox");
  if (!fixed) picture.setAttribute("width", "100%");
  stage.classList.add("live");
  layOut();
  Object.assign(view, { zoom: readFragment().zoom });
  placeAll();
  setNow(view.zoom, false);
  show(readFragment());
  if (flame && standalone) window.scrollTo(0, picture.getBoundingClientRect().height);
})();
