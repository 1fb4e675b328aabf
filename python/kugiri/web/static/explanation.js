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
  let sections = {};

  function ask() {
    element.hidden = state.text === "" || state.chosen === null;
    if (element.hidden) return;
    const text = sliced(wellFormed(state.text), 0, MOST);
    const tokenizer = state.chosen;
    const options = { allow_special: state.special, add_special_tokens: state.around };
    newest((signal) => context().api.explain({ text, tokenizer, ...options }, signal),
      (explanation) => draw(explanation, context({ tokenizer, text })),
      (refused) => { sections = {}; fill(body, h("p", { class: "note" }, refused.message)); });
  }

  function draw(explanation, its) {
    const name = h("bdi", {}, visible(its.tokenizer.name));
    fill(title, parts("came-about", { name }));
    const all = its.text.length === state.text.length;
    fill(lede, all ? t("came-about-lede")
      : t("came-about-first", { n: MOST }));
    const wanted = VIEWS.filter(([, , , fits]) => fits(explanation));
    for (const [key] of VIEWS) sections[key] ??= sectionOf(t(key));
    const shown = wanted.map(([key]) => sections[key].element);
    if (shown.some((it, at) => body.children[at] !== it) || body.children.length > shown.length) {
      fill(body, shown);
    }
    for (const [key, load, name] of wanted) {
      const { inner } = sections[key];
      load().then((module) => module[name](inner, explanation, its));
    }
  }

  return { element, refresh: debounced(350, ask) };
}

/** A part of the page, its name beside it. */
export function sectionOf(title, ...content) {
  const inner = h("div", {}, content);
  return { inner, element: h("section", {}, h("h3", { class: "beside" }, title), inner) };
}
