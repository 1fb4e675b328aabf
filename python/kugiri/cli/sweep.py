"""`kugiri sweep`: many vocabularies of one text, side by side."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

import kugiri
from kugiri.cli.display import (
    bar,
    console,
    decimal,
    print_json,
    print_table,
    readable,
    say,
    several,
    with_bars,
    working,
)
from kugiri.cli.options import (
    FILE,
    examples,
    given,
    json_option,
    paths,
    quiet_option,
    reading_options,
    training_options,
)
from kugiri.cli.vary import measure_variants, refuse_with_vary, varied
from kugiri.cli.written import check_writable
from kugiri.corpus import STDIN
from kugiri.sweep import sweep
from kugiri.sweep_result import Counted, Entry, Sweep, check_folder, file_of
from kugiri.tally import tally
from kugiri.texts import Size

_PIPE_BAR = 40
"""Cells of the longest bar where no terminal says how wide it is."""


def _numbers(ctx: click.Context, option: click.Parameter, typed: str) -> list[int]:
    try:
        return [int(word) for word in typed.split(",")]
    except ValueError:
        raise click.BadParameter(f"{typed!r}: sizes are numbers, as in 256,400,800") from None


@click.command(
    "sweep",
    epilog=examples(
        "kugiri sweep train.txt --sizes 256,400,800,1200 --eval eval.txt -o study",
        "kugiri sweep train.txt --sizes 1000,2000 --models bpe,char,word --csv",
        "kugiri sweep train.txt --sizes 2000 --eval eval.txt --vary unit=byte,char",
    ),
)
@click.argument("corpus", type=FILE, nargs=-1, required=True)
@click.option(
    "--sizes", required=True, callback=_numbers, metavar="N,N,…", help="Vocabulary sizes."
)
@click.option(
    "--models", default="bpe", metavar="M,M,…", help="bpe, wordpiece, unigram, char, word."
)
@click.option(
    "--eval", "evaluation", multiple=True, type=FILE, metavar="FILE", help="Text not trained on."
)
@click.option("--sentence", "sentences", multiple=True, help="Show how it is split. Repeatable.")
@click.option(
    "-o", "--output", type=FILE, metavar="DIR", help="Save tokenizers and summary.json here."
)
@click.option(
    "--vary",
    multiple=True,
    callback=varied,
    metavar="OPTION=V,V,…",
    help="Compare these values on --eval. Repeatable.",
)
@click.option(
    "--metric", "metrics", multiple=True, metavar="NAME", help="With --vary: what to measure (all)."
)
@training_options
@reading_options
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@json_option
@quiet_option
def command(
    corpus: tuple[str, ...],
    sizes: list[int],
    models: str,
    evaluation: tuple[str, ...],
    sentences: tuple[str, ...],
    output: str | None,
    vary: dict[str, list[Any]],
    metrics: tuple[str, ...],
    as_csv: bool,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Train vocabularies of several sizes on CORPUS and compare them.

    Tokens are counted on CORPUS and on the text of --eval, which is not trained on. With --vary
    it is the values of an option that are compared, by all metrics of kugiri measure.
    """
    if as_csv and as_json:
        raise click.UsageError("--csv and --json exclude each other; give one of them")
    if (*corpus, *evaluation).count(STDIN) > 1:
        raise click.UsageError("standard input can be read once only; save one text to a file")
    names = [model.strip() for model in models.split(",")]
    if vary:
        refuse_with_vary(evaluation=evaluation, sentences=sentences, output=output)
        ctx = click.get_current_context()
        is_usual = ctx.get_parameter_source("models") is click.core.ParameterSource.DEFAULT
        measure_variants(
            corpus=paths(corpus),
            vary=vary,
            sizes=sizes,
            models=[] if is_usual else names,
            evaluation=paths(evaluation),
            metrics=metrics,
            output={"json": as_json, "csv": as_csv, "quiet": quiet},
            options=options,
        )
        return
    if metrics:
        raise click.UsageError("--metric goes with --vary; without it, tokens are counted")
    if output is not None:
        check_writable(Path(output))
        check_folder(Path(output), [file_of(name, size) for name in names for size in sizes])
    with working("training …", quiet):
        found = sweep(
            paths(corpus),
            sizes=sizes,
            models=names,
            evaluation=paths(evaluation) or None,
            sentences=list(sentences) or None,
            **given(options),
        )
        if output is not None:
            found.save(output)
    if as_json:
        print_json(found.summary())
    elif as_csv:
        _print_csv(found)
    else:
        _print(found)
    if output is not None and not quiet:
        saved = several(len(found.entries), "tokenizer")
        say(f"kugiri: {output}: {saved} and summary.json")


