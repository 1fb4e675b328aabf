"""The metrics, one a file, in the order in which a report shows them."""

from __future__ import annotations

from kugiri.measure.metric import Metric
from kugiri.measure.metrics import (
    average_token_rank,
    bits_per_byte,
    broken_characters,
    byte_fallback_rate,
    bytes_per_token,
    case_sensitivity,
    characters_per_token,
    continued_words,
    cost_ratio,
    fertility,
    gini,
    graphemes_per_token,
    lone_space_marks,
    longest_pieces,
    morpheme_boundary_precision,
    morpheme_boundary_recall,
    never_used,
    normalized_sequence_length,
    parity,
    renyi_efficiency,
    renyi_entropy,
    repeated_phrases,
    round_trip,
    shannon_entropy,
    single_token_retention,
    speed,
    token_length,
    tokens,
    tokens_per_character,
    tokens_per_document,
    unknown_rate,
    vocabulary_use,
    zipf_slope,
)

METRICS: tuple[Metric, ...] = (
    # How long texts become.
    tokens.METRIC,
    bytes_per_token.METRIC,
    characters_per_token.METRIC,
    graphemes_per_token.METRIC,
    tokens_per_character.METRIC,
    tokens_per_document.METRIC,
    normalized_sequence_length.METRIC,
    # How languages fare beside each other.
    parity.METRIC,
    gini.METRIC,
    cost_ratio.METRIC,
    # Words, as the segmenter sees them.
    fertility.METRIC,
    continued_words.METRIC,
    single_token_retention.METRIC,
    morpheme_boundary_precision.METRIC,
    morpheme_boundary_recall.METRIC,
    # What new text takes under a small model.
    bits_per_byte.METRIC,
    # What is lost or broken.
    unknown_rate.METRIC,
    byte_fallback_rate.METRIC,
    broken_characters.METRIC,
    round_trip.METRIC,
    # What makes a difference that should make none.
    case_sensitivity.METRIC,
    lone_space_marks.METRIC,
    # What the vocabulary is used for.
    vocabulary_use.METRIC,
    never_used.METRIC,
    token_length.METRIC,
    longest_pieces.METRIC,
    repeated_phrases.METRIC,
    zipf_slope.METRIC,
    shannon_entropy.METRIC,
    renyi_entropy.METRIC,
    renyi_efficiency.METRIC,
    average_token_rank.METRIC,
    # How long it takes.
    speed.METRIC,
)
BY_NAME = {metric.name: metric for metric in METRICS}
MAIN = (
    "tokens", "bytes_per_token", "parity", "gini", "fertility", "bits_per_byte", "unknown_rate",
    "broken_characters", "round_trip",
)  # fmt: skip
"""What a report shows first: the cost of a text, of languages and words, and what is lost."""
