// The searches of WordPiece: at each place of a word the longest token that fits, and on from there.
//
// Each string that was looked up is a bar under the characters it covers: the longest first, until
// one is in the vocabulary.

import { choices } from "./choices.js";
import { fill, h, wide } from "./elements.js";
import { languageOf, quoted, shortened, symbol, visible } from "./glyphs.js";
import { parts, t } from "./messages.js";
import { cut } from "./pieces.js";
import { stepper } from "./stepper.js";

const MOST_WORDS = 120;

/** The searches of a word that can be chosen, under a slider. */
export function tries(model) {
  const searched = model.words.map((_, at) => at).filter((at) => of(model, at).length > 0);
  if (searched.length === 0) return null;
  const place = h("div", {});
  const most = searched.reduce((a, b) => (of(model, b).length > of(model, a).length ? b : a));
  const onChoose = (word) => fill(place, searches(model.words[word], of(model, word)));
  const options = searched.slice(0, MOST_WORDS).map((at) => {
    const text = shortened(model.words[at].text, 24);
    return { value: at, shown: quoted(text), said: visible(text) };
  });
  onChoose(most);
  return h(
    "div",
    { class: "tries" },
    h("h4", {}, t("tries.title")),
    h("p", { class: "soft" }, t("tries.how")),
    choices({ label: t("merges.word"), options, value: most, onChoose, kind: "words" }),
    place,
    h("h4", {}, t("tries.result")),
    h("p", {}, model.words.map((word) => [cut(word.tokens), " "])),
  );
}

const of = (model, word) => model.matches.filter((it) => it.word === word);

function searches(word, matches) {
  const characters = [...word.text];
  const looked = matches.flatMap((match, search) => lookups(match, search, characters.length));
  const head = characters.map((it, at) => cell("cell head", quoted(it), at, at + 1, 1));
  const bars = looked.map((it) => ({ ...it, element: barOf(it) }));
  const said = h("p", { class: "reason" });
  const grid = h("div", { class: "grid", lang: languageOf(word.text) }, head);
  const controls = stepper({
    label: t("tries.slider"),
    last: looked.length,
    say: (at) => plain(looked[at - 1]),
    draw: (at) => {
      const now = bars[at - 1]?.search;
      const shown = bars.slice(0, at).filter((it) => it.found || it.search === now);
      fill(grid, head, shown.map((it) => it.element));
      fill(said, sentence(looked[at - 1], word));
    },
  });
  const rows = Math.max(...matches.map((it) => it.tried.length));
  grid.style.setProperty("min-height", `${4 + 1.7 * rows}rem`);
  return [controls, said, wide(t("tries.title"), grid), all(matches)];
}

/** A string under the characters that it covers: what was found in one row, below it the tries of
 * the search that goes on. */
function barOf({ text, start, end, found, row }) {
  const bar = cell(found ? "cell best" : "cell missed", symbol(text), start, end, found ? 2 : row);
  if (!found) bar.append(h("small", {}, t("tries.missed")));
  return bar;
}

/** Everything that was looked up, as a list. */
function all(matches) {
  const n = matches.reduce((sum, it) => sum + it.tried.length, 0);
  const rows = matches.map(({ tried, found }) =>
    h("li", {}, tried.map((it) => [h("span", { class: it === found ? "named" : "soft" }, symbol(it)), " "])),
  );
  return h("details", { class: "looked" }, h("summary", {}, t("tries.all", { n })), h("ul", {}, rows));
}

/** Each string that one search looked up, with the characters it covers: the first reaches to the
 * end of the word, each other is one character shorter, whatever prefix it carries. */
function lookups({ start, tried, found }, search, length) {
  return tried.map((text, at) => ({
    text,
    search,
    row: at + 3,
    start,
    end: length - at,
    isEnd: at === 0,
    found: found !== null && at === tried.length - 1,
    last: at === tried.length - 1,
  }));
}

function cell(kind, content, start, end, row) {
  const place = { "grid-column": `${start + 1} / ${end + 1}`, "grid-row": String(row) };
  return h("div", { class: kind, style: place }, content);
}

function sentence(looked, word) {
  if (looked === undefined) return parts("tries.start", { word: quoted(word.text) });
  const values = { text: quoted(looked.text) };
  if (looked.found) return parts(looked.isEnd ? "tries.say.done" : "tries.say.found", values);
  return parts(looked.last ? "tries.say.unknown" : "tries.say.missed", values);
}

function plain(looked) {
  if (looked === undefined) return t("tries.none");
  return `${visible(looked.text)}: ${t(looked.found ? "tries.found" : "tries.missed")}`;
}
