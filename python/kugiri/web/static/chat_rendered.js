// The text that a template made, token by token: whose each token is can be seen.

import { h } from "./elements.js";
import { languageOf, quoted } from "./glyphs.js";
import { t } from "./messages.js";

const MOST = 3_000; // tokens that are drawn

/** The tokens of a chat in a row; a line of the text is a line. */
export function rendered({ pieces }) {
  const lang = languageOf(pieces.map((it) => it.text).join(""));
  const shown = pieces.slice(0, MOST).map((it) => [piece(it), endsLine(it) ? h("br") : null]);
  const left = pieces.length - MOST;
  return h(
    "p",
    { class: "chat-text", lang },
    shown,
    left > 0 ? h("span", { class: "soft" }, ` ${t("chat.more", { n: left })}`) : null,
  );
}

const endsLine = ({ text }) => text.endsWith("\n");

function piece({ text, id, content, message, special }) {
  const kind = special ? "control" : content ? "own" : "template";
  const whose = message === null ? t("chat.of.frame") : t("chat.of.message", { number: message + 1 });
  return h("span", { class: kind, title: `${id} · ${t(`chat.legend.${kind}`)} · ${whose}` }, quoted(text));
}
