// The lattice as SVG: the characters along the bottom, each piece a bar over what it covers.
//
// Rule: bars lie in lanes, short pieces lowest, so that none covers another. The thickness and the
// ink of a bar are its share. The best way has the accent; a way that is pointed at is a line that
// climbs from piece to piece.

import { svg } from "./elements.js";
import { hexOf, isBytes, languageOf, runs } from "./glyphs.js";
import { percent, t } from "./messages.js";

const LEAST = 46; // width of a character's column, which is wider in a short text
const MOST = 68;
const WIDTH = 880;
const LANE = 46;
const MARGIN = 10;
const BASE = 42; // for the characters

/** The drawing: its svg, route(spans), and shares(how many of the ways each piece has, or null). */
export function latticeDrawing(model) {
  const characters = [...model.text];
  const lanes = inLanes(model.lattice);
  const height = MARGIN + lanes.length * LANE + BASE;
  const column = Math.min(Math.max(WIDTH / characters.length, LEAST), MOST);
  const width = characters.length * column + 2 * MARGIN;
  const x = (place) => MARGIN + place * column;
  const y = (lane) => height - BASE - (lane + 0.5) * LANE + 10;

  const line = svg("path", { class: "route" });
  const bars = new Map();
  lanes.forEach((lane, at) => {
    for (const node of lane) bars.set(`${node.start}-${node.end}`, piece(node, x, y(at)));
  });
  const text = characters.map((it, at) =>
    svg("text", { class: "base", x: x(at + 0.5), y: height - 8 }, glyphed(it)),
  );
  const seams = characters.slice(1).map((_, at) =>
    svg("line", { class: "seam", x1: x(at + 1), x2: x(at + 1), y1: MARGIN, y2: height - BASE + 4 }),
  );
  const drawing = svg(
    "svg",
    {
      class: "lattice",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      lang: languageOf(model.text),
      "aria-label": t("lattice.alternative", { n: model.lattice.length }),
    },
    seams,
    text,
    line,
    [...bars.values()].map((it) => it.group),
  );
  const show = (shareOf) => bars.forEach((it) => it.ink(shareOf(it.node)));
  const byProbability = (node) => node.probability;
  show(byProbability);
  return {
    svg: drawing,
    height,
    x, // where a place of the text is
    /** Draw a way as a line through these pieces. */
    route(spans) {
      const on = new Set(spans.map(([start, end]) => `${start}-${end}`));
      bars.forEach((it, key) => it.group.classList.toggle("on", on.has(key)));
      line.setAttribute("d", path(spans, bars, x));
    },
    /** Ink for another share than the probability; null for that again. */
    shares(shareOf) {
      show(shareOf ?? byProbability);
    },
  };
}

/** Pieces in lanes: short ones first, each in the lowest lane where it touches no other. */
function inLanes(nodes) {
  const lanes = [];
  const shortest = [...nodes].sort((a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start);
  const least = new Map(); // of a length: the lane it may begin in, so that longer ones lie higher
  let floor = 0;
  let length = 0;
  for (const node of shortest) {
    if (node.end - node.start !== length) {
      length = node.end - node.start;
      if (!least.has(length)) least.set(length, floor);
    }
    let at = length === 1 ? 0 : 1;
    while (lanes[at]?.some((it) => it.start < node.end && node.start < it.end)) at += 1;
    while (lanes.length <= at) lanes.push([]);
    lanes[at].push(node);
    floor = Math.max(floor, at);
  }
  return lanes.filter((lane) => lane.length > 0);
}

function piece(node, x, y) {
  const [left, right] = [x(node.start) + 4, x(node.end) - 4];
  const stroke = svg("line", { x1: left, x2: right, y1: y, y2: y });
  const share = svg("tspan", { class: "share" });
  const label = svg("text", { x: (left + right) / 2, y: y - 9 }, glyphed(node.piece));
  const below = svg("text", { class: "share", x: (left + right) / 2, y: y + 16 }, share);
  const group = svg("g", { class: node.is_best ? "piece best" : "piece" }, stroke, label, below);
  return {
    node,
    group,
    y,
    ink(its) {
      stroke.setAttribute("stroke-width", (1.2 + 6.8 * its).toFixed(2));
      share.textContent = its >= 0.0005 ? percent(its) : "";
      group.classList.toggle("unlikely", its < 0.05);
    },
  };
}

function path(spans, bars, x) {
  const points = [];
  for (const [start, end] of spans) {
    const found = bars.get(`${start}-${end}`);
    if (found !== undefined) points.push([x(start), found.y], [x(end), found.y]);
  }
  return points.map(([px, py], at) => `${at === 0 ? "M" : "L"}${px} ${py}`).join(" ");
}

/** A text inside SVG, where no element of HTML can stand: glyphs are set smaller. */
function glyphed(text) {
  if (isBytes(text)) return svg("tspan", { class: "glyph" }, hexOf(text));
  return runs(text).map(([kind, shown]) =>
    kind === "text" ? shown : svg("tspan", { class: kind }, kind === "space" ? "\u2423" : shown),
  );
}

/** The places of pieces that follow one another. */
export function spansOf(pieces) {
  let at = 0;
  return pieces.map((piece) => {
    const start = at;
    at += [...piece].length;
    return [start, at];
  });
}
