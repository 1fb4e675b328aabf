"""measure(): what tokenizers do to texts, as a report.

Rule.    What can be told wrong by its name is refused before anything is read (wanted.py). All that
         is drawn is drawn by the seed, for all tokenizers alike.
Cost.    One reading of each corpus, one encoding of it a tokenizer.
"""

from __future__ import annotations

import platform
import warnings
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Final

import numpy as np

from kugiri._version import __version__
from kugiri.corpus import Corpus, Reading, read_documents
from kugiri.errors import CorpusError, KugiriWarning, OptionError
from kugiri.inputs import as_string, as_texts, as_threads, as_whole
from kugiri.measure.averages import averages
from kugiri.measure.compare import INTERVAL, comparisons, value_of
from kugiri.measure.corpora import (
    Choices,
    check_texts,
    languages_of,
    read_corpora,
    read_parallel,
)
from kugiri.measure.metric import Metric
from kugiri.measure.metrics import BY_NAME
from kugiri.measure.named import Named, named_corpora, named_tokenizer, named_tokenizers
from kugiri.measure.notes import notes, of_reference
from kugiri.measure.observe import Observed
from kugiri.measure.price import is_marked
from kugiri.measure.report import Comparison, MeasuredTokenizer, Note, Report, Value
from kugiri.measure.splits import splits_of
from kugiri.measure.wanted import Given
from kugiri.measure.wanted import reference_language as find_language
from kugiri.segmenters import segmenter as find_segmenter
from kugiri.tokenizer import Tokenizer

SCHEMA: Final = 1
DRAWS = 1_000
ALLOWED_DRAWS = range(40, 10_001)
"""Of fewer, 2.5 % are not one; more take memory and time, and move no digit that counts."""

SAMPLE = 2_000_000
"""Bytes of the sample that stands for a corpus where a metric needs more time than others."""


def measure(
    tokenizers: Tokenizer | str | PathLike[str] | Sequence[Any] | Mapping[str, Any],
    corpora: Corpus | Mapping[str, Corpus] | None = None,
    *,
    parallel: str | PathLike[str] | Mapping[str, Corpus] | None = None,
    reference: Tokenizer | str | PathLike[str] | None = None,
    reference_language: str | None = None,
    metrics: Sequence[str] | None = None,
    segmenter: str = "icu",
    word_list: Corpus | None = None,
    seed: int = 0,
    draws: int = DRAWS,
    sample: int = SAMPLE,
    threads: int | None = None,
    documents: str = "lines",
    field: str | None = None,
    column: str | None = None,
    errors: str = "strict",
    tell: Callable[[str], None] | None = None,
) -> Report:
    """Measure what tokenizers do to texts.

    Args:
        tokenizers: name → tokenizer or what `load` takes, or several of these without names.
        corpora: name → what `train` takes as paths or texts.
        parallel: aligned texts: a folder with a file a language, called by its code (ja.txt,
            en.txt), or language → paths or texts. Line n says the same in all.
        reference: what a ratio of tokenizers compares with: one of the names, or a tokenizer.
        reference_language: what a ratio of languages compares with (None: "en" where it is there).
        metrics: their names (None: all that these corpora allow).
        segmenter: what says where words are.
        word_list: words, one a line, for the metrics that look at single words.
        seed: of intervals and samples.
        draws: how many an interval is from, 40 to 10,000; 0 for none.
        sample: the bytes of a sample, where a metric looks at one.
        threads: how many encode (None: all). The result is the same.
        documents: in files of text, "lines" without their ends, or whole "files" are documents;
            only with these are line ends measured.
        field: the text of a JSON record.
        column: the text of the row of a table.
        errors: "strict", or "replace" to read invalid UTF-8 as U+FFFD.
        tell: is called with a few words at each step.

    Raises:
        OptionError: a name is unknown, or a metric that was asked for lacks what it needs.
        CorpusError: a corpus cannot be read, is empty, or aligned texts are not; so for words.
        EncodingError: a tokenizer cannot encode a text.

    Example:
        >>> import kugiri
        >>> tok = kugiri.train(["low lower lowest"] * 9, vocab_size=258)
        >>> found = measure({"small": tok}, {"en": ["lowest of all", "slow"]}, metrics=["tokens"])
        >>> found.value("tokens", "small", "en").value
        13.0
    """
    tell = tell or (lambda words: None)
    threads = as_threads(threads)
    words = find_segmenter(as_string("segmenter", segmenter))
    choices = Choices(
        reading=Reading(documents=documents, field=field, column=column, errors=errors),
        seed=as_whole("seed", seed),
        draws=as_draws(draws),
        sample=as_whole("sample", sample, 1),
        segmenter=words.name,
        word_list=None if word_list is None else _words(word_list),
    )
    if corpora is None and parallel is None:
        raise OptionError("there is no text to measure with; give corpora= or parallel=")
    sources = named_corpora(corpora)
    languages = {} if parallel is None else languages_of(parallel)
    language = find_language(reference_language, [*languages])
    given = Given([*sources], [*languages], language, has_reference=reference is not None)
    measured = given.places(None if metrics is None else as_texts(metrics, "metrics"))
    named = named_tokenizers(tokenizers)
    base = None if reference is None else _reference(reference, named)
    tell("reading …")
    texts = read_corpora(sources, choices)
    aligned = [] if parallel is None else read_parallel(languages, choices)
    seen = Observed(
        texts=[*texts, *aligned],
        language=language,
        reference=base,
        metrics=[BY_NAME[name] for name in measured],
        nothing=choices.corpus("", [], choices.drawn(0)),
        threads=threads,
    )
    for each in named:
        seen.add(each, tell)
    return _report(named, seen, choices, words.description)


