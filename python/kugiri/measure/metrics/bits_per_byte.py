"""Bits per byte: what a byte of new text takes under a small model of the tokens.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["ad", "a"], merges=[])
    >>> seen.corpus.held_out  # one text in five, but at least one
    array([False,  True])
    >>> # Below order 1 a, d and the ends of two tokens and of a text were met, each byte and the
    >>> # end once more:  2 + 2 + 4 + 254 = 262; the end has 4/262, a and its end 2/262 · 4/262
    >>> # In order 1 there are a, d and the end, each met behind one other symbol. Of counts of 1 a
    >>> # half is taken:  p₁(end) = (1/2 + 3/2 · 4/262) / 3 = 0.1743, p₁(a) = 0.1667
    >>> # a begins the one text there was:  pₖ = 1/2 + 1/2 · pₖ₋₁, so that p₅ = 0.9479
    >>> # Behind a only d was met, not the end:  p₅ = p₁ / 16 = 0.0109
    >>> value(METRIC, seen)  # −log₂ 0.9479 − log₂ 0.0109, for 1 byte
    6.5975
"""

from __future__ import annotations

import numpy as np

from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric, Table
from kugiri.measure.ngram import ORDER, held_out_bits, spelled
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    held_out = seen.corpus.held_out
    bits = held_out_bits(
        seen.batch, held_out, order=ORDER, below=chances(seen), threads=seen.threads
    )
    return ratio(draws.sum(bits), draws.sum(np.where(held_out, seen.corpus.bytes, 0)))


def chances(seen: Observation) -> Floats:
    """(ids + 1,): the chance of each id, and of the end, below order 1."""
    fitted = ~seen.corpus.held_out
    ids = seen.batch.ids[np.repeat(fitted, seen.tokens)]
    counts = np.bincount(ids, minlength=len(seen.vocabulary))
    return spelled(seen.vocabulary.texts, counts, int(fitted.sum()))


def _details(seen: Observation) -> list[Table]:
    held_out = seen.corpus.held_out
    rows: list[tuple[str | int | float | None, ...]] = []
    for part, of_part in ("learned from", ~held_out), ("held out", held_out):
        columns = of_part, seen.corpus.bytes[of_part], seen.tokens[of_part]
        rows.append((part, *(int(column.sum()) for column in columns)))
    return [Table("The two parts of the text", ("part", "documents", "bytes", "tokens"), rows)]


METRIC = Metric(
    name="bits_per_byte",
    title="Bits per byte",
    unit="bits/byte",
    better="less",
    definition="What a byte of held-out documents takes under an n-gram model of their tokens "
    "(order 5, interpolated modified Kneser–Ney) that was fitted on the others. A token that was "
    "never met is spelled, byte by byte: tokenizers that cut a text alike have the same value, "
    "however large their vocabularies are. One different document in five is held out, by a hash "
    "of its text; copies are never on both sides. The interval is from draws of the held-out "
    "documents, so there is none where fewer than two are held out; the model stays the same.",
    formula="−Σ log₂ p(token | the 4 before it) / UTF-8 bytes, over the held-out documents of the "
    "sample; the end of each document is a token more, of no bytes",
    source="kugiri; the model is that of S. F. Chen and J. Goodman 1998",
    misleads="Five short tokens are less context than five long ones, so it favours tokenizers "
    "that cut less, up to where the text is too short for the vocabulary. It counts one way to "
    "cut each text, which is more bits than all ways together. And it takes a tokenizer at its "
    "word: who drops case, spaces or unknown characters has less to tell. Compare tokenizers that "
    "give texts back.",
    evidence="For: it is one scale for all vocabularies, as bits per byte of language models are; "
    "Lotz et al. 2025 (arXiv:2506.03101) foretell with models of 350 million parameters "
    "how those of 2.7 billion differ. Against: n-grams are no transformers, no study was "
    "found that relates the two, and better answers do not always show in bits per byte "
    "(SuperBPE, 2025).",
    values=_values,
    weight=lambda seen: seen.corpus.bytes[seen.corpus.held_out].sum(),
    drawn_from=lambda corpus: corpus.draws_of_held_out,
    sampled=True,
    details=_details,
)
