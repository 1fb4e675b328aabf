// Tokenizers that come: one of those at hand, one that is picked, one that is dropped on the page.
//
// Rule: a file that is dropped or picked goes to the server on this machine, which says what it is;
// text files, in UTF-8, are read into the page instead. tokenizer_config.json and .jinja are no
// tokenizers: they go, for their chat template, to the one dropped last if it has
// none, else to the one that is chosen, and which it is is said. A tokenizer that is there
// already is shown, not kept twice; a .tiktoken file that does not say how it splits is asked for
// its pattern.

import { button, fill, h } from "./elements.js";
import { visible } from "./glyphs.js";
import { t } from "./messages.js";
import { warnings } from "./messages_refused.js";
import { described, forget, renew, state, take } from "./state.js";

const TEXT = /\.(txt|md|csv|tsv|py|js|rs|html|xml|log|jsonl)$/i;
const CHAT = /^tokenizer_config\.json$|\.jinja$/i;
const MB = 1 << 20;
const NO_TEXT = /^vocab.*\.txt$/i;

/** The line that offers tokenizers. `say(words)` shows what went wrong, `onText` gets a text,
 * `onNameless(name)` is told of a tokenizer whose file has the name that all have. */
export function loadingOf(api, { say, onText, onNameless }) {
  let last = null; // name of the tokenizer that came last
  const picker = h("input", {
    type: "file", multiple: true, hidden: true,
    on: { change: () => come([...picker.files]).then(() => (picker.value = "")) },
  });
  const element = h("div", { class: "adding" });

  /** All that is to be said of the files of a drop is said together, and what is asked last. */
  async function come(files) {
    const news = [];
    const questions = [];
    for (const file of files) {
      const name = visible(file.name);
      const of = (words) => (words === "" || words.includes(name) ? words : `${name}: ${words}`);
      const its = await one(file).catch(({ message }) => of(message));
      if (typeof its === "string") news.push(files.length > 1 ? of(its) : its);
      else questions.push(its);
    }
    say([together(...news), questions]);
    questions[0]?.querySelector("button").focus(); // which scrolls to it
  }

  async function one(file) {
    const name = visible(file.name);
    const isText = TEXT.test(file.name) && !NO_TEXT.test(file.name);
    const most = (isText ? state.limits.text : state.limits.file) ?? Infinity;
    if (file.size > most) {
      throw new Error(t("too-large", { name, size: Math.ceil(file.size / MB), most: most / MB }));
    }
    say(t("loading", { name }));
    const data = await file.arrayBuffer().catch(() => { throw new Error(t("unreadable", { name })); });
    if (isText) {
      onText(textOf(data, name));
      return "";
    }
    const to = CHAT.test(file.name) && templated(last);
    if (to) {
      const given = await api.addConfig(to, data);
      renew(given);
      return together(t("gave-template", { name: visible(to), file: name }), warnings(given));
    }
    return tokenizer(file);
  }

  async function tokenizer(file, pattern) {
    let came;
    try {
      came = await api.add(file.name, file, pattern);
    } catch (error) {
      if (error.status !== 422) throw error;
      const question = patternsFor(file, (chosen) => tokenizer(file, chosen)
        .catch((refused) => refused.message)
        .then((words) => {
          const others = [...document.querySelectorAll(".patterns")].filter((it) => it !== question);
          say([words, others]);
        }));
      return question;
    }
    const words = together(newsOf(came.name, file.name), warnings(came));
    last = came.name;
    if (state.lanes.includes(came.name)) renew(came);
    else take(came);
    if (came.nameless) onNameless(came.name);
    return words;
  }

  function draw() {
    const others = state.tokenizers.filter((it) => !state.lanes.includes(it.name));
    const full = state.lanes.length >= state.limits.tokenizers;
    fill(element, others.map((it) => offered(it, api, say, full)),
      button(t("open-file"), () => picker.click(), { class: "quiet open" }),
      h("span", { class: "soft" }, t("or-drop")), picker);
  }

  draw();
  return { element, draw, come, focus: () => element.querySelector(".open").focus() };
}

const together = (...words) => words.filter(Boolean).join(t("sentence.gap"));

/** The name of the tokenizer that a template goes to: the one that came last, if it has none. */
function templated(name) {
  const last = described(name) ?? state.tokenizers.findLast((it) => it.source === "dropped");
  return last && !last.chat ? last.name : state.chosen;
}

/** The text of a file; of other bytes than UTF-8 it would be another. */
function textOf(data, name) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    throw new Error(t("no-utf-8", { name }));
  }
}

/** What is to be said of a tokenizer that came: it is here already, or has another name. */
function newsOf(name, wanted) {
  const names = { name: visible(name), file: visible(wanted) };
  if (described(name)) return t("here-already", names);
  return / \(\d+\)$/.test(name) && !wanted.endsWith(name) ? t("named-anew", names) : "";
}

/** A question: by which pattern the text is cut before the tokens of a file are looked for. */
function patternsFor(file, choose) {
  const offers = state.patterns.map((it) => button(it, () => choose(it), { class: "quiet" }));
  return h("span", { class: "patterns" },
    t("which-pattern", { name: visible(file.name) }), " ", offers);
}

function offered(tokenizer, api, say, full) {
  const name = visible(tokenizer.name);
  const came = tokenizer.source === "dropped" || tokenizer.source === "trained";
  const isGone = 404; // it was forgotten elsewhere
  const forgotten = () => api.remove(tokenizer.name)
    .catch((error) => { if (error.status !== isGone) throw error; })
    .then(() => forget(tokenizer.name), (error) => say(error.message));
  return h("span", { class: "offered" },
    full ? h("bdi", { class: "soft" }, name)
      : button(["+ ", h("bdi", {}, name)], () => take(tokenizer),
        { class: "quiet", "aria-label": t("add-this", { name }) }),
    came ? button("×", forgotten, { class: "leave", "aria-label": t("forget", { name }) }) : null);
}

/** Let files be dropped anywhere on the page; a veil says so while they hover. */
export function dropped(come) {
  const veil = h("div", { class: "veil", hidden: true }, h("p", {}, t("drop-here")));
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  let depth = 0;
  const hover = (by) => {
    depth = by === 0 ? 0 : Math.max(depth + by, 0);
    veil.hidden = depth === 0;
  };
  const on = (kind, work) => document.addEventListener(kind, (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    work(event);
  });
  on("dragenter", () => hover(1));
  on("dragleave", () => hover(-1));
  on("dragover", (event) => (event.dataTransfer.dropEffect = "copy"));
  on("drop", (event) => {
    hover(0);
    come([...event.dataTransfer.files]);
  });
  document.body.append(veil);
}
