"""The steps of a model on a page: merges and their trees, the lattice, searches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from kugiri.explain.html.elements import (
    Markup,
    bar,
    cut,
    element,
    language,
    quoted,
    scrolling,
    table,
)
from kugiri.explain.html.frame import quiet, stepper
from kugiri.explain.html.words import Words
from kugiri.explain.lanes import lanes
from kugiri.explain.readings import read
from kugiri.explain.step_structure import (
    LONGEST,
    BPESteps,
    Merge,
    UnigramSteps,
    Word,
    WordPieceSteps,
)
from kugiri.explain.structure import Explanation

_RANKS = {
    "list": "The pair with the lowest rank is merged first; a rank is a row of the merge list.",
    "rank": "The pair with the lowest rank is merged first; a rank is the id of the join.",
    "score": "The pair with the highest score is merged first; a rank is the place of a score.",
}
_UNLIKELY = 0.05
"""Pieces that are less likely are set in a softer colour."""
_MOST_SYMBOLS = 10_000
"""Symbols that a page shows in the steps of merges; a long text has the rest as data alone."""


def model_parts(explained: Explanation, say: Words) -> Iterator[Markup]:
    """What the model did, in elements."""
    model = explained.model
    if isinstance(model, BPESteps):
        yield element("p", "BPE. ", say(_RANKS[model.order]), class_="soft")
        whole = [word for word in model.words if word.is_whole]
        if whole:
            words = [quoted(read(word.text, explained.visible_bytes)) for word in whole]
            yield element("p", say.put("Tokens as they stand: {0}", cut(words, explained.text)))
        of_words = [list(merges) for _, merges in groupby(model.merges, lambda it: it.word)]
        room, left_out = _MOST_SYMBOLS, 0
        for merges in of_words:
            size = sum(len(merge.after) for merge in merges)
            if size > room:
                left_out += 1
                continue
            room -= size
            word = model.words[merges[0].word]
            yield from _merged(word, merges, explained.visible_bytes, say)
        if left_out:
            phrase = "Words whose merges are in the data of this page alone: {0}"
            yield quiet(say.put(phrase, f"{left_out:,}"))
    elif isinstance(model, WordPieceSteps):
        how = say("WordPiece. From left to right, the longest token.")
        yield element("p", how, class_="soft")
        yield _searches(model, say)
    elif isinstance(model, UnigramSteps):
        yield from _lattice(model, say)
    else:
        how = say("Words, or characters, are looked up as they stand.")
        yield element("p", how, class_="soft")
    for word in model.words:
        if not word.is_shown:
            phrase = "{0}… has more than {1} units; its steps are not shown"
            yield element("p", say.put(phrase, quoted(word.text[:20]), str(LONGEST)))


# ── BPE ───────────────────────────────────────────────────────────────────────────────────────
def _merged(word: Word, merges: list[Merge], visible_bytes: bool, say: Words) -> Iterator[Markup]:
    def chips(symbols: Iterable[str], new: int | None = None) -> Markup:
        return element(
            "div",
            [
                element(
                    "span",
                    quoted(read(it, visible_bytes)),
                    class_="chip new" if at == new else "chip",
                )
                for at, it in enumerate(symbols)
            ],
            class_="row",
            lang=language(word.text),
        )

    steps = [element("h4", say("The first symbols")) + chips(word.symbols)]
    for merge in merges:
        pair = [quoted(read(it, visible_bytes)) for it in (merge.left, merge.right, merge.result)]
        title = element("h4", say.put("Rank {0}: {1} + {2} → {3}", f"{merge.rank:,}", *pair))
        steps.append(title + chips(merge.after, merge.position))
    yield element("h3", quoted(read(word.text, visible_bytes)), lang=language(word.text))
    yield stepper(steps, say("merges"))
    yield _tree(word, merges, visible_bytes, say)


def _tree(word: Word, merges: list[Merge], visible_bytes: bool, say: Words) -> Markup:
    """Each join under its parts."""
    reach = [(at, at + 1) for at in range(len(word.symbols))]
    depth = [1] * len(word.symbols)
    rows = [(symbol, "") for symbol in word.symbols]
    for merge in merges:
        left, right = merge.parts
        reach.append((reach[left][0], reach[right][1]))
        depth.append(1 + max(depth[left], depth[right]))
        rows.append((merge.result, f"{merge.rank:,}"))
    cells = [
        _cell(
            quoted(read(piece, visible_bytes)),
            note,
            start,
            end,
            row,
            "cell root" if node in word.roots else "cell",
        )
        for node, ((piece, note), (start, end), row) in enumerate(
            zip(rows, reach, depth, strict=True)
        )
    ]
    return _grid(cells, say("the merge tree"), word.text)


def _cell(piece: Markup, note: str, start: int, end: int, row: int, kind: str) -> Markup:
    place = f"grid-column:{start + 1}/{end + 1};grid-row:{row}"
    return element(
        "div", piece, *([element("small", note)] if note else []), class_=kind, style=place
    )


def _grid(cells: list[Markup], name: str, text: str) -> Markup:
    grid = element("div", cells, class_="grid", lang=language(text))
    return scrolling(grid, name)


# ── WordPiece ─────────────────────────────────────────────────────────────────────────────────
def _searches(model: WordPieceSteps, say: Words) -> Markup:
    rows = [
        (
            quoted(model.words[match.word].text),
            str(match.start),
            element("span", [element("span", quoted(it), " ") for it in match.tried]),
            say("nothing: unknown") if match.found is None else quoted(match.found),
        )
        for match in model.matches
    ]
    columns = say.each("word", "from", "tried", "found")
    return table(columns, rows, numbers=columns[1:2])


# ── Unigram ───────────────────────────────────────────────────────────────────────────────────
def _lattice(model: UnigramSteps, say: Words) -> Iterator[Markup]:
    if not model.is_shown:
        return
    yield element(
        "p",
        say.put(
            "Unigram. {0} ways to cut the text; entropy {1} nats. Under each piece stand its score "
            "and its probability.",
            f"{model.paths:,.0f}",
            f"{model.entropy:.3f}",
        ),
        class_="soft",
    )
    cells = [
        _cell(quoted(character), "", at, at + 1, 1, "cell head")
        for at, character in enumerate(model.text)
    ]
    for row, lane in enumerate(lanes(model.lattice), 2):
        for node in lane:
            likely = "" if node.probability >= _UNLIKELY else " unlikely"
            kind = "cell best" if node.is_best else f"cell{likely}"
            note = f"{node.score:.2f}\n{node.probability:.3f}"
            cells.append(_cell(quoted(node.piece), note, node.start, node.end, row, kind))
    yield _grid(cells, say("the lattice"), model.text)
    best = model.nbest[0].posterior or 1.0
    rows = [
        (
            str(place),
            f"{way.log_prob:.3f}",
            f"{way.margin:.3f}",
            f"{way.posterior:.4f}",
            bar(way.posterior / best),
            _way(way.pieces, model.nbest[0].pieces if place > 1 else [], model.text),
        )
        for place, way in enumerate(model.nbest, 1)
    ]
    yield element("h3", say("The best ways"), class_="plain")
    columns = say.each("#", "log prob", "margin", "probability", "", "way")
    yield table(columns, rows, numbers=columns[:4])


def _way(pieces: list[str], best: list[str], text: str) -> Markup:
    """A way to cut the text; what it has in common with the best at both ends is softer."""
    first, last = 0, 0
    least = min(len(pieces), len(best))
    while first < least and pieces[first] == best[first]:
        first += 1
    while last < least - first and pieces[-1 - last] == best[-1 - last]:
        last += 1
    parts = [
        element(
            "span",
            quoted(piece),
            class_=None if first <= at < len(pieces) - last or not best else "same",
        )
        for at, piece in enumerate(pieces)
    ]
    return element("span", parts, class_="cut", lang=language(text))
