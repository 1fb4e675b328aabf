// The training playground: a text, a model, and then every step of how it learned.
//
// Rule: a step is drawn from the training alone (docs/schemas/training.json). What came out is kept
// by the server where it is used on the text: then the same is trained once more.

import { onlyNewest } from "./api.js";
import { choices } from "./choices.js";
import { button, fill, h } from "./elements.js";
import { t } from "./messages.js";
import { warnings } from "./messages_refused.js";
import { plainly } from "./pieces.js";
import { remember, remembered } from "./remembered.js";
import { bpeSteps } from "./training_bpe.js";
import { unigramRounds } from "./training_unigram.js";
import "./messages_steps.js";
import "./messages_training.js";

const PUT_AROUND = 4; // <unk>, <s>, </s> and the mark of a word, which Unigram has beside characters

const FIRST = { text: null, model: "bpe", unit: "char", number: { bpe: 20, unigram: 8 } };
const wanted = wantedOf(remembered("training")) ?? FIRST;
let begun = false;

/** Fill the container with the training place. */
export function trainingView(container, context) {
  wanted.text ??= t("train.example");
  const [newest, newestUse] = [onlyNewest(), onlyNewest()];
  const note = h("p", { class: "note", role: "status" });
  const result = h("div", { class: "trained" });
  const start = button(t("train.start"), train, { class: "primary" });

  function train() {
    start.disabled = true;
    fill(note, t("train.running"));
    const asked = question();
    newest((signal) => context.api.train(asked, signal), (answer) => show(answer, asked), refuse);
  }
  function again() {
    newest.drop();
    newestUse.drop();
    trainingView(container, context);
  }
  function show(answer, asked) {
    const use = ({ currentTarget: its }) => {
      its.disabled = true;
      newestUse((signal) => context.api.train({ ...asked, keep: true }, signal),
        ({ tokenizer, gone }) => context.onTokenizer(tokenizer, gone), (refused) => {
          its.disabled = false;
          fill(note, plainly(refused.message));
        });
    };
    start.disabled = false;
    fill(note, plainly(warnings(answer)));
    fill(result, learned(answer.training, asked), done(answer, use));
  }
  function refuse(refused) {
    start.disabled = false;
    fill(note, plainly(refused.message));
    fill(result);
  }
  fill(
    container,
    h(
      "div",
      { class: "opening" },
      h("h1", { class: "title" }, t("train.title")),
      h("p", { class: "lede" }, t("train.lede")),
    ),
    section(
      t("train.text.title"),
      textArea(),
      h("div", { class: "options" }, models(again), numberField()),
      start,
      note,
    ),
    result,
  );
  if (!begun) train();
  begun = true;
}

function set(name, value) {
  wanted[name] = value;
  remember("training", wanted);
}

/** What was kept, if it is what is wanted here: others may have written there. */
function wantedOf(stored) {
  const { text, model, unit, number } = stored ?? {};
  const isNumber = (it) => Number.isInteger(it) && it >= 1 && it <= 1_000;
  const isGood = (text === null || typeof text === "string") && ["bpe", "unigram"].includes(model) &&
    ["char", "byte"].includes(unit) && isNumber(number?.bpe) && isNumber(number.unigram);
  return isGood ? { text, model, unit, number } : null;
}

const section = (title, ...content) => h("section", {}, h("h2", {}, title), h("div", {}, content));

/** What the server is asked for. */
export function question({ text, model, unit, number } = wanted) {
  const its = { text: text.toWellFormed(), model, unit };
  if (model === "bpe") return { ...its, num_merges: number.bpe };
  const characters = new Set(text.replace(/\s/gu, "")).size;
  return { ...its, vocab_size: characters + PUT_AROUND + number.unigram };
}

function textArea() {
  const area = h("textarea", {
    class: "prose",
    rows: 5,
    dir: "auto",
    "aria-label": t("train.text"),
    on: { input: (event) => set("text", event.target.value) },
  });
  area.value = wanted.text;
  return area;
}

function models(again) {
  const chosen = (name) => (value) => {
    set(name, value);
    if (name === "model") again();
  };
  const options = (names) => names.map((value) => ({ value, shown: t(`train.${value}`) }));
  return [
    choices({
      label: t("train.model"), options: options(["bpe", "unigram"]), value: wanted.model,
      onChoose: chosen("model"), kind: "toggle",
    }),
    wanted.model === "bpe"
      ? choices({
          label: t("train.unit"), options: options(["char", "byte"]), value: wanted.unit,
          onChoose: chosen("unit"), kind: "toggle",
        })
      : null,
  ];
}

function numberField() {
  const taken = (event) => {
    const number = Math.round(Number(event.target.value));
    if (number < 1) return;
    set("number", { ...wanted.number, [wanted.model]: Math.min(number, 1_000) });
  };
  const input = h("input", {
    type: "number", min: 1, max: 1000, value: wanted.number[wanted.model], on: { change: taken, input: taken },
  });
  const label = t(wanted.model === "bpe" ? "train.merges" : "train.pieces");
  return h("label", { class: "field" }, h("span", {}, label), input);
}

function learned(training, asked) {
  const { model } = training;
  const drawn = model.type === "BPE" ? bpeSteps(model) : unigramRounds(model);
  const how = t(model.type === "BPE" ? "train.how.bpe" : "train.how.unigram");
  const early = model.type === "BPE" && model.steps.length > 0 && model.steps.length < asked.num_merges;
  const stopped = early ? h("p", { class: "soft" }, t("train.stopped", { n: model.steps.length })) : null;
  return section(t("train.steps"), h("p", { class: "lede" }, how), drawn, stopped);
}

function done({ vocab_size: n }, onUse) {
  const use = button(t("train.use"), onUse, { class: "primary" });
  return section(t("train.done"), h("p", {}, t("train.kept", { n })), use);
}
