"""Morpheme boundary precision: how many cuts between tokens stand where words meet.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["low towers, low"], merges=["low", " tow", "ers", ", low"])
    >>> seen.tokenizer.tokens("low towers, low")  # words: low towers , low
    ['low', ' tow', 'ers', ', low']
    >>> seen.boundaries
    Boundaries(tokens=array([3]), segments=array([3]), both=array([2]))
    >>> value(METRIC, seen)  # all but tow|ers, of 3 cuts
    0.6667
"""

from __future__ import annotations

from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric
from kugiri.measure.observation import Observation


def _values(seen: Observation, draws: Draws) -> Floats:
    both, all_of_them = seen.boundaries.both, seen.boundaries.tokens
    return ratio(draws.sum(both), draws.sum(all_of_them))


METRIC = Metric(
    name="morpheme_boundary_precision",
    title="Morpheme boundary precision",
    unit="share of boundaries",
    better="more",
    definition="The share of the boundaries between tokens where the segmenter has a boundary"
    " too. Ends of documents are left out, and white space is taken out first, so that it does not "
    "matter which word a space is given to.",
    formula="|boundaries of both| / |boundaries between tokens|, inside documents of the sample",
    source="TkTkT and TokEval have it, against gold morphemes",
    misleads="A tokenizer that seldom cuts, and joins whole words, has it high: read it with the "
    "recall. "
    "What the segmenter says is not the truth: short units of a dictionary "
    "(sudachi-a) are the nearest to morphemes, words of ICU are longer.",
    evidence="For: groups that built SaGe and MorphBPE report gains from cuts at morphemes. "
    "Against: MorphScore v2 (arXiv:2507.06378) finds over 70 languages that it explains little of "
    "how good models become.",
    values=_values,
    weight=lambda seen: seen.boundaries.tokens.sum(),
    sampled=True,
)
