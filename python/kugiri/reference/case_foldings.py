"""Characters that in any case are several, which Oniguruma takes for each other: ß and ss.

Rule.    Where a pattern ignores case, a character whose case folding is several characters, and
         those several side by side, mean more there than here.
Cost.    One pass over the pattern.
Source.  Oniguruma 6.9 as tokenizers 0.23.3 runs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from kugiri.reference.brackets import literal
from kugiri.reference.regex_classes import compile_pattern

_CHARACTER = (
    r"\\[nrtfva]|\\x[0-7][0-9A-Fa-f]|\\x\{[0-9A-Fa-f]+\}|\\u[0-9A-Fa-f]{4}"
    r"|\\[ -/:;=?@\[-`{-~]"
)
_ONE = re.compile(rf"{_CHARACTER}|[^\\(|)?.\[]", re.DOTALL)


def others_in_any_case(parts: Iterable[tuple[str, bool]]) -> Iterator[str]:
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
