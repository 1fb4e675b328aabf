"""Averages over corpora: each corpus the same (macro), and all of their text as one (micro).

Rule.    Macro is the mean of the values of the corpora. Micro is the value of all their text
         together: their mean by weight, which is what each value was divided by; that of a sample
         is raised to its corpus. So there are averages of what is divided, not of sums,
         frequencies, or numbers of different tokens. A corpus counts where all tokenizers have a
         value on it; aligned texts are averaged apart from other corpora.
         There are no intervals: corpora are chosen, not drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kugiri.measure.corpora import MeasuredText
from kugiri.measure.metric import Metric
from kugiri.measure.report import Average

Numbers = Mapping[tuple[str, str | None], Mapping[str, float | None]]
"""(metric, corpus) → tokenizer → a value, or its weight."""


def averages(
    metrics: Sequence[Metric],
    texts: Sequence[MeasuredText],
    values: Numbers,
    weights: Numbers,
) -> Iterator[Average]:
    """Those of two corpora or more."""
    kinds = {
        "corpora": [text.name for text in texts if text.language is None],
        "languages": [text.name for text in texts if text.language is not None],
    }
    for metric in metrics:
        for kind, names in kinds.items():
            places = [(metric.name, name) for name in names if (metric.name, name) in weights]
            places = [it for it in places if None not in values[it].values()]
            if len(places) < 2:
                continue
            for tokenizer in values[places[0]]:
                pairs = [(values[it][tokenizer] or 0.0, weights[it][tokenizer]) for it in places]
                macro = sum(value for value, _ in pairs) / len(pairs)
                total = sum(weight or 0.0 for _, weight in pairs)
                micro = sum(value * (weight or 0.0) for value, weight in pairs) / total
                yield Average(metric.name, tokenizer, kind, len(pairs), macro, micro, metric.unit)
