"""The lattice: every way to cut a text into pieces, and what can be asked of all of them at once.

Rule.    A node is a piece at its place in the text; a path from the beginning to the end is a way
         to cut the text, and its score the sum of those of its nodes. With scores that are
         logarithms of probabilities, a path has the probability exp(alpha · score) divided by the
         sum of that over all paths.
         Best paths: go through the text from the left, and keep for each place the best ways to
         get there. Among equal scores the way whose last piece begins first (the longest) wins.
         Probabilities: `forward` sums over all ways to get to a place, `backward` over all ways
         from there to the end; both together say how likely a piece is.
Cost.    O(n·k) for n characters and pieces of up to k; times the number of best paths asked for.
Source.  Kudo 2018; sentencepiece 0.2.3 for float32, ties, and for moving the zero of scores on very
         long texts, where float32 would no longer tell paths apart.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from ctypes import c_float
from typing import NamedTuple

from kugiri.reference.random_numbers import RandomNumbers

FAR_FROM_ZERO = 100_000.0
"""From this sum on, scores of 32 bits are counted from the present place on."""


class Node(NamedTuple):
    """A piece at its place: characters from start to end; id None for an unknown character."""

    id: int | None
    start: int
    end: int
    score: float


class Path(NamedTuple):
    """A way to cut the whole text."""

    nodes: tuple[Node, ...]
    score: float


class Lattice:
    """All pieces that stand in a text.

    Attributes:
        length: of the text, in characters.
        starting, ending: the nodes that start or end at each place, those that start first first.
    """

    def __init__(self, length: int, nodes: Iterable[Node] = ()) -> None:
        """Lay the nodes out by their places."""
        self.length = length
        self.starting: list[list[Node]] = [[] for _ in range(length + 1)]
        self.ending: list[list[Node]] = [[] for _ in range(length + 1)]
        for node in sorted(nodes, key=lambda node: (node.start, node.end)):
            self.starting[node.start].append(node)
            self.ending[node.end].append(node)

    def nodes(self) -> list[Node]:
        """All nodes in order of their places."""
        return [node for nodes in self.starting for node in nodes]


# ── the best paths ────────────────────────────────────────────────────────────────────────────
class _Way(NamedTuple):
    """A way to get to a place: its score, its last node, and the way to where that starts."""

    score: float
    node: Node | None = None
    before: _Way | None = None


def best_paths(lattice: Lattice, count: int = 1, *, float32: bool = False) -> list[Path]:
    """The paths of highest score, best first, all different; fewer than `count` if there are.

    Args:
        lattice: the pieces.
        count: how many paths at most.
        float32: round each sum to 32 bits, as SentencePiece does.

    Example:
        >>> lattice = Lattice(2, [Node(0, 0, 1, -1.0), Node(1, 1, 2, -1.0), Node(2, 0, 2, -3.0)])
        >>> [(path.score, [node.id for node in path.nodes]) for path in best_paths(lattice, 2)]
        [(-2.0, [0, 1]), (-3.0, [2])]
    """
    ways: list[list[_Way]] = [[] for _ in range(lattice.length + 1)]
    ways[0] = [_Way(0.0)]
    zero = 0.0
    for place in range(lattice.length):
        if float32 and ways[place] and abs(ways[place][0].score) > FAR_FROM_ZERO:
            zero += ways[place][0].score
            _move_zero(ways, place, ways[place][0].score)
        for node in lattice.starting[place]:
            for way in ways[place]:
                score = way.score + node.score
                _keep(ways[node.end], count, _Way(single(score) if float32 else score, node, way))
    return [Path(_nodes(way), zero + way.score) for way in ways[lattice.length]]


def _keep(ways: list[_Way], count: int, new: _Way) -> None:
    """Put a way where it belongs among the best, behind those that are as good."""
    ways.insert(bisect_right(ways, -new.score, key=lambda way: -way.score), new)
    del ways[count:]


def _move_zero(ways: list[list[_Way]], place: int, offset: float) -> None:
    """Count the scores of all places from here on from what the best way to here has."""
    for i in range(place, len(ways)):
        ways[i] = [way._replace(score=single(way.score - offset)) for way in ways[i]]


def single(number: float) -> float:
    """The nearest number of 32 bits."""
    return c_float(number).value


def _nodes(way: _Way) -> tuple[Node, ...]:
    nodes = []
    last: _Way | None = way
    while last is not None and last.node is not None:
        nodes.append(last.node)
        last = last.before
    return tuple(reversed(nodes))


# ── all paths at once ─────────────────────────────────────────────────────────────────────────
def count_paths(lattice: Lattice) -> int:
    """How many paths there are."""
    ways = [1] + [0] * lattice.length
    for place in range(1, lattice.length + 1):
        ways[place] = sum(ways[node.start] for node in lattice.ending[place])
    return ways[-1]


def forward(lattice: Lattice, alpha: float = 1.0) -> list[float]:
    """For each place the log of the sum of exp(alpha · score) over all ways to get there."""
    sums = [0.0]
    for place in range(1, lattice.length + 1):
        ways = [sums[node.start] + alpha * node.score for node in lattice.ending[place]]
        sums.append(_log_sum(ways))
    return sums


def backward(lattice: Lattice, alpha: float = 1.0) -> list[float]:
    """The same over all ways from there to the end."""
    sums = [0.0] * (lattice.length + 1)
    for place in reversed(range(lattice.length)):
        ways = [alpha * node.score + sums[node.end] for node in lattice.starting[place]]
        sums[place] = _log_sum(ways)
    return sums


def marginals(lattice: Lattice, alpha: float = 1.0) -> list[tuple[Node, float]]:
    """Each node with its probability: the share of the paths that go through it.

    Example:
        >>> lattice = Lattice(2, [Node(0, 0, 1, 0.0), Node(1, 1, 2, 0.0), Node(2, 0, 2, 0.0)])
        >>> [(node.id, round(share, 3)) for node, share in marginals(lattice)]
        [(0, 0.5), (2, 0.5), (1, 0.5)]
    """
    before, after = forward(lattice, alpha), backward(lattice, alpha)
    return [
        (node, math.exp(before[node.start] + alpha * node.score + after[node.end] - before[-1]))
        for node in lattice.nodes()
    ]


def entropy(lattice: Lattice, alpha: float = 1.0) -> float:
    """How uncertain the cut is, in nats: 0 for one path, log n for n equally likely ones.

    A path has the log probability alpha · score − Z, and the mean of a sum over nodes is the sum
    over nodes of their probabilities.
    """
    mean = sum(share * alpha * node.score for node, share in marginals(lattice, alpha))
    return max(0.0, forward(lattice, alpha)[-1] - mean)


def sample(lattice: Lattice, alpha: float, numbers: RandomNumbers) -> Path:
    """Draw a path by its probability: from the end on, each last piece by its share."""
    before = forward(lattice, alpha)
    nodes: list[Node] = []
    place = lattice.length
    while place:
        ending = lattice.ending[place]
        logs = [before[node.start] + alpha * node.score - before[place] for node in ending]
        nodes.append(ending[numbers.choose([math.exp(log) for log in logs])])
        place = nodes[-1].start
    nodes.reverse()
    return Path(tuple(nodes), sum(node.score for node in nodes))


def _log_sum(logs: list[float]) -> float:
    """The log of the sum of the exponentials; no way at all is minus infinity."""
    highest = max(logs, default=-math.inf)
    if math.isinf(highest):
        return highest
    return highest + math.log(sum(math.exp(log - highest) for log in logs))
