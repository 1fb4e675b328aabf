// What the text costs as a request, and how much of a context it fills: one sentence with blanks.
//
// Rule: what was written last counts. A model that is named fills the blanks with its price and its
// context; who writes in one of them takes the model out. What is no number, or out of the server's
// bounds, is refused at its blank.

import { debounced, onlyNewest } from "./api.js";
import { fill, h } from "./elements.js";
import { visible } from "./glyphs.js";
import { number, parts, percent, precise, t } from "./messages.js";
import { warnings } from "./messages_refused.js";
import { state } from "./state.js";
import "./messages_answer.js";

/** The sentence. `prices` are what was written in before; `onPrices` is told what is. */
export function costOf(api, { prices, withModels, onPrices }) {
  const written = { price: "2.50", context: "128000", model: "", ...prices };
  const field = (name, label, size) => h("input", {
    class: "blank", size, value: written[name], "aria-label": label, "aria-describedby": "cost-said",
    autocomplete: "off",
    placeholder: name === "model" ? t("model-label") : "–", maxlength: name === "model" ? 200 : null,
    inputmode: name === "model" ? null : "decimal", spellcheck: "false",
    on: { input: (event) => wrote(name, event.target.value) },
  });
  const price = field("price", t("price-label"), 5);
  const context = field("context", t("context-label"), 8);
  const model = withModels ? field("model", t("model-label"), 12) : null;
  const amount = h("b", {}, "–");
  const share = h("b", {}, "–");
  const thousand = h("span", {}, "–");
  const name = h("bdi", {});
  const [lead, tail] = [h("span", {}), h("span", {})];
  const said = h("p", { class: "soft said", role: "status", id: "cost-said" });
  const sentence = h("p", {}, parts("cost", { name, amount, thousand, share, price, context }),
    model ? [t("sentence.gap"), lead, model, tail] : null);
  const element = h("div", { class: "cost" }, sentence, said);
  const newest = onlyNewest();
  let tokens = 0;

  function wrote(name, value) {
    if (name !== "model" && written.model !== "") {
      Object.assign(written, { price: price.value, context: context.value, model: "" });
      model.value = "";
    }
    written[name] = value.trim();
    onPrices({ ...written });
    newest.drop(); // it is of what was written before
    later();
  }

  function ask() {
    newest.drop();
    if (tokens === null) return show(null, null);
    const asked = question(tokens, written);
    price.ariaInvalid = String(asked.wrong === "price");
    context.ariaInvalid = String(asked.wrong === "context");
    const [before, , after] = parts(written.model ? "cost-model-named" : "cost-model");
    fill(lead, before);
    fill(tail, after);
    if (asked.wrong) {
      const most = state.limits[asked.wrong];
      return show(null, t(`cost-${asked.wrong}`, { written: visible(written[asked.wrong]), most }));
    }
    newest((signal) => api.cost(asked, signal), (answer) => show(answer, wordsOf(answer)),
      (refused) => show(null, refused.message));
  }

  function show(answer, words) {
    const its = written.model === "" ? written
      : { price: cents(answer?.price_in ?? ""), context: String(answer?.context_window ?? "") };
    for (const [blank, value] of [[price, its.price], [context, its.context]]) {
      if (document.activeElement !== blank) blank.value = value;
    }
    const money = (times) => (answer?.total
      ? `${precise(times * Number(answer.total), 3)} ${answer.currency}` : "–");
    fill(amount, money(1));
    fill(thousand, money(1000));
    fill(share, typeof answer?.share === "number" ? percent(answer.share) : "–");
    fill(said, words);
  }

  const later = debounced(250, ask);
  return {
    element,
    /** Say what the tokens of a column cost; where they are not known, its count is null. Without a
     * column there is nothing to be said. */
    of(column) {
      element.hidden = column === null;
      tokens = column?.count ?? null;
      fill(name, visible(column?.name ?? ""));
      newest.drop(); // it is of another count
      later();
    },
  };
}

/** What the server is asked; or {wrong}, the name of a blank with no such number in it. */
export function question(tokens, { price, context, model }) {
  if (model !== "") return { tokens, model };
  const [price_in, its] = [numberIn(price), numberIn(context)];
  if (!(price_in <= state.limits.price)) return { wrong: "price" };
  if (!(Number.isInteger(its) && its >= 1 && its <= state.limits.context)) return { wrong: "context" };
  return { tokens, price_in, price_out: 0, context: its };
}

const DIGITS = /^(\d+|\d{1,3}([,_ ]\d{3})+)(\.\d*)?$|^\.\d+$/; // together, or in groups of three

/** The number that is written, in digits of any width; NaN where that is none. */
function numberIn(written) {
  const plain = written.normalize("NFKC").trim();
  return DIGITS.test(plain) ? Number(plain.replace(/[,_ ]/g, "")) : NaN;
}

/** A price with both digits of its cents, as it is written by hand. */
const cents = (price) => price.replace(/\.\d$/, "$&0");

function wordsOf(answer) {
  const { source, dated, tokenizer, context_window: window } = answer;
  return [
    tokenizer ? t(tokenizer.exact ? "cost-exact" : "cost-estimate", { name: tokenizer.name }) : "",
    window && tokenizer ? t("cost-window", { window: number(window) }) : "",
    source && dated ? t("cost-source", { source, dated }) : "",
    warnings(answer),
  ].filter(Boolean).join(t("sentence.gap"));
}
