"""Averages over corpora: macro is a mean of values, micro the value of all text together."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.measure.example import tokenizer_of
from kugiri.measure.metrics import METRICS
from kugiri.measure.report import Average, Report
from tests.measured import TOKENIZERS
from tests.strategies import texts

CATS, BYTES = tokenizer_of(["猫", "cat"]), tokenizer_of([])
BOTH = {"cats": CATS, "bytes": BYTES}


@pytest.fixture(autouse=True)
def _notes_may_come() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        yield


def average(report: Report, metric: str, tokenizer: str, over: str = "corpora") -> Average:
    (found,) = [
        it
        for it in report.averages
        if (it.metric, it.tokenizer, it.over) == (metric, tokenizer, over)
    ]
    return found


def test_by_hand() -> None:
    # 猫 and cat are a token each: 3 bytes each in both; " " and "a" have one. 6 / 2 and 5 / 3 bytes
    # to tokens, 11 / 5 together.
    corpora = {"x": ["猫", "cat"], "y": ["cat a"]}
    report = kugiri.measure(BOTH, corpora, metrics=["tokens", "bytes_per_token"])
    found = average(report, "bytes_per_token", "cats")
    assert (found.count, found.unit) == (2, "bytes/token")
    assert (found.macro, found.micro) == pytest.approx(((6 / 2 + 5 / 3) / 2, 11 / 5))
    assert average(report, "bytes_per_token", "bytes").micro == 1
    assert [it.metric for it in report.averages] == ["bytes_per_token"] * 2  # a sum has none


def test_languages_are_averaged_apart() -> None:
    aligned = {"en": ["cat", "a cat"], "ja": ["猫", "猫猫"], "zh": ["猫", "一"]}
    report = kugiri.measure(
        BOTH, {"x": ["a", "b"], "y": ["cat"]}, parallel=aligned, reference=BYTES
    )
    # English has 1 + 3 tokens, Japanese 1 + 2, Chinese 1 + 3; English itself has no ratio.
    found = average(report, "parity", "cats", "languages")
    assert found.count == 2
    assert (found.macro, found.micro) == pytest.approx(((3 / 4 + 4 / 4) / 2, 7 / 8))
    counts = {it.over: it.count for it in report.averages if it.metric == "bytes_per_token"}
    assert counts == {"corpora": 2, "languages": 3}
    assert {it.metric for it in report.averages} <= {it.name for it in METRICS if it.weight}


def test_a_corpus_counts_where_all_have_a_value() -> None:
    corpora = {"x": ["cat"], "signs": ["..."], "y": ["cat 猫"]}
    report = kugiri.measure(BOTH, corpora, metrics=["fertility", "bytes_per_token"])
    assert average(report, "fertility", "cats").count == 2
    assert average(report, "fertility", "cats").micro == (1 + 3) / 3
    assert average(report, "bytes_per_token", "cats").count == 3
    one = kugiri.measure(BOTH, {"x": ["cat"], "signs": ["..."]}, metrics=["fertility"])
    assert one.averages == []
    assert kugiri.measure(BOTH, {"x": ["cat"]}).averages == []


POOLED = [
    metric.name
    for metric in METRICS
    if metric.weight and metric.over == "corpus" and metric.name != "bits_per_byte"
]
"""Bits per byte have a model of each corpus, which all text together does not have."""


@given(
    name=st.sampled_from(sorted(TOKENIZERS)),
    corpora=st.lists(st.lists(texts.filter(bool), min_size=1, max_size=4), min_size=2, max_size=3),
)
def test_micro_is_the_value_of_all_text_together(name: str, corpora: list[list[str]]) -> None:
    tokenizers = {"a": TOKENIZERS[name]()}
    apart = kugiri.measure(
        tokenizers, {str(at): iter(its) for at, its in enumerate(corpora)}, metrics=POOLED, draws=0
    )
    every = [text for its in corpora for text in its]
    together = kugiri.measure(tokenizers, {"all": iter(every)}, metrics=POOLED, draws=0)
    for it in apart.averages:
        values = [value.value for value in apart.values if value.metric == it.metric]
        if None not in values:
            assert it.micro == pytest.approx(together.value(it.metric, "a", "all").value)
            assert it.macro == pytest.approx(sum(value or 0 for value in values) / len(values))
            assert it.count == len(corpora)


def test_a_sample_weighs_as_much_as_its_corpus() -> None:
    small, large = ["猫犬" for _ in range(20)], ["cat " * 9 for _ in range(900)]
    corpora = {"small": small, "large": large}
    whole, sampled = (
        average(
            kugiri.measure(BOTH, corpora, metrics=["byte_fallback_rate", "fertility"], sample=size),
            "fertility",
            "bytes",
        )
        for size in (1_000_000, 200)
    )
    assert sampled.macro == pytest.approx(whole.macro)
    assert sampled.micro == pytest.approx(whole.micro)


def rows(report: Report, width: int = 100) -> Sequence[str]:
    return report.table(width).splitlines()


def test_in_tables() -> None:
    corpora = {"x": ["猫", "cat"], "y": ["cat a"]}
    report = kugiri.measure(BOTH, corpora, metrics=["bytes_per_token"])
    (both,) = [row for row in rows(report) if row.startswith("2 corpora, macro / micro  ")]
    assert "2.333 / 2.200" in both
    assert "macro: every corpus weighs the same" in " ".join(rows(report))
    report = kugiri.measure(BOTH, corpora, metrics=["tokens", "bytes_per_token"])
    at = rows(report).index("All corpora, macro / micro")
    assert "2.333 / 2.200" in rows(report)[at + 2]
    assert "macro" not in " ".join(rows(msgspec.structs.replace(report, averages=[])))
