"""`kugiri plan`: what a corpus allows, before anything is trained."""

from __future__ import annotations

import warnings
from typing import Any

import click
import msgspec

import kugiri
from kugiri.cli.display import console, print_json, print_table, working
from kugiri.cli.options import (
    FILE,
    examples,
    given,
    json_option,
    model_option,
    paths,
    quiet_option,
    reading_options,
    training_options,
)
from kugiri.cli.sentencepiece_options import TrainingCommand, sentencepiece_options

_UNITS = ("bytes", "kB", "MB", "GB", "TB")


@click.command(
    "plan",
    cls=TrainingCommand,
    epilog=examples(
        "kugiri plan novel.txt --unit char --vocab-size 2000",
        "kugiri plan texts/ --preset japanese --json",
    ),
)
@click.argument("corpus", type=FILE, nargs=-1, required=True)
@model_option
@click.option("--vocab-size", type=int, help="The size that you have in mind.")
@click.option("--num-merges", type=int, help="The merges that you have in mind, instead.")
@training_options
@reading_options
@sentencepiece_options
@json_option
@quiet_option
def command(corpus: tuple[str, ...], as_json: bool, quiet: bool, **options: Any) -> None:
    """Show which vocabularies CORPUS allows: files, folders, globs, or - for standard input."""
    with working("counting …", quiet):
        planned = kugiri.plan(paths(corpus), **given(options))
    if as_json:
        print_json(msgspec.to_builtins(planned))
        return
    _print(planned)
    for warning in planned.warnings:
        warnings.warn(warning, kugiri.KugiriWarning, stacklevel=1)


def _print(planned: kugiri.Plan) -> None:
    least = "" if planned.largest_is_exact else "at least "
    rows = [
        ("words", f"{planned.words:,}, {planned.different_words:,} different"),
        ("characters", f"{planned.characters:,}, {planned.different_characters:,} different"),
        ("smallest vocabulary", f"{planned.smallest:,}"),
        ("largest vocabulary", f"{least}{planned.largest:,}"),
        ("memory for training", f"about {_readable(planned.memory)}"),
    ]
    out = console()
    for name, value in rows:
        out.print(f"{name:<21}{value}")
    out.print()
    print_table(
        ["coverage", "characters", "left out"],
        [
            (f"{row.coverage:.2%}", f"{row.characters:,}", f"{row.left_out:,}")
            for row in planned.alphabet
        ],
        text=(),
    )


def _readable(size: float) -> str:
    for unit in _UNITS[:-1]:
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} {_UNITS[-1]}"
