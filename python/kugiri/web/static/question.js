// Why is this not one token? A stretch of the text is selected, and the question offered.

import { onlyNewest } from "./api.js";
import { button, fill, h } from "./elements.js";
import { quoted, shortened, sliced, wellFormed } from "./glyphs.js";
import { parts, t } from "./messages.js";
import { described, state } from "./state.js";

const MOST = 60; // code points of a stretch that can be asked about

/** The question under the text: `select(start, end)` in code points offers it. */
export function questionOf(context) {
  const offer = h("p", { class: "offer" });
  const answer = h("div", { class: "why", hidden: true, tabindex: -1, role: "region",
    "aria-label": t("why") });
  const newest = onlyNewest();

  function select(start, end) {
    const possible = end - start > 1 && end - start <= MOST && state.chosen !== null;
    offer.hidden = !possible;
    if (!possible) return;
    const piece = quoted(shortened(sliced(state.text, start, end), 24));
    fill(offer, button(parts("why-not-one", { piece }), () => ask(start, end), { class: "quiet" }));
  }

  function ask(start, end) {
    const tokenizer = state.chosen;
    const asked = { ...stretch(start, end), tokenizer };
    newest((signal) => context().api.why(asked, signal), async (reason) => {
      const { showWhy } = await import("./why.js");
      open((inner) => showWhy(inner, reason, context({ tokenizer, text: asked.text })));
    }, (refused) => open((inner) => fill(inner, h("p", { class: "note" }, refused.message))));
  }

  function open(draw) {
    const inner = h("div");
    const close = button("×", shut, { class: "leave", "aria-label": t("close") });
    fill(answer, inner, close);
    answer.hidden = false;
    draw(inner);
    answer.focus();
  }

  function shut() {
    if (answer.hidden) return;
    answer.hidden = true;
    fill(answer);
    document.querySelector("#text")?.focus();
  }

  answer.addEventListener("keydown", (event) => event.key === "Escape" && shut());
  offer.hidden = true;
  return { offer, answer, select, shut };
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
