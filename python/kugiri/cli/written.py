"""What is said on stderr of documents that were written."""

from __future__ import annotations

import click

from kugiri.corpus.write import STDOUT, DocumentWriter


def report_written(path: str, writer: DocumentWriter) -> None:
    """Say how much a file has, and what did not come into it."""
    name = "standard output" if path == STDOUT else path
    _say(
        f"{name}: {writer.documents:,} documents, {writer.characters:,} characters, "
        f"{writer.bytes:,} bytes"
    )
    if writer.empty:
        _say(f"{writer.empty:,} documents had no text")
    if writer.joined:
        _say(
            f"in {writer.joined:,} of these documents line breaks became spaces; "
            f"name the file .jsonl to keep them"
        )


def report_left_out(code: int) -> None:
    """Say how many blocks of code were not kept."""
    if code:
        _say(f"{code:,} blocks of code were left out; keep them with --code-out FILE")


def _say(message: str) -> None:
    click.echo(f"kugiri: {message}", err=True)
