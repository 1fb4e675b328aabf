// Pieces of text in a row: with cuts between them, or each in a frame of its own.

import { h } from "./elements.js";
import { languageOf, symbol, visible } from "./glyphs.js";

/** Words of ours, or a name, that may hold some of the user's: spaces stay spaces. */
export const plainly = (words) => h("bdi", {}, visible(words));

/** Pieces with a cut between each two, as the tokens stand in a text; `of`: for each the characters
 * that its bytes are a part of. */
export function cut(pieces, { kindOf = () => null, of = [] } = {}) {
  const drawn = pieces.map((piece, at) => h("span", { class: kindOf(at) }, symbol(piece, of[at])));
  return h("span", { class: "cut", lang: languageOf(pieces.join("")) }, drawn);
}

/** A symbol in its frame; one that was just made has ink. `of`: the characters its bytes are of. */
export function chip(piece, isNew = false, of = null) {
  return h("span", { class: isNew ? "chip new" : "chip" }, symbol(piece, of));
}

/** A pair, and what it becomes; `of`: for each of the three the characters it is a part of. */
export const pair = (left, right, of = []) => [symbol(left, of[0]), " + ", symbol(right, of[1])];
export const joined = (left, right, result, of = []) =>
  [...pair(left, right, of), " → ", h("b", {}, symbol(result, of[2]))];

/** A way to cut a text: what it has in common with the best one at both ends is softer. */
export function against(pieces, best) {
  let first = 0;
  let last = 0;
  const least = Math.min(pieces.length, best.length);
  while (first < least && pieces[first] === best[first]) first += 1;
  while (last < least - first && pieces.at(-1 - last) === best.at(-1 - last)) last += 1;
  const isSame = (at) => at < first || at >= pieces.length - last;
  return cut(pieces, pieces === best ? {} : { kindOf: (at) => (isSame(at) ? "same" : null) });
}

/** A bar of this share of the longest. */
export function bar(share, kind = "") {
  return h("span", { class: `bar ${kind}`.trim(), style: { "--share": share.toFixed(3) } });
}
