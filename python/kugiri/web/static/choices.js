// One of several: a row of radio buttons whose labels are drawn, as words of a text or as modes.
//
// choices({ label, options: [{ value, shown }], value, onChoose }) → element. The browser gives
// radio buttons their keys: one tab stop, arrows between them.

import { h } from "./elements.js";

let groups = 0;

/** A row to choose from; `kind` is an additional class of it. */
export function choices({ label, options, value, onChoose, kind = "" }) {
  const name = `choice-${(groups += 1)}`;
  const drawn = options.map((option) =>
    h(
      "label",
      {},
      h("input", {
        type: "radio",
        name,
        checked: option.value === value,
        "aria-label": option.said,
        on: { change: () => onChoose(option.value) },
      }),
      h("span", {}, option.shown),
    ),
  );
  return h("div", { class: `choices ${kind}`.trim(), role: "radiogroup", "aria-label": label }, drawn);
}
