"""`kugiri encode`: text → ids."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import kugiri
from kugiri.cli.display import print_json, spelled, split
from kugiri.cli.lines import Lines, lines_of
from kugiri.cli.options import errors_option, examples, tokenizer_options
from kugiri.cli.ways import Ways, print_ways, ways_options
from kugiri.corpus import STDIN

if TYPE_CHECKING:
    from kugiri.tokenizer import Allowed


@click.command(
    "encode",
    epilog=examples(
        'kugiri encode -t my.kugiri.json "東京の図書館"',
        "kugiri encode -t my.kugiri.json --tokens < novel.txt",
        'kugiri encode -t unigram.model --nbest 3 "東京の図書館"',
    ),
)
@click.argument("text", default=STDIN)
@tokenizer_options
@click.option("--ids", "as_ids", is_flag=True, help="Print ids (the default).")
@click.option("--tokens", "as_tokens", is_flag=True, help="Print tokens with | between them.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a text, with both.")
@click.option(
    "--allowed-special", multiple=True, metavar="TOKEN|all",
    help="Recognize it in the text. Repeatable.",
)  # fmt: skip
@click.option(
    "--add-special-tokens", "around", is_flag=True, help="Add the special tokens around a text."
)
@ways_options
@errors_option
def command(
    text: str,
    tokenizer: str,
    pattern: str | None,
    as_ids: bool,
    as_tokens: bool,
    as_json: bool,
    allowed_special: tuple[str, ...],
    around: bool,
    errors: str,
    **ways: Any,
) -> None:
    """Turn TEXT into token ids; without TEXT or with -, lines of standard input."""
    if as_ids + as_tokens + as_json > 1:
        raise click.UsageError("--ids, --tokens and --json exclude each other; JSON has both")
    asked = Ways(**ways)
    others = asked.check(only_text=not allowed_special and not around)
    tok = kugiri.load(tokenizer, pattern=pattern)
    allowed: Allowed = "all" if "all" in allowed_special else frozenset(allowed_special)
    if text != STDIN and len(text) < 256 and Path(text).is_file():
        hint = f"{text!r} is also a file; to encode what is in it: kugiri encode -t … < {text}"
        click.echo(f"kugiri: note: {hint}", err=True)
    form = "json" if as_json else "ids" if as_ids or (asked.sample and not as_tokens) else "tokens"
    for lines in lines_of(text, errors):
        if others:
            print_ways(tok, lines, asked, form)
        elif as_json:
            for described in lines.each(lambda each: _described(tok, each, allowed, around)):
                print_json(described)
        elif as_tokens:
            for tokens in lines.each(lambda each: _tokens(tok, each, allowed, around)):
                print(split(tokens))
        else:
            _print_ids(tok, lines, allowed, around)


def _print_ids(tok: kugiri.Tokenizer, lines: Lines, allowed: Allowed, around: bool) -> None:
    batch = lines.at_once(
        partial(tok.encode_batch, allowed_special=allowed, add_special_tokens=around),
        partial(tok.encode, allowed_special=allowed, add_special_tokens=around),
    )
    for ids in batch.to_lists():
        print(" ".join(map(str, ids)))


def _tokens(tok: kugiri.Tokenizer, text: str, allowed: Allowed, around: bool) -> list[str]:
    if not around:
        return tok.tokens(text, allowed_special=allowed)
    ids = tok.encode(text, allowed_special=allowed, add_special_tokens=True)
    return [spelled(tok.token_bytes(id)) for id in ids]


def _described(tok: kugiri.Tokenizer, text: str, allowed: Allowed, around: bool) -> dict[str, Any]:
    ids = tok.encode(text, allowed_special=allowed, add_special_tokens=around)
    return {
        "text": text,
        "utf8_bytes": len(text.encode()),
        "token_count": len(ids),
        "token_ids": ids,
        "tokens": _tokens(tok, text, allowed, around),
        "decoded": tok.decode(ids),
    }
