"""Reports made by hand, with values as real ones have them, for the tests of pages and plots."""

from __future__ import annotations

import random
from collections.abc import Collection
from itertools import combinations
from typing import Any

import msgspec
import numpy as np

import kugiri
from kugiri.explain.glyphs import visible
from kugiri.measure.draws import Draws
from kugiri.measure.metric import Table
from kugiri.measure.metrics import BY_NAME
from kugiri.measure.observation import MeasuredCorpus, Observation
from kugiri.measure.report import (
    Average,
    Comparison,
    CorpusSize,
    Details,
    MeasuredTokenizer,
    Note,
    Report,
    Split,
    Value,
)
from tests.explained import LINES

LONG = "A sentence that says exactly what is counted, with its denominator, and nothing else."

NAMES: dict[str, tuple[str, str, str | None, float]] = {
    "tokens": ("Tokens", "tokens", "less", 120_000),
    "bytes_per_token": ("Bytes per token", "bytes/token", "more", 4.2),
    "characters_per_token": ("Characters per token", "characters/token", "more", 1.6),
    "graphemes_per_token": ("Graphemes per token", "graphemes/token", "more", 1.5),
    "fertility": ("Fertility", "tokens/word", "less", 1.4),
    "continued_words": ("Continued words", "share", "less", 0.31),
    "retention": ("Words kept whole", "share", "more", 0.62),
    "normalized_length": ("Normalized length", "ratio", "less", 1.12),
    "unknown_rate": ("Unknown characters", "share", "less", 0.0),
    "byte_fallback": ("Byte fallback", "share", "less", 0.012),
    "broken_characters": ("Broken characters", "share", "less", 0.034),
    "round_trip": ("Exact round trip", "share", "more", 1.0),
    "vocabulary_use": ("Vocabulary in use", "share", "more", 0.21),
    "zipf_slope": ("Zipf slope", "slope", None, -0.98),
    "renyi_entropy": ("Rényi entropy", "bits", None, 7.31),
    "renyi_efficiency": ("Rényi efficiency", "share", "more", 0.47),
    "token_length": ("Token length", "characters", None, 2.4),
    "scripts": ("Tokens of Han", "share", None, 0.22),
    "blocks": ("Tokens of Hiragana", "share", None, 0.4),
    "case_sensitivity": ("Case sensitivity", "share", "less", 0.18),
    "lone_marks": ("Lone ▁ at the start", "share", "less", 0.002),
    "morpheme_precision": ("Morpheme precision", "share", "more", 0.71),
    "morpheme_recall": ("Morpheme recall", "share", "more", 0.66),
    "repeated_phrases": ("Repeated phrases", "share", "less", 0.04),
    "bits_per_byte": ("Bits per byte", "bits/byte", "less", 1.93),
}
"""25 metrics: title, unit, which is better, about how much."""

FEW = (
    "tokens", "bytes_per_token", "fertility", "unknown_rate", "round_trip", "zipf_slope",
    "renyi_efficiency", "token_length", "repeated_phrases",
)  # fmt: skip
"""Some of them: a browser takes its time."""


def note(name: str, title: str, unit: str, better: str | None, over: str = "corpus") -> Note:
    return Note(name=name, title=title, unit=unit, better=better, over=over,
                sampled=name in ("fertility", "bits_per_byte"), repeats=True, definition=LONG,
                formula="Σ |T(x)| / Σ |w(x)| over documents x",
                source="A. Author 2024, arXiv:0000.00000",
                misleads="Words of Japanese are what a segmenter says.",
                evidence="For: one study. Against: another one.")  # fmt: skip


