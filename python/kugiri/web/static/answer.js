// The answer above the lanes: who needs the fewest tokens, and who the most.
//
// Rule: that of a comparison that is shared (web/share_numbers.py, `lead`), in the same words: those
// that know all of the text are compared, and that there are others is said. Of one there is no answer.

import { h } from "./elements.js";
import { visible } from "./glyphs.js";
import { moreOf, number, parts, t } from "./messages.js";
import "./messages_answer.js";

/** The sentence, as a list of texts and elements. */
export function answerOf(columns) {
  if (columns.length < 2 || columns.every((it) => it.error)) return [];
  const compared = columns.filter((it) => it.more_than_least !== null);
  if (compared.length === 0) return [t("answer.none")];
  const [few, many] = [1, -1].map((sign) =>
    compared.reduce((one, it) => (sign * it.count < sign * one.count ? it : one)));
  const rest = compared.length < columns.length ? t("answer.rest") : "";
  const values = { few: strong(few), fewest: namesOf(compared, few) };
  if (few.count === many.count) {
    return [...parts(compared.length > 1 ? "answer.alike" : "answer.only", values), rest];
  }
  const n = compared.filter((it) => it.count === few.count).length;
  const more = h("em", {}, moreOf(many.more));
  return [...parts("answer", { ...values, n, many: strong(many), most: namesOf(compared, many), more }), rest];
}

const strong = ({ count }) => h("b", {}, number(count));

const namesOf = (columns, { count }) => h("span", {}, columns.filter((it) => it.count === count)
  .map(({ name }, at) => [at > 0 ? t("answer.comma") : null, h("bdi", {}, visible(name))]));
