"""What a training was, step by step: plain data, and the only thing that drawings are made from.

Rule.    Tokens are shown as text, parts of characters as `<e5 b0>`.
         docs/schemas/training.json is the JSON schema of it, made from these classes.
Cost.    None.
"""

from __future__ import annotations

from typing import Literal

import msgspec

MOST_WORDS = 40
"""The words that a step shows; the most frequent ones, in order of first occurrence."""
MOST_PIECES = 40
"""The pieces of highest score that a round shows."""


class _Part(msgspec.Struct, frozen=True):
    """The common form of all parts."""


class WordState(_Part, frozen=True):
    """A word as it is cut at some moment, and how often it occurs."""

    symbols: list[str]
    count: int


class Rival(_Part, frozen=True):
    """A pair that would have been next, with its count."""

    left: str
    right: str
    count: int


class MergeStep(_Part, frozen=True):
    """One merge.

    Attributes:
        left, right, result: the pair and its join.
        id: of the join.
        count: how often the pair stood in the corpus.
        applied: how many tokens fewer the corpus has after it.
        ties: how many of the rivals have the same count, so that the tie rule chose.
        rivals: the pairs that would have been next, best first.
        changed: the numbers of the shown words that it changed.
        words: the words after it.
    """

    left: str
    right: str
    result: str
    id: int
    count: int
    applied: int
    ties: int
    rivals: list[Rival]
    changed: list[int]
    words: list[WordState]


class BPETraining(_Part, frozen=True, tag_field="type", tag="BPE"):
    """How BPE learned.

    Attributes:
        tie: the tie rule.
        tokens: of the corpus before the first merge.
        words_left_out: different words that the steps do not show.
        words: the words before the first merge.
        steps: the merges.
    """

    tie: str
    tokens: int
    words_left_out: int
    words: list[WordState]
    steps: list[MergeStep]


class ScoredPiece(_Part, frozen=True):
    """A piece, its score, and how often it is expected in the corpus."""

    piece: str
    score: float
    expected: float


class Dropped(_Part, frozen=True):
    """A piece that is no longer one.

    Attributes:
        piece: its string.
        why: the reason in words.
        loss: what a token of the corpus loses without it; null where it was of no use.
        better: by how much its own string is cut better, where it is that which made it useless.
        instead: what its string is cut into from now on.
    """

    piece: str
    why: str
    loss: float | None
    better: float | None
    instead: list[str]


class UnigramRound(_Part, frozen=True):
    """One estimate: expectation and maximization, and what was dropped before and in it.

    Attributes:
        number: of the estimate, from 1.
        pieces: how many are left.
        objective: the mean of −log probability of a word before it, in nats.
        tokens: the expected number of tokens of the corpus.
        tokens_per_piece: how often a piece is used, in the mean.
        best: the pieces of highest score.
        pruned: what pruning dropped before it, the least lost first.
        unexpected: what it dropped itself.
        returned: what came back, since the vocabulary would be too small without it.
    """

    number: int
    pieces: int
    objective: float
    tokens: float
    tokens_per_piece: float
    best: list[ScoredPiece]
    pruned: list[Dropped]
    unexpected: list[Dropped]
    returned: list[str]


class UnigramTraining(_Part, frozen=True, tag_field="type", tag="Unigram"):
    """How Unigram learned.

    Attributes:
        seeds: how many pieces it began with.
        rounds: the estimates.
        pieces: the result, with its scores.
    """

    seeds: int
    rounds: list[UnigramRound]
    pieces: list[ScoredPiece]


class Training(_Part, frozen=True):
    """A training run.

    Attributes:
        schema: the version of this structure.
        different_words: how many different words the corpus has.
        model: the steps.
    """

    schema: Literal[1]
    different_words: int
    model: BPETraining | UnigramTraining

    def to_json(self) -> str:
        """The same as a JSON object."""
        return msgspec.json.encode(self).decode()

    def to_html(self) -> str:
        """The same as one page of HTML that needs nothing else."""
        from kugiri.explain.html.training_page import training_page

        return training_page(self)
