// The merges of BPE under a slider: the symbols of each word after each merge, and why this merge
// came now.

import { choices } from "./choices.js";
import { fill, h } from "./elements.js";
import { isBytes, languageOf, quoted, shortened, symbol, visible } from "./glyphs.js";
import { after, byWord, together, touched } from "./merges.js";
import { parts, t } from "./messages.js";
import { chip, joined, pair } from "./pieces.js";
import { stepper } from "./stepper.js";

const MOST_WORDS = 120; // words that are drawn at once

/** All merges: of all words at once, or of one word. */
export function mergeSteps(model) {
  const merges = byWord(model);
  const merging = model.words.map((_, word) => word).filter((word) => merges[word].length > 0);
  const place = h("div", {});
  if (merging.length === 0) return h("p", { class: "soft" }, t("merges.none"));
  let word = merging[0];

  function all() {
    const words = model.words.map((_, at) => at).filter((at) => model.words[at].is_shown);
    fill(place, slides(model, merges, together(merges), words.slice(0, MOST_WORDS)));
    if (words.length > MOST_WORDS) {
      place.append(h("p", { class: "soft" }, t("pre.more", { n: words.length - MOST_WORDS })));
    }
  }
  function one(chosen) {
    word = chosen;
    const steps = merges[word].map((merge) => [merge]);
    fill(place, wordChoice(), h("div", {}, slides(model, merges, steps, [word])));
  }
  function wordChoice() {
    const options = merging.slice(0, MOST_WORDS).map((at) => {
      const text = shortened(model.words[at].text, 24);
      return { value: at, shown: quoted(text), said: visible(text) };
    });
    const onChoose = (chosen) => {
      word = chosen;
      const steps = merges[word].map((merge) => [merge]);
      fill(place.lastChild, slides(model, merges, steps, [word]));
    };
    return choices({ label: t("merges.word"), options, value: word, onChoose, kind: "words" });
  }
  all();
  const mode = choices({
    label: t("merges.mode"),
    options: [
      { value: "all", shown: t("merges.all") },
      { value: "one", shown: t("merges.one") },
    ],
    value: "all",
    onChoose: (value) => (value === "all" ? all() : one(word)),
    kind: "toggle",
  });
  return h("div", { class: "merges" }, h("h4", {}, t("merges.title")), merging.length > 1 ? mode : null, place);
}

function slides(model, merges, steps, words) {
  const title = h("p", { class: "step-title" });
  const reason = h("p", { class: "reason" });
  const rows = words.map((word) => row(model.words[word], merges[word]));
  const controls = stepper({
    label: t("merges.slider"),
    last: steps.length,
    say: (at) => said(model, steps, at),
    draw: (at) => {
      fill(title, named(model, steps[at - 1]));
      fill(reason, why(model, steps, at));
      const { done, fresh } = after(steps, at, model.words.length);
      rows.forEach((draw, nth) => draw(done[words[nth]], fresh[words[nth]]));
    },
  });
  const shown = h("div", { class: words.length > 1 ? "symbols" : "symbols one" }, rows.map((draw) => draw.row));
  return [controls, title, reason, shown];
}

/** A word in its symbols; it is drawn anew only where something changed. */
function row(word, merges) {
  const element = h("div", { class: "row", lang: languageOf(word.text) });
  let last = "";
  const draw = (done, fresh) => {
    const key = `${done}:${fresh}`;
    if (key === last) return;
    last = key;
    const symbols = word.is_whole ? [word.text] : done === 0 ? word.symbols : merges[done - 1].after;
    const of = touched(word.text, symbols);
    fill(element, symbols.map((symbol, at) => chip(symbol, fresh.includes(at), of[at])));
    element.classList.toggle("same", fresh.length === 0 && done > 0);
  };
  draw.row = element;
  return draw;
}

function named(model, step) {
  if (step === undefined) return t("merges.first");
  const [{ left, right, result }] = step;
  return joined(left, right, result, step.length === 1 ? partsOf(model, step[0]) : []);
}

/** The characters that the parts and the result of a merge are a part of. */
function partsOf(model, { word, position, before, after: symbols }) {
  const { text } = model.words[word];
  return [...touched(text, before).slice(position, position + 2), touched(text, symbols)[position]];
}

/** One sentence: why this merge, and why now. */
function why(model, steps, at) {
  const next = steps[at]?.[0];
  const gap = t("sentence.gap");
  if (at === 0) {
    const bytes = model.words.some((word) => word.symbols.some(isBytes));
    return [t(bytes ? "merges.why.bytes" : "merges.why.start"), gap, following(model, next)];
  }
  const [{ rank, result }] = steps[at - 1];
  const places = steps[at - 1].length;
  const because = parts(`merges.why.${model.order}`, { rank, result: symbol(result) });
  const where = places > 1 ? [gap, t("merges.places", { n: places })] : [];
  return [because, where, gap, following(model, next)];
}

function following(model, next) {
  if (next === undefined) return t("merges.last");
  const both = h("b", {}, pair(next.left, next.right));
  return parts("merges.next", { pair: both, rank: next.rank });
}

function said(model, steps, at) {
  if (at === 0) return t("merges.first");
  const [{ rank, left, right, result }] = steps[at - 1];
  const values = { rank, left: visible(left), right: visible(right), result: visible(result) };
  return `${t("step.of", { at, last: steps.length })}. ${t("merges.said", values)}`;
}
