"""`kugiri encode`: text → ids."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import kugiri
from kugiri.cli.display import print_json, split
from kugiri.cli.lines import Lines, lines_of
from kugiri.cli.options import FILE, errors_option, examples, paths, tokenizer_options
from kugiri.cli.ways import Ways, print_ways, ways_options
from kugiri.corpus import STDIN

if TYPE_CHECKING:
    from kugiri.tokenizing.encode_options import EncodeOptions


@click.command(
    "encode",
    epilog=examples(
        'kugiri encode -t my.kugiri.json "東京の図書館"',
        "kugiri encode -t my.kugiri.json --tokens < novel.txt",
        'kugiri encode -t unigram.model --nbest 3 "東京の図書館"',
        "kugiri encode -t my.kugiri.json --out ids.npy novel.txt letters/",
    ),
)
@click.argument("texts", nargs=-1, metavar="[TEXT]")
@tokenizer_options
@click.option("--ids", "as_ids", is_flag=True, help="Print ids (the default).")
@click.option("--tokens", "as_tokens", is_flag=True, help="Print tokens with | between them.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a text, with both.")
@click.option(
    "--out", type=FILE, metavar="FILE", help="The ids of the files TEXT go there, a .npy."
)
@click.option(
    "--allowed-special", multiple=True, metavar="TOKEN|all",
    help="Recognize it in the text. Repeatable.",
)  # fmt: skip
@click.option("--add-special-tokens", is_flag=True, help="Add the special tokens around a text.")
@click.option("--add-bos", is_flag=True, help="Add the begin of a .model.")
@click.option("--add-eos", is_flag=True, help="Add the end of a .model.")
@click.option("--reverse", is_flag=True, help="The tokens of the text in reverse order.")
@ways_options
@errors_option
def command(
    texts: tuple[str, ...],
    tokenizer: str,
    pattern: str | None,
    as_ids: bool,
    as_tokens: bool,
    as_json: bool,
    out: str | None,
    allowed_special: tuple[str, ...],
    add_special_tokens: bool,
    add_bos: bool,
    add_eos: bool,
    reverse: bool,
    errors: str,
    **ways: Any,
) -> None:
    """Turn TEXT into token ids; without TEXT or with -, lines of standard input.

    With --out, TEXT are files; -, or none, is all of standard input.
    """
    asked = Ways(**ways)
    how: EncodeOptions = {
        "allowed_special": "all" if "all" in allowed_special else frozenset(allowed_special),
        "add_special_tokens": add_special_tokens,
        "add_bos": add_bos,
        "add_eos": add_eos,
        "reverse": reverse,
    }
    others = asked.check(only_text=not any(how.values()))
    _check(texts, as_ids + as_tokens + as_json, others, out)
    tok = kugiri.load(tokenizer, pattern=pattern)
    if out is not None:
        _write_files(tok, texts, errors, out, how)
        return
    text = texts[0] if texts else STDIN
    if text != STDIN and len(text) < 256 and Path(text).is_file():
        hint = f"{text!r} is also a file; to encode what is in it: kugiri encode -t … < {text}"
        click.echo(f"kugiri: note: {hint}", err=True)
    form = "json" if as_json else "ids" if as_ids or (asked.sample and not as_tokens) else "tokens"
    for lines in lines_of(text, errors):
        if others:
            print_ways(tok, lines, asked, form)
        elif as_json:
            for described in lines.each(lambda each: _described(tok, each, how)):
                print_json(described)
        elif as_tokens:
            for tokens in lines.each(lambda each: tok.tokens(each, **how)):
                print(split(tok, tokens))
        else:
            _print_ids(tok, lines, how)


def _check(texts: tuple[str, ...], forms: int, others: bool, out: str | None) -> None:
    """Refuse what does not go together."""
    if forms > 1:
        raise click.UsageError("--ids, --tokens and --json exclude each other; JSON has both")
    if out is not None and (others or forms):
        raise click.UsageError(
            "--out writes the ids of files; leave out what else is to be printed"
        )
    if len(texts) > 1 and out is None:
        raise click.UsageError(f'a text with spaces stands in quotes: "{" ".join(texts[:9])}"')


def _write_files(
    tok: kugiri.Tokenizer, files: tuple[str, ...], errors: str, out: str, how: EncodeOptions
) -> None:
    batch = tok.encode_files(paths(files or (STDIN,)), errors=errors, out=out, **how)
    print(f"{out}: {len(batch):,} documents, {len(batch.ids):,} ids")


def _print_ids(tok: kugiri.Tokenizer, lines: Lines, how: EncodeOptions) -> None:
    batch = lines.at_once(partial(tok.encode_batch, **how), partial(tok.encode, **how))
    for ids in batch.to_lists():
        print(" ".join(map(str, ids)))


def _described(tok: kugiri.Tokenizer, text: str, how: EncodeOptions) -> dict[str, Any]:
    ids = tok.encode(text, **how)
    return {
        "text": text,
        "utf8_bytes": len(text.encode()),
        "token_count": len(ids),
        "token_ids": ids,
        "tokens": tok.tokens(text, **how),
        "decoded": tok.decode(ids),
    }
