"""The metrics of words, worked out by hand, on tokenizers of every kind and on hostile texts."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.measure.draws import Draws
from kugiri.measure.example import observed, tokenizer_of
from kugiri.measure.metrics import BY_NAME
from kugiri.measure.observation import Observation
from kugiri.measure.places import Places, TextBytes
from kugiri.measure.words import boundaries, touched
from kugiri.segmenters import Segments, Words, segmenter
from kugiri.unicode import WHITE_SPACE
from measured import TOKENIZERS
from strategies import texts
from test_segmenters import HOSTILE, ready

NAMES = [
    "graphemes_per_token",
    "fertility",
    "continued_words",
    "single_token_retention",
    "morpheme_boundary_precision",
    "morpheme_boundary_recall",
    "bits_per_byte",
]

# The segments of "icu" and the tokens stand in front of each row.
ROWS = {
    # 世界中|の|猫, nine bytes, <e3 81> <ae>, 猫 · cat| |cat, cat ␠ cat · nothing
    "bytes_bpe": (
        ["世界中の猫", "cat cat", ""],
        {
            "graphemes_per_token": 12 / 15,
            "fertility": 15 / 5,
            "continued_words": 2 / 5,  # 世界中, の
            "single_token_retention": 2 / 4,  # 猫, cat
            # behind each of 9 bytes, <e3 81>, <ae> · cat, on whichever side of the space
            "morpheme_boundary_precision": 3 / 12,
            "morpheme_boundary_recall": 3 / 3,
        },
    ),
    # cat ##s the [UNK] for the comma, [UNK] for catx; nothing stands for a space
    "wordpiece": (
        ["Cats the, catx"],
        {
            "graphemes_per_token": 14 / 5,
            "fertility": 5 / 3,
            "continued_words": 1 / 3,
            "single_token_retention": 1 / 3,  # the; catx is one token too, but an unknown one
            "morpheme_boundary_precision": 3 / 4,
            "morpheme_boundary_recall": 3 / 3,
        },
    ),
    # ▁ 猫 と 犬; the ▁ stands nowhere. By itself 犬 is ▁犬, 猫 is ▁ 猫: both are one token
    "identity_unigram": (
        ["猫と犬"],
        {
            "fertility": 4 / 3,
            "continued_words": 0,
            "single_token_retention": 3 / 3,
            "morpheme_boundary_precision": 1,
            "morpheme_boundary_recall": 1,
        },
    ),
    # a b 猫 <unk>; words: ab 猫 x
    "character_level": (
        ["ab猫x"],
        {
            "fertility": 4 / 3,
            "continued_words": 1 / 3,
            "single_token_retention": 1 / 3,
            "morpheme_boundary_precision": 2 / 3,
            "morpheme_boundary_recall": 1,
        },
    ),
    # <ab e3> holds the end of 猫 and the beginning of は: it touches both words
    "straddling_bpe": (
        ["猫は"],
        {
            "fertility": 5 / 2,
            "continued_words": 1,
            "morpheme_boundary_precision": 0,
            "morpheme_boundary_recall": 0,
        },
    ),
}


def measured(name: str, seen: Observation) -> float:
    return float(BY_NAME[name].values(seen, seen.corpus.draws)[0])


def seen_with(name: str, documents: Sequence[str], **of_corpus: object) -> Observation:
    seen = observed(TOKENIZERS[name](), documents)
    return seen.on(replace(seen.corpus, **of_corpus))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ROWS)
def test_by_hand(name: str) -> None:
    documents, expected = ROWS[name]
    seen = observed(TOKENIZERS[name](), documents)
    assert {metric: measured(metric, seen) for metric in expected} == pytest.approx(expected)


def test_another_segmenter() -> None:
    ready("mecab-ipadic")
    seen = seen_with("bytes_bpe", ["すもももももももものうち"], segmenter="mecab-ipadic")
    assert len(seen.corpus.words.starts) == 7
    assert measured("fertility", seen) == seen.tokens[0] / 7


def test_a_given_list_of_words() -> None:
    """No draw of documents says anything about it."""
    seen = seen_with("bytes_bpe", ["x"] * 5, word_list=("猫", "cat", "犬", "猫"))
    values = BY_NAME["single_token_retention"].values(seen, seen.corpus.draws)
    assert values[0] == 2 / 3
    assert np.isnan(values[1:]).all()
    nothing = seen_with("bytes_bpe", ["x"], word_list=())
    assert np.isnan(measured("single_token_retention", nothing))


def test_details_say_which_words() -> None:
    metric = BY_NAME["continued_words"]
    assert metric.details is not None
    tables = metric.details(seen_with("bytes_bpe", ["the cat the cats", "a cat"]))
    assert tables[0].rows == [(1, 3, 0.5), (2, 1, 0.1667), (3, 2, 0.3333)]
    assert tables[1].rows == [("the", 2, 3.0), ("cats", 1, 2.0)]
    assert msgspec.json.decode(msgspec.json.encode(tables))


@pytest.mark.parametrize("documents", [[], [""], ["", " ", "。"]])
@pytest.mark.parametrize("name", ["fertility", "continued_words", "single_token_retention"])
def test_a_share_of_nothing(name: str, documents: list[str]) -> None:
    values = BY_NAME[name].values(*_and_draws(seen_with("bytes_bpe", documents)))
    assert np.isnan(values).all()


def _and_draws(seen: Observation) -> tuple[Observation, Draws]:
    return seen, seen.corpus.draws


# ── properties ────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("metric", NAMES)
@pytest.mark.parametrize("name", TOKENIZERS)
def test_hostile_texts(name: str, metric: str) -> None:
    documents = [text[:3000] for text in HOSTILE] + ["猫" * 3000, "a" * 10_000]
    seen = seen_with(name, documents)
    values = BY_NAME[metric].values(*_and_draws(seen))
    assert len(values) == len(seen.corpus.draws)
    assert np.isfinite(values[0])
    assert values[0] >= 0
    if BY_NAME[metric].unit.startswith("share"):
        assert values[0] <= 1
    details = BY_NAME[metric].details
    if details is not None:
        assert msgspec.json.encode(details(seen))


@pytest.mark.parametrize("metric", NAMES)
def test_the_order_of_documents_does_not_matter(metric: str) -> None:
    documents = ["the cat", "猫がいる", "cats", "世界中の猫", "", "the cat", "a b c 猫"] * 3
    shuffled = random.Random(1).sample(documents, len(documents))
    one, other = (measured(metric, seen_with("bytes_bpe", each)) for each in (documents, shuffled))
    assert one == pytest.approx(other, rel=1e-12)


@given(st.lists(texts, max_size=6))
def test_a_word_is_touched_by_what_shares_a_byte_with_it(documents: list[str]) -> None:
    seen = seen_with("bytes_bpe", documents)
    words, text = seen.corpus.words, seen.corpus.text
    tokens = list(zip(*(column.tolist() for column in seen.places), strict=True))
    expected = []
    for number, start in enumerate(text.byte_starts[:-1].tolist()):
        for at in range(words.offsets[number], words.offsets[number + 1]):
            first, last = words.starts[at] + start, words.ends[at] + start
            expected.append(sum(max(first, a) < min(last, b) for a, b in tokens))
    assert seen.tokens_of_words.tolist() == expected


@given(st.lists(texts, max_size=6), st.sampled_from(["bytes_bpe", "wordpiece"]))
def test_boundaries_are_those_without_white_space(documents: list[str], name: str) -> None:
    seen = seen_with(name, documents)
    found = seen.boundaries
    for number, document in enumerate(documents):
        one = seen_with(name, [document])
        cut = one.corpus.segments.ends.tolist()
        pairs = zip(*(column.tolist() for column in one.places), strict=True)
        places = {place for start, end in pairs if start < end for place in (start, end)}
        of_tokens, of_segments = (without_spaces(document, at) for at in (places, cut))
        assert found.tokens[number] == len(of_tokens)
        assert found.segments[number] == len(of_segments)
        assert found.both[number] == len(of_tokens & of_segments)


def without_spaces(text: str, places: Sequence[int] | set[int]) -> set[int]:
    """Places inside a text, in bytes that are not of white space."""
    data = "".join("\0" * len(c.encode()) if is_space(c) else "x" * len(c.encode()) for c in text)
    letters = {data[:place].count("x") for place in places}
    return letters - {0, data.count("x")}


def is_space(character: str) -> bool:
    return re.match(f"[{WHITE_SPACE}]", character) is not None


@given(st.lists(texts, min_size=1, max_size=6))
def test_a_sum_of_all_documents_is_the_number_of_distinct_words(documents: list[str]) -> None:
    distinct = seen_with("bytes_bpe", documents).corpus.distinct_words
    every = np.ones(len(distinct.words), np.bool_)
    assert distinct.share_of(every).sum() == pytest.approx(len(set(distinct.words)))


def test_places_of_no_bytes_touch_nothing() -> None:
    text = TextBytes(["猫"])
    nowhere = Places(np.array([0, 0, 3]), np.array([0, 3, 3]))
    words = Words(np.array([0]), np.array([3]), np.array([0, 1]))
    assert touched(nowhere, text, words).tolist() == [1]
    whole = Segments(np.array([3]), np.array([True]), np.array([0, 1]))
    assert [each.tolist() for each in boundaries(nowhere, text, whole)] == [[0], [0], [0]]


def test_the_segmenter_of_a_corpus_is_named() -> None:
    assert segmenter(seen_with("bytes_bpe", ["x"]).corpus.segmenter).name == "icu"


# ── word lists ────────────────────────────────────────────────────────────────────────────────
def test_a_word_list_that_cannot_be_encoded() -> None:
    tok = tokenizer_of(["low"])
    for words in (["low", "a\ud800"], iter(["low", "\udfff"])):
        with pytest.raises(kugiri.EncodingError, match="word_list, word 2: the text"):
            kugiri.measure({"a": tok}, {"en": ["low"]}, word_list=words)
