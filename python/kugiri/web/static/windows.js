// A long text window by window: the tokens of the first are drawn, more as one scrolls.
//
// Rule: a text of one window stands on the page itself. A longer one scrolls in a box of its own,
// so that what comes after it can be reached; when its end is near, the next window is asked for.
// Where no answer came, this stands at the end; it is asked again there, or when one comes back to it.

import { onlyNewest } from "./api.js";
import { button, fill, h } from "./elements.js";
import { sliced } from "./glyphs.js";
import { t } from "./messages.js";

const WHOLE = 2_000; // code points of a text that is drawn at once
const PART = 1_000; // of a window of a longer one
const PATIENCE = 300; // milliseconds until it is said that an answer is on its way

/** The box of the lanes. `ask(start, characters, signal)` gets an answer, `looks()` how to draw. */
export function windowsOf(lanes, { ask, looks, waits }) {
  const end = h("div", { class: "end" });
  const element = h("div", { class: "windows" }, lanes.element, end);
  const newest = onlyNewest();
  let text = "";
  let patience = 0;
  let next = null; // where the window after those drawn begins

  const watched = new IntersectionObserver((seen) => {
    if (seen.some((it) => it.isIntersecting)) more();
  }, { root: element, rootMargin: "600px" });

  function more() {
    if (next === null) return; // on its way
    const start = next;
    next = null; // until the answer has come
    newest((signal) => ask(start, PART, signal), (answer) => {
      lanes.append(answer, drawn(start));
      await_(answer.next);
    }, (refused) => {
      next = start; // still watched: asked again when it comes into view again
      fill(end, h("p", { class: "note", role: "alert" }, refused.message, " ",
        button(t("ask-again"), more, { class: "quiet" })));
    });
  }

  function await_(place) {
    fill(end);
    next = place;
    watched.unobserve(end);
    if (next !== null) watched.observe(end);
  }

  /** What is on its way is of another text, or of other tokenizers. */
  function drop() {
    newest.drop();
    await_(null);
    clearTimeout(patience);
    waits(false);
  }

  const drawn = (start) => ({ ...looks(), start, signs: [...sliced(text, start, start + WHOLE)] });

  return {
    element,
    drop,
    /** Draw lanes that have nothing in them. */
    empty(answer) {
      drop();
      lanes.draw(answer, drawn(0));
    },
    /** Ask for a text's first window, draw it, and tell what came, or why nothing did. */
    show(shown, then, otherwise) {
      drop();
      text = shown;
      const long = text.length > WHOLE;
      patience = setTimeout(waits, PATIENCE, true);
      const arrived = () => {
        clearTimeout(patience);
        waits(false);
      };
      newest((signal) => ask(0, long ? PART : WHOLE, signal), (answer) => {
        arrived();
        element.classList.toggle("scrolls", answer.next !== null);
        element.scrollTop = 0;
        lanes.draw(answer, drawn(0));
        await_(answer.next);
        then(answer);
      }, (refused) => {
        arrived();
        otherwise(refused.message);
      });
    },
  };
}
