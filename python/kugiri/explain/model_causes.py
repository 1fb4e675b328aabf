"""What a model did instead of making a piece one token.

Rule.    BPE: what its own parts merge into, if that is not the piece; else the first merge that
         took a part of it together with what stands beside it. WordPiece: the match that took its
         beginning, or the word that is unknown as a whole. Words and characters: what is looked up.
         Unigram: the best way that has the piece is compared with the best way.
Cost.    That of the model, for one word.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from kugiri.encoding import Span
from kugiri.explain.causes import Cause, cause
from kugiri.explain.lineage import made_by
from kugiri.explain.model_steps import first_symbols, is_long, numbered_merges
from kugiri.explain.nearest import MOST, id_of
from kugiri.explain.readings import read
from kugiri.explain.step_structure import LONGEST, Merge
from kugiri.explain.stretch import InWord, Stretch
from kugiri.reference.alignment import Aligned
from kugiri.reference.models.bpe import BPE
from kugiri.reference.models.bpe_score import ScoreBPE
from kugiri.reference.models.lattice import Lattice, Node, Path, best_paths
from kugiri.reference.models.unigram import Unigram
from kugiri.reference.models.word_level import WordLevel
from kugiri.reference.models.word_piece import WordPiece
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.vocab import show


def model_causes(
    reference: ReferenceTokenizer, stretch: Stretch, visible_bytes: bool
) -> Iterator[Cause]:
    """Yield why the model did not make one token of a piece inside one word."""
    if len(stretch.inside) != 1:
        return
    (part,) = stretch.inside
    model = reference.model
    if is_long(reference, part.word):
        yield cause("not followed", most=LONGEST)
    elif isinstance(model, BPE | ScoreBPE):
        yield from _merged(reference, model, stretch, visible_bytes)
    elif isinstance(model, WordPiece):
        yield from _matched(model, part)
    elif isinstance(model, Unigram):
        yield from _outscored(model, part)
    elif isinstance(model, WordLevel):
        yield from _looked_up(model, part, visible_bytes)


# ── BPE ───────────────────────────────────────────────────────────────────────────────────────
def _merged(
    reference: ReferenceTokenizer, model: BPE | ScoreBPE, stretch: Stretch, visible_bytes: bool
) -> Iterator[Cause]:
    (part,) = stretch.inside
    if isinstance(model, BPE) and model.is_token(part.word):
        yield cause("whole word", word=read(part.word.text, visible_bytes))
        return
    symbols = first_symbols(model, part.word)
    first, last = _units_of(reference, model, part)
    merges, _ = numbered_merges(model, part.word, 0, symbols)
    id = id_of(reference, stretch)
    made = _row_of(reference, id)
    own = symbols[first:last]
    for step in model.steps_within(part.word, slice(first, last)):
        own = [show(symbol) for symbol in step.after]
    if id is not None and len(own) > 1:
        left = [read(symbol, visible_bytes) for symbol in own]
        yield cause("stopped", id=id, made_by=made, left=left)
        return
    crossing = next(_across(merges, len(symbols), first, last), None)
    if crossing is not None:
        merge, reach = crossing
        yield cause(
            "merged",
            id=id,
            made_by=made,
            order=getattr(reference.spec.model, "order", "list"),
            rank=merge.rank,
            result=read(merge.result, visible_bytes),
            joined=(first, last) in reach,
        )


def _row_of(reference: ReferenceTokenizer, id: int | None) -> int | None:
    """The merge that made the piece itself, if one did."""
    merges = getattr(reference.spec.model, "merges", None)
    return None if id is None or merges is None else made_by(merges).get(id)


def _across(
    merges: list[Merge], symbols: int, first: int, last: int
) -> Iterator[tuple[Merge, tuple[Span, Span]]]:
    """The merges that join what is in [first, last) with what is not, in order of time.

    Beside each, the symbols that its two parts are made of.
    """
    reach = [(at, at + 1) for at in range(symbols)]
    for merge in merges:
        left, right = merge.parts
        start, end = reach[left][0], reach[right][1]
        reach.append((start, end))
        if start < first < end or start < last < end:
            yield merge, (reach[left], reach[right])


def _units_of(
    reference: ReferenceTokenizer, model: BPE | ScoreBPE, part: InWord
) -> tuple[int, int]:
    """The first symbols of a part of a word, by number; with the mark of the word at its end."""
    marks = bool(getattr(reference.spec.model, "end_of_word", ""))

    def count(text: Aligned) -> int:
        return len(model.units(text)) - marks if len(text) else 0

    is_last = part.end == len(part.word)
    return count(part.word[: part.start]), count(part.word[: part.end]) + (marks and is_last)


# ── WordPiece ─────────────────────────────────────────────────────────────────────────────────
def _matched(model: WordPiece, part: InWord) -> Iterator[Cause]:
    if model.is_too_long(part.word):
        yield cause("long word", characters=len(part.word))
        return
    for search in model.searches(part.word):
        if search.token is None:
            yield cause("no match", word=part.word.text, start=search.start)
            continue
        end = len(part.word) - len(search.tried) + 1
        token = show(search.token.text)
        touches = search.start < part.end and part.start < end
        if touches and (search.start < part.start or end > part.end):
            yield cause("match", token=token, start=search.start)


# ── words and characters ──────────────────────────────────────────────────────────────────────
def _looked_up(model: WordLevel, part: InWord, visible_bytes: bool) -> Iterator[Cause]:
    strings = list(model.stretches(part.word.text))
    ends = list(accumulate(map(len, strings)))
    starts = [0, *ends[:-1]]
    if part.start in starts and part.end == ends[starts.index(part.start)]:
        return
    names = [
        read(string, visible_bytes)
        for string, start, end in zip(strings, starts, ends, strict=True)
        if start < part.end and part.start < end
    ]
    yield cause("looked up", strings=names[:MOST], more=max(len(names) - MOST, 0))


# ── Unigram ───────────────────────────────────────────────────────────────────────────────────
def _outscored(model: Unigram, part: InWord) -> Iterator[Cause]:
    lattice = model.lattice(part.word.text)
    nodes = lattice.nodes()
    wanted = next((it for it in nodes if it[1:3] == part[1:] and it.id is not None), None)
    if wanted is None:
        return
    apart = (it for it in nodes if it.end <= wanted.start or wanted.end <= it.start)
    (best,) = best_paths(lattice, float32=model.float32)
    if wanted in best.nodes:
        return
    (second,) = best_paths(Lattice(lattice.length, [*apart, wanted]), float32=model.float32)
    won, lost = _apart(best, second)
    yield cause(
        "outscored",
        id=wanted.id,
        margin=float(best.score - second.score),
        won=_pieces(part, won),
        won_score=_score(won),
        lost=_pieces(part, lost),
        lost_score=_score(lost),
    )


def _apart(best: Path, second: Path) -> tuple[list[Node], list[Node]]:
    """The pieces of two paths without those at both ends that they have in common."""
    won, lost = list(best.nodes), list(second.nodes)
    while won and lost and won[0] == lost[0]:
        del won[0], lost[0]
    while won and lost and won[-1] == lost[-1]:
        del won[-1], lost[-1]
    return won, lost


def _pieces(part: InWord, nodes: list[Node]) -> list[str]:
    return [part.word.text[node.start : node.end] for node in nodes]


def _score(nodes: list[Node]) -> float:
    return float(sum(node.score for node in nodes))
