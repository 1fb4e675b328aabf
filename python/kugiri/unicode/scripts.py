"""The script of each character, by Unicode 9.0: what SentencePiece decides by.

See tools/make_scripts.py for where the table comes from, and why it is this old one.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from importlib.resources import files

VERSION = "9.0"
COMMON = "Common"
INHERITED = "Inherited"


@lru_cache
def runs() -> tuple[tuple[int, ...], tuple[int, ...], tuple[str, ...]]:
    """First and last code points of all runs, ascending, and their scripts; Common is left out."""
    text = files(__package__).joinpath(f"scripts-{VERSION}.txt").read_text("ascii")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    firsts, lasts, scripts = zip(*rows, strict=True)
    return tuple(int(it, 16) for it in firsts), tuple(int(it, 16) for it in lasts), scripts


@lru_cache(maxsize=4096)
def script(character: str) -> str:
    """The script of a character.

    Example:
        >>> [script(character) for character in "aひ猫ー1"]
        ['Latin', 'Hiragana', 'Han', 'Common', 'Common']
    """
    firsts, lasts, scripts = runs()
    code_point = ord(character)
    run = bisect_right(firsts, code_point) - 1
    return scripts[run] if run >= 0 and code_point <= lasts[run] else COMMON
