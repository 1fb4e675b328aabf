"""Which vocabularies a corpus allows, before one is trained: the numbers of the errors.

Rule.    The smallest is the given pieces with the alphabet, where the model needs one. The largest:
         for BPE what merging to the end gives, for Unigram all candidates, for the baselines all
         words or characters; given pieces are counted everywhere.
Cost.    Preparing the corpus; for BPE and Unigram seconds more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from kugiri.sentencepiece.learn import Prepared, learn
from kugiri.sentencepiece.pieces import smallest_size
from kugiri.sentencepiece.trainer import Run

_MOST = 2**31 - 1


class Sizes(NamedTuple):
    """The smallest and the largest vocabulary.

    Attributes:
        smallest: the smallest.
        largest: the largest.
        is_exact: whether the largest is that; else it is at least so large.
    """

    smallest: int
    largest: int
    is_exact: bool


def sizes(run: Run, most_units: int) -> Sizes:
    """The sizes that a corpus allows; BPE of more units than said is not run to its end."""
    smallest = smallest_size(run.given, run.prepared.alphabet, run.options)
    units = sum(run.prepared.characters.values())
    if run.options.auto_character_coverage or units > most_units:
        return Sizes(smallest, smallest, False)
    return Sizes(smallest, len(run.given) + _learnable(run.prepared), True)


def _learnable(prepared: Prepared) -> int:
    options = replace(prepared.options, hard_vocab_limit=False, vocab_size=_MOST)
    learned = learn(replace(prepared, options=options, room=_MOST))
    return int(learned.about.get("seeds", len(learned.pieces)))
