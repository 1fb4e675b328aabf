r"""Split patterns in the dialect of tokenizer.json, which is Oniguruma with Ruby's syntax.

Rule.    Most patterns mean the same there. `^` and `$` do not (they are the ends of a line),
         `{1,3}+` does not (it repeats), and neither do some escapes and flags: a pattern that has
         one of them is refused, unless its spelling in that dialect stands in `SPELLED`.
Source.  doc/RE of Oniguruma 6.9.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from kugiri.errors import FormatError, OptionError
from kugiri.patterns import EQUIVALENT, PATTERNS, SCANNED
from kugiri.spec import Regex

SPELLED: dict[str, str] = {
    **{regex: PATTERNS[name] for regex, name in EQUIVALENT.items()},
    PATTERNS["cl100k"]: (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++\z|\s*[\r\n]|\s+(?!\S)|\s"
    ),
}
"""Pattern → the same in Oniguruma, where the two are spelled differently."""

_LEXEME = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{[0-9,]+\}\+|\(\?[a-zA-Z-]+[:)]|.", re.DOTALL
)
_DIFFERENT = re.compile(
    r"[\^$]|\\[hHRXGKZQE]|\{.*\}\+|\(\?(?![i-]+[:)]).*|\[(?:\^?\]|.+(?:\[|&&|--|~~)).*", re.DOTALL
)
_SAME = frozenset(SPELLED.values())
_OTHER_CLASS = re.compile(r"\\[wWbB]|\\[pP][^{]")  # \w has ² and ½ there; \pL is no class at all


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
    for lexeme in _LEXEME.findall(regex):
        if _DIFFERENT.fullmatch(lexeme):
            raise FormatError(
                f"the pattern {regex!r} holds {lexeme!r}, which means something else in "
                "tokenizer.json; say it in another way, or save as .kugiri.json"
            )
    return regex


def require_same_meaning(part: Any) -> None:
    """Refuse every pattern within a part of a tokenizer.json that means another thing here.

    Raises:
        OptionError: one of them does, or may.
    """
    if isinstance(part, Regex) and part.regex not in SCANNED and part.regex not in _SAME:
        for lexeme in _LEXEME.findall(part.regex):
            if _DIFFERENT.fullmatch(lexeme) or _OTHER_CLASS.search(lexeme):
                raise OptionError(
                    f"the pattern {part.regex!r} holds {lexeme!r}, which means something else in "
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
