"""`kugiri measure --list-metrics` and `--explain-metric`: what can be measured."""

from __future__ import annotations

import inspect
from importlib import import_module
from textwrap import dedent
from typing import TYPE_CHECKING

import click

from kugiri.cli.display import print_table
from kugiri.errors import OptionError, choose

if TYPE_CHECKING:
    from kugiri.measure.metric import Metric

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
    of = {
        "name": metric.name,
        "definition": metric.definition,
        "formula": metric.formula,
        "unit": metric.unit,
        "better": metric.better or "neither",
        "needs": _NEEDS[metric.over] or "text",
        "looks at": "a sample" if metric.sampled else "all text",
        "source": metric.source,
        "misleads": metric.misleads,
        "evidence": metric.evidence,
        "example": _example(metric),
    }
    rows = [(label, words) for label, words in of.items() if words]
    print_table(["", metric.title], rows, text=["", metric.title])
    ctx.exit()


def _example(metric: Metric) -> str:
    """The example of the module that a metric is from, as the tests run it."""
    text = inspect.getdoc(import_module(metric.values.__module__)) or ""
    return dedent(text.partition("Example:\n")[2]).strip()
