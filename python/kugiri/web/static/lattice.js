// Unigram's lattice: every piece that stands in the text, the best ways through it, and ways at
// random.
//
// Rule: the text has many ways through its pieces, each with a probability. Ink says how probable a
// piece is; a way that is pointed at is drawn as a line through its pieces. Sampling takes ways at
// random, with their probabilities to the power α; then ink says how many of the ways took a piece.

import { fill, h, wide } from "./elements.js";
import { visible } from "./glyphs.js";
import { latticeDrawing, spansOf } from "./lattice_drawing.js";
import { number, parts, percent, placeOf, precise, t } from "./messages.js";
import { against, bar } from "./pieces.js";
import { sampling } from "./sampling.js";
import "./messages_steps.js";

const LOW = 330; // pixels: a drawing that may stay in sight while its ways are gone through

/** Fill the container with the lattice of an explanation, its ways, and the sampling. */
export function showLattice(container, explanation, context) {
  const { model } = explanation;
  if (!model.is_shown || model.lattice.length === 0) {
    fill(container, h("p", { class: "soft" }, t(model.is_shown ? "pre.none" : "lattice.long")));
    return;
  }
  const drawing = latticeDrawing(model);
  const said = h("p", { class: "reason", role: "status" });
  const best = model.nbest[0];
  const frame = wide(t("lattice.name"), drawing.svg);
  const show = (way, place) => {
    drawing.route(spansOf(way.pieces));
    bring(frame, drawing, firstOther(way.pieces, best.pieces));
    fill(said, sentence(way, place));
  };
  const rest = () => show(best, 1);
  const rows = model.nbest.map((way, at) => wayRow(way, at + 1, best, show, rest));
  rest();
  fill(
    container,
    h("p", { class: "lede" }, t("lattice.lede")),
    h("p", { class: "soft" }, t("lattice.ways", { n: model.paths })),
    h("div", { class: drawing.height < LOW ? "lattice-place low" : "lattice-place" },
      frame, said),
    list(model),
    h("h4", {}, t("lattice.best")),
    h("p", { class: "soft" }, t("lattice.point")),
    h("ol", { class: "ways" }, rows),
    h("details", { class: "at-random" },
      h("summary", {}, h("h4", {}, t("sample.title"))),
      h("p", { class: "soft" }, t("lattice.entropy", { entropy: precise(model.entropy) })),
      sampling(model, drawing, context)),
  );
}

/** The place of the first piece of a way that the best one has not; or null. */
function firstOther(pieces, best) {
  const at = pieces.findIndex((it, number) => it !== best[number]);
  return at < 0 ? null : spansOf(pieces)[at][0];
}

/** Bring a place of the text into sight, where the drawing is wider than its frame. */
function bring(frame, drawing, place) {
  if (place === null) return;
  const { scrollLeft, clientWidth } = frame;
  const at = drawing.x(place);
  const isSeen = at >= scrollLeft && at < scrollLeft + 0.8 * clientWidth;
  if (!isSeen) frame.scrollLeft = at - clientWidth / 3;
}

/** What the drawing says, for who does not see it; made when it is opened. */
function list({ lattice }) {
  const places = h("ul", {});
  const open = () => places.childElementCount === 0 && fill(places, items(lattice));
  const summary = h("summary", {}, t("lattice.list", { n: lattice.length }));
  return h("details", { on: { toggle: open } }, summary, places);
}

function items(lattice) {
  return lattice.map((node) => {
    const values = {
      piece: visible(node.piece),
      place: placeOf(node.start, node.end),
      score: number(node.score),
      share: percent(node.probability),
    };
    return h("li", {}, t(node.is_best ? "lattice.item.best" : "lattice.item", values));
  });
}

function wayRow(way, place, best, show, rest) {
  const point = () => show(way, place);
  return h(
    "li",
    {
      tabindex: 0,
      on: { mouseenter: point, focus: point, mouseleave: rest, blur: rest },
    },
    h("span", { class: "way" }, against(way.pieces, best.pieces)),
    h(
      "span",
      { class: "facts" },
      bar(best.posterior ? way.posterior / best.posterior : 0),
      h("span", {}, percent(way.posterior)),
      h("span", { class: "soft" }, t("lattice.log", { score: number(way.log_prob) })),
      h("span", { class: "soft" }, place === 1 ? "" : t("lattice.margin", { margin: number(way.margin) })),
    ),
  );
}

function sentence(way, place) {
  const values = { place, score: number(way.log_prob), share: percent(way.posterior), margin: number(way.margin) };
  return parts(place === 1 ? "lattice.say.best" : "lattice.say.other", values);
}
