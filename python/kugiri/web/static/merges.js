// The merges of an explanation as data: in which order they are shown, and the trees they make.
//
// Rule: every word merges by itself, always the pair of the lowest rank. Shown together, a step is
// the lowest rank that any word has next, in all words that have it. Symbols and merges of a word
// are numbered one after another, so that a tree of any depth is a flat list.

import { isBytes } from "./glyphs.js";

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

/** Of each symbol that is shown by its bytes the characters that it has a part of; else null. */
export function touched(text, symbols) {
  const sizes = symbols.map(bytesIn);
  const characters = [...text];
  const owner = characters.flatMap((it, at) => Array(bytesIn(it)).fill(at));
  const ends = sizes.map((_, at) => sizes.slice(0, at + 1).reduce((a, b) => a + b, 0));
  if (ends.at(-1) !== owner.length) return symbols.map(() => null); // there are marks in it
  return symbols.map((symbol, at) => {
    if (!isBytes(symbol)) return null;
    return characters.slice(owner[ends[at] - sizes[at]], owner[ends[at] - 1] + 1).join("");
  });
}

/** How many bytes a symbol has: `<e5 b0>` has two. */
const bytesIn = (symbol) =>
  isBytes(symbol) ? (symbol.length - 1) / 3 : new TextEncoder().encode(symbol).length;

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
