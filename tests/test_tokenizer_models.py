"""What a Tokenizer of a `.model` can be asked where no fast engine is needed."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import kugiri
from kugiri import EncodingError, OptionError
from kugiri.formats.sentencepiece import write
from piece_rows import AS_IT_IS, decoding, described

LETTERS = [["▁", -1.0], ["a", -1.0], ["b", -1.5], ["ab", -2.0], ["▁a", -1.75]]


def load(model: str, pieces: list[list[object]]) -> kugiri.Tokenizer:
    """A tokenizer loaded from a `.model`."""
    return kugiri.load(write(described({"model": model, "pieces": pieces})))


UNIGRAM = load("unigram", LETTERS)
BPE = load("bpe", LETTERS)


def test_ways_to_cut_a_text() -> None:
    ways = UNIGRAM.nbest("▁ab", 2)
    assert [way.tokens for way in ways] == [["▁", "ab"], ["▁a", "b"]]
    assert [way.log_prob for way in ways] == [-3.0, -3.25]
    everything = UNIGRAM.segmentations("▁ab", 10)
    assert everything[:2] == ways
    assert [way.tokens for way in everything] == [["▁", "ab"], ["▁a", "b"], ["▁", "a", "b"]]
    assert sum(way.posterior for way in everything) == pytest.approx(1)
    assert len(UNIGRAM.segmentations("▁ab", 2)) == 2
    assert 0 < UNIGRAM.entropy("▁ab") < UNIGRAM.entropy("▁ab", alpha=0.0)
    assert isinstance(ways[0], kugiri.Hypothesis)


def test_samples() -> None:
    drawn = {tuple(UNIGRAM.sample("▁ab", alpha=0.1, seed=seed)) for seed in range(60)}
    assert drawn == {tuple(way.ids) for way in UNIGRAM.segmentations("▁ab", 10)}
    among_two = {tuple(UNIGRAM.sample("▁ab", alpha=0.1, seed=i, nbest=2)) for i in range(60)}
    assert among_two == {tuple(way.ids) for way in UNIGRAM.nbest("▁ab", 2)}
    whole, loose = BPE.sample("▁ab", alpha=0.0, seed=1), BPE.sample("▁ab", alpha=1.0, seed=1)
    assert [BPE.vocab[token] for token in BPE.tokens("▁ab")] == whole
    assert [BPE.vocab[token] for token in ("▁", "a", "b")] == loose


def test_what_cannot_be_asked() -> None:
    for ask in (
        lambda: BPE.nbest("a", 1),
        lambda: BPE.segmentations("a", 1),
        lambda: BPE.entropy("a"),
    ):
        with pytest.raises(OptionError, match="in a Unigram model, not in BPE"):
            ask()
    with pytest.raises(OptionError, match="k is 0; it must be a whole number from 1"):
        UNIGRAM.nbest("a", 0)
    with pytest.raises(EncodingError, match="lone surrogate"):
        UNIGRAM.nbest("a\ud800", 1)


def test_normalizing_keeps_user_defined_symbols() -> None:
    tok = load("bpe", [["▁", -1.0], ["<a  b>", 0.0, "USER_DEFINED"]])
    assert tok.spec.normalizer == AS_IT_IS
    assert tok.normalize("x  <a  b>") == "x▁▁<a▁▁b>"


def test_decoding_id_by_id() -> None:
    rows = {"pieces": [["▁a"], ["▁"], ["<c>", "CONTROL"]], "bytes": True}
    decoder = kugiri.Tokenizer(decoding(rows)).decoder()
    ids = [3, 2, 1, 3, 2, 1, 235, 144, 175, 1]
    steps = ["", "", "a", "", " ", " a", "", "", "猫", " a"]
    assert [decoder.feed(id) for id in ids] == steps
    assert decoder.finish() == ""
    strict = kugiri.Tokenizer(decoding(rows)).decoder(errors="strict")
    strict.feed(235)
    with pytest.raises(EncodingError, match="not UTF-8"):
        strict.feed(1)


def test_saved_loaded_pickled(tmp_path: Path) -> None:
    for name in ("x.model", "x.kugiri.json"):
        UNIGRAM.save(tmp_path / name)
        assert kugiri.load(tmp_path / name) == UNIGRAM
    assert pickle.loads(pickle.dumps(BPE)) == BPE
