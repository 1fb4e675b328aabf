// Which stretch of a long text is explained: it begins and ends where no token is cut.
//
// Rule: a stretch has at most MOST characters. Its edges are cuts of the tokenizer over the whole
// text, after a line end or between words, where there is such a place. What it is cut into is
// compared with the tokens of the whole text: a tokenizer may look further than the edge.

import { cutsOf } from "./systems.js";

const MOST = 400; // code points of a text whose way is shown; more would hardly be read
const REACH = 8; // how far before a place a token may begin that has a part of its character
const NEAR = 80; // how far from where it might begin or end a better place is looked for

/** The stretch from about a place on, from just there if that is `exact`, to `last` at the most:
 * { start, end, ids, text }; `ask(start, characters)` gets the tokens of the whole text there. */
export async function stretchOf(text, { from: wanted, last = null, exact = false }, ask) {
  const signs = [...text];
  const from = exact ? wanted : Math.min(wanted, signs.length - MOST);
  if (signs.length <= MOST) return { start: 0, end: signs.length, ids: null, text };
  const tokens = await ask(Math.max(from - REACH, 0), MOST + NEAR + REACH);
  const cuts = [...cutsOf(tokens)].filter((it) => it >= from).sort((a, b) => a - b);
  const start = exact || from === 0 ? from : best(signs, cuts.filter((it) => it <= from + NEAR)) ?? cuts[0] ?? from;
  const most = Math.min(start + MOST, last ?? signs.length);
  const ends = cuts.filter((it) => it > start && it <= most);
  const end = most === last || most === signs.length ? most
    : best(signs, ends.filter((it) => it > most - NEAR)) ?? ends.at(-1) ?? cuts.find((it) => it > start) ?? most;
  const ids = tokens.filter((it) => it.start >= start && it.end <= end && it.start < end).map((it) => it.id);
  return { start, end, ids, text: signs.slice(start, end).join("") };
}

/** Where a stretch that is looked at around a place, or ends at one, begins at the earliest. */
export const before = (place) => Math.max(place - MOST, 0);
export const around = (place) => Math.max(place - MOST / 4, 0);

/** The best of these places, the last of its kind; null where none is good. */
function best(signs, places) {
  const kinds = places.map((it) => kindOf(signs[it - 1], signs[it]));
  const kind = Math.max(...kinds);
  return kind > 0 ? places[kinds.lastIndexOf(kind)] : null;
}

/** 2 after a line or a sentence of Japanese ends, 1 before the space of a word. */
function kindOf(left, right) {
  if (/[\n。！？]/u.test(left)) return 2;
  return /\S/u.test(left ?? " ") && /[^\S\n]/u.test(right ?? " ") ? 1 : 0;
}
