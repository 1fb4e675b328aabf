"""tokenizer.json against tokenizers where something surrounds the model.

Added tokens with their flags, templates, and the places of tokens where white space is put in or
trimmed away.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.formats.tokenizer_json import write
from tests.strategies import texts
from tools.parity_data import HOW_TO_GET

CONTENTS = ["<a>", "<a", "a>", "aa", "a", "<a><a>", "low", " low", "猫", "猫は", "<", " ", "\n"]

added_tokens = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.just(0),  # which no reader believes
            "content": st.sampled_from(CONTENTS),
            "special": st.booleans(),
            "normalized": st.booleans(),
            **{flag: st.just(False) for flag in ("single_word", "lstrip", "rstrip")},
        }
    ),
    max_size=5,
    unique_by=lambda token: str(token["content"]),
)
texts_with_added_tokens = st.lists(
    st.one_of(st.sampled_from([*CONTENTS, "x", "  ", "\u3000", "'s"]), texts), max_size=8
).map("".join)


@cache
def little_gpt2() -> dict[str, Any]:
    """The tokenizer.json of a GPT-2 that knows very few words."""
    text = "low lower lowest 猫 猫は <a> aab"
    tok = kugiri.train([text] * 3, preset="gpt2", vocab_size=270)
    document: dict[str, Any] = json.loads(write(tok.spec))
    return document


def compare(text: str, **changes: Any) -> None:
    """Ids, tokens, places and text by that tokenizer.json with something in it changed."""
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    document = json.dumps(little_gpt2() | changes)
    ours, theirs = kugiri.load(document.encode()), library.Tokenizer.from_str(document)
    found = ours.encode_with_offsets(text, add_special_tokens=True, allowed_special="all")
    expected = theirs.encode(text)
    assert (found.ids.tolist(), found.tokens) == (expected.ids, expected.tokens)
    assert found.spans == expected.offsets
    for skip in (True, False):
        decoded = theirs.decode(expected.ids, skip_special_tokens=skip)
        assert ours.decode(found.ids, skip_special_tokens=skip) == decoded


@given(text=texts_with_added_tokens, added=added_tokens)
def test_added_tokens(text: str, added: list[dict[str, Any]]) -> None:
    """The longest wins, those of the raw text first; special ones too, where they are allowed."""
    compare(text, added_tokens=added)


TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "begin", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "end", "type_id": 0}},
    ],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {
        "begin": {"id": "begin", "ids": [32], "tokens": ["A"]},
        "end": {"id": "end", "ids": [33, 34], "tokens": ["B", "C"]},
    },
}


@given(text=texts_with_added_tokens, added=added_tokens)
def test_a_template(text: str, added: list[dict[str, Any]]) -> None:
    compare(text, added_tokens=added, post_processor=TEMPLATE)


def byte_level(**fields: bool) -> dict[str, Any]:
    return {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False} | fields


@pytest.mark.parametrize("text", ["x low", "a  low lower  ", "猫 猫は ", "it's \u00a3 low"])
def test_spaces_are_trimmed_from_places(text: str) -> None:
    compare(text, post_processor=byte_level(trim_offsets=True))


@pytest.mark.parametrize(
    ("text", "add_prefix_space"),
    [
        pytest.param("low\nlow", False, id="a newline stays"),
        pytest.param("low\u3000low", False, id="a wide space stays"),
        pytest.param(" low", True, id="the first space stays with add_prefix_space"),
        pytest.param(" ", True, id="and so does a lone one"),
    ],
)
def test_places_with_trim_offsets(text: str, add_prefix_space: bool) -> None:
    fields = byte_level(trim_offsets=True, add_prefix_space=add_prefix_space)
    compare(text, post_processor=fields)


@pytest.mark.parametrize("text", ["low", "lower low", " low", "\nlow", "", "猫"])
def test_ids_with_a_prefix_space(text: str) -> None:
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    fields = byte_level(add_prefix_space=True, use_regex=True)
    document = json.dumps(little_gpt2() | {"pre_tokenizer": fields})
    ids = library.Tokenizer.from_str(document).encode(text).ids
    assert kugiri.load(document.encode()).encode(text) == ids


@pytest.mark.parametrize("text", ["x", "語", "\nlow"])
def test_places_with_a_prefix_space(text: str) -> None:
    compare(text, pre_tokenizer=byte_level(add_prefix_space=True, use_regex=True))
