"""Unigram training by hand, in both engines, on any number of threads, and at extremes.

sentencepiece's own pieces cannot be the oracle, since its seeds and its last cut are others; what
must hold is that held-out text takes no more tokens and gets no lower likelihood.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kugiri import _core
from kugiri.errors import OptionError, TrainingError, VocabularyError
from kugiri.reference.train.expectation import digamma, expect, maximize
from kugiri.reference.train.pruning import loss, prune
from kugiri.reference.train.seed_pieces import runs, seed_pieces
from kugiri.reference.train.unigram import Round, UnigramOptions, train_rounds
from kugiri.reference.train.valid_pieces import PieceRules
from kugiri.tables import Tokens
from processes import run_python
from strategies import japanese_corpora, small_corpora
from test_threads import LINES
from tests.conftest import shared_text
from tools.unigram_quality import alphabet_of, by_sentencepiece, score, split, words_of

EULER = 0.5772156649015329


def train(
    counts: Mapping[str, int], vocab_size: int, alphabet: str | None = None, **options: Any
) -> tuple[list[tuple[str, float]], dict[str, Any]]:
    """Train in the core: pieces with scores, and the record."""
    words = Tokens.from_iter(word.encode() for word in counts)
    asked = {
        "vocab_size": vocab_size,
        "alphabet": "".join(sorted(set("".join(counts)))) if alphabet is None else alphabet,
        "rules": {},
        "seed_sentencepiece_size": 1_000_000,
        "shrinking_factor": 0.75,
        "num_sub_iterations": 2,
        "threads": 2,
        **options,
    }
    column = np.fromiter(counts.values(), np.uint64, len(counts))
    data, offsets, scores, record = _core.train_unigram(
        words.data, words.offsets, column, json.dumps(asked).encode()
    )
    pieces = [piece.decode() for piece in Tokens(data, offsets)]
    return list(zip(pieces, scores.tolist(), strict=True)), json.loads(record)


def reference_rounds(
    counts: Mapping[str, int], vocab_size: int, alphabet: str, **options: Any
) -> list[Round]:
    asked = UnigramOptions(vocab_size=vocab_size, alphabet=alphabet, **options)
    return list(train_rounds(as_bytes(counts), asked))


def as_bytes(counts: Mapping[str, int]) -> dict[bytes, int]:
    return {word.encode(): count for word, count in counts.items()}


# ── by hand ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("corpus", "expected"),
    [
        # ▁th and th are as frequent as ▁the and the; ▁then occurs once.
        ({"▁the": 2, "▁then": 1}, {"▁the": 12, "the": 9, "he": 6}),
        # aa stands twice in aaa, overlaps included, and aaa once in each word.
        ({"aaa": 5}, {"aa": 20, "aaa": 15}),
        # A cut between scripts: 東京 is always followed by 。, which no piece with it holds.
        ({"▁東京。": 3}, {"▁東京": 9, "東京": 6}),
        # The end of a sentence is an end like any other.
        ({"xtail": 1, "ytail": 1}, {"tail": 8, "ail": 6, "il": 4}),
        ({"ab": 1, "cd": 1}, {}),
    ],
)
def test_seeds(corpus: dict[str, int], expected: dict[str, int]) -> None:
    found = seed_pieces(corpus, PieceRules(), 100)
    assert list(found.items()) == list(expected.items())
    _, record = train(corpus, len(set("".join(corpus))))
    assert record["seeds"] == len(set("".join(corpus))) + len(expected)


def test_no_more_seeds_than_asked_for() -> None:
    assert seed_pieces({"▁the": 2, "▁then": 1}, PieceRules(), 2) == {"▁the": 12, "the": 9}
    _, record = train({"▁the": 2, "▁then": 1}, 5, seed_sentencepiece_size=2)
    assert record["seeds"] == 7


def test_a_character_outside_the_alphabet_ends_a_word() -> None:
    assert runs({b"abxab": 2, b"x": 9}, "ab") == {"ab": 4}
    pieces, _ = train({"abxab": 2, "x": 9}, 3, alphabet="ab")
    assert [piece for piece, _ in pieces] == ["ab", "a", "b"]


def test_expected_counts() -> None:
    """Both ways to cut ab are as likely: p(ab) = p(a) · p(b)."""
    scores = {"a": math.log(0.5), "b": math.log(0.25), "ab": math.log(0.125)}
    counts, log_likelihood = expect({"ab": 6}, scores)
    assert counts == pytest.approx({"a": 3, "b": 3, "ab": 3})
    assert log_likelihood == pytest.approx(6 * math.log(0.25))


def test_digamma() -> None:
    """ψ(n) is the sum of 1/k for k below n, less Euler's number; ψ(½) = −γ − 2 log 2."""
    for n in (1, 2, 7, 30):
        assert digamma(n) == pytest.approx(sum(1 / k for k in range(1, n)) - EULER, abs=1e-12)
    assert digamma(0.5) == pytest.approx(-EULER - 2 * math.log(2), abs=1e-12)


