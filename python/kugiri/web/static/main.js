// The page of `kugiri serve`: state.js has what it knows, api.js asks the server, the rest draws.
//
// Three places: a text is read (reading.js), a chat is put together (chat.js), a tokenizer is
// trained (training.js). The last two are loaded when they are first gone to.

import { api, debounced } from "./api.js";
import { isDark, preferLanguage, preferredLanguage, turnTheme } from "./appearance.js";
import { button, fill, h } from "./elements.js";
import { keepGlyphs, visible } from "./glyphs.js";
import { dropped } from "./loading.js";
import { language, parts, speak, t } from "./messages.js";
import { contextOf } from "./question.js";
import { readingOf } from "./reading.js";
import { begin, change, forget, heard, isTooLong, keep, renew, state, take } from "./state.js";
import "./messages_page.js";
import "./messages_steps.js";

const PLACES = {
  text: null, // always there
  chat: async () => (await import("./chat.js")).chatView,
  training: async () => (await import("./training.js")).trainingView,
};

const notice = h("p", { class: "note", role: "alert" });
const live = h("p", { class: "unseen", role: "status" });
const say = (words) => fill(notice, words);
const noticed = () => h("div", { class: "noticed" }, notice,
  button("×", () => say(""), { class: "leave", "aria-label": t("close") }));
const announce = debounced(900, (words) => fill(live, words));

const context = (changes) =>
  contextOf({ api, t, parts, language: language(), onTokenizer, onChanged: renew }, changes);

function onTokenizer(tokenizer, gone) {
  if (gone) forget(gone);
  take(tokenizer);
  change({ chosen: tokenizer.name, place: "text" });
  location.hash = "text";
  say(gone ? t("made-room", { gone: visible(gone), name: visible(tokenizer.name) }) : "");
}

function draw(told) {
  document.documentElement.lang = language();
  document.title = t("title-of-window");
  const reading = readingOf(context, { say, announce, told });
  const places = Object.fromEntries(Object.keys(PLACES).map((name) =>
    [name, h("div", { class: `place ${name}` }, name === "text" ? reading.element : null)]));
  const links = Object.keys(PLACES).map((name) =>
    h("a", { href: `#${name}`, data: { place: name } }, t(`place-${name}`)));
  const main = h("main", { id: "main" },
    h("div", { class: "top" },
      h("p", { class: "brand" }, "区切り kugiri"),
      h("nav", { "aria-label": t("places") }, links),
      h("div", { class: "appearance" }, languageButton(told), themeButton())),
    noticed(), Object.values(places), h("footer", {}, h("p", { class: "soft" },
      t("foot", { version: state.version }))));
  document.body.replaceChildren(main, live);
  dropped(reading.come);

  async function go() {
    for (const link of links) {
      const here = link.dataset.place === state.place;
      if (here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      places[link.dataset.place].hidden = !here;
    }
    const drawnFor = [state.tokenizers, state.chosen];
    if (!PLACES[state.place] || drawnFor.every((it, at) => it === drawn[state.place]?.[at])) return;
    drawn[state.place] = drawnFor;
    const view = await PLACES[state.place]();
    view(places[state.place], context());
  }
  const drawn = {}; // for which tokenizers a place was drawn
  heard(["place"], go);
  heard(["place"], () => say("")); // what was said was of another place
  reading.begin();
  go();
}

function languageButton(told) {
  const other = language() === "ja" ? "en" : "ja";
  const words = { en: "English", ja: "日本語" }[other];
  return button(words, () => {
    preferLanguage(other);
    keep();
    location.reload();
  }, { class: "quiet", lang: other });
}

function themeButton() {
  const words = () => t(isDark() ? "to-light" : "to-dark");
  const turn = button(words(), () => {
    turnTheme();
    turn.textContent = words();
  }, { class: "quiet" });
  return turn;
}

const placed = () => (Object.hasOwn(PLACES, location.hash.slice(1)) ? location.hash.slice(1) : "text");

addEventListener("hashchange", () => change({ place: placed() }));
addEventListener("pagehide", keep);
addEventListener("beforeunload", (event) => { // the browser asks before such a text is lost
  if (isTooLong()) event.preventDefault();
});
heard(["text", "lanes", "chosen", "view", "special", "around", "prices"], debounced(500, keep));

speak(preferredLanguage());
const [told, glyphs] = await Promise.all([api.state(), api.glyphs()]);
keepGlyphs(glyphs);
begin(told, told.example[language()]);
state.place = placed();
draw(told);
