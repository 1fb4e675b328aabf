"""What the normalizer makes of a text, change by change.

Rule.    A change is what some characters were, what they became, and where they stood: as few of
         them as can be told apart. What was put in stood nowhere, what was dropped became nothing.
Cost.    That of the readable engine.
"""

from __future__ import annotations

import msgspec

from kugiri.encoding import Span
from kugiri.reference.alignment import Aligned, character_span
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.spec import TokenizerSpec


class Change(msgspec.Struct, frozen=True):
    """A part of a text that became another.

    Attributes:
        span: the characters of the original, an empty span for what was put in.
        before: what they were.
        after: what they became.
    """

    span: Span
    before: str
    after: str


class Normalization(msgspec.Struct, frozen=True):
    """A text before and after, with all changes in order of their places."""

    before: str
    after: str
    changes: list[Change]


def explain_normalization(spec: TokenizerSpec, text: str) -> Normalization:
    """Say what the normalizer of a tokenizer does to a text.

    Raises:
        EncodingError: the text holds a lone surrogate.

    Example:
        >>> from kugiri.spec import NFKC, BPE, Tokens
        >>> nfkc = TokenizerSpec(BPE(Tokens.from_iter([b"a"])), normalizer=NFKC())
        >>> for change in explain_normalization(nfkc, "の①ｶﾞ").changes:
        ...     print(change.span, change.before, "→", change.after)
        (1, 2) ① → 1
        (2, 4) ｶﾞ → ガ
    """
    normalized = ReferenceTokenizer(spec).normalize(Aligned.of(text))
    changes = [
        Change(span, text[slice(*span)], after)
        for start, end, after in _changed(normalized)
        for span in [character_span(text, start, end)]
    ]
    return Normalization(text, normalized.text, changes)


def _changed(normalized: Aligned) -> list[tuple[int, int, str]]:
    """The bytes of the original that are not as they were, and what they became."""
    original = normalized.original
    found: list[tuple[int, int, str]] = []
    done = 0  # up to here the original is spoken for
    for character, (start, end) in zip(normalized.text, normalized.spans, strict=True):
        if start > done:
            found.append((done, start, ""))
        if found and start < found[-1][1]:  # of what the change before is of
            before = found.pop()
            found.append((min(before[0], start), max(before[1], end), before[2] + character))
        elif start < done or original[start:end] != character.encode():
            found.append((start, end, character))
        done = max(done, end)
    if done < len(original):
        found.append((done, len(original), ""))
    return found
