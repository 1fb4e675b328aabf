"""How a tokenizer learned, as a page: the words themselves, step by step, under a slider."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kugiri.explain.html.elements import (
    Markup,
    bar,
    cut,
    element,
    language,
    quoted,
    table,
    together,
)
from kugiri.explain.html.frame import header, page, quiet, section, stepper
from kugiri.explain.training_structure import (
    BPETraining,
    MergeStep,
    Training,
    UnigramRound,
    UnigramTraining,
    WordState,
)

_MOST_SLIDES = 300
"""Merges that are slides."""
_AT_A_GLANCE = 12
"""So many words are seen at once, and stay in their places."""
_BPE = (
    "Each word begins as single units. The most frequent pair of neighbours becomes one symbol "
    "wherever it stands; then the pairs are counted again."
)
_UNIGRAM = (
    "Training begins with many pieces. Each estimate says how often a piece is expected in all "
    "ways to cut the words, each by its probability; then the pieces that are missed least go."
)


def training_page(training: Training) -> str:
    """A training as HTML."""
    model = training.model
    bpe = isinstance(model, BPETraining)
    count = len(model.steps) if isinstance(model, BPETraining) else len(model.rounds)
    title = element("h1", "How BPE learned" if bpe else "How Unigram learned", class_="title")
    summary = element(
        "p",
        together(element("b", f"{training.different_words:,}"), " different words · "),
        together(element("b", f"{count:,}"), " merges" if bpe else " estimates"),
        class_="summary",
    )
    how = element("p", _BPE if bpe else _UNIGRAM, class_="how")
    parts = _bpe(model) if isinstance(model, BPETraining) else _unigram(model)
    return page(
        "kugiri explain --training",
        header(title, how, summary),
        *parts,
        data=training.to_json(),
    )


# ── BPE ───────────────────────────────────────────────────────────────────────────────────────
def _bpe(model: BPETraining) -> Iterator[Markup]:
    rest = [quiet(f"and {model.words_left_out:,} more words, none more frequent")]
    first = together(
        element("h3", "Before the first merge"),
        _words(model.words),
        rest if model.words_left_out else [],
    )
    shown = model.steps[:_MOST_SLIDES]
    slides = [first, *(_slide(step, number) for number, step in enumerate(shown, 1))]
    left_out = len(model.steps) - len(shown)
    more = [quiet(f"{left_out:,} more merges are in the table and in the data of this page.")]
    yield element("section", stepper(slides, "merges"), *(more if left_out else []), class_="whole")
    rows = [
        (
            str(number),
            together(quoted(step.left), " + ", quoted(step.right)),
            quoted(step.result),
            f"{step.count:,}",
            f"{step.applied:,}",
        )
        for number, step in enumerate(model.steps, 1)
    ]
    columns = ("#", "pair", "result", "count", "applied")
    yield section("Merges", table(columns, rows, numbers=["#", "count", "applied"]))


def _slide(step: MergeStep, number: int) -> Markup:
    pair = [quoted(it) for it in (step.left, step.right, step.result)]
    title = element("h3", f"{number}. ", pair[0], " + ", pair[1], " → ", pair[2])
    ties = f"; {step.ties + 1} pairs tie, and the rule chose" if step.ties else ""
    about = element(
        "p",
        f"{step.count:,} times, the most of all pairs{ties}. {step.applied:,} tokens fewer.",
        class_="soft",
    )
    bars = [(together(pair[0], " ", pair[1]), step.count, "")]
    bars += [
        (together(quoted(it.left), " ", quoted(it.right)), it.count, "rival") for it in step.rivals
    ]
    rivals = _bars(bars)
    words = _words(step.words, step.result, step.changed)
    return together(title, about, element("div", rivals, words, class_="two merge"))


def _bars(rows: Sequence[tuple[Markup, int, str]]) -> Markup:
    """Pairs with bars as long as their counts."""
    most = max((count for _, count, _ in rows), default=1) or 1
    lines = [
        (
            element("span", pair, class_="cut"),
            f"{count:,}",
            bar(count / most, kind),
        )
        for pair, count, kind in rows
    ]
    return table(("pair", "count", ""), lines, numbers=["count"])


def _words(
    words: Sequence[WordState], new: str | None = None, changed: Iterable[int] = ()
) -> Markup:
    """The words as they are cut; where something was merged, that is marked.

    Of many words those come first.
    """
    touched = set(changed)
    lines = [
        element(
            "div",
            [
                element(
                    "span",
                    quoted(symbol),
                    class_="chip new" if number in touched and symbol == new else "chip",
                )
                for symbol in word.symbols
            ],
            element("span", f"× {word.count:,}", class_="count"),
            class_="row" if new is None or number in touched else "row same",
            lang=language("".join(word.symbols)),
        )
        for number, word in enumerate(words)
    ]
    if not touched and new is not None:
        lines.insert(0, quiet("It stands only in words that are not shown here."))
    elif len(lines) > _AT_A_GLANCE:
        order = sorted(range(len(lines)), key=lambda number: number not in touched)
        lines = [lines[number] for number in order]
    return element("div", lines)


# ── Unigram ───────────────────────────────────────────────────────────────────────────────────
def _unigram(model: UnigramTraining) -> Iterator[Markup]:
    slides = [_round(each) for each in model.rounds]
    yield element("section", stepper(slides, "estimates", first=1), class_="whole")
    rows = [
        (
            str(each.number),
            f"{each.pieces:,}",
            f"{each.objective:.4f}",
            f"{each.tokens:,.1f}",
            f"{each.tokens_per_piece:.2f}",
            f"{len(each.pruned) + len(each.unexpected):,}",
        )
        for each in model.rounds
    ]
    columns = ("#", "pieces", "objective", "tokens", "tokens/piece", "dropped")
    yield section("Estimates", table(columns, rows, numbers=columns))
    names = [quoted(it.piece) for it in model.pieces]
    text = "".join(it.piece for it in model.pieces)
    yield section("Pieces", element("p", cut(names, text), class_="pieces"))


def _round(each: UnigramRound) -> Markup:
    title = element("h3", f"Estimate {each.number}: {each.pieces:,} pieces are left")
    about = element(
        "p",
        f"The mean of −log probability of a word is {each.objective:.4f} nats; "
        f"the corpus is expected to be {each.tokens:,.1f} tokens.",
        class_="soft",
    )
    most = max((it.expected for it in each.best), default=1.0) or 1.0
    best = [
        (
            quoted(it.piece),
            f"{it.score:.3f}",
            f"{it.expected:,.1f}",
            bar(it.expected / most),
        )
        for it in each.best
    ]
    left = element(
        "div",
        element("h3", "Highest scores", class_="plain"),
        table(("piece", "score", "expected", ""), best, numbers=["score", "expected"]),
    )
    right = element("div", *_dropped(each), *_returned(each.returned))
    return together(title, about, element("div", left, right, class_="two"))


def _dropped(each: UnigramRound) -> Iterator[Markup]:
    if each.pruned:
        yield element("h3", f"Dropped by pruning: {len(each.pruned):,}", class_="plain")
        rows = [
            (quoted(it.piece), it.why, cut([quoted(part) for part in it.instead], it.piece))
            for it in each.pruned
        ]
        yield table(("piece", "why", "from now on"), rows)
    if each.unexpected:
        words = "Dropped, expected less than half a time"
        yield from _pieces(words, [it.piece for it in each.unexpected])
    if not each.pruned and not each.unexpected:
        yield element("h3", "Nothing was dropped", class_="plain")


def _returned(pieces: list[str]) -> Iterator[Markup]:
    if pieces:
        yield from _pieces("Came back, to have enough", pieces)


def _pieces(name: str, pieces: list[str]) -> Iterator[Markup]:
    yield element("h3", f"{name}: {len(pieces):,}", class_="plain")
    yield element("p", cut([quoted(it) for it in pieces], "".join(pieces)), class_="pieces")
