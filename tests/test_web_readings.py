"""Added tokens of a vocabulary of bytes: text as they stand, wherever tokens are read."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import kugiri
from kugiri.explain.readings import read_tokens
from kugiri.reference.byte_alphabet import BYTE_OF
from tests.asking import ask
from tests.serving import serving

ADDED = ["é", "<ab>", "<e5 b0>", "café", "Ġhi", "Ã©", "ĠĠ"]
TEXT = "|".join(ADDED)


def byte_level() -> kugiri.Tokenizer:
    vocabulary = {character: id for id, character in enumerate(BYTE_OF)}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    document = {
        "version": "1.0", "truncation": None, "padding": None, "normalizer": None,
        "added_tokens": [
            {"id": 256 + number, "content": content, **flags}
            for number, content in enumerate(ADDED)
        ],
        "pre_tokenizer": level | {"use_regex": False}, "post_processor": None, "decoder": level,
        "model": {"type": "BPE", "vocab": vocabulary, "merges": []},
    }  # fmt: skip
    return kugiri.load(json.dumps(document).encode())


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving({"added": byte_level()}) as found:
        yield found


def test_tokens(address: str) -> None:
    text = f"{TEXT} 尾"
    (column,) = ask(address, "tokens", {"text": text, "tokenizers": ["added"]}).json["columns"]
    tokens = [(it["text"], it["part"]) for it in column["tokens"]]
    assert tokens[: 2 * len(ADDED) : 2] == [(it, False) for it in ADDED]
    parts = [("<e5>", True), ("<b0>", True), ("<be>", True)]
    assert tokens[2 * len(ADDED) - 1 :] == [(" ", False), *parts]


def test_explanations(address: str) -> None:
    explained = ask(address, "explain", {"text": TEXT, "tokenizer": "added"}).json
    assert explained["tokens"][::2] == ADDED
    assert read_tokens(byte_level().explain(TEXT))[::2] == ADDED


def test_why(address: str) -> None:
    question = {"text": TEXT, "tokenizer": "added", "start": 0, "end": 6}
    (place,) = ask(address, "why", question).json["places"]
    assert place["tokens"] == ["é", "|", "<ab>"]


def test_samples(address: str) -> None:
    question = {"text": TEXT, "tokenizer": "added", "alpha": 0.5, "number": 2}
    answer = ask(address, "sample", question).json
    assert answer["ways"][0]["tokens"][::2] == ADDED
    assert {it[2] for it in answer["nodes"]} == {"|", *ADDED}
