"""Writing files: beside the target and renamed, so that nobody ever sees a half-written one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import IO

from kugiri.errors import FormatError, KugiriError
from kugiri.inputs import as_path


@contextmanager
def write_beside(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """Give a binary file that becomes `path` when the block ends well, and vanishes otherwise.

    Raises:
        FormatError: the place cannot be written to.
    """
    target = file_behind(path)
    beside = target.with_name(f".{target.name[:40]}.{secrets.token_hex(8)}")
    try:
        # The name is known before there is a file: Ctrl-C may come in between.
        with _opened(beside, path) as file:
            yield file
        beside.chmod(_mode(target))
        beside.replace(target)
    except BaseException as error:
        with suppress(OSError, ValueError):
            beside.unlink(missing_ok=True)
        # A CorpusError is an OSError too: what could not be read then says so itself.
        if isinstance(error, OSError) and not isinstance(error, KugiriError):
            raise FormatError(f"cannot be written: {error.strerror or error}", path) from error
        raise


def _opened(beside: Path, path: str | PathLike[str]) -> IO[bytes]:
    """A new file that nobody else may read yet."""
    try:
        return open(beside, "xb", opener=lambda name, flags: os.open(name, flags, 0o600))
    except FileNotFoundError as error:
        raise FormatError(
            f"cannot be written: there is no folder {beside.parent}; make it first", path
        ) from error
    except ValueError as error:
        raise FormatError(f"cannot be written: {error} in its name", path) from error


def file_behind(path: str | PathLike[str]) -> Path:
    """The file that is written for a path: what is behind a link is, and the link stays.

    Raises:
        FormatError: there is something else than a regular file.
    """
    target = as_path(path)
    try:
        if target.is_symlink():
            target = target.resolve()
        if target.is_dir():
            raise FormatError("this is a folder; name a file in it", path)
        if target.exists() and not target.is_file():
            raise FormatError("this is no regular file; name one, or a new one", path)
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror or error}", path) from error
    except RuntimeError as error:  # links in a circle, before Python 3.13
        raise FormatError("cannot be written: its links lead in a circle", path) from error
    return target


def _mode(target: Path) -> int:
    """The rights that the file has, or that a new one would get (`_opened` gives fewer)."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
