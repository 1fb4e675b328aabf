"""What becomes of characters that no token stands for.

Rule.    With byte fallback each becomes the tokens of its bytes, if the vocabulary has them; the
         bytes of an unknown word all stand for the whole of it. Otherwise those in a row become
         one unknown token, whose text is their own.
Cost.    Linear.
Source.  sentencepiece 0.2.3; tokenizers 0.23.3 does the same for Unigram.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.vocab import Vocabulary


class Cut(NamedTuple):
    """A stretch of a text as a model cuts it: characters from start to end; id None if unknown."""

    id: int | None
    start: int
    end: int


def settle_unknown(text: Aligned, cuts: Iterable[Cut], vocabulary: Vocabulary) -> list[Token]:
    """Make tokens of the stretches of a text, the unknown ones as the vocabulary allows."""
    tokens: list[Token] = []
    for is_known, group in groupby(cuts, lambda cut: cut.id is not None):
        run = list(group)
        if is_known:
            tokens += [_token(text[cut.start : cut.end], cut.id) for cut in run]
            continue
        unknown = text[run[0].start : run[-1].end]
        if set(unknown.text.encode()) <= vocabulary.byte_ids.keys():
            for cut in run:
                tokens += _bytes(text[cut.start : cut.end], vocabulary)
        else:
            tokens.append(_token(unknown, vocabulary.unknown_id))
    return tokens


def _bytes(stretch: Aligned, vocabulary: Vocabulary) -> list[Token]:
    is_character = len(stretch) == 1
    return [
        Token(
            vocabulary.byte_ids[byte], b"<0x%02X>" % byte, *(its if is_character else stretch.span)
        )
        for byte, its in stretch.utf8()
    ]


def _token(stretch: Aligned, id: int | None) -> Token:
    return Token(id, stretch.text.encode(), *stretch.span)
