"""The n-gram model: by hand, against the formula written out, and the fast one beside it.

The oracle counts everything anew from the padded documents, with sets; it shares no line with the
model.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri import measure
from kugiri.encoding import Batch
from kugiri.errors import OptionError, VocabularyError
from kugiri.measure.draws import Floats
from kugiri.measure.example import observe, observed
from kugiri.measure.metrics import bits_per_byte
from kugiri.measure.metrics.bits_per_byte import METRIC
from kugiri.measure.ngram import (
    USUAL_DISCOUNTS,
    NGramModel,
    discounts,
    held_out_bits,
    hold_out,
    spelled,
)
from measured import bytes_bpe

VOCAB_SIZE = 4
EQUAL = [1 / (VOCAB_SIZE + 1)] * (VOCAB_SIZE + 1)
THIRDS = [1 / 3] * 3
documents = st.lists(st.lists(st.integers(0, VOCAB_SIZE - 1), max_size=8), max_size=8)


def equal(vocab_size: int) -> Floats:
    """Equal chances below order 1."""
    return np.full(vocab_size + 1, 1 / (vocab_size + 1))


def fast(
    learned: Sequence[Sequence[int]],
    asked: Sequence[Sequence[int]],
    order: int,
    vocab_size: int = VOCAB_SIZE,
    threads: int | None = None,
) -> list[float]:
    """The bits of the asked documents; they stand between the learned ones."""
    rows = [*learned[:1], *asked, *learned[1:]]
    held_out = np.zeros(len(rows), np.bool_)
    first = len(learned[:1])
    held_out[first : first + len(asked)] = True
    bits = held_out_bits(
        Batch.from_lists(rows), held_out, order=order, below=equal(vocab_size), threads=threads
    )
    assert not bits[~held_out].any()
    return bits[held_out].tolist()


# ── by hand ───────────────────────────────────────────────────────────────────────────────────
# Documents 0 1 and 0 0; vocabulary 0 and 1, the end is 2, the begin 3.
# Pairs: 30 twice; 01, 12, 00, 02 once. Before 0 stand two symbols, before 1 one, before 2 two: 5.
# Usual discounts. Order 1: mass 1·½ + 2·1 = 2½, below it 1/3 each.
ORDER_1 = {0: (2 - 1 + 2.5 / 3) / 5, 1: (1 - 0.5 + 2.5 / 3) / 5, 2: (2 - 1 + 2.5 / 3) / 5}
BY_HAND = [
    ((0,), {w: (0.5 + 1.5 * ORDER_1[w]) / 3 for w in (0, 1, 2)}),  # 0 1 2 stand behind it once
    ((1,), {0: 0.5 * ORDER_1[0], 1: 0.5 * ORDER_1[1], 2: 0.5 + 0.5 * ORDER_1[2]}),
    ((3,), {0: (2 - 1 + ORDER_1[0]) / 2, 1: ORDER_1[1] / 2, 2: ORDER_1[2] / 2}),
    ((2,), ORDER_1),  # nothing stands behind an end: all is left to order 1
    ((), ORDER_1),
]


@pytest.mark.parametrize(("context", "expected"), BY_HAND)
def test_by_hand(context: tuple[int, ...], expected: dict[int, float]) -> None:
    model = NGramModel([[0, 1], [0, 0]], order=2, below=THIRDS)
    assert {w: model.probability(w, context) for w in expected} == pytest.approx(expected)
    assert sum(expected.values()) == pytest.approx(1)


def test_the_bits_of_a_document_by_hand() -> None:
    of = dict(BY_HAND)
    expected = -math.log2(of[3,][0] * of[0,][1] * of[1,][2])
    assert NGramModel([[0, 1], [0, 0]], 2, THIRDS).bits([0, 1]) == pytest.approx(expected)
    assert fast([[0, 1], [0, 0]], [[0, 1]], 2, 2) == pytest.approx([expected])


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        # Y = 4/8; 1 − 2·½·2/4, 2 − 3·½·1/2, 3 − 4·½·1/1
        ({1: 4, 2: 2, 3: 1, 4: 1}, (0, 0.5, 1.25, 1)),
        ({1: 4, 2: 2, 3: 1}, USUAL_DISCOUNTS),  # none has the count 4
        ({2: 2, 3: 1, 4: 1}, USUAL_DISCOUNTS),
        ({1: 4, 2: 2, 3: 1, 4: 2}, USUAL_DISCOUNTS),  # 3 − 4·½·2/1 is below 0
        ({}, USUAL_DISCOUNTS),
    ],
)
def test_discounts(kinds: dict[int, int], expected: tuple[float, ...]) -> None:
    counts = Counter(
        {(kind, number): kind for kind, times in kinds.items() for number in range(times)}
    )
    assert discounts(counts) == pytest.approx(expected)


@pytest.mark.parametrize("order", [1, 2, 5])
def test_nothing_to_learn_from(order: int) -> None:
    """Every id and the end have the same chance."""
    assert fast([], [[0, 1, 2], []], order) == pytest.approx([4 * math.log2(5), math.log2(5)])


# ── properties ────────────────────────────────────────────────────────────────────────────────
@given(documents, st.integers(1, 5), st.lists(st.integers(0, VOCAB_SIZE + 1), max_size=4))
def test_probabilities_are_positive_and_sum_to_one(
    learned: list[list[int]], order: int, context: list[int]
) -> None:
    model = NGramModel(learned, order, EQUAL)
    behind = tuple(context[: order - 1])
    chances = [model.probability(symbol, behind) for symbol in range(VOCAB_SIZE + 1)]
    assert min(chances) > 0
    assert sum(chances) == pytest.approx(1, rel=1e-12)


def oracle(
    learned: Sequence[Sequence[int]], order: int, symbol: int, context: tuple[int, ...]
) -> float:
    """Chen and Goodman's formula, each count looked for in the text."""
    end, begin = VOCAB_SIZE, VOCAB_SIZE + 1
    padded = [[begin] * (order - 1) + [*document, end] for document in learned]

    def occurs(gram: tuple[int, ...]) -> int:
        size = len(gram)
        return sum(
            tuple(text[at : at + size]) == gram for text in padded for at in range(len(text))
        )

    def count(gram: tuple[int, ...]) -> int:
        if len(gram) == order:
            return occurs(gram)
        return sum(occurs((before, *gram)) > 0 for before in range(begin + 1))

    def all_grams(size: int) -> set[tuple[int, ...]]:
        starts = [(text, at) for text in padded for at in range(len(text) - size + 1)]
        grams = {tuple(text[at : at + size]) for text, at in starts}
        return {gram for gram in grams if gram[-1] != begin}

    def taken(size: int, of: int) -> float:
        kinds = Counter(map(count, all_grams(size)))
        usual = {0: 0.0, 1: 0.5, 2: 1.0, 3: 1.5}
        if not all(kinds[kind] for kind in (1, 2, 3, 4)):
            return usual[min(of, 3)]
        y = kinds[1] / (kinds[1] + 2 * kinds[2])
        own = {0: 0.0} | {k: k - (k + 1) * y * kinds[k + 1] / kinds[k] for k in (1, 2, 3)}
        good = all(0 < own[k] <= k for k in (1, 2, 3))
        return (own if good else usual)[min(of, 3)]

    def chance(context: tuple[int, ...]) -> float:
        below = chance(context[1:]) if context else 1 / (VOCAB_SIZE + 1)
        behind = [count((*context, w)) for w in range(VOCAB_SIZE + 1)]
        if not sum(behind):
            return below
        size = len(context) + 1
        left = sum(taken(size, each) for each in behind) / sum(behind)
        own = count((*context, symbol))
        return max(own - taken(size, own), 0) / sum(behind) + left * below

    return chance(context)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_the_model_is_the_formula(order: int, seed: int) -> None:
    drawn = random.Random(seed)
    weights = [8, 4, 2, 1]
    learned = [drawn.choices(range(VOCAB_SIZE), weights, k=drawn.randrange(9)) for _ in range(12)]
    model = NGramModel(learned, order, EQUAL)
    for _ in range(10):
        context = tuple(drawn.choices(range(VOCAB_SIZE + 2), k=order - 1))
        symbol = drawn.randrange(VOCAB_SIZE + 1)
        expected = oracle(learned, order, symbol, context)
        assert model.probability(symbol, context) == pytest.approx(expected, rel=1e-12)


