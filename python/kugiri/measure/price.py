"""What it would cost a tokenizer to keep what does not come back, in the unit of a metric.

Rule.    A token for each byte that is lost or becomes another character, as byte fallback spends:
         no tokenizer would need more. Who leads at that price leads for certain; who leads only
         without it leads by what it loses. Where nobody can say what the value would be, as of
         words that are unknown as a whole, there is no price that one could pay: who loses text
         does not lead there. Metrics that loss cannot flatter have no price.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from kugiri.measure.report import Loss

_TOKENS = {
    "tokens", "tokens_per_character", "tokens_per_document", "normalized_sequence_length",
    "parity", "cost_ratio", "fertility",
}  # fmt: skip
"""Grow with the tokens of a text."""
_TEXT = {"bytes_per_token", "characters_per_token", "graphemes_per_token"}
"""Shrink with them."""
_BEYOND = {
    "case_sensitivity", "continued_words", "broken_characters", "single_token_retention",
    "morpheme_boundary_precision", "morpheme_boundary_recall", "renyi_efficiency",
}  # fmt: skip
"""Without a price that one could pay."""
PRICED = _TOKENS | _TEXT | _BEYOND | {"byte_fallback_rate", "bits_per_byte", "gini"}
"""Metrics by which a tokenizer may look better for what it loses."""
_BYTE = 8.0
"""Bits."""
SHOWN = 1e-4
"""Who loses a smaller share of the characters is not marked for it, and pays like others."""


def price(metric: str, value: float, losses: Collection[Loss]) -> float:
    """By how much worse the value of a metric would be.

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
    """
    if not losses:
        return 0.0
    tokens = max(loss.tokens for loss in losses)
    if metric in _TOKENS:
        return value * tokens
    if metric in _TEXT:
        return value - value / (1 + tokens)
    if metric in _BEYOND:
        return math.inf if max(loss.characters for loss in losses) >= SHOWN else 0.0
    if metric == "bits_per_byte":
        return _BYTE * max(loss.bytes for loss in losses)
    if metric == "byte_fallback_rate":
        return tokens / (1 + tokens)
    return tokens if metric == "gini" else 0.0
