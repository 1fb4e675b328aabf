// The pre-tokens of a text, and for each kind of cut between them the rule that made it.

import { ruleInWords } from "./boundary_rules.js";
import { h } from "./elements.js";
import { language, number, parts, t } from "./messages.js";
import { cut, plainly } from "./pieces.js";

const MOST_EXAMPLES = 4;
const MOST_WORDS = 400; // pre-tokens that are drawn

/** The text with its cuts, and why it is cut there. */
export function preTokens({ pre_tokens: words, boundaries }) {
  const shown = words.slice(0, MOST_WORDS).map(([text]) => text);
  const more = words.length - shown.length;
  return h(
    "div",
    { class: "pre-tokens" },
    words.length === 0 ? h("p", { class: "soft" }, t("pre.none")) : h("p", {}, cut(shown)),
    more > 0 ? h("p", { class: "soft" }, t("pre.more", { n: more })) : null,
    boundaries.length === 0 && words.length > 0 ? h("p", { class: "soft" }, t("pre.whole")) : null,
    boundaries.length > 0 ? reasons(words, boundaries) : null,
  );
}

function reasons(words, boundaries) {
  const rows = [...grouped(words, boundaries)].map(([rule, places]) =>
    h(
      "li",
      {},
      h("b", {}, plainly(ruleInWords(rule, language()))),
      " ",
      h("span", { class: "soft" }, `× ${number(places.length)} `),
      places.slice(0, MOST_EXAMPLES).map(([left, right]) => [cut([left, right]), " "]),
    ),
  );
  return h(
    "details",
    { class: "reasons" },
    h("summary", {}, t("pre.why", { n: boundaries.length })),
    h("p", { class: "soft" }, parts("pre.steps", { steps: steps(boundaries) })),
    h("ul", {}, rows),
  );
}

/** The steps of the pre-tokenizer that cut here, by their names. */
function steps(boundaries) {
  const names = [...new Set(boundaries.map((it) => it.step))];
  return plainly(names.join(", "));
}

/** Rule → the pre-tokens before and after each cut that it made. */
function grouped(words, boundaries) {
  const ends = new Map(words.map(([text, [, end]]) => [end, text]));
  const starts = new Map(words.map(([text, [start]]) => [start, text]));
  const found = new Map();
  for (const { span, rule } of boundaries) {
    const places = found.get(rule) ?? [];
    found.set(rule, [...places, [ends.get(span[0]) ?? "", starts.get(span[1]) ?? ""]]);
  }
  return found;
}
