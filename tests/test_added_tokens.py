"""Added tokens with all their flags, against tokenizers 0.23.3; and public reports of faults."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.reference.pipeline import ReferenceTokenizer
from tests.hf import added, both, compare, document

CONTENTS = [
    "<a>",
    "<a",
    "a>",
    "aa",
    "a",
    "A",
    "Ab",
    "ab",
    "<",
    " ",
    "  ",
    " <",
    "< ",
    "猫",
    "x_",
    "é",
]
FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")

tokens = st.lists(
    st.builds(added, st.sampled_from(CONTENTS), **{flag: st.booleans() for flag in FLAGS}),
    max_size=5,
    unique_by=lambda token: str(token["content"]),
)
spaces = [" ", "  ", "\t", "\u3000", "\n"]
texts = st.lists(
    st.sampled_from([*CONTENTS, *spaces, "x", "_", "É", "\u0301", "1", "\u200d", "(", "<a>x"]),
    max_size=9,
).map("".join)


@given(text=texts, added_tokens=tokens)
def test_flags(text: str, added_tokens: list[dict[str, Any]]) -> None:
    ours, theirs = both(added_tokens=added_tokens)
    compare(ours, theirs, text)
    ids = ours.encode(text, allowed_special="all")
    for skip in (True, False):
        expected = theirs.decode(ids, skip_special_tokens=skip)
        assert ours.decode(ids, skip_special_tokens=skip) == expected


NORMALIZED = [
    added("AB", normalized=True),
    added("<M>", normalized=True, special=True, lstrip=True),
    added("É", normalized=True, rstrip=True),
    added("B", special=True),
    added("!!", normalized=True),
]
NORMALIZERS = [
    {"type": "Lowercase"},
    {"type": "NFD"},
    {"type": "Prepend", "prepend": "x"},
    {"type": "Replace", "pattern": {"String": "!"}, "content": "?"},
    {"type": "Strip", "strip_left": True, "strip_right": True},
]
looks = ["AB", "ab", "Ab", "<M>", "<m>", "É", "é", "e\u0301", "B", "b", "!", " ", "  ", "x", "xab"]


@pytest.mark.parametrize("normalizer", NORMALIZERS, ids=lambda part: str(part["type"]))
@given(parts=st.lists(st.sampled_from(looks), max_size=8))
def test_normalized(normalizer: dict[str, Any], parts: list[str]) -> None:
    """They match in normalized text, by their own normalized form, and decode to that."""
    ours, theirs = both(added_tokens=NORMALIZED, normalizer=normalizer)
    text = "".join(parts)
    expected = theirs.encode(text)
    readable = ReferenceTokenizer(ours.spec)
    assert [token.id for token in readable.encode(text, "all")] == expected.ids
    for skip in (True, False):
        decoded = theirs.decode(expected.ids, skip_special_tokens=skip)
        assert readable.decode(expected.ids, skip_special_tokens=skip) == decoded
    if _runs(ours):
        compare(ours, theirs, text)
        for skip in (True, False):
            decoded = theirs.decode(expected.ids, skip_special_tokens=skip)
            assert ours.decode(expected.ids, skip_special_tokens=skip) == decoded


def _runs(tok: kugiri.Tokenizer) -> bool:
    """Whether the core has this normalizer."""
    try:
        tok.encode("")
    except kugiri.OptionError:
        return False
    return True


# ── public reports of faults ──────────────────────────────────────────────────────────────────
SLOTS = {
    "ein <slot> alt": ["ein", "<slot>", "alt"],
    "<slot> alt": ["<slot>", "alt"],
    "<slot> ": ["<slot>"],
    "ein <slot> ": ["ein", "<slot>"],
    "<slot>": ["<slot>"],
    "ein<slot>": ["ein", "[U]", "[U]", "[U]"],
    "<slot>alt": ["[U]", "[U]", "[U]", "alt"],
    "(<slot>)": ["[U]", "<slot>", "[U]"],
    "<slot><slot>": ["<slot>", "<slot>"],
    "_<slot>": ["[U]", "[U]", "[U]", "[U]"],
}


@pytest.mark.parametrize("text", SLOTS)
def test_single_word_at_the_ends_and_beside_spaces(text: str) -> None:
    """tokenizers 918: such a token was lost there."""
    model = {"type": "WordLevel", "vocab": {"ein": 0, "alt": 1, "[U]": 2}, "unk_token": "[U]"}
    slot = added("<slot>", special=True, single_word=True)
    file = document(added_tokens=[slot], model=model, pre_tokenizer={"type": "Whitespace"})
    tok = kugiri.load(file.encode())
    assert tok.encode_with_offsets(text, allowed_special="all").tokens == SLOTS[text]


@pytest.mark.parametrize(
    "flags",
    [{"normalized": True}, {}, {"special": True}],
    ids=["normalized", "neither", "special"],
)
def test_letters_of_the_byte_alphabet_stay_letters(flags: dict[str, bool]) -> None:
    """tokenizers 1996: there they come back as control characters. This is not followed."""
    from kugiri.reference.byte_alphabet import CHARACTER_OF

    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    vocab = {CHARACTER_OF[byte]: byte for byte in range(256)}
    file = document(
        added_tokens=[added("kuća", **flags), added("õx", **flags)],
        model={"type": "BPE", "vocab": vocab, "merges": []},
        pre_tokenizer=byte_level,
        decoder=byte_level,
    )
    tok = kugiri.load(file.encode())
    ids = tok.encode("a kuća õx", allowed_special="all")
    assert ids == [97, 32, 256, 32, 257]
    assert (tok.decode(ids), tok.decode([256]), tok.decode([257])) == ("a kuća õx", "kuća", "õx")
    assert ReferenceTokenizer(tok.spec).decode(ids) == "a kuća õx"


# ── what it costs ─────────────────────────────────────────────────────────────────────────────
def test_very_many_added_tokens_load_quickly() -> None:
    """tokenizers 1635: 400,000 took a quarter of an hour and more; here 40,000 within seconds."""
    many = [added(f"<|token {i} of very many|>", special=i % 2 == 0) for i in range(40_000)]
    file = document(added_tokens=many).encode()
    start = time.perf_counter()
    tok = kugiri.load(file)
    ids = tok.encode("x<|token 39999 of very many|><|token 7 of", allowed_special="all")
    assert (ids[:2], time.perf_counter() - start < 20) == ([4, 10 + 39_999], True)


def test_white_space_costs_no_more_than_its_length() -> None:
    strips = [added(" ", rstrip=True), added("<r>", rstrip=True, lstrip=True)]
    tok = kugiri.load(document(added_tokens=strips).encode())
    start = time.perf_counter()
    assert tok.count(" " * 200_000 + "<r>" + "\t" * 200_000) >= 200_001
    assert time.perf_counter() - start < 20


def test_the_flags_are_written_as_they_were_read(tmp_path: Any) -> None:
    file = document(added_tokens=[added(c, **dict.fromkeys(FLAGS, True)) for c in CONTENTS])
    kugiri.load(file.encode()).save(tmp_path / "tokenizer.json")
    again = (tmp_path / "tokenizer.json").read_text(encoding="utf-8")
    assert json.loads(again) == json.loads(file)


def test_a_token_that_merges_make_is_merged_under_its_own_name() -> None:
    """An added token matches its normalized form, while the model still knows its content."""
    model = {
        "type": "BPE",
        "vocab": {token: id for id, token in enumerate(["_", "a", "b", "ab"])},
        "merges": ["a b"],
    }
    tokens = [added("b", id=2, normalized=True)]
    normalizer = {"type": "Prepend", "prepend": "_"}
    for text in ("ab", "b", "aab"):
        compare(
            *both(model=model, added_tokens=tokens, normalizer=normalizer, pre_tokenizer=None), text
        )
