// The rules of pre-tokenizers in the language of the page.
//
// Rule: the server says them in English, in sentences of a few forms (explain/boundaries.py and
// alternatives.py); here each form has its Japanese. What has no form stays as it came.

const JAPANESE = {
  letters: "文字の並び",
  "letters (upper case first)": "文字の並び（大文字で始まる）",
  digits: "数字の並び",
  "one digit": "数字1字",
  "up to three digits": "3桁までの数字",
  signs: "記号の並び",
  "one sign": "記号1字",
  "white space": "空白",
  "white space (all but the last)": "空白（最後の1字を除く）",
  "white space at the end": "末尾の空白",
  "a line end": "改行",
  "line ends": "改行の並び",
  "word characters": "単語の文字",
  "word characters of ASCII": "英数字",
  kanji: "漢字",
  hiragana: "ひらがな",
  katakana: "カタカナ",
  "a contraction": "短縮形",
  "what nothing matches": "どれにも当たらないもの",
  "white space parts words, and is dropped": "空白が語を分け、空白は捨てられる",
  "punctuation stands apart": "約物は離れて立つ",
  "each digit stands alone": "数字は1字ずつ離れて立つ",
  "digits stand apart": "数字は離れて立つ",
  "an added token stood here": "ここに追加トークンがあった",
};

const FORMS = [
  [/^after (.+), before (.+); what lies between is dropped$/su, (a, b) => `${ja(a)}と${ja(b)}のあいだ（あいだのものは捨てられる）`],
  [/^after (.+), before (.+)$/su, (a, b) => `${ja(a)}と${ja(b)}のあいだ`],
  [/^(letters.*) led by a space$/su, (what) => `空白で始まる${ja(what)}`],
  [/^(letters.*) led by (.+)$/su, (what, led) => `「${led}」で始まる${ja(what)}`],
  [/^the script changes from (.+) to (.+)$/su, (a, b) => `文字の種類が${a}から${b}に変わる`],
  [/^the text (.+) parts words$/su, (text) => `文字列${text}が語を分ける`],
  [/^(.+) parts words, and is dropped$/su, (text) => `${text}が語を分け、捨てられる`],
  [/^a word begins with (.+)$/su, (mark) => `語は${mark}で始まる`],
  [/^every (.+) characters$/su, (n) => `${n}文字ごと`],
  [/^a word of (.+) ends$/su, (name) => `${name}の語がここで終わる`],
  [/^(.+) is cut out before all else$/su, (token) => `${token}は何よりも先に切り出される`],
  [/^(.+) cuts here$/su, (name) => `${name}がここで切る`],
];

/** A rule in this language. */
export function ruleInWords(rule, language) {
  return language === "ja" ? ja(rule) : rule;
}

function ja(rule) {
  if (Object.hasOwn(JAPANESE, rule)) return JAPANESE[rule];
  for (const [form, words] of FORMS) {
    const found = form.exec(rule);
    if (found !== null) return words(...found.slice(1));
  }
  return rule;
}
