"""`kugiri verify`: whether two tokenizers give the same ids."""

from __future__ import annotations

from typing import Any

import click

import kugiri
from kugiri.cli import LIMIT_BROKEN
from kugiri.cli.display import print_json, print_table, readable, shortened, split
from kugiri.cli.options import (
    FILE,
    examples,
    given,
    json_option,
    load_lacking,
    paths,
    pattern_option,
    reading_options,
)
from kugiri.differences import CAUSES

_TEXT_LENGTH = 60
"""Characters of a difference that are shown, before and behind included; --json has all."""

_AROUND = 10
"""Characters of the text shown on both sides of a difference."""

at_least_option = click.option(
    "--at-least", type=click.FloatRange(0, 1), default=1.0, metavar="SHARE",
    help="Exit with 3 if fewer texts agree (1).",
)  # fmt: skip


@click.command(
    "verify",
    epilog=examples(
        "kugiri verify my.model tokenizer.json novel.txt",
        "kugiri verify o200k_base.tiktoken model-folder --at-least 0.999 texts/",
    ),
)
@click.argument("a", type=FILE)
@click.argument("b", type=FILE)
@click.argument("files", type=FILE, nargs=-1)
@pattern_option
@click.option("--by", help="Compare ids (default), or tokens.")
@click.option("--random", type=int, metavar="N", help="Random texts to compare (1000).")
@click.option("--seed", type=int, help="Of the random texts (0).")
@click.option("--examples", type=int, metavar="N", help="Differences to show (10).")
@at_least_option
@reading_options
@json_option
def command(
    a: str,
    b: str,
    files: tuple[str, ...],
    pattern: str | None,
    at_least: float,
    as_json: bool,
    **options: Any,
) -> None:
    """Compare what tokenizers A and B make of FILES, line by line, and of random texts.

    Exits with 0 if all agree, else with 3. With --at-least below 1, that share of the texts of
    FILES is enough, whatever the random texts do.
    """
    first, second = load_lacking((a, b), pattern)
    found = kugiri.verify(first, second, paths(files) if files else None, **given(options))
    report(found, as_json, (first, second))
    if not holds(found, at_least):
        click.get_current_context().exit(LIMIT_BROKEN)


def holds(found: kugiri.Verification, at_least: float) -> bool:
    """Whether enough texts agree."""
    if at_least == 1:
        return found.identical
    agreement = found.corpus if found.corpus.texts else found.random
    return agreement.by_text >= at_least


def report(
    found: kugiri.Verification, as_json: bool, pair: tuple[kugiri.Tokenizer, kugiri.Tokenizer]
) -> None:
    """Print how far two tokenizers agree, why not, and where."""
    if as_json:
        print_json(found.to_dict())
        return
    print_table(
        ["", "texts", "agree", "share", "tokens", "agree", "share"],
        [
            (
                name,
                f"{it.texts:,}",
                f"{it.same_texts:,}",
                share(it.by_text),
                f"{it.tokens:,}",
                f"{it.same_tokens:,}",
                share(it.by_token),
            )
            for name, it in (("corpus", found.corpus), ("random", found.random))
            if it.texts
        ],
        text="",
    )
    if not found.identical:
        print()
        print_table(
            ["cause", "texts", "which means"],
            [(cause, f"{number:,}", CAUSES[cause]) for cause, number in found.causes.items()],
            text=["cause", "which means"],
        )
        for each in found.differences:
            _print_difference(each, pair)


def share(value: float) -> str:
    """A share in percent; never 100 % where something is missing.

    Example:
        >>> share(1.0), share(0.999999), share(0.9435)
        ('100 %', '99.9999 %', '94.35 %')
    """
    decimals = next(n for n in range(2, 12) if value == 1 or round(value, n + 2) < 1)
    return "100 %" if value == 1 else f"{100 * value:.{decimals}f} %"


def _print_difference(
    each: kugiri.Difference, pair: tuple[kugiri.Tokenizer, kugiri.Tokenizer]
) -> None:
    start, end = each.span
    place = "random text" if each.number is None else f"text {each.number:,}"
    around = each.text[max(0, start - _AROUND) : end + _AROUND]
    print(f"\n{place}, characters {start:,} to {end:,}: {each.cause}")
    print(f"  {shortened(readable(around), _TEXT_LENGTH)}")
    sides = ("A", each.a, each.a_ids), ("B", each.b, each.b_ids)
    for tok, (name, tokens, ids) in zip(pair, sides, strict=True):
        shown = shortened(split(tok, tokens), _TEXT_LENGTH)
        print(f"  {name}  {shown}  ({shortened(' '.join(map(str, ids)), _TEXT_LENGTH)})")
