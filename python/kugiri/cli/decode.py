"""`kugiri decode`: ids → text."""

from __future__ import annotations

from collections.abc import Iterable

import click

import kugiri
from kugiri.cli.display import print_json
from kugiri.cli.options import examples, json_option, tokenizer_options
from kugiri.corpus import STDIN, read_blocks

_LIST_SIGNS = str.maketrans("[],", "   ")


@click.command(
    "decode",
    epilog=examples(
        "kugiri decode -t my.kugiri.json 283 170 399",
        "kugiri encode -t my.kugiri.json < novel.txt | kugiri decode -t my.kugiri.json",
    ),
)
@click.argument("ids", nargs=-1)
@tokenizer_options
@click.option(
    "--errors", type=click.Choice(["replace", "strict"]), default="replace",
    help="Bytes that are no text: U+FFFD, or an error.",
)  # fmt: skip
@json_option
def command(
    ids: tuple[str, ...], tokenizer: str, pattern: str | None, errors: str, as_json: bool
) -> None:
    """Turn token IDS into text; without IDS or with -, lines of standard input."""
    tok = kugiri.load(tokenizer, pattern=pattern)
    batches: Iterable[list[str]] = [[" ".join(ids)]]
    if ids in ((), (STDIN,)):
        batches = (block.lines() for block in read_blocks(STDIN))
    for lines in batches:
        rows = list(map(_numbers, lines))
        for row, text in zip(rows, tok.decode_batch(rows, errors=errors), strict=True):
            if as_json:
                print_json({"token_ids": row, "text": text})
            else:
                print(text)


def _numbers(line: str) -> list[int]:
    """The ids in a line; the commas and brackets of a pasted list do not matter."""
    words = line.translate(_LIST_SIGNS).split()
    for word in words:
        if not (word.isascii() and word.isdigit()):
            raise kugiri.EncodingError(f"{word!r} is no id; ids are numbers, as in 283 170 399")
    return list(map(int, words))