@given(documents, documents, st.integers(1, 5))
def test_the_fast_model_is_the_readable_one(
    learned: list[list[int]], asked: list[list[int]], order: int
) -> None:
    model = NGramModel(learned, order, EQUAL)
    expected = [model.bits(document) for document in asked]
    assert fast(learned, asked, order) == pytest.approx(expected, rel=1e-12)


def zipfian(seed: int, texts: int, size: int, vocab_size: int) -> list[list[int]]:
    """Ids as frequent as words are: small ones often, so that all counts of counts occur."""
    drawn = random.Random(seed)
    weights = [1 / (id + 1) for id in range(vocab_size)]
    return [
        drawn.choices(range(vocab_size), weights, k=drawn.randrange(size)) for _ in range(texts)
    ]


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_the_fast_model_with_discounts_of_its_own(order: int) -> None:
    learned, asked = zipfian(1, 100, 40, 1000), zipfian(2, 10, 40, 1000)
    model = NGramModel(learned, order, equal(1000).tolist())
    assert model._discounts[0] != USUAL_DISCOUNTS
    expected = [model.bits(document) for document in asked]
    assert fast(learned, asked, order, 1000) == pytest.approx(expected, rel=1e-12)


def test_the_threads_do_not_matter() -> None:
    learned, asked = zipfian(3, 300, 60, 200), zipfian(4, 4000, 60, 200)
    one = fast(learned, asked, 5, 200, threads=1)
    assert all(fast(learned, asked, 5, 200, threads=threads) == one for threads in (2, 7, None))


