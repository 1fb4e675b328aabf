"""Tokens of a text, and how many of them are unknown, for tokenizers of every kind.

Rule.    A character (or word) that a tokenizer has no token for is one unknown token, whether or
         not the tokenizer has an id for that: so texts can be compared that some cannot encode.
Cost.    One encoding of the text a tokenizer; for counted words, of each different word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from kugiri.encoding import Batch
from kugiri.spec import BPE, CharLevel, TokenizerSpec, Unigram, WordLevel
from kugiri.tables import Column, Tokens
from kugiri.tokenizer import Tokenizer
from kugiri.training.word_counts import WordCounts

_UNKNOWN = "\ufdd0unknown"
"""A name for what is unknown where there is none; U+FDD0 is no character, so no text has it."""


class Tally(NamedTuple):
    """What was counted.

    Attributes:
        tokens: all of them.
        unknown: those that stand for what is not in the vocabulary.
    """

    tokens: int
    unknown: int


def tally(
    tokenizers: Sequence[Tokenizer], parts: Iterable[list[str]], threads: int | None = None
) -> list[Tally]:
    """Count the tokens of texts that come in lists, read once for all tokenizers."""
    counters = [_Counter(tokenizer.spec) for tokenizer in tokenizers]
    tallies = [Tally(0, 0)] * len(counters)
    for texts in parts:
        for index, counter in enumerate(counters):
            batch, unknown = counter.encode(texts, threads)
            tokens, unknowns = tallies[index]
            tallies[index] = Tally(tokens + len(batch.ids), unknowns + int(unknown.sum()))
    return tallies


def tally_words(
    tokenizers: Sequence[Tokenizer], counts: WordCounts, threads: int | None = None
) -> list[Tally]:
    """Count the tokens of counted words, each taken whole."""
    words = [word.decode() for word in counts]
    each = counts.counts.astype(np.int64)
    tallies = []
    for tokenizer in tokenizers:
        counter = _of_words(tokenizer)
        batch, unknown = counter.encode(words, threads)
        lengths = np.diff(batch.offsets)
        unknowns = int((np.repeat(each, lengths) * unknown).sum())
        tallies.append(Tally(int((lengths * each).sum()), unknowns))
    return tallies


class Occurrences(NamedTuple):
    """What a text is made of.

    Attributes:
        by_id: how often each id stands in it; what is unknown may have one behind the vocabulary.
        unknown: how many of them stand for what is not in the vocabulary.
    """

    by_id: npt.NDArray[np.int64]
    unknown: int


def occurrences(
    tokenizer: Tokenizer, parts: Iterable[list[str]], threads: int | None = None
) -> Occurrences:
    """Count each id of texts that come in lists."""
    counter = _Counter(tokenizer.spec)
    found, all_unknown = np.zeros(counter.size, np.int64), 0
    for texts in parts:
        batch, unknown = counter.encode(texts, threads)
        found += np.bincount(batch.ids, minlength=counter.size)
        all_unknown += int(unknown.sum())
    return Occurrences(found, all_unknown)


def occurrences_in_words(
    tokenizer: Tokenizer, counts: WordCounts, threads: int | None = None
) -> Occurrences:
    """The same of counted words, each taken whole."""
    counter = _of_words(tokenizer)
    batch, unknown = counter.encode([word.decode() for word in counts], threads)
    each = np.repeat(counts.counts.astype(np.int64), np.diff(batch.offsets))
    found = np.zeros(counter.size, np.int64)
    np.add.at(found, batch.ids, each)
    return Occurrences(found, int(each[unknown].sum()))


def with_unknown(spec: TokenizerSpec) -> tuple[TokenizerSpec, str | None]:
    """A tokenizer that has an id for everything, and its token for what is unknown, if any."""
    model = spec.model
    name: str | None = getattr(model, "unk_token", None)
    if isinstance(model, Unigram) and model.unk_id is not None:
        name = model.vocab[model.unk_id].decode()
    may_miss = isinstance(model, (WordLevel, CharLevel)) or (
        isinstance(model, BPE) and model.unit == "char"
    )
    if may_miss and name is None:
        name = _UNKNOWN
        changed: dict[str, Any] = {"vocab": Tokens.from_iter([*model.vocab, name.encode()])}
        if (ids := getattr(model, "ids", None)) is not None:
            changed["ids"] = Column([*ids.values, Tokenizer(spec).vocab_size], "uint32")
        model = msgspec.structs.replace(model, unk_token=name, **changed)
        spec = msgspec.structs.replace(spec, model=model)
    return spec, name


def _of_words(tokenizer: Tokenizer) -> _Counter:
    """A tokenizer of words as they were counted, normalized and cut already."""
    return _Counter(msgspec.structs.replace(tokenizer.spec, normalizer=None, pre_tokenizer=None))


class _Counter:
    """A tokenizer that has an id for everything."""

    def __init__(self, spec: TokenizerSpec) -> None:
        spec, name = with_unknown(spec)
        self._tokenizer = Tokenizer(spec)
        self._unknown = None if name is None else self._tokenizer.token_id(name)
        self.size = self._tokenizer.vocab_size

    def encode(self, texts: list[str], threads: int | None) -> tuple[Batch, npt.NDArray[np.bool_]]:
        """The ids of texts, and which of them are unknown."""
        batch = self._tokenizer.encode_batch(texts, threads=threads)
        if self._unknown is None:
            return batch, np.zeros(len(batch.ids), np.bool_)
        return batch, batch.ids == self._unknown
