"""The parts of a tokenizer.json: each both ways, in every spelling that tokenizers knows."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from kugiri import spec
from tests.test_formats_tokenizer_json import (
    BASE,
    BPE_MODEL,
    METASPACE,
    TEMPLATE,
    UNIGRAM,
    WORD_PIECE,
    Json,
    added,
    canonical,
    oracle,
    read,
    written,
)

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
PARTS: list[tuple[str, Json]] = [
    *(("normalizer", {"type": name}) for name in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase")),
    *(("normalizer", {"type": name}) for name in ("StripAccents", "Nmt", "ByteLevel")),
    (
        "normalizer",
        {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": False,
            "strip_accents": False,
            "lowercase": True,
        },
    ),
    ("normalizer", {"type": "Strip", "strip_left": True, "strip_right": False}),
    ("normalizer", {"type": "Prepend", "prepend": "▁"}),
    ("normalizer", {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}),
    ("normalizer", {"type": "Replace", "pattern": {"Regex": " {2,}$"}, "content": ""}),
    ("normalizer", {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Nmt"}]}),
    ("pre_tokenizer", {**BYTE_LEVEL, "use_regex": False}),
    *(("pre_tokenizer", {"type": name}) for name in ("BertPreTokenizer", "Whitespace")),
    *(("pre_tokenizer", {"type": name}) for name in ("WhitespaceSplit", "UnicodeScripts")),
    *(
        ("pre_tokenizer", {**METASPACE, "prepend_scheme": scheme, "split": False})
        for scheme in ("always", "first", "never")
    ),
    *(
        (
            "pre_tokenizer",
            {"type": "Split", "pattern": {"Regex": "a"}, "behavior": behavior, "invert": True},
        )
        for behavior in (
            "Removed",
            "Isolated",
            "MergedWithPrevious",
            "MergedWithNext",
            "Contiguous",
        )
    ),
    ("pre_tokenizer", {"type": "Punctuation", "behavior": "Contiguous"}),
    ("pre_tokenizer", {"type": "Digits", "individual_digits": True}),
    ("pre_tokenizer", {"type": "CharDelimiterSplit", "delimiter": "、"}),
    ("pre_tokenizer", {"type": "FixedLength", "length": 3}),
    ("pre_tokenizer", {"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}]}),
    ("post_processor", {"type": "BertProcessing", "sep": ["a", 0], "cls": ["b", 1]}),
    (
        "post_processor",
        {
            "type": "RobertaProcessing",
            "sep": ["a", 0],
            "cls": ["b", 1],
            "trim_offsets": False,
            "add_prefix_space": True,
        },
    ),
    ("post_processor", {**BYTE_LEVEL, "use_regex": True}),
    ("post_processor", TEMPLATE),
    (
        "post_processor",
        {"type": "Sequence", "processors": [TEMPLATE, {**BYTE_LEVEL, "use_regex": True}]},
    ),
    ("decoder", {**BYTE_LEVEL, "use_regex": True}),
    ("decoder", {"type": "ByteFallback"}),
    ("decoder", {"type": "Fuse"}),
    ("decoder", {**METASPACE, "prepend_scheme": "first", "split": True}),
    ("decoder", {"type": "WordPiece", "prefix": "##", "cleanup": False}),
    ("decoder", {"type": "BPEDecoder", "suffix": "</w>"}),
    ("decoder", {"type": "CTC", "pad_token": "p", "word_delimiter_token": "|", "cleanup": False}),
    ("decoder", {"type": "Strip", "content": " ", "start": 1, "stop": 0}),
    ("decoder", {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}),
    ("decoder", {"type": "Sequence", "decoders": [{"type": "Fuse"}]}),
    ("truncation", {"direction": "Left", "max_length": 3, "strategy": "OnlyFirst", "stride": 1}),
    *(
        (
            "padding",
            {
                "strategy": strategy,
                "direction": "Left",
                "pad_to_multiple_of": 8,
                "pad_id": 1,
                "pad_type_id": 2,
                "pad_token": "b",
            },
        )
        for strategy in ("BatchLongest", {"Fixed": 5})
    ),
    ("added_tokens", [added("a", 0), added("猫", 2, special=False, normalized=True, rstrip=True)]),
]
PARTS += [("model", BPE_MODEL), ("model", WORD_PIECE), ("model", UNIGRAM)]


@pytest.mark.parametrize(("key", "part"), PARTS)
def test_part_both_ways(key: str, part: Any) -> None:
    document = {**BASE, key: part}
    described = read(document)
    assert described.unknown_fields == b"", "this is how tokenizers itself writes it"
    assert written(described) == document
    assert list(written(described)) == list(document)
    assert json.dumps(written(described)[key]) == json.dumps(part), "the order of keys too"
    assert json.loads(oracle(document).to_str()) == document


def test_charsmap_both_ways() -> None:
    part = {"type": "Precompiled", "precompiled_charsmap": "ALQCAP8="}
    described = read({**BASE, "normalizer": part})
    assert described.normalizer == spec.Precompiled(b"\x00\xb4\x02\x00\xff")
    assert written(described)["normalizer"] == part


OTHER_SPELLINGS: list[tuple[str, Any, Any]] = [
    # key, as it may be spelled, as tokenizers writes it
    ("normalizer", {"strip_left": True, "strip_right": False}, {"type": "Strip"}),
    ("normalizer", {"prepend": "x"}, {"type": "Prepend"}),
    ("normalizer", {"pattern": {"String": "a"}, "content": "b"}, {"type": "Replace"}),
    ("normalizer", {"normalizers": []}, {"type": "Sequence"}),
    (
        "normalizer",
        {"type": "Bert", "clean_text": True, "handle_chinese_chars": True, "lowercase": True},
        {"type": "BertNormalizer", "strip_accents": None},
    ),
    ("pre_tokenizer", BYTE_LEVEL, {"use_regex": True}),
    ("pre_tokenizer", METASPACE, {"prepend_scheme": "always", "split": True}),
    ("pre_tokenizer", {"type": "Punctuation"}, {"behavior": "Isolated"}),
    ("pre_tokenizer", {"type": "FixedLength"}, {"length": 5}),
    ("post_processor", {"sep": ["a", 0], "cls": ["b", 1]}, {"type": "BertProcessing"}),
    (
        "post_processor",
        {"type": "RobertaProcessing", "sep": ["a", 0], "cls": ["b", 1]},
        {"type": "BertProcessing"},
    ),
    (
        "post_processor",
        {k: v for k, v in TEMPLATE.items() if k != "type"},
        {"type": "TemplateProcessing"},
    ),
    ("decoder", {"suffix": "</w>"}, {"type": "BPEDecoder"}),
    ("decoder", {"prefix": "##", "cleanup": False}, {"type": "WordPiece"}),
    ("decoder", {"content": " ", "start": 1, "stop": 0}, {"type": "Strip"}),
    (
        "truncation",
        {"max_length": 3, "strategy": "OnlyFirst", "stride": 1},
        {"direction": "Right"},
    ),
    ("model", {"vocab": {"a": 0}, "unk_token": "a"}, {"type": "WordLevel"}),
    ("model", {k: v for k, v in WORD_PIECE.items() if k != "type"}, {"type": "WordPiece"}),
    ("model", {"vocab": [["a", 1.0]]}, {"type": "Unigram", "unk_id": None, "byte_fallback": False}),
    (
        "model",
        {"vocab": {"a": 0, "b": 1, "ab": 3}, "merges": ["a b"]},
        {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "merges": [["a", "b"]],
        },
    ),
]


@pytest.mark.parametrize(("key", "part", "more"), OTHER_SPELLINGS)
def test_other_spellings_are_understood_and_kept(key: str, part: Json, more: Json) -> None:
    document = {**BASE, key: {**part, "nobody": ["reads", "this"]}}
    as_tokenizers_writes = {**BASE, key: {**part, **more}}
    described = read(document)
    assert written(described) == document
    assert canonical(described) == as_tokenizers_writes
    assert json.loads(oracle(document).to_str()) == as_tokenizers_writes


def test_legacy_metaspace() -> None:
    part = {**METASPACE, "str_rep": "_", "add_prefix_space": False, "prepend_scheme": "never"}
    described = read({**BASE, "pre_tokenizer": part})
    assert described.pre_tokenizer == spec.Metaspace("_", "never")
    assert written(described)["pre_tokenizer"] == part


def test_a_spelling_is_kept_only_where_nothing_was_changed() -> None:
    document = {**BASE, "pre_tokenizer": METASPACE, "normalizer": {"prepend": "x"}}
    edited = msgspec.structs.replace(read(document), pre_tokenizer=spec.Metaspace("_", "first"))
    assert written(edited)["pre_tokenizer"] == {**METASPACE, "prepend_scheme": "first"}
    assert written(edited)["normalizer"] == {"prepend": "x"}


def test_only_the_model_is_needed() -> None:
    document = {"model": BASE["model"]}
    assert read(document).model == read(BASE).model
    assert written(read(document)) == document
