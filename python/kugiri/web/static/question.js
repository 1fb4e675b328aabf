// Why is this not one token? A stretch of the text is selected, and the question offered.
//
// Rule: an answer is of one text and one tokenizer, which it names. Where another tokenizer is
// chosen, or special tokens are read otherwise, it is asked for anew; where the text changes, it
// goes. A long text is answered for a stretch of it, with its places in the whole.

import { onlyNewest } from "./api.js";
import { button, fill, h } from "./elements.js";
import { quoted, shortened, sliced, visible, wellFormed } from "./glyphs.js";
import { parts, t } from "./messages.js";
import { described, state } from "./state.js";
import { around, asked as askedOf, stretchOf, tokensOf } from "./stretches.js";
import { overlapping } from "./walking.js";

const MOST = 60; // code points of a stretch that can be asked about

/** The question under the text: `select(start, end)` in code points offers it, or says
 * that this is one token, where `isToken(start, end)` knows. */
export function questionOf(context, isToken) {
  const offer = h("p", { class: "offer" });
  const answer = h("div", { class: "why", hidden: true, tabindex: -1, role: "region",
    "aria-label": t("why") });
  const newest = onlyNewest();
  let selected = [0, 0];
  let asked = null; // the stretch that is answered: [start, end]

  function select(start, end) {
    selected = [start, end];
    offer.hidden = start === end || state.chosen === null;
    if (offer.hidden) return;
    if (isToken(start, end)) return fill(offer, t("why-one", { name: visible(state.chosen) }));
    if (end - start > MOST) return fill(offer, t("why-too-long", { n: MOST }));
    const piece = quoted(shortened(sliced(state.text, start, end), 24));
    fill(offer, button(parts("why-not-one", { piece }), () => ask(start, end), { class: "quiet" }));
  }

  function ask(start, end) {
    asked = [start, end];
    const tokenizer = state.chosen;
    const { api } = context();
    const by = h("p", { class: "soft" }, parts("why-by", { name: h("bdi", {}, visible(tokenizer)) }));
    const inner = h("div", {}, h("p", { class: "soft" }, t("why-waits")));
    const edges = h("p", { class: "soft" });
    open(by, inner, edges);
    if (offer.contains(document.activeElement)) answer.focus();
    select(0, 0);
    newest(async (signal) => {
      const stretch = await stretchAround(api, tokenizer, asked, signal);
      const place = { start: start - stretch.start, end: end - stretch.start };
      return { stretch, reason: await api.why({ ...askedOf(stretch, tokenizer), ...place }, signal) };
    }, async ({ stretch, reason }) => {
      const { showWhy } = await import("./why.js");
      showWhy(inner, reason, stretch.start);
      fill(edges, stretch.differs ? t("came-about-edges") : null);
    }, (refused) => fill(inner, h("p", { class: "note" }, refused.message)));
  }

  function open(...content) {
    const close = button("×", shut, { class: "leave", "aria-label": t("close") });
    const was = answer.hidden;
    fill(answer, ...content, close);
    answer.hidden = false;
    if (was || document.activeElement === document.body) answer.focus();
  }

  /** Another tokenizer is chosen, or the text read otherwise: what was asked is asked anew. */
  function again() {
    if (asked === null) return select(...selected);
    if (state.chosen === null) leave();
    else ask(...asked);
  }

  /** The text is another: what was asked of it is gone. */
  function leave() {
    if (asked === null) return;
    asked = null;
    newest.drop();
    answer.hidden = true;
    fill(answer);
  }

  function shut() {
    if (asked === null) return;
    leave();
    document.querySelector("#text")?.focus();
  }

  answer.addEventListener("keydown", (event) => event.key === "Escape" && shut());
  offer.hidden = true;
  return { offer, answer, select, again, leave };
}

/** The selection with as much of the text around it as is explained at a time; `differs`: whether
 * that alone has other tokens there than the whole text. */
async function stretchAround(api, tokenizer, [start, end], signal) {
  const size = state.limits.explained;
  const whole = wellFormed(state.text);
  const ask = tokensOf(api, whole, tokenizer, signal);
  const found = await stretchOf(whole, { from: around(start, size), size }, ask);
  if (found.tokens === null) return found;
  const from = Math.max(end - size, 0); // within a token that is longer than a stretch
  const stretch = found.start <= start && end <= found.end ? found
    : { start: from, text: sliced(whole, from, from + size), tokens: [] };
  const alone = await tokensOf(api, stretch.text, tokenizer, signal)(0, size);
  const idsAt = (tokens, from) =>
    overlapping(tokens, { start: start - from, end: end - from }).map((at) => tokens[at].id).join();
  return { ...stretch, differs: idsAt(stretch.tokens, 0) !== idsAt(alone, stretch.start) };
}

/** The context of the views: what they may ask, and of whom they speak. */
export function contextOf(base, { tokenizer = state.chosen, text = state.text } = {}) {
  return { ...base, tokenizer: described(tokenizer), text, tokenizers: state.tokenizers };
}
