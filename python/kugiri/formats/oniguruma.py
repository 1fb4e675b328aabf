r"""Split patterns in the dialect of tokenizer.json, which is Oniguruma with Ruby's syntax.

Rule.    A pattern is written and read if each part of it is known to mean the same there (`_SAME`,
         `_same_class`), or if its spelling stands in `SPELLED`; any other is refused by name. Many
         look alike and differ: `^` and `$` are the ends of a line there, `{1,3}+` repeats, `\w` has
         ², and in any case ß is ss.
Source.  doc/RE of Oniguruma 6.9; tokenizers 0.23.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec

from kugiri.errors import FormatError, OptionError
from kugiri.patterns import EQUIVALENT, PATTERNS, SCANNED
from kugiri.reference.regex_classes import IN_CLASS, compile_pattern, lexemes, literal
from kugiri.spec import Regex

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
_CLASS = rf"\\[sSdD]|\\[pP]\{{(?:{_CATEGORIES}|{_SCRIPTS})\}}"
_CHARACTER = (
    r"\\[nrtfva]|\\x[0-7][0-9A-Fa-f]|\\x\{[0-9A-Fa-f]+\}|\\u[0-9A-Fa-f]{4}"
    r"|\\[ -/:;=?@\[-`{-~]"
)
_SAME = re.compile(
    rf"{_CLASS}|{_CHARACTER}|\\[Az]|\[.+|[^\\\[({{^$]"
    r"|[*+?][?+]?|\{[0-9]+\}|\{(?:[0-9]+,[0-9]*|,[0-9]+)\}\??"
    r"|\((?:\?(?:-?i?:|i\)|<?[=!]|>))?",
    re.DOTALL,
)
"""Parts that mean the same in both dialects, as `lexemes` finds them."""
_SAME_IN_CLASS = re.compile(rf"{_CLASS}|{_CHARACTER}|[^\\]", re.DOTALL)
_ONE = re.compile(rf"{_CHARACTER}|[^\\(|)?.\[]", re.DOTALL)
_SPELLINGS = frozenset(SPELLED.values())


def to_oniguruma(regex: str) -> str:
    """Return a pattern that means in Oniguruma what `regex` means here.

    Raises:
        FormatError: the pattern holds something that means another thing there.

    Example:
        >>> to_oniguruma("a$")
        Traceback (most recent call last):
        ...
        kugiri.errors.FormatError: the pattern 'a$' holds '$', which means something else in \
tokenizer.json; say it in another way, or save as .kugiri.json
    """
    if regex in SPELLED:
        return SPELLED[regex]
    other = next(_others(regex), None)
    if other is not None:
        raise FormatError(
            f"the pattern {regex!r} holds {other!r}, which means something else in "
            "tokenizer.json; say it in another way, or save as .kugiri.json"
        )
    return regex


def require_same_meaning(part: Any) -> None:
    """Refuse every pattern within a part of a tokenizer.json that means another thing here.

    Raises:
        OptionError: one of them does, or may.
    """
    if isinstance(part, Regex) and part.regex not in SCANNED and part.regex not in _SPELLINGS:
        other = next(_others(part.regex), None)
        if other is not None:
            raise OptionError(
                f"the pattern {part.regex!r} holds {other!r}, which means something else in "
                "tokenizer.json and is not run by this version of kugiri; use a tokenizer "
                "without it, or a newer kugiri"
            )
    if isinstance(part, tuple):
        for inner in part:
            require_same_meaning(inner)
    elif isinstance(part, msgspec.Struct):
        require_same_meaning(tuple(getattr(part, name) for name in part.__struct_fields__))


def respell(part: Any) -> Any:
    """Put every pattern within a part of a spec into the dialect of tokenizer.json.

    Raises:
        FormatError: one of them cannot be.
    """
    if isinstance(part, Regex):
        return Regex(to_oniguruma(part.regex))
    if isinstance(part, tuple):
        return tuple(map(respell, part))
    if isinstance(part, msgspec.Struct):
        fields = {name: getattr(part, name) for name in part.__struct_fields__}
        return msgspec.structs.replace(part, **{k: respell(v) for k, v in fields.items()})
    return part


def _others(pattern: str) -> Iterator[str]:
    """The parts of a pattern that mean something else in Oniguruma, or may."""
    try:
        parts = list(lexemes(pattern))
    except OptionError:
        yield "(?"  # a group of a kind that is not known here
        return
    for _, text, _ in parts:
        if not _SAME.fullmatch(text) or (text[0] == "[" and not _same_class(text)):
            yield text
    yield from _others_in_any_case((text, "i" in flags) for _, text, flags in parts)


def _others_in_any_case(parts: Iterable[tuple[str, bool]]) -> Iterator[str]:
    """Characters that have a case folding of several, and those several side by side."""
    alike = ""  # what may stand side by side
    for text, in_any_case in parts:
        if not in_any_case:
            alike = ""
        elif text[0] in "[\\" and (r"\p" in text.lower() or _has_long_folding(text)):
            yield f"{text} in any case"
        elif text[0] in "*+{":
            alike += alike[-1:]  # what is repeated stands beside itself
        elif _ONE.fullmatch(text):
            alike += (literal(text) if text[0] == "\\" else text).casefold()
            for long in _long_foldings().values():
                if alike.endswith(long):
                    yield f"{long} in any case"
        elif text not in ("(", "(?:", "(?i:", ")"):
            alike = ""


def _same_class(text: str) -> bool:
    """Whether all that stands in a class means the same, and it has no class or operator in it."""
    inner = text[1:-1].removeprefix("^")
    strange = inner.startswith("]") or any(sign in inner for sign in ("&&", "--", "~~"))
    return not strange and all(map(_SAME_IN_CLASS.fullmatch, IN_CLASS.findall(inner)))


@cache
def _long_foldings() -> dict[str, str]:
    """Character → its case folding, where that is several characters.

    Oniguruma takes the one for the others. The standard never changes them: those of any Python do.
    """
    return {
        character: folded
        for character in map(chr, range(0xDF, 0xFB18))
        if len(folded := character.casefold()) > 1
    }


def _has_long_folding(text: str) -> bool:
    """Whether a class or an escape has such a character; the opposite of a class has none."""
    return not text.startswith("[^") and bool(
        compile_pattern(text).search("".join(_long_foldings()))
    )
