"""Dividing a corpus into training and evaluation text, the same way on every machine.

Rule.    A unit is a file, a document or a line, cleaned first if it is markup. A hash of the seed
         and of its text, white space aside, says where it goes: so the order of the corpus moves no
         unit, and two equal ones never land on both sides. Code goes with the text that it was
         taken out of; where units are lines, by a hash of its own.
         A share takes the units whose hash is below it, and what is added moves no other; a number
         takes that many different units, those with the smallest hashes.
Cost.    The corpus is read, and markup cleaned, once; twice for a number, and for files, whose text
         comes before their hash. Memory for the hashes of the evaluation units, or of the files.
Source.  BLAKE2b, of 64 bits here; the rule is ours.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from heapq import heappush, heappushpop
from itertools import groupby

from kugiri.corpus.clean import cleaned
from kugiri.corpus.documents import Document, read_documents
from kugiri.corpus.reading import Reading
from kugiri.corpus.sources import Corpus, reads_once
from kugiri.errors import CorpusError, OptionError, choose, shown
from kugiri.inputs import as_flag, as_whole

UNITS = ("file", "document", "line")
_HASHES = 1 << 64


def split(
    corpus: Corpus,
    size: int | float,
    *,
    by: str = "document",
    seed: int = 0,
    reading: Reading | None = None,
    markup: bool = False,
) -> Iterator[tuple[Document, bool]]:
    """Yield each document (or line), and whether it is for evaluation.

    Args:
        corpus: paths or texts.
        size: how many units are for evaluation (an int), or which share of them (a float).
        by: the unit that stays together: "file", "document" or "line".
        seed: another seed, another choice.
        reading: how files become documents.
        markup: whether they are HTML or Markdown, whose tags and code go before all else.

    Raises:
        CorpusError: the corpus cannot be read, or one side would be empty.
        OptionError: a size or unit that is not possible.

    Example:
        >>> words = ["猫", "犬", "鳥", "魚", "猫"]
        >>> [(word.text, held) for word, held in split(words, 2)]
        [('猫', False), ('犬', True), ('鳥', False), ('魚', True), ('猫', False)]
    """
    choose("unit", by, UNITS)
    _check_size(size)
    as_whole("seed", seed, None)
    as_flag("markup", markup)
    if reads_once(corpus) and (by == "file" or isinstance(size, int)):
        raise CorpusError(
            f"to draw {'files' if by == 'file' else f'{size} {by}s'} for evaluation the corpus is "
            f"read twice, and standard input or an iterator gives it once; save it to a file, or "
            f"draw a share of documents or lines"
        )

    def documents() -> Iterator[Document]:
        read = read_documents(corpus, reading or Reading())
        read = cleaned(read) if markup else read
        return lines_of(read) if by == "line" else read

    of_path = dict(_files(documents(), seed)) if by == "file" else {}
    units = (_hash([each], seed) for each in documents() if each.text.strip())
    limit = _limit(size, of_path.values() or units)
    sides = {True: 0, False: 0}
    for document in documents():
        held = (of_path[document.path] if of_path else _hash([document], seed)) < limit
        sides[held] += bool(document.text.strip())
        yield document, held
    for held, name in (True, "evaluation"), (False, "training"):
        if not sides[held]:
            raise CorpusError(
                f"size={size!r}, by={by!r} leaves no text for {name} "
                f"({sides[not held]:,} documents in all); give another size, unit or seed (what "
                f"was divided before needs another seed)"
            )


def lines_of(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield each line of the documents, and each block of code, as a document of its own."""
    for document in documents:
        for line in document.text.split("\n"):
            if line.strip():
                yield Document(line.removesuffix("\r"), document.path)
        yield from (Document("", document.path, (block,)) for block in document.code)


def _check_size(size: int | float) -> None:
    whole = type(size) is int
    possible = size >= 1 if whole else isinstance(size, float) and 0 < size < 1
    if not possible:
        raise OptionError(
            f"size is {shown(size)}; it must be a whole number from 1, or a share between 0 and 1"
        )


def _files(documents: Iterable[Document], seed: int) -> Iterator[tuple[str | None, int]]:
    for path, texts in groupby(documents, lambda document: document.path):
        if path is None:
            raise OptionError("by='file' is for files, texts came; use by='document'")
        yield path, _hash(texts, seed)


def _hash(documents: Iterable[Document], seed: int) -> int:
    """64 bits of a unit; the lengths keep neighbours from flowing into one another.

    White space counts as one space, since what is written may have another.
    """
    digest = hashlib.blake2b(f"{seed}\n".encode(), digest_size=8)
    for document in documents:
        text = " ".join((document.text.strip() or "\n".join(document.code)).split())
        data = text.encode("utf-8", "surrogatepass")
        digest.update(f"{len(data)}\n".encode() + data)
    return int.from_bytes(digest.digest(), "big")


def _limit(size: int | float, hashes: Iterable[int]) -> int:
    """The hash from which on units are for training."""
    if isinstance(size, float):
        return int(size * _HASHES)
    smallest: list[int] = []  # a heap of negatives: its first is the largest that is kept
    kept: set[int] = set()
    for hash in hashes:
        if hash in kept:
            continue
        if len(kept) < size:
            heappush(smallest, -hash)
        elif hash < -smallest[0]:
            kept.discard(-heappushpop(smallest, -hash))
        else:
            continue
        kept.add(hash)
    if len(kept) < size:
        raise CorpusError(
            f"{size:,} units were asked for evaluation, and the corpus has only {len(kept):,} "
            f"different ones; ask for fewer, or divide by a smaller unit"
        )
    return -smallest[0] + 1
