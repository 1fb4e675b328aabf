"""The best ways to cut a text, random ones, and how uncertain the cut is."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri import spec
from kugiri.errors import EncodingError, OptionError
from kugiri.reference.hypotheses import Hypotheses
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.sampling import sample_dropout
from kugiri.spec import SentencePieceNormalizer, TokenizerSpec
from kugiri.tables import Column, Merges, Tokens
from piece_rows import described
from vector_rows import table

SEED: dict[str, Any] = table("seeds")["unigram"]
LETTERS = [["a", -1.0], ["b", -1.5], ["ab", -2.0], ["ba", -2.25], ["aba", -4.0], ["▁", -1.0]]
SMALL = {"model": "unigram", "pieces": [*LETTERS, ["▁a", -1.5]]}
MERGES = {
    "model": "bpe",
    "pieces": [["ab", -0.0], ["aba", -1.0], ["abab", -2.0], ["a", -3.0], ["b", -3.0]],
}


def unigram(probs: dict[str, float], **parts: Any) -> ReferenceTokenizer:
    """A tokenizer of probabilities."""
    vocab = Tokens.from_iter(piece.encode() for piece in probs)
    scores = Column([math.log(prob) for prob in probs.values()])
    return ReferenceTokenizer(TokenizerSpec(spec.Unigram(vocab, scores=scores), **parts))


def test_seed_unigram() -> None:
    hypotheses = Hypotheses(unigram(SEED["probs"]), SEED["text"])
    assert hypotheses.count() == SEED["segmentations"]
    everything = hypotheses.best(100)
    assert len(everything) == SEED["segmentations"]
    assert sum(way.posterior for way in everything) == pytest.approx(1)
    for way, (tokens, log_prob, posterior) in zip(everything, SEED["nbest"], strict=False):
        assert way.tokens == tokens
        assert way.ids == [list(SEED["probs"]).index(token) for token in tokens]
        assert way.log_prob == log_prob
        assert way.posterior == pytest.approx(posterior, rel=1e-12)
    expected = -sum(way.posterior * math.log(way.posterior) for way in everything)
    assert hypotheses.entropy() == pytest.approx(expected)
    assert hypotheses.entropy(alpha=0) == pytest.approx(math.log(12))


def test_marginals_are_the_sums_of_the_ways_through_a_piece() -> None:
    hypotheses = Hypotheses(unigram(SEED["probs"]), SEED["text"])
    shares = {token.text.decode(): share for token, share in hypotheses.marginals()}
    ways = hypotheses.best(12)
    for piece, share in shares.items():
        assert share == pytest.approx(sum(way.posterior for way in ways if piece in way.tokens))
    places = {token.text.decode(): (token.start, token.end) for token, _ in hypotheses.marginals()}
    assert places["都に"] == (6, 12)


@given(text=st.text("ab▁c", max_size=8), count=st.integers(1, 6))
def test_the_best_way_is_what_encode_gives(text: str, count: int) -> None:
    tokenizer = ReferenceTokenizer(described(SMALL))
    ways = Hypotheses(tokenizer, text).best(count)
    assert ways[0].ids == [token.id for token in tokenizer.encode(text)]
    assert [way.log_prob for way in ways] == sorted((w.log_prob for w in ways), reverse=True)
    assert len({tuple(way.ids) for way in ways}) == len(ways)


def test_pre_tokens_are_cut_each_on_its_own() -> None:
    spaces = spec.Split(spec.Literally(" "), "removed")
    tokenizer = unigram({"a": 0.5, "aa": 0.25, "b": 0.25}, pre_tokenizer=spaces)
    hypotheses = Hypotheses(tokenizer, "aa b")
    assert [way.tokens for way in hypotheses.best(5)] == [["aa", "b"], ["a", "a", "b"]]
    assert [(token.start, token.end) for token, _ in hypotheses.marginals()] == [
        (0, 1),
        (0, 2),
        (1, 2),
        (3, 4),
    ]


def test_nothing_has_one_way() -> None:
    (way,) = Hypotheses(ReferenceTokenizer(described(SMALL)), "").best(3)
    assert (way.ids, way.tokens, way.log_prob, way.posterior) == ([], [], 0.0, 1.0)


# ── drawn at random ───────────────────────────────────────────────────────────────────────────
def test_samples_repeat_and_follow_alpha() -> None:
    hypotheses = Hypotheses(unigram(SEED["probs"]), SEED["text"])
    drawn = [hypotheses.sample(1.0, seed) for seed in range(400)]
    assert [way.tokens for way in drawn] == [
        hypotheses.sample(1.0, seed).tokens for seed in range(400)
    ]
    best = SEED["nbest"][0][0]
    share = sum(way.tokens == best for way in drawn) / 400
    assert share == pytest.approx(SEED["nbest"][0][2], abs=0.06)
    assert {tuple(hypotheses.sample(50.0, seed).tokens) for seed in range(20)} == {tuple(best)}
    assert len({tuple(hypotheses.sample(0.0, seed).tokens) for seed in range(200)}) == 12


def test_a_sample_has_the_score_of_its_way() -> None:
    hypotheses = Hypotheses(unigram(SEED["probs"]), SEED["text"])
    ways = {tuple(way.tokens): way for way in hypotheses.best(12)}
    for seed in range(20):
        way = hypotheses.sample(1.0, seed)
        assert way.log_prob == pytest.approx(ways[tuple(way.tokens)].log_prob)
        assert way.posterior == pytest.approx(ways[tuple(way.tokens)].posterior)


def test_samples_among_the_best() -> None:
    hypotheses = Hypotheses(unigram(SEED["probs"]), SEED["text"])
    drawn = {tuple(hypotheses.sample(0.1, seed, nbest=3).tokens) for seed in range(200)}
    assert drawn == {tuple(tokens) for tokens, _, _ in SEED["nbest"][:3]}


def test_a_seed_gives_the_same_way_in_every_process() -> None:
    code = (
        "from test_reference_hypotheses import *\n"
        "ways = Hypotheses(unigram(SEED['probs']), SEED['text'])\n"
        "print([ways.sample(0.3, seed).ids for seed in range(9)])\n"
        "bpe = ReferenceTokenizer(described(MERGES))\n"
        "print([[t.id for t in sample_dropout(bpe, 'ababab', 0.5, seed)] for seed in range(9)])\n"
    )
    path = [*sys.path, __file__.rpartition("/")[0]]
    runs = {
        subprocess.check_output(
            [sys.executable, "-c", f"import sys; sys.path[:] = {path!r}\n{code}"],
            env={"PYTHONHASHSEED": seed},
        )
        for seed in ("0", "1")
    }
    assert len(runs) == 1


def test_dropped_merges() -> None:
    tokenizer = ReferenceTokenizer(described(MERGES))
    whole = [token.text for token in tokenizer.encode("ababab")]
    assert [token.text for token in sample_dropout(tokenizer, "ababab", 0.0, 1)] == whole
    assert [token.text for token in sample_dropout(tokenizer, "abc", 1.0, 1)] == [b"a", b"b", b"c"]
    drawn = [
        tuple(token.text.decode() for token in sample_dropout(tokenizer, "ab", 0.25, seed))
        for seed in range(2_000)
    ]
    assert set(drawn) == {("ab",), ("a", "b")}
    assert drawn.count(("a", "b")) / 2_000 == pytest.approx(0.25, abs=0.03)


def test_dropped_merges_of_a_merge_list() -> None:
    vocab = Tokens.from_iter([b"a", b"b", b"ab", b"abab"])
    model = spec.BPE(vocab, unit="char", merges=Merges([0, 2], [1, 2], [2, 3]))
    tokenizer = ReferenceTokenizer(TokenizerSpec(model))
    drawn = {
        tuple(token.text.decode() for token in sample_dropout(tokenizer, "abab", 0.5, seed))
        for seed in range(300)
    }
    assert drawn == {
        ("a", "b", "a", "b"),
        ("ab", "a", "b"),
        ("a", "b", "ab"),
        ("ab", "ab"),
        ("abab",),
    }


# ── what cannot be asked ──────────────────────────────────────────────────────────────────────
def test_what_cannot_be_asked() -> None:
    unigrams, merges = (ReferenceTokenizer(described(row)) for row in (SMALL, MERGES))
    with pytest.raises(OptionError, match="in a Unigram model, not in BPE"):
        Hypotheses(merges, "a")
    with pytest.raises(OptionError, match="dropout is for BPE and WordPiece, not for Unigram"):
        sample_dropout(unigrams, "a", 0.1, 0)
    with pytest.raises(OptionError, match=r"dropout is 1\.5; it must be from 0 to 1"):
        sample_dropout(merges, "a", 1.5, 0)
    for asked in (0, -1):
        with pytest.raises(OptionError, match=f"{asked} hypotheses were asked for"):
            Hypotheses(unigrams, "a").best(asked)
        with pytest.raises(OptionError, match=f"{asked} hypotheses were asked for"):
            Hypotheses(unigrams, "a").sample(1.0, 0, nbest=asked)
    with pytest.raises(OptionError, match="alpha is nan"):
        Hypotheses(unigrams, "a").sample(math.nan, 0)


def test_what_no_id_stands_for() -> None:
    tokenizer = unigram({"a": 0.5}, normalizer=SentencePieceNormalizer(add_dummy_prefix=False))
    with pytest.raises(EncodingError, match="'猫' at character 1"):
        Hypotheses(tokenizer, "a猫").best(1)
