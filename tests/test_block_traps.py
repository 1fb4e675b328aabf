"""Places that look fit for a cut, and at which a block of its own would have other ids.

Each tokenizer is made so that one step sees what stands on the other side of such a place.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

import kugiri
from kugiri.formats.protobuf import bytes_field
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.spec import PieceType
from tests.hf_combinations import (
    WHITESPACE_SPLIT,
    bert,
    metaspace,
    part,
    replace,
    sequence,
)
from tests.model_files import BPE, UNK, Row, model
from tests.test_blocks import streamed
from tools.parity_data import HOW_TO_GET

Part = dict[str, Any]
APART, TOGETHER = bert(lowercase=False), bert(lowercase=False, handle_chinese_chars=False)


def precompiled(rules: dict[str, str]) -> Part:
    blob = base64.b64encode(compile_charsmap(rules)).decode()
    return part("Precompiled", precompiled_charsmap=blob)


def word_level(normalizer: Part | None, pre_tokenizer: Part | None, *words: str) -> str:
    vocab = {word: id for id, word in enumerate(["<unk>", *words])}
    return json.dumps(
        {
            "version": "1.0",
            "added_tokens": [],
            "normalizer": normalizer,
            "pre_tokenizer": pre_tokenizer,
            "post_processor": None,
            "decoder": None,
            "model": {"type": "WordLevel", "vocab": vocab, "unk_token": "<unk>"},
        }
    )


def unigram(normalizer: Part, pre_tokenizer: Part | None, *pieces: str) -> str:
    file = json.loads(word_level(normalizer, pre_tokenizer))
    scored = [["<unk>", 0.0], *([piece, -1.0] for piece in pieces)]
    file["model"] = {"type": "Unigram", "unk_id": 0, "vocab": scored, "byte_fallback": False}
    return json.dumps(file)


def bpe(pre_tokenizer: Part, *characters: str) -> str:
    file = json.loads(word_level(None, pre_tokenizer, *characters))
    file["model"] = {**file["model"], "type": "BPE", "merges": []}
    return json.dumps(file)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        pytest.param(
            word_level(TOGETHER, WHITESPACE_SPLIT, "漢,", "漢", ","),
            "漢, 漢,",
            id="no space is put behind an ideograph",
        ),
        pytest.param(
            unigram(sequence("normalizers", APART, replace(" ", "_")), None, "漢", "_", "__"),
            "漢 漢 ",
            id="the space that is put there is replaced too",
        ),
        pytest.param(
            unigram(APART, metaspace("never", split=False), "漢", "▁", "▁▁"),
            "漢 漢 ",
            id="the space that is put there gets a mark too",
        ),
        pytest.param(
            bpe(
                sequence(
                    "pretokenizers",
                    part("Split", pattern={"String": " "}, behavior="Removed", invert=True),
                    metaspace(split=False),
                    {**metaspace(split=False), "replacement": "_"},
                ),
                *["a", ".", "▁", "_"],
            ),
            "a. ",
            id="both are dropped, and a word begins behind them",
        ),
        pytest.param(
            unigram(precompiled({".\u0301": "x"}), None, "a", ".", "x", "ax"),
            "a.\u0301a.",
            id="the character behind the place begins a key",
        ),
    ],
)
def test_of_a_tokenizer_json(file: str, text: str) -> None:
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    tok = kugiri.load(file.encode())
    expected = library.Tokenizer.from_str(file).encode(text).ids
    assert streamed(tok, [text], 0) == tok.encode(text) == expected


@pytest.mark.parametrize(
    ("rules", "pieces", "text"),
    [
        pytest.param({"abc": "x"}, "a b c x , x,", "abc,abc,", id="third of a key"),
        pytest.param({"abc,": "Q"}, "a b c , Q", "zabc,zabc,", id="third and fourth of a key"),
        pytest.param({",b": "x"}, "a b , x ax", "a,ba,", id="a key begins"),
    ],
)
@pytest.mark.parametrize("algorithm", [b"", BPE], ids=["unigram", "bpe"])
def test_of_a_model_file(rules: dict[str, str], pieces: str, text: str, algorithm: bytes) -> None:
    rows: list[Row] = [(piece.encode(), -1.0, PieceType.NORMAL) for piece in pieces.split()]
    data = with_rules(rules, rows, algorithm)
    assert_as_sentencepiece(data, text)


@pytest.mark.parametrize("algorithm", [b"", BPE], ids=["unigram", "bpe"])
@pytest.mark.parametrize("symbol", ["a  b", "a Ａ"])
def test_within_a_user_defined_symbol(symbol: str, algorithm: bytes) -> None:
    rows: list[Row] = [(piece.encode(), -1.0, PieceType.NORMAL) for piece in "abAＡ▁"]
    rows.append((symbol.encode(), 0.0, PieceType.USER_DEFINED))
    assert_as_sentencepiece(with_rules({"Ａ": "A"}, rows, algorithm), f"b{symbol}b{symbol}")


def with_rules(rules: dict[str, str], rows: list[Row], algorithm: bytes) -> bytes:
    normalizer = bytes_field(2, compile_charsmap(rules))
    return model(UNK, *rows, trainer=algorithm or None, normalizer=normalizer)


def assert_as_sentencepiece(data: bytes, text: str) -> None:
    library = pytest.importorskip("sentencepiece", reason=f"sentencepiece is absent: {HOW_TO_GET}")
    tok = kugiri.load(data)
    expected = library.SentencePieceProcessor(model_proto=data).encode(text)
    assert streamed(tok, [text], 0) == tok.encode(text) == expected
