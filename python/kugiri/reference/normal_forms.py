"""Unicode's normal forms: one spelling for what is the same text.

Rule.    Decompose each character as far as it goes: NFD and NFC by canonical mappings alone, NFKD
         and NFKC by those of compatibility too. Put marks that follow each other in order of their
         combining class. For NFC and NFKC, then compose: a character joins the last one of class 0
         before it, if together they are one character and no mark in between has its class or a
         higher one.
Cost.    A few steps a character.
Source.  Unicode Standard Annex 15, and section 3.12 of the standard for Hangul, whose syllables
         follow a formula. What stands for what is counted as tokenizers 0.23.3 does.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from kugiri.unicode import NEWEST, combining_classes, decompositions

Form: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD"]

SYLLABLES, LEADING, VOWELS, TRAILING = 0xAC00, 0x1100, 0x1161, 0x11A7
LEADING_COUNT, VOWEL_COUNT, TRAILING_COUNT = 19, 21, 28
SYLLABLE_COUNT = LEADING_COUNT * VOWEL_COUNT * TRAILING_COUNT


class Change(NamedTuple):
    """A character of a changed text, and how many characters more there are than were.

    With 0 it takes one character of the text before, with −n as many more, and with 1 it is put in
    beside the one before it. `first` and `last` are the characters that it really comes from.
    """

    character: str
    more: int
    first: int
    last: int


class NormalForms:
    """The normal forms of one version of Unicode."""

    def __init__(self, version: str = NEWEST) -> None:
        """Set up the tables."""
        self._classes = combining_classes(version)
        self._mappings = decompositions(version)
        self._composed = {to: own for own, (kind, to) in self._mappings.items() if kind == "="}

    def text(self, form: Form, text: str) -> str:
        """A text in a normal form.

        Example:
            >>> NormalForms().text("NFKC", "ｶﾞ㌔①")
            'ガキロ1'
        """
        return "".join(change.character for change in self.changes(form, text))

    def changes(self, form: Form, text: str) -> list[Change]:
        """The characters of a text in a normal form, with how their number changed.

        Example:
            >>> NormalForms().changes("NFC", "か\u3099")
            [Change(character='が', more=-1, first=0, last=1)]
        """
        decomposed = self._ordered(
            Change(part, int(place > 0), at, at)
            for at, character in enumerate(text)
            for place, part in enumerate(self._decomposed(character, "K" in form))
        )
        return self._compose(decomposed) if form.endswith("C") else decomposed

    def _decomposed(self, character: str, compatibly: bool) -> str:
        """A character as far apart as it goes."""
        syllable = ord(character) - SYLLABLES
        if 0 <= syllable < SYLLABLE_COUNT:
            rest, trailing = divmod(syllable, TRAILING_COUNT)
            leading, vowel = divmod(rest, VOWEL_COUNT)
            parts = chr(LEADING + leading) + chr(VOWELS + vowel)
            return parts + chr(TRAILING + trailing) if trailing else parts
        kind, mapping = self._mappings.get(character, ("~", ""))
        if not mapping or (kind == "~" and not compatibly):
            return character
        return "".join(self._decomposed(part, compatibly) for part in mapping)

    def _ordered(self, changes: Iterable[Change]) -> list[Change]:
        """Marks in a row in order of their classes; marks of one class stay as they stand."""
        ordered: list[Change] = []
        marks: list[Change] = []
        for change in changes:
            if change.character in self._classes:
                marks.append(change)
                continue
            ordered += sorted(marks, key=lambda mark: self._classes[mark.character])
            ordered.append(change)
            marks = []
        return ordered + sorted(marks, key=lambda mark: self._classes[mark.character])

    def _compose(self, changes: list[Change]) -> list[Change]:
        """Join what is one character."""
        composed: list[Change] = []
        starter: int | None = None  # where the last character of class 0 stands
        before = 0  # the class of the character before
        for change in changes:
            number = self._classes.get(change.character, 0)
            if starter is not None:
                first = composed[starter]
                adjacent = starter == len(composed) - 1
                joined = self._pair(first.character, change.character)
                if joined and (adjacent or before < number):
                    ends = min(first.first, change.first), max(first.last, change.last)
                    composed[starter] = Change(joined, first.more + change.more - 1, *ends)
                    continue
            if number == 0:
                starter = len(composed)
            before = number
            composed.append(change)
        return composed

    def _pair(self, first: str, second: str) -> str | None:
        """The character that two are together."""
        leading, vowel = ord(first) - LEADING, ord(second) - VOWELS
        if 0 <= leading < LEADING_COUNT and 0 <= vowel < VOWEL_COUNT:
            return chr(SYLLABLES + (leading * VOWEL_COUNT + vowel) * TRAILING_COUNT)
        syllable, trailing = ord(first) - SYLLABLES, ord(second) - TRAILING
        if 0 <= syllable < SYLLABLE_COUNT and 0 < trailing < TRAILING_COUNT:
            return chr(ord(first) + trailing) if syllable % TRAILING_COUNT == 0 else None
        return self._composed.get(first + second)


@cache
def normal_forms(version: str = NEWEST) -> NormalForms:
    """The normal forms of a version; setting up the tables takes a moment, so they are kept."""
    return NormalForms(version)