# ── what is held out ──────────────────────────────────────────────────────────────────────────
def test_one_different_text_in_five_is_held_out() -> None:
    different = [str(number) for number in range(100)]
    assert hold_out(different).sum() == 20
    assert [int(hold_out(different[:number]).sum()) for number in (0, 1, 2, 9, 10)] == [
        0, 0, 1, 1, 2,
    ]  # fmt: skip


def test_copies_are_on_one_side_in_any_order() -> None:
    texts = [str(number % 37) for number in range(500)]
    sides = dict(zip(texts, hold_out(texts).tolist(), strict=True))
    shuffled = random.Random(0).sample(texts, len(texts))
    assert hold_out(shuffled).tolist() == [sides[text] for text in shuffled]
    assert sum(sides.values()) == 7


# ── the metric ────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("texts", [[], ["猫"], ["猫", "猫"], ["", ""]])
def test_a_text_that_cannot_be_divided_has_no_value(texts: list[str]) -> None:
    seen = observe(texts, merges=["猫"])
    assert np.isnan(METRIC.values(seen, seen.corpus.draws)[0])


def test_bits_per_byte_is_bits_by_bytes_of_what_is_held_out() -> None:
    texts = [f"{number} 猫がいる。cat {number % 7}" for number in range(50)]
    seen = observed(bytes_bpe(), texts)
    rows = [seen.batch[number].tolist() for number in range(len(texts))]
    held_out = seen.corpus.held_out
    model = NGramModel(
        [row for row, held in zip(rows, held_out, strict=True) if not held],
        order=5,
        below=bits_per_byte.chances(seen).tolist(),
    )
    asked = [number for number in range(len(texts)) if held_out[number]]
    bits = sum(model.bits(rows[number]) for number in asked)
    size = sum(len(texts[number].encode()) for number in asked)
    values = METRIC.values(seen, seen.corpus.draws)
    assert values[0] == pytest.approx(bits / size)
    assert np.isfinite(values).all()


