// When there is no chat template: that this is so, and how to get one.

import { Refused } from "./api.js";
import { fill, h } from "./elements.js";
import { parts, t } from "./messages.js";
import { plainly } from "./pieces.js";

/** What is said instead of a chat; a file that is chosen here is brought to the tokenizer. */
export function noTemplate(context, onTemplate) {
  const { tokenizer } = context;
  const note = h("p", { class: "note", role: "status" });
  const file = h("input", {
    type: "file",
    accept: ".json,.jinja,.txt",
    on: { change: () => bring(file.files[0]) },
  });
  async function bring(chosen) {
    if (chosen === undefined) return;
    try {
      const its = await context.api.addConfig(tokenizer.name, await chosen.arrayBuffer());
      const tokenizers = context.tokenizers.map((it) => (it.name === its.name ? its : it));
      context.onChanged?.(its);
      onTemplate({ ...context, tokenizer: its, tokenizers });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      fill(note, plainly(error.message));
    }
  }
  return [
    h("p", {}, parts("chat.none", { name: h("b", {}, plainly(tokenizer?.name ?? "")) })),
    h("ul", { class: "how-to" }, [1, 2, 3].map((at) => h("li", {}, t(`chat.how.${at}`)))),
    tokenizer ? h("label", { class: "field" }, h("span", {}, t("chat.bring")), file) : null,
    note,
  ];
}
