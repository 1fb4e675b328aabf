"""A corpus as documents: in batches for those who count, one by one for those who prepare text.

Rule.    What a document is, `Reading` says.
Cost.    Memory for one block or batch, however large the corpus.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kugiri.corpus.blocks import BLOCK_BYTES, Block, blocks, lines_of, warn_of_replaced
from kugiri.corpus.reading import Reading
from kugiri.corpus.records import Record, read_records
from kugiri.corpus.sources import Corpus, records_of, split_kinds
from kugiri.corpus.unpack import open_unpacked
from kugiri.errors import OptionError

_TEXT_OVERHEAD = 56
"""What a Python str costs beside its characters; keeps batches of short texts within bounds."""

_AS_USUAL = Reading()

_FORMS = {"field": (".jsonl",), "column": (".csv", ".tsv", ".parquet")}
"""Which files of records a name is for."""


class Texts(NamedTuple):
    """Several documents.

    Attributes:
        texts: each is one document.
        path: the file that they are from, if they are.
        replaced: how many invalid UTF-8 sequences in them became U+FFFD.
    """

    texts: list[str]
    path: str | None = None
    replaced: int = 0


class Document(NamedTuple):
    """One document.

    Attributes:
        text: all of it, without the end of its line where it is one.
        path: the file that it is from, if it is.
        code: the blocks of code that were taken out of it.
    """

    text: str
    path: str | None = None
    code: tuple[str, ...] = ()


def read(
    corpus: Corpus, reading: Reading = _AS_USUAL, *, refuse_unused: bool = True
) -> Iterator[Block | Texts]:
    """Yield files of text as blocks, files of records and Python texts as batches.

    Args:
        corpus: paths or texts.
        reading: how files become documents.
        refuse_unused: whether a field or column is an error where no file has any.

    Raises:
        CorpusError: something in it cannot be read.
        OptionError: a field or column is named, and no file has any.
    """
    files, texts = split_kinds(corpus)
    if refuse_unused:
        _check_used(files, reading)
    for path in files:
        with open_unpacked(path) as (stream, name):
            if form := records_of(path):
                yield from _batches(read_records(stream, name, form, reading), name)
            else:
                yield from blocks(stream, name, reading.documents)
    yield from _batches(map(Record, texts), None)


def read_documents(corpus: Corpus, reading: Reading = _AS_USUAL) -> Iterator[Document]:
    """Yield the documents of a corpus one by one; blank lines and empty texts are none.

    What was no UTF-8 and is replaced is a warning, one for each file, behind its last document.

    Raises:
        CorpusError: something in it cannot be read.
        OptionError: a field or column is named, and no file has any.

    Example:
        >>> [document.text for document in read_documents(["猫は魚", "", "犬は肉"])]
        ['猫は魚', '犬は肉']
    """
    path, replaced = None, 0
    for part in read(corpus, reading):
        if part.path != path:
            warn_of_replaced(path, replaced)
            path, replaced = part.path, 0
        if isinstance(part, Texts):
            replaced += part.replaced
            yield from (Document(text, path) for text in part.texts if text)
            continue
        text, number = part.decode(reading.errors)
        replaced += number
        if reading.documents == "files":
            yield Document(text, path)
        else:
            yield from (Document(line, path) for line in lines_of(text) if line.strip())
    warn_of_replaced(path, replaced)


def _batches(records: Iterable[Record], path: str | None) -> Iterator[Texts]:
    """Records in batches of about 8 MB."""
    texts: list[str] = []
    size = replaced = 0
    for record in records:
        texts.append(record.text)
        size += len(record.text) + _TEXT_OVERHEAD
        replaced += record.replaced
        if size >= BLOCK_BYTES:
            yield Texts(texts, path, replaced)
            texts, size, replaced = [], 0, 0
    if texts:
        yield Texts(texts, path, replaced)


def unused_names(files: Iterable[str], reading: Reading) -> set[str]:
    """Return which of "field" and "column" are given and mean nothing to any of the files."""
    forms = {records_of(path) for path in files}
    return {
        name
        for name, its in _FORMS.items()
        if getattr(reading, name) is not None and not forms.intersection(its)
    }


def _check_used(files: list[str], reading: Reading) -> None:
    """Refuse a name that nothing would be read by."""
    for name in sorted(unused_names(files, reading)):
        *others, last = _FORMS[name]
        forms = f"{', '.join(others)} and {last}" if others else last
        raise OptionError(
            f"{name}={getattr(reading, name)!r} is for {forms} files, and this corpus has none; "
            f"leave it out"
        )
