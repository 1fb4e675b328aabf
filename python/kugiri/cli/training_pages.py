"""How a training looks on a terminal: one page a step."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from kugiri.cli.display import bar, console, print_table
from kugiri.cli.symbols import strip
from kugiri.explain.glyphs import visible
from kugiri.explain.training_structure import (
    BPETraining,
    Dropped,
    MergeStep,
    Training,
    UnigramRound,
    UnigramTraining,
    WordState,
)

_DROPPED = 12
"""Pieces of a reason that are shown; --json and --html have them all."""
_BEST = 12


def draw_training(training: Training) -> None:
    """Print a training, step by step."""
    out = console()
    model = training.model
    out.print(f"{training.different_words:,} different words", style="bold")
    if isinstance(model, BPETraining):
        _words(model.words)
        if model.words_left_out:
            out.print(f"and {model.words_left_out:,} that are less frequent")
        for number, step in enumerate(model.steps, 1):
            _step(step, number)
    elif isinstance(model, UnigramTraining):
        out.print(f"{model.seeds:,} seeds")
        for each in model.rounds:
            _round(each)


# ── BPE ───────────────────────────────────────────────────────────────────────────────────────
def _step(step: MergeStep, number: int) -> None:
    out = console()
    left, right, result = map(visible, (step.left, step.right, step.result))
    out.print(f"\n{number}  {left} + {right} → {result}", style="bold")
    ties = f"; {step.ties + 1} pairs tie, and the rule chose" if step.ties else ""
    out.print(f"{step.count:,} times{ties}; {step.applied:,} tokens fewer")
    rows = [("*", f"{left} {right}", f"{step.count:,}", bar(step.count, step.count, 16))]
    rows += [
        (
            "",
            f"{visible(it.left)} {visible(it.right)}",
            f"{it.count:,}",
            bar(it.count, step.count, 16),
        )
        for it in step.rivals
    ]
    print_table(("", "pair", "count", ""), rows, text=("", "pair"))
    _words([step.words[at] for at in step.changed])


def _words(words: list[WordState]) -> None:
    out = console()
    for word in words:
        line = Text(f"{word.count:>6,}  ") + strip(map(visible, word.symbols))
        out.print(line, soft_wrap=True)


# ── Unigram ───────────────────────────────────────────────────────────────────────────────────
def _round(each: UnigramRound) -> None:
    out = console()
    out.print(f"\nestimate {each.number}: {each.pieces:,} pieces", style="bold")
    out.print(
        f"objective {each.objective:.4f} nats a word; {each.tokens:,.1f} tokens, "
        f"{each.tokens_per_piece:.2f} a piece"
    )
    most = max((it.expected for it in each.best), default=0.0)
    rows = [
        (visible(it.piece), f"{it.score:.3f}", f"{it.expected:,.1f}", bar(it.expected, most, 16))
        for it in each.best[:_BEST]
    ]
    print_table(("piece", "score", "expected", ""), rows, text=("piece", ""))
    for name, pieces in ("pruned before it", each.pruned), ("not expected", each.unexpected):
        if pieces:
            out.print(f"{name}: {len(pieces):,}")
            print_table(
                ("piece", "why", "from now on"), _rows(pieces), text=("piece", "why", "from now on")
            )
            if len(pieces) > _DROPPED:
                out.print(f"and {len(pieces) - _DROPPED:,} more")

    if each.returned:
        out.print(f"came back, to have enough: {len(each.returned):,}")
        out.print(strip(map(visible, each.returned[:_DROPPED])), soft_wrap=True)


def _rows(pieces: list[Dropped]) -> Iterator[tuple[str, str, Text]]:
    for it in pieces[:_DROPPED]:
        yield visible(it.piece), it.why, strip(map(visible, it.instead))
