"""Files → ids: each file is one document, and is encoded as one text while it is read.

Rule.    A file of any size has the ids of its whole text. It is read in blocks of whole characters;
         the core cuts them where the tokenizer allows it (`src/blocks.rs`), encodes what lies
         between two cuts on all threads, and keeps the rest for the next block. Where the tokenizer
         allows no cut, the core waits for the whole text. Small files go to the threads together.
         With `out` the ids go to disk as they come: a .npy of uint32, all documents end to end, and
         beside it the offsets, so that `Batch` is what both files hold. Both are written beside and
         renamed, the ids last.
Cost.    Memory for some blocks, however large the files; without `out`, and for the ids.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kugiri import _core
from kugiri.corpus.blocks import BLOCK_BYTES, Block, warn_of_replaced
from kugiri.corpus.sources import find_files
from kugiri.corpus.unpack import Stream, open_unpacked
from kugiri.encoding import Batch, Ids
from kugiri.errors import EncodingError, OptionError, choose
from kugiri.files import write_beside
from kugiri.inputs import as_path
from kugiri.tokenizing.encode_options import Asked

_MAGIC = b"\x93NUMPY\x01\x00"
_SMALL_BYTES = 256 << 10
"""Files below go to the threads together; those above are cut for them."""
_HEADER_BYTES = 128
"""Room for any length, so that the header can be written again once the length is known."""


class Reading(NamedTuple):
    """How files are read and encoded.

    Attributes:
        core: the tokenizer.
        special: what the call asks for.
        threads: None for all.
        errors: "strict" or "replace", for bytes that are not UTF-8.
    """

    core: _core.Core
    special: Asked
    threads: int | None
    errors: str


def encode_files(paths: list[Path], reading: Reading, out: str | PathLike[str] | None) -> Batch:
    """Return the ids of files; with `out` they lie in that file, and only their places in memory.

    Raises:
        CorpusError: a file cannot be read, or is not UTF-8 where that is an error.
        EncodingError: a character of a file has no id.
        FormatError: `out` cannot be written.
        OptionError: `out` is no name of a .npy, or one of the files.
    """
    choose("errors", reading.errors, ["strict", "replace"])
    files = [file for path in paths for file in find_files(path)]
    if out is None:
        return _joined(_parts(files, reading))
    path = as_path(out, "out")
    for target in (path, _offsets_path(path)):
        if target.exists() and any(target.samefile(file) for file in files if Path(file).exists()):
            raise OptionError(
                f"{str(target)!r} is one of the files to read; write to another place"
            )
    return _written(_parts(files, reading), path)


# ── where ids go ──────────────────────────────────────────────────────────────────────────────
def _joined(parts: Iterator[Batch | Ids]) -> Batch:
    """Documents in memory."""
    offsets = _Offsets()
    ids = [offsets.add(part) for part in parts]
    joined = ids[0] if len(ids) == 1 else np.concatenate([np.zeros(0, np.uint32), *ids])
    return Batch(joined, offsets.array())


def _written(parts: Iterator[Batch | Ids], path: Path) -> Batch:
    """Documents on disk."""
    if path.suffix.lower() != ".npy":
        raise OptionError(f"out is {str(path)!r}; ids are written as NumPy reads them: name a .npy")
    offsets = _Offsets()
    with write_beside(path) as file:
        file.write(_header("<u4", 0))
        for part in parts:
            file.write(offsets.add(part).astype("<u4", copy=False).data)
        file.seek(0)
        file.write(_header("<u4", offsets.total))
        _write_offsets(offsets.array(), path)
    if not offsets.total:  # nothing can be mapped
        return Batch(np.zeros(0, np.uint32), offsets.array())
    return Batch(np.load(path, mmap_mode="r"), offsets.array())


def _write_offsets(offsets: npt.NDArray[np.int64], path: Path) -> None:
    with write_beside(_offsets_path(path)) as file:
        file.write(_header("<i8", len(offsets)))
        file.write(offsets.astype("<i8", copy=False).data)


def _offsets_path(path: Path) -> Path:
    return path.with_suffix(".offsets.npy")


def _header(dtype: str, length: int) -> bytes:
    """The header of a .npy of one dimension, always of one size."""
    room = _HEADER_BYTES - len(_MAGIC) - 2
    fields = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({length},), }}"
    return _MAGIC + room.to_bytes(2, "little") + f"{fields:<{room - 1}}\n".encode()


class _Offsets:
    """Where documents end. A batch holds whole documents; ids alone go on with one that is open."""

    def __init__(self) -> None:
        self.total = 0
        self._ends = [np.zeros(1, np.int64)]

    def add(self, part: Batch | Ids) -> Ids:
        """The ids of a part, once it is counted."""
        if isinstance(part, Batch):
            self._ends.append(part.offsets[1:] + self.total)
            part = part.ids
        self.total += len(part)
        return part

    def array(self) -> npt.NDArray[np.int64]:
        """All of them."""
        return np.concatenate(self._ends)


# ── where ids come from ───────────────────────────────────────────────────────────────────────
def _parts(files: list[str], reading: Reading) -> Iterator[Batch | Ids]:
    """The ids of files in order; those of a large one in parts, of which a batch is the last."""
    small: list[tuple[str, str]] = []
    waiting = 0
    for file in files:
        with open_unpacked(file) as (stream, name):
            blocks = whole_characters(stream, name)
            first, is_last = next(blocks)
            is_small = is_last and len(first.data) < _SMALL_BYTES
            if is_small:
                small.append((name, first.text(reading.errors)))
                waiting += len(first.data)
            if small and (waiting >= BLOCK_BYTES or not is_small):
                yield _of_small(small, reading)
                small, waiting = [], 0
            if not is_small:
                yield from _of_large((first, is_last), blocks, reading)
    if small:
        yield _of_small(small, reading)


def _of_small(texts: list[tuple[str, str]], reading: Reading) -> Batch:
    """The ids of whole files."""
    core, special, threads, _ = reading
    try:
        return Batch(*core.encode_batch([text for _, text in texts], special, threads))
    except EncodingError:
        for name, text in texts:
            try:
                core.encode(text, special)
            except EncodingError as error:
                raise EncodingError(f"{name}: {error}") from error
        raise


def _of_large(
    first: tuple[Block, bool], others: Iterator[tuple[Block, bool]], reading: Reading
) -> Iterator[Batch | Ids]:
    """The ids of one file as it is read."""
    stream = _core.Stream(reading.core, reading.special, reading.threads, None)
    replaced = 0
    block, is_last = first
    while True:
        data = block.data
        if reading.errors == "replace":
            text, count = block.decode("replace")
            data, replaced = text.encode(), replaced + count
        try:
            ids = stream.feed(data, is_last)
        except UnicodeDecodeError as error:
            raise block.bad_byte(error.start) from error
        except EncodingError as error:
            raise EncodingError(f"{block.path}: {error}") from error
        if is_last:
            break
        yield ids
        block, is_last = next(others)
    warn_of_replaced(block.path, replaced)
    yield Batch(ids, np.array([0, len(ids)]))


def whole_characters(stream: Stream, path: str) -> Iterator[tuple[Block, bool]]:
    """Cut a stream between characters, and say of each block whether it is the last."""
    line, byte, rest = 1, 0, b""
    chunk = stream.read(BLOCK_BYTES).removeprefix(BOM_UTF8)
    while True:
        following = stream.read(BLOCK_BYTES)
        data = rest + chunk
        cut = _end_of_characters(data) if following else len(data)
        yield Block(data[:cut], path, line, byte), not following
        if not following:
            return
        newline = data.rfind(b"\n", 0, cut)
        line += data.count(b"\n", 0, cut)
        byte = cut - newline - 1 if newline >= 0 else byte + cut
        rest, chunk = data[cut:], following


def _end_of_characters(data: bytes) -> int:
    """Where a character that is not all there begins; the end, if none does."""
    for back in range(1, min(4, len(data) + 1)):
        lead = data[-back]
        if lead >= 0xC0:
            is_whole = back >= (2 if lead < 0xE0 else 3 if lead < 0xF0 else 4)
            return len(data) if is_whole else len(data) - back
        if lead < 0x80:
            break
    return len(data)
