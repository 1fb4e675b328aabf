"""The metrics, one a file, in the order in which a report shows them."""

from __future__ import annotations

from kugiri.measure.metric import Metric
from kugiri.measure.metrics import (
    bytes_per_token,
    cost_ratio,
    gini,
    normalized_sequence_length,
    parity,
    speed,
    tokens,
)

METRICS: tuple[Metric, ...] = (
    tokens.METRIC,
    bytes_per_token.METRIC,
    normalized_sequence_length.METRIC,
    parity.METRIC,
    gini.METRIC,
    cost_ratio.METRIC,
    speed.METRIC,
)
BY_NAME = {metric.name: metric for metric in METRICS}