def test_pieces_expected_less_than_half_a_time_are_dropped() -> None:
    counts = {"a": 3.0, "b": 0.0, "ab": 0.4, "ba": 0.5, "bb": 0.1}
    assert list(maximize(counts, 3)) == ["a", "b", "ba"]
    assert list(maximize(counts, 4)) == ["a", "b", "ab", "ba"]  # too few would be left
    assert maximize(counts, 3)["b"] == digamma(0.5) - digamma(4.0)


def test_loss() -> None:
    """ab, 20 of 100 tokens, becomes a and b, which are 70 and 50 of 120 then."""
    counts = Counter({"a": 50, "b": 30, "ab": 20})
    likelihood = math.log(20 / 100) - math.log(70 / 120) - math.log(50 / 120)
    scores = {"a": -1.0, "b": -1.5, "ab": -2.0}
    assert loss("ab", scores, counts) == pytest.approx(20 / 100 * (3 + likelihood))
    assert loss("ab", scores | {"ab": -2.6}, counts) is None  # a b is the better way
    assert loss("ab", scores, Counter({"a": 5, "b": 3})) is None  # never used
    kept = prune({"ab": 20, "a": 50, "b": 30}, scores, ["a", "b", "ab"], 2, 0).kept
    assert kept == ["a", "b"]


def test_nothing_but_characters() -> None:
    """What is left is counted: a 3, b 4, of 7; ψ(n) are sums of 1/k."""
    pieces, record = train({"ab": 3, "b": 1}, 2)
    expected = [("b", 11 / 6 - 2.45), ("a", 1.5 - 2.45)]
    assert [piece for piece, _ in pieces] == ["b", "a"]
    assert [score for _, score in pieces] == pytest.approx([it for _, it in expected])
    last = record["rounds"][-1]
    assert (last["pieces"], last["tokens"]) == (2, pytest.approx(7))
    assert last.keys() == {"pieces", "objective", "tokens"}
    assert len(record["seconds"]) == len(record["rounds"])


def test_an_ending_that_is_always_the_same() -> None:
    numbers = random.Random(11)
    starts = [
        "".join(numbers.choice("bcdfghjklmnpqrstvwxz") for _ in range(9)) for _ in range(1500)
    ]
    counts = {f"▁{start}tailEnd": 1 for start in starts}
    pieces, _ = train(counts, 597)
    _, tokens = score_one(dict(pieces), next(iter(counts)))
    assert tokens[-1].endswith("tailEnd")


def score_one(model: dict[str, float], word: str) -> tuple[float, list[str]]:
    """The best way to cut a word, by all ways to cut its beginning."""
    best: list[tuple[float, list[str]]] = [(0.0, [])]
    for end in range(1, len(word) + 1):
        ways = [
            (best[start][0] + model[word[start:end]], [*best[start][1], word[start:end]])
            for start in range(end)
            if word[start:end] in model
        ]
        best.append(max(ways, key=lambda way: way[0]))
    return best[-1]


