"""How tokens and tables look; what is printed and nothing of how it came about."""

from __future__ import annotations

import io
import itertools
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any

import click

from kugiri.cli.layout import Column, drawn
from kugiri.explain.glyphs import is_bytes, visible
from kugiri.reference.vocab import show

if TYPE_CHECKING:
    from decimal import Decimal

    from rich.console import Console, RenderableType
    from rich.text import Text

    from kugiri.tokenizer import Tokenizer

PIPE_WIDTH = 10_000
"""Columns where nobody looks: no line is wrapped in a pipe."""

_UNITS = re.compile(r"<[^<>]{1,20}>|[0-9a-f]{2}(?=[ >])|[\d.,]{0,30}\d|.", re.DOTALL)
"""Names in brackets, bytes, numbers, and other characters."""

_turning: list[Console] = []
"""Where a sign turns now."""


def spelled(token: bytes | str) -> str:
    """A token as text; bytes that are no whole characters in hex."""
    return token if isinstance(token, str) else show(token)


def readable(token: bytes | str) -> str:
    r"""Return a token for the eye, with nothing in it that cannot be seen (explain/glyphs.py).

    Example:
        >>> readable(b"Amazon "), readable("小\n"), readable(b"\xe5\xb0"), readable("a\u200d")
        ('Amazon␠', '小␊', '<e5 b0>', 'a<ZWJ>')
    """
    return visible(spelled(token))


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters; what is cut out is `…`.

    Names in brackets and numbers are left whole or cut out.

    Example:
        >>> [shortened(text, 6) for text in ("吾輩は猫", "吾輩は猫である。", "a<NBSP>bc")]
        ['吾輩は猫', '吾輩は…る。', 'a…bc']
    """
    if len(text) <= most:
        return text
    units = _UNITS.findall(text)
    return f"{_first(units, most // 2)}…{_first(units[::-1], (most - 1) // 2, -1)}"


def _first(units: list[str], most: int, step: int = 1) -> str:
    """The units that are at most so long together, in the order of the text."""
    ends = itertools.accumulate(map(len, units))
    return "".join(units[: sum(1 for _ in itertools.takewhile(most.__ge__, ends))][::step])


def split(tok: Tokenizer, tokens: Iterable[str]) -> str:
    """Tokens in a line, `|` between them; the visible characters of bytes (Ġ) as what they are."""
    from kugiri.explain.vocabulary import reading

    return "|".join(readable(reading(tok, token)) for token in tokens)


def with_bars(tokens: Iterable[bytes | str], width: int) -> Text:
    """Tokens with | between them, never cut at the end of a line; parts of characters dimmed."""
    from rich.cells import cell_len
    from rich.text import Text

    text, used = Text("  "), 2
    for index, token in enumerate(map(readable, tokens)):
        text.append("|" if index else "", style="dim")
        used += cell_len(token) + 1
        if used > width:
            text.append("\n  ")
            used = 2 + cell_len(token) + 1
        text.append(token, style="cyan" if is_bytes(token) else "")
    return text


def bar(value: float, largest: float, width: int) -> str:
    """Return a bar as long as its share of `width` cells, in eighths of a cell.

    Example:
        >>> bar(5, 8, 4), bar(8, 8, 4), bar(0, 8, 4)
        ('██▌', '████', '')
    """
    eighths = round(8 * width * value / largest) if largest else 0
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def print_json(value: Any) -> None:
    """One JSON value on a line of its own."""
    print(json.dumps(value, ensure_ascii=False))


@contextmanager
def working(what: str, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """A turning sign on a terminal, nothing elsewhere; yields what changes the words beside it."""
    if quiet or not sys.stderr.isatty():
        yield lambda words: None
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True)
    with console.status(what) as status:
        _turning.append(console)
        try:
            # Names may look like markup, and must not speak to the terminal.
            yield lambda words: status.update(Text(harmless(words)))
        finally:
            _turning.pop()


def harmless(line: str) -> str:
    r"""A line of messages, in which names of the user's cannot speak to the terminal.

    Example:
        >>> harmless("measuring \x1b[31mmy model\u202e …")
        'measuring ␛[31mmy model<RLO> …'
    """
    return visible(line).replace("␠", " ")


def say(line: str) -> None:
    """Print a line on stderr; where a sign turns, above it."""
    line = harmless(line)
    if _turning:
        _turning[-1].print(line, markup=False, highlight=False, emoji=False, soft_wrap=True)
    else:
        click.echo(line, err=True)


def console() -> Console:
    """Stdout for tables; colours on a terminal only."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False)


class _Page(io.StringIO):
    """What is printed for a terminal before it is there."""

    def isatty(self) -> bool:
        """It will be on one."""
        return True


@contextmanager
def paged() -> Iterator[None]:
    """On a terminal show what is printed page by page; elsewhere print it."""
    if not sys.stdout.isatty():
        yield
        return
    with redirect_stdout(_Page()) as page:
        yield
    click.echo_via_pager(page.getvalue(), color=True)


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str | Text]], *, text: str | Sequence[str]
) -> None:
    """A table: the columns named in `text` are that, the others are numbers."""
    from rich.text import Text

    texts = (text,) if isinstance(text, str) else text
    lines = [[Text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    made = [
        Column(Text(name), [line[at] for line in lines], name in texts)
        for at, name in enumerate(columns)
    ]
    out = console()
    for number, table in enumerate(drawn(made, out.width)):
        if number:
            out.print()
        print_without_ends(out, table)


def print_without_ends(out: Console, drawing: RenderableType) -> None:
    """Print without spaces at the ends of lines."""
    with out.capture() as captured:
        out.print(drawing)
    out.file.writelines(f"{line.rstrip(' ')}\n" for line in captured.get().split("\n")[:-1])


def number_or_dash(number: int | None) -> str:
    """Return a number as it stands in a table; a dash for none.

    Example:
        >>> number_or_dash(1200), number_or_dash(None)
        ('1,200', '–')
    """
    return "–" if number is None else f"{number:,}"


def several(number: int, noun: str) -> str:
    """Return a number with its noun.

    Example:
        >>> several(1, "document"), several(1200, "document")
        ('1 document', '1,200 documents')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def ratio(numerator: int, denominator: int) -> float | None:
    """A quotient, or None where there is nothing to divide by."""
    return numerator / denominator if denominator else None


def decimal(value: float | None) -> str:
    """A quotient with three decimals."""
    return "–" if value is None else f"{value:.3f}"


def percent(before: Decimal | int, after: Decimal | int) -> float | None:
    """By how many percent more, or None where there was nothing."""
    from fractions import Fraction

    return float((Fraction(after) - Fraction(before)) / Fraction(before) * 100) if before else None


def in_percent(before: Decimal | int, after: Decimal | int) -> str:
    """Return the same as it stands in a table.

    Example:
        >>> in_percent(31, 15), in_percent(0, 1)
        ('-51.6 %', '–')
    """
    value = percent(before, after)
    return "–" if value is None else f"{value:+.1f} %"
