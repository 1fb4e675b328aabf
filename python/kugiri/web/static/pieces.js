// Pieces of text in a row: with cuts between them, or each in a frame of its own.

import { h } from "./elements.js";
import { languageOf, quoted, visible } from "./glyphs.js";

/** Words of ours, or a name, that may hold some of the user's: spaces stay spaces. */
export const plainly = (words) => h("bdi", {}, visible(words));

/** Pieces with a cut between each two, as the tokens stand in a text. */
export function cut(pieces, kindOf = () => null) {
  const drawn = pieces.map((piece, at) => h("span", { class: kindOf(at) }, quoted(piece)));
  return h("span", { class: "cut", lang: languageOf(pieces.join("")) }, drawn);
}

/** A symbol in its frame; one that was just made has ink. `of`: the characters its bytes are of. */
export function chip(symbol, isNew = false, of = null) {
  return h("span", { class: isNew ? "chip new" : "chip" }, quoted(symbol), whose(of));
}

/** The characters that bytes are a part of, below them. */
export const whose = (of) => (of === null ? null : h("small", { class: "of" }, quoted(of)));

/** A sentence of a pair and what it becomes. */
export function joined(left, right, result) {
  return [quoted(left), " + ", quoted(right), " → ", h("b", {}, quoted(result))];
}

/** A way to cut a text: what it has in common with the best one at both ends is softer. */
export function against(pieces, best) {
  let first = 0;
  let last = 0;
  const least = Math.min(pieces.length, best.length);
  while (first < least && pieces[first] === best[first]) first += 1;
  while (last < least - first && pieces.at(-1 - last) === best.at(-1 - last)) last += 1;
  const isSame = (at) => at < first || at >= pieces.length - last;
  return cut(pieces, pieces === best ? undefined : (at) => (isSame(at) ? "same" : null));
}

/** A bar of this share of the longest. */
export function bar(share, kind = "") {
  return h("span", { class: `bar ${kind}`.trim(), style: { "--share": share.toFixed(3) } });
}
