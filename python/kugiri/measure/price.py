"""What it would cost a tokenizer to keep what does not come back, in the unit of a metric.

Rule.    At most a token for each byte that is lost or becomes another character, as byte fallback
         spends; of shares the worst that could become of what does not come back: each such
         character broken, each such word of several tokens. At least nothing: it might have had a
         token for it. Who leads at both prices leads for certain. Where nobody can say what the
         value would be (entropy, capitals, boundaries of morphemes), the most is without end.
         Metrics that loss cannot flatter have no price.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from msgspec.structs import replace

from kugiri.measure.report import Loss

_TOKENS = {
    "tokens", "tokens_per_character", "tokens_per_document", "normalized_sequence_length",
    "parity", "cost_ratio", "fertility",
}  # fmt: skip
"""Grow with the tokens of a text."""
_TEXT = {"bytes_per_token", "characters_per_token", "graphemes_per_token"}
"""Shrink with them."""
_SHARES = {
    "broken_characters", "continued_words", "single_token_retention", "lone_space_marks",
}  # fmt: skip
"""Of characters, words or documents, each of which does not come back or does."""
_BOUNDARIES = {"morpheme_boundary_precision", "morpheme_boundary_recall"}
"""Without a price that one could pay, but white space is no matter of theirs."""
_BEYOND = {"case_sensitivity", "renyi_efficiency"} | _BOUNDARIES
"""Without a price that one could pay."""
PRICED = _TOKENS | _TEXT | _SHARES | _BEYOND | {"byte_fallback_rate", "bits_per_byte", "gini"}
"""Metrics by which a tokenizer may look better for what it loses."""
_BYTE = 8.0
"""Bits."""
SHOWN = 1e-4
"""Who loses a smaller share of the characters is not marked for it."""


def price(metric: str, value: float, losses: Collection[Loss]) -> float:
    """By how much worse the value of a metric might be, at most.

    Args:
        metric: its name.
        value: its value.
        losses: those of its corpus, or of all languages at once.

    Example:
        >>> loss = Loss("a", "ja", 10, 3, 0.1, white_space=0, others=0, bytes=0.1, tokens=0.25)
        >>> price("tokens", 1000, [loss]), price("bytes_per_token", 5, [loss])
        (250.0, 1.0)
        >>> price("bits_per_byte", 1.9, [loss]), price("speed", 90, [loss]), price("tokens", 9, [])
        (0.8, 0.0, 0.0)
        >>> price("broken_characters", 0.3, [loss])  # 0.4 are broken, if each that is lost is
        0.1
    """
    if not losses:
        return 0.0
    tokens = max(loss.tokens for loss in losses)
    if metric in _TOKENS:
        return value * tokens
    if metric in _TEXT:
        return value - value / (1 + tokens)
    if metric in _SHARES:
        return max(_share(metric, loss) for loss in losses)
    if metric in _BEYOND:
        return math.inf if any(_touches(metric, loss) for loss in losses) else 0.0
    if metric == "bits_per_byte":
        return _BYTE * max(loss.bytes for loss in losses)
    if metric == "byte_fallback_rate":
        return tokens / (1 + tokens)
    return tokens if metric == "gini" else 0.0


def price_of_lost(metric: str, value: float, losses: Collection[Loss]) -> float:
    """The part of the price that is for lost text alone, and not for what becomes other characters.

    Of what nobody marks as lost there is none, nor where it has no price that one could pay.

    Example:
        >>> loss = Loss("a", "ja", 10, 3, 0.1, white_space=0, others=0.2, bytes=0.3, tokens=0.6,
        ...             other_bytes=0.2)
        >>> round(price_of_lost("tokens", 100, [loss]), 6), price("tokens", 100, [loss])
        (20.0, 60.0)
    """
    of_lost = [_lost_alone(loss) for loss in losses if loss.characters >= SHOWN]
    return 0.0 if metric in _BEYOND else price(metric, value, of_lost)


def is_marked(loss: Loss) -> bool:
    """Whether more is lost, or becomes other characters, than is too little to speak of."""
    return max(loss.characters, loss.others) >= SHOWN


def _share(metric: str, loss: Loss) -> float:
    """Of what a metric counts, how much does not come back."""
    shares = {
        "broken_characters": loss.characters + loss.others,
        "continued_words": loss.words,
        "single_token_retention": loss.different_words,
        "lone_space_marks": loss.changed / loss.documents,
    }
    share = shares[metric]
    return math.inf if share is None else min(share, 1.0)


def _touches(metric: str, loss: Loss) -> bool:
    """Whether what does not come back is more than nothing to a metric."""
    spaces = loss.white_space if metric in _BOUNDARIES else 0.0
    return max(loss.characters - spaces, loss.others) >= SHOWN


def _lost_alone(loss: Loss) -> Loss:
    """The same as if what becomes other characters came back."""
    size = loss.bytes - loss.other_bytes
    tokens = loss.tokens * size / loss.bytes if size else 0.0
    return replace(
        loss, others=0.0, bytes=size, tokens=tokens, words=0.0, different_words=0.0, changed=0
    )