# ── both engines ──────────────────────────────────────────────────────────────────────────────
corpora = st.dictionaries(
    st.one_of(small_corpora, japanese_corpora).map("▁".join).filter(len),
    st.sampled_from([1, 1, 2, 3, 10, 1000]),
    min_size=1,
    max_size=8,
)


@given(
    corpora,
    st.integers(0, 25),
    st.sampled_from([0.5, 0.75, 0.95]),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from([3, 1_000_000]),
    st.sampled_from(
        [
            {},
            {"split_by_whitespace": False, "max_sentencepiece_length": 4},
            {"treat_whitespace_as_suffix": True, "split_by_unicode_script": False},
            {"allow_whitespace_only_pieces": True, "split_by_whitespace": False},
        ]
    ),
)
@example({"▁aaaa": 3, "aa": 2}, 3, 0.75, 2, True, 1_000_000, {})
def test_both_engines_agree(
    counts: dict[str, int],
    more: int,
    shrink: float,
    iterations: int,
    hard: bool,
    seeds: int,
    rules: dict[str, Any],
) -> None:
    alphabet = "".join(sorted(set("".join(counts))))
    size = len(alphabet) + more
    options: dict[str, Any] = {
        "shrinking_factor": shrink, "num_sub_iterations": iterations,
        "hard_vocab_limit": hard, "seed_sentencepiece_size": seeds,
    }  # fmt: skip
    readable = {**options, "rules": PieceRules(**rules)}
    options["rules"] = rules
    found = seed_pieces(runs(as_bytes(counts), alphabet), PieceRules(**rules), seeds)
    if hard and more > len(found):
        with pytest.raises(VocabularyError) as of_reference:
            reference_rounds(counts, size, alphabet, **readable)
        with pytest.raises(VocabularyError, match=re.escape(str(of_reference.value))):
            train(counts, size, alphabet, **options)
        return
    rounds = reference_rounds(counts, size, alphabet, **readable)
    pieces, record = train(counts, size, alphabet, **options)
    expected = rounds[-1].pieces()
    assert [piece for piece, _ in pieces] == [piece for piece, _ in expected]
    assert [score for _, score in pieces] == pytest.approx([score for _, score in expected])
    assert len(pieces) == size or not hard
    for mine, theirs in zip(record["rounds"], rounds, strict=True):
        assert mine["pieces"] == len(theirs.scores)
        assert mine["objective"] == pytest.approx(theirs.objective, rel=1e-11, abs=1e-9)
        assert mine["tokens"] == pytest.approx(theirs.tokens)


def test_both_engines_agree_on_a_word_of_many_characters() -> None:
    """So unlikely that its probability is no float64, in the middle nor at the end."""
    numbers = random.Random(5)
    letters = "abcdefghijklmnopqrstuvwxyz"
    counts = {"".join(numbers.choice(letters) for _ in range(2000)): 3, "abc": 100}
    (first, *_) = reference_rounds(counts, 60, letters, num_sub_iterations=1)
    pieces, record = train(counts, 60, letters, num_sub_iterations=1)
    assert record["rounds"][0]["objective"] == pytest.approx(first.objective)
    assert first.objective * 103 > 3 * 745  # e to the −745 is the smallest float64
    assert len(pieces) == 60


# ── any number of threads ─────────────────────────────────────────────────────────────────────
def test_the_number_of_threads_changes_nothing() -> None:
    counts = words_of(LINES)
    runs_of = [train(counts, 2500, threads=threads) for threads in (1, 2, 5, None)]
    for pieces, record in runs_of:
        assert pieces == runs_of[0][0]
        assert record["rounds"] == runs_of[0][1]["rounds"]


# ── extremes ──────────────────────────────────────────────────────────────────────────────────
def test_a_million_equal_characters() -> None:
    pieces, _ = train({"a" * 1_000_000: 1}, 12)
    assert {"a", "a" * 16} <= {piece for piece, _ in pieces}
    assert all(set(piece) == {"a"} for piece, _ in pieces)