def by_hand(
    tokenizers: tuple[str, ...] = ("o200k", "cl100k", "gemma3"),
    corpora: tuple[str, ...] = ("ja", "en", "code"),
    languages: int = 0,
    names: Collection[str] = tuple(NAMES),
) -> Report:
    """A report of these metrics; on "en" the first two tokenizers are within the noise."""
    drawn = random.Random(1)
    notes = [note(name, *NAMES[name][:3]) for name in names]
    values: list[Value] = []
    comparisons: list[Comparison] = []

    def add(name: str, unit: str, corpus: str | None, size: float, spread: float) -> None:
        of = {}
        for at, tokenizer in enumerate(tokenizers):
            tied = corpus == "en" and at < 2
            worse = 1 if size == 0 or tied else 1 + 0.13 * at + drawn.uniform(0, 0.02)
            about = NAMES.get(name, ("", "", "less"))
            value = size / worse if about[2] == "more" else size * worse
            if name in ("renyi_efficiency", "repeated_phrases"):
                value = size * (2 - worse) if name == "repeated_phrases" else size * worse
            value = min(value, 1.0) if unit == "share" else value
            of[tokenizer] = value
            noise = abs(value) * spread
            values.append(Value(name, tokenizer, corpus, value, value - noise, value + noise, unit))
        for first, second in combinations(tokenizers, 2):
            apart, noise = of[second] - of[first], abs(size) * spread * 0.6
            low, high = apart - noise, apart + noise
            differs = low > 0 or high < 0
            comparisons.append(Comparison(name, corpus, first, second, apart, low, high, differs))

    for name in names:
        _, unit, _, size = NAMES[name]
        for at, corpus in enumerate(corpora):
            add(name, unit, corpus, size * (1 - 0.1 * at), 0.009)
    known = [f"言語{at}" if at % 2 else f"lang{at}" for at in range(languages)]
    if languages:
        notes.append(note("premium", "Premium to English", "ratio", "less", "translation"))
        for at, corpus in enumerate(known):
            add("premium", "ratio", corpus, 0.8 + 4 * at / languages, 0.02)
        notes.append(note("gini", "Gini over languages", "share", "less", "languages"))
        add("gini", "share", None, 0.21, 0.05)
    vocabulary = note(
        "partial_tokens", "Tokens of partial characters", "tokens", "less", "vocabulary"
    )
    notes.append(vocabulary)
    values += [
        Value("partial_tokens", tokenizer, None, 700.0 + at, None, None, "tokens")
        for at, tokenizer in enumerate(tokenizers)
    ]
    details = [
        Details("token_length", tokenizer, corpus, [_lengths(1.4 + 0.2 * at)])
        for at, tokenizer in enumerate(tokenizers)
        for corpus in corpora
    ]
    details += [
        Details("zipf_slope", tokenizer, corpus, [_ranks(-0.9 - 0.05 * at)])
        for at, tokenizer in enumerate(tokenizers)
        for corpus in corpora
    ]
    details.append(Details("round_trip", tokenizers[-1], "ja", [
        Table("Characters that are lost", ("character", "times"), [("​", 12), ("ﬀ", 3)]),
    ]))  # fmt: skip
    return Report(
        schema=1,
        kugiri="0.1.0",
        versions={"Python": "3.11.7", "numpy": "2.4.6", "SudachiPy": "0.6.10"},
        command="kugiri measure -t o200k -t cl100k -t gemma3 --corpus ja=ja.txt --html r.html",
        seed=0,
        draws=1_000,
        interval=0.95,
        segmenter="SudachiPy 0.6.10, small dictionary, mode C",
        reference="cl100k",
        reference_language="en" if languages else None,
        tokenizers=[
            MeasuredTokenizer(name, f"{name}_base", "bpe", SIZES[at % 3], "5e" * 32)
            for at, name in enumerate(tokenizers)
        ],
        corpora=[
            *(corpus_of(name, None, 1_200_000 + at) for at, name in enumerate(corpora)),
            *(corpus_of(name, "ja", 90_000) for name in known),
        ],
        metrics=notes,
        values=values,
        comparisons=comparisons,
        averages=[
            Average(name, tokenizer, "corpora", len(corpora), 2.25, 2.5, NAMES[name][1])
            for name in names
            for tokenizer in tokenizers
            if len(corpora) > 1 and NAMES[name][1].endswith("/token")
        ],
        details=details,
        splits=[split_of(corpus, ways, tokenizers) for corpus, ways in SPLITS.items()],
        warnings=["corpus 'code' is 61% Latin and 22% Han by its letters: a mixture"],
    )


SIZES = (200_019, 100_277, 262_145)


