"""Files that are fetched in steps, none of which is ever done twice.

Rule.    Until the last step is done, what has come lies in FILE.part, and FILE.state says what was
         asked for, which step is next, and how long each part was then. The same request started
         again cuts the parts to that length and goes on; another one for the same file is refused.
         At the end the parts take the names of the files, and the state goes.
Cost.    A small file is written a step.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from types import TracebackType

import msgspec

from kugiri.corpus.write import DocumentWriter, holds_records
from kugiri.errors import CorpusError, KugiriError
from kugiri.files import file_behind, write_beside

_COUNTS = ("documents", "characters", "bytes", "empty", "joined")


class _Part(msgspec.Struct):
    """A file so far: its length, and what its writer has counted."""

    length: int
    counts: dict[str, int]


class _State(msgspec.Struct):
    """How far a request has come."""

    request: dict[str, str | bool]
    next: int
    of: int
    left_out: int
    parts: dict[str, _Part]


class Parts:
    """The files of one request, to be used in a `with` block.

    Attributes:
        next: the step to go on with, from 1.
        of: how many steps there are, 0 where that is not known yet.
        writers: what takes the documents of each file.
        left_out: how many things had no file to go to.
    """

    def __init__(self, files: Mapping[str, Path], request: dict[str, str | bool]) -> None:
        """Begin, or go on where the same request ended; the first file gives the state its name.

        Raises:
            CorpusError: the parts that are there belong to another request.
            KugiriError: a file cannot be written.
        """
        self._files = {name: file_behind(file) for name, file in files.items()}
        self._request = request
        self._state = _state(next(iter(files.values())))
        state = self._read()
        self.next, self.of = (state.next, state.of) if state else (1, 0)
        self.left_out = state.left_out if state else 0
        self._open = ExitStack()
        self.writers = {
            name: self._writer(file, state.parts[name] if state else None)
            for name, file in self._files.items()
        }

    def _read(self) -> _State | None:
        parts = [_part(file) for file in self._files.values()]
        if not self._state.exists():
            return None
        try:
            state = msgspec.json.decode(self._state.read_bytes(), type=_State)
        except (msgspec.DecodeError, RecursionError):
            state = None
        if state is None or state.request != self._request:
            raise CorpusError(
                f"{self._state}: another fetch was begun here; go on with that one, delete "
                f"{' and '.join(map(str, [self._state, *parts]))}, or name another file",
                str(self._state),
            )
        lengths = {name: part.length for name, part in state.parts.items()}
        there = {name: _length(_part(file)) for name, file in self._files.items()}
        # A part that has lost something: begin anew.
        return state if all(there[name] >= lengths[name] for name in there) else None

    def _writer(self, file: Path, so_far: _Part | None) -> DocumentWriter:
        try:
            part = self._open.enter_context(_part(file).open("r+b" if so_far else "wb"))
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", error)
            raise KugiriError(f"{_part(file)}: cannot be written: {why}") from error
        writer = DocumentWriter(part, holds_records(file))
        if so_far:
            part.truncate(so_far.length)
            part.seek(so_far.length)
            for name, count in so_far.counts.items():
                setattr(writer, name, count)
        return writer

    def step_done(self, step: int, of: int) -> None:
        """Note that a step is whole and in the files."""
        parts = {}
        for name, writer in self.writers.items():
            writer.file.flush()
            counts = {count: getattr(writer, count) for count in _COUNTS}
            parts[name] = _Part(writer.file.tell(), counts)
        self.next, self.of = step + 1, of
        state = _State(self._request, self.next, of, self.left_out, parts)
        with write_beside(self._state) as file:
            file.write(msgspec.json.encode(state))

    def finish(self) -> None:
        """Give the files their names."""
        self._open.close()
        for file in self._files.values():
            _part(file).replace(file)
        self._state.unlink(missing_ok=True)

    def __enter__(self) -> Parts:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close what is open; parts that hold nothing yet go."""
        self._open.close()
        if not self._state.exists():
            for file in self._files.values():
                _part(file).unlink(missing_ok=True)


def is_begun(file: str | PathLike[str]) -> bool:
    """Whether something has come for a file, and can be gone on with."""
    return _state(file).exists()


def _state(file: str | PathLike[str]) -> Path:
    return Path(f"{file_behind(file)}.state")


def _part(file: Path) -> Path:
    return Path(f"{file}.part")


def _length(part: Path) -> int:
    return part.stat().st_size if part.exists() else -1
