// One line about the token that is pointed at: what it is, where it lies, and how others cut there.
//
// Rule: the line stands at the bottom of the window, or at its top where it would cover the system
// that the token is in; it goes when nothing is pointed at. The pointer goes through it, to the tokens
// under it.

import { fill, h } from "./elements.js";
import { quoted, shortened, sliced, symbol, visible } from "./glyphs.js";
import { placeOf, precise, t } from "./messages.js";
import { overlapping } from "./walking.js";

const MOST_BYTES = 24;

/** The line; `show(lanes, lane, at, text)` fills it, `rest()` empties it. */
export function detailOf() {
  const line = h("div", { class: "told" }); // what lies under it can be pointed at
  const element = h("div", { class: "detail", role: "group", "aria-label": t("detail") }, line);
  const rest = () => fill(line);
  return {
    element,
    rest,
    show(lanes, lane, at, text) {
      const token = lanes[lane].tokens[at];
      fill(line,
        h("p", { class: "its" },
          h("span", { class: "self" }, symbol(shortened(token.text, 40))), factsOf(token, text)),
        lanes.length > 1 ? h("p", { class: "others" }, othersOf(lanes, lane, token)) : null);
      keepClear(line, lanes[lane].elements[at]);
    },
  };
}

/** Move the line to the top where it covers the token's system, and would not cover the token there. */
function keepClear(line, token) {
  const box = (it) => it.getBoundingClientRect();
  line.classList.remove("above");
  if (box(token.closest(".system")).bottom <= box(line).top) return;
  line.classList.add("above");
  if (box(token).top < box(line).bottom) line.classList.remove("above");
}

function factsOf(token, text) {
  const bytes = token.bytes.slice(0, 2 * MOST_BYTES).match(/../g)?.join(" ") ?? "";
  const hex = token.size > MOST_BYTES ? `${bytes} …` : bytes;
  const covered = shortened(sliced(text, token.start, Math.min(token.end, token.start + 40)), 30);
  return [
    fact(t("id"), String(token.id)),
    token.size > 0 ? fact(t("n-bytes", { n: token.size }), h("code", {}, hex)) : null,
    token.score === null ? null : fact(t("score"), precise(token.score, 4), t("score-how")),
    token.rank === null ? null : fact(t("rank"), String(token.rank), t("rank-how")),
    h("span", { class: "fact place-of" }, placeOf(token.start, token.end)),
    token.part ? fact(t("part-of"), quoted(covered)) : null,
    token.unknown ? h("span", { class: "fact warning" }, t("is-unknown"))
      : token.special ? fact(t("special"), quoted(covered)) : null,
  ];
}

const fact = (name, value, title = null) =>
  h("span", { class: "fact", title }, h("small", {}, name), " ", value);

/** How the other lanes cut the same stretch. */
function othersOf(lanes, lane, token) {
  const others = lanes.filter((other, at) => at !== lane && !other.column.error);
  const differing = others.filter((other) => !other.tokens.some((it) => it.start === token.start && it.end === token.end));
  if (differing.length === 0) return h("span", { class: "soft" }, t("all-agree"));
  const alike = others.length - differing.length;
  const told = differing.map((other) => h("span", { class: "other" },
    h("small", {}, h("bdi", {}, visible(other.name))), " ",
    h("span", { class: "cut" },
      overlapping(other.tokens, token).map((it) => h("span", {}, symbol(other.tokens[it].text))))));
  return [told, alike > 0 ? h("span", { class: "soft" }, t("others-alike", { n: alike })) : null];
}
