"""Files of text as a stream of blocks.

Rule.    A block is whole documents: lines, or with `documents="files"` the file. It keeps its bytes
         as they are in the file; whoever reads them removes line ends and skips blank lines. A
         byte order mark at the start of a file says how the file is stored: it is dropped, as
         Python's utf-8-sig does, and anywhere else it is text.
Cost.    Memory for one block, however large the file; with `documents="files"`, for one file. A
         line is never cut, so one longer than a block makes a block of its own.
"""

from __future__ import annotations

import warnings
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import NamedTuple

from kugiri.corpus.sources import Corpus, split_kinds
from kugiri.corpus.unpack import Stream, open_unpacked
from kugiri.errors import CorpusError, KugiriWarning, choose

BLOCK_BYTES = 8 << 20
"""Enough that threads share a block with profit, little enough that memory stays flat."""


class Block(NamedTuple):
    """Whole documents of one file, as bytes.

    Attributes:
        data: UTF-8 as far as anybody knows; lines with their ends.
        path: the file, or "<stdin>".
        first_line: the number of the block's first line in the file, from 1.
        line_bytes: how many bytes of that line stand before the block.
    """

    data: bytes
    path: str
    first_line: int
    line_bytes: int = 0

    def decode(self, errors: str = "strict") -> tuple[str, int]:
        """Return the text and how many invalid sequences in it became U+FFFD.

        Raises:
            CorpusError: a byte is not UTF-8 and `errors` is "strict".
        """
        choose("errors", errors, ["strict", "replace"])
        try:
            return self.data.decode(), 0
        except UnicodeDecodeError as error:
            if errors == "strict":
                raise self.bad_byte(error.start) from None
        text = self.data.decode(errors="replace")
        return text, text.count("\ufffd") - self.data.count("\ufffd".encode())

    def text(self, errors: str = "strict") -> str:
        """Return the text, with a KugiriWarning if something in it was replaced.

        Raises:
            CorpusError: a byte is not UTF-8 and `errors` is "strict".
        """
        text, replaced = self.decode(errors)
        warn_of_replaced(self.path, replaced)
        return text

    def lines(self, errors: str = "strict") -> list[str]:
        """Return the lines of `text` without their ends; a blank one is an empty str.

        Raises:
            CorpusError: a byte is not UTF-8 and `errors` is "strict".
        """
        return lines_of(self.text(errors))

    def bad_byte(self, offset: int) -> CorpusError:
        r"""The error for a byte at `offset` of this block that is not UTF-8.

        Example:
            >>> print(Block(b"ok\nab\xff", "a.txt", 7).bad_byte(5))
            a.txt: line 8, byte 3 of the line: 0xff is not UTF-8; convert the file to UTF-8, or
            replace such bytes by U+FFFD with errors="replace" (--errors replace)
        """
        line = self.first_line + self.data.count(b"\n", 0, offset)
        newline = self.data.rfind(b"\n", 0, offset)
        byte = offset - newline + (self.line_bytes if newline < 0 else 0)
        return CorpusError(
            f"{self.path}: line {line}, byte {byte} of the line: 0x{self.data[offset]:02x} is not "
            f"UTF-8; convert the file to UTF-8, or replace such bytes by U+FFFD with "
            f'errors="replace" (--errors replace)',
            path=self.path,
            line=line,
            byte=byte,
        )


def lines_of(text: str) -> list[str]:
    """The lines of a text without their ends; a blank one is an empty str."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def warn_of_replaced(path: str | None, replaced: int) -> None:
    """Say how much of a file was not UTF-8 and was replaced, if anything was."""
    if replaced:
        message = f"{path}: {replaced:,} invalid UTF-8 sequences were read as U+FFFD"
        warnings.warn(message, KugiriWarning, stacklevel=3)


def read_blocks(corpus: Corpus, documents: str = "lines") -> Iterator[Block]:
    """Yield the files of a corpus as text: blocks of whole lines, or a block for each whole file.

    Raises:
        CorpusError: a file cannot be read, or the corpus is texts and no files.
        OptionError: `documents` is neither "lines" nor "files".
    """
    choose("documents", documents, ["lines", "files"])
    files, texts = split_kinds(corpus)
    if not files and next(texts, None) is not None:
        raise CorpusError("files are needed here, texts came; pass paths")
    for path in files:
        with open_unpacked(path) as (stream, name):
            yield from blocks(stream, name, documents)


def blocks(stream: Stream, name: str, documents: str) -> Iterator[Block]:
    """Cut an open file of text: into blocks of whole lines, or not at all."""
    if documents == "files":
        yield Block(stream.read().removeprefix(BOM_UTF8), name, 1)
    else:
        yield from whole_lines(stream, name)


def whole_lines(stream: Stream, path: str) -> Iterator[Block]:
    """Cut a stream after the last line end of each chunk; the rest goes with the next."""
    first_line = 1
    rest: list[bytes] = []
    for number, chunk in enumerate(iter(lambda: stream.read(BLOCK_BYTES), b"")):
        if number == 0:
            chunk = chunk.removeprefix(BOM_UTF8)
        cut = chunk.rfind(b"\n") + 1
        rest.append(chunk[:cut] if cut else chunk)
        if cut:
            data = b"".join(rest)
            yield Block(data, path, first_line)
            first_line += data.count(b"\n")
            rest = [chunk[cut:]]
    if last := b"".join(rest):
        yield Block(last, path, first_line)
