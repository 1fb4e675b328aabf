"""Before and after writing: whether a place can be written to, what is said of what was."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from kugiri.cli.display import say, several
from kugiri.corpus.write import STDOUT, DocumentWriter
from kugiri.errors import KugiriError
from kugiri.files import file_behind


def check_file(path: str) -> None:
    """Refuse a file that could not be written before time is spent on what it is to hold."""
    file = file_behind(path)
    if not file.parent.is_dir():
        raise KugiriError(f"{path}: there is no folder {Path(path).parent}; make it first")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise KugiriError(f"{path}: no permission to write here; name another place")


def check_apart(path: str, inputs: Iterable[str]) -> None:
    """Refuse to write over what is read."""
    there = Path(path)
    for read in map(Path, inputs):
        if there.exists() and read.exists() and there.samefile(read):
            raise KugiriError(f"{path}: this is read too; name another place to write to")


def check_writable(folder: Path) -> None:
    """Refuse a folder that could not be written to before time is spent on training."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        raise KugiriError(f"{there}: this is a file; name a folder")
    if not os.access(there, os.W_OK):
        raise KugiriError(f"{there}: no permission to write here; name another place")


def report_written(path: str, writer: DocumentWriter) -> None:
    """Say how much a file has, and what did not come into it."""
    name = "standard output" if path == STDOUT else path
    _say(
        f"{name}: {several(writer.documents, 'document')}, "
        f"{several(writer.characters, 'character')}, {several(writer.bytes, 'byte')}"
    )
    if writer.empty:
        _say(f"{several(writer.empty, 'document')} had no text")
    if writer.joined:
        _say(
            f"in {several(writer.joined, 'document')} line breaks became spaces; "
            f"name the file .jsonl to keep them"
        )


def report_left_out(code: int) -> None:
    """Say how many blocks of code were not kept."""
    if code:
        _say(f"left out {several(code, 'block')} of code; keep them with --code-out FILE")


def _say(message: str) -> None:
    say(f"kugiri: {message}")