def test_few_held_out_documents_have_an_interval_and_one_has_none() -> None:
    cats, letters = bytes_bpe(), observe([], merges=[]).tokenizer
    for documents, held_out in ((9, 1), (10, 2), (15, 3)):
        texts = {"x": [f"{number} cat {number % 7}" for number in range(documents)]}
        report = measure({"cats": cats, "letters": letters}, texts, metrics=["bits_per_byte"])
        found = report.value("bits_per_byte", "cats", "x")
        assert (found.low is None) == (held_out < 2)
        assert len(report.comparisons) == (held_out >= 2)
        assert report.details[0].tables[0].rows[1][1] == held_out


def test_draws_are_of_what_is_held_out() -> None:
    seen = observe([f"{number} cat {number % 7}" for number in range(50)], merges=[])
    draws = METRIC.drawn_from(seen.corpus)
    held_out = seen.corpus.held_out
    assert set(draws.sum(held_out).tolist()) == {10.0}
    assert set(draws.sum(~held_out).tolist()) == {0.0}
    values = METRIC.values(seen, draws)
    assert values[0] == pytest.approx(METRIC.values(seen, seen.corpus.draws)[0], rel=1e-12)
    assert values[1:].std() > 0


def test_the_size_of_a_vocabulary_does_not_matter() -> None:
    """Tokens that never occur, and other ids for those that do, change no value."""
    texts = [f"{number} 猫がいる。cat {number % 7}" for number in range(60)]
    few = observe(texts, merges=["猫が", "cat"])
    many = observe(texts, merges=["犬", "犬は", "猫が", "bird", "cat", "xyzzy"])
    assert few.tokens.tolist() == many.tokens.tolist()
    assert len(few.vocabulary) < len(many.vocabulary)
    values = [METRIC.values(seen, seen.corpus.draws) for seen in (few, many)]
    assert values[0] == pytest.approx(values[1], rel=1e-12)


@pytest.mark.parametrize(
    ("texts", "counts", "expected"),
    [
        # one document, a twice: a 2 + 1, ends 2 + 1 + 1, 255 other bytes; of 262
        ([b"a", b""], [2, 0], [3 / 262 * 4 / 262, 4 / 262, 4 / 262]),
        ([b"a" * 2000], [0], [2.0**-900, 2 / 258]),  # too long for a float
    ],
)
def test_what_was_never_met_is_spelled(
    texts: list[bytes], counts: list[int], expected: list[float]
) -> None:
    assert spelled(texts, np.array(counts), 1) == pytest.approx(expected)


def test_threads_are_those_that_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def bits(*args: object, threads: int | None = None, **options: object) -> object:
        asked.append(threads)
        return held_out_bits(*args, threads=threads, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(bits_per_byte, "held_out_bits", bits)
    texts = {"x": [f"{number} cat" for number in range(20)]}
    for threads in (1, 2):
        measure({"a": bytes_bpe()}, texts, metrics=["bits_per_byte"], threads=threads)
    assert asked == [1, 2]


def test_what_can_be_foreseen_takes_few_bits() -> None:
    """A text of one repeated line, and one of random digits, which no model can foresee."""
    drawn = random.Random(0)
    plain = [f"the cat sat on the mat {number:04}" for number in range(500)]
    noise = ["".join(drawn.choices("0123456789", k=27)) for _ in range(500)]
    values = []
    for texts in (plain, noise):
        seen = observe(texts, merges=[])
        values.append(METRIC.values(seen, seen.corpus.draws)[0])
    assert values[0] < 0.7
    assert math.log2(10) < values[1] < 4


# ── wrong input ───────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("order", [0, 6])
def test_orders_that_are_not_there(order: int) -> None:
    with pytest.raises(OptionError, match=f"order is {order}; it must be 1 to 5"):
        fast([[0]], [[0]], order)


def test_an_id_beyond_the_vocabulary() -> None:
    with pytest.raises(VocabularyError, match="id 9 is not in a vocabulary of 4 tokens"):
        fast([[9]], [[0]], 2)


def test_documents_that_do_not_fit() -> None:
    with pytest.raises(OptionError, match="do not fit"):
        held_out_bits(Batch.from_lists([[0]]), np.zeros(2, np.bool_), order=1, below=equal(4))
