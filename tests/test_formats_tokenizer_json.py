"""tokenizer.json: models, added tokens and whole files, both ways."""

from __future__ import annotations

import json
import warnings
from typing import Any

import msgspec
import numpy as np
import pytest

from kugiri.formats import tokenizer_json
from kugiri.spec import BPE, TokenizerSpec
from kugiri.tables import Column, Merges
from tests.oracles import parity_file
from tests.test_spec import BERT, GEMMA3, GPT2, LLAMA2, T5
from tools.parity_data import HOW_TO_GET

Json = dict[str, Any]

BASE: Json = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": None,
    "post_processor": None,
    "decoder": None,
    "model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "a"},
}
REAL = ["llama3", "qwen3", "gptoss", "gpt4o", "llama2", "gemma3"]

TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "a", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
    ],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"a": {"id": "a", "ids": [0, 1], "tokens": ["a", "b"]}},
}
METASPACE = {"type": "Metaspace", "replacement": "_"}
VOCAB = {"a": 0, "b": 1, "ab": 2, "c c": 4}
BPE_MODEL = {
    "type": "BPE",
    "dropout": 0.25,
    "unk_token": "a",
    "continuing_subword_prefix": "",
    "end_of_word_suffix": None,
    "fuse_unk": True,
    "byte_fallback": False,
    "ignore_merges": True,
    "vocab": VOCAB,
    "merges": [["a", "b"]],
}
WORD_PIECE = {
    "type": "WordPiece",
    "unk_token": "a",
    "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100,
    "vocab": VOCAB,
}
UNIGRAM = {
    "type": "Unigram",
    "unk_id": 1,
    "vocab": [["a", -0.1], ["▁", 0.0]],
    "byte_fallback": True,
}


def read(document: Json) -> TokenizerSpec:
    return tokenizer_json.read(json.dumps(document).encode())


def written(described: TokenizerSpec) -> Any:
    return json.loads(tokenizer_json.write(described))


def canonical(described: TokenizerSpec) -> Any:
    """What is written where the spelling of the file is not kept."""
    return written(msgspec.structs.replace(described, unknown_fields=b""))


def oracle(document: Any) -> Any:
    """The tokenizers.Tokenizer of a document."""
    tokenizers = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    return tokenizers.Tokenizer.from_str(json.dumps(document))


def added(content: str, id: int, **flags: bool) -> Json:
    token = {"id": id, "content": content, "single_word": False, "lstrip": False, "rstrip": False}
    return {**token, "normalized": False, "special": True, **flags}


@pytest.mark.parametrize(
    ("tokens", "ids"),
    [
        ([added("x", 100), added("y", 50)], {"x": 2, "y": 3}),
        ([added("b", 9), added("x", 9)], {"b": 1, "x": 2}),
        ([added("x", 2), added("x", 2, special=False), added("y", 3)], {"x": 2, "y": 3}),
        ([added("", 2), added("x", 3)], {"x": 2}),
        ([], {}),
    ],
)
def test_ids_of_added_tokens(tokens: list[Json], ids: dict[str, int]) -> None:
    document = {**BASE, "added_tokens": tokens}
    described = read(document)
    assert {token.content: token.id for token in described.added_tokens} == ids
    assert written(described) == document
    original = json.loads(oracle(document).to_str())["added_tokens"]
    assert sorted(canonical(described)["added_tokens"], key=lambda token: token["id"]) == original


def test_ids_of_added_tokens_beside_a_vocabulary_with_holes() -> None:
    model = {"type": "WordLevel", "vocab": {"a": 0, "b": 7}, "unk_token": "a"}
    document = {
        **BASE,
        "model": model,
        "added_tokens": [added("x", 8), added("b", 7), added("y", 9)],
    }
    described = read(document)
    assert [token.id for token in described.added_tokens] == [2, 7, 3]
    original = oracle(document)
    assert [original.token_to_id(content) for content in "xby"] == [2, 7, 3]


def test_a_vocabulary_in_any_order() -> None:
    model = {**BPE_MODEL, "vocab": {"ab": 9, "猫": 4, "a": 0, "b": 3}}
    described = read({**BASE, "model": model})
    assert list(described.model.vocab) == [b"a", b"b", "猫".encode(), b"ab"]
    assert described.model.ids == Column([0, 3, 4, 9], np.uint32)
    assert isinstance(described.model, BPE)
    assert described.model.merges == Merges([0], [3], [9])
    assert list(written(described)["model"]["vocab"].values()) == [0, 3, 4, 9]


def test_merges_that_make_a_string_again_keep_their_rows() -> None:
    vocab = {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5}
    merges = [["ab", "c"], ["a", "b"], ["a", "bc"], ["b", "c"], ["a", "b"]]
    document = {**BASE, "model": {**BPE_MODEL, "vocab": vocab, "merges": merges}}
    described = read(document)
    assert isinstance(described.model, BPE)
    assert described.model.merges is not None
    assert described.model.merges.result.tolist() == [5, 3, 5, 4, 3]
    assert written(described) == document


def test_the_prefix_of_a_later_part_is_cut() -> None:
    model = {**BPE_MODEL, "continuing_subword_prefix": "##", "vocab": {"a": 0, "##b": 1, "ab": 2}}
    model["merges"] = [["a", "##b"]]
    described = read({**BASE, "model": model})
    assert isinstance(described.model, BPE)
    assert described.model.merges == Merges([0], [1], [2])


@pytest.mark.parametrize("name", REAL)
def test_real_file_is_written_back_equal(name: str) -> None:
    document = json.loads(parity_file(f"npm/{name}/tokenizer.json").read_bytes())
    described = read(document)
    assert written(described) == document
    ours = canonical(described)
    ours["added_tokens"].sort(key=lambda token: token["id"])
    assert ours == json.loads(oracle(document).to_str())


@pytest.mark.parametrize("described", [GPT2, LLAMA2, GEMMA3, BERT, T5])
def test_families(described: TokenizerSpec) -> None:
    with warnings.catch_warnings(record=True) as caught:
        document = written(described)
    assert not caught
    assert written(read(document)) == document


@pytest.mark.parametrize("described", [GPT2, LLAMA2, GEMMA3, BERT])
def test_families_in_tokenizers(described: TokenizerSpec) -> None:
    document = written(described)
    assert json.loads(oracle(document).to_str()) == document
