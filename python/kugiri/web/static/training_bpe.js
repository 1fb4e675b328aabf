// How BPE learned: of each step the pair that won, the pairs that would have been next with their
// counts, and the words as they are cut from now on.

import { fill, h, wide } from "./elements.js";
import { languageOf, visible } from "./glyphs.js";
import { spelled, touched } from "./merges.js";
import { number, parts, t } from "./messages.js";
import { bar, chip, joined, pair } from "./pieces.js";
import { stepper } from "./stepper.js";

const MOST_WORDS = 12; // words that are seen at once: changed ones first

/** The steps under a slider. */
export function bpeSteps(model) {
  const title = h("p", { class: "step-title" });
  const reason = h("p", { class: "reason" });
  const pairs = h("div", {});
  const words = h("div", { class: "words" });
  const step = (at) => model.steps[at - 1];
  const draw = (at) => {
    const its = step(at);
    const left = model.words_left_out;
    fill(title, its === undefined ? t("train.before") : parts("train.step", { at, pair: joined(its.left, its.right, its.result) }).flat());
    fill(reason, its === undefined ? t("train.count", { n: model.tokens }) : because(its, model.tie));
    fill(pairs, its === undefined ? coming(step(1)) : rivals(its));
    fill(words, rows(its?.words ?? model.words, its), left > 0 ? h("p", { class: "soft" }, t("train.left", { n: left })) : null);
  };
  const say = (at) => {
    const its = step(at);
    if (its === undefined) return t("train.before");
    const values = { left: visible(its.left), right: visible(its.right), result: visible(its.result), n: its.count };
    return `${t("step.of", { at, last: model.steps.length })}. ${t("train.said", values)}`;
  };
  const controls = stepper({ label: t("train.slider"), last: model.steps.length, say, draw });
  return [controls, title, reason, h("div", { class: "two merge" }, pairs, words)];
}

function because({ count, applied, ties }, tie) {
  const gap = t("sentence.gap");
  const words = [t("train.because", { n: count }), gap, t("train.fewer", { n: applied })];
  return ties > 0 ? [...words, gap, t("train.ties", { n: ties + 1, rule: tieWords(tie) })] : words;
}

const tieWords = (tie) => t(`train.tie.${tie}`);

function coming(first) {
  if (first === undefined) return h("p", { class: "soft" }, t("train.nothing"));
  return rivals(first, false);
}

/** Pairs with bars as long as their counts; the winner has ink, and so those that tie with it. */
function rivals(step, won = true) {
  const all = [{ left: step.left, right: step.right, count: step.count, won }, ...step.rivals];
  const most = all[0].count || 1;
  const lines = all.map((it) =>
    h(
      "tr",
      { class: it.won ? "best" : null },
      h("td", { class: "pair" }, pair(it.left, it.right)),
      h("td", { class: "number" }, number(it.count)),
      h("td", {}, bar(it.count / most, it.won ? "" : "rival"), it.count === most && !it.won && won ? h("small", { class: "soft" }, ` ${t("train.tied")}`) : null),
    ),
  );
  const head = ["train.pair", "train.times", "train.share"].map((key, at) =>
    h("th", { scope: "col", class: at === 1 ? "number" : null }, at === 2 ? h("span", { class: "unseen" }, t(key)) : t(key)),
  );
  const table = h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, lines));
  return wide(t("train.pairs"), table);
}

/** Words as they are cut: those that the step changed first. */
function rows(words, step) {
  const changed = new Set(step?.changed ?? []);
  const order = words.map((_, at) => at);
  if (words.length > MOST_WORDS) order.sort((a, b) => changed.has(b) - changed.has(a) || a - b);
  const shown = order.slice(0, MOST_WORDS).map((at) => row(words[at], step, changed.has(at)));
  const more = words.length - shown.length;
  const hidden = step !== undefined && changed.size === 0;
  return [
    hidden ? h("p", { class: "soft" }, t("train.elsewhere")) : null,
    shown,
    more > 0 ? h("p", { class: "soft" }, t("pre.more", { n: more })) : null,
  ];
}

function row({ symbols, count }, step, changed) {
  const of = touched(spelled(symbols), symbols);
  const chips = symbols.map((symbol, at) => chip(symbol, changed && symbol === step.result, of[at]));
  return h(
    "div",
    { class: step === undefined || changed ? "row" : "row same", lang: languageOf(symbols.join("")) },
    chips.slice(0, -1),
    h("span", { class: "last" }, chips.at(-1), h("span", { class: "count" }, `× ${number(count)}`)),
  );
}
