// Which stretch of a long text is explained: it begins and ends where no token is cut.
//
// Rule: a stretch has at most MOST characters, or as many as are asked for. Its edges are cuts of the tokenizer over the whole
// text, after a line end or between words, where there is such a place. What it is cut into is
// compared with the tokens of the whole text: a tokenizer may look further than the edge.

import { wellFormed } from "./glyphs.js";
import { state } from "./state.js";
import { cutsOf } from "./systems.js";

const MOST = 400; // code points of a text whose way is shown; more would hardly be read
const REACH = 8; // how far before a place a token may begin that has a part of its character
const NEAR = 80; // how far from where it might begin or end a better place is looked for

/** The stretch from about a place on, from just there if that is `exact`, to `last` at the most:
 * { start, end, text, tokens }, its tokens in the whole text, null where it is all of it;
 * `ask(start, characters)` gets those of the whole text there. */
export async function stretchOf(text, { from: wanted, last = null, exact = false, size = MOST }, ask) {
  const signs = [...text];
  const from = exact ? wanted : Math.min(wanted, signs.length - size);
  if (signs.length <= size) return { start: 0, end: signs.length, text, tokens: null };
  const tokens = await ask(Math.max(from - REACH, 0), size + NEAR + REACH);
  const cuts = [...cutsOf(tokens)].filter((it) => it >= from).sort((a, b) => a - b);
  const start = exact || from === 0 ? from : best(signs, cuts.filter((it) => it <= from + NEAR)) ?? cuts[0] ?? from;
  const most = Math.min(start + size, last ?? signs.length);
  const ends = cuts.filter((it) => it > start && it <= most);
  const end = most === last || most === signs.length ? most
    : best(signs, ends.filter((it) => it > most - NEAR)) ?? ends.at(-1) ?? cuts.find((it) => it > start) ?? most;
  const within = tokens.filter((it) => it.start >= start && it.end <= end && it.start < end);
  return { start, end, text: signs.slice(start, end).join(""), tokens: within };
}

/** Asks for the tokens of a text from a place on, as the text is read now. */
export const tokensOf = (api, text, tokenizer, signal) => async (start, characters) => {
  const asked = { text, tokenizers: [tokenizer], allow_special: state.special, start, characters };
  const { columns: [column] } = await api.tokens(asked, signal);
  return column.tokens ?? [];
};

/** What is asked of a stretch: special tokens stand around the whole text only. */
export const asked = ({ text, tokens }, tokenizer) => ({
  text: wellFormed(text), tokenizer, allow_special: state.special,
  add_special_tokens: state.around && tokens === null,
});

/** Where a stretch that is looked at around a place, or ends at one, begins at the earliest. */
export const before = (place) => Math.max(place - MOST, 0);
export const around = (place, size = MOST) => Math.max(place - size / 4, 0);

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
