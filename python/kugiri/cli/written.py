"""What is said on stderr of documents that were written."""

from __future__ import annotations

import click

from kugiri.cli.display import several
from kugiri.corpus.write import STDOUT, DocumentWriter


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
    click.echo(f"kugiri: {message}", err=True)
