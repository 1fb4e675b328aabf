"""Classes of characters and runs of scripts, as tokenizers has them.

Rule.    Each table there is of an age of its own: punctuation of Unicode 8.0, scripts of 9.0,
         numbers of 17.0. They are the tables that the package has, without what is younger.
Cost.    A look-up a character.
Source.  tokenizers 0.23.3, found by comparing every code point (tests/test_pre_tokenizers.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from kugiri.encoding import Span
from kugiri.unicode import WHITE_SPACE, added_after, category
from kugiri.unicode.scripts import COMMON, script

_SPACE = re.compile(f"[{WHITE_SPACE}]")
_ONCE_PUNCTUATION = "\u166d\U000111c9"
"""Two that were punctuation in Unicode 8.0 and are not any more."""
_NUMBERS_OF_17 = re.compile("[\U00011de0-\U00011de9\U00016ff4-\U00016ff6]")
_ONE_SCRIPT = {"Hiragana": "Han", "Katakana": "Han"}


def is_space(character: str) -> bool:
    """Whether it is white space."""
    return bool(_SPACE.match(character))


def is_number(character: str) -> bool:
    """Whether it is a number of any kind, as ① and ½ are."""
    return category(character)[0] == "N" or bool(_NUMBERS_OF_17.match(character))


def is_punctuation(character: str) -> bool:
    """Whether it is punctuation, or any sign of ASCII."""
    if character.isascii():
        return category(character)[0] in "PS"
    is_old = category(character)[0] == "P" and character not in added_after("8.0")
    return is_old or character in _ONCE_PUNCTUATION


def script_runs(text: str) -> Iterator[Span]:
    """The runs of one script; what is of none stays with the run before.

    Before the first run it is in none.

    Example:
        >>> text = " 12 猫カー"
        >>> [text[start:end] for start, end in script_runs(text)]
        ['12 ', '猫カー']
    """
    of_some = ((at, its) for at, character in enumerate(text) if (its := _script_of(character)))
    starts = [next(run)[0] for _, run in groupby(of_some, key=lambda pair: pair[1])]
    return zip(starts, [*starts[1:], len(text)], strict=False)


def _script_of(character: str) -> str | None:
    """The script of a character, where those of Japanese are one.

    A space is of none, and so is a character that Unicode 9.0 does not have.
    """
    its = script(character)
    if character == "ー":
        return "Han"
    if its != COMMON:
        return _ONE_SCRIPT.get(its, its)
    is_unknown = category(character) in ("Cn", "Co") or character in added_after("9.0")
    return None if character == " " or is_unknown else COMMON
