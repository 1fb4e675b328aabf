"""Characters of the readable engine: the classes of patterns, and the byte alphabet."""

from __future__ import annotations

import re

import pytest

from kugiri.errors import OptionError
from kugiri.reference.byte_alphabet import BYTE_OF, CHARACTER_OF, ORDERS
from kugiri.reference.regex_classes import compile_pattern, expand_classes


# ── classes of patterns ───────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("pattern", "matched", "other"),
    [
        (r"\s", "\u0085\u3000 ", "\u001c\u200b"),
        (r"\S", "\u001ca", " "),
        (r"[^\s]", "\u001ca", " "),
        (r"[\S]", "\u001ca", " "),
        (r"\p{N}", "1①Ⅷ٣", "a"),
        (r"\d", "1٣", "①Ⅷ½"),
        (r"[^\d]", "①a", "1"),
        (r"\P{L}", "1 ", "aあ"),
        (r"\p{^L}", "1 ", "aあ"),
        (r"[\P{L}a]", "1a", "b"),
        (r"\pL", "aあ", "1"),
        (r"\w", "aあ1_\u200d\u3099Ⓐ", "- ①½"),
        (r"\W", "-①", "a"),
        (r"[]a]", "]a", "b"),
        (r"[^]a]", "b", "]a"),
        (r"\[", "[", "\\"),
        (r"\\p", "", "p"),
        (r"[$]", "$", "a"),
        ("[a[b-d]]", "abd", "e["),
        ("[^a[^b]]", "b", "ac"),
        (r"[\p{L}&&[^a]]", "bあ", "a1"),
        ("[a-c&&b-d&&[^c]]", "b", "acd"),
        ("[^a&&b]", "ab1", ""),
        ("[a&&b]", "", "ab"),
        ("(?i:[a-c&&[^b]])", "aAcC", "bB"),
    ],
)
def test_classes(pattern: str, matched: str, other: str) -> None:
    compiled = compile_pattern(pattern)
    assert [c for c in matched if not compiled.fullmatch(c)] == []
    assert [c for c in other if compiled.fullmatch(c)] == []


def test_the_end_mark_is_the_end_of_the_text_only() -> None:
    assert expand_classes("a$") == r"a\Z"
    assert compile_pattern("a$").search("a\n") is None


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("[&&a]", "&& beside nothing"),
        ("[a--b]", "-- or ~~"),
        (r"\p{Han}", r"\p{Han}"),
        ("(", "is not a regex"),
    ],
)
def test_patterns_that_are_refused(pattern: str, named: str) -> None:
    with pytest.raises(OptionError, match=re.escape(named)):
        compile_pattern(pattern)


# ── the byte alphabet ─────────────────────────────────────────────────────────────────────────
def test_byte_alphabet() -> None:
    assert [CHARACTER_OF[byte] for byte in b" \n\x00a~\x7f\xad\xff"] == list("ĠĊĀa~ġŃÿ")
    assert [BYTE_OF[CHARACTER_OF[byte]] for byte in range(256)] == list(range(256))


def test_gpt2_order_is_that_of_the_visible_characters() -> None:
    assert ORDERS["gpt2"] == sorted(range(256), key=CHARACTER_OF.__getitem__)
    assert ORDERS["gpt2"].index(0x00) == 188
    assert ORDERS["value"] == list(range(256))
