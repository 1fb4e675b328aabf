// How it came about: the chosen tokenizer's way from the text to its tokens, stage by stage.
//
// Rule: of a long text one stretch is explained: that of the caret, or of the token that was
// clicked; from there one goes on to the next.

import { debounced, onlyNewest } from "./api.js";
import { button, fill, h } from "./elements.js";
import { visible, wellFormed } from "./glyphs.js";
import { parts, placeOf, t } from "./messages.js";
import { state } from "./state.js";
import { around, asked, before, stretchOf, tokensOf } from "./stretches.js";

const VIEWS = [
  ["normalization", () => import("./normalization.js"), "showNormalization", () => true],
  ["steps", () => import("./steps.js"), "showSteps", () => true],
  ["lattice", () => import("./lattice.js"), "showLattice", (it) => it.model.type === "Unigram"],
];

/** The sections; `refresh()` asks anew when the text or the choice has changed, `look(place)` when
 * another place of the text is looked at. */
export function explanationOf(context) {
  const body = h("div", { class: "stages" });
  const title = h("h2", { class: "title" });
  const lede = h("p", { class: "soft", role: "status" });
  const earlier = button(t("earlier"), () => go({ from: before(shown.start), last: shown.start }), { class: "quiet" });
  const further = button(t("further"), () => go({ from: shown.end, exact: true }), { class: "quiet" });
  const turn = h("p", { class: "turn", hidden: true }, earlier, further);
  const element = h("div", { class: "explanation", hidden: true },
    h("div", { class: "opening" }, title, lede, turn), body);
  const newest = onlyNewest();
  const sections = {};
  let wanted = { from: 0 };
  let shown = { start: 0, end: -1 }; // nothing yet

  function ask() {
    element.hidden = state.text === "" || state.chosen === null;
    if (element.hidden) return;
    const [whole, tokenizer] = [wellFormed(state.text), state.chosen];
    const { api } = context();
    newest(async (signal) => {
      const stretch = await stretchOf(whole, wanted, tokensOf(api, whole, tokenizer, signal));
      return { stretch, explanation: await api.explain(asked(stretch, tokenizer), signal) };
    }, ({ stretch, explanation }) => {
      shown = stretch;
      say(stretch, explanation, tokenizer);
      draw(explanation, context({ tokenizer, text: stretch.text }));
    }, (refused) => {
      fill(title, parts("came-about", { name: h("bdi", {}, visible(tokenizer)) }));
      fill(lede);
      fill(body, h("p", { class: "note" }, refused.message));
    });
  }

  function say({ start, end, tokens }, explanation, tokenizer) {
    fill(title, parts("came-about", { name: h("bdi", {}, visible(tokenizer)) }));
    const isWhole = tokens === null;
    const differs = !isWhole && tokens.map((it) => it.id).join() !== explanation.ids.join();
    fill(lede, isWhole ? t("came-about-lede") : t("came-about-stretch", { place: placeOf(start, end) }),
      differs ? [t("sentence.gap"), t("came-about-edges")] : null);
    turn.hidden = isWhole;
    earlier.disabled = start === 0;
    further.disabled = isWhole || end >= [...state.text].length;
  }

  function go(place) {
    wanted = place;
    ask();
  }

  function draw(explanation, its) {
    const views = VIEWS.filter(([, , , fits]) => fits(explanation));
    for (const [key] of views) sections[key] ??= sectionOf(t(key));
    const elements = views.map(([key]) => sections[key].element);
    if (elements.length !== body.children.length || elements.some((it, at) => body.children[at] !== it)) {
      fill(body, elements);
    }
    for (const [key, load, name] of views) {
      load().then((module) => module[name](sections[key].inner, explanation, its));
    }
  }

  const later = debounced(350, ask);
  return {
    element,
    refresh() {
      wanted = { from: wanted.from }; // in another text its end may be no cut
      later();
    },
    look(place) {
      if (place >= shown.start && place <= shown.end) return;
      wanted = { from: around(place) };
      later();
    },
  };
}

/** A part of the page, its name beside it. */
function sectionOf(title, ...content) {
  const inner = h("div", {}, content);
  return { inner, element: h("section", {}, h("h3", { class: "beside" }, title), inner) };
}
