"""`kugiri explain`: what becomes of a text, stage by stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import kugiri
from kugiri.cli.lines import lines_of
from kugiri.cli.options import FILE, errors_option, examples, tokenizer_options
from kugiri.corpus import STDIN

if TYPE_CHECKING:
    from kugiri.encode_options import EncodeOptions


@click.command(
    "explain",
    epilog=examples(
        'kugiri explain -t my.model "ｶﾞｯｺｳ ①"',
        'kugiri explain -t my.model --why 東京 "東京都に住む"',
        'kugiri explain -t tokenizer.json --html page.html "東京の図書館"',
    ),
)
@click.argument("text", required=False, default=STDIN)
@tokenizer_options
@click.option("--why", "piece", metavar="PIECE", help="Say why PIECE is not one token.")
@click.option(
    "--nbest",
    type=click.IntRange(min=1),
    default=12,
    metavar="N",
    help="Ways to cut (12; Unigram).",
)
@click.option(
    "--allowed-special",
    multiple=True,
    metavar="TOKEN|all",
    help="Recognize it in the text. Repeatable.",
)
@click.option("--add-special-tokens", is_flag=True, help="Add the special tokens around a text.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a text.")
@click.option("--html", type=FILE, metavar="FILE", help="Write a page that needs nothing else.")
@errors_option
def command(
    text: str,
    tokenizer: str,
    pattern: str | None,
    piece: str | None,
    nbest: int,
    allowed_special: tuple[str, ...],
    add_special_tokens: bool,
    as_json: bool,
    html: str | None,
    errors: str,
) -> None:
    """Show what becomes of TEXT: normalized, cut into pre-tokens, and made tokens, step by step.

    Without TEXT or with -, each line of standard input. Spans are characters of the text.
    """
    tok = kugiri.load(tokenizer, pattern=pattern)
    how: EncodeOptions = {
        "allowed_special": "all" if "all" in allowed_special else frozenset(allowed_special),
        "add_special_tokens": add_special_tokens,
    }
    for lines in lines_of(text, errors):
        if piece is not None:
            for reason in lines.each(lambda each: tok.why(each, piece, **how)):
                print(reason.to_json() if as_json else reason)
            continue
        for explained in lines.each(lambda each: tok.explain(each, nbest=nbest, **how)):
            if as_json:
                print(explained.to_json())
            else:
                from kugiri.cli.explanation import draw

                draw(explained)
