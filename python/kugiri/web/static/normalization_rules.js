// Which rule a change of the normalizer is an example of, told from its two sides alone.
//
// Rule: the first of RULES that holds. A change may follow from several steps at once; the rule
// that is named is the narrowest one that explains it.

const FULL_WIDTH = /^[\uff01-\uff5e\u3000]+$/u;
const HALF_WIDTH_KANA = /^[\uff61-\uff9f]+$/u;
const SPACES = /^[\p{White_Space}]+$/u;
const UNSEEN = /^[\p{Cc}\p{Cf}\ufe00-\ufe0f]+$/u;
const WORD_MARK = "\u2581";

const bare = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");
const lower = (text) => text.toLowerCase();

const RULES = [
  ["prefix", (before, after) => before === "" && (after === WORD_MARK || after === " ")],
  ["put", (before) => before === ""],
  ["space-dropped", (before, after) => after === "" && SPACES.test(before)],
  ["unseen-dropped", (before, after) => after === "" && UNSEEN.test(before)],
  ["dropped", (_, after) => after === ""],
  ["space-mark", (before, after) => SPACES.test(before) && after === WORD_MARK],
  ["spaces-one", (before, after) => SPACES.test(before) && (after === " " || after === WORD_MARK)],
  ["spaced", (before, after) => after.length > before.length && after.trim() === before],
  ["composed", (before, after) => before.normalize("NFC") === after],
  ["decomposed", (before, after) => before.normalize("NFD") === after],
  ["lower", (before, after) => lower(before) === after],
  ["full-width", (before, after) => FULL_WIDTH.test(before) && before.normalize("NFKC") === after],
  ["half-width", (before, after) => HALF_WIDTH_KANA.test(before) && before.normalize("NFKC") === after],
  ["compatible", (before, after) => before.normalize("NFKC") === after || before.normalize("NFKD") === after],
  ["marks", (before, after) => bare(before) === bare(after) && bare(after) === after],
  ["marks-lower", (before, after) => lower(bare(before)) === after],
  ["compatible-lower", (before, after) => lower(before.normalize("NFKC")) === lower(after.normalize("NFKC"))],
];

/** The name of the rule: a key of the messages "norm.rule.NAME". */
export function ruleOf({ before, after }) {
  return RULES.find(([, holds]) => holds(before, after))?.[0] ?? "replaced";
}

/** All names, for the test that each has words. */
export const RULE_NAMES = [...RULES.map(([name]) => name), "replaced"];
