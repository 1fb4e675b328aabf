"""The command `kugiri`: one command a file; each parses, calls the library, prints.

Rule.    Results go to stdout, everything else to stderr, all of it UTF-8. Exit codes: 0 done;
         1 failed, with one line that says why; 2 wrong usage; 3 a limit was broken; 130 stopped by
         Ctrl-C. What the library refuses of an option (OptionError) is wrong usage of any command.
Cost.    `kugiri --help` imports no command: their names and help lines stand in a table here.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import NoReturn, TextIO, cast

import click

from kugiri._version import __version__
from kugiri.cli.options import examples
from kugiri.cli.spelled import as_typed, one_line, options_of, varied_of
from kugiri.errors import KugiriError, KugiriWarning, OptionError

FAILED = 1
WRONG_USAGE = 2
LIMIT_BROKEN = 3
STOPPED = 130

COMMANDS = {
    "train": "Train a tokenizer on text files and save it.",
    "encode": "Turn text into token ids.",
    "decode": "Turn token ids into text.",
    "count": "Count the tokens of files.",
    "measure": "Measure what tokenizers do to texts.",
    "sweep": "Compare vocabularies of several sizes and models.",
    "explain": "Show what becomes of a text, stage by stage.",
    "check": "Look for what is wrong with a tokenizer.",
    "inspect": "Show what a vocabulary is made of.",
    "convert": "Write a tokenizer in another format.",
    "verify": "Compare the ids of two tokenizers.",
    "plan": "Show which vocabularies a text allows.",
    "corpus": "Prepare text: clean it, divide it, take a part of it.",
    "fetch": "Fetch a corpus from the web.",
    "serve": "Open a page, on this machine, that shows how text is cut.",
    "demo": "See BPE learn from Japanese text and split a sentence.",
}


class _LazyGroup(click.Group):
    """Commands by name; the module of one is imported when it is called."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        if cmd_name not in COMMANDS:
            return None
        return cast(click.Command, import_module(f"kugiri.cli.{cmd_name}").command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the group from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(f"kugiri {__version__}")
        ctx.exit()


@click.group(
    cls=_LazyGroup,
    commands={name: click.Command(name) for name in COMMANDS},
    epilog=examples(
        "kugiri train novel.txt --preset japanese --vocab-size 800 -o my.kugiri.json",
        'kugiri encode -t my.kugiri.json "吾輩は猫である"',
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version,
    help="Print the version.",
)  # fmt: skip
def group() -> None:
    """Train and run subword tokenizers."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command line; the process ends with its exit code."""
    # A name of a file that is no UTF-8 comes out as it came in.
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    warnings.simplefilter("always", KugiriWarning)
    typed = list(sys.argv[1:] if arguments is None else arguments)
    warnings.showwarning = partial(_show_warning, set(), typed)
    if sys.stdout is None:
        sys.exit(_fail(OSError("standard output is closed; send it somewhere, as in > FILE")))
    code = _run(typed)
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = _fail(error) if not isinstance(error, BrokenPipeError) else FAILED
    sys.exit(code)


def _run(arguments: Sequence[str]) -> int:
    try:
        return int(
            group.main(arguments, prog_name="kugiri", standalone_mode=False, obj=arguments) or 0
        )
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("kugiri: stopped", err=True)
        return STOPPED
    except (KugiriError, OSError, MemoryError) as error:
        return _fail(error, arguments)


def _fail(error: Exception, arguments: Sequence[str] = ()) -> int:
    """Print what went wrong as one line."""
    if isinstance(error, OSError) and not isinstance(error, KugiriError) and error.strerror:
        message = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    else:
        message = str(error) or type(error).__name__
    click.echo(f"kugiri: error: {_one_line(message, arguments)}", err=True)
    return WRONG_USAGE if isinstance(error, OptionError) else FAILED


def _one_line(message: str, arguments: Sequence[str]) -> str:
    """A message on one line, its options as they are typed."""
    return as_typed(one_line(message), options_of(group, arguments), varied_of(arguments))


def _show_warning(
    said: set[str],
    arguments: Sequence[str],
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning, once however often a text is read."""
    from kugiri.cli.display import say

    line_of_it = f"kugiri: warning: {_one_line(str(message), arguments)}"
    if line_of_it not in said:
        said.add(line_of_it)
        say(line_of_it)
