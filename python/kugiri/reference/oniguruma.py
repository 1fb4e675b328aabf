r"""Patterns of tokenizer.json, from Oniguruma's dialect (Ruby's syntax) into ours.

Rule.    Each part of a pattern is one whose meaning there is known and can be said here, or is
         refused by name. What looks alike and differs is said in another way: `^` and `$` are the
         ends of a line, `{1,3}+` repeats and is not possessive, `{2}?` is optional, `\w` has ² in
         it and no joiners, `(?m)` lets the dot match a line end, `(?i)` reaches to the end of its
         group.
Cost.    One pass over the pattern.
Source.  doc/RE of Oniguruma 6.9; tokenizers 0.23.3, on random patterns and every code point.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
import regex

from kugiri.errors import OptionError
from kugiri.patterns import EQUIVALENT, PATTERNS, SCANNED
from kugiri.reference.case_foldings import others_in_any_case
from kugiri.reference.regex_classes import lexemes
from kugiri.spec import Regex, TokenizerSpec

SPELLED: dict[str, str] = {
    **{regex: PATTERNS[name] for regex, name in EQUIVALENT.items()},
    PATTERNS["cl100k"]: (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++\z|\s*[\r\n]|\s+(?!\S)|\s"
    ),
}
"""Pattern → the same in Oniguruma, where the two are spelled differently."""

_CATEGORIES = "C[cfno]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?"
_SCRIPTS = "Han|Hiragana|Katakana|Hangul|Latin|Cyrillic|Greek|Arabic|Hebrew|Thai|Devanagari"
_PROPERTY = regex.compile(rf"\\[pP]\{{(\^?)({_CATEGORIES}|{_SCRIPTS})\}}")

_LEXEME = regex.compile(
    r"""
    \\[pP]\{[^}]*\} | \\x\{[^}]*\} | \\x[0-9A-Fa-f]{1,2} | \\u[0-9A-Fa-f]{4} | \\.
    | (?P<class>\[(?:\\.|\[:\^?[a-z]+:\]|(?&class)|[^\\\[\]])*\])
    | [*+?][?+]? | \{(?:[0-9]+(?:,[0-9]*)?|,[0-9]+)\}\??
    | \(\?\#[^)]*\) | \(\?(?:[=!>]|<[=!]|[a-z-]*[:)]|<[A-Za-z_]\w*>|.) | .
    """,
    regex.VERBOSE | regex.DOTALL,
)
_IN_CLASS = regex.compile(
    r"""
    \\[pP]\{[^}]*\} | \\x\{[^}]*\} | \\x[0-9A-Fa-f]{1,2} | \\u[0-9A-Fa-f]{4} | \\.
    | \[:\^?[a-z]+:\] | (?P<class>\[(?:\\.|\[:\^?[a-z]+:\]|(?&class)|[^\\\[\]])*\]) | && | .
    """,
    regex.VERBOSE | regex.DOTALL,
)

_CONTROLS = {"n": 10, "r": 13, "t": 9, "f": 12, "v": 11, "a": 7, "e": 27}
_WORD_IN_CLASS = (
    r"\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}"
    r"\x{24b6}-\x{24e9}\x{1f130}-\x{1f149}\x{1f150}-\x{1f169}\x{1f170}-\x{1f189}"
)
_WORD = rf"{_WORD_IN_CLASS}\x{{b2}}\x{{b3}}\x{{b9}}\x{{bc}}-\x{{be}}"
_NAMED = {"s": r"\s", "d": r"\d", "h": "0-9A-Fa-f"}
"""Escapes that are a class, with what stands in it."""

_ESCAPES = {
    "A": r"\A",
    "z": r"\z",
    "Z": r"(?=\n?\z)",
    "b": f"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))",
    "B": f"(?:(?<=[{_WORD}])(?=[{_WORD}])|(?<![{_WORD}])(?![{_WORD}]))",
    "w": f"[{_WORD}]",
    "W": f"[^{_WORD}]",
}
_SIGNS = {".": ".", "^": r"(?:\A|(?<=\n)(?!\z))", "$": r"(?=\n|\z)"}
_POSIX = {
    "digit": r"\p{Nd}",
    "space": r"\s",
    "word": _WORD_IN_CLASS,
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


class _Unknown(Exception):
    """A part of a pattern that is not known, or means what cannot be said here."""


@lru_cache
def from_oniguruma(pattern: str) -> str:
    r"""Return a pattern that means here what `pattern` means in Oniguruma.

    Raises:
        OptionError: the pattern holds something that is not known here.

    Example:
        >>> from_oniguruma("[a[b]]{1,2}+$"), from_oniguruma(r"a(?i)b|\h")
        ('(?:[a[b]]{1,2})+(?=\\n|\\z)', 'a(?i:b|[0-9A-Fa-f])')
    """
    if pattern in SCANNED and pattern not in SPELLED:
        return pattern
    ours = next((ours for ours, theirs in SPELLED.items() if theirs == pattern), None)
    if ours is not None:
        return ours
    try:
        found = _Translation().of(pattern)
        for other in others_in_any_case((text, "i" in flags) for _, text, flags in lexemes(found)):
            raise _Unknown(other)
    except _Unknown as unknown:
        raise OptionError(
            f"the pattern {pattern!r} holds {str(unknown)!r}, which means something else in "
            "tokenizer.json and is not run by this version of kugiri; use a tokenizer "
            "without it, or a newer kugiri"
        ) from None
    return found


def in_our_dialect(spec: TokenizerSpec) -> TokenizerSpec:
    """A spec as the engines run it: every pattern of a tokenizer.json in our dialect.

    Raises:
        OptionError: one of them holds something that is not known here.
    """
    if spec.origin != "tokenizer.json":
        return spec
    parts = {name: _translated(getattr(spec, name)) for name in ("pre_tokenizer", "normalizer")}
    return msgspec.structs.replace(spec, **parts)


def _translated(part: Any) -> Any:
    if isinstance(part, Regex):
        return Regex(from_oniguruma(part.regex))
    if isinstance(part, tuple):
        return tuple(map(_translated, part))
    if isinstance(part, msgspec.Struct):
        fields = {name: getattr(part, name) for name in part.__struct_fields__}
        return msgspec.structs.replace(part, **{k: _translated(v) for k, v in fields.items()})
    return part


class _Translation:
    """A pattern in our dialect in the making."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.atom: int | None = None  # where what a quantifier would be about begins
        self.is_quantified = False
        self.groups = [(0, 1)]  # of each that is open: where it begins, how many ) end it

    def of(self, pattern: str) -> str:
        for found in _LEXEME.finditer(pattern):
            self.add(found[0])
        self.parts.append(")" * (self.groups[0][1] - 1))
        return "".join(self.parts)

    def add(self, text: str) -> None:
        """Add a part of the pattern."""
        if text[0] == "(":
            self.open(text)
        elif text == ")" and len(self.groups) > 1:
            start, count = self.groups.pop()
            self.parts.append(")" * count)
            self.atom, self.is_quantified = start, False
        elif text[0] in "*+?" or (text[0] == "{" and len(text) > 1):
            self.quantify(text)
        elif text == "|":
            self.parts.append("|")
            self.atom = None
        else:
            self.atom, self.is_quantified = len(self.parts), False
            self.parts.append(_atom(text))

    def open(self, text: str) -> None:
        """Open a group, or with `(?i)` one that reaches to the end of that around it."""
        options = regex.fullmatch(r"\(\?([im]*)(-[im]+)?([:)])", text)
        start, self.atom = len(self.parts), None
        if text.startswith("(?#"):
            return
        if options is None and not regex.fullmatch(r"\((?:\?(?:[=!>]|<[=!]|<\w+>))?", text):
            raise _Unknown("(?" if text.startswith("(?") else text)
        if options is not None and options[3] == ")":
            outer, count = self.groups[-1]
            self.groups[-1] = (outer, count + 1)
        else:
            self.groups.append((start, 1))
        if options is not None:
            text = f"(?{options[1]}{options[2] or ''}:".replace("m", "s")
        self.parts.append("(?:" if text[2:3] == "<" and text[3] not in "=!" else text)

    def quantify(self, text: str) -> None:
        """Say how often the last atom stands."""
        if self.atom is None:
            raise _Unknown(text)
        bounds = regex.fullmatch(r"\{([0-9]*)(,?)([0-9]*)\}(\??)", text)
        if bounds and bounds[3] and int(bounds[1] or 0) > int(bounds[3]):
            raise _Unknown(text)  # it has a meaning of its own there
        atom = "".join(self.parts[self.atom :])
        atom = f"(?:{atom})" if self.is_quantified else atom
        if bounds and not bounds[2] and bounds[4]:
            atom, text = f"(?:{atom}{text[:-1]})", "?"
        self.parts[self.atom :] = [atom + text]
        self.is_quantified = True


