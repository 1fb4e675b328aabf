"""The options that several commands share, each written once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """The end of a command's help; a backspace keeps click from joining the lines."""
    return "\b\n" + "\n  ".join(["Example:", *lines])


def tokenizer_options(command: _Command) -> _Command:
    """Give a command `tokenizer` and `pattern`, the arguments of kugiri.load."""
    for option in (
        click.option("--pattern", help="Split pattern of a .tiktoken file."),
        click.option(
            "-t", "--tokenizer", required=True, metavar="FILE",
            help="The tokenizer file.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


errors_option = click.option(
    "--errors", type=click.Choice(["strict", "replace"]), default="strict",
    help="Invalid UTF-8: an error, or U+FFFD.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
quiet_option = click.option("--quiet", is_flag=True, help="Print results, warnings, errors only.")
