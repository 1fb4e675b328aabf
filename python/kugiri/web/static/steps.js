// How the tokens came about: the pre-tokens, what the model did to them, and the tokens.
//
// Rule: everything is drawn from the explanation (docs/schemas/explain.json, strings readable).
// Each kind of model has a drawing of its own; Unigram's is in lattice.js.

import { fill, h } from "./elements.js";
import { quoted, shortened } from "./glyphs.js";
import { mergeSteps } from "./merge_steps.js";
import { parts, t } from "./messages.js";
import { preTokens } from "./pre_tokens.js";
import { tries } from "./tries.js";
import { undoable } from "./undo.js";
import "./messages_steps.js";

/** Fill the container with what the model did, from the pre-tokens to the tokens. */
export function showSteps(container, explanation, context) {
  const { model } = explanation;
  fill(
    container,
    h("p", { class: "lede" }, t("steps.lede")),
    preTokens(explanation),
    explanation.pre_tokens.length === 0 ? null : drawn(model, context),
    model.words.filter((word) => !word.is_shown).map(tooLong),
    explanation.fallbacks.map(fallback),
  );
}

function drawn(model, context) {
  if (model.type === "BPE") {
    return [mergeSteps(model), h("h4", {}, t("undo.title")), undoable(model, context)];
  }
  if (model.type === "WordPiece") return tries(model);
  const how = model.type === "Unigram" ? "steps.unigram" : "steps.lookup";
  return h("p", { class: "soft" }, t(how));
}

function tooLong(word) {
  return h("p", { class: "soft" }, parts("steps.long", { word: quoted(shortened(word.text, 24)) }));
}

/** Characters that no token stands for. */
function fallback({ text, became, ids }) {
  const key = became === "bytes" ? "steps.bytes" : "steps.unknown";
  return h("p", {}, parts(key, { text: quoted(text), n: ids.length }));
}
