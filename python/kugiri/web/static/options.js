// How the text is read and shown: views, special tokens; and texts to begin with.

import { choices } from "./choices.js";
import { button, h } from "./elements.js";
import { t } from "./messages.js";
import { change, state, VIEWS } from "./state.js";

const FURTHER = {
  code: 'def greet(name: str) -> str:\n    return f"Hello, {name}!"\n',
  signs: "ｶﾞｷﾞ ﾊﾝｶｸ １２３ ㍿ café 👩‍👩‍👧‍👦 नमस्ते",
};

/** The row of switches above the lanes. */
export function togglesOf() {
  return h("div", { class: "toggles" },
    choices({ label: t("show"), options: VIEWS.map((value) => ({ value, shown: t(`view-${value}`) })),
      value: state.view, onChoose: (view) => change({ view }), kind: "toggle" }),
    checkbox(t("read-special"), t("special-how"), state.special, (special) => change({ special })),
    checkbox(t("add-around"), t("around-how"), state.around, (around) => change({ around })));
}

function checkbox(words, title, checked, onChange) {
  return h("label", { class: "check", title },
    h("input", { type: "checkbox", checked,
      on: { change: (event) => onChange(event.target.checked) } }), h("span", {}, words));
}

/** Texts to try, by the server and a few that show what is strange. */
export function examplesOf(example, onText) {
  const texts = [["en", "English", example.en], ["ja", "日本語", example.ja],
    [null, t("example-code"), FURTHER.code], [null, t("example-signs"), FURTHER.signs]];
  return h("p", { class: "examples" }, h("span", { class: "soft" }, t("try")), " ",
    texts.map(([lang, words, text]) =>
      button(words, () => onText(text), { class: "quiet", lang })));
}
