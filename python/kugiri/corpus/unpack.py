"""Opening a file of a corpus: plain, gzip, Zstandard or standard input, always as a stream."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeAlias

from kugiri.corpus.sources import STDIN
from kugiri.errors import CorpusError

Stream: TypeAlias = "IO[bytes] | io.BufferedReader | gzip.GzipFile"

_PACKED_BYTES = 1 << 14
"""Read at a time from a .zst; a few kilobytes can unpack to many megabytes."""


@contextmanager
def open_unpacked(path: str) -> Iterator[tuple[Stream, str]]:
    """Give a file's bytes and its name; whatever goes wrong while they are read names the file.

    Raises:
        CorpusError: the file cannot be read, or is damaged.
    """
    try:
        if path == STDIN:
            if sys.stdin is None:
                raise CorpusError("standard input is closed; give it text, or name a file")
            yield sys.stdin.buffer, "<stdin>"
        elif path.lower().endswith(".gz"):
            with gzip.open(path) as packed:
                yield packed, path
        elif path.lower().endswith(".zst"):
            with Path(path).open("rb") as plain:
                yield io.BufferedReader(_Zstandard(plain, path)), path
        else:
            with Path(path).open("rb") as plain:
                yield plain, path
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(
            f"{path}: not a whole gzip file: {error}; fetch or pack it again", path
        ) from error
    except CorpusError:
        raise
    except OSError as error:
        raise CorpusError(f"{path}: this file cannot be read: {error.strerror}", path) from error


class _Zstandard(io.RawIOBase):
    """The bytes of a .zst file of one frame or several, as pzstd and appending write them.

    The reader of the package takes a file that was cut off for its end; this one does not.
    """

    def __init__(self, packed: IO[bytes], path: str) -> None:
        try:
            import zstandard
        except ImportError as error:
            raise CorpusError(
                f"{path}: reading .zst needs the package zstandard; pip install 'kugiri[zstd]'",
                path,
            ) from error
        self._packed, self._path = packed, path
        self._error, self._frame = zstandard.ZstdError, zstandard.ZstdDecompressor().decompressobj
        self._open = self._frame()
        self._started = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with what comes next; 0 at the end."""
        while not self._ready:
            if not self._unpack_more():
                return 0
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def _unpack_more(self) -> bool:
        data = self._open.unused_data if self._open.eof else b""
        data = data or self._packed.read(_PACKED_BYTES)
        if self._open.eof and data:
            self._open, self._started = self._frame(), False
        if not data:
            if self._started and not self._open.eof:
                raise self._damaged("it ends inside a frame")
            return False
        self._started = True
        try:
            self._ready = memoryview(self._open.decompress(data))
        except self._error as error:
            raise self._damaged(error) from error
        return True

    def _damaged(self, why: object) -> CorpusError:
        return CorpusError(
            f"{self._path}: not a whole Zstandard file: {why}; fetch or pack it again", self._path
        )
