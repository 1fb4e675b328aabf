"""What it would cost a tokenizer to keep what it loses, in the unit of a metric.

Rule.    A token for each byte that is lost, as byte fallback spends: no tokenizer would need more.
         Who leads at that price leads for certain; who leads only without it leads by what it
         loses. Metrics that loss cannot flatter have no price.
"""

from __future__ import annotations

from collections.abc import Collection

from kugiri.measure.report import Loss

_TOKENS = {
    "tokens", "tokens_per_character", "tokens_per_document", "normalized_sequence_length",
    "parity", "cost_ratio", "fertility", "case_sensitivity",
}  # fmt: skip
"""Grow with the tokens of a text."""
_TEXT = {"bytes_per_token", "characters_per_token", "graphemes_per_token"}
"""Shrink with them."""
_SHARES = {"continued_words", "broken_characters", "single_token_retention"}
"""Shares that lost characters are missing from."""
PRICED = _TOKENS | _TEXT | _SHARES | {"byte_fallback_rate", "bits_per_byte", "gini"}
"""Metrics by which a tokenizer may look better for what it loses."""
_BYTE = 8.0
"""Bits."""


def price(metric: str, value: float, losses: Collection[Loss]) -> float:
    """By how much worse the value of a metric would be.

    Args:
        metric: its name.
        value: its value.
        losses: those of its corpus, or of all languages at once.

    Example:
        >>> loss = Loss("a", "ja", 10, 3, characters=0.1, white_space=0, bytes=0.1, tokens=0.25)
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
    if metric in _SHARES:
        return max(loss.characters for loss in losses)
    if metric == "bits_per_byte":
        return _BYTE * max(loss.bytes for loss in losses)
    if metric == "byte_fallback_rate":
        return tokens / (1 + tokens)
    return tokens if metric == "gini" else 0.0
