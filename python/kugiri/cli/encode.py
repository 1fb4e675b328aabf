"""`kugiri encode`: text → ids."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import kugiri
from kugiri.cli.display import print_json, spelled, split
from kugiri.cli.options import errors_option, examples, tokenizer_options
from kugiri.corpus import STDIN, read_blocks

if TYPE_CHECKING:
    from kugiri.tokenizer import Allowed


@click.command(
    "encode",
    epilog=examples(
        'kugiri encode -t my.kugiri.json "東京の図書館"',
        "kugiri encode -t my.kugiri.json --tokens < novel.txt",
    ),
)
@click.argument("text", default=STDIN)
@tokenizer_options
@click.option("--ids", "form", flag_value="ids", default="ids", help="Print ids (the default).")
@click.option("--tokens", "form", flag_value="tokens", help="Print tokens with | between them.")
@click.option("--json", "form", flag_value="json", help="Print a JSON object a text.")
@click.option(
    "--allowed-special", multiple=True, metavar="TOKEN|all",
    help="Recognize it in the text. Repeatable.",
)  # fmt: skip
@click.option("--add-special-tokens", is_flag=True, help="Add the special tokens around a text.")
@errors_option
def command(
    text: str,
    tokenizer: str,
    pattern: str | None,
    form: str,
    allowed_special: tuple[str, ...],
    add_special_tokens: bool,
    errors: str,
) -> None:
    """Turn TEXT into token ids; without TEXT or with -, lines of standard input."""
    tok = kugiri.load(tokenizer, pattern=pattern)
    allowed: Allowed = "all" if "all" in allowed_special else frozenset(allowed_special)
    if text != STDIN and len(text) < 256 and Path(text).is_file():
        hint = f"{text!r} is also a file; to encode what is in it: kugiri encode -t … < {text}"
        click.echo(f"kugiri: note: {hint}", err=True)
    batches: Iterable[list[str]] = [[text]]
    if text == STDIN:
        batches = (block.lines(errors) for block in read_blocks(STDIN))
    for texts in batches:
        if form == "ids":
            _print_ids(tok, texts, allowed, add_special_tokens)
        elif form == "tokens":
            for each in texts:
                print(split(_tokens(tok, each, allowed, add_special_tokens)))
        else:
            for each in texts:
                print_json(_described(tok, each, allowed, add_special_tokens))


def _print_ids(tok: kugiri.Tokenizer, texts: list[str], allowed: Allowed, around: bool) -> None:
    batch = tok.encode_batch(texts, allowed_special=allowed, add_special_tokens=around)
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
