// The tokenizers beside each other: for each its name and count, and the text in its tokens.
//
// Rule: tokens stand in systems (systems.js), each a grid with a column for a stretch. A cut that all
// have is a grey stroke, one that not all have a red one; a token that differs is underlined as well.
// One token of each lane can be reached with Tab, the others with the arrow keys: along the lane, and
// to the lane above or below.

import { button, fill, h } from "./elements.js";
import { languageOf, quoted, shortened, symbol, visible } from "./glyphs.js";
import { moreOf, number, parts, t } from "./messages.js";
import { commonCuts, systemsOf } from "./systems.js";
import { moved, overlapping } from "./walking.js";
import { widthsOf } from "./widths.js";

const BYTE_PIECE = /^<0x[0-9A-F]{2}>$/; // as SentencePiece names what it falls back on
const DOUBLE = 500; // milliseconds between the clicks of a double click
const NEAR = 5; // pixels between them
const MOST_DRAWN = 400; // characters of a token: what is unknown may be all of a text

/** The lanes. `on` has what is told: point(lanes, lane, at, isChosen), rest(), choose(name), leave(name),
 * rename(name, wanted). */
export function lanesOf(on) {
  const element = h("div", { class: "systems" });
  let lanes = []; // {name, column, tokens, elements}
  let current = null; // what is pointed at: {lane, at}
  let drawn = { view: "text", chosen: null };
  let nameless = null; // name of a lane to come that should be called otherwise

  function draw(answer, looks) {
    drawn = { ...looks };
    current = null;
    lanes = answer.columns.map((column) => ({
      name: column.name, column, tokens: [], elements: [],
    }));
    const field = element.querySelector(".renaming"); // which outlives the lanes
    if (field) nameless = field.dataset.name;
    fill(element);
    append(answer, looks);
    const who = [...element.querySelectorAll(".who")].find((it) => it.dataset.name === nameless);
    if (!who) return;
    rename(who.querySelector(".name"), nameless, on, field?.value);
    nameless = null;
  }

  function append(answer, looks) {
    const { view, room, signs, start } = looks;
    const fresh = answer.columns.map((column) => (column.tokens ?? []).map((it) =>
      drawable(it, looks, looks.kind(column.name))));
    const good = fresh.flatMap((_, at) => (answer.columns[at].error ? [] : [at]));
    const common = new Set(lanes.length > 1 ? commonCuts(good.map((at) => fresh[at])) : []);
    const found = systemsOf(good.map((at) => fresh[at]),
      { widthOf: widthsOf(view), room, signs, first: start });
    const systems = found.length > 0 ? found : start > 0 ? [] : [good.map(() => [])];
    for (const [nth, system] of systems.entries()) {
      const rows = lanes.map((lane, at) => {
        const its = (system[good.indexOf(at)] ?? []).map((ends) => fresh[at].slice(...ends));
        return rowOf(lane, at, its, { common, view, whole: start === 0 && nth === 0 });
      });
      const stretches = Math.max(system[0]?.length ?? 0, 1);
      element.append(h("div", { class: "system", style: { "--stretches": stretches } }, rows));
    }
    choose(drawn.chosen);
  }

  function rowOf(lane, at, stretches, { common, view, whole }) {
    const options = stretches.map((tokens) => h("span", { class: "stretch" }, tokens.map((token) => {
      const option = optionOf(token, lane, common, view);
      option.dataset.at = `${at} ${lane.tokens.length}`;
      option.tabIndex = lane.tokens.length === 0 ? 0 : -1;
      lane.tokens.push(token);
      lane.elements.push(option);
      return option;
    })));
    const role = stretches.some((tokens) => tokens.length > 0) ? "listbox" : null;
    const error = whole && lane.column.error;
    const label = t("tokens-of", { name: visible(lane.name) });
    return h("div", { class: "lane", data: { lane: lane.name } },
      whole ? whoOf(lane, on) : h("div", { class: "again", "aria-hidden": "true" },
        h("bdi", {}, visible(lane.name))),
      error
        ? h("p", { class: "note" }, error)
        : h("div", { class: `run as-${view}`, role, "aria-label": role && label,
            "aria-orientation": "horizontal" },
          options));
  }

  function point(lane, at, focus = false) {
    if (current) mark(current, false);
    current = { lane, at };
    mark(current, true);
    if (focus) {
      for (const it of lanes[lane].elements) if (it.tabIndex === 0) it.tabIndex = -1;
      lanes[lane].elements[at].tabIndex = 0;
      lanes[lane].elements[at].focus();
    }
    on.point(lanes, lane, at, focus);
  }

  /** Let go of what is pointed at, unless a token has the focus. */
  function rest() {
    const place = element.contains(document.activeElement) &&
      placeOf({ target: document.activeElement });
    if (place) return point(...place);
    if (current) mark(current, false);
    current = null;
    on.rest();
  }

  function mark({ lane, at }, yes) {
    lanes[lane].elements[at].classList.toggle("here", yes);
    lanes[lane].elements[at].setAttribute("aria-selected", yes);
    const token = lanes[lane].tokens[at];
    for (const [other, its] of lanes.entries()) {
      if (other === lane) continue;
      for (const it of overlapping(its.tokens, token)) {
        its.elements[it].classList.toggle("linked", yes);
      }
    }
  }

  function choose(name) {
    drawn.chosen = name;
    for (const who of element.querySelectorAll(".who")) {
      const yes = who.dataset.name === name;
      who.classList.toggle("chosen", yes);
      who.querySelector(".name")?.setAttribute("aria-pressed", yes); // none while it is a field
    }
  }

  let first = null; // the last click on a name: choosing it may move its row from under the pointer
  document.addEventListener("click", (event) => {
    const before = first;
    const who = event.detail > 0 && event.target.closest?.(".name")?.closest(".who");
    first = who && element.contains(who)
      ? { name: who.dataset.name, at: event.timeStamp, x: event.clientX, y: event.clientY } : null;
    if (!before || event.detail === 0 || event.timeStamp - before.at > DOUBLE) return;
    if (Math.hypot(event.clientX - before.x, event.clientY - before.y) > NEAR) return;
    const its = [...element.querySelectorAll(".who")].find((it) => it.dataset.name === before.name);
    if (!its) return;
    event.preventDefault();
    event.stopPropagation(); // whatever is there now was not meant
    first = null;
    rename(its.querySelector(".name"), before.name, on);
  }, true);

  const placeOf = (event) => event.target.closest?.("[data-at]")?.dataset.at.split(" ").map(Number);
  for (const kind of ["pointerover", "focusin", "click"]) {
    element.addEventListener(kind, (event) => {
      const place = placeOf(event);
      if (place) point(...place, kind === "click" && getSelection().isCollapsed);
    });
  }
  element.addEventListener("keydown", (event) => {
    const place = placeOf(event);
    const to = place && moved(lanes, ...place, event.key);
    if (!to) return;
    event.preventDefault();
    point(...to, true);
  });

  /** The stretch of the text, in code points, whose tokens are selected; or null. */
  function selected() {
    const selection = getSelection();
    if (selection.isCollapsed || !element.contains(selection.anchorNode)) return null;
    const ends = [selection.anchorNode, selection.focusNode].map((node) => {
      const its = (node.parentElement ?? node).closest?.("[data-at]")?.dataset.at.split(" ");
      return its && lanes[its[0]].tokens[its[1]];
    });
    if (!ends[0] || !ends[1]) return null;
    return [Math.min(...ends.map((it) => it.start)), Math.max(...ends.map((it) => it.end))];
  }

  /** Whether a lane has a stretch of the text as one token, as far as it is drawn. */
  function isToken(name, start, end) {
    const its = lanes.find((lane) => lane.name === name)?.tokens ?? [];
    const found = overlapping(its, { start, end }).map((at) => its[at]);
    return found.length === 1 && found[0].start === start && found[0].end === end && !found[0].unknown;
  }

  /** Open the field of a name as soon as its lane is drawn. */
  const nameNext = (name) => (nameless = name);

  return { element, draw, append, choose, selected, rest, isToken, nameNext };
}

