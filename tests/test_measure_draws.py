"""Draws, what intervals are worth, and what a seed decides."""

from __future__ import annotations

import numpy as np
import pytest

from kugiri.measure.compare import comparisons
from kugiri.measure.draws import GROUPS, Draws, ratio, student
from kugiri.measure.metrics import BY_NAME

# Of every table of Student's t: 97.5 %, by degrees of freedom.
STUDENT = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262,
    10: 2.228, 12: 2.179, 15: 2.131, 20: 2.086, 25: 2.060, 30: 2.042, 40: 2.021, 60: 2.000,
    120: 1.980, 999: 1.962,
}  # fmt: skip


@pytest.mark.parametrize("degrees", STUDENT)
def test_student_is_as_in_the_tables(degrees: int) -> None:
    assert student(degrees) == pytest.approx(STUDENT[degrees], rel=0.002, abs=0.0006)


@pytest.mark.parametrize("documents", [3, 5, 10, 20])
def test_false_differences_are_one_in_twenty(documents: int) -> None:
    """Two tokenizers that differ in every document, but not on the whole."""
    chance = np.random.default_rng(documents)
    draws = Draws(documents, 200, seed=0)
    false, trials = 0, 600
    for _ in range(trials):
        sizes = np.exp(chance.normal(5, 0.5, documents)).round() + 1
        drawn = {}
        for name in ("one", "other"):
            tokens = (sizes / 3 * np.exp(chance.normal(0, 0.2, documents))).round() + 1
            drawn[name] = draws.widened(ratio(draws.sum(sizes), draws.sum(tokens)))
        (compared,) = comparisons(BY_NAME["bytes_per_token"], "x", drawn)
        false += compared.differs
    assert 0.03 <= false / trials <= 0.085


def test_one_document_has_no_draws_and_many_are_hardly_widened() -> None:
    assert len(Draws(1, 100, seed=0)) == 1
    assert Draws(1, 100, seed=0).widened(np.array([5.0])).tolist() == [5.0]
    assert Draws(1000, 100, seed=0).widened(np.array([0.0, 1.0]))[1] == pytest.approx(1, abs=0.002)


def test_above_a_thousand_documents_neighbours_are_drawn_together() -> None:
    documents = 2 * GROUPS + 500
    draws = Draws(documents, 50, seed=0)
    assert draws.groups.tolist() == sorted(draws.groups.tolist())
    sizes = np.bincount(draws.groups)
    assert (len(sizes), set(sizes.tolist())) == (GROUPS, {2, 3})
    times = np.array([draws.sum(np.arange(documents) == document) for document in range(documents)])
    for first, second in ((0, 1), (2, 3), (2, 4)):
        together = draws.groups[first] == draws.groups[second]
        assert (times[first].tolist() == times[second].tolist()) == together
    # So many groups as there are, each as likely as the others.
    of_groups = times[np.searchsorted(draws.groups, np.arange(GROUPS))]
    assert of_groups.sum(axis=0).tolist() == [GROUPS] * 51
    assert of_groups[:, 0].tolist() == [1] * GROUPS
    assert of_groups[:, 1:].var() == pytest.approx(1, abs=0.05)
    assert of_groups[:, 1:].mean(axis=1).std() == pytest.approx(50**-0.5, rel=0.1)


def test_some_documents_alone_are_drawn() -> None:
    draws = Draws(5, 60, seed=3)
    kept = np.array([False, True, False, True, True])
    some, alike = draws.of(kept), Draws(3, 60, seed=3)
    values = np.array([100, 1, 100, 10, 1000])
    assert some.sum(values).tolist() == alike.sum(values[kept]).tolist()


def test_a_seed_decides_the_draws() -> None:
    numbers = np.arange(50)
    sums = [Draws(50, 40, seed).sum(numbers).tolist() for seed in (0, 0, 1)]
    assert sums[0] == sums[1] != sums[2]
    assert len(set(sums[0])) > 20
