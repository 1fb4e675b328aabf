// What the server refuses or warns of, in the words of the page: one key a kind.
//
// Rule: the kinds are those of web/failures.py and of the library's warnings; what has none of these
// stays in the server's words, which are English.

import { addMessages, allMessages, language, t } from "./messages.js";

/** What is refused, or warned of, in words; `said` are those of the server. */
export const refusal = ({ kind, values }, said) => told(`refused.${kind}`, named(values), said);
export const warning = ({ kind, values, words }) => told(`warned.${kind}`, valuesOf(values), words);

/** All that is warned of with an answer, in one line. */
export const warnings = (answer) => answer.warnings.map(warning).join(t("sentence.gap"));

function told(key, values, said) {
  return Object.hasOwn(allMessages.en, key) ? t(key, values) : said;
}

/** Names that are near to one that is not known are asked about. */
function named({ near, ...values } = {}) {
  const list = near?.map((it) => t("near.one", { name: it })).join(t("near.or"));
  return { ...values, near: list ? [t("sentence.gap"), t("near.all", { list })].join("") : "" };
}

/** Messages are counted from 1 on the page; a field of one is named where it is not its text. */
function valuesOf({ message, messages, start, tokens, n, ...values }) {
  const one = ([at, field]) => (field === "content" ? `${at + 1}` : `${at + 1} (${field})`);
  return {
    ...values,
    number: message + 1,
    place: start + 1,
    tokens: tokens && tokens.slice(0, n).join(language() === "ja" ? "、" : ", ") + (n > tokens.length ? " …" : ""),
    messages: messages?.map(one).join(language() === "ja" ? "、" : ", "),
  };
}

