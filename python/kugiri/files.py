"""Writing files: beside the target and renamed, so that nobody ever sees a half-written one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
    target = as_path(path)
    try:
        if target.is_symlink():
            target = target.resolve()  # the file behind a link is written, and the link stays
        if target.is_dir():
            raise FormatError("this is a folder; name a file in it", path)
        if target.exists() and not target.is_file():
            raise FormatError("this is no regular file; name one, or a new one", path)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.")
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror or error}", path) from error
    except ValueError as error:
        if isinstance(error, KugiriError):
            raise
        raise FormatError(f"cannot be written: {error} in its name", path) from error
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        beside.chmod(_mode(target))
        beside.replace(target)
    except BaseException as error:
        beside.unlink(missing_ok=True)
        # A CorpusError is an OSError too: what could not be read then says so itself.
        if isinstance(error, OSError) and not isinstance(error, KugiriError):
            raise FormatError(f"cannot be written: {error.strerror or error}", path) from error
        raise


def _mode(target: Path) -> int:
    """The rights that the file has, or that a new one would get (mkstemp gives fewer)."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
