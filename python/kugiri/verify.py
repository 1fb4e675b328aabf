"""Whether two tokenizers give the same ids, on a corpus and on random texts.

Rule.    Each text is encoded by both, special tokens as text. Two texts agree if all their ids do,
         or with by="tokens" all their tokens, whatever their ids. What does not agree has a cause
         (differences.py).
Cost.    Two encodings of the corpus in memory of one block; two more of each text that differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec
import numpy as np

from kugiri.corpus import Corpus, Reading, Texts, read
from kugiri.differences import Difference, find_difference
from kugiri.encoding import Batch, Ids
from kugiri.errors import EncodingError, OptionError, choose, described
from kugiri.inputs import as_whole
from kugiri.random_texts import random_texts
from kugiri.tokenizer import Tokenizer

__all__ = ["Agreement", "Difference", "Verification", "verify"]

_BATCH = 10_000
"""How many texts are encoded at once."""


class Agreement(msgspec.Struct, frozen=True):
    """How many of something are the same.

    Attributes:
        texts, same_texts: texts, and how many of them have the same ids.
        tokens, same_tokens: tokens, and how many of them both have at the same place.
    """

    texts: int = 0
    same_texts: int = 0
    tokens: int = 0
    same_tokens: int = 0

    @property
    def by_text(self) -> float:
        """The share of texts that agree; 1.0 of none."""
        return self.same_texts / self.texts if self.texts else 1.0

    @property
    def by_token(self) -> float:
        """The share of tokens that agree; 1.0 of none."""
        return self.same_tokens / self.tokens if self.tokens else 1.0

    def __add__(self, other: Agreement) -> Agreement:
        """Both together."""
        mine, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return Agreement(*(one + two for one, two in zip(mine, theirs, strict=True)))


class Verification(msgspec.Struct, frozen=True):
    """What a comparison of two tokenizers found.

    Attributes:
        corpus, random: how far they agree on the corpus, and on random texts.
        causes: cause → how many texts differ by it, the most frequent first.
        differences: the first of them, of the corpus before random ones.
        by: what was compared: "ids" or "tokens".
        seed: of the random texts.
    """

    corpus: Agreement
    random: Agreement
    causes: dict[str, int]
    differences: list[Difference]
    by: str
    seed: int

    @property
    def identical(self) -> bool:
        """Whether no text differed."""
        return not self.causes

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, with the shares that agree."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        for name in ("corpus", "random"):
            agreement: Agreement = getattr(self, name)
            plain[name] |= {"by_text": agreement.by_text, "by_token": agreement.by_token}
        return {"identical": self.identical, **plain}


def verify(
    a: Tokenizer,
    b: Tokenizer,
    corpus: Corpus | None = None,
    *,
    by: str = "ids",
    random: int = 1000,
    seed: int = 0,
    examples: int = 10,
    documents: str = "lines",
    field: str | None = None,
    column: str | None = None,
    errors: str = "strict",
) -> Verification:
    """Compare what two tokenizers make of a corpus and of random texts.

    Args:
        a: one tokenizer.
        b: the other.
        corpus: paths or texts, as for training; None compares random texts only.
        by: "ids", or "tokens" where the two number the same tokens differently.
        random: how many random texts are compared.
        seed: of the random texts.
        examples: how many differences are kept.
        documents: in files of text, "lines" or whole "files" are texts.
        field: the text of a JSON record.
        column: the text of the row of a table.
        errors: "strict", or "replace" to read invalid UTF-8 as U+FFFD.

    Raises:
        OptionError: there is nothing to compare, or an option has a wrong value.
        CorpusError: the corpus cannot be read.

    Example:
        >>> import kugiri
        >>> tok = kugiri.train(["low lower lowest"] * 2, vocab_size=259)
        >>> kugiri.verify(tok, kugiri.convert(tok, "tokenizer.json"), ["lowest of all"]).identical
        True
    """
    for tokenizer in (a, b):
        if not isinstance(tokenizer, Tokenizer):
            raise OptionError(f"verify compares two tokenizers; {described(tokenizer)} came")
    random, seed = as_whole("random", random), as_whole("seed", seed, None)
    if corpus is None and not random:
        raise OptionError("there is nothing to compare; give a corpus, or random= more than 0")
    comparison = _Comparison(
        a, b, choose("by", by, ["ids", "tokens"]), as_whole("examples", examples)
    )
    reading = Reading(documents=documents, field=field, column=column, errors=errors)
    texts = () if corpus is None else _texts(corpus, reading)
    of_corpus = comparison.run(texts, numbered=True)
    of_random = comparison.run(random_texts(seed, random, (a, b)), numbered=False)
    if not of_corpus.texts + of_random.texts:
        raise OptionError("there is nothing to compare: the corpus is empty; give random= too")
    causes = dict(comparison.causes.most_common())
    return Verification(of_corpus, of_random, causes, comparison.differences, by, seed)


def _texts(corpus: Corpus, reading: Reading) -> Iterator[str]:
    for part in read(corpus, reading):
        if isinstance(part, Texts):
            yield from part.texts
        elif reading.documents == "files":
            yield part.text(reading.errors)
        else:
            yield from part.lines(reading.errors)


class _Comparison:
    """Compares texts, and gathers causes and the first differences."""

    def __init__(self, a: Tokenizer, b: Tokenizer, by: str, examples: int) -> None:
        self.pair, self.examples = (a, b), examples
        self.causes: Counter[str] = Counter()
        self.differences: list[Difference] = []
        # What is compared in place of an id: itself, or the number of its token.
        self.keys = _common_keys(a, b) if by == "tokens" else tuple(_ids(it) for it in (a, b))

    def run(self, texts: Iterable[str], *, numbered: bool) -> Agreement:
        """How far the two agree on some texts."""
        total, done, rest = Agreement(), 0, iter(texts)
        while batch := list(islice(rest, _BATCH)):
            total += self._batch(batch, done + 1 if numbered else None)
            done += len(batch)
        return total

    def _batch(self, texts: list[str], first: int | None) -> Agreement:
        try:
            one, other = (self._encoded(side, texts) for side in (0, 1))
        except EncodingError:
            # One text has no ids; each is looked at alone.
            halves = (texts[: len(texts) // 2], texts[len(texts) // 2 :])
            if len(texts) == 1:
                return self._differing(texts[0], first)
            second = None if first is None else first + len(halves[0])
            return self._batch(halves[0], first) + self._batch(halves[1], second)
        if np.array_equal(one.ids, other.ids) and np.array_equal(one.offsets, other.offsets):
            return Agreement(len(texts), len(texts), len(one.ids), len(one.ids))
        total = Agreement()
        for index, text in enumerate(texts):
            if np.array_equal(one[index], other[index]):
                total += Agreement(1, 1, len(one[index]), len(one[index]))
            else:
                total += self._differing(text, None if first is None else first + index)
        return total

    def _encoded(self, side: int, texts: list[str]) -> Batch:
        batch = self.pair[side].encode_batch(texts)
        return Batch(self.keys[side][batch.ids], batch.offsets)

    def _differing(self, text: str, number: int | None) -> Agreement:
        """A text that is cut differently, or that one of the two, or both, cannot encode."""
        found, common, tokens = find_difference(self.pair, self.keys, text, number)
        if found is None:
            return Agreement(1, 1, tokens, tokens)
        self.causes[found.cause] += 1
        if len(self.differences) < self.examples:
            self.differences.append(found)
        return Agreement(1, 0, tokens, common)


def _ids(tokenizer: Tokenizer) -> Ids:
    return np.arange(tokenizer.vocab_size, dtype=np.uint32)


def _common_keys(a: Tokenizer, b: Tokenizer) -> tuple[Ids, ...]:
    """For each tokenizer the number of each id's token, the same for the same token."""
    numbers: dict[str, int] = {}
    tables = []
    for tokenizer in (a, b):
        table = np.zeros(tokenizer.vocab_size, np.uint32)
        for token, id in tokenizer.vocab.items():
            table[id] = numbers.setdefault(token, len(numbers) + 1)
        tables.append(table)
    return tuple(tables)
