"""Post-processors for one text and a pair, against tokenizers 0.23.3."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.reference.pipeline import ReferenceTokenizer
from tests.hf import added, both, compare, document

BERT = {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 9]}
A = {"Sequence": {"id": "A", "type_id": 0}}
A3 = {"Sequence": {"id": "A", "type_id": 3}}
B = {"Sequence": {"id": "B", "type_id": 1}}
C = {"SpecialToken": {"id": "c", "type_id": 5}}
NAMED = {"c": {"id": "c", "ids": [7, 1], "tokens": ["c1", "c2"]}}


def template(single: list[Any], pair: list[Any]) -> dict[str, Any]:
    return {
        "type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": NAMED,
    }  # fmt: skip


def roberta(trim: bool, prefix: bool) -> dict[str, Any]:
    flags = {"trim_offsets": trim, "add_prefix_space": prefix}
    return {"type": "RobertaProcessing", "sep": ["</s>", 3], "cls": ["<s>", 9]} | flags


def byte_level(trim: bool, prefix: bool) -> dict[str, Any]:
    flags = {"trim_offsets": trim, "add_prefix_space": prefix, "use_regex": True}
    return {"type": "ByteLevel"} | flags


def sequence(*processors: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "processors": list(processors)}


PROCESSORS: dict[str, dict[str, Any] | None] = {
    "none": None,
    "bert": BERT,
    "roberta": roberta(trim=False, prefix=False),
    "roberta, trimmed": roberta(trim=True, prefix=False),
    "roberta, trimmed but the first space": roberta(trim=True, prefix=True),
    "byte-level": byte_level(trim=False, prefix=True),
    "byte-level, trimmed": byte_level(trim=True, prefix=False),
    "byte-level, trimmed but the first space": byte_level(trim=True, prefix=True),
    "template": template([C, A, C], [C, A3, C, B]),
    "template, B first": template([A], [B, C, A]),
    "template without B": template([A3, C], [C, A]),
    "nothing but texts": template([A], [A, B]),
    "trimmed, then a template": sequence(byte_level(True, True), template([C, A], [A, C, B])),
    "trimmed twice": sequence(
        byte_level(True, False), byte_level(True, True), template([A], [A, B])
    ),
    "an empty sequence": sequence(),
}  # fmt: skip

texts = st.text(alphabet="ab \u0120\u3000猫\t<", max_size=8)
every_processor = pytest.mark.parametrize("name", PROCESSORS)
TOKENS = [added("<a>", lstrip=True, rstrip=True), added("  \u0120a ")]


@every_processor
@given(text=texts, add=st.booleans())
def test_one_text(name: str, text: str, add: bool) -> None:
    ours, theirs = both(post_processor=PROCESSORS[name], added_tokens=TOKENS)
    compare(ours, theirs, text, add=add)


@every_processor
@given(text=texts, pair=texts, add=st.booleans())
def test_a_pair(name: str, text: str, pair: str, add: bool) -> None:
    ours, theirs = both(post_processor=PROCESSORS[name], added_tokens=TOKENS)
    compare(ours, theirs, text, pair, add=add)


NESTED = {
    "two templates of two parts": sequence(template([C, A], [A, B]), template([C, A], [A3, C, B])),
    "a template, then roberta": sequence(template([C, A, C], [A, C, B]), roberta(False, False)),
    "bert, then a template": sequence(BERT, template([C, A3, C], [B, C, A])),
    "a template, then bert": sequence(template([C, A3, C], [A, B, C]), BERT),
    "a text twice": template([A, A3], [B, A, A]),
}


@pytest.mark.parametrize("name", NESTED)
def test_post_processors_behind_a_template(name: str) -> None:
    """A template gives a part for each of its pieces; ids and types follow. Masks do not."""
    ours, theirs = both(post_processor=NESTED[name])
    for pair in (None, "bx"):
        for add in (True, False):
            found = ours.encode_with_offsets("a b", pair=pair, add_special_tokens=add)
            expected = theirs.encode("a b", pair, add_special_tokens=add)
            assert found.ids.tolist() == expected.ids
            assert (found.tokens, found.type_ids) == (expected.tokens, expected.type_ids)
            tokens = ReferenceTokenizer(ours.spec).encode("a b", frozenset(), add, pair)
            assert [token.id for token in tokens] == expected.ids


def test_a_template_of_three_parts_is_refused() -> None:
    """tokenizers panics."""
    both_times = template([C, A, C], [A, B])
    ours, _ = both(post_processor=sequence(both_times, both_times))
    assert ours.encode("a b") == [1, 3, 2]
    for tok in (ours, ReferenceTokenizer(ours.spec)):
        with pytest.raises(kugiri.OptionError, match="not one or two"):
            tok.encode("a", add_special_tokens=True)


def test_a_template_for_one_text_that_asks_for_two_is_refused() -> None:
    with pytest.raises(kugiri.FormatError, match="asks for the text B of a pair"):
        kugiri.load(document(post_processor=template([A, B], [A, B])).encode())


ROWS = [
    (BERT, "a", None, [9, 1, 3], [0, 0, 0], [None, 0, None]),
    (BERT, "a", "b", [9, 1, 3, 2, 3], [0, 0, 0, 1, 1], [None, 0, None, 1, None]),
    (roberta(True, True), "a", "b", [9, 1, 3, 3, 2, 3], [0] * 6, [None, 0, None, None, 1, None]),
    (template([C, A], [A3, C, B]), "a", "b", [1, 7, 1, 2], [3, 5, 5, 1], [0, None, None, 1]),
    (None, "a", "b", [1, 2], [0, 1], [0, 1]),
]


@pytest.mark.parametrize(("processor", "text", "pair", "ids", "types", "of"), ROWS)
def test_rows(
    processor: Any, text: str, pair: str | None, ids: list[int], types: list[int], of: list[Any]
) -> None:
    tok = kugiri.load(document(post_processor=processor).encode())
    found = tok.encode_with_offsets(text, pair=pair, add_special_tokens=True)
    assert found.ids.tolist() == ids == tok.encode(text, pair=pair, add_special_tokens=True)
    assert (found.type_ids, found.sequence_ids) == (types, of)
    readable = ReferenceTokenizer(tok.spec).encode(text, frozenset(), True, pair)
    assert [token.id for token in readable] == ids


def test_a_pair_that_is_no_text_is_refused() -> None:
    tok = kugiri.load(document().encode())
    with pytest.raises(kugiri.OptionError, match="int"):
        tok.encode("a", pair=5)  # type: ignore[arg-type]
    with pytest.raises(kugiri.EncodingError, match="surrogate"):
        tok.encode_with_offsets("a", pair="\ud800")


SETTINGS = [
    {"truncation": {"direction": "Left", "max_length": 3, "strategy": "OnlyFirst", "stride": 1}},
    {"padding": {"strategy": {"Fixed": 9}, "direction": "Left", "pad_to_multiple_of": 4,
                 "pad_id": 3, "pad_type_id": 1, "pad_token": " "}},
    {"padding": {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None,
                 "pad_id": 0, "pad_type_id": 0, "pad_token": "[U]"}},
]  # fmt: skip


@pytest.mark.parametrize("settings", SETTINGS)
def test_truncation_and_padding_are_kept_and_not_applied(
    settings: dict[str, Any], tmp_path: Any
) -> None:
    file = document(**settings)
    with pytest.warns(kugiri.KugiriWarning, match="keeps the setting and does not apply it"):
        tok = kugiri.load(file.encode())
    assert len(tok.encode("a b a b a b")) == 11
    tok.save(tmp_path / "tokenizer.json")
    assert json.loads((tmp_path / "tokenizer.json").read_text(encoding="utf-8")) == json.loads(file)
    kept = tok.spec.truncation or tok.spec.padding
    assert kept is not None
