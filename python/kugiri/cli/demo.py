"""`kugiri demo`: BPE and byte-level BPE learn from the sample, and each splits one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import click

import kugiri
from kugiri.cli.display import console, decimal, print_table, with_bars
from kugiri.cli.options import examples

if TYPE_CHECKING:
    from rich.console import Console

SENTENCE = "東京の図書館で、トークナイザの仕組みを学んでみた。"
CHARACTER_SIZES = (1000, 1200, 1600, 2400)
"""The sample has nearly a thousand different characters, and each is an entry."""
BYTE_SIZES = (256, 400, 800, 1200)

NEXT = (
    "kugiri train your.txt --preset japanese --vocab-size 800 -o your.kugiri.json",
    f'kugiri encode -t your.kugiri.json --tokens "{SENTENCE}"',
    "kugiri count -t your.kugiri.json your.txt",
)


class _Row(NamedTuple):
    """A trained tokenizer and the number of tokens that the sample is to it."""

    name: str
    tokenizer: kugiri.Tokenizer
    tokens: int


@click.command(
    "demo",
    epilog=examples("kugiri demo"),
)
def command() -> None:
    """Train BPE on the bundled Japanese sample and split a sentence."""
    lines = _sample()
    rows = list(_trained(lines))
    size = sum(len(line.encode()) for line in lines)
    characters = sum(map(len, lines))
    out = console()
    out.print(f"Sample: {len(lines)} lines, {characters:,} characters, {size:,} bytes")
    _print_heading(out, "The larger the vocabulary, the fewer the tokens")
    print_table(
        ["tokenizer", "vocabulary", "tokens", "bytes/token"],
        [
            (name, f"{tok.vocab_size:,}", f"{tokens:,}", decimal(size / tokens))
            for name, tok, tokens in rows
        ],
        text="tokenizer",
    )
    out.print(
        "Words between spaces are few, and any new one is unknown; Japanese has no such spaces."
    )
    _print_heading(out, "One sentence, split by each")
    out.print("<e6> is a part of a character, shown by its bytes.")
    for row in rows:
        _print_split(out, row)
    _print_heading(out, "And back: decode gives the text that encode took")
    _print_round_trip(out, rows[-3].tokenizer)
    _print_heading(out, "Try next")
    for line in NEXT:
        out.print(f"  {line}", style="green", soft_wrap=True)


def _sample() -> list[str]:
    """The lines of the bundled sample, blank ones left out."""
    folder = files("kugiri").joinpath("sample")
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".txt"))
    texts = (folder.joinpath(name).read_text("utf-8") for name in names)
    return [line for text in texts for line in text.split("\n") if line.strip()]


def _trained(lines: list[str]) -> Iterator[_Row]:
    """Every tokenizer of the demo."""
    for name, unit, sizes in (
        ("BPE of characters", "char", CHARACTER_SIZES),
        ("byte-level BPE", "byte", BYTE_SIZES),
    ):
        for tok in kugiri.train_sizes(lines, vocab_sizes=sizes, unit=unit).values():
            yield _Row(name, tok, _tokens_after_training(tok))
    whole = kugiri.train(lines, vocab_size=BYTE_SIZES[-1], preset="japanese")
    yield _Row("the same, preset japanese", whole, _tokens_after_training(whole))
    for name, model in ("characters alone", "char"), ("words between spaces", "word"):
        tok = kugiri.train(lines, model=model)
        yield _Row(name, tok, int(tok.count_batch(lines).sum()))


def _tokens_after_training(tok: kugiri.Tokenizer) -> int:
    """What the corpus has left: each merge recorded how many tokens it saved."""
    return int(tok.training["initial_tokens"]) - sum(merge.applied or 0 for merge in tok.merges)


def _print_heading(out: Console, text: str) -> None:
    out.print(f"\n{text}", style="bold")


def _print_split(out: Console, row: _Row) -> None:
    """The sentence as one tokenizer cuts it, with the number of tokens."""
    tok = row.tokenizer
    tokens = tok.tokens(SENTENCE)
    unknown = tok.special_tokens.get("<unk>") in tok.encode(SENTENCE)
    unseen = "1 token, <unk>: without spaces it is one word, and never seen before"
    note = unseen if unknown else f"{len(tokens)} tokens"
    out.print(f"{row.name}, {tok.vocab_size:,}: {note}", style="bold")
    out.print(with_bars(tokens, out.width), soft_wrap=True)


def _print_round_trip(out: Console, tok: kugiri.Tokenizer) -> None:
    ids = tok.encode(SENTENCE)
    decoded = tok.decode(ids)
    out.print(f"  {' '.join(map(str, ids))}")
    out.print(f"  {decoded}")
    out.print(f"  the same text: {'yes' if decoded == SENTENCE else 'NO'}")
