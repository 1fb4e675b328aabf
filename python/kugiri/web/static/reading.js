// The place where a text is read: the text, its tokens beside each other, what they cost, and how
// they came about. This is the spine between the state, the server and the parts that draw.

import { debounced, onlyNewest } from "./api.js";
import { costOf } from "./cost.js";
import { detailOf } from "./detail.js";
import { fill, h } from "./elements.js";
import { explanationOf } from "./explanation.js";
import { pointsAt, sliced, unitsAt, visible, wellFormed } from "./glyphs.js";
import { heroOf } from "./hero.js";
import { lanesOf } from "./lanes.js";
import { loadingOf } from "./loading.js";
import { number, parts, t } from "./messages.js";
import { examplesOf, togglesOf } from "./options.js";
import { questionOf } from "./question.js";
import { shareOf } from "./share.js";
import { change, described, heard, leave, state } from "./state.js";
import { cutsOf } from "./systems.js";

const WINDOW = 2_000; // code points whose tokens are drawn at a time

/** The place; `context(changes)` is what views are given, `say(words)` shows a refusal. */
export function readingOf(context, { say, announce, told }) {
  const { api } = context();
  const newest = onlyNewest();
  const more = onlyNewest();
  let next = null; // where the window after those drawn begins

  const hero = heroOf({
    onText: (text) => change({ text }),
    onSelection: (start, end) => question.select(pointsAt(state.text, start),
      pointsAt(state.text, end)),
  });
  const question = questionOf(context);
  const lanes = lanesOf({
    point: (all, lane, at) => detail.show(all, lane, at, state.text),
    choose: (chosen) => change({ chosen }),
    leave,
  });
  const detail = detailOf();
  const counted = h("p", { class: "counts" });
  const loading = loadingOf(api, { say, onText: (text) => hero.show(text) });
  const cost = costOf(api, {
    prices: state.prices, withModels: told.prices, onPrices: (prices) => change({ prices }),
  });
  const explanation = explanationOf(context);
  const end = h("div", { class: "end" });

  function question_(start) {
    const { special: allow_special, around: add_special_tokens, lanes: tokenizers } = state;
    const text = wellFormed(state.text);
    return { text, tokenizers, start, characters: WINDOW, allow_special, add_special_tokens };
  }

  const ask = () => {
    if (state.lanes.length === 0) return draw({ columns: [], next: null });
    newest((signal) => api.tokens(question_(0), signal), draw, (it) => say(it.message));
  };

  function draw(answer) {
    say("");
    lanes.draw(answer, looks(0));
    detail.rest();
    next = answer.next;
    watched.unobserve(end);
    if (next !== null) watched.observe(end);
    const chosen = answer.columns.find((it) => it.name === state.chosen && !it.error);
    hero.cut(chosen ? unitsOf(state.text, cutsOf(chosen.tokens)) : []);
    const { characters = 0, bytes = 0 } = answer;
    fill(counted, parts("text-counts", {
      characters: h("b", {}, number(characters)), bytes: h("b", {}, number(bytes)),
    }), looksDamaged(state.text) ? [" ", h("span", { class: "warning" }, t("half"))] : null);
    cost.of(chosen?.count ?? 0);
    announce(answer.columns.filter((it) => !it.error).map((it) =>
      `${visible(it.name)}: ${t("n-tokens", { n: it.count, count: number(it.count) })}`).join(". "));
  }

  const watched = new IntersectionObserver((seen) => {
    if (!seen.some((it) => it.isIntersecting) || next === null) return;
    const start = next;
    next = null; // until the answer has come
    more((signal) => api.tokens(question_(start), signal), (answer) => {
      lanes.append(answer, looks(start));
      next = answer.next;
      watched.unobserve(end);
      if (next !== null) watched.observe(end);
    }, (it) => say(it.message));
  }, { rootMargin: "600px" });

  const looks = (start) => ({
    view: state.view, chosen: state.chosen, room: roomOf(lanes.element), start,
    signs: [...sliced(state.text, start, start + WINDOW)],
    kind: (name) => described(name)?.kind,
  });

  const later = debounced(120, ask);
  heard(["text"], () => { question.select(0, 0); later(); });
  heard(["lanes", "special", "around", "view"], ask);
  heard(["lanes", "tokenizers"], loading.draw);
  heard(["chosen"], () => { lanes.choose(state.chosen); ask(); });
  heard(["text", "chosen", "special", "around"], explanation.refresh);
  document.addEventListener("selectionchange", () => {
    const selected = lanes.selected();
    if (selected) question.select(...selected);
  });
  widthChanged(lanes.element, ask);

  const element = h("div", { class: "reading" },
    h("header", {},
      h("h1", { class: "unseen" }, t("title")), hero.element,
      h("div", { class: "under" }, counted, question.offer,
        examplesOf(told.example, (text) => { hero.show(text); hero.focus(); })),
      question.answer),
    h("div", { class: "compared" },
      h("div", { class: "bar-of" }, togglesOf(), shareOf(api, say)),
      h("h2", { class: "unseen" }, t("side-by-side")),
      lanes.element, end, loading.element, cost.element),
    explanation.element, detail.element);

  return {
    element, come: loading.come,
    begin() {
      hero.show(state.text);
      ask();
      explanation.refresh();
    },
  };
}

/** Places of the text in UTF-16 units, of places in code points; without its end. */
function unitsOf(text, points) {
  let [unit, point] = [0, 0];
  return [...points].sort((a, b) => a - b).flatMap((it) => {
    unit = unitsAt(text, it - point, unit);
    point = it;
    return unit > 0 && unit < text.length ? [unit] : [];
  });
}

const looksDamaged = (text) => !text.isWellFormed();

/** How many em of the lanes' text a line has. */
function roomOf(element) {
  const size = parseFloat(getComputedStyle(element).getPropertyValue("--lane-size")) * 16;
  const label = matchMedia("(min-width: 44rem)").matches ? 11 * 16 : 0;
  return Math.max((element.clientWidth - label) / size, 8);
}

/** Call when the element has become much wider or narrower. */
function widthChanged(element, work) {
  let before = 0;
  const later = debounced(200, work);
  new ResizeObserver(([{ contentRect: { width } }]) => {
    if (before > 0 && Math.abs(width - before) > 24) later();
    if (before === 0 || Math.abs(width - before) > 24) before = width;
  }).observe(element);
}
