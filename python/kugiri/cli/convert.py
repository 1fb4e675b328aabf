"""`kugiri convert`: a tokenizer in the format of another file."""

from __future__ import annotations

import warnings
from pathlib import Path

import click

import kugiri
from kugiri.cli import LIMIT_BROKEN
from kugiri.cli.display import say
from kugiri.cli.options import FILE, errors_option, examples, json_option, paths, pattern_option
from kugiri.cli.verify import at_least_option, holds, report
from kugiri.errors import FormatError, KugiriWarning, OptionError
from kugiri.formats.recognise import by_name, known


@click.command(
    "convert",
    epilog=examples(
        "kugiri convert my.kugiri.json tokenizer.json",
        "kugiri convert my.model tokenizer.json --verify novel.txt --at-least 0.99",
        "kugiri convert cl100k_base cl100k.tokenizer.json",
    ),
)
@click.argument("source", type=FILE, metavar="IN")
@click.argument("target", type=FILE, metavar="OUT")
@click.option("--format", help="The format of OUT, if its name does not say.")
@pattern_option
@click.option(
    "--verify", "corpus", type=FILE, multiple=True, metavar="FILE",
    help="First compare both on its lines. Repeatable.",
)  # fmt: skip
@at_least_option
@errors_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    target: str,
    format: str | None,
    pattern: str | None,
    corpus: tuple[str, ...],
    at_least: float,
    errors: str,
    as_json: bool,
) -> None:
    """Write the tokenizer IN, a file, a folder or the name of an encoding, as the file OUT.

    What the format of OUT cannot hold is an error that names it. With --verify, OUT is written only
    if enough texts agree; otherwise the exit code is 3.
    """
    if as_json and not corpus:
        raise click.UsageError("--json prints what --verify finds; say --verify FILE too")
    name = format or by_name(Path(target))
    if name is None:
        raise OptionError(f"{target}: the end of this name is that of no format; {known()}")
    tok = kugiri.load(source, pattern=pattern)
    try:
        converted = kugiri.convert(tok, name)
    except FormatError as error:
        error.path = error.path or target
        raise
    if corpus:
        found = kugiri.verify(tok, converted, paths(corpus), errors=errors)
        report(found, as_json, (tok, converted))
        if not holds(found, at_least):
            asked = "not all texts agree" if at_least == 1 else "fewer texts agree than --at-least"
            say(f"kugiri: {target} is not written: {asked}")
            ctx.exit(LIMIT_BROKEN)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KugiriWarning)  # kugiri.convert has said what is not kept
        converted.save(target, name)
