"""How large a vocabulary should be: published laws, curves, the recommendation, trainings."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kugiri
from kugiri import Recommendation, Sweep, recommend, sweep
from kugiri.errors import KugiriError, KugiriWarning, OptionError, TrainingError
from kugiri.vocabulary_size.curve import per_doubling
from kugiri.vocabulary_size.laws import (
    by_budget,
    by_derivative,
    by_loss,
    dimension_of,
    laws,
    optimal_flops,
    tokens_per_character,
)
from kugiri.vocabulary_size.plot import plot, save_plot
from kugiri.vocabulary_size.reasons import size_of
from processes import run_python
from sample_lines import HELD_OUT, LINES, TRAINING
from tests.conftest import sliced

# ── the laws, as Tao et al. 2024 give them ────────────────────────────────────────────────────
TABLE = [
    # parameters, dimension, approach 1, 2, 3, and 3 with a quarter and ten times of the FLOPs
    (33e6, 512, 5.8, 6.1, 4.7, 3.2, 8.8),
    (125e6, 768, 11.6, 12.5, 9.8, 6.7, 18.5),
    (350e6, 1024, 20.6, 22.1, 17.9, 12.3, 33.6),
    (1e9, 1536, 32.9, 35.4, 29.6, 20.3, 55.4),
    (2.87e9, 3200, 37.9, 41.0, 35.3, 24.3, 66.0),
    (7e9, 4096, 62.3, 67.5, 59.5, 41.0, 111),
    (13e9, 5120, 83.4, 90.5, 81.3, 56.0, 152),
    (70e9, 8192, 212, 231, 218, 150, 406),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]:.3g}")
def test_the_laws_give_the_published_sizes(row: tuple[float, ...]) -> None:
    parameters, dimension, *sizes = row
    assert dimension_of(parameters) == dimension
    flops = optimal_flops(parameters)
    found = [
        by_budget(parameters, int(dimension)),
        by_derivative(parameters, int(dimension)),
        *(by_loss(parameters, int(dimension), flops * times) for times in (1, 1 / 4, 10)),
    ]
    digits = [0 if size > 100 else 1 for size in sizes]
    assert [round(size / 1000, d) for size, d in zip(found, digits, strict=True)] == sizes
    assert [law.size for law in laws(parameters, int(dimension))] == found[:3]


@pytest.mark.parametrize(
    ("size", "tokens"), [(32_000, 0.2524), (65_536, 0.2374), (128_000, 0.2293)]
)
def test_tokens_of_english(size: int, tokens: float) -> None:
    assert round(tokens_per_character(size), 4) == tokens
    assert tokens_per_character(1_000_000) == tokens_per_character(200_000)


def test_the_flops_of_both_parameters_and_vocabulary() -> None:
    """C = 6 (N + V d) H f(V), here by hand of one character."""
    assert 6 * (7e9 + 65_536 * 4096) * tokens_per_character(65_536) == pytest.approx(
        1.0354e10, 1e-3
    )
    assert optimal_flops(7e9) == pytest.approx(7.05e21, 1e-3)


@pytest.mark.parametrize(
    ("parameters", "dimension"),
    [(1, 512), (50e6, 512), (50e6 + 1, 768), (200e9, 12288), (500e9, 16384), (1e15, 16384)],
)
def test_dimensions(parameters: float, dimension: int) -> None:
    assert dimension_of(parameters) == dimension


def test_the_third_law_is_the_least_loss() -> None:
    """Against all sizes tried one by one, with the loss as the paper writes it."""
    parameters, dimension, flops = 1e9, 1536, 3e20

    def loss(size: float) -> float:
        n, d, v = parameters / 1e6, dimension / 1e3, size / 1e3
        tokens = flops / 1e15 / (6 * (n + v * d))
        of_parameters = 1.8313852 / n**0.4466063
        of_vocabulary = 0.1958424 / (v * d) ** 0.6707375
        return -5.5327847 + of_parameters + of_vocabulary + 2.1241123 / tokens**0.4466063

    best = min(range(20_000, 60_000, 10), key=loss)
    assert abs(by_loss(parameters, dimension, flops) - best) <= 10


# ── curves ────────────────────────────────────────────────────────────────────────────────────
OPTIONS: list[Any] = [
    pytest.param({}, 900, id="bytes"),
    pytest.param({"pre_tokenizer": "none", "keep_characters": True}, 700, id="keep"),
    pytest.param({"special_tokens": ["<|end|>", "<unk>"]}, 700, id="special"),
    pytest.param(
        {"special_tokens": ["<s>"], "compatibility": "tokenizers"}, 700, id="special first"
    ),
    pytest.param({"unit": "char", "pre_tokenizer": "scripts"}, 1200, id="characters"),
    pytest.param({"unit": "char", "end_of_word": "_"}, 1400, id="end of word"),
    pytest.param({"unit": "char", "limit_alphabet": 300}, 600, id="limited alphabet"),
    pytest.param({"preset": "gpt2"}, 700, id="gpt2"),
]


@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
@pytest.mark.parametrize(("options", "largest"), OPTIONS)
def test_every_size_of_bpe_is_what_its_training_gives(
    options: dict[str, Any], largest: int
) -> None:
    """The curve knows all sizes from the largest; here each of several is trained by itself."""
    found = sweep(TRAINING, sizes=[largest], evaluation=HELD_OUT, **options)
    on_training, on_evaluation = found.curves
    assert (on_training.text, on_evaluation.text) == ("training", "evaluation")
    assert on_training.sizes.tolist() == list(range(int(on_training.sizes[0]), largest + 1))
    first = int(on_training.sizes[0])
    for size in sorted({first, first + 1, first + 7, (first + largest) // 2, largest}):
        alone = sweep(TRAINING, sizes=[size], evaluation=HELD_OUT, **options).tokenizers[0]
        assert alone.vocab_size == size
        for curve, texts in (on_training, TRAINING), (on_evaluation, HELD_OUT):
            if options.get("unit") == "char":
                continue  # what no token stands for cannot be encoded; see test_sweep.py
            assert curve.tokens_at(size) == int(alone.count_batch(texts).sum())
        assert on_training.merges is not None
        if size < largest:
            merges = size - first
            assert len(alone.merges) == merges
            shown = on_training.merges.occurrences(merges)
            assert int(shown.sum()) == on_training.tokens_at(size)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"unit": "char"},
        {"keep_characters": True},
        {"unit": "char", "end_of_word": "</w>"},
        {"normalizer": "nfkc", "pre_tokenizer": "whitespace"},
        {"normalizer": "bert", "pre_tokenizer": "bert"},
        {"preset": "japanese"},
        {"max_piece_length": 4, "min_frequency": 1},
    ],
)
def test_merges_save_what_their_training_recorded(options: dict[str, Any]) -> None:
    """N(k) = N(0) − what the first k merges saved, by the record of the training."""
    found = sweep(TRAINING, sizes=[1200], **options)
    curve, (tokenizer,) = found.curves[0], found.tokenizers
    assert curve.merges is not None
    applied = [merge.applied for merge in tokenizer.merges]
    assert curve.merges.times.tolist() == applied
    units = tokenizer.training["initial_tokens"]
    sums = np.cumsum([0, *(each or 0 for each in applied)])
    assert curve.tokens.tolist() == (units - sums).tolist()


def test_sizes_of_characters_on_both_texts() -> None:
    """With characters that have no token, which count as one unknown token each."""
    options: dict[str, Any] = {"unit": "char", "pre_tokenizer": "none"}
    sizes = [1100, 1200, 1300]
    found = sweep(TRAINING, sizes=sizes, evaluation=HELD_OUT, **options)
    for size, entry in zip(sizes, found.entries, strict=True):
        alone = sweep(TRAINING, sizes=[size], evaluation=HELD_OUT, **options).entries[0]
        assert entry.evaluation is not None
        assert alone.evaluation is not None
        assert alone.evaluation.unknown > 0
        pairs = [(entry.training, alone.training), (entry.evaluation, alone.evaluation)]
        for one, other in pairs:
            assert (one.tokens, one.unknown) == (other.tokens, other.unknown)
        for curve, counted in zip(found.curves, (entry.training, entry.evaluation), strict=True):
            assert curve.tokens_at(size) == counted.tokens


def test_counted_words_have_a_curve() -> None:
    words = kugiri.count_words(TRAINING)
    for corpus in (words, {"low": 5, "lower": 2, "newest": 6, "widest": 3}):
        found = sweep(corpus, sizes=[256, 262])
        curve = found.curves[0]
        assert curve.tokens_at(256) == found.training.bytes
        assert curve.tokens_at(262) == found.entries[1].training.tokens


def test_gains() -> None:
    curve = sweep(TRAINING, sizes=[1200]).curves[0]
    tokens = dict(zip(curve.sizes.tolist(), curve.tokens.tolist(), strict=True))
    assert curve.gain(300) == 1 - tokens[600] / tokens[300]
    assert curve.gain(601) is None
    assert curve.gain(9999) is None
    assert curve.tokens_at(255) is None
    assert curve.flat_from is None
    assert per_doubling((500, 800), (1000, 600)) == 0.25
    assert per_doubling((500, 800), (4000, 100)) == pytest.approx(0.5)
    assert per_doubling((500, 800), (500, 800)) is None
    first, second = sweep(TRAINING, sizes=[300, 600]).entries
    assert first.training.gain_per_doubling is None
    assert second.training.gain_per_doubling == pytest.approx(second.training.gain)


def test_where_a_curve_is_flat() -> None:
    """By every gain, where one word is most of a text."""
    curve = sweep(["abcd"] * 200_000 + LINES, sizes=[1200]).curves[0]
    flat = curve.flat_from
    gains = [curve.gain(size) for size in curve.sizes.tolist()]
    expected = next(
        size
        for size, gain in zip(curve.sizes.tolist(), gains, strict=True)
        if gain is not None and gain < 0.05
    )
    assert flat == expected


@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
def test_other_models_have_the_sizes_that_were_trained() -> None:
    sizes = [1300, 1400, 1500]
    found = sweep(
        TRAINING, sizes=sizes, models=["unigram", "wordpiece", "char"], evaluation=HELD_OUT
    )
    assert [(curve.model, curve.text) for curve in found.curves] == [
        ("unigram", "training"), ("unigram", "evaluation"),
        ("wordpiece", "training"), ("wordpiece", "evaluation"),
    ]  # fmt: skip
    for curve in found.curves:
        entries = [entry for entry in found.entries if entry.model == curve.model]
        for entry in entries:
            counted = getattr(entry, curve.text)
            assert curve.tokens_at(entry.vocab_size) == counted.tokens
        assert curve.summary()["points"] == [
            [entry.vocab_size, getattr(entry, curve.text).tokens] for entry in entries
        ]
        assert curve.gain(int(curve.sizes[-1])) is None
        before, after = entries[0], entries[1]
        assert curve.gain(before.vocab_size) == getattr(after, curve.text).gain_per_doubling


def test_the_summary_shows_as_many_points_for_each_doubling() -> None:
    curve = sweep(TRAINING, sizes=[1024]).curves[0]
    summary = curve.summary()
    sizes = [size for size, _ in summary["points"]]
    assert (sizes[0], sizes[-1], len(sizes), summary["every_size"]) == (256, 1024, 33, True)
    assert all(tokens == curve.tokens_at(size) for size, tokens in summary["points"])


# ── the bound of Gowda & May ──────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("least", [1, 2, 5, 30])
def test_shares_are_those_of_each_size(least: int) -> None:
    curve = sweep(TRAINING, sizes=[700]).curves[0]
    assert curve.merges is not None
    shares = curve.merges.shares_of(least)
    for merges in (0, 1, 100, 444):
        entries = curve.merges.merged(merges)
        expected = float((entries >= least).mean()) if merges else 1.0
        assert shares[merges] == pytest.approx(expected)


def test_a_short_text_bounds_the_size() -> None:
    found = sweep(TRAINING, sizes=[1200], evaluation=HELD_OUT)
    size = found.training.bytes
    free = recommend(found, parameters=1e9, dimension=64)
    assert (free.sufficient, free.training_flops) == (None, None)
    short = recommend(found, parameters=1e9, dimension=64, training_bytes=60 * size)
    assert short.sufficient == short.size < short.least == free.size
    curve = found.curves[0]
    assert curve.merges is not None
    for more, holds in ((0, True), (1, False)):
        entries = curve.merges.merged(short.size + more - 256)
        assert ((entries * 60 >= 100).mean() >= 0.95) == holds
    long = recommend(found, parameters=1e9, dimension=64, training_bytes=1e6 * size)
    assert (long.sufficient, long.size) == (None, free.size)
    nothing = recommend(found, parameters=1e9, dimension=64, training_bytes=10)
    assert (nothing.sufficient, nothing.size) == (0, free.size)
    assert any("so that is no bound" in reason for reason in nothing.reasons)


def test_the_alphabet_is_not_asked_how_often_it_stands() -> None:
    """Most of nearly a thousand characters are rare, and what is merged of them is not."""
    found = sweep(TRAINING, sizes=[1400], unit="char")
    bytes_ = 30 * found.training.bytes
    it = recommend(found, parameters=1e9, dimension=64, training_bytes=bytes_)
    assert it.sufficient
    assert int(found.curves[0].sizes[0]) < it.size == min(it.least, it.sufficient)


def test_one_line_again_and_again() -> None:
    """The first merges join bytes, so what they made stands; later ones take it away again."""
    found = sweep(["同じ行です。"] * 1000, sizes=[269])
    it = recommend(found, parameters=1e6, training_bytes=1e6)
    assert it.sufficient
    assert 256 < it.size == it.sufficient < it.least


def test_enough_text_is_enough_however_much_there_is() -> None:
    found = sweep(TRAINING, sizes=[1200], evaluation=HELD_OUT)
    needed = recommend(found, parameters=30_000, dimension=64).needs_bytes
    assert needed is not None
    for times in (1, 1.1, 2, 100, 1e6):
        it = recommend(found, parameters=30_000, dimension=64, training_bytes=times * needed)
        assert it.size == it.least
        assert "so there is enough" in it.reasons[-3]


def test_how_much_text_would_do() -> None:
    found = sweep(TRAINING, sizes=[1200], evaluation=HELD_OUT)
    small = recommend(found, parameters=30_000, dimension=64)
    assert small.needs_bytes is not None
    curve = found.curves[0]
    assert curve.merges is not None
    entries = np.sort(curve.merges.merged(small.size - 256))
    assert small.needs_bytes == 100 * found.training.bytes / entries[len(entries) // 20]
    enough = recommend(found, parameters=30_000, dimension=64, training_bytes=small.needs_bytes + 1)
    assert enough.size == small.size


# ── the recommendation ────────────────────────────────────────────────────────────────────────
def test_it_is_where_the_text_is_cheapest() -> None:
    found = sweep(TRAINING, sizes=[1200], evaluation=HELD_OUT)
    it = recommend(found, parameters=100_000, dimension=100)
    curve = found.curves[1]
    costs = {
        size: (100_000 + 100 * size) * tokens
        for size, tokens in zip(curve.sizes.tolist(), curve.tokens.tolist(), strict=True)
    }
    least = min(costs, key=lambda size: costs[size])
    assert (it.size, it.least, it.text, it.is_open) == (least, least, "evaluation", False)
    assert found.evaluation is not None
    point = next(point for point in it.steps if point.size == it.size)
    characters = found.evaluation.characters
    assert point.cost == 1
    assert point.flops_per_character == pytest.approx(2 * costs[least] / characters)
    assert point.embedding_parameters == 100 * least
    assert point.embedding_share == pytest.approx(100 * least / (100_000 + 100 * least))
    low, high = it.near
    assert low <= least <= high
    assert all(costs[size] <= 1.01 * costs[least] for size in range(low, high + 1))
    assert costs[low - 1] > 1.01 * costs[least] < costs[high + 1]


@pytest.mark.parametrize("times", [10, 30, 60, 100])
def test_all_that_will_do_is_near_and_learned(times: int) -> None:
    """Of a size that the text of the model bounds, too; with gaps in between, none is crossed."""
    found = sweep(TRAINING, sizes=[1200], evaluation=HELD_OUT)
    for parameters in (1e4, 1e5, 1e6):
        it = recommend(
            found, parameters=parameters, dimension=64, training_bytes=times * found.training.bytes
        )
        curve = found.curves[1]
        costs = (parameters + 64 * curve.sizes) * curve.tokens
        low, high = it.near
        inside = (curve.sizes >= low) & (curve.sizes <= high)
        assert low <= it.size <= high
        assert not it.sufficient or high <= it.sufficient
        assert low == high or (costs[inside] <= 1.01 * costs.min()).all()


def test_training_and_giving_differ_by_a_factor() -> None:
    found = sweep(TRAINING, sizes=[1200], evaluation=HELD_OUT)
    it = recommend(found, parameters=1e6, dimension=100, training_bytes=1e6)
    assert found.evaluation is not None
    assert it.training_flops is not None
    point = next(point for point in it.steps if point.size == it.size)
    characters = 1e6 * found.evaluation.characters / found.evaluation.bytes
    assert it.training_flops == pytest.approx(3 * point.flops_per_character * characters)
    assert it.laws == laws(1e6, 100, it.training_flops)


def test_embedding_parameters_of_known_models() -> None:
    """32,000 × 4,096 = 131 M, 128,000 × 4,096 = 524 M, and twice that if untied."""
    found = sweep(TRAINING, sizes=[1000])
    for untied, times in ((False, 1), (True, 2)):
        it = recommend(found, parameters=7e9, untied=untied)
        assert it.dimension == 4096
        assert all(point.embedding_parameters == times * point.size * 4096 for point in it.points)


def test_larger_models_have_larger_vocabularies() -> None:
    found = sweep(TRAINING, sizes=[1400], evaluation=HELD_OUT)
    sizes = [recommend(found, parameters=n, dimension=64).size for n in (1e4, 3e4, 1e5, 1e6, 1e9)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


@pytest.mark.filterwarnings("ignore::kugiri.KugiriWarning")
def test_a_model_of_the_sweep() -> None:
    found = sweep(TRAINING, sizes=[1100, 1400], models=["char", "unigram", "bpe"])
    assert recommend(found, parameters=1e6, dimension=8).model == "unigram"
    it = recommend(found, parameters=1e6, dimension=8, model="bpe")
    assert (it.model, it.text) == ("bpe", "training")
    unigram = recommend(found, parameters=1e6, dimension=8, training_bytes=1e9)
    assert unigram.sufficient is unigram.needs_bytes is unigram.last_applied is None
    assert unigram.size in {entry.vocab_size for entry in found.entries}


SWEEP = {"corpus": ["low lower"] * 9, "sizes": [256, 260]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parameters": 0}, "parameters is 0; it must be a finite number from 1"),
        ({"parameters": "7b"}, "parameters is '7b'"),
        ({"parameters": math.inf}, "parameters is inf"),
        ({"parameters": 1e9, "dimension": 0}, "dimension is 0; it must be a whole number from 1"),
        ({"parameters": 1e9, "training_bytes": -1}, "training_bytes is -1"),
        ({"parameters": 1e9, "model": "unigram"}, "unknown model 'unigram'"),
    ],
)
def test_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        recommend(sweep(["low lower"] * 9, sizes=[256, 260]), **options)


def test_baselines_alone_have_nothing_to_recommend() -> None:
    found = sweep(["low lower"] * 9, sizes=[4], models=["char"])
    with pytest.raises(OptionError, match="words or characters only"):
        recommend(found, parameters=1e6)


def test_a_text_without_a_token() -> None:
    found = sweep(["ab"] * 9, sizes=[256], evaluation=["  "], pre_tokenizer="whitespace")
    with pytest.raises(TrainingError, match="no token in it"):
        recommend(found, parameters=1e6)


# ── in words, and as a picture ────────────────────────────────────────────────────────────────
def recommended(**options: Any) -> Recommendation:
    return recommend(swept(), **{"parameters": 100_000, "dimension": 100, **options})


@cache
def swept() -> Sweep:
    return sweep(TRAINING, sizes=[1200], evaluation=HELD_OUT)


def test_reasons() -> None:
    it = recommended()
    said = "\n".join(it.reasons)
    assert f"the fewest FLOPs at {it.size:,} entries: with more" in said
    assert "evaluation text, of which no line stands in the training text" in said
    assert all(f"{law.size:,} ({law.name})" in said for law in it.laws)
    assert "each doubling that is known saves at least 5 % of the tokens" in said
    largest = "\n".join(recommended(parameters=1e12).reasons)
    assert "and hardly more at 1,200, where the sizes end and the text does not: the" in largest
    assert "so ask for sizes up to 4,000" in largest
    assert " on it costs at most 1 % more than that; how far up is not known" in largest
    assert "any of these will do" not in largest
    own = "\n".join(recommend(sweep(TRAINING, sizes=[400]), parameters=1e5).reasons)
    assert "the size is rather too large; give evaluation text" in own
    short = "\n".join(recommended(training_bytes=60 * swept().training.bytes).reasons)
    assert "entries occur 100 times or more up to a size of" in short
    assert "too little to tell" in "\n".join(recommended(training_bytes=1e12).reasons)
    assert "so that is no bound" in "\n".join(recommended(training_bytes=9).reasons)
    assert [size_of(number) for number in (999.6, 1e9, 2e18)] == ["1 kB", "1 GB", "2,000 PB"]


def test_where_the_sizes_end_and_where_the_text_does() -> None:
    sizes_end = recommended(parameters=1e12)
    assert (sizes_end.is_open, sizes_end.text_ends, sizes_end.largest) == (True, False, 1200)
    assert sizes_end.headline.startswith(f"at least {sizes_end.size:,} entries of bpe for 1,000,")
    with pytest.warns(KugiriWarning, match="vocab_size=99999 was not reached|no further pair"):
        found = sweep(TRAINING, sizes=[99_999], evaluation=HELD_OUT)
    it = recommend(found, parameters=1e12, dimension=100)
    assert (it.is_open, it.text_ends) == (True, True)
    said = "\n".join(it.reasons)
    assert f"hardly more at {it.largest:,}, where the text ends" in said
    assert "so give more text" in said
    closed = recommended()
    assert (closed.is_open, closed.text_ends) == (False, False)
    assert closed.headline == (
        f"{closed.size:,} entries of bpe for 100,000 parameters beside the vocabulary, "
        f"dimension 100"
    )
    short = recommended(parameters=1e12, training_bytes=60 * swept().training.bytes)
    assert (short.is_open, short.is_least_so_far) == (True, False)
    assert not short.headline.startswith("at least")


def test_evaluation_text_that_was_trained_on_is_named() -> None:
    # 4 of its 6 characters are a line of the training text.
    with pytest.warns(KugiriWarning, match=r"66.7% of the evaluation text stands in the training"):
        found = sweep(["abcd", "bcda"] * 9, sizes=[258], evaluation=["abcd", "xy"])
    assert found.seen == found.summary()["seen"] == 4 / 6
    said = "\n".join(recommend(found, parameters=1e5).reasons)
    assert "of which 66.7 % stands in the training text too" in said
    assert "so that the size is rather too large" in said
    assert swept().seen == 0
    assert sweep(["abcd"] * 9, sizes=[258]).seen is None
    counted = sweep({"abcd": 9}, sizes=[258], evaluation=["abcd"])
    assert counted.seen is None
    said = "\n".join(recommend(counted, parameters=1e5).reasons)
    assert "which words that came counted cannot be compared with" in said


def test_each_text_alone_wants_another_size() -> None:
    texts = {"one": HELD_OUT[:40], "other": HELD_OUT[40:]}
    for models in (["bpe"], ["wordpiece"]):
        sizes = [1200] if models == ["bpe"] else [1300, 1350, 1400]
        found = sweep(TRAINING, sizes=sizes, models=models, evaluation=HELD_OUT)
        it = recommend(found, parameters=50_000, dimension=100, texts=texts)
        for part, lines in zip(it.alone, texts.values(), strict=True):
            by_itself = sweep(TRAINING, sizes=sizes, models=models, evaluation=lines)
            expected = recommend(by_itself, parameters=50_000, dimension=100)
            assert (part.size, part.is_open) == (expected.size, expected.is_open)
            (curve,) = (each for each in by_itself.curves if each.text == "evaluation")
            tokens = curve.tokens_at(it.size)
            assert tokens is not None
            assert part.tokens_per_character == tokens / sum(map(len, lines))
        one, other = it.alone
        assert (one.name, other.name) == ("one", "other")
        (said,) = (reason for reason in it.reasons if reason.startswith("alone they want: one "))
        assert f", other {'at least ' * other.is_open}{other.size:,} (" in said
    assert recommend(found, parameters=50_000).alone == []
    with pytest.raises(TrainingError, match="the evaluation text 'b' is empty"):
        recommend(found, parameters=1e5, texts={"a": ["a"], "b": [""]})


def test_the_picture_shows_the_curve_the_size_and_the_laws(tmp_path: Path) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    it = recommended()
    spec = plot(it).to_dict(validate=False)
    rows = spec["datasets"]["rows"]
    assert {row["size"] for row in rows} == {p.size for p in (*it.points, *it.steps)}
    for suffix, begins in ((".svg", b"<svg"), (".png", b"\x89PNG"), (".PNG", b"\x89PNG")):
        save_plot(it, tmp_path / f"x{suffix}")
        assert (tmp_path / f"x{suffix}").read_bytes().startswith(begins)
    drawn = (tmp_path / "x.svg").read_text(encoding="utf-8")
    laws_named = [f"{law.name}, {law.size:,}" for law in it.laws]
    for word in (*laws_named, f"fewest FLOPs, {it.size:,} (band: ≤ 1 % dearer)", "English, by Tao"):
        assert f">{word}" in drawn
    assert "saved by a doubling" in drawn
    large = recommended(parameters=1e12)
    save_plot(large, tmp_path / "x.svg")
    assert f">cheapest so far, {large.size:,} (" in (tmp_path / "x.svg").read_text(encoding="utf-8")
    with pytest.raises(OptionError, match=r"FILE\.svg or FILE\.png; x\.pdf came"):
        save_plot(it, tmp_path / "x.pdf")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["x.PNG", "x.png", "x.svg"]


def test_without_the_extra_it_says_what_to_install() -> None:
    said = run_python(
        """
        import sys
        sys.modules["altair"] = None
        from kugiri.errors import KugiriError
        from kugiri.vocabulary_size.plot import check_plot
        try:
            check_plot("x.svg")
        except KugiriError as error:
            print(error)
        """
    )
    assert said.strip() == "plots need the package altair; pip install 'kugiri[report]'"
    assert issubclass(OptionError, KugiriError)


# ── on real text, against trained neighbours ──────────────────────────────────────────────────
@pytest.mark.parametrize("name", ["ja.txt.gz", "en.txt.gz"])
def test_its_neighbours_cost_more(name: str) -> None:
    """Half the size, the size and twice the size are trained by themselves, and encode."""
    lines = [line for line in sliced(name, 0.08).splitlines() if line.strip()]
    training, held_out = lines[::2], lines[1::2]
    parameters, dimension = 1.5e6, 256
    found = sweep(training, sizes=[4500], evaluation=held_out)
    it = recommend(found, parameters=parameters, dimension=dimension)
    assert not it.is_open
    costs = {}
    for size in (it.size // 2, it.size, 2 * it.size):
        alone = kugiri.train(training, vocab_size=size)
        assert alone.vocab_size == size
        tokens = int(alone.count_batch(held_out).sum())
        assert tokens == found.curves[1].tokens_at(size) or size > 4500
        costs[size] = (parameters + size * dimension) * tokens
    half, here, twice = costs.values()
    assert half > 1.01 * here
    assert twice > 1.01 * here


@pytest.mark.filterwarnings("ignore:character_coverage=0.9995 left out")
@pytest.mark.parametrize("model", ["unigram", "wordpiece"])
def test_of_the_sizes_of_another_model_it_is_the_cheapest(model: str) -> None:
    lines = [line for line in sliced("ja.txt.gz", 0.04).splitlines() if line.strip()]
    training, held_out = lines[::2], lines[1::2]
    sizes = [3000, 3600, 4300]
    found = sweep(training, sizes=sizes, models=[model], evaluation=held_out)
    it = recommend(found, parameters=4e6, dimension=256)
    costs = {}
    for size in sizes:
        alone = kugiri.train(training, model=model, vocab_size=size)
        costs[size] = (4e6 + size * 256) * int(alone.count_batch(held_out).sum())
    assert min(costs, key=lambda size: costs[size]) == it.size


# ── text that is lost ─────────────────────────────────────────────────────────────────────────
def test_unknown_tokens_are_among_the_reasons() -> None:
    # " ", "x" and "y" are unknown; "abab" is 4, 2 or 1 token: (1 + size) · tokens is 21, 20, 20.
    words = ["abab"] * 8
    found = sweep(words, sizes=[4], evaluation=["abab xy"], unit="char", pre_tokenizer="none")
    it = recommend(found, parameters=1, dimension=1)
    assert (it.size, it.tokens, it.unknown) == (3, 5, 3)
    assert [(point.size, point.unknown) for point in it.points] == [
        (2, 3 / 7), (3, 3 / 5), (4, 3 / 4),
    ]  # fmt: skip
    said = "\n".join(it.reasons)
    assert "3 of its 5 tokens (60.0 %) are unknown: each stands for text that is lost" in said
    assert "unknown are 42.9 % to 75.0 % of the tokens of the sizes that are compared" in said
    whole = recommend(sweep(words, sizes=[258], evaluation=["abab xy"]), parameters=1e6)
    assert (whole.unknown, {point.unknown for point in whole.points}) == (0, {0.0})
    assert "unknown" not in "\n".join(whole.reasons)


@pytest.mark.filterwarnings("ignore:character_coverage")
@pytest.mark.parametrize("model", ["wordpiece", "unigram"])
def test_unknown_tokens_of_each_size_that_was_trained(model: str) -> None:
    found = sweep(TRAINING, sizes=[1300, 1500], models=[model], evaluation=["☃ 猫☂"])
    (curve,) = (curve for curve in found.curves if curve.text == "evaluation")
    assert curve.unknown.tolist() == [
        entry.evaluation.unknown for entry in found.entries if entry.evaluation
    ]
    assert curve.unknown.min() > 0
