"""How a table becomes narrow enough for a terminal.

Rule.    No number is ever broken, and no word that fits into a line. Lines break behind a space, a
         slash and a bar. First the heads of columns give way, which costs one line, then the
         columns of text. What is too wide all the same is set below, with the first column again.
Cost.    One look at each cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

GAP = 2
"""Spaces between two columns."""
_PART = re.compile(r"(?:<[^<>]{1,20}>|[^\s/|])*[\s/|]+|(?:<[^<>]{1,20}>|[^\s/|])+")
"""Up to where a line may break; what is shown in brackets for one character is one part."""
_MOST = 30
"""Cells of a part that a column of text always has room for; a longer one may be cut."""


class Column(NamedTuple):
    """One column of a table.

    Attributes:
        head: its name.
        cells: below it.
        is_text: whether it may be broken; else its cells are numbers.
    """

    head: Text
    cells: list[Text]
    is_text: bool

    @property
    def width(self) -> int:
        """What it takes if there is room."""
        return max(it.cell_len for it in (self.head, *self.cells))

    @property
    def body(self) -> int:
        """What the cells take."""
        return max((it.cell_len for it in self.cells), default=0)

    @property
    def least(self) -> int:
        """What it takes at least."""
        return max(
            _longest(self.head),
            min(max(map(_longest, self.cells), default=0), _MOST) if self.is_text else self.body,
        )


def drawn(columns: Sequence[Column], width: int) -> Iterator[RenderableType]:
    """Yield the tables of which one is set below the other."""
    from rich.table import Table
    from rich.text import Text

    for group, widths in fitted(columns, width):
        table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
        heads = [broken(it.head, width) for it, width in zip(group, widths, strict=True)]
        high = max(head.plain.count("\n") for head in heads)
        for head, column, its in zip(heads, group, widths, strict=True):
            lower = Text("\n" * (high - head.plain.count("\n"))) + head
            justify: Literal["left", "right"] = "left" if column.is_text else "right"
            table.add_column(lower, justify=justify, overflow="fold", width=its)
        for row in zip(*(it.cells for it in group), strict=True):
            table.add_row(*map(broken, row, widths))
        yield table


def fitted(columns: Sequence[Column], width: int) -> list[tuple[list[Column], list[int]]]:
    """Return the columns that stand side by side, each with its width; what has no room, below.

    Example:
        >>> from rich.text import Text
        >>> names = Column(Text("file"), [Text("a/b.txt")], True)
        >>> sizes = Column(Text("bytes/token"), [Text("3.667")], False)
        >>> [widths for _, widths in fitted([names, sizes], 80)]
        [[7, 11]]
        >>> [widths for _, widths in fitted([names, sizes], 16)]
        [[7, 7]]
        >>> [widths for _, widths in fitted([names, sizes, sizes], 16)]
        [[7, 7], [7, 7]]
    """
    groups: list[list[Column]] = [[]]
    for column in columns:
        if len(groups[-1]) > 1 and _sum([it.least for it in (*groups[-1], column)]) > width:
            groups.append([columns[0]])
        groups[-1].append(column)
    return [(group, _widths(group, width)) for group in groups]


def _widths(columns: list[Column], width: int) -> list[int]:
    widths = [it.width for it in columns]
    for at, column in sorted(enumerate(columns), key=lambda it: it[1].body - it[1].width):
        if not column.is_text:
            excess = max(0, _sum(widths) - width)
            widths[at] = max(column.least, widths[at] - excess)
    texts = [at for at, column in enumerate(columns) if column.is_text]
    while _sum(widths) > width:
        loose = [at for at in texts if widths[at] > columns[at].least]
        if not loose:
            break
        widths[max(loose, key=widths.__getitem__)] -= 1
    return widths


def _sum(widths: list[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def hanging(first: str, text: str, width: int, style: str = "") -> RenderableType:
    """A text behind another one; its other lines stand below its first."""
    from rich.table import Table
    from rich.text import Text

    indent = Text(first).cell_len
    grid = Table.grid()
    grid.add_column(width=indent, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(first, style), broken(Text(text, style), width - indent))
    return grid


def broken(text: Text, width: int) -> Text:
    r"""Return a text in lines of at most so many cells; a part that is longer stays whole.

    Example:
        >>> from rich.text import Text
        >>> str(broken(Text("python/kugiri/sample/law.txt"), 14))
        'python/kugiri/\nsample/law.txt'
    """
    from rich.text import Text

    if text.cell_len <= width:
        return text
    at, used, places = 0, 0, []
    for part in _PART.findall(text.plain):
        if used and used + Text(part.rstrip()).cell_len > width:
            places.append(at)
            used = 0
        at += len(part)
        used += Text(part).cell_len
    lines = list(text.divide(places))
    for line in lines[:-1]:
        line.rstrip()
    return Text("\n").join(lines)


def _longest(text: Text) -> int:
    """The cells of the longest part."""
    from rich.cells import cell_len

    return max((cell_len(part.rstrip()) for part in _PART.findall(text.plain)), default=0)