/** A token with no more text and bytes than can be looked at; the mark of a part of a word apart,
 * and the characters that it is a part of. */
function drawable(token, { signs, start }, kind) {
  const { length } = token.bytes;
  const bytes = length > 2 * MOST_DRAWN ? `${token.bytes.slice(0, 2 * MOST_DRAWN)}…` : token.bytes;
  const isByte = BYTE_PIECE.test(token.text) && length === 2;
  const whole = token.unknown && !token.part ? standsFor(token) : token.text;
  const text = isByte ? `<${token.bytes}>` : shortened(whole, MOST_DRAWN);
  const part = token.part || isByte;
  const mark = kind === "WordPiece" && /^##./su.test(text) ? "##" : "";
  const of = part ? signs.slice(token.start - start, token.end - start).join("") : null;
  return { ...token, text, part, of, mark, body: text.slice(mark.length), bytes, size: length / 2 };
}

/** What an unknown token stands for, where its string is but a name, as [UNK]. */
function standsFor({ text, special, bytes }) {
  if (!special || bytes === "") return text;
  return new TextDecoder().decode(Uint8Array.from(bytes.match(/../g), (it) => parseInt(it, 16)));
}

function optionOf(token, { tokens }, common, view) {
  const after = tokens.at(-1);
  const classes = ["tok"];
  if (token.differs) classes.push("differs");
  if (token.unknown) classes.push("unknown");
  else if (token.special) classes.push("special");
  if (after?.end <= token.start && (common.has(token.start) || common.has(after.end))) {
    classes.push("agreed");
  }
  const label = t("token-label", { token: visible(shortened(token.text, 60)), id: String(token.id) });
  return h("span", {
    class: classes.join(" "), role: "option", "aria-label": label, "aria-selected": "false",
    lang: languageOf(token.of ?? token.text),
  }, shown(token, view));
}

