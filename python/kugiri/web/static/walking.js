// From token to token: which one an arrow key leads to, and which tokens lie over the same text.

/** The tokens (their numbers) that have a part of the text that this one has. */
export function overlapping(tokens, { start, end }) {
  const found = [];
  for (let at = firstReaching(tokens, start); at < tokens.length; at += 1) {
    if (tokens[at].start >= Math.max(end, start + 1)) break;
    if (tokens[at].end > start) found.push(at);
  }
  return found;
}

/** The first token that may reach beyond a place; their beginnings only grow. */
function firstReaching(tokens, place) {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle].end > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Where a key leads from a token: [lane, number], or null where it leads nowhere. */
export function moved(lanes, lane, at, key) {
  const last = lanes[lane].tokens.length - 1;
  const along = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[key];
  if (along !== undefined) return [lane, Math.min(Math.max(along, 0), last)];
  const step = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (step === undefined) return null;
  for (let other = lane + step; lanes[other]; other += step) {
    const { tokens } = lanes[other];
    if (tokens.length === 0) continue;
    const [found] = overlapping(tokens, lanes[lane].tokens[at]);
    return [other, found ?? tokens.length - 1];
  }
  return null;
}
