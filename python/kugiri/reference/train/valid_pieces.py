"""Which strings a SentencePiece trainer may make a piece of.

Rule.    No more than max_sentencepiece_length characters; no null character, none that stands for
         a character that the alphabet left out, none that marks a cut. Then, as the options say:
         split_by_whitespace     ▁ only at the start; without it also inside, never at the end
                                 (treat_whitespace_as_suffix: the mirror image of both)
         allow_whitespace_only_pieces   of pieces of nothing but ▁ that is not asked
         split_digits            a digit, 0-9 or its full-width form, is a piece of its own
         split_by_unicode_script all characters of one script. Hiragana, katakana and ー are taken
                                 for Han; a combining mark has the script of what it follows; ▁ has
                                 none. Digits are Common, or without split_by_number of any script;
                                 what follows "any script" may be of any.
Cost.    One look-up a character.
Source.  sentencepiece 0.2.3, whose scripts are those of Unicode 9.0.
"""

from __future__ import annotations

from dataclasses import dataclass

from kugiri.reference.vocab import SPACE
from kugiri.unicode.scripts import INHERITED, script

LEFT_OUT = "\u2585"
"""Stands in training text for a character that is not in the alphabet."""

CUT = "\x1f"
"""Stands in training text where no piece may go across, as where a user-defined symbol was."""

_NEVER = {LEFT_OUT, CUT, "\0", " "}
_DIGITS = frozenset("0123456789０１２３４５６７８９")
_LIKE_HAN = {"Hiragana", "Katakana"}
_LONG_VOWEL = "ー"
_ANY = ""


@dataclass(frozen=True, kw_only=True)
class PieceRules:
    """The options of spm_train that say what a piece may be."""

    max_sentencepiece_length: int = 16
    split_by_unicode_script: bool = True
    split_by_number: bool = True
    split_by_whitespace: bool = True
    split_digits: bool = False
    treat_whitespace_as_suffix: bool = False
    allow_whitespace_only_pieces: bool = False

    def allow(self, piece: str) -> bool:
        """Whether a string may be a piece.

        Example:
            >>> rules = PieceRules()
            >>> [it for it in ("▁the", "the▁", "食べる", "漢字ABC", "$10") if rules.allow(it)]
            ['▁the', '食べる', '$10']
        """
        return (
            0 < len(piece) <= self.max_sentencepiece_length
            and _NEVER.isdisjoint(piece)
            and self._allow_spaces(piece)
            and not (self.split_digits and len(piece) > 1 and not _DIGITS.isdisjoint(piece))
            and (not self.split_by_unicode_script or self._is_one_script(piece))
        )

    def _allow_spaces(self, piece: str) -> bool:
        if self.allow_whitespace_only_pieces and not piece.strip(SPACE):
            return True
        inner, outer = piece[1:], piece[1:][-1:]  # where ▁ is in the way: all but one end, or one
        if self.treat_whitespace_as_suffix:
            inner, outer = piece[:-1], piece[:-1][:1]
        return SPACE not in (inner if self.split_by_whitespace else outer)

    def _is_one_script(self, piece: str) -> bool:
        before = _ANY
        for character in piece.replace(SPACE, ""):
            now = self._script(character, before)
            if _ANY not in (now, before) and now != before:
                return False
            before = now
        return True

    def _script(self, character: str, before: str) -> str:
        if not self.split_by_number and character in _DIGITS:
            return _ANY
        found = script(character)
        if found in _LIKE_HAN or character == _LONG_VOWEL:
            return "Han"
        return before if found == INHERITED else found