def corpus_of(name: str, language: str | None, size: int) -> CorpusSize:
    return CorpusSize(name, language, 12_000, size, size // 2, 2_000, size // 3, "ab" * 32)


SPLITS = {
    "ja": (
        "東京都|に|住む|猫|と|、|京都|に|住む|犬|。|　|仕|組み|を|学|ん|で|みた|。",
        "東京|都|に|住む|猫|と|、|京|都|に|住む|犬|。|　|仕|組|み|を|学|んで|み|た|。",
        "東京都|に|住|む|猫|と|、|京都|に|住|む|犬|。　|仕組み|を|学|んで|みた|。",
    ),
    "en": (
        "The| quick| brown| fox| jumps| over| the| lazy| dog|,| twice|.",
        "The| quick| brown| fox| jumps| over| the| lazy| dog|,| twice|.",
        "The| quick| bro|wn| fox| jump|s| over| the| laz|y| dog|,| twice|.",
    ),
    "code": (
        "def| f|(x|):\n|\t|return| x| +| |1",
        "def| f|(x|):\n|\t|return| x| +| |1",
        "def| f|(|x|):|\n\t|return| x| +| |1",
    ),
}
"""Texts as three tokenizers cut them."""


def _lengths(decay: float) -> Table:
    weights = [length / decay**length for length in range(1, 17)]
    rows: list[tuple[str | int | float | None, ...]] = [
        (str(length), 1_000, 1 / 17, weight / sum(weights))
        for length, weight in enumerate(weights, start=1)
    ]
    columns = ("bytes", "entries", "share of vocabulary", "share of tokens")
    return Table("Lengths of tokens", columns, [*rows, ("over 16", 0, 0.0, 0.0)])


def _ranks(slope: float) -> Table:
    rows: list[tuple[str | int | float | None, ...]] = [
        (rank, max(round(60_000 * rank**slope), 1)) for rank in range(1, 3_000, 3)
    ]
    return Table("Counts by rank", ("rank", "count"), rows)


def split_of(corpus: str, ways: tuple[str, ...], tokenizers: tuple[str, ...]) -> Split:
    """A text that is cut at each |; 猫 is two tokens of bytes for the second tokenizer."""
    tokens: dict[str, list[str]] = {}
    spans: dict[str, list[tuple[int, int]]] = {}
    for at, name in enumerate(tokenizers):
        tokens[name], spans[name], start = [], [], 0
        for piece in ways[at % len(ways)].split("|"):
            shown = ["<e7 8c>", "<ab>"] if piece == "猫" and at == 1 else [visible(piece)]
            tokens[name] += shown
            spans[name] += [(start, start + len(piece))] * len(shown)
            start += len(piece)
    return Split(corpus, ways[0].replace("|", ""), tokens, spans)


def measured() -> Report:
    """A real one, of two tokenizers that were trained on a few lines."""
    trained = {str(size): kugiri.train(LINES, vocab_size=size) for size in (280, 330)}
    corpus = MeasuredCorpus("lines", LINES, Draws(len(LINES), draws=200, seed=0))
    metrics = [BY_NAME["tokens"], BY_NAME["bytes_per_token"]]
    values, comparisons = [], []
    for metric in metrics:
        small, large = (
            metric.values(Observation(name, tok, corpus), corpus.draws)
            for name, tok in trained.items()
        )
        for name, drawn in zip(trained, (small, large), strict=True):
            low, high = np.quantile(drawn[1:], [0.025, 0.975])
            values.append(Value(metric.name, name, "lines", drawn[0], low, high, metric.unit))
        apart = large - small
        low, high = np.quantile(apart[1:], [0.025, 0.975])
        differs = bool(low > 0 or high < 0)
        comparisons.append(Comparison(metric.name, "lines", *trained, apart[0], low, high, differs))
    hand = by_hand()
    known = {field: getattr(hand, field) for field in hand.__struct_fields__}
    notes = [note(metric.name, metric.title, metric.unit, metric.better) for metric in metrics]
    text = LINES[1]
    encodings = {name: tok.encode_with_offsets(text) for name, tok in trained.items()}
    split = Split("lines", text, {name: it.tokens for name, it in encodings.items()},
                  {name: it.covering_spans for name, it in encodings.items()})  # fmt: skip
    size = int(np.sum(corpus.bytes))
    return Report(**{
        **known,
        "tokenizers": [MeasuredTokenizer(it, None, "bpe", int(it), "00" * 32) for it in trained],
        "corpora": [CorpusSize("lines", None, len(LINES), size, 1, 1, 1, "00" * 32)],
        "averages": [],
        "metrics": notes, "values": values, "comparisons": comparisons, "details": [],
        "splits": [split], "warnings": [], "command": None,
    })  # fmt: skip


ARABIC = "مرحبا بالعالم"
HOSTILE = "</script><script>alert('x')</script><img src=x onerror=alert(1)>&amp;\"'\u202e\0<!--"


def hostile() -> Report:
    """Every name, word and text would like to be markup, and one text is a line of a megabyte."""
    names = (f"{HOSTILE}1", f"{HOSTILE}2", "長い名前" * 500)
    report = by_hand(names, corpora=(HOSTILE, "b" * 5_000, "\u2028"), names=FEW)
    evil = {it: HOSTILE for it in ("title", "unit", "definition", "formula", "source", "evidence")}
    notes = [msgspec.structs.replace(note, **evil) for note in report.metrics]
    line = f"{HOSTILE}مرحبا\t\u3000" * 15_000
    pieces = [line[at : at + 3] for at in range(0, len(line), 3)]
    spans = [(at, at + 3) for at in range(0, len(line), 3)]
    splits = [
        Split(HOSTILE, line, {names[0]: pieces, names[1]: [line]},
              {names[0]: spans, names[1]: [(0, len(line))]}),
        Split("", "", {names[0]: []}, {names[0]: []}),
        Split("right", ARABIC, {names[0]: ["مرحبا", " بالعالم"]}, {names[0]: [(0, 5), (5, 13)]}),
    ]  # fmt: skip
    details = Details(
        "tokens", names[0], HOSTILE, [Table(HOSTILE, (HOSTILE, "n"), [(line, 1)] * 500)]
    )
    return msgspec.structs.replace(
        report, metrics=notes, splits=splits, details=[details, *report.details],
        command=HOSTILE, warnings=[HOSTILE, "b" * 300], segmenter=HOSTILE,
        versions={HOSTILE: HOSTILE}, reference=HOSTILE,
    )  # fmt: skip


def empty() -> Report:
    """Nothing was measured."""
    lists = ("tokenizers", "corpora", "metrics", "values", "comparisons", "averages", "details",
             "splits")  # fmt: skip
    nothing: dict[str, Any] = {name: [] for name in lists}
    return msgspec.structs.replace(by_hand(), **nothing, warnings=[], command=None)
