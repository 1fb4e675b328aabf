"""The options of spm_train on the command line, made from their table."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

import click

from kugiri.sentencepiece.options import REFUSED, SentencePieceOptions

_Command = TypeVar("_Command", bound=Callable[..., Any])

TITLE = "Options of spm_train (model unigram, presets sentencepiece, llama2, t5)"


class SpmTrainOption(click.Option):
    """An option that stands in the second part of the help."""


class TrainingCommand(click.Command):
    """A command that shows the options of spm_train apart from its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; an option of spm_train that is refused says why.

        Raises:
            UsageError: there is no such option, or it is refused.
        """
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            name = error.option_name.lstrip("-").replace("-", "_")
            if name not in REFUSED:
                raise
            message = f"{error.option_name} is refused: {REFUSED[name]}"
            raise click.UsageError(message, ctx) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write both parts."""
        for title, of_spm_train in (("Options", False), (TITLE, True)):
            rows = [
                row
                for option in self.get_params(ctx)
                if isinstance(option, click.Option)
                and isinstance(option, SpmTrainOption) == of_spm_train
                and (row := option.get_help_record(ctx)) is not None
            ]
            with formatter.section(title):
                formatter.write_dl(rows)


def sentencepiece_options(command: _Command) -> _Command:
    """Give a command the options of spm_train; those that it has itself are left to it."""
    for option in reversed(fields(SentencePieceOptions)):
        if option.name == "vocab_size":
            continue
        name = option.name.replace("_", "-")
        is_switch = isinstance(option.default, bool)
        kind = type(option.default) if isinstance(option.default, float | str) else int
        about: dict[str, Any] = {} if is_switch else {"type": kind, "metavar": _METAVARS[kind]}
        if isinstance(option.default, tuple):
            about = {"type": str, "metavar": "A,B"}
        decorate = click.option(
            f"--{name}/--no-{name}" if is_switch else f"--{name}",
            cls=SpmTrainOption,
            default=None,
            help=f"{_dashed(option.metadata['meaning'])}{_usual(option.default)}.",
            **about,
        )
        command = decorate(command)
    return command


def _dashed(meaning: str) -> str:
    """What an option means, with the names of others as they are typed."""
    named = re.sub(r"\b[a-z]+(_[a-z]+)+\b", lambda it: f"--{it[0].replace('_', '-')}", meaning)
    return named.replace("threads=", "--threads").replace("`", "")


_METAVARS = {int: "N", float: "SHARE", str: "TEXT"}


def _usual(default: Any) -> str:
    """What is meant without the option, where that can be said shortly."""
    if isinstance(default, bool):
        return " (on)" if default else ""
    return f" ({default})" if default not in (None, "", ()) else ""
