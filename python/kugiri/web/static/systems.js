// Tokens of several tokenizers in systems, as the parts of a score: what stands under each other
// is the same stretch of the text.
//
// Rule: a system ends where every tokenizer has a cut, as late as a line has room, between words if
// it can; after a line end, once it is half full. Where they agree on no cut, the system grows.
// Cost: one pass over the tokens. A line that is longer than was measured wraps.

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

/** The systems: of each, for every column, its tokens from–to.
 *
 * columns: lists of tokens; widthOf: of a token, in em; room: em that a line has; signs: the
 * characters of the text from its place `first` on. */
export function systemsOf(columns, { widthOf, room, signs, first }) {
  if (columns.length === 0) return [];
  const begin = Math.min(...columns.map((tokens) => tokens[0]?.start ?? Infinity));
  const within = commonCuts(columns).filter((it) => it > begin);
  const cuts = [begin, ...within, Infinity]; // the last step has what lies over the last cut
  const steps = columns.map((tokens) => stepsOf(tokens, cuts, widthOf));
  const widths = cuts.slice(1).map((_, at) => Math.max(...steps.map((its) => its[at].width)));
  const kinds = cuts.map((cut) => kindOf(signs[cut - first - 1], signs[cut - first]));
  return evenBreaks(widths, room, kinds)
    .map(([from, to]) => steps.map((its) => [its[from].from, its[to - 1].to]))
    .filter((system) => system.some(([from, to]) => from < to));
}

/** How good a place is to end a line: 2 after a line end, 1 between words, 0 within one. */
function kindOf(before = " ", after = " ") {
  if (before === "\n") return 2;
  return /[\s\u3000-\uffff]/.test(before + after) ? 1 : 0;
}

/** Lines of steps, from–to, about equally long: as few as the room allows, and no last short one. */
function evenBreaks(widths, room, kinds) {
  const total = widths.reduce((sum, it) => sum + it, 0);
  const lines = breaksOf(widths, room, kinds);
  for (let even = total / lines.length + 2; lines.length < 8 && even < room; even += 2) {
    const tried = breaksOf(widths, even, kinds);
    if (tried.length <= lines.length) return tried;
  }
  return lines;
}

/** Lines of steps, from–to: each as long as there is room, but back to the last good place. */
function breaksOf(widths, room, kinds) {
  const lines = [];
  let [begun, width, good] = [0, 0, 0];
  const close = (at) => {
    lines.push([begun, at]);
    begun = good = at;
    width = 0;
  };
  for (let at = 0; at < widths.length; at += 1) {
    if (at > begun && width + widths[at] > room) {
      const back = good > begun ? good : at;
      close(back);
      width = widths.slice(back, at).reduce((sum, it) => sum + it, 0);
    }
    width += widths[at];
    if (kinds[at + 1] === 2 && width > room / 2) close(at + 1);
    else if (kinds[at + 1] > 0 && width > room / 2) good = at + 1;
  }
  if (begun < widths.length) close(widths.length);
  return lines;
}

/** Between each two common cuts: the tokens from–to, and their width. */
function stepsOf(tokens, cuts, widthOf) {
  let at = 0;
  return cuts.slice(1).map((end) => {
    const from = at;
    let width = 0;
    for (; at < tokens.length && tokens[at].start < end; at += 1) {
      width += widthOf(tokens[at]);
    }
    return { from, to: at, width };
  });
}
