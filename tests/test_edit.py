"""Changing a tokenizer after it was made."""

from __future__ import annotations

from typing import Any

import pytest

import kugiri
from kugiri import OptionError, VocabularyError, edit
from kugiri.formats.sentencepiece import write
from piece_rows import described
from tests.oracles import parity_file
from tests.sentencepiece_models import oracle_sentencepiece

PIECES = [["▁", -3.0], ["a", -3.0], ["b", -3.0], ["ab", -1.0], ["▁ab", -2.0], ["aba", -2.5]]


def load(model: str, *more: list[Any]) -> kugiri.Tokenizer:
    """A small tokenizer of a `.model`."""
    return kugiri.load(write(described({"model": model, "pieces": [*PIECES, *more]})))


@pytest.mark.parametrize("model", ["unigram", "bpe"])
def test_only_some_pieces_come_out(model: str) -> None:
    tok = load(model)
    less = edit.restrict(tok, ["ab"])
    assert tok.tokens("▁ab") == ["▁ab"]
    assert less.tokens("▁ab") == ["▁", "ab"]
    assert edit.restrict(tok, []).tokens("▁abab") == ["▁", "a", "b", "a", "b"]
    assert edit.restrict(less, ["▁ab"]).tokens("▁ab") == ["▁ab"]
    assert less.vocab == tok.vocab


def test_what_always_stays() -> None:
    symbol, control = ["<sep>", 0.0, "USER_DEFINED"], ["<c>", 0.0, "CONTROL"]
    less = edit.restrict(load("bpe", symbol, control), [])
    assert less.tokens("a<sep>") == ["a", "<sep>"]
    assert less.special_tokens == {"<c>": 8}
    data = write(described({"model": "bpe", "pieces": PIECES, "bytes": True}))
    assert edit.restrict(kugiri.load(data), []).tokens("猫") == ["<0xE7>", "<0x8C>", "<0xAB>"]


def test_refused() -> None:
    with pytest.raises(VocabularyError, match="'zz' is not in the vocabulary"):
        edit.restrict(load("bpe"), ["ab", "zz"])
    with pytest.raises(OptionError, match="this is a WordLevel from sentencepiece"):
        edit.restrict(load("word"), [])
    with pytest.raises(OptionError, match="this is a BPE from kugiri"):
        edit.restrict(kugiri.train(["low lower"], num_merges=1), [])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "botchan_en_bpe_1000",
            "▁When ▁ I ▁ c a l l e d ▁ a t ▁ t h e ▁ s c h o o l ▁ t h e ▁first ▁time",
        ),
        (
            "botchan_en_unigram_1000",
            "▁When ▁ I ▁called ▁ a t ▁ t h e ▁ s c h o o l ▁ t h e ▁ f i r s t ▁ti m e",
        ),
    ],
)
def test_as_set_vocabulary_did(name: str, expected: str) -> None:
    """Every second piece from the id 300 on; the tokens are those of sentencepiece 0.2.1."""
    tok = kugiri.load(parity_file(f"spm/{name}.model"))
    names = {id: piece for piece, id in tok.vocab.items()}
    less = edit.restrict(tok, [names[id] for id in range(300, tok.vocab_size, 2)])
    text = "When I called at the school the first time"
    assert less.tokens(text) == expected.split()
    theirs = oracle_sentencepiece().SentencePieceProcessor(model_proto=write(less.spec))
    assert theirs.encode(text, out_type=str) == expected.split()
