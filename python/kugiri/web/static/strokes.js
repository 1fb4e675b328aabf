// The strokes of the chosen tokenizer in the large text: those of the first window at once, those of
// all of it a moment later.

import { debounced, onlyNewest } from "./api.js";
import { unitsAt } from "./glyphs.js";
import { MIRRORED } from "./hero.js";
import { state } from "./state.js";
import { strokesOf } from "./systems.js";

const PART = 10_000; // code points that are asked for at a time
const WAIT = 300; // milliseconds until all are asked for

/** `cut(places)` draws them, `ask(start, characters, signal)` gets the tokens of a window. */
export function strokesIn({ cut, ask }) {
  const newest = onlyNewest();
  const draw = (tokens) => cut(unitsOf(state.text, strokesOf(tokens)));
  const later = debounced(WAIT, () => newest(async (signal) => {
    const tokens = [];
    for (let start = 0; start !== null;) {
      const { columns: [its], next } = await ask(start, PART, signal);
      tokens.push(...(its.tokens ?? []));
      start = next;
    }
    return tokens;
  }, draw, () => {})); // those of the first window stay

  function drop() {
    newest.drop();
    later.drop();
  }
  return {
    drop,
    /** Draw those of a column's first window, and of the others if there are any; null: none. */
    show(column, next) {
      drop();
      draw(column?.tokens ?? []);
      if (column && next !== null && state.text.length <= MIRRORED) later();
    },
  };
}

/** Places within the text in UTF-16 units, of growing places in code points. */
function unitsOf(text, points) {
  let [unit, point] = [0, 0];
  return points.flatMap((it) => {
    unit = unitsAt(text, it - point, unit);
    point = it;
    return unit > 0 && unit < text.length ? [unit] : [];
  });
}
