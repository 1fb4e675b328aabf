"""Characters that nobody sees, and where some writing needs them."""

from __future__ import annotations

import sys

import pytest

import kugiri
from kugiri.check.unseen import CLASSES, class_of, unseen
from kugiri.unicode import NEWEST, category
from tests.checked import cases, words
from tests.oracles import parity_file

NEEDED = {
    "the form of a kanji": "葛\U000e0100城",
    "the form of a kanji beyond the basic plane": "\U00020bb7\U000e0101",
    "the form of a compatible kanji": "神\ufe00",
    "a mark of repetition with a form": "々\U000e0100",
    "an emoji": "❤\ufe0f",
    "a keycap": "1\ufe0f\u20e3",
    "a sign as text": "©\ufe0e",
    "a family": "👩\u200d👩\u200d👧",
    "a man of a profession": "👨🏽\u200d⚕\ufe0f",
    "half a family": "👩\u200d",
    "a conjunct of Devanagari": "क्\u200dष",
    "a word of Persian": "می\u200cروم",
    "a joiner at the end of a word": "ന്\u200d,",
    "Khmer without spaces": "ភាសា\u200bខ្មែរ",
    "a word of Hebrew": "א\u200e-",
    "a form of Mongolian": "ᠨ\u180b",
    "Jamo without a vowel": "ᄀ\u1160",
    "a selector alone": "\ufe0f",
    "a hint of direction alone": "\u200f",
    "Braille": "⠓\u2800⠑",
    "the flag of Wales": "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    "a tag of a flag alone": "\U000e0067",
    "a soft hyphen": "Donau\u00addampf",
    "a place to join": "x\u2062y",
    "a line": "a\u2028b",
    "private use": "\ue000",
}
STRAY = {
    "letters joined": "a\u200db",
    "kana parted": "ね\u200bこ",
    "a selector behind a letter": "a\ufe0f",
    "a selector of a form behind kana": "ね\U000e0100",
    "a mark of direction": "a\u202eb",
    "an isolate": "\u2066",
    "a control that was given up": "a\u206ab",
    "a hint of direction between letters": "a\u200eb",
    "tags that no flag has": "\U000e0041",
    "tags behind a letter": "a\U000e0067\U000e0062",
    "tags behind another emoji": "🐈\U000e0067\U000e007f",
    "tags of a flag without an end": "\U0001f3f4\U000e0067",
    "a byte order mark": "\ufeffusing",
    "a blank": "\u3164",
    "half a blank": "\uffa0",
    "a filler between letters": "a\u115fb",
    "a form of Mongolian behind a letter": "a\u180e",
    "a vowel of Khmer behind a letter": "a\u17b4",
    "a blank of Braille between letters": "a\u2800b",
    "a mark of annotation": "\ufff9",
    "a noncharacter": "\ufdd0",
    "a noncharacter of a far plane": "\U0001ffff",
    "a noncharacter of the last plane": "\U0010fffe",
    "what has no meaning yet": "\U000e0fff",
}
SEEN = ["東京\u3000駅", "か\u3099は\u309a", "が゛", "a b\n", "🇯🇵", "。、", "\u0600"]


@pytest.mark.parametrize("name", NEEDED)
def test_what_some_writing_needs(name: str) -> None:
    found = list(unseen(NEEDED[name]))
    assert found
    assert all(needed for _, _, needed in found)
    kind = "private" if name == "private use" else "needed"
    assert len(cases(words([NEEDED[name]]), f"invisible.{kind}")) == 1


@pytest.mark.parametrize("name", STRAY)
def test_what_no_writing_needs(name: str) -> None:
    assert not all(needed for _, _, needed in unseen(STRAY[name]))
    assert len(cases(words([STRAY[name]]), "invisible.stray")) == 1


@pytest.mark.parametrize("text", SEEN)
def test_what_is_seen(text: str) -> None:
    assert list(unseen(text)) == []


PREPENDED = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Marks of format that have ink: they are drawn around digits or letters."""
HIEROGLYPHS = range(0x13430, 0x13440)
"""They say how the signs beside them are put together."""


def test_no_mark_of_format_is_left_out() -> None:
    left_out = {
        code
        for code in range(0x80, sys.maxunicode + 1)
        if category(chr(code), NEWEST) in ("Cf", "Zl", "Zp", "Co") and class_of(chr(code)) is None
    }
    assert left_out == PREPENDED | set(HIEROGLYPHS)


def test_no_character_has_two_classes() -> None:
    every = [
        code
        for its in CLASSES.values()
        for first, last in its.ranges
        for code in range(first, last + 1)
    ]
    assert len(every) == len(set(every))


def test_a_long_text_takes_no_longer_for_each_character() -> None:
    assert sum(1 for _ in unseen("\u200b" * 200_000)) == 200_000


@pytest.mark.parametrize("character", ["\U000e0041", "\u202e", "\u200b", "\u3164", "\ufe0f"])
def test_invisible_text_is_kept(character: str) -> None:
    tok = kugiri.train(["a"], vocab_size=256)
    kept = cases(tok, "invisible.kept")
    assert [name for name, _ in kept] == list(CLASSES)
    assert tok.decode(tok.encode(character)) == character


def test_what_is_kept_is_counted() -> None:
    gone = words(["a", "b"], normalizer={
        "type": "Replace", "pattern": {"Regex": "[\u202a-\u202e]"}, "content": "",
    }, decoder={"type": "Fuse"})  # fmt: skip
    assert cases(gone, "invisible.kept") == []


def test_flags_of_a_real_vocabulary_are_no_strays() -> None:
    tok = kugiri.load(parity_file("npm/gemma3/tokenizer.json"))
    tags = [what for what, becomes in cases(tok, "invisible.needed") if "tags" in becomes]
    assert (
        "".join(sorted(tags))
        == "<TAG END><TAG b><TAG c><TAG e><TAG g><TAG l><TAG n><TAG s><TAG t><TAG w>"
    )
    assert not any("tags" in becomes for _, becomes in cases(tok, "invisible.stray"))
