r"""Split patterns written in the dialect of tokenizer.json, which is Oniguruma with Ruby's syntax.

Rule.    A pattern is written if each part of it is known to mean the same there (`_SAME`,
         `_same_class`), or if its spelling stands in `SPELLED`; any other is refused by name. Many
         look alike and differ: `^` and `$` are the ends of a line there, `{1,3}+` repeats, `\w` has
         ², and in any case ß is ss. How they are read is in reference/oniguruma.py.
Source.  doc/RE of Oniguruma 6.9; tokenizers 0.23.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kugiri.errors import FormatError, OptionError
from kugiri.patterns import SPELLED
from kugiri.reference.brackets import IN_CLASS
from kugiri.reference.case_foldings import others_in_any_case
from kugiri.reference.regex_classes import lexemes

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
    yield from others_in_any_case((text, "i" in flags) for _, text, flags in parts)


def _same_class(text: str) -> bool:
    """Whether all that stands in a class means the same, and it has no class or operator in it."""
    inner = text[1:-1].removeprefix("^")
    strange = inner.startswith("]") or any(sign in inner for sign in ("&&", "--", "~~"))
    return not strange and all(
        _SAME_IN_CLASS.fullmatch(found[0]) for found in IN_CLASS.finditer(inner)
    )
