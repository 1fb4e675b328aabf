// The place where a text is read: the text, its tokens beside each other, what they cost, and how
// they came about. This is the spine between the state, the server and the parts that draw.

import { answerOf } from "./answer.js";
import { debounced } from "./api.js";
import { captionOf, spoken } from "./caption.js";
import { costOf } from "./cost.js";
import { detailOf } from "./detail.js";
import { fill, h } from "./elements.js";
import { explanationOf } from "./explanation.js";
import { pointsAt, wellFormed } from "./glyphs.js";
import { heroOf } from "./hero.js";
import { lanesOf } from "./lanes.js";
import { loadingOf } from "./loading.js";
import { t } from "./messages.js";
import { examplesOf, togglesOf } from "./options.js";
import { questionOf } from "./question.js";
import { shareOf } from "./share.js";
import { change, described, heard, leave, renamed, state } from "./state.js";
import { strokesIn } from "./strokes.js";
import { windowsOf } from "./windows.js";

/** The place; `context(changes)` is what views are given, `say(words)` shows a refusal. */
export function readingOf(context, { say, announce, told }) {
  const { api } = context();
  let answer = { columns: [], next: null, of: [] }; // of the first window

  const hero = heroOf({
    onText: (text) => change({ text }),
    onSelection(start, end) {
      const place = pointsAt(state.text, start);
      question.select(place, pointsAt(state.text, end));
      explanation.look(place);
    },
  });
  const question = questionOf(context, (start, end) => lanes.isToken(state.chosen, start, end));
  const caption = captionOf();
  const detail = detailOf();
  const lanes = lanesOf({
    point(all, lane, at, isChosen) {
      detail.show(all, lane, at, state.text);
      if (isChosen) explanation.look(all[lane].tokens[at].start);
    },
    rest: detail.rest,
    choose: (chosen) => change({ chosen }),
    leave: (name) => { leave(name); loading.focus(); },
    rename: (name, wanted) => api.rename(name, wanted.toWellFormed())
      .then((tokenizer) => renamed(name, tokenizer), (refused) => say(refused.message)),
  });
  const windows = windowsOf(lanes, {
    ask: (start, characters, signal) => api.tokens({ ...asked(), start, characters }, signal),
    looks: () => ({
      view: state.view, chosen: state.chosen, room: roomOf(lanes.element),
      kind: (name) => described(name)?.kind,
    }),
    waits: caption.waits,
  });
  const strokes = strokesIn({
    cut: hero.cut,
    ask: (start, characters, signal) =>
      api.tokens({ ...asked(), tokenizers: [state.chosen], start, characters }, signal),
  });
  const loading = loadingOf(api, {
    say, onText: (text) => hero.show(text), onNameless: (name) => lanes.nameNext(name),
  });
  const cost = costOf(api, {
    prices: state.prices, withModels: told.prices, onPrices: (prices) => change({ prices }),
  });
  const explanation = explanationOf(context);
  const found = h("p", { class: "answer" });
  const toys = h("p", { class: "soft toys" }, t("toys"));

  let refused = false; // whether what is said now is a refusal of an answer
  function refuse(words) {
    refused = true;
    say(words);
  }

  /** What was drawn is of another text, or of other tokenizers: it goes. */
  function unanswered(words) {
    refuse(words);
    answer = { columns: state.lanes.map((name) => ({ name, error: "–" })), next: null, of: read() };
    windows.empty(answer);
    fill(found);
    detail.rest();
    chosen();
  }

  function ask() {
    strokes.drop();
    if (state.lanes.length > 0) return windows.show(state.text, draw, unanswered);
    windows.empty({ columns: [] });
    draw({ columns: [], next: null });
  }

  function draw(came) {
    if (refused) say("");
    refused = false;
    answer = { ...came, of: read() };
    if (came.columns.some((it) => it.kind === "no tokenizer")) {
      api.state().then(({ tokenizers }) => change({ tokenizers }), () => {}); // what it is called now
    }
    fill(found, state.text === "" ? null : answerOf(answer.columns));
    detail.rest();
    chosen();
    announce(spoken(answer.columns));
  }

  /** What is said of the chosen tokenizer, once the answer is that of what is read. */
  function chosen() {
    lanes.choose(state.chosen);
    if (read().some((it, at) => it !== answer.of[at])) return; // on its way
    const column = answer.columns.find((it) => it.name === state.chosen && !it.error);
    const shown = state.text === "" ? undefined : column;
    strokes.show(shown, answer.next);
    caption.of(shown, answer, state.text);
    cost.of(state.text === "" || state.chosen === null ? null
      : { name: state.chosen, count: shown?.count ?? null });
  }

  /** Nobody should take the sample's tokenizers for those of models. */
  function onlyToys() {
    toys.hidden = state.lanes.length === 0
      || state.lanes.some((it) => described(it)?.source !== "sample");
  }

  const later = debounced(120, ask);
  heard(["text"], () => {
    say("");
    windows.drop();
    strokes.drop();
    question.select(0, 0);
    question.leave();
    later();
  });
  heard(["lanes", "special", "around", "view"], ask);
  heard(["lanes", "tokenizers"], loading.draw);
  heard(["lanes", "tokenizers"], onlyToys);
  heard(["chosen"], chosen);
  heard(["chosen", "special", "around"], question.again);
  heard(["text", "chosen", "special", "around"], explanation.refresh);
  document.addEventListener("selectionchange", () => {
    const selected = lanes.selected();
    if (selected) question.select(...selected);
  });
  for (const kind of ["pointerleave", "focusout"]) {
    lanes.element.addEventListener(kind, ({ relatedTarget: to }) =>
      lanes.element.contains(to) || lanes.rest());
  }
  widthChanged(lanes.element, ask);

  const element = h("div", { class: "reading" },
    h("header", {},
      h("h1", { class: "unseen" }, t("title")), hero.element,
      h("div", { class: "under" }, caption.element,
        examplesOf(told.example, (text) => { hero.show(text); hero.focus(); })),
      question.offer, question.answer),
    h("div", { class: "compared" },
      found,
      h("div", { class: "bar-of" }, togglesOf(), shareOf(api, say)),
      h("h2", { class: "unseen" }, t("side-by-side")),
      h("p", { class: "legend" },
        t(matchMedia("(hover: none)").matches ? "legend-tap" : "legend-point"),
        t("sentence.gap"), t("legend")),
      windows.element, toys, loading.element, cost.element, detail.element),
    explanation.element);

  return {
    element, come: loading.come,
    begin() {
      hero.show(state.text);
      ask();
      onlyToys();
      explanation.refresh();
    },
  };
}

/** What the tokens of an answer are of. */
const read = () => [state.text, state.special, state.around];

/** What is asked of every window. */
function asked() {
  const { special: allow_special, around: add_special_tokens, lanes: tokenizers } = state;
  return { text: wellFormed(state.text), tokenizers, allow_special, add_special_tokens };
}

/** How many em of the lanes' text a line has. */
function roomOf(element) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const size = parseFloat(getComputedStyle(element).getPropertyValue("--lane-size")) * rem;
  const label = matchMedia("(min-width: 44rem)").matches ? 12.5 * rem : rem;
  return Math.max((element.clientWidth - label) / size, 8);
}

/** Call when the element has become much wider or narrower. */
function widthChanged(element, work) {
  let before = 0;
  const later = debounced(200, work);
  new ResizeObserver(([{ contentRect: { width } }]) => {
    if (before > 0 && width > 0 && Math.abs(width - before) > 24) later();
    if (width > 0 && Math.abs(width - before) > 24) before = width;
  }).observe(element);
}
