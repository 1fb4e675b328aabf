"""What each of several texts would want for itself, beside what is best for all of them together.

Rule.    The tokenizers are those of the sweep, trained on its corpus; only the text differs that
         says what a size costs.
Cost.    One encoding of each text by BPE, and by other models once a size.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from kugiri.corpus import Corpus
from kugiri.errors import TrainingError
from kugiri.sweep_result import Sweep
from kugiri.training.options import read_options
from kugiri.training.tally import occurrences, tally
from kugiri.training.texts import batches, kept, size_of
from kugiri.vocabulary_size.curve import Curve, every_size, trained_sizes
from kugiri.vocabulary_size.result import Alone

NEAR = 0.01
"""How much more may be paid for a size that is nearly as good."""


def alone(
    found: Sweep,
    model: str,
    texts: Mapping[str, Corpus],
    parameters: float,
    dimension: int,
    at: int,
) -> list[Alone]:
    """The size of least cost for each text, and its tokens at the size that all share.

    Raises:
        TrainingError: a text is empty.
    """
    given = {name: it for name, it in found.options.items() if name not in ("preset", "seed")}
    asked = read_options(found.options.get("preset"), given)
    results = []
    for name, corpus in texts.items():
        text, reading = kept(corpus, asked)
        size = size_of(text, reading)
        if not size.characters:
            raise TrainingError(f"the evaluation text {name!r} is empty; leave it out")
        curve = _curve(found, model, name, list(batches(text, reading)))
        costs = (parameters + curve.sizes * float(dimension)) * curve.tokens
        least = int(np.argmin(costs))
        is_open = run_around(costs <= (1 + NEAR) * costs[least], least)[1] == len(costs) - 1
        tokens = curve.tokens_at(at)
        assert tokens is not None
        results.append(Alone(name, int(curve.sizes[least]), is_open, tokens / size.characters))
    return results


def _curve(found: Sweep, model: str, name: str, parts: list[list[str]]) -> Curve:
    pairs = zip(found.entries, found.tokenizers, strict=True)
    trained = [tokenizer for entry, tokenizer in pairs if entry.model == model]
    if model == "bpe":
        return every_size(model, name, trained[-1], *occurrences(trained[-1], parts))
    tallies = tally(trained, parts)
    rows = [(tok.vocab_size, *each) for tok, each in zip(trained, tallies, strict=True)]
    return trained_sizes(model, name, rows)


def run_around(flags: npt.NDArray[np.bool_], place: int) -> tuple[int, int]:
    """The first and the last of the flags that are set in a row with the one at a place."""
    if not flags[place]:
        return place, place
    unset = np.flatnonzero(~flags)
    after = int(np.searchsorted(unset, place))
    low = int(unset[after - 1]) + 1 if after else 0
    high = int(unset[after]) - 1 if after < len(unset) else len(flags) - 1
    return low, high
