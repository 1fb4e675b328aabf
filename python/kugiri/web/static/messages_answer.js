// The words of what a comparison comes to: who needs the fewest tokens, and what they cost. Those of
// the answer are those of web/share_words.py.

import { addMessages } from "./messages.js";

addMessages({
  en: {
    answer: "{fewest} needs the fewest tokens, {few}; {most} the most, {many} ({more})|" +
      "{fewest} need the fewest tokens, {few}; {most} the most, {many} ({more})",
    "answer.alike": "{fewest}: the same number of tokens, {few}",
    "answer.only": "{fewest} needs {few} tokens",
    "answer.rest": "; the others do not know all of the text",
    "answer.none": "No tokenizer has a token for all of this text",
    "answer.comma": ", ",
    cost: "Counted by {name}, this costs {amount} as a request ({thousand} for 1,000 of them) at, say, {price} USD " +
      "for a million tokens, and fills {share} of a context of {context}.",
    "cost-model": "Or at the prices of {model}.",
    "cost-model-named": "These are the price and the context of {model}.",
    "price-label": "price in USD for a million tokens",
    "context-label": "tokens of the context",
    "model-label": "name of a model",
    "cost-price": "“{written}” is no price: it is a number from 0 to {most}, as 2.50.",
    "cost-context": "“{written}” is no context: it is a whole number from 1 to {most}, as 128,000.",
    "cost-exact": "{name} is the tokenizer of this model.",
    "cost-estimate": "{name} is not known to be the tokenizer of this model: an estimate.",
    "cost-window": "Its context has {window} tokens.",
    "cost-source": "Prices: {source}, {dated}.",
  },
  ja: {
    answer: "最も少ないのは{fewest}の{few}トークン、最も多いのは{most}の{many}トークン（{more}）|" +
      "最も少ないのは{fewest}の{few}トークン、最も多いのは{most}の{many}トークン（{more}）",
    "answer.alike": "{fewest}：どれも{few}トークン",
    "answer.only": "{fewest}では{few}トークン",
    "answer.rest": "。ほかのトークナイザには未知語があります",
    "answer.none": "どのトークナイザにも未知語があります",
    "answer.comma": "、",
    cost: "「{name}」で数えて送ると、たとえば100万トークンあたり {price} USD なら {amount}（1,000回で{thousand}）かかり、" +
      "{context} トークンのコンテキストの {share} を占めます。",
    "cost-model": "または {model} の価格で計算します。",
    "cost-model-named": "価格とコンテキストは {model} のものです。",
    "price-label": "100万トークンあたりの価格（USD）",
    "context-label": "コンテキストのトークン数",
    "model-label": "モデルの名前",
    "cost-price": "「{written}」は価格ではありません。価格は0から{most}までの数です（例：2.50）。",
    "cost-context": "「{written}」はコンテキストではありません。コンテキストは1から{most}までの整数です（例：128,000）。",
    "cost-exact": "「{name}」はこのモデルのトークナイザです。",
    "cost-estimate": "「{name}」がこのモデルのトークナイザとは限らないため、見積もりです。",
    "cost-window": "コンテキストは{window}トークンです。",
    "cost-source": "価格：{source}、{dated}。",
  },
});
