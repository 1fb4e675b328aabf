"""Characters that nobody sees, and where some writing needs them.

Rule.    Each has a class, by what it is for. What stands beside it says whether it is needed: a
         selector behind what it selects a form of (a kanji, an emoji, a sign), a joiner between
         letters of a script that joins, or between emoji, tags behind the flag that they name, a
         mark of direction beside a letter that is written from right to left. At the end of a
         token nothing tells what stands beside it: there a joiner, selector or mark of direction
         passes as needed, since tokens of such text are cut so. What no writing needs anywhere is
         needed nowhere. U+3000 and the marks of voice of kana have ink or width of their own, and
         are not among them.
Cost.    One look-up a character.
Source.  Unicode's property Default_Ignorable_Code_Point, with what else has no ink or no meaning;
         Unicode Technical Standards 37 (ideographic variation sequences), 39 (security) and 51
         (emoji). Scripts and categories are those of the tables in `kugiri.unicode`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from kugiri.unicode import NEWEST, category
from kugiri.unicode.scripts import script

_JOINING_SCRIPTS = {
    "Arabic", "Syriac", "Nko", "Mongolian", "Mandaic", "Manichaean", "Phags_Pa", "Psalter_Pahlavi",
    "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada",
    "Malayalam", "Sinhala", "Thai", "Lao", "Tibetan", "Myanmar", "Khmer", "Balinese", "Javanese",
    "Sundanese", "Tai_Tham", "Tai_Le", "New_Tai_Lue", "Brahmi", "Kharoshthi", "Grantha", "Limbu",
    "Lepcha", "Meetei_Mayek", "Kaithi", "Sharada", "Khojki", "Newa", "Tirhuta", "Siddham", "Modi",
    "Takri", "Chakma", "Cham", "Saurashtra", "Buginese", "Rejang",
}  # fmt: skip
"""Those whose letters join or form clusters, and those that write no spaces between words."""
_RIGHT_TO_LEFT = {"Arabic", "Hebrew", "Syriac", "Thaana", "Nko", "Samaritan", "Mandaic", "Adlam"}
_FLAG, _TAG_END = "\U0001f3f4", "\U000e007f"
_EMOJI = (
    (0x1F000, 0x1FAFF), (0x2190, 0x21FF), (0x2300, 0x27BF), (0x2900, 0x297F), (0x2B00, 0x2BFF),
    (0x3297, 0x3299), (0x2122, 0x2139), (0x203C, 0x2049), (0xA9, 0xAE), (0x3030, 0x303D),
    (0x30, 0x39), (0x23, 0x2A),
)  # fmt: skip
"""Where emoji are, and what becomes one with a selector: digits for keycaps, © and the like."""


_KANJI = (
    (0x3005, 0x3007), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFD),
)  # fmt: skip


def _within(character: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(character) <= last for first, last in ranges)


def _joins(character: str) -> bool:
    if character.isascii():
        return False
    return script(character) in _JOINING_SCRIPTS or _within(character, _EMOJI)


def _selected(before: str, behind: str) -> bool:
    """A selector of a form stands behind a kanji, an emoji, a sign, or a letter with forms."""
    return (
        not before
        or _within(before, _KANJI + _EMOJI)
        or category(before, NEWEST)[0] in "SP"
        or script(before) in ("Myanmar", "Phags_Pa", "Manichaean")
    )


def _beside_joining(before: str, behind: str) -> bool:
    """A joiner stands beside a letter that joins, or an emoji; at the end of a word, too."""
    return any(not it or _joins(it) for it in (before, behind))


def _beside_right_to_left(before: str, behind: str) -> bool:
    return any(not it or script(it) in _RIGHT_TO_LEFT for it in (before, behind))


def _beside(name: str) -> Callable[[str, str], bool]:
    """Whether it stands beside a letter of a script."""
    return lambda before, behind: any(not it or script(it) == name for it in (before, behind))


def _behind_a(name: str) -> Callable[[str, str], bool]:
    """Whether it stands behind a letter of a script."""
    return lambda before, behind: not before or script(before) == name


def _always(before: str, behind: str) -> bool:
    return True


def _first(before: str, behind: str) -> bool:
    """Nothing stands before it; where a flag does, `_flags` has it."""
    return not before


def _never(before: str, behind: str) -> bool:
    return False


class Class(NamedTuple):
    """What characters are for.

    Attributes:
        ranges: first and last of each run of them.
        needed: whether some writing needs one between what stands before it and behind it, each
            empty at the end of a token.
    """

    ranges: tuple[tuple[int, int], ...]
    needed: Callable[[str, str], bool]


PRIVATE, _OF_FLAGS = "private use", "tags of flags"
CLASSES: dict[str, Class] = {
    "tags": Class(((0xE0000, 0xE002F), (0xE003A, 0xE0060), (0xE007B, 0xE007E)), _never),
    _OF_FLAGS: Class(((0xE0030, 0xE0039), (0xE0061, 0xE007A), (0xE007F, 0xE007F)), _first),
    "marks of direction": Class(((0x202A, 0x202E), (0x2066, 0x2069), (0x206A, 0x206F)), _never),
    "hints of direction": Class(
        ((0x200E, 0x200F), (0x61C, 0x61C)), _beside_right_to_left,
    ),
    "joiners": Class(((0x200C, 0x200D),), _beside_joining),
    "zero-width spaces": Class(((0x200B, 0x200B),), _beside_joining),
    "byte order marks": Class(((0xFEFF, 0xFEFF),), _never),
    "word joiners": Class(((0x2060, 0x2060),), _always),
    "soft hyphens": Class(((0xAD, 0xAD),), _always),
    "grapheme joiners": Class(((0x34F, 0x34F),), _always),
    "Mongolian forms": Class(((0x180B, 0x180F),), _behind_a("Mongolian")),
    "Khmer vowels": Class(((0x17B4, 0x17B5),), _behind_a("Khmer")),
    "Hangul fillers": Class(((0x115F, 0x1160),), _beside("Hangul")),
    "blanks": Class(((0x3164, 0x3164), (0xFFA0, 0xFFA0)), _never),
    "Braille blanks": Class(((0x2800, 0x2800),), _beside("Braille")),
    "separators of lines": Class(((0x2028, 0x2029),), _always),
    "signs of mathematics": Class(((0x2061, 0x2064),), _always),
    "variation selectors": Class(((0xFE00, 0xFE0F), (0xE0100, 0xE01EF)), _selected),
    "marks of annotation": Class(((0xFFF9, 0xFFFB),), _never),
    "signs of music and shorthand": Class(((0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A)), _always),
    "noncharacters": Class(
        ((0xFDD0, 0xFDEF), *((it | 0xFFFE, it | 0xFFFF) for it in range(0, 0x110000, 0x10000))),
        _never,
    ),
    PRIVATE: Class(((0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD)), _always),
    "unassigned": Class(
        ((0x2065, 0x2065), (0xFFF0, 0xFFF8), (0xE0080, 0xE00FF), (0xE01F0, 0xE0FFF)), _never,
    ),
}  # fmt: skip
"""By name; unassigned are those that are meant to have no ink, whatever they may become."""


@cache
def class_of(character: str) -> str | None:
    """The class of a character that nobody sees; None of another."""
    for name, its in CLASSES.items():
        if _within(character, its.ranges):
            return name
    return None


def unseen(text: str) -> Iterator[tuple[str, str, bool]]:
    r"""Each character that nobody sees, its class, and whether some writing needs it there.

    Example:
        >>> [its[1:] for its in unseen("葛\U000e0100城 a\u200db 👩\u200d")]
        [('variation selectors', True), ('joiners', False), ('joiners', True)]
    """
    names = [None if it.isascii() else class_of(it) for it in text]
    if not any(names):
        return
    flags = _flags(text)
    behind = _next(text, names)
    before = ""
    for at, (character, name) in enumerate(zip(text, names, strict=True)):
        if name is None:
            before = character
        else:
            yield character, name, CLASSES[name].needed(before, behind[at]) or at in flags


def _next(text: str, names: list[str | None]) -> list[str]:
    """The next character that is seen, for each; empty if there is none."""
    behind, its = [], ""
    for character, name in zip(reversed(text), reversed(names), strict=True):
        behind.append(its)
        its = character if name is None else its
    return behind[::-1]


def _flags(text: str) -> set[int]:
    """The places of tags that name a flag: behind it, up to the tag that ends the name."""
    places: set[int] = set()
    start = text.find(_FLAG)
    while start >= 0:
        end = start + 1
        while end < len(text) and class_of(text[end]) == _OF_FLAGS:
            end += 1
        if end > start + 1 and text[end - 1] == _TAG_END:
            places.update(range(start + 1, end))
        start = text.find(_FLAG, end)
    return places
