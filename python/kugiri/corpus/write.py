"""Writing documents: one a line of text, or one a record.

Rule.    The name says the form. A .jsonl keeps each document whole, line breaks and all, as
         {"text": …}, and so does a .csv, in the column "text". Any other file, and standard output,
         is text with one document a line: line breaks inside a document become spaces, and are
         counted. A .gz or .zst is packed. A name that says something else is refused.
Cost.    One document at a time.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from os.path import realpath
from pathlib import Path
from typing import IO, Any, cast

import msgspec

from kugiri.corpus.sources import PACKED, PAGES, STDIN, find_files, records_of
from kugiri.errors import KugiriError, OptionError
from kugiri.files import write_beside

STDOUT = STDIN
_FORMS = (".jsonl", ".csv")
_NOT_WRITTEN = (".json", ".tsv", ".parquet", ".bz2", ".xz", ".zip", *PAGES)
_BREAK = re.compile(r"[ \t]*(?:\r\n|\r|\n)\s*")


class DocumentWriter:
    """Takes documents and counts what it was given.

    Attributes:
        file: where they go.
        form: ".jsonl" or ".csv" for records, which keep a document whole; None for lines.
        documents, characters, bytes: what was written; line ends are not part of a document.
        empty: how many documents had no text, and are not written.
        joined: how many lost their line breaks.
    """

    def __init__(self, file: IO[bytes], form: str | None) -> None:
        """Write to a file, as records or as lines."""
        self.file = file
        self.form = form
        self.documents = self.characters = self.bytes = self.empty = self.joined = 0

    def write(self, text: str, **fields: Any) -> None:
        """Write one document; in a record with these fields beside its text."""
        text = text.strip("\r\n")
        # A line of white space would be none when it is read again.
        if not (text if self.form else text.strip()):
            self.empty += 1
            return
        if self.form == ".jsonl":
            line = msgspec.json.encode({**fields, "text": text}) + b"\n"
        elif self.form == ".csv":
            header = b"" if self.documents else _row([*fields, "text"])
            line = header + _row([*fields.values(), text])
        else:
            flat = _BREAK.sub(" ", text)
            self.joined += flat != text
            text, line = flat, flat.encode() + b"\n"
        self.file.write(line)
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


def _row(values: Iterable[Any]) -> bytes:
    """A row of a .csv."""
    row = io.StringIO(newline="")
    csv.writer(row, lineterminator="\n").writerow(values)
    return row.getvalue().encode()


def form_of(path: str | PathLike[str], *, packed: bool = True) -> str | None:
    """The form in which documents are written to a path; None is lines.

    Args:
        path: the file.
        packed: whether it may be one that is packed.

    Raises:
        OptionError: its name says what is not written.

    Example:
        >>> form_of("posts.jsonl.gz"), form_of("titles.txt")
        ('.jsonl', None)
    """
    name = fspath(path).lower()
    unpacked = name
    for suffix in PACKED:
        unpacked = unpacked.removesuffix(suffix)
    wrong = [suffix for suffix in _NOT_WRITTEN if unpacked.endswith(suffix)]
    if unpacked != name and not packed:
        wrong = [Path(name).suffix]
    if wrong:
        raise OptionError(
            f"{fspath(path)}: no {wrong[0]} is written here; name a .txt, a .jsonl or a .csv"
        )
    form = records_of(name)
    return form if form in _FORMS else None


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


def refuse_read(outputs: Iterable[str | PathLike[str]], sources: Iterable[Path]) -> None:
    """Refuse to write what is read, or would be when the same folder is read again.

    Raises:
        KugiriError: an output is one of the sources, or lies in one.
    """
    read = {
        realpath(place): source
        for source in sources
        if fspath(source) != STDIN
        for place in (fspath(source), *find_files(source))
    }
    for output in outputs:
        place = Path(realpath(output))
        for source in (place, *place.parents) if fspath(output) != STDOUT else ():
            if str(source) in read:
                raise KugiriError(
                    f"{fspath(output)}: this place is part of what is read, "
                    f"{read[str(source)]}; write it elsewhere"
                )


@contextmanager
def write_documents(path: str | PathLike[str]) -> Iterator[DocumentWriter]:
    """Give a writer; the file becomes `path` when the block ends well, "-" is standard output.

    Raises:
        KugiriError: the place cannot be written to, or the name says what is not written.
    """
    if fspath(path) == STDOUT:
        yield DocumentWriter(sys.stdout.buffer, None)
        return
    form = form_of(path)
    with write_beside(path) as file, _packing(fspath(path), file) as packed:
        yield DocumentWriter(packed, form)


@contextmanager
def _packing(path: str, file: IO[bytes]) -> Iterator[IO[bytes]]:
    """A file into which what is written is packed, if the name says so."""
    if path.lower().endswith(".gz"):
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            yield cast("IO[bytes]", packed)
    elif path.lower().endswith(".zst"):
        try:
            import zstandard
        except ImportError as error:
            raise KugiriError(
                f"{path}: writing .zst needs the package zstandard; pip install 'kugiri[zstd]'"
            ) from error
        with zstandard.ZstdCompressor().stream_writer(file, closefd=False) as stream:
            yield cast("IO[bytes]", stream)
    else:
        yield file
