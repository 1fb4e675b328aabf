"""A corpus as texts, for those who look at more than its words: read again, measured, shown.

Rule.    The texts are those that `count_words` would count with the same options.
Cost.    One reading of the corpus for each question; memory for one batch of about 8 MB.
"""

from __future__ import annotations

import re
from collections import Counter, UserList
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import msgspec

from kugiri.corpus import Corpus, Texts, read
from kugiri.corpus.documents import unused_names
from kugiri.corpus.sources import reads_once, split_kinds
from kugiri.training.options import Options
from kugiri.training.word_counts import WordCounts, count_words

_FIRST = 100
"""How many documents are looked at for one to show."""
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class Size(msgspec.Struct, frozen=True):
    """The size of a text.

    Attributes:
        documents: how many; None for words that came counted.
        characters, bytes: of the documents; line ends are theirs only if the trainer reads them.
    """

    documents: int | None
    characters: int
    bytes: int


def batches(corpus: Corpus, options: Options) -> Iterator[list[str]]:
    """Yield the documents of a corpus in lists, as they are counted for training."""
    reading = options.reading()
    for part in read(corpus, reading, refuse_unused=False):
        if isinstance(part, Texts):
            yield part.texts
        elif reading.documents == "files":
            yield [part.text(reading.errors)]
        elif options.keep_newlines:
            yield _LINE.findall(part.text(reading.errors))
        else:
            yield [line for line in part.lines(reading.errors) if line.strip()]


def for_one_of_two(corpus: Any, other: Any, options: Options) -> Options:
    """The options for a corpus: a field or column that only the other one has is left out."""
    if other is None or isinstance(corpus, Mapping):
        return options
    reading = options.reading()
    idle, idle_there = (unused_names(split_kinds(each)[0], reading) for each in (corpus, other))
    idle -= idle_there
    return replace(
        options,
        field=None if "field" in idle else options.field,
        column=None if "column" in idle else options.column,
    )


def kept(corpus: Any, options: Options) -> tuple[Any, Options]:
    """The corpus, in memory if it could be read only once, and the options that still hold."""
    if isinstance(corpus, Mapping) or not reads_once(corpus):
        return corpus, options
    texts = chain.from_iterable(batches(corpus, options))
    # A UserList, since a list of texts could be taken for one of file names (corpus/sources.py).
    return UserList(texts), replace(options, field=None, column=None)


def beginning(corpus: Any, options: Options, length: int) -> list[str]:
    """The first document of such a length, or else the longest of the first ones, as far as that.

    Headings are shorter, and show little. Of words that came counted there is none.
    """
    if isinstance(corpus, Mapping):
        return []
    texts = list(islice(chain.from_iterable(batches(corpus, options)), _FIRST))
    long = (text for text in texts if len(text) >= length)
    return [text[:length] for text in [next(long, max(texts, key=len, default=""))] if text]


def size_of(corpus: Any, options: Options) -> Size:
    """The size of a corpus."""
    if isinstance(corpus, Mapping):
        return _size_of_words(count_words(corpus))
    documents = characters = size = 0
    for texts in batches(corpus, options):
        documents += len(texts)
        characters += sum(map(len, texts))
        size += sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    return Size(documents, characters, size)


def share_in(corpus: Any, options: Options, held_out: Any, its: Options) -> float | None:
    """Which share of a text stands in a corpus, line by line, in characters; None: words came."""
    if isinstance(corpus, Mapping):
        return None
    lengths: Counter[int] = Counter()
    for line in _lines(held_out, its):
        lengths[hash(line)] += len(line)
    found: set[int] = set()
    for line in _lines(corpus, options):
        if (number := hash(line)) in lengths:
            found.add(number)
    return sum(lengths[number] for number in found) / (lengths.total() or 1)


def _lines(corpus: Any, options: Options) -> Iterator[str]:
    for text in chain.from_iterable(batches(corpus, options)):
        yield from filter(None, map(str.strip, text.split("\n")))


def _size_of_words(counts: WordCounts) -> Size:
    """What their pre-tokenizer dropped is not in it."""
    characters = size = 0
    for word, count in counts.items():
        characters += len(word.decode()) * count
        size += len(word) * count
    return Size(None, characters, size)
