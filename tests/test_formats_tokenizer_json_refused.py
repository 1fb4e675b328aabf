"""tokenizer.json: what is malformed or hostile, and what has no place in it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kugiri import spec
from kugiri.errors import FormatError
from kugiri.formats import tokenizer_json
from kugiri.spec import BPE, AddedToken, TokenizerSpec
from kugiri.tables import Tokens
from tests.test_formats_byte_level import trained
from tests.test_formats_components import PARTS
from tests.test_formats_tokenizer_json import (
    BASE,
    BPE_MODEL,
    METASPACE,
    TEMPLATE,
    UNIGRAM,
    WORD_PIECE,
    Json,
    added,
    read,
    written,
)
from tests.test_spec import SENTENCEPIECE


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"foo": 1}, "unknown key 'foo' in a tokenizer.json; allowed: version, truncation"),
        ({"version": "2.0"}, "version '2.0' of tokenizer.json is unknown"),
        ({"model": None}, "invalid type: null, expected an object"),
        ({"model": {"type": "GPT"}}, "unknown type 'GPT'; allowed: BPE, WordPiece, WordLevel"),
        ({"model": {"type": "BPE", "vocab": {}}}, "the key 'merges' of the model is missing"),
        ({"model": {"type": "WordLevel"}}, "the key 'vocab' of the model is missing"),
        ({"model": {**WORD_PIECE, "unk_token": 1}}, "model.unk_token: Expected `str`, got `int`"),
        ({"model": {**BPE_MODEL, "vocab": {"a": 1, "b": 1}}}, "two tokens have the id 1"),
        ({"model": {**BPE_MODEL, "vocab": {"a": -1}}}, "expected u32"),
        ({"model": {**BPE_MODEL, "vocab": {"a": 2**32}}}, "expected u32"),
        ({"model": {**BPE_MODEL, "vocab": {"a": 2**32 - 1}}}, "the id 4294967295 is too high"),
        ({"model": {**BPE_MODEL, "vocab": ["a"]}}, "expected an object of token and id"),
        ({"model": {**BPE_MODEL, "merges": ["ab"]}}, 'the merge \\"ab\\" is not two parts'),
        ({"model": {**BPE_MODEL, "merges": [["a"]]}}, "invalid length 1"),
        ({"model": {**BPE_MODEL, "merges": [["a", "b"], "a b"]}}, "in two ways in one list"),
        (
            {"model": {**BPE_MODEL, "merges": [["a", "b"], ["a", "x"]]}},
            "merge 1, 'a' and 'x': its right part is not in the vocab",
        ),
        ({"model": {**BPE_MODEL, "merges": [["b", "a"]]}}, "its join is not in the vocab"),
        ({"model": {**UNIGRAM, "unk_id": 2}}, "unk_id is 2, but there are 2 pieces"),
        ({"model": {**UNIGRAM, "unk_id": -1}}, "unk_id is -1"),
        ({"model": {**UNIGRAM, "vocab": [["a"]]}}, "expected [piece, score]"),
        ({"model": {**UNIGRAM, "vocab": [["a", "1"]]}}, "expected f64"),
        ({"normalizer": {"type": "NFX"}}, "normalizer has the unknown type 'NFX'; allowed: NFC"),
        ({"normalizer": {}}, "normalizer has the unknown type None"),
        ({"normalizer": []}, "normalizer must be an object, not []"),
        ({"normalizer": {"type": ["NFC"]}}, "unknown type ['NFC']"),
        (
            {"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, 5]}},
            "normalizer.normalizers[1] must be an object, not 5",
        ),
        ({"normalizer": {"type": "Replace", "content": "x"}}, "missing required field `pattern`"),
        ({"normalizer": {"type": "Precompiled", "precompiled_charsmap": "*"}}, "base64"),
        ({"pre_tokenizer": {**METASPACE, "add_prefix_space": False}}, "must be 'never'"),
        ({"pre_tokenizer": {"type": "Punctuation", "behavior": "removed"}}, "allowed: Removed"),
        ({"pre_tokenizer": {"type": "Split", "pattern": "a"}}, "pattern must be {'String': …} or"),
        ({"post_processor": {**TEMPLATE, "single": [{}]}}, "single[0] must have one key"),
        ({"post_processor": {**TEMPLATE, "single": ["$A"]}}, "single[0] must be an object"),
        ({"decoder": {"type": "SentencePiece"}}, "decoder has the unknown type 'SentencePiece'"),
        ({"truncation": {}}, "truncation: Object missing required field `max_length`"),
        ({"padding": {"strategy": "Longest"}}, "padding.strategy must be 'BatchLongest' or"),
        ({"added_tokens": {}}, "added_tokens must be an array"),
        ({"added_tokens": [{"id": 1, "content": "x"}]}, "added_tokens[0] lacks 'single_word'"),
        ({"added_tokens": [added("x", True)]}, "added_tokens[0].id: Expected `int`, got `bool`"),
    ],
)
def test_refused(change: Json, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message.replace('\\"', '"'))):
        read({**BASE, **change})


@pytest.mark.parametrize(
    "text",
    [
        '{"model": {"type": "WordLevel", "vocab": {"a": 0, "a": 1}, "unk_token": "a"}}',
        '{"model": {"type": "WordLevel", "vocab": {"a": 0}, "vocab": {}, "unk_token": "a"}}',
        '{"normalizer": {"type": "NFC", "type": "NFC"}, "model": {"vocab": {}, "unk_token": "a"}}',
        '{"model": {"vocab": {}, "unk_token": "\\ud800"}}',
        '{"model": {"vocab": {"\\ud800": 1}, "unk_token": "a"}}',
        '{"model": {"vocab": {}, "unk_token": NaN}}',
        '{"model": {"vocab": {}, "unk_token": 1e999}}',
        '{"padding": ' + "9" * 10_000 + ', "model": {"vocab": {}, "unk_token": "a"}}',
        '{"model": ' * 100_000,
        '{"model": {"vocab": ' + "[" * 100_000,
        '{"model": {"merges": ' + "[" * 100_000 + "]" * 100_000 + ', "vocab": {}}}',
    ],
)
def test_hostile(text: str) -> None:
    start = time.monotonic()
    with pytest.raises(FormatError):
        tokenizer_json.read(text.encode())
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("described", "message"),
    [
        (SENTENCEPIECE, "no SentencePieceNormalizer"),
        (
            msgspec.structs.replace(SENTENCEPIECE, normalizer=None, decoder=None),
            "no place for scores",
        ),
        (TokenizerSpec(spec.CharLevel(Tokens.from_iter([b"a"]))), "no CharLevel model"),
        (trained("ab", 1, decoder=spec.Fuse()), "a BPE on bytes has no decoder Fuse"),
        (
            TokenizerSpec(BPE(Tokens.from_iter([b"a"]), unit="char", end_of_word="_")),
            "an end-of-word mark of its own ('_')",
        ),
        (TokenizerSpec(BPE(Tokens.from_iter([b"\xff"]), unit="char")), "is not UTF-8"),
        (trained("", 0, added_tokens=(AddedToken(97, "<a>"),)), "cannot have the id 97"),
        (
            msgspec.structs.replace(
                trained("", 0), pre_tokenizer=spec.Split(spec.Regex("a$"), "isolated")
            ),
            "the pattern 'a$' holds '$'",
        ),
    ],
)
def test_not_written(described: TokenizerSpec, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        tokenizer_json.write(described)


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every value within a JSON tree, as what holds it and its key there."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in items:
        yield tree, key
        if isinstance(value, dict | list):
            yield from places(value)


SCALARS = st.none() | st.booleans() | st.integers(-1, 2**32) | st.just(0.5) | st.text(max_size=3)
KEYS = st.sampled_from(["a", "type", "id", "String"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2),
    max_leaves=3,
)


@given(st.sampled_from(PARTS), VALUES, st.data())
def test_any_change_is_refused_or_kept(
    part: tuple[str, Any], value: Any, data: st.DataObject
) -> None:
    document = json.loads(json.dumps({**BASE, part[0]: part[1]}))
    holder, key = data.draw(st.sampled_from(list(places(document))))
    holder[key] = value
    try:
        described = read(document)
    except FormatError:
        return
    assert written(described) == document
