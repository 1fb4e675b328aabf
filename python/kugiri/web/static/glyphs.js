// Texts as they are shown: nothing in them is invisible, and nothing turns round what is beside it.
//
// Rule: a character without ink is shown by its glyph (a table of the server's, /api/glyphs), a
// part of a character by its bytes, over the character where that is known. A string of a
// vocabulary is drawn by `symbol`, a text of the user's by `quoted`, both in a <bdi>. The server
// counts code points; strings here are UTF-16, so places are converted at the border.

import { h } from "./elements.js";

const INKLESS =
  /[\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Cc}\p{Cs}\u2065\ufff0-\ufff8\ufffe\uffff\u{e0000}-\u{e0fff}]/u;
const BYTES = /^<([0-9a-f]{2}(?: [0-9a-f]{2})*)>$/;
const BYTE_PIECE = /^<0x([0-9A-F]{2})>$/; // as SentencePiece names what it falls back on
const MARK = "\u2581"; // stands for a space in pieces of SentencePiece
const CONTROLS =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM " +
  "SUB ESC FS GS RS US";
const NAMES = new Map(CONTROLS.split(" ").map((name, code) => [code, name]));

const table = new Map();

/** Keep the server's table of glyphs: hexadecimal code points → what is shown. */
export function keepGlyphs(glyphs) {
  for (const [code, glyph] of Object.entries(glyphs)) table.set(parseInt(code, 16), glyph);
}

/** The bytes of a token that is shown by them, as a part of a character is: "e5 b0"; or null. */
export const hexOf = (token) =>
  BYTES.exec(token)?.[1] ?? BYTE_PIECE.exec(token)?.[1].toLowerCase() ?? null;

/** Whether a token is shown by its bytes. */
export const isBytes = (token) => hexOf(token) !== null;

/** The glyph of a character, or null where it shows itself. */
function glyphOf(character) {
  const code = character.codePointAt(0);
  if (code > 0x20 && code < 0x7f) return null;
  const known = table.get(code);
  if (known !== undefined) return known;
  if (!INKLESS.test(character)) return null;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** The runs of a text: [kind, shown] with kind "text", "space", "mark" or "glyph". */
export function runs(text) {
  const found = [];
  for (const character of text) {
    const code = character.codePointAt(0);
    const glyph = glyphOf(character);
    if (code === 0x20) found.push(["space", " "]);
    else if (character === MARK) found.push(["mark", MARK]);
    else if (glyph !== null) found.push(["glyph", named(code, glyph)]);
    else if (found.at(-1)?.[0] === "text") found.at(-1)[1] += character;
    else found.push(["text", startsWithMark(character) ? `\u25cc${character}` : character]);
  }
  return found;
}

const startsWithMark = (character) => /^[\p{Mn}\p{Me}]/u.test(character);

/** A control by its name, the rest without the angle brackets: the frame stands for them. */
function named(code, glyph) {
  if (code === 0x7f) return "DEL";
  return NAMES.get(code) ?? glyph.replace(/^<(.+)>$/s, "$1");
}

/** A text as a plain string with nothing invisible in it, for names and labels. */
export function visible(text) {
  if (isBytes(text)) return `<${hexOf(text)}>`;
  return [...text].map((it) => (it === " " ? it : (glyphOf(it) ?? it))).join("");
}

/** A text of the user's as an element. */
export const quoted = (text) => h("bdi", {}, runs(text).map(drawn));

/** A string of a vocabulary as an element: what it says, or its bytes, below them the characters
 * `of` which they are a part. */
export function symbol(token, of = null) {
  if (!isBytes(token)) return quoted(token);
  const bytes = h("bdi", { class: "bytes" }, hexOf(token));
  if (of === null) return bytes;
  return h("span", { class: "parted" }, bytes, h("small", { class: "of" }, quoted(of)));
}

function drawn([kind, shown]) {
  if (kind === "text") return shown;
  return h("i", { class: kind }, shown);
}

/** A long text cut short, for labels: its beginning and an ellipsis. */
export function shortened(text, most = 60) {
  const points = [...text.slice(0, 2 * most + 2)];
  return points.length <= most ? text : `${points.slice(0, most - 1).join("")}…`;
}

/** The language that decides how Chinese characters are drawn, where the text shows it. */
export function languageOf(text) {
  const beginning = text.slice(0, 2_000);
  if (/[\u3041-\u30ff]/.test(beginning)) return "ja";
  if (/[\uac00-\ud7a3]/.test(beginning)) return "ko";
  return /[\u4e00-\u9fff]/.test(beginning) ? "ja" : null;
}

/** How many code points a string has before this place, which counts UTF-16 units. */
export function pointsAt(text, unit) {
  let points = 0;
  for (let at = 0; at < unit; at += text.codePointAt(at) > 0xffff ? 2 : 1) points += 1;
  return points;
}

/** The place, in UTF-16 units, after this many code points; `from` is a place known already. */
export function unitsAt(text, points, from = 0) {
  let at = from;
  for (let left = points; left > 0 && at < text.length; left -= 1) {
    at += text.codePointAt(at) > 0xffff ? 2 : 1;
  }
  return at;
}

/** The part of a text between two places in code points. */
export function sliced(text, start, end) {
  const from = unitsAt(text, start);
  return text.slice(from, unitsAt(text, end - start, from));
}

/** The text as the server can read it: half a surrogate pair is no character. */
export const wellFormed = (text) => text.toWellFormed();
