// What the text costs as a request, and how much of a context it fills: one sentence with blanks.
//
// Rule: what was written last counts. A model that is named fills the blanks with its price and its
// context; who writes in one of them takes the model out.

import { debounced, onlyNewest } from "./api.js";
import { fill, h } from "./elements.js";
import { number, parts, percent, precise, t } from "./messages.js";
import { warnings } from "./messages_refused.js";

/** The sentence. `prices` are what was written in before; `onPrices` is told what is. */
export function costOf(api, { prices, withModels, onPrices }) {
  const written = { price: "2.50", context: "128000", model: "", ...prices };
  const field = (name, label, size) => h("input", {
    class: "blank", size, value: written[name], "aria-label": label, autocomplete: "off",
    placeholder: name === "model" ? t("model-label") : "–",
    inputmode: name === "model" ? null : "decimal", spellcheck: "false",
    on: { input: (event) => wrote(name, event.target.value) },
  });
  const price = field("price", t("price-label"), 5);
  const context = field("context", t("context-label"), 8);
  const model = withModels ? field("model", t("model-label"), 12) : null;
  const amount = h("b", {}, "–");
  const share = h("b", {}, "–");
  const [lead, tail] = [h("span", {}), h("span", {})];
  const said = h("p", { class: "soft said", role: "status" });
  const sentence = h("p", {}, parts("cost", { amount, share, price, context }),
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
    later();
  }

  function ask() {
    if (tokens === null) return show(null, null);
    const asked = question(tokens, written);
    const [before, , after] = parts(written.model ? "cost-model-named" : "cost-model");
    fill(lead, before);
    fill(tail, after);
    if (asked === null) return show(null, t("cost-wrong"));
    newest((signal) => api.cost(asked, signal), (answer) => show(answer, wordsOf(answer)),
      (refused) => show(null, refused.message));
  }

  function show(answer, words) {
    const its = written.model === "" ? written
      : { price: answer?.price_in ?? "", context: String(answer?.context_window ?? "") };
    for (const [blank, value] of [[price, its.price], [context, its.context]]) {
      if (document.activeElement !== blank) blank.value = value;
    }
    fill(amount, answer?.total ? `${precise(Number(answer.total), 3)} ${answer.currency}` : "–");
    fill(share, typeof answer?.share === "number" ? percent(answer.share) : "–");
    fill(said, words);
  }

  const later = debounced(250, ask);
  return {
    element,
    /** Say what so many tokens cost; of null, which are not known, nothing. */
    of(count) {
      tokens = count;
      later();
    },
  };
}

/** What the server is asked, or null where a blank has no number in it. */
export function question(tokens, { price, context, model }) {
  if (model !== "") return { tokens, model };
  const [price_in, its] = [price, context].map((it) => Number(it.replace(/[, _]/g, "")));
  if (!(price_in >= 0) || !Number.isInteger(its) || its < 1) return null;
  return { tokens, price_in, price_out: 0, context: its };
}

function wordsOf(answer) {
  const { source, dated, tokenizer, context_window: window } = answer;
  return [
    tokenizer ? t(tokenizer.exact ? "cost-exact" : "cost-estimate", { name: tokenizer.name }) : "",
    window && tokenizer ? t("cost-window", { window: number(window) }) : "",
    source && dated ? t("cost-source", { source, dated }) : "",
    warnings(answer),
  ].filter(Boolean).join(t("sentence.gap"));
}
