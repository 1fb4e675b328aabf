// Why a stretch of the text is not one token: every cause, the earliest stage first.
//
// Rule: a cause has a kind and values (docs/schemas/why.json); its sentence is made from these in
// the language of the page, with the same content in both.

import { ruleInWords } from "./boundary_rules.js";
import { fill, h } from "./elements.js";
import { languageOf, quoted, symbol } from "./glyphs.js";
import { partOf, touched } from "./merges.js";
import { language, number, parts, placeOf, precise, t } from "./messages.js";
import { cut, plainly } from "./pieces.js";
import "./messages_why.js";

/** Fill the container with the answer, which is of the text from its place `from` on. */
export function showWhy(container, reason, from = 0) {
  const [place] = reason.places;
  const [start, end] = place.span;
  const values = {
    piece: piece(reason.piece), n: place.tokens.length, place: placeOf(start + from, end + from),
  };
  const head = place.is_token ? "why.is-token" : "why.is-not";
  fill(
    container,
    h("p", { class: "why-head" }, parts(head, { ...values, id: reason.id ?? "" })),
    place.is_token ? null : h("p", { class: "why-tokens" }, cut(place.tokens, { of: touched(reason.text, place.tokens, start) })),
    place.causes.length === 0
      ? null
      : h("ol", { class: "causes", "aria-label": t("why.causes") }, place.causes.map((it) => cause(it, from))),
  );
}

/** Values with their place in the whole text, in words; a start without an end is one within a word. */
function placed({ start, end, ...values }, from) {
  if (end !== undefined) return { ...values, place: placeOf(start + from, end + from) };
  return start === undefined ? values : { ...values, start: start + 1 };
}

const piece = (text) => h("b", { lang: languageOf(text) }, quoted(text));

function cause({ stage, kind, values }, from) {
  return h(
    "li",
    {},
    h("span", { class: "stage" }, t(`why.stage.${stage}`)),
    h("span", {}, sentence(kind, values, from)),
  );
}

const listed = (texts, of = "") =>
  texts.flatMap((text, at) => [at > 0 ? t("why.comma") : "", named(text, partOf(of, text))]);
const named = (text, of) => h("span", { class: "named" }, symbol(text, of));

/** The sentence of a cause, as texts and elements. */
export function sentence(kind, its, from = 0) {
  const values = placed(its, from);
  return (SENTENCES[kind] ?? (() => parts(`why.${kind}`, drawn(values))))(values);
}

/** Values as they are shown in a sentence: strings are the user's, numbers are numbers. */
function drawn(values) {
  const shown = ([name, value]) =>
    [name, typeof value === "string" && name !== "place" ? named(value) : value];
  return Object.fromEntries(Object.entries(values).map(shown));
}

const SENTENCES = {
  changed({ before, after, across }) {
    const key = after === "" ? "why.changed.dropped" : "why.changed";
    const words = parts(key, drawn({ before, after }));
    return across ? [words, t("why.changed.across")] : words;
  },
  boundary({ place, inside, step, rule }) {
    const words = { place, step: plainly(step), rule: plainly(ruleInWords(rule, language())) };
    return parts(inside ? "why.boundary.inside" : "why.boundary", words);
  },
  missing({ piece: text, parts: inside, longer }) {
    const near = [
      inside.length > 0 ? parts("why.missing.parts", { list: h("span", {}, listed(inside, text)) }) : null,
      longer.length > 0 ? parts("why.missing.longer", { list: h("span", {}, listed(longer)) }) : null,
    ];
    const none = inside.length + longer.length === 0 ? t("why.missing.none") : null;
    return [parts("why.missing", { piece: named(text) }), near, none];
  },
  stopped({ id, made_by: by, left }) {
    return [known(id, by), parts("why.stopped", { left: cut(left) })];
  },
  merged({ id, made_by: by, order, rank, result, joined }) {
    const begins = id === null ? ".begins" : ""; // the sentence, or goes on in it
    const merge = t(`why.by.${order}${begins}`, { rank: String(rank) });
    const key = joined ? "why.merged.joined" : "why.merged.took";
    return [known(id, by), parts(key, { merge, result: named(result) })];
  },
  "looked up"({ strings, more }) {
    const words = parts("why.looked up", { list: h("span", {}, listed(strings)) });
    return more > 0 ? [words, t("why.more", { n: more })] : words;
  },
  outscored({ id, margin, won, won_score: best, lost, lost_score: other }) {
    const values = {
      margin: precise(margin),
      won: cut(won),
      lost: cut(lost),
      best: number(best, 3),
      other: number(other, 3),
    };
    return [known(id, null), parts(margin === 0 ? "why.outscored.tie" : "why.outscored", values)];
  },
};

/** What is known of the piece itself, before what happened instead. */
function known(id, by) {
  if (id === null) return "";
  return by === null ? t("why.known", { id: String(id) }) : t("why.known.made", { id: String(id), merge: String(by) });
}
