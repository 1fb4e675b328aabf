"""The options of `kugiri sweep` that ask for a recommendation, and how that is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from kugiri.cli.display import console, print_table
from kugiri.cli.options import BYTES, FILE, PARAMETERS
from kugiri.cli.written import check_file
from kugiri.lazy import imported
from kugiri.sweep import BASELINES
from kugiri.sweep_result import Sweep
from kugiri.vocabulary_size.reasons import share_of

if TYPE_CHECKING:
    from kugiri.vocabulary_size.result import Point, Recommendation

_Command = TypeVar("_Command", bound=Callable[..., Any])

_MEANT = "--parameters"


def recommendation_options(command: _Command) -> _Command:
    """Give a command the options of kugiri.recommend."""
    for option in reversed((
        click.option(
            "--parameters", type=PARAMETERS, metavar="N",
            help="Recommend a size for N parameters: 125M.",
        ),
        click.option(
            "--dimension", type=int, metavar="D", help="Of its embeddings (the usual one)."
        ),
        click.option("--untied", is_flag=True, help="It has embeddings for output too."),
        click.option(
            "--training-bytes", type=BYTES, metavar="N",
            help="Text it is trained on, as 2GB.",
        ),
        click.option("--plot", type=FILE, metavar="FILE", help="Draw it, as .svg or .png."),
    )):  # fmt: skip
        command = option(command)
    return command


class Wanted(NamedTuple):
    """What was asked for; without a number of parameters, nothing."""

    parameters: float | None
    dimension: int | None
    untied: bool
    training_bytes: float | None
    plot: str | None

    def check(self, models: Sequence[str], is_varied: bool, has_csv: bool) -> None:
        """Refuse what does not go together, and a picture that could not be written.

        Raises:
            UsageError: it does not.
        """
        named = {"--dimension": self.dimension, "--untied": self.untied or None,
                 "--training-bytes": self.training_bytes, "--plot": self.plot}  # fmt: skip
        for option, value in named.items():
            if value is not None and self.parameters is None:
                raise click.UsageError(
                    f"{option} is about the model that a size is recommended for; give {_MEANT} too"
                )
        if self.parameters is None:
            return
        imported("kugiri.vocabulary_size.recommendation").check_model(
            self.parameters, self.dimension, self.training_bytes
        )
        if is_varied:
            raise click.UsageError(
                f"{_MEANT} compares sizes, --vary the values of an option; give one of them"
            )
        if not set(models) - BASELINES:
            raise click.UsageError(
                f"{_MEANT} is for --models bpe, wordpiece and unigram; words and characters lose "
                f"text where they are few"
            )
        if has_csv:
            raise click.UsageError(f"{_MEANT} has no CSV; use --json")
        if self.plot is not None:
            check_file(self.plot)
            imported("kugiri.vocabulary_size.plot").check_plot(self.plot)

    def recommend(self, found: Sweep) -> list[Recommendation]:
        """One recommendation a model of the sweep; the picture is of the first."""
        if self.parameters is None:
            return []
        from kugiri.vocabulary_size.recommendation import recommend

        models: list[str | None] = list(dict.fromkeys(it.model for it in found.curves)) or [None]
        given = {name: getattr(self, name) for name in ("dimension", "untied", "training_bytes")}
        recommended = [
            recommend(found, parameters=self.parameters, model=model, **given) for model in models
        ]
        if self.plot is not None:
            imported("kugiri.vocabulary_size.plot").save_plot(recommended[0], self.plot)
        return recommended


_COLUMNS = [
    "", "size", "tokens/char", "×2", "embeddings", "of all", "FLOPs/char", "cost",
    "English", "unknown",
]  # fmt: skip


def print_recommendations(recommended: Sequence[Recommendation]) -> None:
    """The size, those beside it, and the reasons."""
    out = console()
    for it in recommended:
        untied = ", untied" if it.untied else ""
        model = f"{it.parameters:,.0f} parameters, dimension {it.dimension:,}{untied}"
        out.print(f"\n{it.size:,} entries of {it.model} for {model}", style="bold")
        shown = len(_COLUMNS) - (not any(point.unknown for point in it.points))
        print_table(_COLUMNS[:shown], [_row(it, point)[:shown] for point in it.steps], text="")
        out.print()
        for reason in it.reasons:
            out.print(f"- {reason}", soft_wrap=True)


def _row(it: Recommendation, point: Point) -> tuple[str, ...]:
    return (
        "→" if point.size == it.size else "",
        f"{point.size:,}",
        f"{point.tokens_per_character:.3f}",
        "–" if point.gain is None else f"{point.gain:.1%}",
        f"{point.embedding_parameters:,}",
        f"{point.embedding_share:.1%}",
        f"{point.flops_per_character:.2e}",
        f"{point.cost:.3f}",
        f"{point.english:.3f}",
        share_of(point.unknown),
    )
