"""What `kugiri sweep` prints: tables, bars and splits, or CSV."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from kugiri.cli.display import bar, console, decimal, print_table, readable, several, with_bars
from kugiri.sweep_result import Counted, Entry, Sweep
from kugiri.training.texts import Size
from kugiri.vocabulary_size.curve import FLAT

_PIPE_BAR = 40
"""Cells of the longest bar where no terminal says how wide it is."""


def print_sweep(found: Sweep) -> None:
    """Tables, bars, and how sentences are split."""
    out = console()
    # Sizes that a text is too small for give one vocabulary, which is shown once.
    once: dict[tuple[str, int], Entry] = {}
    for entry in found.entries:
        once.setdefault((entry.model, entry.vocab_size), entry)
    entries = list(once.values())
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
        text = "training" if size is found.training else "evaluation"
        for curve in found.curves:
            if curve.text == text and curve.flat_from is not None:
                flat = f"a doubling saves less than {100 * FLAT:g} % of the tokens"
                out.print(f"{curve.model}: from {curve.flat_from:,} on, {flat}", soft_wrap=True)
        if counted is texts[-1][2]:
            out.print(_KEY, style="dim")
        out.print()
    heading, _, counted = texts[-1]
    out.print(f"Tokens of the {heading.lower()}", style="bold")
    _print_bars(entries, counted)
    for index, sentence in enumerate(found.sentences):
        out.print(f"\n{readable(sentence)}", style="bold", soft_wrap=True)
        for entry in entries:
            tokens, unknown = entry.splits[index], set(entry.unknown[index])
            name, lost = f"{entry.model} {entry.vocab_size:,}", _of_unknown(len(unknown))
            out.print(f"{name}: {several(len(tokens), 'token')}{lost}", style="cyan")
            marked = (f"{'⁇' * (at in unknown)}{token}" for at, token in enumerate(tokens))
            out.print(with_bars(marked, out.width), soft_wrap=True)


_COLUMNS = [
    "model", "size", "tokens", "unknown", "bytes/token", "chars/token", "gain",
    "×2", "seconds",
]  # fmt: skip


_KEY = "gain: tokens fewer than with the size before; ×2: the same for each doubling"


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
        _share(counted.gain),
        _share(counted.gain_per_doubling),
        f"{entry.seconds:.3f}",
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


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


def print_csv(found: Sweep) -> None:
    """A row an entry."""
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
        elif not isinstance(value, list) and value is not None:
            yield name, value
