r"""Classes and characters of Oniguruma's dialect, said in ours.

Rule.    `[a[b]]`, `&&` and `[:punct:]` mean in a class what they look like; there `\w` has no ²
         and no joiners, while `\w` alone has ².
Cost.    One pass over the class.
Source.  doc/RE of Oniguruma 6.9; tokenizers 0.23.3, on every code point.
"""

from __future__ import annotations

import regex

_CATEGORIES = "C[cfno]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?"
_SCRIPTS = "Han|Hiragana|Katakana|Hangul|Latin|Cyrillic|Greek|Arabic|Hebrew|Thai|Devanagari"
PROPERTY = regex.compile(rf"\\[pP]\{{(\^?)({_CATEGORIES}|{_SCRIPTS})\}}")

_IN_CLASS = regex.compile(
    r"""
    \\[pP]\{[^}]*\} | \\x\{[^}]*\} | \\x[0-9A-Fa-f]{1,2} | \\u[0-9A-Fa-f]{4} | \\.
    | \[:\^?[a-z]+:\] | (?P<class>\[(?:\\.|\[:\^?[a-z]+:\]|(?&class)|[^\\\[\]])*\]) | && | .
    """,
    regex.VERBOSE | regex.DOTALL,
)

_CONTROLS = {"n": 10, "r": 13, "t": 9, "f": 12, "v": 11, "a": 7, "e": 27}
WORD_IN_CLASS = (
    r"\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}"
    r"\x{24b6}-\x{24e9}\x{1f130}-\x{1f149}\x{1f150}-\x{1f169}\x{1f170}-\x{1f189}"
)
WORD = rf"{WORD_IN_CLASS}\x{{b2}}\x{{b3}}\x{{b9}}\x{{bc}}-\x{{be}}"
NAMED = {"s": r"\s", "d": r"\d", "h": "0-9A-Fa-f"}
"""Escapes that are a class, with what stands in it."""

_POSIX = {
    "digit": r"\p{Nd}",
    "space": r"\s",
    "word": WORD_IN_CLASS,
    "punct": r"\p{P}\p{S}",
    "blank": r"\p{Zs}\t",
    "cntrl": r"\p{Cc}",
    "xdigit": "0-9A-Fa-f",
    "alpha": r"\p{Alphabetic}",
    "alnum": r"\p{Alphabetic}\p{Nd}",
    "upper": r"\p{Uppercase}",
    "lower": r"\p{Lowercase}",
}
"""POSIX brackets, with what stands in them."""


class Unknown(Exception):
    """A part of a pattern that is not known, or means what cannot be said here."""


def class_here(text: str) -> str:
    """A class, with the classes in it."""
    opposite = "^" * text.startswith("[^")
    items = [found[0] for found in _IN_CLASS.finditer(text[1 + len(opposite) : -1])]
    if not items or "&&" in (items[0], items[-1]) or "&&&" in text or "[" in items:
        raise Unknown(text)
    body, at = "", 0
    while at < len(items):
        item, following = items[at], items[at + 1 : at + 3]
        inner = _in_class(item)
        if inner is not None:
            body, at = body + inner, at + 1
            is_range = following[:1] == ["-"] and len(following) == 2
        elif len(following) == 2 and following[0] == "-" and following[1] != "&&":
            if _in_class(following[1]) is not None:
                raise Unknown(text)
            body, at = body + f"{_one(item)}-{_one(following[1])}", at + 3
            is_range = items[at : at + 1] == ["-"] and at + 1 < len(items)
        else:
            body, at, is_range = body + _one(item), at + 1, False
        if is_range:
            raise Unknown(text)  # a - that is neither at an end nor between two ends
    return f"[{opposite}{body}]"


def _in_class(item: str) -> str | None:
    """What is a class within a class; None for a character."""
    if item == "&&":
        return item
    if item.startswith("[:"):
        name = item[2:-2]
        if name.removeprefix("^") not in _POSIX:
            raise Unknown(item)
        return f"[^{_POSIX[name[1:]]}]" if name[0] == "^" else _POSIX[name]
    if item[0] == "[":
        if "&&" in item:
            raise Unknown(item)  # where it holds nothing, the class around it loses characters
        return class_here(item)
    if item[0] != "\\":
        return None
    if item[1] in "wW":
        return WORD_IN_CLASS if item[1] == "w" else f"[^{WORD_IN_CLASS}]"
    if item[1] in "hH":
        return NAMED["h"] if item[1] == "h" else f"[^{NAMED['h']}]"
    return item if item[1:] in tuple("sSdD") or PROPERTY.fullmatch(item) else None


def _one(item: str) -> str:
    """A character in a class."""
    return shown(character(item) if item[0] == "\\" else item)


def character(escape: str) -> str:
    """The character that an escape stands for."""
    kind, code = escape[1], escape[2:].strip("{}")
    if kind in _CONTROLS:
        return chr(_CONTROLS[kind])
    # Above 7F, `\xHH` is one byte of a character.
    is_code = code and (kind == "u" or "{" in escape or int(code, 16) < 0x80)
    if kind in "xu" and is_code and int(code, 16) < 0x110000:
        return chr(int(code, 16))
    if kind.isascii() and (kind.isalnum() or not kind.isprintable()):
        raise Unknown(escape)
    return kind


def shown(character: str) -> str:
    """A character as it may stand in a pattern, inside and outside of [ and ]."""
    plain = not character.isascii() or character.isalnum()
    return character if plain else f"\\x{{{ord(character):x}}}"
