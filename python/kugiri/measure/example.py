"""A tokenizer small enough to work an example by hand; the metrics show theirs with it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from kugiri.load import load
from kugiri.measure.draws import Draws
from kugiri.measure.metric import Metric
from kugiri.measure.observation import MeasuredCorpus, Observation
from kugiri.tokenizer import Tokenizer

WHOLE_TEXT = r"[\s\S]+"


def tokenizer_of(merges: Sequence[str], pattern: str = WHOLE_TEXT) -> Tokenizer:
    """A byte-level BPE that merges to these strings, in this order, from left to right.

    Example:
        >>> tokenizer_of(["low"]).tokens("lower")
        ['low', 'e', 'r']
    """
    alphabet = [bytes([value]) for value in range(256)]
    merged = [
        text.encode()[:end] for text in merges for end in range(2, len(text.encode()) + 1)
    ]  # "lo" before "low": each merge joins one more byte
    tokens = dict.fromkeys(alphabet + merged)
    file = b"".join(b"%s %d\n" % (b64encode(token), id) for id, token in enumerate(tokens))
    return load(file, format="tiktoken", pattern=pattern)


def observe(
    documents: Sequence[str], merges: Sequence[str], pattern: str = WHOLE_TEXT
) -> Observation:
    """That tokenizer on these documents."""
    corpus = MeasuredCorpus("example", list(documents), Draws(len(documents), draws=10, seed=0))
    return Observation("example", tokenizer_of(merges, pattern), corpus)


def value(metric: Metric, seen: Observation) -> float:
    """What the metric says of the corpus itself, rounded for a page."""
    return round(float(metric.values(seen, seen.corpus.draws)[0]), 4)
