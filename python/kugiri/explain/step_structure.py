"""The steps of a model in an explanation: words, merges, searches, the lattice.

Rule.    Words are numbered as they follow one another. Merges name their parts by number, so that a
         tree of any depth is a flat list.
Cost.    None.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from kugiri.encoding import Span

LONGEST = 500
"""A word of more units than this has its ids but no steps: they grow with the square."""
MOST_NODES = 20_000
"""A lattice of more pieces is not shown; those of real vocabularies have some ten a character."""


class _Part(msgspec.Struct, frozen=True):
    """The common form of all parts."""


class Word(_Part, frozen=True):
    """A pre-token, as a model works on it.

    Attributes:
        text: what the model was given.
        span: its characters of the text.
        is_whole: whether it is a token as it stands, without looking at the model's steps.
        is_shown: whether its steps are here; they are not if it is too long, or was dropped.
        symbols: what merging starts from (BPE).
        roots: what is left when merging ends, by number (BPE): symbols have the numbers from 0,
            merges of this word those that follow.
        tokens, ids: what became of it; an id is null where none stands for it.
    """

    text: str
    span: Span
    is_whole: bool
    is_shown: bool
    symbols: list[str]
    roots: list[int]
    tokens: list[str]
    ids: list[int | None]


class Merge(_Part, frozen=True):
    """One merge in one word.

    Attributes:
        word: the number of the word.
        rank: the lowest of all that were possible; of a vocabulary without merges the id of the
            join, of a .model the place of its score.
        left, right, result: the pair and its join.
        parts: the pair by number (see `Word.roots`).
        position: where the left one stood among the symbols before.
        before, after: the symbols of the word.
    """

    word: int
    rank: int
    left: str
    right: str
    result: str
    parts: tuple[int, int]
    position: int
    before: list[str]
    after: list[str]


class BPESteps(_Part, frozen=True, tag_field="type", tag="BPE"):
    """How a BPE model cut the words.

    Attributes:
        order: what ranks are: "list" rows of the merge list, "rank" ids, "score" places of scores.
        words: the words.
        merges: every merge, word by word, in order of time.
    """

    order: str
    words: list[Word]
    merges: list[Merge]


class Match(_Part, frozen=True):
    """One search for the longest token that fits.

    Attributes:
        word: the number of the word.
        start: the character of the word where it began.
        tried: what was looked up, the longest first; the last is what was found, if anything.
        found: the token; null where none fits, and then the whole word is unknown.
    """

    word: int
    start: int
    tried: list[str]
    found: str | None


class WordPieceSteps(_Part, frozen=True, tag_field="type", tag="WordPiece"):
    """How a WordPiece model cut the words, search by search."""

    words: list[Word]
    matches: list[Match]


class Node(_Part, frozen=True):
    """A piece at its place in the lattice.

    Attributes:
        piece: its string.
        id: its id; null for a character that no piece stands for.
        start, end: its characters in `UnigramSteps.text`.
        span: its characters of the original text.
        score: its log probability.
        probability: the share of all ways that go through it, each by its probability.
        is_best: whether the best way goes through it.
    """

    piece: str
    id: int | None
    start: int
    end: int
    span: Span
    score: float
    probability: float
    is_best: bool


class Way(_Part, frozen=True):
    """One way to cut the whole text.

    Attributes:
        pieces, ids: its tokens.
        log_prob: the sum of their scores.
        posterior: its probability among all ways.
        margin: by how much the best way is better; 0 for the best.
    """

    pieces: list[str]
    ids: list[int]
    log_prob: float
    posterior: float
    margin: float


class UnigramSteps(_Part, frozen=True, tag_field="type", tag="Unigram"):
    """How a Unigram model cut the text.

    Attributes:
        text: what the model was given, its words put together.
        words: the words.
        is_shown: whether the lattice is here; it is not if the text is too long, or has too many.
        paths: how many ways there are.
        entropy: how uncertain the cut is, in nats.
        lattice: every piece that stands in the text, by place.
        nbest: the best ways, best first.
    """

    text: str
    words: list[Word]
    is_shown: bool
    paths: float
    entropy: float
    lattice: list[Node]
    nbest: list[Way]


class Lookups(_Part, frozen=True, tag_field="type", tag="Lookup"):
    """How a model of whole words or of single characters cut the words: it looks them up."""

    words: list[Word]


Steps: TypeAlias = BPESteps | WordPieceSteps | UnigramSteps | Lookups
