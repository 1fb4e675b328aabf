"""Speed: how much text is encoded in a second.

Example:
    >>> from kugiri.measure.example import observe
    >>> seen = observe(["low lower"] * 20_000, merges=["low"])
    >>> float(METRIC.values(seen, seen.corpus.draws)[0]) > 0
    True
    >>> short = observe(["low lower"], merges=["low"])
    >>> float(METRIC.values(short, short.corpus.draws)[0])
    nan
"""

from __future__ import annotations

import time
from math import nan

from kugiri.measure.draws import Draws, Floats, undrawn
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation

_PASSES = 3
_LEAST = 100_000
"""Bytes; less is over before a clock has seen it."""


def _values(seen: Observation, draws: Draws) -> Floats:
    """The fastest pass, after what is built at first use has been built; no draws of it."""
    documents, size = seen.corpus.documents, int(seen.corpus.bytes.sum())
    if size < _LEAST:
        return undrawn(nan, draws)
    seen.tokenizer.encode_batch(documents[:1], threads=1)
    seconds = []
    for _ in range(_PASSES):
        started = time.perf_counter()
        seen.tokenizer.encode_batch(documents, threads=1)
        seconds.append(time.perf_counter() - started)
    return undrawn(size / 1e6 / min(seconds), draws)


METRIC = Metric(
    name="speed",
    title="Encoding speed",
    unit="MB/s",
    better="more",
    definition="Megabytes (10⁶ bytes of UTF-8) of the sample encoded in a second on one core, "
    "here and now: the fastest of three passes. Undefined where the sample has less than 100,000 "
    "bytes.",
    formula="B / 10⁶ / seconds",
    source="kugiri",
    misleads="It depends on the machine and on what else it does, and has no interval. It is the "
    "speed of kugiri, not of the library that a file comes from.",
    evidence="Encoding is seldom what training or serving a model waits for.",
    values=_values,
    sampled=True,
    repeats=False,
)