@pytest.mark.parametrize(
    ("counts", "size", "options", "error", "message"),
    [
        ({}, 5, {"alphabet": "ab"}, TrainingError, "there is nothing to train from: no word has "
         "any of the 2 characters of the alphabet; give more text"),
        ({"xyz": 4}, 5, {"alphabet": "ab"}, TrainingError, "nothing to train from"),
        ({"abc": 0}, 5, {}, TrainingError, "nothing to train from"),
        ({"abc": 2}, 2, {"given_pieces": 3}, VocabularyError, "vocab_size=5 is below the 6 that "
         "this corpus needs (3 characters and 3 given pieces); use vocab_size=6 or more"),
        # abc and bc repeat; ab is only ever a part of abc
        ({"abc": 2}, 6, {"given_pieces": 3}, VocabularyError, "vocab_size=9 cannot be reached: "
         "this corpus gives 8 pieces, given ones included; use vocab_size=8 or less"),
        ({"ab": 2**63}, 2, {}, TrainingError, "the corpus has 18446744073709551616 characters; "
         "counts are 64-bit"),
        ({"ab": 2}, 2, {"vocabulary": 3}, OptionError, "unknown field `vocabulary`"),
    ],
)  # fmt: skip
def test_what_cannot_be_trained(
    counts: dict[str, int],
    size: int,
    options: dict[str, Any],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error) as refused:
        train(counts, size, **options)
    assert message in str(refused.value)


def test_the_largest_size_that_the_error_names_can_be_had() -> None:
    pieces, _ = train({"abc": 2}, 5, given_pieces=3)
    assert {piece for piece, _ in pieces} == {"abc", "bc", "a", "b", "c"}


def test_a_word_that_is_not_utf_8() -> None:
    options = {
        "vocab_size": 2, "alphabet": "a", "rules": {}, "seed_sentencepiece_size": 9,
        "shrinking_factor": 0.75, "num_sub_iterations": 2, "threads": 1,
    }  # fmt: skip
    offsets, counts = np.array([0, 2], np.int64), np.array([1], np.uint64)
    with pytest.raises(TrainingError, match=r"a word is not UTF-8: a\\xff"):
        _core.train_unigram(b"a\xff", offsets, counts, json.dumps(options).encode())


def test_ctrl_c() -> None:
    """Training that takes a long time stops soon after the signal."""
    script = """
    import json, random, signal, threading, time
    import numpy as np
    from kugiri import _core
    numbers = random.Random(1)
    data = "".join(numbers.choice("abcdefghij") for _ in range(3_000_000)).encode()
    options = {
        "vocab_size": 100, "alphabet": "abcdefghij", "rules": {}, "threads": 1,
        "seed_sentencepiece_size": 1000000, "shrinking_factor": 0.95, "num_sub_iterations": 10,
    }
    arrays = np.array([0, len(data)], np.int64), np.array([3], np.uint64)
    sent = []
    def send():
        sent.append(time.perf_counter())
        signal.raise_signal(signal.SIGINT)
    threading.Timer(1.0, send).start()
    try:
        _core.train_unigram(data, *arrays, json.dumps(options).encode())
        print("ended by itself")
    except KeyboardInterrupt:
        print("stopped", time.perf_counter() - sent[0] < 5)
    """
    assert run_python(script).strip() == "stopped True"


# ── beside sentencepiece ──────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(("name", "size"), [("botchan.txt", 1000), ("botchan.txt", 4000)])
def test_held_out_text_beside_sentencepiece(name: str, size: int, tmp_path: Any) -> None:
    pytest.importorskip("sentencepiece", reason="sentencepiece is absent: make parity-data")
    learned, held_out = split(shared_text(name))
    words = words_of(learned)
    pieces, _ = train(words, size - 3, alphabet_of(words))
    mine = score(dict(pieces), words_of(held_out))
    theirs = score(by_sentencepiece(learned, size, 2, tmp_path), words_of(held_out))
    assert mine.tokens <= theirs.tokens * 1.001
    assert mine.log_likelihood >= theirs.log_likelihood
