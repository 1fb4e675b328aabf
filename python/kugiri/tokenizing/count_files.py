"""Files → how many tokens each has, counted while it is read.

Rule.    A file is one text, and has as many tokens as its whole text. It is read as for
         encode_files, and the core counts what lies between two cuts on all threads.
Cost.    Memory for some blocks, however large the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from typing import NamedTuple

from kugiri import _core
from kugiri.corpus.blocks import warn_of_replaced
from kugiri.corpus.sources import find_files
from kugiri.corpus.unpack import open_unpacked
from kugiri.errors import EncodingError, choose
from kugiri.tokenizing.encode_files import Reading, whole_characters


class FileCount(NamedTuple):
    """The sizes of one file.

    Attributes:
        path: its name.
        bytes: those of its text.
        characters, tokens: how many.
    """

    path: str
    bytes: int
    characters: int
    tokens: int


def count_files(paths: Iterable[str | PathLike[str]], reading: Reading) -> Iterator[FileCount]:
    """Count the files that paths name, one after another.

    Raises:
        CorpusError: a file cannot be read, or is not UTF-8 where that is an error.
        EncodingError: a character of a file has no id.
    """
    choose("errors", reading.errors, ["strict", "replace"])
    for path in paths:
        for file in find_files(path):
            yield _counted(file, reading)


def _counted(file: str, reading: Reading) -> FileCount:
    stream = _core.Stream(reading.core, reading.special, reading.threads, None)
    size = characters = tokens = replaced = 0
    with open_unpacked(file) as (opened, name):
        for block, is_last in whole_characters(opened, name):
            text, count = block.decode(reading.errors)
            size, characters = size + len(block.data), characters + len(text)
            replaced += count
            try:
                tokens += stream.count(text.encode() if count else block.data, is_last)
            except EncodingError as error:
                raise EncodingError(f"{name}: {error}") from error
    warn_of_replaced(name, replaced)
    return FileCount(name, size, characters, tokens)
