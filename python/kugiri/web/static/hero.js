// The text itself, large, as something one can write in, with the cuts of a tokenizer in it.
//
// Rule: a textarea lies over a mirror of its text; the mirror makes the place as high as the text
// and has the cuts as strokes. While one writes, the cuts of what did not change stay. A text
// longer than MIRRORED is written in a box that scrolls, without strokes; one longer than LONGEST,
// which a browser lays out too slowly to be written in, is held, and its beginning shown.

import { button, fill, h } from "./elements.js";
import { languageOf, quoted, shortened } from "./glyphs.js";
import { t } from "./messages.js";

/** UTF-16 units of a text that has strokes. */
export const MIRRORED = 20_000;

const LONGEST = 100_000;
const PREVIEW = 600;
const SIZES = [[300, "hero longest"], [60, "hero long"], [0, "hero"]];
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** The editor. `onText(text)` is told what was written, `onSelection(start, end)` what is chosen. */
export function heroOf({ onText, onSelection }) {
  const area = h("textarea", {
    id: "text", rows: 1, spellcheck: "false", autocapitalize: "off", autocomplete: "off",
    "aria-label": t("text"), placeholder: t("write-here"),
  });
  const mirror = h("div", { class: "mirror", "aria-hidden": "true" });
  const writing = h("div", { class: "writing" }, mirror, area);
  const held = h("div", { class: "held" });
  const element = h("div", { class: "hero" }, writing, held);
  let text = "";
  let cuts = [];

  function draw() {
    const long = text.length > LONGEST;
    element.className = SIZES.find(([most]) => text.length >= most)[1];
    element.lang = languageOf(text) ?? "";
    writing.hidden = long;
    held.hidden = !long;
    const isPlain = !long && text.length > MIRRORED;
    writing.classList.toggle("plain", isPlain);
    if (long) return fill(held, ...heldParts(text, () => write("")));
    fill(mirror, isPlain ? null : between(text, cuts), "\u200b");
    element.classList.toggle("airy", !RIGHT_TO_LEFT.test(text));
  }

  function write(came) {
    const written = asWritten(came);
    cuts = written.length > MIRRORED ? [] : carried(cuts, text, written);
    text = written;
    if (written.length > LONGEST) area.value = "";
    else if (area.value !== written) area.value = written;
    draw();
    onText(text);
  }

  area.addEventListener("input", () => write(area.value));
  area.addEventListener("paste", (event) => {
    const pasted = asWritten(event.clipboardData?.getData("text/plain") ?? "");
    if (pasted.length <= MIRRORED) return;
    event.preventDefault(); // the text area would lay it out line by line
    const [start, end] = [area.selectionStart, area.selectionEnd];
    write(area.value.slice(0, start) + pasted + area.value.slice(end));
    area.setSelectionRange(start + pasted.length, start + pasted.length);
  });
  document.addEventListener("selectionchange", () => {
    if (document.activeElement === area) onSelection(area.selectionStart, area.selectionEnd);
  });

  return {
    element,
    /** Show another text. */
    show(shown) {
      if (asWritten(shown) !== text) write(shown);
      else draw();
    },
    /** Draw the cuts at these places (UTF-16). */
    cut(places) {
      cuts = places;
      if (text.length <= MIRRORED) fill(mirror, between(text, cuts), "\u200b");
    },
    focus: () => area.focus(),
  };
}

/** A text with the line ends that a text area gives all of them. */
const asWritten = (text) => text.replace(/\r\n?/g, "\n");

/** The text between the cuts, each part with its stroke. */
function between(text, cuts) {
  const edges = [0, ...cuts, text.length];
  return edges.slice(1).map((end, at) => {
    const part = text.slice(edges[at], end);
    const side = RIGHT_TO_LEFT.test(part) ? "stroke right" : "stroke";
    return h("span", { class: at > 0 ? side : null }, part);
  });
}

/** The cuts of a text after it was changed in one place: those before it and after it. */
export function carried(cuts, before, after) {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const moved = after.length - before.length;
  return [
    ...cuts.filter((it) => it <= head),
    ...cuts.filter((it) => it > head && it >= before.length - tail).map((it) => it + moved),
  ].filter((it) => it < after.length);
}

function heldParts(text, clear) {
  const beginning = shortened(text, PREVIEW);
  return [
    h("p", { class: "beginning" }, quoted(beginning)),
    h("p", { class: "soft" }, t("held", { n: text.length }), " ",
      button(t("clear"), clear, { class: "quiet" })),
  ];
}
