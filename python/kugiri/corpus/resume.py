"""Files that are fetched in steps, none of which is ever done twice.

Rule.    Until the last step is done, what has come lies in FILE.part, and FILE.state says what was
         asked for, which step is next, and how long each part was then. The same request started
         again cuts the parts to that length and goes on. Another one for the same file is refused,
         and so is one while another is at work, or where FILE.part is not of a fetch. At the end
         the parts take the names of the files, and the state goes.
Cost.    A small file is written a step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from os import SEEK_END, PathLike
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec

from kugiri.corpus.write import DocumentWriter, form_of
from kugiri.errors import CorpusError, KugiriError
from kugiri.files import file_behind, write_beside

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

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
    known: dict[str, Any]
    parts: dict[str, _Part]


class Parts:
    """The files of one request, to be used in a `with` block.

    Attributes:
        next: the step to go on with, from 1.
        of: how many steps there are, 0 where that is not known yet.
        writers: what takes the documents of each file.
        left_out: how many things had no file to go to.
        known: what else is to be known when it goes on.
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
        forms = {name: form_of(file, packed=False) for name, file in self._files.items()}
        with ExitStack() as opened:
            there = {
                name: opened.enter_context(_opened(file)) for name, file in self._files.items()
            }
            state = self._read({name: file.seek(0, SEEK_END) for name, file in there.items()})
            self._open = opened.pop_all()
        self.next, self.of = (state.next, state.of) if state else (1, 0)
        self.left_out = state.left_out if state else 0
        self.known: dict[str, Any] = state.known if state else {}
        self.writers = {
            name: _writer(file, forms[name], state.parts[name] if state else None)
            for name, file in there.items()
        }

    def _read(self, lengths: Mapping[str, int]) -> _State | None:
        """The state that was kept, if the parts still have what it says."""
        parts = [_part(file) for file in self._files.values()]
        if not self._state.exists():
            for part, length in zip(parts, lengths.values(), strict=True):
                if length:
                    raise KugiriError(
                        f"{part}: this file is there already, and no {self._state} that says it "
                        f"is of a fetch; move it away, or name another file"
                    )
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
        # A part that has lost something: begin anew.
        whole = all(lengths[name] >= part.length for name, part in state.parts.items())
        return state if whole else None

    def step_done(self, step: int, of: int) -> None:
        """Note that a step is whole and in the files."""
        parts = {}
        for name, writer in self.writers.items():
            writer.file.flush()
            counts = {count: getattr(writer, count) for count in _COUNTS}
            parts[name] = _Part(writer.file.tell(), counts)
        self.next, self.of = step + 1, of
        state = _State(self._request, self.next, of, self.left_out, self.known, parts)
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


@contextmanager
def _opened(file: Path) -> Iterator[IO[bytes]]:
    """The part of a file, for this process alone; one that was made for nothing goes."""
    part = _part(file)
    try:
        is_new = not part.exists()
        part.touch()
        opened = part.open("r+b")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", error)
        raise KugiriError(f"{part}: cannot be written: {why}") from error
    with opened:
        try:
            _lock(opened, file)
            yield opened
        except BaseException:
            if is_new:
                part.unlink(missing_ok=True)
            raise


def _lock(opened: IO[bytes], file: Path) -> None:
    """Keep other processes away until the file is closed, where the system can do that."""
    if fcntl is not None:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise KugiriError(
                f"{file}: another fetch is writing this file now; wait for it, or name another file"
            ) from error
        except OSError:
            pass  # some network folders have no locks


def _writer(part: IO[bytes], form: str | None, so_far: _Part | None) -> DocumentWriter:
    """A writer that goes on after what is there."""
    writer = DocumentWriter(part, form)
    part.seek(so_far.length if so_far else 0)
    part.truncate()
    for name, count in (so_far.counts if so_far else {}).items():
        setattr(writer, name, count)
    return writer
