// The tokens of BPE, each of which can be taken apart: a click undoes its last merge.
//
// Rule: a token is a node of its merge tree. An opened node is drawn as its two parts under one
// bracket with the rank of their merge; a click on a part opens it further, a click on the bracket
// puts the parts together again. ↓ opens, ↑ puts together. A token that was taken whole, without
// merging, is asked for its lineage when it is opened; why that is refused is said below it.

import { Refused } from "./api.js";
import { button, fill, h } from "./elements.js";
import { isBytes, languageOf, symbol, visible } from "./glyphs.js";
import { byWord, nodes, nodesOf } from "./merges.js";
import { t } from "./messages.js";

/** The tokens of all words, with buttons for all of them at once. */
export function undoable(model, context) {
  const merges = byWord(model);
  const trees = model.words.flatMap((word, at) => treesOf(word, merges[at], context));
  const all = (change) => async () => {
    for (const tree of trees) await change(tree);
  };
  return h(
    "div",
    { class: "undo" },
    h("p", { class: "soft" }, t("undo.how")),
    h(
      "div",
      { class: "controls" },
      button(t("undo.level"), all((tree) => tree.deeper())),
      button(t("undo.all"), all((tree) => tree.deepest())),
      button(t("undo.back"), all((tree) => tree.closed())),
    ),
    h("ol", { class: "trees", "aria-label": t("undo.tokens") }, trees.map((tree) => tree.element)),
  );
}

function treesOf(word, merges, context) {
  const ids = word.roots.length === word.ids.length ? word.ids : word.roots.map(() => null);
  if (!word.is_whole) {
    const all = nodes(word, merges);
    return word.roots.map((root, at) => tree(all, root, ids[at]));
  }
  const whole = tree([{ text: word.text, rank: null, parts: null, of: null }], 0, word.ids[0]);
  whole.learnFrom(async () => {
    const { name } = context.tokenizer;
    return (await context.api.lineage({ tokenizer: name, id: word.ids[0] })).lineage ?? [];
  });
  return [whole];
}

/** One token: its element, and what can be done with it. */
function tree(all, root, id) {
  const element = h("li", { class: "tree", lang: languageOf(all[root].text) });
  const opened = new Set();
  let learn = null;
  let refused = "";

  function draw(focused = null, onBracket = false) {
    const label = id === null ? null : h("small", {}, t("undo.id", { id: String(id) }));
    fill(element, node(root), label, refused && h("small", { class: "note", role: "alert" }, refused));
    if (focused === null) return;
    element.querySelector(`[data-node="${focused}"]${onBracket ? ".bracket" : ""}`)?.focus();
  }
  /** Ask for the merges of a token that was taken whole; whether they are known. */
  async function learned() {
    if (learn === null) return true;
    try {
      const steps = await learn();
      if (learn !== null) ({ nodes: all, root } = nodesOf(all[root].text, steps));
      [learn, refused] = [null, ""];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused = error.message;
    }
    return learn === null;
  }
  async function open(at) {
    const isWhole = learn !== null;
    if (!(await learned())) return draw();
    if (isWhole) at = root;
    if (all[at].parts === null) return draw();
    opened.add(at);
    draw(all[at].parts[0]);
  }
  function close(at) {
    opened.delete(at);
    draw(at);
  }
  function node(at) {
    const { text, rank, parts } = all[at];
    if (parts === null && learn === null) return leaf(all[at]);
    if (!opened.has(at)) return closedNode(at, all[at]);
    const words = t("undo.join", { token: visible(text), rank });
    const bracket = button(t("undo.rank", { rank }), () => close(at), {
      class: "bracket", "data-node": at, "aria-label": words, title: words,
    });
    bracket.addEventListener("keydown", keys({ ArrowUp: () => close(at) }));
    return h("span", { class: "opened" }, h("span", { class: "parts" }, parts.map(node)), bracket);
  }
  function closedNode(at, { text, of }) {
    const words = t("undo.open", { token: visible(text) });
    const made = button(symbol(text, of), () => open(at), {
      class: "chip", "data-node": at, "aria-label": words, title: words,
    });
    const parent = [...opened].find((it) => all[it].parts.includes(at));
    const up = () => parent !== undefined && close(parent);
    made.addEventListener("keydown", keys({ ArrowDown: () => open(at), ArrowUp: up }));
    return made;
  }
  const reached = () => {
    const found = [];
    const visit = (at) => {
      if (!opened.has(at)) found.push(at);
      else all[at].parts.forEach(visit);
    };
    visit(root);
    return found.filter((at) => all[at].parts !== null);
  };
  async function deeper() {
    if (await learned()) reached().forEach((at) => opened.add(at));
    draw();
  }
  draw();
  return {
    element,
    deeper,
    deepest: async () => {
      if (await learned()) all.forEach(({ parts }, at) => parts !== null && opened.add(at));
      draw();
    },
    closed: () => {
      opened.clear();
      draw();
    },
    learnFrom: (asked) => {
      learn = asked;
      draw();
    },
  };
}

/** What merging begins with: a character with its bytes, or a byte. */
function leaf({ text, of }) {
  const hex = [...new TextEncoder().encode(text)].map((it) => it.toString(16).padStart(2, "0"));
  return h(
    "span",
    { class: "chip leaf", tabindex: -1 },
    symbol(text, of),
    isBytes(text) ? null : h("small", {}, hex.join(" ")),
  );
}

const keys = (actions) => (event) => {
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  action();
};
