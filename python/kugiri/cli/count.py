"""`kugiri count`: how many tokens files have."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

import kugiri
from kugiri.cli import LIMIT_BROKEN
from kugiri.cli.display import decimal, print_json, print_table, ratio
from kugiri.cli.options import FILE, errors_option, examples, json_option, paths, tokenizer_options
from kugiri.corpus import STDIN, read_blocks


class _Count(NamedTuple):
    """The sizes of one file, or of all."""

    path: str
    bytes: int
    characters: int
    tokens: int

    def sizes(self) -> dict[str, Any]:
        """The sizes and their ratios by name."""
        return {
            "bytes": self.bytes,
            "characters": self.characters,
            "tokens": self.tokens,
            "bytes_per_token": ratio(self.bytes, self.tokens),
            "characters_per_token": ratio(self.characters, self.tokens),
        }


@click.command(
    "count",
    epilog=examples(
        "kugiri count -t my.kugiri.json novel.txt letters/",
        "kugiri count -t o200k_base.tiktoken --max-tokens 8000 prompt.txt",
    ),
)
@click.argument("files", type=FILE, nargs=-1)
@tokenizer_options
@click.option("--max-tokens", type=click.IntRange(min=0), help="Exit with 3 if there are more.")
@errors_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    tokenizer: str,
    pattern: str | None,
    max_tokens: int | None,
    errors: str,
    as_json: bool,
) -> None:
    """Count the tokens of FILES; without FILES or with -, of standard input.

    A file is one text, line ends included.
    """
    tok = kugiri.load(tokenizer, pattern=pattern)
    counts = []
    for block in read_blocks(paths(files or (STDIN,)), documents="files"):
        text = block.text(errors)
        try:
            tokens = tok.count(text)
        except kugiri.EncodingError as error:
            raise kugiri.EncodingError(f"{block.path}: {error}") from error
        counts.append(_Count(block.path, len(block.data), len(text), tokens))
    total = _Count("total", *(sum(column) for column in zip(*(c[1:] for c in counts), strict=True)))
    if as_json:
        files_ = [{"path": count.path, **count.sizes()} for count in counts]
        print_json({"files": files_, "total": total.sizes()})
    else:
        _print_counts([*counts, total] if len(counts) > 1 else counts)
    if max_tokens is not None and total.tokens > max_tokens:
        click.echo(f"kugiri: {total.tokens} tokens, {max_tokens} allowed", err=True)
        ctx.exit(LIMIT_BROKEN)


def _print_counts(counts: list[_Count]) -> None:
    print_table(
        ["file", "bytes", "characters", "tokens", "bytes/token", "characters/token"],
        [
            (
                count.path,
                *(f"{size:,}" for size in count[1:]),
                decimal(ratio(count.bytes, count.tokens)),
                decimal(ratio(count.characters, count.tokens)),
            )
            for count in counts
        ],
        text="file",
    )
