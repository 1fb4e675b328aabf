// The lines under the text: what the strokes in it are, and how many tokens it has. An answer that
// takes long is said to be on its way, where the counts stand.

import { fill, h } from "./elements.js";
import { visible } from "./glyphs.js";
import { MIRRORED } from "./hero.js";
import { number, parts, t } from "./messages.js";

/** The caption; `of(column, answer, text)` fills it, with no column it is empty. */
export function captionOf() {
  const counts = h("p", { class: "counts" });
  const waits = h("p", { class: "waits", role: "status" });
  const element = h("div", { class: "caption" }, counts, waits);
  return {
    element,
    /** Say that the answer takes a while, or that it came. */
    waits(yes) {
      element.classList.toggle("waiting", yes);
      fill(waits, yes ? t("cutting") : null);
    },
    of(column, answer, text) {
      const half = text.isWellFormed() ? null : h("span", { class: "warning" }, t("half"));
      fill(counts, column ? linesOf(column, answer, text) : null, half);
    },
  };
}

function linesOf({ name, count }, { characters, bytes }, text) {
  const key = text.length > MIRRORED ? "caption-long" : "caption";
  const counts = Object.entries({ tokens: count, characters, bytes }).map(([key, n]) =>
    parts(`${key}-counted`, { n, count: h("b", {}, number(n)) }));
  return [
    h("span", {}, parts(key, { name: h("bdi", {}, visible(name)) })),
    h("span", {}, counts.flatMap((it) => [" · ", ...it]).slice(1)),
  ];
}

/** The counts of all lanes in a sentence, to be heard. */
export function spoken(columns) {
  return columns.filter((it) => !it.error).map((it) =>
    `${visible(it.name)}: ${t("tokens-counted", { n: it.count, count: number(it.count) })}`)
    .join(". ");
}