addMessages({
  en: {
    "refused.gone": "The server does not answer. Is it still running?",
    "refused.status": "The server answered {status}.",
    "refused.ours": "Something went wrong in the server; what, stands where it was started.",
    "refused.busy": "The server has too much to do just now; try again in a moment.",
    "refused.slow": "It took too long to reach the server; try again.",
    "refused.large": "That is too large: the server takes {most} bytes at most.",
    "refused.question": "The server does not take this: {words}",
    "refused.library": "This cannot be done: {words}",
    "refused.no tokenizer": "“{name}” is not there any more: it was renamed or taken away elsewhere, or the server was started anew.",
    "refused.stays": "“{name}” is there since the start, and stays.",
    "refused.full": "{most} tokenizers are kept at most; remove one of those you opened.",
    "refused.grows": "“{name}” may make {made} characters of these {came}; {most} are the most here. Take a part of the text.",
    "refused.long normalized": "“{name}” makes {size} bytes of this text before it cuts it; {most} are the most here. Take a part of the text.",
    "refused.long text": "The text has {size} bytes, and {most} at most are counted; take a part of it.",
    "refused.long stretch": "{size} characters are too many to look at closely; {most} are the most. Choose a part of the text.",
    "refused.long chat": "The chat has {size} bytes, and {most} are the most here.",
    "refused.long training": "The text has {size} bytes; the steps of {most} at most can be shown.",
    "refused.no template": "“{name}” has no chat template.",
    "refused.template": "The template refuses this: {words}",
    "refused.template file": "This file gives no chat template: {words}",
    "refused.file": "“{name}” is no tokenizer that can be read: {words}",
    "refused.unknown format": "“{name}” seems to be no file of a tokenizer. What can be read: tokenizer.json, .kugiri.json, .model, .tiktoken, tekken.json, vocab.json, vocab.txt.",
    "refused.empty file": "“{name}” is empty.",
    "refused.damaged file": "“{name}” is damaged, or does not go to its end: it cannot be read from byte {at} on. Get the file again.",
    "refused.unknown type": "“{name}” cannot be read: its {part} is of the type {type}, which kugiri does not have.",
    "refused.missing key": "“{name}” cannot be read: its model lacks {key}.",
    "refused.git lfs": "“{name}” is only a pointer of Git LFS to the file; get the file itself (git lfs pull).",
    "refused.web page": "“{name}” is a web page, not the file itself; download the file.",
    "refused.archive": "“{name}” is compressed; unpack it, and open what is in it.",
    "refused.merges": "“{name}” has merges only. Open the tokenizer.json of the same model, or give the folder to the command.",
    "refused.settings file": "“{name}” has the settings of a tokenizer, not the tokenizer itself; open the tokenizer.json beside it.",
    "refused.training": "Nothing can be trained so: {words}",
    "refused.long sampling": "Only {drawn} of {number} ways could be drawn in time; choose a shorter part of the text.",
    "refused.long lineage": "The tokens that this one is made of have {size} characters; {most} at most are told.",
    "refused.unknown model": "No price of a model “{name}” is known; you can write the prices themselves.{near}",
    "near.all": "Do you mean {list}?",
    "near.one": "“{name}”",
    "near.or": " or ",
    "refused.price": "The price of output came without that of input; give both.",
    "warned.left out": "The template leaves out the text of message {messages}.",
    "warned.no tools": "The template has no place for tools; they are left out.",
    "warned.parts": "The template writes message {number} as raw data: it has no place for a content in parts.",
    "warned.mixed": "“{text}”, character {place} of the text, is no control token here: the template puts it together, and not all of it is its own.",
    "warned.begins twice": "The template writes “{token}” twice at the beginning.",
    "warned.no control": "The template writes {tokens}, which are no special tokens of this tokenizer: is it of another model?",
  },
  ja: {
    "refused.gone": "サーバーが応答しません。動いているか確かめてください。",
    "refused.status": "サーバーの応答は{status}でした。",
    "refused.ours": "サーバーの中で問題が起きました。詳しくは、サーバーを起動した画面に出ています。",
    "refused.busy": "サーバーがいま混んでいます。少し待ってから、もう一度試してください。",
    "refused.slow": "サーバーに届くまでに時間がかかりすぎました。もう一度試してください。",
    "refused.large": "大きすぎます。サーバーが受け取るのは{most}バイトまでです。",
    "refused.question": "サーバーが受け取れない内容です：{words}",
    "refused.library": "処理できませんでした：{words}",
    "refused.no tokenizer": "「{name}」はもうありません。別の画面で名前が変わったか外されたか、サーバーが起動しなおされています。",
    "refused.stays": "「{name}」は最初からあるもので、外せません。",
    "refused.full": "置いておけるトークナイザは{most}個までです。開いたもののどれかを外してください。",
    "refused.grows": "「{name}」は{came}文字を{made}文字に増やす恐れがあります。上限は{most}文字です。テキストの一部で試してください。",
    "refused.long normalized": "「{name}」は分割の前にテキストを{size}バイトにします。上限は{most}バイトです。テキストの一部で試してください。",
    "refused.long text": "テキストは{size}バイトあります。数えられるのは{most}バイトまでなので、一部で試してください。",
    "refused.long stretch": "{size}文字は、詳しく見るには多すぎます。{most}文字までの範囲を選んでください。",
    "refused.long chat": "チャットは{size}バイトあります。上限は{most}バイトです。",
    "refused.long training": "テキストは{size}バイトあります。手順を見せられるのは{most}バイトまでです。",
    "refused.no template": "「{name}」にはチャットテンプレートがありません。",
    "refused.template": "テンプレートが受け付けませんでした：{words}",
    "refused.template file": "このファイルからはチャットテンプレートを読めません：{words}",
    "refused.file": "「{name}」はトークナイザとして読めません。理由（英語）：{words}",
    "refused.unknown format": "「{name}」はトークナイザのファイルではないようです。読めるのはtokenizer.json、.kugiri.json、.model、.tiktoken、tekken.json、vocab.json、vocab.txtです。",
    "refused.empty file": "「{name}」は空のファイルです。",
    "refused.damaged file": "「{name}」は壊れているか、途中で切れています（{at}バイト目から読めません）。ファイルを入手しなおしてください。",
    "refused.unknown type": "「{name}」は読めません。{part}の種類{type}は、kugiriにはないものです。",
    "refused.missing key": "「{name}」は読めません。モデルに{key}がありません。",
    "refused.git lfs": "「{name}」はGit LFSのポインタだけです。ファイルそのものを取得してください（git lfs pull）。",
    "refused.web page": "「{name}」はウェブページで、ファイルそのものではありません。ファイルをダウンロードしてください。",
    "refused.archive": "「{name}」は圧縮されています。展開して、中のファイルを開いてください。",
    "refused.merges": "「{name}」にはマージしかありません。同じモデルのtokenizer.jsonを開くか、コマンドにフォルダを渡してください。",
    "refused.settings file": "「{name}」はトークナイザの設定で、トークナイザそのものではありません。同じ場所にあるtokenizer.jsonを開いてください。",
    "refused.training": "この設定では学習できません：{words}",
    "refused.long sampling": "時間内に引けたのは{number}通りのうち{drawn}通りだけでした。もっと短い範囲を選んでください。",
    "refused.long lineage": "このトークンのもとになるトークンは、合わせて{size}文字あります。示せるのは{most}文字までです。",
    "refused.unknown model": "「{name}」というモデルの価格は見つかりませんでした。価格を直接入れることもできます。{near}",
    "near.all": "{list}のことでしょうか。",
    "near.one": "「{name}」",
    "near.or": "、",
    "refused.price": "出力の価格だけでは計算できません。入力の価格も入れてください。",
    "warned.left out": "テンプレートは、メッセージ{messages}の本文を書いていません。",
    "warned.no tools": "テンプレートにはツールを書く場所がなく、ツールは抜けています。",
    "warned.parts": "テンプレートは、メッセージ{number}の内容をデータのまま書いています。部分に分かれた内容を書く場所がないためです。",
    "warned.mixed": "テキストの{place}文字目の「{text}」は、制御トークンになっていません。テンプレートがほかの文字とつなげて作ったものだからです。",
    "warned.begins twice": "テンプレートは、始まりの「{token}」を二度書いています。",
    "warned.no control": "テンプレートが書く{tokens}は、このトークナイザの特殊トークンではありません。別のモデルのテンプレートかもしれません。",
  },
});
