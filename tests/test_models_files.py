"""Models of tokenizer.json as files spell them: which load, as what, and which are refused."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

import kugiri
from kugiri import spec
from kugiri.reference.pipeline import ReferenceTokenizer
from tests.conftest import sliced
from tests.model_rows import Json, bpe, file, unigram, word_piece
from tests.oracles import parity_file
from tests.test_models import on_core, on_reference, on_tokenizers, theirs

VOCAB = {"a": 0, "b": 1, "ab": 2, "<unk>": 3}
WORDS = {"vocab": VOCAB, "unk_token": "<unk>"}
AFFIX = {"continuing_subword_prefix": "##"}

LOADED: dict[str, tuple[Json, type[spec.Model]]] = {
    "vocab and merges": ({"vocab": VOCAB, "merges": ["a b"]}, spec.BPE),
    "what else stands there": (
        {"vocab": VOCAB, "merges": [], "cache_capacity": 5, "x": 1},
        spec.BPE,
    ),
    "all fields of WordPiece": ({**WORDS, **AFFIX, "max_input_chars_per_word": 3}, spec.WordPiece),
    "not all fields of WordPiece": ({**WORDS, **AFFIX}, spec.WordLevel),
    "words": (WORDS, spec.WordLevel),
    "pieces": ({"vocab": [["a", -1.0]]}, spec.Unigram),
    "BPE with nulls": (
        bpe("a", fuse_unk=None, byte_fallback=None, ignore_merges=None, dropout=None),
        spec.BPE,
    ),
    "merges with their version": (bpe(VOCAB) | {"merges": ["#version: 0.2", "a b"]}, spec.BPE),
    "a dropout": (bpe("a", dropout=1), spec.BPE),
    "an unknown field": ({**word_piece("a"), "x": 2}, spec.WordPiece),
    "no pieces": (unigram(unk_id=None), spec.Unigram),
}

REFUSED: dict[str, tuple[Json, str]] = {
    "no model has only these": ({"vocab": VOCAB}, "a model without a type has the fields of one"),
    "a type that is null": ({**WORDS, "type": None}, "unknown type None"),
    "a type in small letters": (bpe("a") | {"type": "bpe"}, "unknown type 'bpe'; allowed: BPE"),
    "WordPiece without a field": (
        {"type": "WordPiece", **WORDS},
        "the key 'continuing_subword_prefix' of the model is missing",
    ),
    "WordLevel without a field": (
        {"type": "WordLevel", "vocab": VOCAB},
        "the key 'unk_token' of the model is missing",
    ),
    "no unknown word": ({**WORDS, "unk_token": None}, "words without an unknown token"),
    "a dropout above 1": (bpe("a", dropout=1.5), "dropout is 1.5; it must be from 0 to 1"),
    "a dropout below 0": (bpe("a", dropout=-1), "dropout is -1"),
    "words of less than no characters": (
        word_piece("a", most=-1),
        "max_input_chars_per_word is -1",
    ),
    "words of some length": (
        word_piece("a") | {"max_input_chars_per_word": 1.5},
        "max_input_chars_per_word: Expected `int`, got `float`",
    ),
    "an unknown piece of none": (unigram(), "unk_id is 0, but there are 0 pieces"),
    "a part of a merge": (bpe("a b ab", "a c"), "its right part is not in the vocab"),
    "the join of a merge": (bpe("a b", "a b"), "its join is not in the vocab"),
    "a part shorter than the prefix": (
        bpe("a b ab", "a b", continuing_subword_prefix="##"),
        "its join is not in the vocab",
    ),
    "a prefix that cuts a character": (
        bpe("a 猫 aaa", "a 猫", continuing_subword_prefix="x"),
        "its join is not in the vocab",
    ),
    "merges of three parts": (bpe("a") | {"merges": ["a b c"]}, "is not two parts"),
}


def as_spans(answer: Any) -> Any:
    """Ids and spans of what the core answers, as tokenizers gives them."""
    return answer and answer[:2]


def as_covering(answer: Any) -> Any:
    """Ids and covering spans, as the readable engine gives them."""
    return answer and answer[::2]


@pytest.mark.parametrize("name", LOADED)
def test_loaded(name: str) -> None:
    model, kind = LOADED[name]
    tok = kugiri.load(file(model))
    assert isinstance(tok.spec.model, kind)
    oracle = theirs(file(model))
    for text in ("ab", "a", ""):
        assert as_covering(on_core(tok, text)) == on_reference(ReferenceTokenizer(tok.spec), text)
        if not model.get("dropout"):
            assert as_spans(on_core(tok, text)) == on_tokenizers(oracle, text)


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    model, message = REFUSED[name]
    with pytest.raises(kugiri.FormatError) as refused:
        kugiri.load(file(model))
    assert message in str(refused.value)


# ── real vocabularies ─────────────────────────────────────────────────────────────────────────
def model_alone(name: str) -> bytes:
    """A real file without what comes before its model: texts are given to the model as they are."""
    document = json.loads(parity_file(f"npm/{name}/tokenizer.json").read_bytes())
    keep: dict[str, Any] = {"version": "1.0", "model": document["model"]}
    return json.dumps(keep).encode()


@pytest.mark.parametrize("name", ["llama2", "gemma3"])
def test_large_models_with_byte_fallback(name: str) -> None:
    """No pre-tokenizer: the whole text is one word."""
    data = model_alone(name)
    tok, oracle = kugiri.load(data), theirs(data)
    for text_name in ("neko.txt", "code.txt.gz", "zh.txt.gz"):
        text = sliced(text_name, 0.01).replace(" ", "▁")
        assert as_spans(on_core(tok, text)) == on_tokenizers(oracle, text)
    readable = ReferenceTokenizer(tok.spec)
    for text in ("吾輩は猫である𠮷\U0001f9d9", "▁▁▁the▁▁cat\n\n", "<0x41>", "ΑΣ\u0301"):
        answer = on_core(tok, text)
        assert on_reference(readable, text) == as_covering(answer)
        assert as_spans(answer) == on_tokenizers(oracle, text)


@pytest.mark.parametrize("unit", ["▁", "あ", "ab", "\U0001f9d9", "\x00"])
def test_a_million_equal_characters(unit: str) -> None:
    data = model_alone("llama2")
    tok = kugiri.load(data)
    text = unit * (1_000_000 // len(unit))
    tok.encode(unit)
    start = time.monotonic()
    ids = tok.encode(text)
    assert time.monotonic() - start < 10
    assert ids[:100] == theirs(data).encode(text).ids[:100]
