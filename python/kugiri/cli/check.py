"""`kugiri check`: what is wrong, or could go wrong, with a tokenizer."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any
from unicodedata import normalize

import click

import kugiri
from kugiri.check import Findings
from kugiri.check.checks import CHECKS
from kugiri.check.finding import SEVERITIES, Check, Finding
from kugiri.check.subject import printable
from kugiri.cli import LIMIT_BROKEN
from kugiri.cli.display import console, print_table, several, shortened
from kugiri.cli.options import (
    FILE,
    examples,
    given,
    json_option,
    paths,
    pattern_option,
    reading_options,
)
from kugiri.corpus import Reading
from kugiri.errors import CorpusError

_LENGTH = 60
"""Characters of a case that are shown; --json has them whole."""
_CODES = 3
"""Code points that are shown of a text."""

ignore_from_option = click.option(
    "--ignore-from", "lists", multiple=True, metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The same, one in each line; # begins a comment.",
)  # fmt: skip
fail_on_option = click.option(
    "--fail-on", type=click.Choice([*SEVERITIES, "nothing"]), default="error",
    metavar="SEVERITY", help="Exit with 3 from this on (error); nothing: never.",
)  # fmt: skip


@click.command(
    "check",
    epilog=examples(
        "kugiri check tokenizer.json",
        "kugiri check my.model --corpus train.txt --ignore-from known.txt",
    ),
)
@click.argument("tokenizer", type=FILE, required=False)
@pattern_option
@click.option("--corpus", multiple=True, type=FILE, metavar="FILE", help="Text that it is for.")
@click.option("--only", multiple=True, metavar="CHECK", help="Only this check (see --list).")
@click.option("--ignore", multiple=True, metavar="ID", help="A finding, or a case: ID/TOKEN-ID.")
@ignore_from_option
@click.option("--cases", type=click.IntRange(min=0), metavar="N", help="Cases to show (10).")
@fail_on_option
@click.option("--list", "listed", is_flag=True, help="List the checks and what they find.")
@reading_options
@json_option
def command(
    tokenizer: str | None,
    pattern: str | None,
    corpus: tuple[str, ...],
    ignore: tuple[str, ...],
    lists: tuple[Path, ...],
    cases: int | None,
    fail_on: str,
    listed: bool,
    as_json: bool,
    only: tuple[str, ...],
    **reading: Any,
) -> None:
    """Look for what is wrong, or could go wrong, with TOKENIZER.

    Exits with 3 if something is as bad as --fail-on says.
    """
    if listed:
        if tokenizer is not None:
            raise click.UsageError("--list asks no tokenizer; leave out the file, or --list")
        rows = [dict(zip(_LISTED, row, strict=True)) for row in _rows()]
        click.echo(json.dumps({"schema": 1, "kinds": rows})) if as_json else _print_checks()
        return
    if tokenizer is None:
        raise click.UsageError("name the file of a tokenizer, or say --list")
    found = kugiri.check(
        kugiri.load(tokenizer, pattern=pattern),
        paths(corpus) or None,
        only=only,
        ignore=[*ignore, *(entry for path in lists for entry in _entries(path))],
        reading=Reading(**given(reading)),
        **given({"cases": cases}),
    )
    click.echo(found.to_json()) if as_json else _print(found)
    worst = found.worst()
    if fail_on != "nothing" and worst and SEVERITIES.index(worst) <= SEVERITIES.index(fail_on):
        click.get_current_context().exit(LIMIT_BROKEN)


def _entries(path: Path) -> list[str]:
    """What a list ignores."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path} is not UTF-8 (byte {error.start:,}); save the list so") from None
    return [entry for line in lines if (entry := line.partition("#")[0].strip())]


def _print(found: Findings) -> None:
    for finding in found.findings:
        _print_finding(finding)
    for name, reason in found.skipped.items():
        click.echo(f"skipped  {name}: {reason}")
    for entry in found.unused:
        click.echo(f"unused   nothing is like {entry}, which is to be ignored")
    numbers = Counter(finding.severity for finding in found.findings)
    said = [several(numbers[name], name) for name in SEVERITIES if numbers[name]]
    click.echo(f"{several(len(found.asked), 'check')}: {', '.join(said) or 'nothing found'}")


def _print_finding(finding: Finding) -> None:
    out = console()
    out.print(
        f"{finding.severity:<8} {finding.id}  {several(finding.count, 'case')}",
        highlight=False, markup=False, style="bold",
    )  # fmt: skip
    out.print(f"         {finding.message}", highlight=False, markup=False)
    for case in finding.cases:
        id = "" if case.id is None else f"{case.id}  "
        what, becomes = _told_apart(case.what, case.becomes)
        then = f"  →  {becomes}" if becomes else ""
        out.print(f"         · {id}{what}{then}", highlight=False, markup=False)
    if finding.count > len(finding.cases):
        out.print(f"         … and {finding.count - len(finding.cases):,} more", highlight=False)
    out.print(f"         To do: {finding.remedy}", highlight=False, markup=False)
    out.print()


def _told_apart(what: str, becomes: str) -> tuple[str, str]:
    r"""What is shown of a case; where two texts are drawn alike, with the code points that differ.

    Example:
        >>> _told_apart("\ufa19社", "神社")[1], _told_apart("a", "b")
        ('神社 (U+795E)', ('a', 'b'))
    """
    shown = [shortened(printable(text), _LENGTH) for text in (what, becomes)]
    if what != becomes and normalize("NFC", what) == normalize("NFC", becomes):
        for at, (one, other) in enumerate(((what, becomes), (becomes, what))):
            own = [f"U+{ord(it):04X}" for it in dict.fromkeys(one) if it not in other]
            shown[at] += f" ({' '.join(own[:_CODES])})" if own else ""
    return shown[0], shown[1]


def _needs(check: Check, kind: str) -> str:
    return "text" if kind in check.of_corpus else ""


_LISTED = ("finding", "severity", "what", "needs")


def _rows() -> list[tuple[str, str, str, str]]:
    return [
        (f"{check.name}.{name}", kind.severity, kind.message, _needs(check, name))
        for check in CHECKS.values()
        for name, kind in check.kinds.items()
    ]


def _print_checks() -> None:
    print_table(_LISTED, _rows(), text=_LISTED)
