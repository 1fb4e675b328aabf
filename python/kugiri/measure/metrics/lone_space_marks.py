"""Lone space marks: the share of documents that begin with a space as a token of its own.

Example:
    >>> from kugiri.measure.example import observed, unigram_of, value
    >>> tokenizer = unigram_of(["▁", "▁犬", "猫", "犬", "と", "も"])
    >>> seen = observed(tokenizer, ["猫と犬", "犬も猫"])
    >>> [seen.tokenizer.tokens(text) for text in seen.corpus.documents]
    [['▁', '猫', 'と', '犬'], ['▁犬', 'も', '猫']]
    >>> value(METRIC, seen)  # the first of two
    0.5
"""

from __future__ import annotations

import numpy as np

from kugiri.measure.draws import Draws, Floats, ratio
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation
from kugiri.measure.vocabulary import Flags


def _values(seen: Observation, draws: Draws) -> Floats:
    begin = np.zeros(len(seen.tokens))
    holding = np.flatnonzero(seen.tokens)
    begin[holding] = _lone(seen)[seen.batch.ids[seen.batch.offsets[holding]]]
    return ratio(draws.sum(begin), draws.sum(np.ones(len(begin))))


def _lone(seen: Observation) -> Flags:
    """The ids that stand for one space and nothing else."""
    return np.array([text == b" " for text in seen.vocabulary.texts], np.bool_)


def _details(seen: Observation) -> list[Table]:
    lone, total = _lone(seen), len(seen.batch.ids)
    begin = seen.batch.ids[seen.batch.offsets[np.flatnonzero(seen.tokens)]]
    rows = [("at the beginning of a document", int(lone[begin].sum()))]
    rows.append(("anywhere", int(seen.counts[lone].sum())))
    columns = ("where", "tokens", "share of tokens")
    shares = [(where, count, count / total if total else None) for where, count in rows]
    return [Table("Tokens that are one space", columns, list(shares))]


METRIC = Metric(
    name="lone_space_marks",
    title="Documents that begin with a lone space",
    unit="share",
    better="less",
    definition="The share of documents whose first token is a space and nothing else: the ▁ that "
    "SentencePiece puts before a text (add_dummy_prefix) where no piece goes on with it, or a "
    "space of the text itself.",
    formula="documents whose first token stands for one space / documents",
    source="kugiri",
    misleads="It is a token a document, dear where documents are short lines of Japanese, nothing "
    "where they are long. A byte-level tokenizer has it only where the text begins with a space.",
    evidence="None known.",
    values=_values,
    weight=lambda seen: len(seen.corpus.documents),
    details=_details,
)
