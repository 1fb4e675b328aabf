"""What the columns of `kugiri count` mean, in a line below them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kugiri.cli.display import console
from kugiri.cli.layout import broken

OVER = "! "
"""Before a share of the context that there is not."""
_MEANINGS = {
    "in": "in and out: the money for what is sent and for the answer",
    "context": "context: the share of it that both take",
    "fits": "fits: characters that would have room, at as many tokens for each as here",
    "attention": "attention: operations",
}


def legend(columns: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """What those columns mean that do not say it themselves.

    Example:
        >>> legend(["tokens", "context"], [["9", "! 112.5%"]])
        'context: the share of it that both take; ! does not fit'
    """
    said = [meaning for name, meaning in _MEANINGS.items() if name in columns]
    if any(cell.startswith(OVER) for row in cells for cell in row):
        said.append("! does not fit")
    return "; ".join(said)


def print_legend(columns: Sequence[str], cells: Iterable[Sequence[str]]) -> None:
    """The same below a table."""
    from rich.text import Text

    if line := legend(columns, cells):
        out = console()
        out.print(broken(Text(line), out.width), style="dim", soft_wrap=True)