def _print(found: Sweep) -> None:
    out = console()
    # Sizes that a text is too small for give one vocabulary, which is shown once.
    once: dict[tuple[str, int], tuple[Entry, kugiri.Tokenizer]] = {}
    for entry, tokenizer in zip(found.entries, found.tokenizers, strict=True):
        once.setdefault((entry.model, entry.vocab_size), (entry, tokenizer))
    entries, tokenizers = map(list, zip(*once.values(), strict=True))
    texts = [("Training text", found.training, [entry.training for entry in entries])]
    held_out = [entry.evaluation for entry in entries if entry.evaluation is not None]
    if found.evaluation is not None:
        texts.append(("Evaluation text", found.evaluation, held_out))
    for heading, size, counted in texts:
        out.print(f"{heading}: {_size(size)}", style="bold")
        # The seconds are of training.
        shown = len(_COLUMNS) - (size is not found.training)
        rows = (row[:shown] for row in map(_row, entries, counted))
        print_table(_COLUMNS[:shown], rows, text="model")
        out.print()
    heading, _, counted = texts[-1]
    out.print(f"Tokens of the {heading.lower()}", style="bold")
    _print_bars(entries, counted)
    for index, sentence in enumerate(found.sentences):
        out.print(f"\n{readable(sentence)}", style="bold", soft_wrap=True)
        tallies = tally(tokenizers, [[sentence]])
        for entry, (tokens, unknown) in zip(entries, tallies, strict=True):
            name = f"{entry.model} {entry.vocab_size:,}"
            out.print(f"{name}: {several(tokens, 'token')}{_of_unknown(unknown)}", style="cyan")
            out.print(with_bars(entry.splits[index], out.width), soft_wrap=True)


_COLUMNS = [
    "model", "vocabulary", "tokens", "unknown", "bytes/token", "chars/token", "gain", "seconds",
]  # fmt: skip


def _size(size: Size) -> str:
    documents = "" if size.documents is None else f"{several(size.documents, 'document')}, "
    return f"{documents}{several(size.characters, 'character')}, {several(size.bytes, 'byte')}"


def _row(entry: Entry, counted: Counted) -> tuple[str, ...]:
    return (
        entry.model,
        f"{entry.vocab_size:,}",
        f"{counted.tokens:,}",
        f"{counted.unknown:,}",
        decimal(counted.bytes_per_token),
        decimal(counted.characters_per_token),
        "–" if counted.gain is None else f"{counted.gain:.1%}",
        f"{entry.seconds:.3f}",
    )


def _print_bars(entries: list[Entry], counted: list[Counted]) -> None:
    """A bar an entry: the fewer tokens, the shorter."""
    out = console()
    names = [f"{entry.model} {entry.vocab_size:,}" for entry in entries]
    numbers = [f"{each.tokens:,}{_of_unknown(each.unknown)}" for each in counted]
    margins = max(map(len, names)) + max(map(len, numbers)) + 6
    width = max(8, out.width - margins) if sys.stdout.isatty() else _PIPE_BAR
    largest = max(each.tokens for each in counted)
    for name, number, each in zip(names, numbers, counted, strict=True):
        left = name.rjust(max(map(len, names)))
        out.print(f"  {left}  {bar(each.tokens, largest, width)} {number}", soft_wrap=True)


def _of_unknown(unknown: int) -> str:
    """What goes with a number of tokens where some stand for anything."""
    return f" ({unknown:,} unknown)" if unknown else ""


def _print_csv(found: Sweep) -> None:
    rows = [_flat(entry) for entry in found.entries]
    writer = csv.DictWriter(sys.stdout, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _flat(entry: Entry) -> dict[str, Any]:
    """An entry without its splits; the two texts have columns of their own."""
    return dict(_columns(msgspec.to_builtins(entry)))


def _columns(entry: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in entry.items():
        if isinstance(value, dict):
            yield from ((f"{name}_{inner}", number) for inner, number in value.items())
        elif name != "splits" and value is not None:
            yield name, value
