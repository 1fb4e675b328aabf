// What the normalizer made of the text: before and after with the changes marked, and for each kind
// of change the rule in words. What was cut out as a special token stands first.

import { fill, h } from "./elements.js";
import { languageOf, quoted, sliced } from "./glyphs.js";
import { number, parts, placeOf, t } from "./messages.js";
import { ruleOf } from "./normalization_rules.js";
import "./messages_steps.js";

const MOST_EXAMPLES = 6;

/** Fill the container with what happened before the text was cut. */
export function showNormalization(container, explanation) {
  const { normalization, special_tokens: found, left_as_text: left } = explanation;
  fill(
    container,
    h("p", { class: "lede" }, t("norm.lede")),
    found.map((it) => special("norm.special", it)),
    left.map((it) => special("norm.left", it)),
    normalization.changes.length === 0
      ? h("p", { class: "soft" }, t("norm.none"))
      : [diff(normalization), rules(normalization.changes)],
  );
}

function special(key, [token, [start, end]]) {
  return h("p", {}, parts(key, { token: h("code", {}, quoted(token)), place: placeOf(start, end) }));
}

function diff({ before, after, changes }) {
  const lang = languageOf(before);
  const lines = [
    ["norm.before", marked(before, changes, "del", (it) => it.span)],
    ["norm.after", marked(after, changes, "ins", (it) => it.after_span)],
  ];
  return lines.map(([name, content]) =>
    h("dl", { class: "diff" }, h("dt", {}, t(name)), h("dd", { lang }, content)),
  );
}

/** A text in which the changed parts are marked. */
function marked(text, changes, tag, spanOf) {
  const found = [];
  let done = 0;
  for (const change of changes) {
    const [start, end] = spanOf(change);
    found.push(quoted(sliced(text, done, start)));
    const its = sliced(text, start, end);
    found.push(h(tag, {}, its === "" ? null : quoted(its)));
    done = end;
  }
  return [...found, quoted(sliced(text, done, [...text].length))];
}

function rules(changes) {
  const grouped = new Map();
  for (const change of changes) {
    const name = ruleOf(change);
    grouped.set(name, [...(grouped.get(name) ?? []), change]);
  }
  const rows = [...grouped].map(([name, its]) =>
    h(
      "li",
      {},
      h("b", {}, t(`norm.rule.${name}`)),
      " ",
      h("span", { class: "soft" }, `× ${number(its.length)} `),
      unlike(its).slice(0, MOST_EXAMPLES).map(example),
    ),
  );
  return h("ul", { class: "rules" }, rows);
}

/** Each pair of before and after once. */
function unlike(changes) {
  return [...new Map(changes.map((it) => [JSON.stringify([it.before, it.after]), it])).values()];
}

function example({ before, after }) {
  const shown = (text) => (text === "" ? h("span", { class: "soft" }, "∅") : quoted(text));
  return h("span", { class: "example" }, shown(before), " → ", shown(after));
}
