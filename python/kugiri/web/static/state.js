// What the page knows: the text, the tokenizers beside each other, and how they are looked at.
//
// Rule: there is one state; parts of the page change it with `change` and hear of it with `heard`.
// The text and the choices outlive a reload (remembered.js); nothing is kept longer.

import { remember, remembered } from "./remembered.js";

const STORED = "state";
const MOST_STORED = 2_000_000; // UTF-16 units of text; more would not fit

const KEPT = ["text", "lanes", "chosen", "view", "special", "around", "prices"];

/** How tokens can be shown. */
export const VIEWS = ["text", "bytes", "ids"];

export const state = {
  version: "",
  limits: { explained: 2_000, tokenizers: 8 },
  patterns: [], // names of split patterns
  tokenizers: [], // all at hand, as the server describes them
  text: "",
  lanes: [], // names of those that are compared
  chosen: null, // name of the one that is explained
  view: "text", // or "bytes", "ids"
  place: "text", // or "chat", "training"
  special: false, // special tokens in the text are read as such
  around: false, // and what belongs around a text is added
  prices: {}, // what a model costs, as it was written
};

const listeners = [];

/** Call this whenever one of these keys changes. */
export function heard(keys, listener) {
  listeners.push([keys, listener]);
}

/** Change the state; who listens hears of it, who listens to several keys hears it once. */
export function change(changes) {
  const keys = Object.keys(changes).filter((key) => state[key] !== changes[key]);
  if (keys.length === 0) return;
  Object.assign(state, changes);
  for (const [wanted, listener] of listeners) {
    if (wanted.some((key) => keys.includes(key))) listener();
  }
}

/** The tokenizer of this name as the server describes it, or undefined. */
export const described = (name) => state.tokenizers.find((it) => it.name === name);

/** Begin with what the server told, and what was there before a reload. */
export function begin(told, example) {
  const { version, limits, tokenizers, patterns } = told;
  const before = restored();
  const names = tokenizers.map((it) => it.name);
  const lanes = [...new Set(before.lanes)].filter((name) => names.includes(name))
    .slice(0, limits.tokenizers);
  Object.assign(state, before, { version, limits, tokenizers, patterns });
  state.text = before.text ?? example;
  state.lanes = lanes.length > 0 ? lanes : startedWith(tokenizers).slice(0, limits.tokenizers);
  if (!state.lanes.includes(state.chosen)) state.chosen = readable(state.text) ?? state.lanes[0] ?? null;
}

/** Of the sample's, for Japanese, the one whose tokens are no parts of characters; or undefined. */
function readable(text) {
  const isReadable = ({ kind, source }) => source === "sample" && kind === "Unigram";
  const name = state.tokenizers.find(isReadable)?.name;
  return /[\p{scx=Hira}\p{scx=Kana}\p{sc=Han}]/u.test(text) && state.lanes.includes(name)
    ? name : undefined;
}

/** Names of those that the server was started with. */
const startedWith = (tokenizers) =>
  tokenizers.filter((it) => ["given", "sample"].includes(it.source)).map((it) => it.name);

/** What was kept, as far as it is of the kind that is expected: others may have written there. */
function restored() {
  const kept = remembered(STORED) ?? {};
  const { prices } = kept;
  const good = KEPT.filter((key) => kindOf(kept[key]) === kindOf(state[key]) || key === "chosen");
  return {
    ...Object.fromEntries(good.map((key) => [key, kept[key]])),
    view: VIEWS.includes(kept.view) ? kept.view : "text",
    prices: Object.fromEntries(Object.entries(prices ?? {}).filter(([, it]) => kindOf(it) === "string")),
  };
}

const kindOf = (value) => (Array.isArray(value) ? "list" : typeof value);

/** Whether the text is too long to outlive a reload. */
export const isTooLong = () => state.text.length > MOST_STORED;

/** Keep what outlives a reload. */
export function keep() {
  const kept = Object.fromEntries(KEPT.map((key) => [key, state[key]]));
  if (isTooLong()) delete kept.text;
  remember(STORED, kept);
}

/** Put a tokenizer that came beside the others, in the place of the last where all are taken. */
export function take(tokenizer) {
  const { name } = tokenizer;
  const tokenizers = [...state.tokenizers.filter((it) => it.name !== name), tokenizer];
  const others = state.lanes.filter((it) => it !== name).slice(0, state.limits.tokenizers - 1);
  change({ tokenizers, lanes: [...others, name], chosen: state.chosen ?? name });
}

/** A tokenizer is described anew, where it stands. */
export function renew(tokenizer) {
  const tokenizers = state.tokenizers.map((it) => (it.name === tokenizer.name ? tokenizer : it));
  change({ tokenizers });
}

/** A tokenizer is called otherwise, wherever it stands. */
export function renamed(before, tokenizer) {
  const { name } = tokenizer;
  const swap = (it) => (it === before ? name : it);
  change({
    tokenizers: state.tokenizers.map((it) => (it.name === before ? tokenizer : it)),
    lanes: state.lanes.map(swap),
    chosen: swap(state.chosen),
  });
}

/** Take a tokenizer out of the lanes. */
export function leave(name) {
  const lanes = state.lanes.filter((it) => it !== name);
  change({ lanes, chosen: lanes.includes(state.chosen) ? state.chosen : (lanes[0] ?? null) });
}

/** Forget a tokenizer that came by the page. */
export function forget(name) {
  leave(name);
  change({ tokenizers: state.tokenizers.filter((it) => it.name !== name) });
}
