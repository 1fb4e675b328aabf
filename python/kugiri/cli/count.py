"""`kugiri count`: how many tokens files have."""

from __future__ import annotations

from typing import Any

import click

import kugiri
from kugiri.cli import LIMIT_BROKEN
from kugiri.cli.chat import as_json as chat_as_json
from kugiri.cli.chat import encode_chat_file, print_chat
from kugiri.cli.display import decimal, print_json, print_table, ratio
from kugiri.cli.options import FILE, errors_option, examples, json_option, paths, tokenizer_options
from kugiri.corpus import STDIN
from kugiri.count_files import FileCount, count_files
from kugiri.encode_files import Reading


def _sizes(count: FileCount) -> dict[str, Any]:
    """The sizes and their ratios by name."""
    return {
        "bytes": count.bytes,
        "characters": count.characters,
        "tokens": count.tokens,
        "bytes_per_token": ratio(count.bytes, count.tokens),
        "characters_per_token": ratio(count.characters, count.tokens),
    }


@click.command(
    "count",
    epilog=examples(
        "kugiri count -t my.kugiri.json novel.txt letters/",
        "kugiri count -t o200k_base.tiktoken --max-tokens 8000 prompt.txt",
        "kugiri count -t Qwen3/ --chat chat.json --generation-prompt",
    ),
)
@click.argument("files", type=FILE, nargs=-1)
@tokenizer_options
@click.option("--chat", type=FILE, metavar="FILE", help="A chat as JSON: messages, or with tools.")
@click.option("--generation-prompt", is_flag=True, help="Of a chat: with the head of the answer.")
@click.option("--max-tokens", type=click.IntRange(min=0), help="Exit with 3 if there are more.")
@errors_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    tokenizer: str,
    pattern: str | None,
    chat: str | None,
    generation_prompt: bool,
    max_tokens: int | None,
    errors: str,
    as_json: bool,
) -> None:
    """Count the tokens of FILES; without FILES or with -, of standard input.

    A file is one text, line ends included. With --chat, count what a chat costs, message by
    message, as the tokenizer's chat template writes it.
    """
    if chat is not None and files:
        raise click.UsageError("--chat counts one chat; leave out FILES")
    if generation_prompt and chat is None:
        raise click.UsageError("--generation-prompt is for --chat")
    tok = kugiri.load(tokenizer, pattern=pattern)
    if chat is not None:
        encoding = encode_chat_file(tok, chat, generation_prompt)
        if as_json:
            print_json(chat_as_json(chat, encoding))
        else:
            print_chat(encoding)
        _limit(ctx, len(encoding), max_tokens)
        return
    reading = Reading(tok._core, None, None, errors)
    counts = list(count_files(paths(files or (STDIN,)), reading))
    total = FileCount(
        "total", *(sum(column) for column in zip(*(c[1:] for c in counts), strict=True))
    )
    if as_json:
        files_ = [{"path": count.path, **_sizes(count)} for count in counts]
        print_json({"files": files_, "total": _sizes(total)})
    else:
        _print_counts([*counts, total] if len(counts) > 1 else counts)
    _limit(ctx, total.tokens, max_tokens)


def _limit(ctx: click.Context, tokens: int, most: int | None) -> None:
    if most is not None and tokens > most:
        click.echo(f"kugiri: {tokens} tokens, {most} allowed", err=True)
        ctx.exit(LIMIT_BROKEN)


def _print_counts(counts: list[FileCount]) -> None:
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
