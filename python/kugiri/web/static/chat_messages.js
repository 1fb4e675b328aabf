// The messages of a chat as a list that is edited in place, each with what it costs beside it.

import { button, fill, h } from "./elements.js";
import { t } from "./messages.js";

/** Who may speak. */
export const ROLES = ["system", "user", "assistant", "tool"];

/** The list: its element, and costs(of each message) which sets the numbers. */
export function messageList(messages, onChange) {
  const list = h("ol", { class: "messages", "aria-label": t("chat.messages") });
  let costs = [];

  function draw(focused = null) {
    fill(list, messages.map(row));
    if (focused !== null) list.children[focused]?.querySelector("textarea").focus();
  }
  function changed() {
    onChange();
  }
  function add() {
    const last = messages.at(-1)?.role;
    messages.push({ role: last === "user" ? "assistant" : "user", content: "" });
    draw(messages.length - 1);
    changed();
  }
  function remove(at) {
    messages.splice(at, 1);
    costs.splice(at, 1);
    draw(Math.min(at, messages.length - 1));
    changed();
  }
  function row(message, at) {
    const number = at + 1;
    const roles = ROLES.includes(message.role) ? ROLES : [...ROLES, message.role];
    const role = h(
      "select",
      { "aria-label": t("chat.role", { number }), on: { change: (it) => set("role", it.target.value) } },
      roles.map((it) => h("option", { selected: it === message.role }, it)),
    );
    const content = h("textarea", {
      rows: 1,
      dir: "auto",
      "aria-label": t("chat.content", { number }),
      on: {
        input: (event) => {
          set("content", event.target.value);
          grow(content);
        },
      },
    });
    content.value = message.content;
    requestAnimationFrame(() => grow(content));
    function set(name, value) {
      message[name] = value;
      changed();
    }
    return h(
      "li",
      { class: "message", data: { message: at } },
      h("div", { class: "message-head" }, role, cost(costs[at]), button("×", () => remove(at), {
        class: "quiet", "aria-label": t("chat.remove", { number }), title: t("chat.remove", { number }),
      })),
      content,
    );
  }
  draw();
  return {
    element: h("div", {}, list, button(t("chat.add"), add)),
    costs(found) {
      costs = [...found];
      [...list.children].forEach((its, at) => its.querySelector(".cost").replaceWith(cost(found[at])));
    },
  };
}

/** What a message costs: its own tokens and those around it, as numbers and as two bars. */
function cost(its) {
  if (its === undefined) return h("span", { class: "cost" });
  const all = Math.max(its.tokens, 1);
  return h(
    "span",
    { class: "cost" },
    h(
      "span",
      { class: "shares", "aria-hidden": true },
      h("i", { class: "own", style: { "flex-grow": String(its.content / all) } }),
      h("i", { class: "around", style: { "flex-grow": String(its.overhead / all) } }),
    ),
    h("span", {}, t("chat.cost", { content: its.content, overhead: its.overhead })),
  );
}

function grow(area) {
  area.style.setProperty("height", "auto");
  area.style.setProperty("height", `${area.scrollHeight + 2}px`);
}
