"""`kugiri measure --list-metrics` and `--explain-metric`: what can be measured."""

from __future__ import annotations

import click

from kugiri.cli.display import print_table
from kugiri.errors import OptionError, choose

_NEEDS = {
    "corpus": "",
    "reference": "--reference",
    "translation": "--parallel",
    "languages": "--parallel",
    "vocabulary": "no text",
}


def list_metrics(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Print a table of all metrics and end."""
    if not asked:
        return
    from kugiri.measure.metrics import METRICS

    rows = [
        (it.name, it.title, it.unit, it.better or "", _NEEDS[it.over], "yes" if it.sampled else "")
        for it in METRICS
    ]
    columns = ["metric", "what it is", "unit", "better", "needs", "sampled"]
    print_table(columns, rows, text=columns)
    ctx.exit()


def explain_metric(ctx: click.Context, option: click.Parameter, name: str | None) -> None:
    """Print what a metric is and end."""
    if name is None:
        return
    from kugiri.measure.metrics import BY_NAME

    try:
        metric = BY_NAME[choose("metric", name, BY_NAME)]
    except OptionError as error:
        raise click.BadParameter(str(error), ctx, option) from error
    rows = [
        (label, str(getattr(metric, label)))
        for label in ("name", "definition", "formula", "unit", "source", "misleads", "evidence")
    ]
    print_table(["", metric.title], rows, text=["", metric.title])
    ctx.exit()
