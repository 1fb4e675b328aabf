"""The pre-tokenizers of tokenizer.json cut as tokenizers 0.23.3 does, and give the same places."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kugiri
from kugiri import spec
from kugiri.errors import FormatError
from kugiri.formats.components import write_part
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.places import pre_tokens
from tests.real_pre_tokenizers import (
    ALONE,
    BEHAVIORS,
    BYTES,
    FIRST,
    ONLY_BYTES,
    ONLY_FAST,
    REAL,
    sequence,
)
from tests.strategies import texts
from tools.parity_data import HOW_TO_GET

Place = tuple[str, tuple[int, int]]


# ── what is compared ──────────────────────────────────────────────────────────────────────────
VOCAB = ["[UNK]", "a", "b", "Ġ", "▁", "ab", "Ġa", "▁a", "ç", "1"]
MODELS: dict[str, dict[str, Any]] = {
    "WordLevel": {"vocab": {"[UNK]": 0, "a": 1, "▁a": 2, "Ġa": 3}},
    "BPE": {
        "vocab": {token: id for id, token in enumerate(VOCAB)},
        "merges": [["a", "b"], ["Ġ", "a"], ["▁", "a"]],
    },
}


@cache
def both(pre_tokenizer: spec.PreTokenizer, model: str = "WordLevel") -> tuple[Any, Any]:
    """The same tokenizer here and in the original library."""
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    described = {"type": model, "unk_token": "[UNK]", **MODELS[model]}
    document = {"pre_tokenizer": write_part(pre_tokenizer), "model": described}
    file = msgspec.json.encode(document)
    return kugiri.load(file), library.Tokenizer.from_str(file.decode())


def compare(pre_tokenizer: spec.PreTokenizer, text: str, readable: bool = True) -> None:
    """Pre-tokens and their places, on both engines; ids and places with a model behind."""
    if not text:  # a tokenizer without any step shows an empty text as one empty pre-token there
        return
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


# ── examples ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("pre_tokenizer", "text", "expected"),
    [
        (spec.BertPreTokenizer(), "a. b", [("a", (0, 1)), (".", (1, 2)), ("b", (3, 4))]),
        (spec.Whitespace(), "a-b ½", [("a", (0, 1)), ("-", (1, 2)), ("b", (2, 3)), ("½", (4, 5))]),
        (spec.UnicodeScripts(), " a b猫カー", [("a b", (1, 4)), ("猫カー", (4, 7))]),
        (spec.UnicodeScripts(), "  ", []),
        (spec.Metaspace(), "a  c", [("▁a", (0, 1)), ("▁", (1, 2)), ("▁c", (2, 4))]),
        (spec.Metaspace(split=False), "a c", [("▁a▁c", (0, 3))]),
        (spec.Metaspace(prepend_scheme="never"), "a c", [("a", (0, 1)), ("▁c", (1, 3))]),
        (spec.Metaspace(replacement=" "), "a b", [(" a", (0, 1)), (" b", (1, 3))]),
        (sequence(spec.WhitespaceSplit(), FIRST), "a c", [("▁a", (0, 1)), ("c", (2, 3))]),
        (sequence(spec.WhitespaceSplit(), FIRST), " a c", [("a", (1, 2)), ("c", (3, 4))]),
        (spec.Punctuation(), "a～。!", [("a～", (0, 2)), ("。", (2, 3)), ("!", (3, 4))]),
        (
            spec.Punctuation("contiguous"),
            "a..b",
            [("a", (0, 1)), ("..", (1, 3)), ("b", (3, 4))],
        ),
        (spec.Digits(), "a1½", [("a", (0, 1)), ("1½", (1, 3))]),
        (spec.Digits(individual_digits=True), "1½", [("1", (0, 1)), ("½", (1, 2))]),
        (spec.CharDelimiterSplit("-"), "a--b", [("a", (0, 1)), ("b", (3, 4))]),
        (spec.FixedLength(2), "猫a犬", [("猫a", (0, 2)), ("犬", (2, 3))]),
        (spec.Split(spec.Literally(""), "isolated"), "ab", [("a", (0, 1)), ("b", (1, 2))]),
        (
            sequence(spec.Digits(individual_digits=True), spec.ByteLevel()),
            "a1",
            [("Ġa", (0, 1)), ("Ġ1", (1, 2))],
        ),
        (
            sequence(spec.ByteLevel(), spec.Digits(individual_digits=True)),
            "猫1",
            [("ĠçĮ«", (0, 1)), ("1", (1, 2))],
        ),
        (
            sequence(ONLY_BYTES, spec.FixedLength(2)),
            "猫é",
            [("çĮ", (0, 1)), ("«Ã", (0, 2)), ("©", (1, 2))],
        ),
        (
            sequence(spec.Metaspace(), spec.ByteLevel(use_regex=False)),
            "a 猫",
            [("Ġâĸģa", (0, 1)), ("ĠâĸģçĮ«", (1, 3))],
        ),
    ],
)
def test_what_becomes_of_it(
    pre_tokenizer: spec.PreTokenizer, text: str, expected: list[Place]
) -> None:
    ours, theirs = both(pre_tokenizer)
    assert theirs.pre_tokenizer.pre_tokenize_str(text) == expected
    assert ours.pre_tokenize(text) == expected
    compare(pre_tokenizer, text)


@pytest.mark.parametrize(
    ("pre_tokenizer", "named"),
    [
        (spec.FixedLength(0), "length"),
        (spec.Metaspace(""), "replacement"),
        (spec.CharDelimiterSplit("ab"), "delimiter"),
    ],
)
def test_values_that_no_text_could_be_cut_by(pre_tokenizer: spec.PreTokenizer, named: str) -> None:
    part = write_part(pre_tokenizer)
    model = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}
    with pytest.raises(FormatError, match=f"pre_tokenizer.{named}"):
        kugiri.load(msgspec.json.encode({"pre_tokenizer": part, "model": model}))


# ── hard strings, random texts ────────────────────────────────────────────────────────────────
ALL = {**REAL, **ONLY_FAST, **ALONE}

HARD = [
    "", " ", "  a  b  ", "\n\na\r\nb\t", " 'S it's they'LL ", "①½Ⅷ٣ 1234567", "日本語の本",
    "ｶﾞｷﾞ か\u3099", "👩\u200d🔧🇯🇵", "한국어 ᄒ\u1161\u11ab", "עברית 123 العربية", "a。b、c…d",
    "ĠçĮ«▁_", "ロー・ド", "a" * 400,
    "\u0378\U0010ffff\ue000", "x²\u200dy", "\u2028\u3000\x85\xa0", "DeepSeek-V3.1: π≈3.14159",
]  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_hard_strings(name: str) -> None:
    for text in HARD:
        compare(ALL[name], text, readable=name not in ONLY_FAST)


@pytest.mark.parametrize("name", ALL)
def test_random_texts(name: str) -> None:
    chance = random.Random(name)
    for _ in range(40):
        text = "".join(chance.choices(CHARACTERS, k=chance.randrange(16)))
        compare(ALL[name], text, readable=name not in ONLY_FAST)


@settings(max_examples=25)
@pytest.mark.parametrize("name", REAL)
@given(text=texts)
def test_any_text(name: str, text: str) -> None:
    compare(REAL[name], text)


# ── every code point ──────────────────────────────────────────────────────────────────────────
CODE_POINTS = [
    *range(0xD800), *range(0xE000, 0x33500), *range(0xE0000, 0xE0200), 0xF0000, 0x10FFFF,
]  # fmt: skip
"""What Unicode assigns lies here; in the planes between is nothing."""

BY_CHARACTER = [
    spec.BertPreTokenizer(),
    spec.Whitespace(),
    spec.WhitespaceSplit(),
    spec.UnicodeScripts(),
    spec.Punctuation(),
    spec.Digits(),
    BYTES,
]


@pytest.mark.parametrize("pre_tokenizer", BY_CHARACTER, ids=lambda it: type(it).__name__)
@pytest.mark.parametrize("between", ["a", "。", "猫"])
def test_every_code_point(pre_tokenizer: spec.PreTokenizer, between: str) -> None:
    ours, theirs = both(pre_tokenizer)
    for start in range(0, len(CODE_POINTS), 4096):
        text = between.join(map(chr, CODE_POINTS[start : start + 4096]))
        expected = theirs.pre_tokenizer.pre_tokenize_str(text)
        assert ours.pre_tokenize(text) == expected, f"from U+{CODE_POINTS[start]:04X} on"
        if between == "a":
            assert pre_tokens(ReferenceTokenizer(ours.spec), text) == expected


# ── several, one after another ────────────────────────────────────────────────────────────────
CHARACTERS = [
    *"aabbAB  \n\t12½①猫犬アあー。、.,-'_▁ĠçéÄ", "'s", "ab", "\u3000", "e\u0301", "👩\u200d🔧",
    "\u0378", "α", "я", " a",
]  # fmt: skip
behaviors = st.sampled_from(BEHAVIORS)
patterns = st.one_of(
    st.sampled_from([" ", "a", "ab", "", "."]).map(spec.Literally),
    st.sampled_from(
        [r"\s+", r"\d", r"\p{L}+|\s?.", "[0-9]{3}", r"\s+(?!\S)|\S+", "^", "$", r"\w+|\b"]
    ).map(spec.Regex),
)
one_step = st.one_of(
    st.builds(spec.ByteLevel, st.booleans(), st.just(True), st.booleans()),
    st.sampled_from([spec.BertPreTokenizer(), spec.Whitespace(), spec.WhitespaceSplit()]),
    st.just(spec.UnicodeScripts()),
    st.builds(
        spec.Metaspace,
        st.sampled_from("▁_ 猫"),
        st.sampled_from(get_args(spec.PrependScheme)),
        st.booleans(),
    ),
    st.builds(spec.Split, patterns, behaviors, st.booleans()),
    st.builds(spec.Punctuation, behaviors),
    st.builds(spec.Digits, st.booleans()),
    st.builds(spec.CharDelimiterSplit, st.sampled_from("a -猫Ġ")),
    st.builds(spec.FixedLength, st.integers(1, 5)),
)
sequences = st.recursive(
    one_step,
    lambda steps: st.lists(steps, max_size=4).map(lambda several: sequence(*several)),
    max_leaves=4,
)


@settings(max_examples=400, deadline=None)
@given(pre_tokenizer=sequences, text=st.lists(st.sampled_from(CHARACTERS), max_size=14))
def test_any_sequence(pre_tokenizer: spec.PreTokenizer, text: list[str]) -> None:
    compare(pre_tokenizer, "".join(text))