def as_draws(draws: Any) -> int:
    """How many draws an interval is from.

    Raises:
        OptionError: it is not 0, and not in ALLOWED_DRAWS.
    """
    number = as_whole("draws", draws)
    if number and number not in ALLOWED_DRAWS:
        raise OptionError(
            f"draws is {number:,}; an interval is from {ALLOWED_DRAWS[0]} to "
            f"{ALLOWED_DRAWS[-1]:,} draws, and 0 is for no intervals"
        )
    return number


def _words(word_list: Corpus) -> tuple[str, ...]:
    words = [document.text.strip() for document in read_documents(word_list)]
    check_texts("word_list, word", words)
    found = tuple(dict.fromkeys(word for word in words if word))
    if not found:
        raise CorpusError("word_list has no word in it; give words, one a line")
    return found


def _reference(reference: Any, named: Sequence[Named]) -> Named:
    """The reference tokenizer: one of those that are measured, or another."""
    for each in named:
        if reference in (each.name, each.source) or reference is each.tokenizer:
            return each
    return named_tokenizer(reference)


def _report(named: Sequence[Named], seen: Observed, choices: Choices, words: str) -> Report:
    values: list[Value] = []
    compared: list[Comparison] = []
    for (name, corpus), drawn in seen.drawn.items():
        metric = BY_NAME[name]
        values += [value_of(metric, each, corpus, its) for each, its in drawn.items()]
        compared += comparisons(metric, corpus, drawn)
    plain: dict[tuple[str, str | None], dict[str, float | None]] = {}
    for value in values:
        plain.setdefault((value.metric, value.corpus), {})[value.tokenizer] = value.value
    order = [metric.name for metric in seen.metrics]
    said = notes(seen.texts, seen.losses, seen.language)
    if "normalized_sequence_length" in order:
        said += map(of_reference, filter(is_marked, seen.losses_of_reference()))
    for note in said:
        warnings.warn(note, KugiriWarning, stacklevel=3)
    return Report(
        schema=SCHEMA,
        kugiri=__version__,
        versions={"python": platform.python_version(), "numpy": np.__version__},
        command=None,
        seed=choices.seed,
        draws=choices.draws,
        interval=INTERVAL,
        segmenter=words,
        reference=seen.reference and seen.reference.name,
        reference_language=seen.language,
        tokenizers=[_described(each) for each in named],
        corpora=[text.size() for text in seen.texts],
        metrics=[_note(metric) for metric in seen.metrics],
        values=values,
        comparisons=compared,
        averages=[*averages(seen.metrics, seen.texts, plain, seen.weights)],
        details=sorted(seen.details, key=lambda it: order.index(it.metric)),
        splits=splits_of(seen.texts, named, choices.seed),
        warnings=said,
        documents=choices.reading.documents,
        losses=seen.losses,
    )


def _described(named: Named) -> MeasuredTokenizer:
    tokenizer = named.tokenizer
    return MeasuredTokenizer(
        name=named.name,
        source=named.source,
        model=type(tokenizer.spec.model).__name__,
        vocab_size=tokenizer.vocab_size,
        digest=tokenizer.digest,
    )


def _note(metric: Metric) -> Note:
    return Note(**{name: getattr(metric, name) for name in Note.__struct_fields__})
