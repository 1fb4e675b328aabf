// Why is this not one token? A stretch of the text is selected, and the question offered.
//
// Rule: an answer is of one text and one tokenizer, which it names. Where another tokenizer is
// chosen, it is asked for anew; where the text changes, it goes.

import { onlyNewest } from "./api.js";
import { button, fill, h } from "./elements.js";
import { quoted, shortened, sliced, visible, wellFormed } from "./glyphs.js";
import { parts, t } from "./messages.js";
import { described, state } from "./state.js";

const MOST = 60; // code points of a stretch that can be asked about

/** The question under the text: `select(start, end)` in code points offers it. */
export function questionOf(context) {
  const offer = h("p", { class: "offer" });
  const answer = h("div", { class: "why", hidden: true, tabindex: -1, role: "region",
    "aria-label": t("why") });
  const newest = onlyNewest();
  let asked = null; // the stretch that is answered: [start, end]

  function select(start, end) {
    const possible = end - start > 1 && end - start <= MOST && state.chosen !== null;
    offer.hidden = !possible;
    if (!possible) return;
    const piece = quoted(shortened(sliced(state.text, start, end), 24));
    fill(offer, button(parts("why-not-one", { piece }), () => ask(start, end), { class: "quiet" }));
  }

  function ask(start, end) {
    asked = [start, end];
    const tokenizer = state.chosen;
    const question = { ...stretch(start, end), tokenizer };
    const by = h("p", { class: "soft" }, parts("why-by", { name: h("bdi", {}, visible(tokenizer)) }));
    const inner = h("div", {}, h("p", { class: "soft" }, t("why-waits")));
    open(by, inner);
    if (offer.contains(document.activeElement)) answer.focus();
    offer.hidden = true;
    newest((signal) => context().api.why(question, signal), async (reason) => {
      const { showWhy } = await import("./why.js");
      showWhy(inner, reason, context({ tokenizer, text: question.text }));
    }, (refused) => fill(inner, h("p", { class: "note" }, refused.message)));
  }

  function open(...content) {
    const close = button("×", shut, { class: "leave", "aria-label": t("close") });
    const was = answer.hidden;
    fill(answer, ...content, close);
    answer.hidden = false;
    if (was || document.activeElement === document.body) answer.focus();
  }

  /** Another tokenizer is chosen: what was asked is asked of that one. */
  function again() {
    if (asked === null) return;
    if (state.chosen === null) leave();
    else ask(...asked);
  }

  /** The text is another: what was asked of it is gone. */
  function leave() {
    if (asked === null) return;
    asked = null;
    newest(async () => null, () => {}); // an answer that is on its way is dropped
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

/** The selection with as much of the text around it as is explained at a time. */
function stretch(start, end) {
  const from = Math.max(0, end - state.limits.explained);
  const text = sliced(wellFormed(state.text), from, from + state.limits.explained);
  return { text, start: start - from, end: end - from };
}

/** The context of the views: what they may ask, and of whom they speak. */
export function contextOf(base, { tokenizer = state.chosen, text = state.text } = {}) {
  return { ...base, tokenizer: described(tokenizer), text, tokenizers: state.tokenizers };
}
