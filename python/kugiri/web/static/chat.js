// The chat: messages that are edited in place, what the template makes of them, and what each costs.
//
// Rule: the template writes the messages; it is asked again after each change. A token of the
// template is soft, one of a message has ink, a control token is a chip. What the template refuses
// is said; the last text stays, in grey, without its numbers. What it leaves out is said beside the messages.

import { debounced, onlyNewest } from "./api.js";
import { messageList, ROLES } from "./chat_messages.js";
import { rendered } from "./chat_rendered.js";
import { noTemplate } from "./chat_template.js";
import { fill, h } from "./elements.js";
import { visible } from "./glyphs.js";
import { parts, t } from "./messages.js";
import { warning } from "./messages_refused.js";
import { plainly } from "./pieces.js";
import { remember, remembered } from "./remembered.js";
import "./messages_chat.js";
import "./messages_steps.js";

const WAIT = 250; // milliseconds after the last change
const EXAMPLES = ROLES.filter((role) => role !== "tool"); // who speaks in the first messages

let kept = messagesOf(remembered("chat")); // once one was changed
let prompt = true;

/** Fill the container with the chat place. */
export function chatView(container, context) {
  const chosen = withTemplate(context);
  if (chosen === null) {
    const none = noTemplate(context, (its) => chatView(container, its));
    fill(container, opening(), section(t("chat.template"), none));
    return;
  }
  kept ??= EXAMPLES.map((role) => ({ role, content: t(`chat.example.${role}`) }));
  const newest = onlyNewest();
  const note = h("p", { class: "note", role: "status" });
  const warned = h("div", { class: "warned", role: "status" });
  const sum = h("p", { class: "chat-sum", role: "status" });
  const text = h("div", { class: "rendered" });
  const later = debounced(WAIT, ask);
  const list = messageList(kept, () => {
    remember("chat", kept);
    later();
  });

  function ask() {
    const question = {
      messages: kept.map(({ role, content }) => ({ role, content: content.toWellFormed() })),
      tokenizer: chosen.name,
      add_generation_prompt: prompt,
    };
    newest((signal) => context.api.chat(question, signal), show, (refused) => {
      fill(note, plainly(refused.message));
      fill(warned);
      fill(sum);
      list.costs([]);
      text.classList.add("stale");
    });
  }
  function show(answer) {
    fill(note);
    fill(warned, answer.warnings.map((its) => h("p", { class: "soft" }, plainly(warning(its)))));
    text.classList.remove("stale");
    list.costs(answer.messages);
    fill(sum, summary(answer));
    fill(text, rendered(answer));
  }
  fill(
    container,
    opening(),
    section(
      t("chat.messages.title"),
      chooser(context, chosen, (its) => chatView(container, { ...context, tokenizer: its })),
      list.element,
      generation(ask),
      note,
      warned,
    ),
    section(t("chat.rendered"), sum, h("p", { class: "soft" }, legend()), text),
  );
  ask();
}

/** What was kept, if it is messages: others may have written there. */
function messagesOf(stored) {
  const isMessage = (its) => typeof its?.role === "string" && typeof its.content === "string";
  return Array.isArray(stored) && stored.every(isMessage) ? stored : null;
}

/** The chosen tokenizer if it has a template, else the first that has. */
function withTemplate({ tokenizer, tokenizers }) {
  return tokenizer?.chat ? tokenizer : (tokenizers.find((it) => it.chat) ?? null);
}

function opening() {
  const title = h("h1", { class: "title" }, t("chat.title"));
  return h("div", { class: "opening" }, title, h("p", { class: "lede" }, t("chat.lede")));
}

const section = (title, ...content) => h("section", {}, h("h2", {}, title), h("div", {}, content));

function chooser({ tokenizer, tokenizers }, chosen, onChoose) {
  const able = tokenizers.filter((it) => it.chat);
  const options = able.map((it) => h("option", { selected: it.name === chosen.name }, visible(it.name)));
  const select = h(
    "select",
    { on: { change: (event) => onChoose(able[event.target.selectedIndex]) } },
    options,
  );
  const other = tokenizer !== null && tokenizer?.name !== chosen.name;
  return [
    h("label", { class: "field" }, h("span", {}, t("chat.tokenizer")), select),
    other ? h("p", { class: "soft" }, parts("chat.other", { name: plainly(tokenizer.name) })) : null,
  ];
}

function generation(ask) {
  const box = h("input", {
    type: "checkbox",
    checked: prompt,
    on: {
      change: (event) => {
        prompt = event.target.checked;
        ask();
      },
    },
  });
  return h("label", { class: "check" }, box, h("span", {}, t("chat.generation")));
}

function summary({ tokens, frame, other, messages }) {
  const sum = (name) => messages.reduce((all, it) => all + it[name], 0);
  const values = {
    tokens: h("b", {}, t("chat.tokens", { n: tokens })),
    content: sum("content"),
    overhead: sum("overhead"),
    frame,
  };
  const words = parts("chat.sum", values);
  return other > 0 ? [words, t("sentence.gap"), t("chat.sum.other", { n: other })] : words;
}

function legend() {
  return [
    h("span", { class: "own" }, t("chat.legend.own")),
    " · ",
    h("span", { class: "template" }, t("chat.legend.template")),
    " · ",
    h("span", { class: "control" }, t("chat.legend.control")),
  ];
}
