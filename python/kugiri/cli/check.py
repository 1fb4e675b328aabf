"""`kugiri check`: what is wrong, or could go wrong, with a tokenizer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unicodedata import normalize

import click
import msgspec

import kugiri
from kugiri.check import Findings
from kugiri.check.checks import CHECKS
from kugiri.check.finding import SEVERITIES, Check, Finding
from kugiri.check.linter import as_entry
from kugiri.check.subject import printable
from kugiri.cli import LIMIT_BROKEN
from kugiri.cli.display import (
    console,
    print_table,
    print_without_ends,
    say,
    several,
    shortened,
)
from kugiri.cli.layout import broken, hanging
from kugiri.cli.options import (
    FILE,
    Whole,
    examples,
    given,
    json_option,
    paths,
    pattern_option,
    reading_options,
)
from kugiri.cli.spelled import as_typed
from kugiri.corpus import Reading
from kugiri.errors import CorpusError, OptionError

_CASES = 5
"""That are shown of a finding; --json has all."""
_LENGTH = 160
"""Characters of a case that are shown; --json has them whole."""
_SHORT = 70
"""Characters of the case of a note that is shown in brief."""
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
@click.option(
    "--ignore", multiple=True, metavar="ID", help="A check, finding or case: ID/TOKEN-ID."
)
@ignore_from_option
@click.option("--cases", type=Whole(min=0), metavar="N", help="Cases to show (5).")
@click.option("--notes", is_flag=True, help="Show notes in full, as --only does.")
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
    notes: bool,
    fail_on: str,
    listed: bool,
    as_json: bool,
    only: tuple[str, ...],
    **reading: Any,
) -> None:
    """Look for what is wrong, or could go wrong, with TOKENIZER.

    Errors and warnings are shown in full, of notes a line each; --json has all. Exits with 3 if
    something is as bad as --fail-on says.
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
        cases=_CASES if cases is None and not as_json else cases,
    )
    found = msgspec.structs.replace(found, tokenizer=tokenizer)
    click.echo(found.to_json()) if as_json else _print(found, whole=notes or bool(only))
    failing = [] if fail_on == "nothing" else SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    if ids := [it.id for it in found.findings if it.severity in failing]:
        say(f"kugiri: failed: {', '.join(ids)} (--fail-on {fail_on})")
        click.get_current_context().exit(LIMIT_BROKEN)


def _entries(path: Path) -> Iterator[str]:
    """What a list ignores."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path} is not UTF-8 (byte {error.start:,}); save the list so") from None
    for number, line in enumerate(lines, start=1):
        if entry := line.partition("#")[0].strip():
            try:
                yield as_entry(entry)
            except OptionError as error:
                raise OptionError(f"{path}, line {number}: {error}") from None


def _print(found: Findings, whole: bool) -> None:
    """The worst first, what was not looked for, and a last line that names what is bad."""
    full = [it for it in found.findings if whole or it.severity != "note"]
    brief = [it for it in found.findings if it not in full]
    for finding in full:
        _print_finding(finding)
    for columns, rows in (
        (("note", "cases", "what it says (--notes: in full)"),
         [(it.id, f"{it.count:,}", _brief(it)) for it in brief]),
        (("skipped", "why"), list(found.skipped.items())),
        (("unused", "why"), [(it, "nothing is like this, to be ignored") for it in found.unused]),
    ):  # fmt: skip
        if rows:
            print_table(columns, rows, text=[it for it in columns if it != "cases"])
            click.echo()
    from rich.text import Text

    out = console()
    out.print(broken(Text(_verdict(found)), out.width), soft_wrap=True)


def _brief(note: Finding) -> str:
    """What a note says; where it has one case, that too, which is a number most often."""
    if note.count != 1 or not note.cases:
        return note.message
    return f"{note.message}: {shortened(printable(note.cases[0].what), _SHORT)}"


def _verdict(found: Findings) -> str:
    """How many findings there are, and the ids of those that are bad."""
    if not found.asked:
        return "0 checks: nothing could be looked for"
    said = []
    for severity in SEVERITIES:
        ids = [it.id for it in found.findings if it.severity == severity]
        named = f" ({', '.join(ids)})" if ids and severity != "note" else ""
        said.append(f"{several(len(ids), severity) if ids else f'no {severity}s'}{named}")
    return f"{several(len(found.asked), 'check')}: {', '.join(said)}"


def _print_finding(finding: Finding) -> None:
    def line(first: str, text: str, style: str = "") -> None:
        print_without_ends(out, hanging(first, text, out.width, style))

    out = console()
    number = several(finding.count, "case")
    if finding.of is not None:
        number = f"{finding.count:,} of {several(finding.of, 'text')}"
    line(f"{finding.severity:<8} ", f"{finding.id}  {number}", "bold")
    line(_INDENT, finding.message)
    for case in finding.cases:
        id = "" if case.id is None else f"{case.id}  "
        what, becomes = _told_apart(case.what, case.becomes)
        then = f"  →  {becomes}" if becomes else ""
        line(f"{_INDENT}· ", f"{id}{what}{then}")
    if finding.count > len(finding.cases):
        more = finding.count - len(finding.cases)
        line(_INDENT, f"… and {more:,} more (--cases {finding.count})")
    line(f"{_INDENT}To do: ", _as_typed(finding.remedy))
    out.print()


_INDENT = " " * 9


def _as_typed(remedy: str) -> str:
    """A remedy with the options of training as they are typed."""
    from kugiri.cli.train import command as train

    options = {str(it.name): it for it in train.params if isinstance(it, click.Option)}
    return as_typed(remedy, options)


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
