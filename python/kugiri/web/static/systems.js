// Tokens of several tokenizers in systems, as the parts of a score: what stands under each other
// is the same stretch of the text.
//
// Rule: a stretch lies between two places where every tokenizer has a cut. A system is a line of
// stretches, and the lines are broken so that they leave little room, rather between words, and not
// before a closing mark; after a line end, once it is half full. What is wider than a line is one
// stretch alone, which wraps; one or two characters beside it belong to it.
// Cost: one pass over the tokens, and for each stretch the lines that begin there are tried.

/** The places where a tokenizer has a cut: no token lies over it. */
export function cutsOf(tokens) {
  const cuts = new Set();
  let reached = tokens[0]?.start ?? 0;
  for (const { start, end } of tokens) {
    if (start > reached) cuts.add(reached); // what lies between is in no token
    if (start >= reached) cuts.add(start);
    reached = Math.max(reached, end);
  }
  return cuts.add(reached);
}

/** The places where a stroke is drawn in the text: where a token begins that has a cut before it. */
export function strokesOf(tokens) {
  const cuts = cutsOf(tokens);
  return [...new Set(tokens.map(({ start }) => start).filter((it) => cuts.has(it)))];
}

/** The places where all have a cut. */
export function commonCuts(columns) {
  const [first = [], ...others] = columns.map((tokens) => cutsOf(tokens));
  return [...first].filter((it) => others.every((cuts) => cuts.has(it))).sort((a, b) => a - b);
}

/** The systems: of each, for every column, its stretches, as the numbers from–to of their tokens.
 *
 * columns: lists of tokens; widthOf: of a token, in em; room: em that a line has; signs: the
 * characters of the text from its place `first` on. */
export function systemsOf(columns, { widthOf, room, signs, first }) {
  const steps = stepsOf(columns, widthOf);
  const kinds = steps.map(({ end }) => kindOf(signs[end - first - 1], signs[end - first]));
  const widths = steps.map(({ width }) => width);
  return linesOf(widths, room, kinds).map(([from, to]) => {
    const fits = widths.slice(from, to).reduce((sum, it) => sum + it, 0) <= room;
    const its = steps.slice(from, to).map(({ rows }) => rows);
    return columns.map((_, at) => (fits && columns.length > 1
      ? its.map((rows) => rows[at])
      : [[its[0][at][0], its.at(-1)[at][1]]]));
  });
}

/** Between each two common cuts: of every column the tokens from–to, how wide the widest are, and
 * where it ends. What was put in before the text comes first, and what lies over the last cut last. */
function stepsOf(columns, widthOf) {
  const begin = Math.min(...columns.map((tokens) => tokens[0]?.start ?? Infinity));
  const ends = [begin, ...commonCuts(columns).filter((it) => it > begin), Infinity];
  const done = columns.map(() => 0);
  return ends.map((end) => {
    let width = 0;
    const rows = columns.map((tokens, nth) => {
      const from = done[nth];
      let [at, own] = [from, 0];
      for (; at < tokens.length && (tokens[at].start < end || tokens[at].end <= begin); at += 1) {
        own += widthOf(tokens[at]);
      }
      done[nth] = at;
      width = Math.max(width, own);
      return [from, at];
    });
    return { rows, width, end };
  }).filter(({ rows }) => rows.some(([from, to]) => from < to));
}

/** How good a place is to end a line: 2 after a line end, 1 between words, 0 within one. */
export function kindOf(before = " ", after = " ") {
  if (before === "\n") return 2;
  if (/\s/.test(before)) return 1;
  if (/[\p{Ps}\p{Pi}]/u.test(before) || /[\p{Pe}\p{Pf}\p{Po}\u30fc]/u.test(after)) return 0;
  return /[\s\u3000-\u{10ffff}]/u.test(before + after) ? 1 : 0;
}

const LONE = 2.8; // em: one or two characters get no line of their own
const LOOSE = 0.1; // what it costs that they wrap with a long stretch, not aligned
const WITHIN = 0.15; // what it costs to end a line within a word

/** Lines of steps, from–to: those with the least sum of the squares of the room that they leave. */
export function linesOf(widths, room, kinds) {
  const best = [{ cost: 0 }, ...widths.map(() => ({ cost: Infinity }))];
  for (let from = 0; from < widths.length; from += 1) {
    let [width, widest] = [0, 0];
    for (let to = from + 1; to <= widths.length; to += 1) {
      width += widths[to - 1];
      widest = Math.max(widest, widths[to - 1]);
      if (width > room && width - widest > LONE) break;
      const left = Math.max(1 - width / room, 0) ** 2;
      const loose = width > room && width > widest ? LOOSE : 0;
      const within = to < widths.length && kinds[to - 1] === 0 ? WITHIN : 0;
      const lone = width <= LONE ? 1 : 0;
      const cost = best[from].cost + left + loose + within + lone;
      if (cost <= best[to].cost) best[to] = { cost, from };
      if (kinds[to - 1] === 2 && width > room / 2) break;
    }
  }
  const lines = [];
  for (let to = widths.length; to > 0; to = best[to].from) lines.unshift([best[to].from, to]);
  return lines;
}
