"""The alternatives of a split pattern, and which of them a match is due to.

Rule.    The bars outside of all groups part a pattern; flags at its start hold for every part. The
         first alternative that matches where the match begins is the one, since that is how an
         alternation is searched. The usual ones have words of their own.
Cost.    One more search a boundary.
"""

from __future__ import annotations

from functools import lru_cache

from kugiri.errors import OptionError
from kugiri.explain.glyphs import visible
from kugiri.reference.regex_classes import LONGEST, compile_pattern, lexemes
from kugiri.unicode import category

_O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
)

WORDS: dict[str, str] = {
    r" ?\p{L}+": "letters",
    r"[^\r\n\p{L}\p{N}]?\p{L}+": "letters",
    r"[^\r\n\p{L}\p{N}]?+\p{L}++": "letters",
    r" ?\p{N}+": "digits",
    r"\p{N}": "one digit",
    r"\p{N}{1,3}": "up to three digits",
    r"\p{N}{1,3}+": "up to three digits",
    r" ?[^\s\p{L}\p{N}]+": "signs",
    r" ?[^\s\p{L}\p{N}]+[\r\n]*": "signs",
    r" ?[^\s\p{L}\p{N}]++[\r\n]*+": "signs",
    r" ?[^\s\p{L}\p{N}]+[\r\n/]*": "signs",
    r"\s+(?!\S)": "white space (all but the last)",
    r"\s+": "white space",
    r"\s": "white space",
    r"\s++$": "white space at the end",
    r"\s*[\r\n]": "a line end",
    r"\s*[\r\n]+": "line ends",
    r"\w+": "word characters",
    r"[^\w\s]+": "signs",
    "[一-鿿々〆]+": "kanji",
    "[ぁ-ゟ]+": "hiragana",
    "[゠-ヿー]+": "katakana",
    "[A-Za-z0-9_]+": "word characters of ASCII",
    r"[^\s]": "one sign",
    **dict.fromkeys(
        (
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)", r"'(?i:[sdmt]|ll|ve|re)", r"'(?:[sdmt]|ll|ve|re)",
            "'s", "'t", "'re", "'ve", "'m", "'ll", "'d",
        ),
        "a contraction",
    ),
    **dict(zip(_O200K, ("letters", "letters (upper case first)"), strict=True)),
}  # fmt: skip
"""Alternatives of the named patterns, in words."""


@lru_cache(maxsize=64)
def alternatives(pattern: str) -> tuple[str, ...]:
    """The parts of a pattern, in the order in which they are tried.

    Example:
        >>> alternatives(r"'s|[a|b]+|(?:x|y)")
        ("'s", '[a|b]+', '(?:x|y)')
    """
    bars = [-1]
    depth = 0
    flags = ""
    for place, text, _ in lexemes(pattern):
        if text[0] == "(" and text[-1] == ")" and len(text) > 1:
            flags += text
        elif text[0] == "(":
            depth += 1
        elif text == ")":
            depth -= 1
        elif text == "|" and depth == 0:
            bars.append(place)
    ends = [*bars[1:], len(pattern)]
    parts = [pattern[bar + 1 : end] for bar, end in zip(bars, ends, strict=True)]
    return tuple([parts[0], *(flags + part for part in parts[1:])])


def due_to(pattern: str, text: str, start: int, version: str) -> str:
    r"""The alternative that matches at a place of a text, in words where it has some.

    Example:
        >>> due_to("[0-9]|[a-z]+", "1ab", 1, "16.0")
        '[a-z]+'
        >>> due_to(r"[^\r\n\p{L}\p{N}]?\p{L}+|\s+", "a。b", 1, "16.0")
        'letters led by 。'
    """
    for part in alternatives(pattern):
        try:
            found = compile_pattern(part, version).match(text, start, timeout=LONGEST)
        except (OptionError, TimeoutError):  # it means something only in the whole, as \1 would
            break
        if found:
            words = WORDS.get(part, part)
            return words + _led(found[0]) if words.startswith("letters") else words
    return pattern


def _led(word: str) -> str:
    """What a pattern takes along before letters."""
    first = word[0]
    if category(first)[0] in "LM" or len(word) == 1:
        return ""
    return " led by a space" if first == " " else f" led by {visible(first)}"
