// How wide a token will be drawn, in em of the lanes' text: letters are measured as the browser's
// fonts have them, glyphs and numbers are of one width.

import { runs } from "./glyphs.js";

const PADDING = 0.36;
const MONO = 0.35; // of a letter of a glyph, with its smaller size
const pen = document.createElement("canvas").getContext("2d");
const known = new Map();
const MOST_KNOWN = 20_000;

/** A function that gives the width of a token in this view. */
export function widthsOf(view) {
  if (view === "ids") return ({ id }) => 0.47 * String(id).length + 0.85;
  if (view === "bytes") return ({ bytes }) => 0.66 * bytes.length + 0.65;
  const serif = getComputedStyle(document.documentElement).getPropertyValue("--serif");
  pen.font = `100px ${serif}`;
  return ({ part, bytes, mark, body, unknown }) => (unknown ? 1.6 : 0) +
    (part ? 0.525 * bytes.length + 0.5 : PADDING + 0.36 * mark.length + textWidth(body));
}

function textWidth(text) {
  const before = known.get(text);
  if (before !== undefined) return before;
  const width = runs(text).reduce((sum, [kind, shown]) => sum + runWidth(kind, shown), 0);
  if (known.size > MOST_KNOWN) known.clear();
  known.set(text, width);
  return width;
}

function runWidth(kind, shown) {
  if (kind === "text") return pen.measureText(shown).width / 100;
  return kind === "glyph" ? MONO * shown.length + 0.5 : 0.55;
}
