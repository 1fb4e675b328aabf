// The merges of an explanation as data: in which order they are shown, and the trees they make.
//
// Rule: every word merges by itself, always the pair of the lowest rank. Shown together, a step is
// the lowest rank that any word has next, in all words that have it. Symbols and merges of a word
// are numbered one after another, so that a tree of any depth is a flat list.

import { hexOf, isBytes } from "./glyphs.js";

/** The merges of each word, in order of time. */
export function byWord(model) {
  const found = model.words.map(() => []);
  for (const merge of model.merges) found[merge.word].push(merge);
  return found;
}

/** All words at once: of each step its merges, one or more in each word that has the rank next. */
export function together(merges) {
  const done = merges.map(() => 0);
  const steps = [];
  for (;;) {
    const next = merges.map((its, word) => its[done[word]]?.rank ?? Infinity);
    const rank = Math.min(...next);
    if (rank === Infinity) return steps;
    const step = [];
    next.forEach((its, word) => {
      if (its !== rank) return;
      const result = merges[word][done[word]].result;
      while (merges[word][done[word]]?.rank === rank && merges[word][done[word]].result === result) {
        step.push(merges[word][done[word]]);
        done[word] += 1;
      }
    });
    steps.push(step);
  }
}

/** The symbols of each word after so many of the steps: how many of its merges are done, and which
 * symbols the last step made. */
export function after(steps, count, words) {
  const done = Array(words).fill(0);
  const fresh = Array.from({ length: words }, () => []);
  for (const step of steps.slice(0, count)) for (const merge of step) done[merge.word] += 1;
  for (const merge of steps[count - 1] ?? []) {
    const its = fresh[merge.word];
    fresh[merge.word] = [...its.map((at) => (at > merge.position ? at - 1 : at)), merge.position];
  }
  return { done, fresh };
}

/** Of each symbol that is shown by its bytes the characters that it has a part of; else null. The
 * first symbol has the character at `start`, and may begin before it. */
export function touched(text, symbols, start = 0) {
  const characters = [" ", ...text]; // a mark may stand for a space that is not there
  const encoded = characters.map(bytesIn);
  const all = encoded.join("");
  const owner = encoded.flatMap((its, at) => Array(its.length).fill(at));
  const sizes = symbols.map((it) => bytesIn(it).length);
  const joined = symbols.map(bytesIn).join("");
  let place = owner.indexOf(start + 1);
  for (let left = sizes[0] ?? 0; left > 0 && place > 0 && !all.startsWith(joined, place); left -= 1) place -= 1;
  if (!all.startsWith(joined, place)) return symbols.map(() => null); // the text was rewritten
  return symbols.map((symbol, at) => {
    const from = place;
    place += sizes[at];
    if (!isBytes(symbol)) return null;
    return characters.slice(owner[from], owner[place - 1] + 1).join("");
  });
}

/** The text that symbols spell. */
export function spelled(symbols) {
  const bytes = Uint8Array.from(symbols.map(bytesIn).join(""), (it) => it.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

/** The character of a text that a symbol, shown by its bytes, is a part of; or null. */
export const partOf = (text, symbol) =>
  isBytes(symbol) ? ([...text].find((it) => bytesIn(it).includes(bytesIn(symbol))) ?? null) : null;

/** The bytes of a symbol, each as a character: `<e5 b0>` has two, a mark is the space it stands for. */
function bytesIn(symbol) {
  const hex = hexOf(symbol)?.split(" ").map((it) => parseInt(it, 16));
  return String.fromCharCode(...(hex ?? new TextEncoder().encode(symbol.replaceAll("\u2581", " "))));
}

/** The nodes of a word: { text, rank, parts: [left, right] | null, of }, by number; `of` is what
 * characters its bytes are a part of. */
export function nodes(word, merges) {
  const whose = touched(word.text, word.symbols);
  const found = word.symbols.map((text, at) => ({ text, rank: null, parts: null, of: whose[at] }));
  for (const { result: text, rank, parts, position, after: symbols } of merges) {
    const of = isBytes(text) ? touched(word.text, symbols)[position] : null;
    found.push({ text, rank, parts, of });
  }
  return found;
}

/** The nodes of a token from the merges of its lineage, and the number of the token itself. */
export function nodesOf(token, lineage) {
  const made = new Map(lineage.map((step) => [step.result, step]));
  const found = [];
  const add = (text) => {
    const step = made.get(text);
    const parts = step ? [add(step.left), add(step.right)] : null;
    return found.push({ text, rank: step?.rank ?? null, parts, of: null }) - 1;
  };
  const root = add(token);
  return { nodes: found, root };
}