def _atom(text: str) -> str:
    """What is no group, no quantifier and no alternative."""
    if text in _SIGNS:
        return _SIGNS[text]
    if text[0] == "[":
        return _class(text)
    if text[0] != "\\":
        return _shown(text)
    if text[1:] in _ESCAPES:
        return _ESCAPES[text[1:]]
    if text[1].lower() in _NAMED and len(text) == 2:
        body = _NAMED[text[1].lower()]
        return f"[{'^' * text[1].isupper()}{body}]" if body[0] != "\\" else text
    return text if _PROPERTY.fullmatch(text) else _shown(_character(text))


def _class(text: str) -> str:
    """A class, with the classes in it."""
    opposite = "^" * text.startswith("[^")
    items = [found[0] for found in _IN_CLASS.finditer(text[1 + len(opposite) : -1])]
    if not items or "&&" in (items[0], items[-1]) or "&&&" in text or "[" in items:
        raise _Unknown(text)
    body, at = "", 0
    while at < len(items):
        item, following = items[at], items[at + 1 : at + 3]
        inner = _in_class(item)
        if inner is not None:
            body, at = body + inner, at + 1
            is_range = following[:1] == ["-"] and len(following) == 2
        elif len(following) == 2 and following[0] == "-" and following[1] != "&&":
            if _in_class(following[1]) is not None:
                raise _Unknown(text)
            body, at = body + f"{_one(item)}-{_one(following[1])}", at + 3
            is_range = items[at : at + 1] == ["-"] and at + 1 < len(items)
        else:
            body, at, is_range = body + _one(item), at + 1, False
        if is_range:
            raise _Unknown(text)  # a - that is neither at an end nor between two ends
    return f"[{opposite}{body}]"


