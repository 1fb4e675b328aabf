// The words of the page, in English and Japanese, and how a message is made of them.
//
// Rule: the words of the page have keys in the files messages_*.js, which add them with addMessages.
// (Rules of cuts, which the server names in English, are said in Japanese by boundary_rules.js.)
// `{name}` in a message is a value; where a value n is given, "one|many" chooses by it (else a bar
// is a bar, as in <|endoftext|>). Numbers are set as the language sets them.

const all = { en: {}, ja: {} };
let current = "en";

/** Add messages: { en: {key: words}, ja: {key: words} }. */
export function addMessages(messages) {
  for (const language of Object.keys(all)) Object.assign(all[language], messages[language]);
}

/** Speak this language from now on. */
export function speak(language) {
  current = language in all ? language : "en";
}

/** The language that is spoken. */
export const language = () => current;

/** A message as a string. */
export function t(key, values = {}) {
  return pieces(key, values).join("");
}

/** A message as a list of strings and of the values, which may be elements. */
export function parts(key, values = {}) {
  return pieces(key, values);
}

function pieces(key, values) {
  const words = all[current][key] ?? all.en[key];
  if (words === undefined) throw new Error(`there is no message ${key}`);
  const bar = "n" in values ? words.indexOf("|") : -1;
  const chosen = bar < 0 ? words : values.n === 1 ? words.slice(0, bar) : words.slice(bar + 1);
  return chosen.split(/\{(\w+)\}/).map((it, at) => (at % 2 ? valueOf(values[it]) : it));
}

/** A place of the text as people count characters, from 1: "characters 1–3", "after character 3"
 * of one that has none. The data count from 0, and leave out the end. */
export function placeOf(start, end) {
  if (start === end) return t(start === 0 ? "place.begin" : "place.after", { at: start });
  const at = end - start > 1 ? `${number(start + 1)}–${number(end)}` : end;
  return t("place.of", { n: end - start, at });
}

const valueOf = (value) => (typeof value === "number" ? number(value) : (value ?? ""));

/** A number as the language sets it, with at most these digits after the point. */
export function number(value, digits = 2) {
  return formatOf({ maximumFractionDigits: digits }).format(value);
}

/** A number with this many digits that count, however small it is. */
export function precise(value, digits = 3) {
  return formatOf({ maximumSignificantDigits: digits }).format(value);
}

const LEAST = 1e-5; // a share that is still told

/** A share in percent, as it is set everywhere on the page. */
export function percent(share) {
  if (share < LEAST) return `< ${precise(100 * LEAST, 1)} %`;
  return `${share < 0.001 ? precise(100 * share, 1) : number(100 * share, 1)} %`;
}

/** How many more than the fewest, in the digits of the server. */
export const moreOf = ({ times, percent }) =>
  (times ? `× ${times}` : `${percent.startsWith("<") ? "" : "+"}${percent} %`);

const formats = new Map(); // one is slow to make

function formatOf(options) {
  const key = `${current} ${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(current, options));
  return formats.get(key);
}

/** All messages by their languages, for the test that they say the same. */
export const allMessages = all;
