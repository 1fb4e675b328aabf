"""Rényi efficiency: how evenly tokens are used, from 0 to 1.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["pick", "ed", "pick", "l", "ed", "pick", "les"], ["pick", "ed", "les"])
    >>> value(METRIC, seen)  # counts 3, 2, 1, 1: 1.6530 bits of log₂ 4
    0.8265
"""

from __future__ import annotations

import math

import numpy as np

from kugiri.measure.different_tokens import sum_of_used
from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.frequencies import entropy, log2, renyi_bits, shares
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation

ORDERS = (0.0, 1.0, 2.0, 2.5, 3.0)


def _values(seen: Observation, draws: Draws) -> Floats:
    used = sum_of_used(seen, draws, np.ones(len(seen.vocabulary)))
    return ratio(renyi_bits(seen, draws), log2(np.maximum(used, 1)))


def _details(seen: Observation) -> list[Table]:
    share = shares(seen)
    regular = seen.vocabulary.regular | seen.vocabulary.unknown
    sizes = (int((share > 0).sum()), int(regular.sum()))
    used, possible = (math.log2(max(size, 1)) for size in sizes)
    rows = []
    for order in ORDERS if len(seen.batch.ids) else ():
        bits = entropy(share, order)
        rows.append((order, bits, *(bits / most if most else None for most in (used, possible))))
    columns = ("α", "bits", "of log₂ used tokens", "of log₂ vocabulary")
    return [Table("Entropies by order; 1 is Shannon's", columns, list(rows))]


METRIC = Metric(
    name="renyi_efficiency",
    title="Rényi efficiency, α = 2.5",
    unit="share",
    better="more",
    definition="Rényi entropy of order 2.5 as a share of the entropy that the tokens in use would "
    "have if all were equally frequent.",
    formula="H_2.5 / log₂ |{v: c(v) > 0}|; the denominator counts tokens that occur. The table "
    "also divides by log₂ of the whole vocabulary without special tokens",
    source="V. Zouhar et al. 2023, 10.18653/v1/2023.acl-long.284, as tokenization-scorer computes "
    "it; TkTkT divides by log₂ min(|V|, N) instead",
    misleads="It rewards even use, not good cuts, and it can be raised on purpose. In small "
    "corpora rare tokens are missing from the denominator. Compare on one text only.",
    evidence="For: Zouhar et al. 2023 find a correlation of 0.78 with BLEU, length alone −0.32. "
    "Against: Cognetta et al. 2024 (arXiv:2402.14614) raise it with two families of BPE "
    "that lower BLEU; Wegmann et al. 2025 (arXiv:2502.15343) see it beaten clearly by a "
    "classifier on the tokens of a task, whose correlation with what BERT models achieve "
    "is 0.84 to 0.85 as others report it. A description, no target.",
    values=_values,
    details=_details,
)
