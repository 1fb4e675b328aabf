// Ways at random: α, the seed, and what came of it, in the lattice and as a list.

import { debounced, onlyNewest } from "./api.js";
import { button, fill, h } from "./elements.js";
import { spansOf } from "./lattice_drawing.js";
import { number, parts, percent, t } from "./messages.js";
import { against, bar, plainly } from "./pieces.js";
import { state } from "./state.js";

const DRAWN = 200; // ways a sample has
const MOST_SHOWN = 12;
const WAIT = 150; // milliseconds until a moved slider asks

/** The controls of sampling, and the ways that were drawn. */
export function sampling(model, drawing, context) {
  const newest = onlyNewest();
  let seed = 1;
  const slider = h("input", { type: "range", min: 0, max: 2, step: 0.1, value: 1, "aria-label": t("sample.alpha") });
  const output = h("output", {});
  const meaning = h("p", { class: "soft" });
  const result = h("div", { class: "sampled", role: "status" });
  const back = button(t("sample.back"), rest, { class: "quiet" });
  back.hidden = true;

  function say() {
    const alpha = Number(slider.value);
    output.textContent = t("sample.of", { alpha: number(alpha, 1), seed: String(seed) });
    const key = alpha === 0 ? "zero" : alpha < 1 ? "flat" : alpha === 1 ? "one" : "sharp";
    meaning.textContent = t(`sample.${key}`);
    slider.setAttribute("aria-valuetext", `α ${number(alpha, 1)}: ${meaning.textContent}`);
  }
  function draw() {
    const question = {
      text: context.text, tokenizer: context.tokenizer.name,
      alpha: Number(slider.value), seed, number: DRAWN, allow_special: state.special,
    };
    newest((signal) => context.api.sample(question, signal), show, (refused) =>
      fill(result, h("p", { class: "note" }, plainly(refused.message))),
    );
  }
  function show(answer) {
    const taken = new Map(answer.nodes.map(([start, end, , count]) => [`${start}-${end}`, count]));
    drawing.shares((node) => (taken.get(`${node.start}-${node.end}`) ?? 0) / DRAWN);
    back.hidden = false;
    again.textContent = t("sample.others", { n: DRAWN });
    fill(result, ways(answer, model, drawing));
  }
  function rest() {
    newest.drop();
    later.drop();
    drawing.shares(null);
    again.textContent = t("sample.again", { n: DRAWN });
    back.hidden = true;
    fill(result);
  }
  const later = debounced(WAIT, draw);
  slider.addEventListener("input", () => {
    say();
    later();
  });
  const again = button(t("sample.again", { n: DRAWN }), () => {
    if (!back.hidden) seed += DRAWN; // way number i has the seed + i
    say();
    draw();
  });
  say();
  return h(
    "div",
    { class: "sampling" },
    h("p", { class: "soft" }, t("sample.lede")),
    h("div", { class: "controls" }, h("span", { "aria-hidden": true }, "α"), slider, output, again, back),
    meaning,
    result,
  );
}

function ways(answer, model, drawing) {
  const best = model.nbest[0];
  const most = answer.ways[0]?.count ?? 1;
  const rest = () => drawing.route(spansOf(best.pieces));
  const rows = answer.ways.slice(0, MOST_SHOWN).map((way) => {
    const point = () => drawing.route(spansOf(way.tokens));
    return h(
      "li",
      { tabindex: 0, on: { mouseenter: point, focus: point, mouseleave: rest, blur: rest } },
      h("span", { class: "way" }, against(way.tokens, best.pieces)),
      h(
        "span",
        { class: "facts" },
        bar(way.count / most),
        h("span", {}, t("sample.count", { n: way.count, share: percent(way.count / DRAWN) })),
      ),
    );
  });
  const left = answer.different - rows.length;
  return [
    h("p", {}, parts("sample.different", { n: answer.different, all: DRAWN })),
    h("ol", { class: "ways" }, rows),
    left > 0 ? h("p", { class: "soft" }, t("sample.more", { n: left })) : null,
  ];
}
