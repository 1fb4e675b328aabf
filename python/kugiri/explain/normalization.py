"""What the normalizer makes of a text, change by change.

Rule.    A change is what some characters were, what they became, and where they stood: as few of
         them as can be told apart. What was put in stood nowhere, what was dropped became nothing.
         An added token is cut out first, as for encoding, so what it holds is not changed.
Cost.    That of the readable engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise

import msgspec
import numpy as np

from kugiri.encoding import Span, Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.special_tokens import Allowed
from kugiri.tokenizing.spans import covering_spans


class Change(msgspec.Struct, frozen=True):
    """A part of a text that became another.

    Attributes:
        span: the characters of the original, an empty span for what was put in.
        before: what they were.
        after: what they became.
        after_span: where that stands in the normalized text.
    """

    span: Span
    before: str
    after: str
    after_span: Span


class Normalization(msgspec.Struct, frozen=True):
    """A text before and after, with all changes in order of their places."""

    before: str
    after: str
    changes: list[Change]


def explain_normalization(
    tokenizer: ReferenceTokenizer, text: str, allowed: Allowed = frozenset()
) -> Normalization:
    """Say what the normalizer of a tokenizer does to a text.

    Raises:
        EncodingError: the text holds a lone surrogate.

    Example:
        >>> from kugiri.spec import NFKC, BPE, Tokens, TokenizerSpec
        >>> nfkc = TokenizerSpec(BPE(Tokens.from_iter([b"a"])), normalizer=NFKC())
        >>> for change in explain_normalization(ReferenceTokenizer(nfkc), "の①ｶﾞ").changes:
        ...     print(change.span, change.before, "→", change.after)
        (1, 2) ① → 1
        (2, 4) ｶﾞ → ガ
    """
    parts = list(_parts(tokenizer, Aligned.of(text), allowed))
    after = "".join(made for made, _ in parts)
    places = np.array([span for _, spans in parts for span in spans], np.int64).reshape(-1, 2)
    spans = covering_spans(text, places)
    return Normalization(text, after, list(_changed(text, after, spans)))


def _parts(
    tokenizer: ReferenceTokenizer, text: Aligned, allowed: Allowed
) -> Iterator[tuple[str, Iterable[Span]]]:
    """What the model and the added tokens are given, with the bytes of each character."""
    for part in tokenizer.added_tokens.split(text, allowed):
        if isinstance(part, Token):
            as_it_is = text.original[part.start : part.end].decode()
            places = accumulate((len(it.encode()) for it in as_it_is), initial=part.start)
            yield as_it_is, pairwise(places)
        else:
            normalized = tokenizer.normalize(part)
            yield normalized.text, normalized.spans


def _changed(text: str, after: str, spans: list[Span]) -> Iterator[Change]:
    """What is not as it was; `spans` are the places of the characters of `after`.

    The text is told apart wherever no character from before reaches across, and none from behind:
    marks that were put in order stay together.
    """
    reached = list(accumulate((end for _, end in spans), max))
    ahead = list(accumulate((start for start, _ in reversed(spans)), min))[::-1]
    first = done = 0  # the character and the place up to which all is told
    for next_ in range(1, len(spans) + 1):
        end = reached[next_ - 1]
        if next_ < len(spans) and (
            ahead[next_] < end or (ahead[first] == end and spans[next_] == (end, end))
        ):
            continue
        start = ahead[first]
        if start > done:
            yield Change((done, start), text[done:start], "", (first, first))
        if text[start:end] != after[first:next_]:
            yield Change((start, end), text[start:end], after[first:next_], (first, next_))
        first, done = next_, end
    if done < len(text):
        yield Change((done, len(text)), text[done:], "", (first, first))
