"""The steps of a model: merges, searches for the longest match, or a lattice.

Rule.    The readable engine yields the steps; here they are numbered and written down. A word of
         more units than LONGEST has none.
Cost.    The square of a word's length, in time and in size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kugiri.encoding import Span, Token
from kugiri.explain.step_structure import (
    LONGEST,
    MOST_NODES,
    BPESteps,
    Lookups,
    Match,
    Merge,
    Node,
    Steps,
    UnigramSteps,
    Way,
    Word,
    WordPieceSteps,
)
from kugiri.reference.alignment import Aligned
from kugiri.reference.hypotheses import Hypotheses
from kugiri.reference.models.bpe import BPE
from kugiri.reference.models.bpe_score import ScoreBPE
from kugiri.reference.models.lattice import best_paths
from kugiri.reference.models.unigram import Unigram
from kugiri.reference.models.word_piece import WordPiece
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.special_tokens import Allowed
from kugiri.reference.vocab import show
from kugiri.tokenizing.spans import covering_spans


class Part(NamedTuple):
    """An added token, or a word with what parts it from the part before."""

    it: Token | Aligned
    span: Span
    step: str | None = None
    rule: str | None = None


def model_steps(
    reference: ReferenceTokenizer, text: str, parts: Sequence[Part], nbest: int, allowed: Allowed
) -> Steps:
    """What the model does with the words of a text."""
    words = [(part.it, part.span) for part in parts if isinstance(part.it, Aligned)]
    model = reference.model
    if isinstance(model, BPE | ScoreBPE):
        return _bpe(reference, model, words)
    if isinstance(model, WordPiece):
        return _word_piece(reference, model, words)
    if isinstance(model, Unigram):
        return _unigram(reference, model, text, words, nbest, allowed)
    return Lookups([_word(reference, word, span) for word, span in words])


def is_long(reference: ReferenceTokenizer, word: Aligned) -> bool:
    """Whether a word is too long for its steps."""
    of_bytes = getattr(reference.spec.model, "unit", "char") == "byte"
    return len(word.utf8() if of_bytes else word) > LONGEST


def _word(
    reference: ReferenceTokenizer,
    word: Aligned,
    span: Span,
    *,
    is_whole: bool = False,
    symbols: Sequence[str] = (),
    roots: Sequence[int] = (),
) -> Word:
    """A word with its tokens, if it is not too long for the readable engine."""
    is_shown = not is_long(reference, word)
    tokens = reference.model.encode(word) if is_shown else []
    return Word(
        text=word.text,
        span=span,
        is_whole=is_whole,
        is_shown=is_shown,
        symbols=list(symbols),
        roots=list(roots),
        tokens=[show(token.text) for token in tokens],
        ids=[token.id for token in tokens],
    )


# ── BPE ───────────────────────────────────────────────────────────────────────────────────────
def _bpe(
    reference: ReferenceTokenizer, model: BPE | ScoreBPE, words: list[tuple[Aligned, Span]]
) -> BPESteps:
    shown: list[Word] = []
    merges: list[Merge] = []
    for number, (word, span) in enumerate(words):
        symbols: list[str] = []
        roots: list[int] = []
        is_whole = isinstance(model, BPE) and model.is_token(word)
        if not is_whole and not is_long(reference, word):
            symbols = first_symbols(model, word)
            made, roots = numbered_merges(model, word, number, symbols)
            merges += made
        shown.append(_word(reference, word, span, is_whole=is_whole, symbols=symbols, roots=roots))
    order = getattr(reference.spec.model, "order", "list")
    return BPESteps(order, shown, merges)


def first_symbols(model: BPE | ScoreBPE, word: Aligned) -> list[str]:
    """What merging starts from, as it is shown."""
    if isinstance(model, ScoreBPE):
        return [show(unit) for unit in model.units(word)]
    return [show(unit.text) for unit in model.units(word)]


def numbered_merges(
    model: BPE | ScoreBPE, word: Aligned, number: int, symbols: list[str]
) -> tuple[list[Merge], list[int]]:
    """The merges of a word, and the numbers of what is left."""
    names = list(symbols)
    standing = list(range(len(symbols)))
    merges = []
    for step in model.steps(word):
        at = step.position
        before = [names[node] for node in standing]
        left, right = standing[at : at + 2]
        standing[at : at + 2] = [len(names)]
        names.append(show(step.after[at]))
        merges.append(
            Merge(
                word=number,
                rank=step.rank,
                left=names[left],
                right=names[right],
                result=names[-1],
                parts=(left, right),
                position=at,
                before=before,
                after=[names[node] for node in standing],
            )
        )
    return merges, standing


# ── WordPiece ─────────────────────────────────────────────────────────────────────────────────
def _word_piece(
    reference: ReferenceTokenizer, model: WordPiece, words: list[tuple[Aligned, Span]]
) -> WordPieceSteps:
    shown = [_word(reference, word, span) for word, span in words]
    matches = []
    for number, (word, _) in enumerate(words):
        if shown[number].is_shown and not model.is_too_long(word):
            matches += [
                Match(
                    number,
                    search.start,
                    [show(it) for it in search.tried],
                    None if search.token is None else show(search.token.text),
                )
                for search in model.searches(word)
            ]
    return WordPieceSteps(shown, matches)


# ── Unigram ───────────────────────────────────────────────────────────────────────────────────
def _unigram(
    reference: ReferenceTokenizer,
    model: Unigram,
    text: str,
    words: list[tuple[Aligned, Span]],
    nbest: int,
    allowed: Allowed,
) -> UnigramSteps:
    shown = [_word(reference, word, span) for word, span in words]
    whole = "".join(word.text for word, _ in words)
    hidden = UnigramSteps(whole, shown, False, 0, 0.0, [], [])
    if not all(word.is_shown for word in shown) or len(whole) > LONGEST:
        return hidden
    ways = Hypotheses(reference, text, allowed)
    if len(ways.lattice.nodes()) > MOST_NODES:
        return hidden
    return UnigramSteps(
        text=ways.text,
        words=shown,
        is_shown=True,
        paths=_number(ways.count()),
        entropy=ways.entropy(),
        lattice=_nodes(ways, model, text),
        nbest=_ways(ways, nbest),
    )


def _number(count: int) -> float:
    """A count that every reader of JSON can read: a float where it is very large."""
    return count if count < 2**53 else float(count)


def _nodes(ways: Hypotheses, model: Unigram, text: str) -> list[Node]:
    """The lattice with all that can be said of each piece."""
    (best,) = best_paths(ways.lattice, float32=model.float32)
    tokens = ways.marginals()
    places = np.array([(token.start, token.end) for token, _ in tokens], np.int64).reshape(-1, 2)
    rows = zip(ways.lattice.nodes(), tokens, covering_spans(text, places), strict=True)
    return [
        Node(
            piece=show(token.text),
            id=node.id,
            start=node.start,
            end=node.end,
            span=span,
            score=node.score,
            probability=share,
            is_best=node in best.nodes,
        )
        for node, (token, share), span in rows
    ]


def _ways(ways: Hypotheses, count: int) -> list[Way]:
    best = ways.best(count)
    return [
        Way(way.tokens, way.ids, way.log_prob, way.posterior, best[0].log_prob - way.log_prob)
        for way in best
    ]
