"""The lattice against the obvious: all paths written out one by one."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri.reference.models.lattice import (
    Lattice,
    Node,
    backward,
    best_paths,
    count_paths,
    entropy,
    forward,
    marginals,
    sample,
    single,
)
from kugiri.reference.random_numbers import RandomNumbers

any_score = st.one_of(st.sampled_from([-1.0, -2.0, -3.0]), st.floats(-20, 1))


@st.composite
def lattices(draw: st.DrawFn, scores: st.SearchStrategy[float] = any_score) -> Lattice:
    """A text of a few characters, each of which is a piece; and some longer pieces."""
    length = draw(st.integers(0, 6))
    spans = [(start, start + 1) for start in range(length)]
    longer = [(s, e) for s in range(length) for e in range(s + 2, length + 1)]
    spans += draw(st.lists(st.sampled_from(longer), unique=True)) if longer else []
    return Lattice(length, [Node(id, *span, draw(scores)) for id, span in enumerate(spans)])


def all_paths(lattice: Lattice, place: int = 0) -> list[tuple[Node, ...]]:
    """Every way from a place to the end."""
    if place == lattice.length:
        return [()]
    return [
        (node, *rest) for node in lattice.starting[place] for rest in all_paths(lattice, node.end)
    ]


def score(path: tuple[Node, ...], *, float32: bool) -> float:
    """The sum of a path, from the left."""
    total = 0.0
    for node in path:
        total = single(total + node.score) if float32 else total + node.score
    return total


def by_rule(lattice: Lattice, *, float32: bool) -> list[tuple[Node, ...]]:
    """All paths, the highest sum first; among equal sums the one whose last piece is longer."""
    return sorted(
        all_paths(lattice),
        key=lambda path: (-score(path, float32=float32), [node.start for node in reversed(path)]),
    )


@given(lattice=lattices(), count=st.integers(1, 40), float32=st.booleans())
def test_best_paths(lattice: Lattice, count: int, float32: bool) -> None:
    if float32:
        lattice = Lattice(
            lattice.length, [node._replace(score=single(node.score)) for node in lattice.nodes()]
        )
    paths = best_paths(lattice, count, float32=float32)
    expected = by_rule(lattice, float32=float32)[:count]
    assert [path.score for path in paths] == [score(path, float32=float32) for path in expected]
    assert len({path.nodes for path in paths}) == len(paths) == min(count, count_paths(lattice))
    assert all(path.score == score(path.nodes, float32=float32) for path in paths)
    for path in paths:
        assert [node.end for node in path.nodes[:-1]] == [node.start for node in path.nodes[1:]]


@given(lattice=lattices(st.sampled_from([-1.0, -2.0, -3.0])), count=st.integers(1, 40))
def test_ties(lattice: Lattice, count: int) -> None:
    paths = best_paths(lattice, count)
    assert [path.nodes for path in paths] == by_rule(lattice, float32=False)[:count]


@given(lattice=lattices(), float32=st.booleans())
def test_more_paths_do_not_change_the_best(lattice: Lattice, float32: bool) -> None:
    many = best_paths(lattice, 10, float32=float32)
    for count in range(1, 11):
        assert best_paths(lattice, count, float32=float32) == many[:count]


@given(lattice=lattices(), alpha=st.sampled_from([0.0, 0.1, 1.0, 2.5]))
def test_all_paths_at_once(lattice: Lattice, alpha: float) -> None:
    paths = all_paths(lattice)
    weights = [math.exp(alpha * sum(node.score for node in path)) for path in paths]
    total = sum(weights)
    assert count_paths(lattice) == len(paths)
    assert forward(lattice, alpha)[-1] == pytest.approx(math.log(total), abs=1e-9)
    assert backward(lattice, alpha)[0] == pytest.approx(math.log(total), abs=1e-9)
    for node, share in marginals(lattice, alpha):
        through = sum(w for w, path in zip(weights, paths, strict=True) if node in path)
        assert share == pytest.approx(through / total, abs=1e-9)
    shares = [weight / total for weight in weights]
    uncertainty = -sum(share * math.log(share) for share in shares if share)
    assert entropy(lattice, alpha) == pytest.approx(uncertainty, abs=1e-7)


def test_samples_are_as_frequent_as_they_are_likely() -> None:
    nodes = [Node(0, 0, 1, -1.0), Node(1, 1, 2, -1.5), Node(2, 2, 3, -0.5), Node(3, 0, 2, -2.0)]
    lattice = Lattice(3, [*nodes, Node(4, 1, 3, -1.0)])
    numbers = RandomNumbers(1)
    drawn = [sample(lattice, 0.7, numbers).nodes for _ in range(20_000)]
    total = math.exp(forward(lattice, 0.7)[-1])
    for path in all_paths(lattice):
        share = math.exp(0.7 * sum(node.score for node in path)) / total
        assert drawn.count(path) / len(drawn) == pytest.approx(share, abs=0.012)


def test_far_from_zero_scores_are_told_apart() -> None:
    """At five millions a number of 32 bits has steps of 0.5; here 0.05 still decides."""
    length = 50_000
    nodes = [Node(0, place, place + 1, -100.0) for place in range(length)]
    nodes += [Node(1, place, place + 2, -200.05) for place in range(0, length, 2)]
    (path,) = best_paths(Lattice(length, nodes), float32=True)
    assert {node.id for node in path.nodes} == {0}
    assert path.score == -100.0 * length


def test_random_numbers_are_the_published_ones() -> None:
    numbers = RandomNumbers(1234567)
    assert [numbers.next() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
    assert RandomNumbers(-1).next() == RandomNumbers(2**64 - 1).next()


def test_fractions_cover_the_unit() -> None:
    numbers = RandomNumbers(7)
    drawn = sorted(numbers.fraction() for _ in range(2_000))
    assert 0 <= drawn[0] <= drawn[-1] < 1
    assert max(b - a for a, b in pairwise(drawn)) < 0.01


def test_choices() -> None:
    numbers = RandomNumbers(3)
    drawn = [numbers.choose([1.0, 0.0, 3.0]) for _ in range(4_000)]
    assert 1 not in drawn
    assert drawn.count(2) / 4_000 == pytest.approx(0.75, abs=0.03)
    assert numbers.choose([0.0, 0.0]) == 0


def test_a_seed_gives_the_same_in_every_process() -> None:
    code = (
        "from kugiri.reference.random_numbers import RandomNumbers as R; r = R(42);"
        "print([r.next() for _ in range(3)], [R(5).choose([.1, .2, .3]) for _ in range(3)])"
    )
    runs = {subprocess.check_output([sys.executable, "-c", code]) for _ in range(2)}
    assert len(runs) == 1
