"""Writing documents: one a line of text, or one a record.

Rule.    The name says the form. A .jsonl keeps each document whole, line breaks and all, as
         {"text": …}. Any other file, and standard output, is text with one document a line: line
         breaks inside a document become spaces, and are counted.
Cost.    One document at a time.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from os.path import realpath
from typing import IO, Any

import msgspec

from kugiri.corpus.sources import STDIN
from kugiri.errors import KugiriError
from kugiri.files import write_beside

STDOUT = STDIN
_BREAK = re.compile(r"[ \t]*(?:\r\n|\r|\n)\s*")


class DocumentWriter:
    """Takes documents and counts what it was given.

    Attributes:
        file: where they go.
        records: whether each is written as a record, and so kept whole.
        documents, characters, bytes: what was written; line ends are not part of a document.
        empty: how many documents had no text, and are not written.
        joined: how many lost their line breaks.
    """

    def __init__(self, file: IO[bytes], records: bool) -> None:
        """Write to a file, as records or as lines."""
        self.file = file
        self.records = records
        self.documents = self.characters = self.bytes = self.empty = self.joined = 0

    def write(self, text: str, **fields: Any) -> None:
        """Write one document; in a .jsonl with these fields beside its text."""
        text = text.strip("\r\n")
        # A line of white space would be none when it is read again.
        if not (text if self.records else text.strip()):
            self.empty += 1
            return
        if self.records:
            line = msgspec.json.encode({**fields, "text": text})
        else:
            flat = _BREAK.sub(" ", text)
            self.joined += flat != text
            text, line = flat, flat.encode()
        self.file.write(line + b"\n")
        self.documents += 1
        self.characters += len(text)
        self.bytes += len(text.encode())

    def sizes(self) -> dict[str, int]:
        """The counts by name."""
        return {
            "documents": self.documents,
            "characters": self.characters,
            "bytes": self.bytes,
        }


def holds_records(path: str | PathLike[str]) -> bool:
    """Whether documents are written to this path as records."""
    return fspath(path).lower().endswith(".jsonl")


def refuse_same(paths: Iterable[str | PathLike[str]]) -> None:
    """Refuse a file that is named twice: what is written last would be all that is left.

    Raises:
        KugiriError: two of the paths are one file.
    """
    places = set()
    for path in paths:
        place = STDOUT if fspath(path) == STDOUT else realpath(path)
        if place in places:
            raise KugiriError(
                f"{fspath(path)}: this place is named twice; each output needs its own"
            )
        places.add(place)


@contextmanager
def write_documents(path: str | PathLike[str]) -> Iterator[DocumentWriter]:
    """Give a writer; the file becomes `path` when the block ends well, "-" is standard output.

    Raises:
        KugiriError: the place cannot be written to.
    """
    if fspath(path) == STDOUT:
        yield DocumentWriter(sys.stdout.buffer, records=False)
    else:
        with write_beside(path) as file:
            yield DocumentWriter(file, holds_records(path))
