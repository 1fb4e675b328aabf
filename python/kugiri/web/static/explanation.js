// How it came about: the chosen tokenizer's way from the text to its tokens, stage by stage.

import { debounced, onlyNewest } from "./api.js";
import { fill, h } from "./elements.js";
import { sliced, visible, wellFormed } from "./glyphs.js";
import { parts, t } from "./messages.js";
import { state } from "./state.js";

const MOST = 400; // code points of a text whose way is shown; more would hardly be read

const VIEWS = [
  ["normalization", () => import("./normalization.js"), "showNormalization", () => true],
  ["steps", () => import("./steps.js"), "showSteps", () => true],
  ["lattice", () => import("./lattice.js"), "showLattice", (it) => it.model.type === "Unigram"],
];

/** The sections; `refresh()` asks anew when the text or the choice has changed. */
export function explanationOf(context) {
  const body = h("div", { class: "stages" });
  const title = h("h2", { class: "title" });
  const lede = h("p", { class: "soft" });
  const element = h("div", { class: "explanation", hidden: true },
    h("div", { class: "opening" }, title, lede), body);
  const newest = onlyNewest();
  const sections = {};

  function ask() {
    element.hidden = state.text === "" || state.chosen === null;
    if (element.hidden) return;
    const text = sliced(wellFormed(state.text), 0, MOST);
    const tokenizer = state.chosen;
    const options = { allow_special: state.special, add_special_tokens: state.around };
    fill(title, parts("came-about", { name: h("bdi", {}, visible(tokenizer)) }));
    fill(lede, t(text.length < state.text.length ? "came-about-first" : "came-about-lede", { n: MOST }));
    newest((signal) => context().api.explain({ text, tokenizer, ...options }, signal),
      (explanation) => draw(explanation, context({ tokenizer, text })),
      (refused) => fill(body, h("p", { class: "note" }, refused.message)));
  }

  function draw(explanation, its) {
    const wanted = VIEWS.filter(([, , , fits]) => fits(explanation));
    for (const [key] of wanted) sections[key] ??= sectionOf(t(key));
    const shown = wanted.map(([key]) => sections[key].element);
    if (shown.length !== body.children.length || shown.some((it, at) => body.children[at] !== it)) {
      fill(body, shown);
    }
    for (const [key, load, name] of wanted) {
      load().then((module) => module[name](sections[key].inner, explanation, its));
    }
  }

  return { element, refresh: debounced(350, ask) };
}

/** A part of the page, its name beside it. */
export function sectionOf(title, ...content) {
  const inner = h("div", {}, content);
  return { inner, element: h("section", {}, h("h3", { class: "beside" }, title), inner) };
}