def _in_class(item: str) -> str | None:
    """What is a class within a class; None for a character."""
    if item == "&&":
        return item
    if item.startswith("[:"):
        name = item[2:-2]
        if name.removeprefix("^") not in _POSIX:
            raise _Unknown(item)
        return f"[^{_POSIX[name[1:]]}]" if name[0] == "^" else _POSIX[name]
    if item[0] == "[":
        if "&&" in item:
            raise _Unknown(item)  # where it holds nothing, the class around it loses characters
        return _class(item)
    if item[0] != "\\":
        return None
    if item[1] in "wW":
        return _WORD_IN_CLASS if item[1] == "w" else f"[^{_WORD_IN_CLASS}]"
    if item[1] in "hH":
        return _NAMED["h"] if item[1] == "h" else f"[^{_NAMED['h']}]"
    return item if item[1:] in tuple("sSdD") or _PROPERTY.fullmatch(item) else None


def _one(item: str) -> str:
    """A character in a class."""
    return _shown(_character(item) if item[0] == "\\" else item)


def _character(escape: str) -> str:
    """The character that an escape stands for."""
    kind, code = escape[1], escape[2:].strip("{}")
    if kind in _CONTROLS:
        return chr(_CONTROLS[kind])
    # Above 7F, `\xHH` is one byte of a character.
    is_code = code and (kind == "u" or "{" in escape or int(code, 16) < 0x80)
    if kind in "xu" and is_code and int(code, 16) < 0x110000:
        return chr(int(code, 16))
    if kind.isascii() and (kind.isalnum() or not kind.isprintable()):
        raise _Unknown(escape)
    return kind


def _shown(character: str) -> str:
    """A character as it may stand in a pattern, inside and outside of [ and ]."""
    plain = not character.isascii() or character.isalnum()
    return character if plain else f"\\x{{{ord(character):x}}}"
