"""From normalized sentences to what a SentencePiece trainer counts: words and the alphabet.

Rule.    Pieces that are given (user-defined, control, bytes, …) are cut out, the longest first at
         each place. A word begins with each ▁, or with treat_whitespace_as_suffix ends with it;
         with allow_whitespace_only_pieces several ▁ in a row are taken as one. The alphabet is the
         required characters, then the others from the most frequent down, equal counts by code
         point, until the occurrences so far are at least the share character_coverage of all.
Cost.    One pass over the text, and sorting its different characters.
Source.  sentencepiece 0.2.3, which compares shares as float32. The mark of a cut counts among the
         characters there, and is passed over when its turn comes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from struct import pack, unpack

from kugiri.reference.alignment import Aligned
from kugiri.reference.normalize import normalize
from kugiri.reference.train.valid_pieces import CUT
from kugiri.spec import SentencePieceNormalizer

NULL = "\0"
"""Counts for nothing: no piece may hold it."""


def cut_out(sentence: str, given: re.Pattern[str] | None) -> str:
    r"""Put the mark of a cut in the place of each given piece.

    Example:
        >>> cut_out("▁a<sep>b", given_pieces(["<sep>", "<"]))
        '▁a\x1fb'
    """
    return sentence if given is None else given.sub(CUT, sentence)


def given_pieces(pieces: Iterable[str]) -> re.Pattern[str] | None:
    """The pattern that finds given pieces, the longest at each place; None where there are none."""
    longest_first = sorted(pieces, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))) if longest_first else None


def word_pattern(as_suffix: bool, spaces_together: bool) -> re.Pattern[str]:
    """The pattern whose matches are the words of a sentence.

    Example:
        >>> word_pattern(as_suffix=False, spaces_together=False).findall("▁a▁▁bc")
        ['▁a', '▁', '▁bc']
        >>> word_pattern(as_suffix=True, spaces_together=True).findall("▁a▁▁bc")
        ['▁', 'a▁▁', 'bc']
    """
    spaces = "▁+" if spaces_together else "▁"
    word = f"[^▁]*{spaces}" if as_suffix else f"{spaces}[^▁]*"
    return re.compile(f"{word}|[^▁]+")


def cut_into_words(
    text: str,
    normalizer: SentencePieceNormalizer,
    given: re.Pattern[str] | None,
    delimiter: str = "",
    words: re.Pattern[str] | None = None,
) -> list[str]:
    r"""A sentence as its words; without a pattern of words, as one.

    Example:
        >>> usual = word_pattern(as_suffix=False, spaces_together=False)
        >>> cut_into_words(" a  b|c ", SentencePieceNormalizer(), None, "|", usual)
        ['▁a', '▁b\x1fc']
    """
    sentence = cut_out(normalize(Aligned.of(text), normalizer).text, given)
    if delimiter:
        sentence = sentence.replace(delimiter, CUT)
    if words is not None:
        return words.findall(sentence)
    return [sentence] if sentence else []


def choose_alphabet(
    counts: Mapping[str, int], coverage: float, required: str = "", use_all: bool = False
) -> dict[str, int]:
    """The characters that get a piece, with their counts, most frequent first.

    Example:
        >>> choose_alphabet({"a": 90, "b": 9, "c": 1}, 0.98, required="z")
        {'a': 90, 'b': 9, 'z': 0}
    """
    asked = set(required) - {NULL}
    everything = {**dict.fromkeys(asked, 0), **counts}
    everything.pop(NULL, None)
    total = sum(everything.values())
    order = sorted(everything, key=lambda it: (it not in asked, -everything[it], it))
    alphabet, covered = {}, 0
    for character in order:
        if not use_all and _as_float32(covered / total) >= _as_float32(coverage):
            break
        covered += everything[character]
        if character != CUT:
            alphabet[character] = everything[character]
    return dict(sorted(alphabet.items(), key=lambda item: (-item[1], item[0])))


def _as_float32(number: float) -> float:
    """A number as a float of 32 bits keeps it."""
    (kept,) = unpack("<f", pack("<f", number))
    return float(kept)
