"""The repeated phrases behind tokens: a long token is a sign of text that comes again and again.

Rule.    The phrase of a token is the longest text around it that at least half of its occurrences
         in a corpus share. It grows one character at a time, on the side where more agree, and
         never beyond a document.
Cost.    One search of the corpus a token; memory for what stands beside each occurrence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

BESIDE = 100
"""Characters that are looked at on either side; a phrase longer than that is shown that far."""


class Phrase(msgspec.Struct, frozen=True):
    """What stands around a token.

    Attributes:
        text: the phrase.
        occurrences: how often it stands in the corpus.
        token_occurrences: how often the token does.
        documents: in how many documents the token stands.
    """

    text: str
    occurrences: int
    token_occurrences: int
    documents: int


def phrases(tokens: Sequence[str], documents: Iterable[str]) -> list[Phrase]:
    """Find the phrase of each token, reading the corpus once.

    Example:
        >>> phrases(["範囲だけ"], ["確かめた範囲だけを書く", "確かめた範囲だけで書く"])
        [Phrase(text='確かめた範囲だけ', occurrences=2, token_occurrences=2, documents=2)]
    """
    contexts: list[list[tuple[str, str]]] = [[] for _ in tokens]
    holders = [0] * len(tokens)
    for text in documents:
        for index, token in enumerate(tokens):
            found = len(contexts[index])
            at = text.find(token)
            while at >= 0:
                end = at + len(token)
                # What stands before is kept backwards: both sides grow away from the token.
                before = text[max(0, at - BESIDE) : at][::-1]
                contexts[index].append((before, text[end : end + BESIDE]))
                at = text.find(token, end)
            holders[index] += len(contexts[index]) > found
    return [
        _grown(token, beside, documents)
        for token, beside, documents in zip(tokens, contexts, holders, strict=True)
    ]


def _grown(token: str, contexts: list[tuple[str, str]], documents: int) -> Phrase:
    least = (len(contexts) + 1) // 2
    lengths = [0, 0]
    sharing = contexts
    before = after = ""
    while len(sharing) > 1:
        sides = [
            Counter(context[side][length] for context in sharing if len(context[side]) > length)
            for side, length in enumerate(lengths)
        ]
        best = [side.most_common(1)[0] if side else ("", 0) for side in sides]
        side = 0 if best[0][1] > best[1][1] else 1
        character, agreeing = best[side]
        if agreeing < max(2, least):
            break
        at = lengths[side]
        sharing = [context for context in sharing if context[side][at : at + 1] == character]
        lengths[side] += 1
        before, after = (character + before, after) if side == 0 else (before, after + character)
    return Phrase(before + token + after, len(sharing), len(contexts), documents)
