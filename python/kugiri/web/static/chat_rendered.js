// The text that a template made, token by token: whose each token is can be seen.

import { h } from "./elements.js";
import { isBytes, languageOf, sliced, symbol } from "./glyphs.js";
import { t } from "./messages.js";

const MOST = 3_000; // tokens that are drawn

/** The tokens of a chat in a row; a line of the text is a line. */
export function rendered({ text, pieces }) {
  const lang = languageOf(pieces.map((it) => it.text).join(""));
  const shown = pieces.slice(0, MOST).map((it) => [piece(it, text), endsLine(it) ? h("br") : null]);
  const left = pieces.length - MOST;
  return h(
    "p",
    { class: "chat-text", lang },
    shown,
    left > 0 ? h("span", { class: "soft" }, ` ${t("chat.more", { n: left })}`) : null,
  );
}

const endsLine = ({ text }) => text.endsWith("\n");

function piece({ text, id, start, end, content, message, special }, all) {
  const kind = special ? "control" : content ? "own" : "template";
  const owner = message === null ? t("chat.of.frame") : t("chat.of.message", { number: message + 1 });
  const of = isBytes(text) ? sliced(all, start, end) : null;
  const title = `${id} · ${t(`chat.legend.${kind}`)} · ${owner}`;
  return h("span", { class: kind, title }, symbol(text, of));
}
