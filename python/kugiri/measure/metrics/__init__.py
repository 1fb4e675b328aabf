"""The metrics, one a file, in the order in which a report shows them."""

from __future__ import annotations

from kugiri.measure.metric import Metric
from kugiri.measure.metrics import bytes_per_token, tokens

METRICS: tuple[Metric, ...] = (
    tokens.METRIC,
    bytes_per_token.METRIC,
)
BY_NAME = {metric.name: metric for metric in METRICS}
