"""Draws, what intervals are worth, and what a seed decides."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kugiri
from kugiri.corpus import Reading
from kugiri.measure.compare import comparisons
from kugiri.measure.corpora import Choices
from kugiri.measure.draws import GROUPS, Draws, ratio, student
from kugiri.measure.example import tokenizer_of
from kugiri.measure.metrics import BY_NAME

ROOT = Path(__file__).parents[1]

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


# ── samples ───────────────────────────────────────────────────────────────────────────────────
LINES = [f"猫がいる{number}" * (1 + number % 7) for number in range(500)] + ["猫"] * 100


def sampled(seed: int, lines: list[str] = LINES, most: int = 6_000) -> list[str]:
    choices = Choices(Reading(), seed, draws=0, sample=most, segmenter="icu", word_list=None)
    sizes = np.array([len(line.encode()) for line in lines])
    chosen = choices.sampled(lines, sizes, most)
    assert chosen is not None
    assert sorted(set(chosen.tolist())) == chosen.tolist()
    return [lines[at] for at in chosen]


def test_a_sample_is_drawn_by_the_seed_from_everywhere() -> None:
    samples = [sampled(seed) for seed in range(60)]
    assert samples[0] == sampled(0)
    assert len({tuple(its) for its in samples}) == 60
    times = np.array([sum(line in its for its in samples) for line in LINES[:500]])
    share = np.mean([len(its) for its in samples]) / len(LINES)
    # As often as chance has it, whatever the place and the length.
    assert times.mean() / 60 == pytest.approx(share, rel=0.05)
    assert times.var() == pytest.approx(60 * share * (1 - share), rel=0.25)
    for part in (slice(0, 250), slice(250, 500), slice(0, 500, 7), slice(6, 500, 7)):
        assert times[part].mean() / 60 == pytest.approx(share, rel=0.15)
    # Copies are drawn one by one.
    copies = np.array([its.count("猫") for its in samples])
    assert copies.mean() == pytest.approx(100 * share, rel=0.1)
    assert copies.std() == pytest.approx((100 * share * (1 - share)) ** 0.5, rel=0.35)


def test_a_sample_is_the_same_in_any_order() -> None:
    shuffled = random.Random(1).sample(LINES, len(LINES))
    assert sorted(sampled(3)) == sorted(sampled(3, shuffled))


def test_the_order_of_documents_does_not_matter_to_metrics_of_a_sample() -> None:
    tokenizer = tokenizer_of(["猫", "いる"])
    values = [
        {
            it.metric: it.value
            for it in kugiri.measure({"a": tokenizer}, {"x": lines}, draws=0, sample=6_000).values
        }
        for lines in (LINES, random.Random(1).sample(LINES, len(LINES)))
    ]
    assert values[0] == pytest.approx(values[1], nan_ok=True)


# ── the same everywhere ───────────────────────────────────────────────────────────────────────
MEASURE = """
import sys, warnings, kugiri
from kugiri.measure.metrics import METRICS
warnings.simplefilter("ignore")
sample = "python/kugiri/sample/"
lines = open(sample + "japanese.txt", encoding="utf-8").read().splitlines()
tokenizers = {
    "bytes": kugiri.train(lines[:99], vocab_size=500, preset="gpt2"),
    "unigram": kugiri.train(lines, model="unigram", vocab_size=900, hard_vocab_limit=False),
}
report = kugiri.measure(
    tokenizers, {"ja": lines, "en": sample + "english.txt"}, reference=tokenizers["bytes"],
    parallel={"en ": lines[:50], "ja ": lines[50:100]}, reference_language="en ",
    metrics=[it.name for it in METRICS if it.repeats], threads=int(sys.argv[1]), sample=9_000,
)
sys.stdout.buffer.write(report.to_json())
"""
PROCESSORS = {
    "usual": {},
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell", "OPENBLAS_NUM_THREADS": "1"},
    "Sandybridge": {"OPENBLAS_CORETYPE": "Sandybridge"},
    "Prescott": {"OPENBLAS_CORETYPE": "Prescott", "OPENBLAS_NUM_THREADS": "2"},
    "without AVX": {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX2 FMA3 AVX512F"},
}


def test_a_report_is_the_same_on_every_processor_and_with_any_threads() -> None:
    found = {}
    for number, (name, changes) in enumerate(PROCESSORS.items()):
        for threads in (1, 2) if name == "usual" else (1 + number % 2,):
            done = subprocess.run(
                [sys.executable, "-W", "ignore", "-c", MEASURE, str(threads)],
                env=os.environ | changes, capture_output=True, check=True, cwd=ROOT,
            )  # fmt: skip
            found[name, threads] = done.stdout
    assert json.loads(found["usual", 1])["comparisons"]
    assert [it for it, report in found.items() if report != found["usual", 1]] == []
