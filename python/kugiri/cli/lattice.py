"""The lattice of a Unigram model, drawn under the text.

Rule.    The text stands in a row, a column a character. Under it each piece stands where it does in
         the text, between two bars; pieces that do not overlap share a row, and the first row is
         the best way. What is wider than the window is drawn in parts.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from kugiri.cli.display import console, print_table
from kugiri.explain.glyphs import visible
from kugiri.explain.lanes import lanes
from kugiri.explain.step_structure import Node, UnigramSteps

LEAST = 0.001
"""Pieces that are less likely are counted, not shown."""


def print_lattice(model: UnigramSteps) -> None:
    """Print the pieces that are likely, under the text and in a table."""
    nodes = [node for node in model.lattice if node.is_best or node.probability >= LEAST]
    glyphs = [visible(character) for character in model.text]
    out = console()
    for first, last in _windows([cell_len(glyph) + 1 for glyph in glyphs], out.width - 1):
        for lane in [[], *lanes(nodes)]:
            if not lane or any(node.start < last and first < node.end for node in lane):
                out.print(_row(glyphs, lane, first, last), soft_wrap=True)
    rows = [
        (
            Text(visible(node.piece), "bold cyan" if node.is_best else ""),
            f"{node.start}–{node.end}",
            "–" if node.id is None else str(node.id),
            f"{node.score:.3f}",
            f"{node.probability:.3f}",
            "*" if node.is_best else "",
        )
        for node in nodes
    ]
    columns = ("piece", "at", "id", "score", "probability", "best")
    print_table(columns, rows, text=("piece", "at", "best"))
    if len(nodes) < len(model.lattice):
        out.print(f"and {len(model.lattice) - len(nodes):,} pieces less likely than {LEAST}")


def _windows(widths: list[int], width: int) -> Iterator[tuple[int, int]]:
    """The columns that fit side by side."""
    first = used = 0
    for at, its in enumerate(widths):
        if used + its > width and at > first:
            yield first, at
            first, used = at, 0
        used += its
    if widths:
        yield first, len(widths)


def _row(glyphs: list[str], lane: list[Node], first: int, last: int) -> Text:
    """One row of the drawing; without pieces it is the text itself."""
    edges = {node.start for node in lane} | {node.end for node in lane}
    row = Text()
    for at in range(first, last):
        row.append("│" if at in edges else " ", style="dim")
        inside = next((node for node in lane if node.start <= at < node.end), None)
        glyph = glyphs[at]
        if inside is None and lane:
            row.append(" " * cell_len(glyph))
        else:
            row.append(glyph, style="bold cyan" if inside is not None and inside.is_best else "")
    row.append("│" if last in edges else "", style="dim")
    row.rstrip()
    return row
