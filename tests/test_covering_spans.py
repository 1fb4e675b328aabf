"""`covering_spans`: every token covers exactly the characters that it touches.

Each row is a difference from the places of tokenizers, which `spans` follow; the table of
docs/compatibility.md names the issues there.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import kugiri
from kugiri.encoding import Span
from tests.oracles import parity_file
from tools.parity_data import HOW_TO_GET


def one_word(normalizer: dict[str, Any]) -> bytes:
    """A tokenizer.json for which every text is one unknown word."""
    model = {"type": "WordLevel", "vocab": {"u": 0}, "unk_token": "u"}
    return json.dumps({"normalizer": normalizer, "model": model}).encode()


ROWS: dict[str, tuple[str | dict[str, Any], str, list[Span], list[Span]]] = {
    "a mark put before a text touches nothing": (
        "llama2",
        "猫a",
        [(0, 1), (0, 1), (1, 2)],
        [(0, 0), (0, 1), (1, 2)],
    ),
    "bytes of a character touch all of it": (
        "llama2",
        "龘a",
        [(0, 1), (0, 1), (0, 1), (0, 1), (1, 2)],
        [(0, 0), (0, 1), (0, 1), (0, 1), (1, 2)],
    ),
    "a composed character is all its parts": (
        "qwen3",
        "か\u3099ぎ",
        [(0, 1), (2, 3)],
        [(0, 2), (2, 3)],
    ),
    "two marks on a letter": ("qwen3", "a\u0323\u0302", [(0, 1)], [(0, 3)]),
    "a syllable of three jamo": ({"type": "NFC"}, "\u1112\u1161\u11ab", [(0, 1)], [(0, 3)]),
    "a replacement stands for all that it replaces": (
        {"type": "Replace", "pattern": {"String": "abc"}, "content": "x"},
        "abcd",
        [(2, 4)],
        [(0, 4)],
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_where_they_differ(name: str) -> None:
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    source, text, named, covering = ROWS[name]
    if isinstance(source, str):
        file = parity_file(f"npm/{source}/tokenizer.json").read_bytes()
    else:
        file = one_word(source)
    encoding = kugiri.load(file).encode_with_offsets(text)
    assert (encoding.spans, encoding.covering_spans) == (named, covering)
    assert (
        library.Tokenizer.from_buffer(file).encode(text, add_special_tokens=False).offsets == named
    )
