"""In which row each piece of a lattice is drawn.

Rule.    Pieces that do not overlap share a row. The best way has the first row to itself; the
         others come after it, the shortest first.
Cost.    The square of the number of pieces.
"""

from __future__ import annotations

from kugiri.explain.step_structure import Node


def lanes(nodes: list[Node]) -> list[list[Node]]:
    """The pieces, row by row.

    Example:
        >>> def node(start: int, end: int, best: bool) -> Node:
        ...     return Node("", 0, start, end, (0, 0), 0.0, 0.0, best)
        >>> rows = lanes([node(0, 1, False), node(0, 2, True), node(1, 2, False)])
        >>> [[(it.start, it.end) for it in row] for row in rows]
        [[(0, 2)], [(0, 1), (1, 2)]]
    """
    rows: list[list[Node]] = []
    for node in sorted(nodes, key=lambda it: (not it.is_best, it.end - it.start, it.start)):
        for row in rows:
            apart = all(node.end <= it.start or it.end <= node.start for it in row)
            if apart and row[0].is_best == node.is_best:
                row.append(node)
                break
        else:
            rows.append([node])
    return rows
