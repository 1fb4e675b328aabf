"""Much text and a dictionary: encoded and counted by several processes.

Rule.    Dictionaries keep Python's lock. So a large batch is cut into groups of whole texts, a
         block of lines into groups of whole lines, and each process takes one at a time. Groups are
         put together in order: the result is that of one process. Where a process fails, all is
         done here, and the error is that of one process too.
Cost.    Below a megabyte or so it would take longer than cutting it here, and is.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from kugiri import _core, worker_processes
from kugiri.worker_processes import WorkError

if TYPE_CHECKING:
    import numpy.typing as npt

    from kugiri.encoding import Ids
    from kugiri.tokenizer import Tokenizer
    from kugiri.tokenizing.encode_options import Asked

    Offsets = npt.NDArray[np.int64]

T = TypeVar("T")

LARGE = 1 << 20
"""Characters from which on processes are asked."""
_GROUP = 1 << 17
_GROUP_BYTES = 3 * _GROUP


class Batches:
    """The core of a tokenizer, which gives large batches to processes."""

    def __init__(self, core: _core.Core, pickled: Callable[[], bytes]) -> None:
        """Take the core, and what makes the tokenizer's pickle."""
        self._core, self._pickled = core, pickled

    def encode_batch(
        self, texts: list[str], special: Asked, threads: int | None
    ) -> tuple[Ids, Offsets]:
        """The ids of all texts, and where those of each begin."""
        if (parts := self._parts(_encode, texts, special, threads)) is None:
            return self._core.encode_batch(texts, special, threads)
        lengths = [np.diff(offsets) for _, offsets in parts]
        offsets = np.concatenate([np.zeros(1, np.int64), *lengths]).cumsum()
        return np.concatenate([ids for ids, _ in parts]), offsets

    def count_batch(self, texts: list[str], special: Asked, threads: int | None) -> Offsets:
        """The number of tokens of each text."""
        parts = self._parts(_count, texts, special, threads)
        if parts is None:
            return self._core.count_batch(texts, special, threads)
        return np.concatenate(parts)

    def _parts(
        self,
        work: Callable[[bytes, list[str], Asked], T],
        texts: list[str],
        special: Asked,
        threads: int | None,
    ) -> list[T] | None:
        """What processes make of groups of the texts; None where this one is to do it."""
        count = _processes(threads)
        if count == 1 or _size(texts) < LARGE:
            return None
        pickled = self._pickled()
        groups = ((pickled, texts[start:end], special) for start, end in _groups(texts))
        try:
            return worker_processes.each(work, groups, count)
        except WorkError:
            return None


Many: TypeAlias = _core.Core | Batches
"""What encodes many texts."""


class WordCounter:
    """Counts words as `_core.WordCounter` does, much text in processes."""

    def __init__(self, config: bytes, threads: int | None) -> None:
        """Begin with no words."""
        self._config, self._count = config, _processes(threads)
        self._counter = _core.WordCounter(config, threads)

    def feed_texts(self, texts: list[str]) -> None:
        """Count the words of texts."""
        groups = [(self._config, texts[start:end]) for start, end in _groups(texts)]
        found = self._found(_count_texts, groups) if _size(texts) >= LARGE else None
        if found is None:
            self._counter.feed_texts(texts)
        else:
            self._add(iter(found))

    def feed_lines(self, block: bytes, keep_newline: bool, replace: bool) -> tuple[int, int]:
        """Count the words of lines; what comes back is said in src/python/train.rs."""
        cuts = [(self._config, part, keep_newline, replace) for part in _whole_lines(block)]
        found = self._found(_count_lines, cuts) if len(block) >= LARGE else None
        if found is None or any(bad_byte >= 0 for bad_byte, _, _ in found):
            return self._counter.feed_lines(block, keep_newline, replace)
        self._add(words for _, _, words in found)
        return -1, sum(replaced for _, replaced, _ in found)

    def finish(self) -> tuple[bytes, Offsets, npt.NDArray[np.uint64]]:
        """All words, where each begins, and how often each was there."""
        return self._counter.finish()

    def _found(self, work: Callable[..., T], given: Sequence[tuple[Any, ...]]) -> list[T] | None:
        if self._count == 1:
            return None
        try:
            return worker_processes.each(work, given, self._count)
        except WorkError:
            return None

    def _add(self, groups: Iterator[list[tuple[bytes, int]]]) -> None:
        """Add counted words in order: the first place of each is that of the whole."""
        for words in groups:
            for word, count in words:
                self._counter.add_word(word, count)


AnyCounter: TypeAlias = _core.WordCounter | WordCounter
"""What counts words."""


# ── groups ────────────────────────────────────────────────────────────────────────────────────
def _processes(threads: int | None) -> int:
    most = worker_processes.available()
    return most if threads is None else min(threads, most)


def _size(texts: list[str]) -> int:
    """The characters of all; what is no text is for the core to refuse."""
    return sum(len(text) for text in texts if isinstance(text, str))


def _groups(texts: list[str]) -> Iterator[tuple[int, int]]:
    """Groups of whole texts, by number."""
    start = filled = 0
    for index, text in enumerate(texts):
        filled += len(text) if isinstance(text, str) else 0
        if filled >= _GROUP:
            yield start, index + 1
            start, filled = index + 1, 0
    if start < len(texts):
        yield start, len(texts)


def _whole_lines(block: bytes) -> Iterator[bytes]:
    """Groups of whole lines."""
    start = 0
    while start < len(block):
        newline = block.find(b"\n", start + _GROUP_BYTES)
        end = newline + 1 if newline >= 0 else len(block)
        yield block[start:end]
        start = end


# ── in a process ──────────────────────────────────────────────────────────────────────────────
@lru_cache(maxsize=4)
def _tokenizer(pickled: bytes) -> Tokenizer:
    tokenizer: Tokenizer = pickle.loads(pickled)
    return tokenizer


def _encode(pickled: bytes, texts: list[str], special: Asked) -> tuple[Ids, Offsets]:
    return _tokenizer(pickled)._core.encode_batch(texts, special, 1)


def _count(pickled: bytes, texts: list[str], special: Asked) -> Offsets:
    return _tokenizer(pickled)._core.count_batch(texts, special, 1)


def _count_texts(config: bytes, texts: list[str]) -> list[tuple[bytes, int]]:
    counter = _core.WordCounter(config, 1)
    counter.feed_texts(texts)
    return _words(counter)


def _count_lines(
    config: bytes, block: bytes, keep_newline: bool, replace: bool
) -> tuple[int, int, list[tuple[bytes, int]]]:
    counter = _core.WordCounter(config, 1)
    bad_byte, replaced = counter.feed_lines(block, keep_newline, replace)
    return bad_byte, replaced, _words(counter)


def _words(counter: _core.WordCounter) -> list[tuple[bytes, int]]:
    data, offsets, counts = counter.finish()
    places = offsets.tolist()
    words = (data[start:end] for start, end in pairwise(places))
    return list(zip(words, counts.tolist(), strict=True))
