// The comparison as one HTML file that needs nothing else: made by the server, saved by the browser.

import { button, h } from "./elements.js";
import { language, t } from "./messages.js";
import { wellFormed } from "./glyphs.js";
import { heard, state } from "./state.js";

/** The button; `say(words)` shows what went wrong. */
export function shareOf(api, say) {
  const share = async () => {
    say("");
    try {
      save(await api.share(question()));
    } catch (error) {
      say(error.message);
    }
  };
  const element = button(t("share"), share, { class: "quiet share", title: t("share-how") });
  const able = () => { element.disabled = state.lanes.length === 0 || state.text === ""; };
  heard(["lanes", "text"], able);
  able();
  return element;
}

/** What the server is asked. */
export function question() {
  return {
    text: wellFormed(state.text),
    tokenizers: state.lanes,
    explain: state.chosen,
    language: language(),
    allow_special: state.special,
    add_special_tokens: state.around,
  };
}

function save({ blob, name }) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
