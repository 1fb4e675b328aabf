"""The pre-tokenizers of tokenizer.json cut as tokenizers 0.23.3 does, and give the same places."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri import spec
from kugiri.formats.components import write_part
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.places import pre_tokens
from tests.strategies import texts
from tools.parity_data import HOW_TO_GET

Place = tuple[str, tuple[int, int]]

BYTES = spec.ByteLevel(add_prefix_space=False)
ONLY_BYTES = spec.ByteLevel(add_prefix_space=False, use_regex=False)
BEHAVIORS: tuple[spec.Behavior, ...] = get_args(spec.Behavior)


def split(regex: str, behavior: spec.Behavior = "isolated", invert: bool = False) -> spec.Split:
    return spec.Split(spec.Regex(regex), behavior, invert)


def sequence(*steps: spec.PreTokenizer) -> spec.PreTokenizers:
    return spec.PreTokenizers(steps)


# ── what is compared ──────────────────────────────────────────────────────────────────────────
MODELS: dict[str, Any] = {
    "WordLevel": {"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1, "▁a": 2}, "unk_token": "[UNK]"},
    "BPE": {
        "type": "BPE",
        "vocab": {"[UNK]": 0, "a": 1, "b": 2, "Ġ": 3, "▁": 4, "ab": 5, "Ġa": 6, "▁a": 7, "ç": 8, "1": 9},
        "merges": [["a", "b"], ["Ġ", "a"], ["▁", "a"]],
        "unk_token": "[UNK]",
    },
}  # fmt: skip


def document(pre_tokenizer: spec.PreTokenizer, model: str) -> bytes:
    """A tokenizer.json with a pre-tokenizer and a model."""
    parts = {"pre_tokenizer": write_part(pre_tokenizer), "model": MODELS[model]}
    return msgspec.json.encode({"version": "1.0", "added_tokens": [], **parts})


@cache
def both(pre_tokenizer: spec.PreTokenizer, model: str = "WordLevel") -> tuple[Any, Any]:
    """The same tokenizer here and in the original library."""
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    file = document(pre_tokenizer, model)
    return kugiri.load(file), library.Tokenizer.from_str(file.decode())


def compare(pre_tokenizer: spec.PreTokenizer, text: str, readable: bool = True) -> None:
    """Pre-tokens and their places; ids and theirs with each model; the readable engine."""
    ours, theirs = both(pre_tokenizer)
    expected = theirs.pre_tokenizer.pre_tokenize_str(text)
    assert ours.pre_tokenize(text) == expected, text
    if readable:
        assert pre_tokens(ReferenceTokenizer(ours.spec), text) == expected, text
    for model in MODELS:
        ours, theirs = both(pre_tokenizer, model)
        found, wanted = ours.encode_with_offsets(text), theirs.encode(text)
        assert (found.ids.tolist(), found.spans) == (wanted.ids, wanted.offsets), (model, text)
        assert ours.encode(text) == wanted.ids, (model, text)