function shown(token, view) {
  if (view === "ids") return String(token.id);
  if (view === "bytes") return h("code", {}, token.bytes.replace(/..(?=.)/g, "$& ") || "–");
  const mark = token.unknown ? h("i", { class: "glyph" }, "UNK")
    : token.mark && h("i", { class: "mark" }, token.mark);
  return [mark, token.part ? symbol(token.text, token.of) : quoted(token.body)];
}

function whoOf({ name, column }, on) {
  const told = column.error ? [] : [
    h("p", { class: "counted" },
      parts("tokens-counted", { n: column.count, count: h("b", {}, number(column.count)) }), " ",
      ratioOf(column)),
    column.exact ? null : h("p", { class: "warning", title: t("not-exact-how") }, t("not-exact")),
    column.unknown ? h("p", { class: "warning" }, t("unknown", { n: column.unknown })) : null,
  ];
  const naming = button(h("bdi", {}, visible(name)), () => on.choose(name),
    { class: "name", title: t("explain-this"), "aria-pressed": "false",
      "aria-keyshortcuts": "F2" });
  naming.addEventListener("keydown", ({ key }) => key === "F2" && rename(naming, name, on));
  return h("div", { class: "who", data: { name } }, naming,
    told,
    button(t("rename"), () => rename(naming, name, on), { class: "quiet rename" }),
    button("×", () => on.leave(name),
      { class: "leave", "aria-label": t("leave", { name: visible(name) }) }));
}

/** A name becomes a field; Enter, or going on, takes what is in it, Escape what was there. */
function rename(naming, name, on, written = name) {
  const field = h("input", { class: "renaming", value: written, data: { name }, "aria-label": t("new-name"),
    maxlength: 80, spellcheck: "false" });
  let open = true;
  const close = (wanted) => {
    if (!open) return;
    open = false;
    field.replaceWith(naming);
    naming.focus();
    if (wanted.trim() !== "" && wanted !== name) on.rename(name, wanted);
  };
  field.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") close(field.value);
    if (key === "Escape") close(name);
  });
  field.addEventListener("blur", () => queueMicrotask(() => { // it may be on its way out with its lane
    if (field.isConnected) close(field.value);
  }));
  naming.replaceWith(field);
  field.focus();
  field.select();
}

/** How many more than the fewest; of one that does not know all of the text it is not said. */
function ratioOf({ more, more_than_least: times }) {
  if (times === 1) return h("span", { class: "ratio fewest" }, t("fewest"));
  if (!more) return null;
  const title = more.percent && t("more", more);
  return h("span", { class: "ratio", title }, moreOf(more));
}
