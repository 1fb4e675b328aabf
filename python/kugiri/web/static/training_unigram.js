// How Unigram learned: it begins with many pieces, estimates how often each is used, and drops
// those that are missed least.

import { fill, h, wide } from "./elements.js";
import { symbol } from "./glyphs.js";
import { number, parts, precise, t } from "./messages.js";
import { bar, cut } from "./pieces.js";
import { stepper } from "./stepper.js";

const MOST = 20; // pieces that a round shows

/** The estimates under a slider. */
export function unigramRounds({ seeds, rounds }) {
  const title = h("p", { class: "step-title" });
  const about = h("p", { class: "reason" });
  const best = h("div", {});
  const gone = h("div", {});
  const draw = (at) => {
    const round = rounds[at];
    const before = at === 0 ? seeds : rounds[at - 1].pieces;
    fill(title, t("train.round", { at: at + 1, pieces: round.pieces }));
    fill(about, t("train.objective", { before, objective: precise(round.objective, 4), tokens: number(round.tokens, 1) }));
    fill(best, h("h4", {}, t("train.highest")), scored(round.best));
    fill(gone, dropped(round));
  };
  const say = (at) => t("train.round", { at: at + 1, pieces: rounds[at].pieces });
  if (rounds.length === 0) return h("p", { class: "soft" }, t("train.nothing"));
  const controls = stepper({ label: t("train.rounds"), last: rounds.length - 1, first: 1, say, draw });
  return [controls, title, about, h("div", { class: "two" }, best, gone)];
}

function scored(pieces) {
  const most = Math.max(...pieces.map((it) => it.expected), 1e-9);
  const rows = pieces.slice(0, MOST).map((it) => [
    h("td", {}, symbol(it.piece)),
    h("td", { class: "number" }, number(it.score)),
    h("td", { class: "number" }, number(it.expected, 1)),
    h("td", {}, bar(it.expected / most)),
  ]);
  const head = [["train.piece"], ["train.score", "number"], ["train.expected", "number"], ["train.share"]];
  return table(t("train.highest"), head, rows);
}

function dropped({ pruned, unexpected, returned }) {
  const found = [];
  if (pruned.length > 0) {
    const rows = pruned.slice(0, MOST).map((it) => [
      h("td", {}, symbol(it.piece)),
      h("td", {}, reason(it)),
      h("td", {}, it.instead.length > 0 ? cut(it.instead) : ""),
    ]);
    found.push(h("h4", {}, t("train.dropped", { n: pruned.length })));
    found.push(table(t("train.dropped.table"), [["train.piece"], ["train.why"], ["train.instead"]], rows));
    if (pruned.length > MOST) found.push(h("p", { class: "soft" }, t("pre.more.pieces", { n: pruned.length - MOST })));
  }
  if (unexpected.length > 0) found.push(named("train.unexpected", unexpected.map((it) => it.piece)));
  if (returned.length > 0) found.push(named("train.returned", returned));
  return found.length > 0 ? found : h("h4", {}, t("train.dropped.none"));
}

/** Why a piece was dropped. */
function reason({ loss, better }) {
  if (loss !== null) return parts("train.loss", { loss: precise(loss) });
  return better !== null ? t("train.better", { by: precise(better) }) : t("train.unused");
}

function named(key, pieces) {
  return [h("h4", {}, t(key, { n: pieces.length })), h("p", { class: "pieces" }, cut(pieces.slice(0, 3 * MOST)))];
}

function table(name, columns, rows) {
  const head = columns.map(([key, kind = null]) =>
    h("th", { scope: "col", class: kind }, key === "train.share" ? h("span", { class: "unseen" }, t(key)) : t(key)),
  );
  const body = rows.map((cells) => h("tr", {}, cells));
  return wide(name, h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, body)));
}
