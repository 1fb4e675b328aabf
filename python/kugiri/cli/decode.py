"""`kugiri decode`: ids → text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

import kugiri
from kugiri.cli.display import print_json
from kugiri.cli.lines import Lines, lines_of
from kugiri.cli.options import examples, json_option, tokenizer_options
from kugiri.errors import shown

_MOST_DIGITS = 10
_LIST_SIGNS = str.maketrans("[],", "   ")


@click.command(
    "decode",
    epilog=examples(
        "kugiri decode -t my.kugiri.json 283 170 399",
        "kugiri encode -t a.kugiri.json < b.txt | kugiri decode -t a.kugiri.json",
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
    for lines in lines_of(None if ids == () else " ".join(ids)):
        for row, text in _decoded(tok, lines, errors):
            if as_json:
                print_json({"token_ids": row, "text": text})
            else:
                print(text)


def _decoded(tok: kugiri.Tokenizer, lines: Lines, errors: str) -> Iterator[tuple[list[int], str]]:
    rows = list(lines.each(_numbers))
    texts = lines.at_once(
        lambda _: tok.decode_batch(rows, errors=errors),
        lambda line: tok.decode(_numbers(line), errors=errors),
    )
    return zip(rows, texts, strict=True)


def _numbers(line: str) -> list[int]:
    """The ids in a line; the commas and brackets of a pasted list do not matter."""
    words = line.translate(_LIST_SIGNS).split()
    for word in words:
        if not re.fullmatch("[0-9]+", word):
            raise kugiri.EncodingError(
                f"{shown(word)} is no id; ids are numbers in the digits 0 to 9, as in 283 170 399"
            )
        if len(word) > _MOST_DIGITS:
            raise kugiri.VocabularyError(
                f"id {shown(word)} is not in the vocabulary; ids have at most {_MOST_DIGITS} digits"
            )
    return list(map(int, words))
