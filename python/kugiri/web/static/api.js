// The server's answers: one function a question. What it refuses is thrown, in the page's words.

import { refusal } from "./messages_refused.js";

/** The server said no, or was not there; the message is to be shown. */
export class Refused extends Error {
  constructor(words, status) {
    super(words);
    this.status = status;
  }
}

async function asked(path, options = {}) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(refusal({ kind: "gone" }), 0);
  }
  if (response.ok) return response;
  const { status } = response;
  const unknown = { kind: "status", values: { status: String(status) } };
  const said = await response.json().catch(() => unknown);
  throw new Refused(refusal(said, said.error), status);
}

const json = async (path, options) => (await asked(path, options)).json();

function post(route) {
  return (question, signal) => json(`/api/${route}`, { ...posted(question), signal });
}

function posted(question) {
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(question) };
}

const named = (path, name) => `${path}?name=${encodeURIComponent(name.toWellFormed())}`;

function put(path) {
  const headers = { "content-type": "application/octet-stream" };
  return (name, body, pattern) => json(named(path, name) + (pattern ? `&pattern=${pattern}` : ""),
    { method: "PUT", headers, body });
}

/** Columns, each refusal among them in the page's words. */
async function columns(question, signal) {
  const answer = await post("tokens")(question, signal);
  const worded = (its) => (its.error ? { ...its, error: refusal(its, its.error) } : its);
  return { ...answer, columns: answer.columns.map(worded) };
}

/** A file that came, and what the server calls it. */
async function fileOf(response) {
  const [, name] = /filename="(.*)"/.exec(response.headers.get("content-disposition"));
  return { blob: await response.blob(), name };
}

/** Every question; those that take one are asked as api.tokens(question, signal). */
export const api = {
  state: () => json("/api/state"),
  glyphs: () => json("/api/glyphs"),
  tokens: columns,
  explain: post("explain"),
  why: post("why"),
  lineage: post("lineage"),
  sample: post("sample"),
  chat: post("chat"),
  cost: post("cost"),
  train: post("train"),
  share: async (question) => fileOf(await asked("/api/share", posted(question))),
  add: put("/api/tokenizers"),
  rename: put("/api/tokenizers/name"),
  addConfig: put("/api/tokenizers/config"),
  remove: (name) => json(named("/api/tokenizers", name), { method: "DELETE" }),
};

/** Runs one piece of work at a time: a newer one aborts the older, whose answer is dropped, and so
 * does `drop()`, where an answer would be of what is no more.
 *
 * const newest = onlyNewest();
 * newest((signal) => api.tokens(question, signal), draw, (refused) => …); */
export function onlyNewest() {
  let running = null;
  async function newest(work, then, otherwise) {
    newest.drop();
    const mine = (running = new AbortController());
    try {
      const answer = await work(mine.signal);
      if (mine === running) then(answer);
    } catch (error) {
      if (mine !== running || error.name === "AbortError") return;
      if (!(error instanceof Refused)) throw error;
      otherwise(error);
    }
  }
  newest.drop = () => {
    running?.abort();
    running = null;
  };
  return newest;
}

/** A function that waits until nobody has called it for a while; `drop()` forgets the calls. */
export function debounced(milliseconds, work) {
  let timer = 0;
  const later = (...values) => {
    later.drop();
    timer = setTimeout(() => work(...values), milliseconds);
  };
  later.drop = () => clearTimeout(timer);
  return later;
}
