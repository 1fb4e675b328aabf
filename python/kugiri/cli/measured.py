"""Measuring for a command: what warns of a text is said once, where its answer stands."""

from __future__ import annotations

import warnings
from typing import Any

import click
import msgspec

from kugiri.cli.spelled import as_typed, varied_of
from kugiri.errors import KugiriWarning
from kugiri.measure.report import Report
from kugiri.measure.study import measure


def measured(*arguments: Any, is_table: bool, **options: Any) -> Report:
    """A report whose warnings are spelled as the command has them.

    Args:
        arguments: of `measure`.
        is_table: whether the report is printed as tables, which hold its warnings; else they are
            said at once, beside what is printed for machines.
        options: of `measure`.
    """
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", KugiriWarning)
        found = measure(*arguments, **options)
    for each in told:
        if not (is_table and str(each.message) in found.warnings):
            warnings.warn(each.message, each.category, stacklevel=2)
    context = click.get_current_context()
    known = {str(it.name): it for it in context.command.params if isinstance(it, click.Option)}
    spelled = [as_typed(it, known, varied_of(context.obj or ())) for it in found.warnings]
    return msgspec.structs.replace(found, warnings=spelled)
