"""The report: every value with its interval, what differs between tokenizers, and the notes.

`Report.to_json` is what docs/schemas/measure.json describes.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Literal

import msgspec

from kugiri.errors import OptionError, choose
from kugiri.lazy import imported, lazy_module
from kugiri.measure.metric import Table

if TYPE_CHECKING:
    from kugiri.measure import table as tables
else:
    tables = lazy_module("kugiri.measure.table")


class Value(msgspec.Struct, frozen=True):
    """What a metric says of a tokenizer on a corpus.

    Attributes:
        metric: its name.
        tokenizer: its name in the report.
        corpus: its name in the report; None for a metric of the vocabulary alone, or of all
            languages at once.
        value: None where it is not defined, as a share of nothing.
        low, high: the interval of 95 %; None where there is nothing to draw from.
        unit: of the value.
    """

    metric: str
    tokenizer: str
    corpus: str | None
    value: float | None
    low: float | None
    high: float | None
    unit: str


class Comparison(msgspec.Struct, frozen=True):
    """How far two tokenizers are apart, document by document.

    Attributes:
        metric, corpus: as in `Value`.
        first, second: the two tokenizers.
        difference: the value of the second less that of the first.
        low, high: the interval of 95 % of the difference.
        differs: whether the interval leaves zero out, on the side of the difference; else this is
            within the noise.
    """

    metric: str
    corpus: str | None
    first: str
    second: str
    difference: float
    low: float
    high: float
    differs: bool


class Average(msgspec.Struct, frozen=True):
    """What a metric says of a tokenizer on several corpora.

    Attributes:
        metric, tokenizer, unit: as in `Value`.
        over: "corpora", or "languages" of aligned texts.
        count: how many of them; those on which every tokenizer has a value.
        macro: the mean of their values, each of them the same.
        micro: the value of all their text as one.
    """

    metric: str
    tokenizer: str
    over: str
    count: int
    macro: float
    micro: float
    unit: str


class Details(msgspec.Struct, frozen=True):
    """The tables behind a value."""

    metric: str
    tokenizer: str
    corpus: str | None
    tables: list[Table]


class MeasuredTokenizer(msgspec.Struct, frozen=True):
    """What a tokenizer is.

    Attributes:
        name: in the report.
        source: the file or name it was loaded from, None for an object.
        model: its kind.
        vocab_size: the highest id + 1.
        digest: SHA-256 of its description.
    """

    name: str
    source: str | None
    model: str
    vocab_size: int
    digest: str


class CorpusSize(msgspec.Struct, frozen=True):
    """What a corpus is.

    Attributes:
        name: in the report.
        language: its code, where it is one of aligned texts.
        documents, bytes, characters: how much it is.
        sampled_documents, sampled_bytes: how much of it stands for the whole where a metric is
            sampled.
        digest: SHA-256 of its documents.
    """

    name: str
    language: str | None
    documents: int
    bytes: int
    characters: int
    sampled_documents: int
    sampled_bytes: int
    digest: str


class Note(msgspec.Struct, frozen=True):
    """What a metric is, for who reads the report."""

    name: str
    title: str
    unit: str
    better: str | None
    over: str
    sampled: bool
    repeats: bool
    definition: str
    formula: str
    source: str
    misleads: str
    evidence: str


class Split(msgspec.Struct, frozen=True):
    """One text as each tokenizer cuts it.

    Attributes:
        corpus: where the text is from.
        text: the beginning of a document.
        tokens: for each tokenizer its tokens, as they are shown.
        spans: for each tokenizer the characters that each token covers.
    """

    corpus: str
    text: str
    tokens: dict[str, list[str]]
    spans: dict[str, list[tuple[int, int]]]


class Loss(msgspec.Struct, frozen=True):
    """What of a text a tokenizer does not give back, where there is something.

    Attributes:
        tokenizer, corpus: their names in the report.
        documents: so many were looked at: the sample.
        changed: so many of them do not come back as they were, be it by normalization alone.
        characters: the share of characters that are lost: that have no token, or are white space
            that does not come back.
        white_space: that of lost white space alone.
        others: the share of characters that come back as others, as a capital as a small letter, or
            a tab as a space.
        bytes: the share of bytes that are lost, or of characters that come back as others.
        tokens: these bytes to tokens: by what share it would need more tokens if each of them were
            one.
        other_bytes: the share of bytes of characters that come back as others.
        words: the share of words of the text that do not come back by themselves; null where no
            metric looks at words.
        different_words: the same of different words, or of the list that was given.
    """

    tokenizer: str
    corpus: str
    documents: int
    changed: int
    characters: float
    white_space: float
    others: float
    bytes: float
    tokens: float
    other_bytes: float = 0.0
    words: float | None = None
    different_words: float | None = None


class Report(msgspec.Struct, frozen=True):
    """Everything that was measured.

    Attributes:
        schema: the version of this structure.
        kugiri: the version of the package.
        versions: of what else took part: Python and numpy.
        command: as it was typed, None from Python.
        seed, draws, interval: of the intervals.
        segmenter: what says where words are, with its versions.
        reference, reference_language: what ratios compare with.
        tokenizers, corpora, metrics, values, comparisons, averages, details, splits: the rest.
        warnings: what a reader must know before comparing.
        documents: what a document of a file of text was: "lines", without their ends and without
            blank ones, or whole "files".
        losses: of each tokenizer on each corpus that does not come back exactly.
    """

    schema: Literal[1]
    kugiri: str
    versions: dict[str, str]
    command: str | None
    seed: int
    draws: int
    interval: float
    segmenter: str
    reference: str | None
    reference_language: str | None
    tokenizers: list[MeasuredTokenizer]
    corpora: list[CorpusSize]
    metrics: list[Note]
    values: list[Value]
    comparisons: list[Comparison]
    averages: list[Average]
    details: list[Details]
    splits: list[Split]
    warnings: list[str]
    documents: str = "lines"
    losses: list[Loss] = []

    def value(self, metric: str, tokenizer: str, corpus: str | None = None) -> Value:
        """One of the values.

        Raises:
            OptionError: there is no such metric, tokenizer or corpus, or not that metric of it.
        """
        choose("metric", metric, [note.name for note in self.metrics])
        choose("tokenizer", tokenizer, [each.name for each in self.tokenizers])
        if corpus is not None:
            choose("corpus", corpus, [each.name for each in self.corpora])
        for value in self.values:
            if (value.metric, value.tokenizer, value.corpus) == (metric, tokenizer, corpus):
                return value
        have = sorted({it.corpus or "all at once" for it in self.values if it.metric == metric})
        asked = "all at once" if corpus is None else f"corpus {corpus!r}"
        raise OptionError(f"{metric} has no value for {asked}; it has for: {', '.join(have)}")

    def to_json(self) -> bytes:
        """The report as JSON, UTF-8."""
        return msgspec.json.encode(self)

    def to_csv(self) -> str:
        """The values as CSV, one a row; what is not defined is empty."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(Value.__struct_fields__)
        writer.writerows(map(msgspec.structs.astuple, self.values))
        return out.getvalue()

    def to_html(self) -> str:
        """The report as one page that needs nothing else."""
        page: str = imported("kugiri.measure.html").page(self)
        return page

    def table(self, width: int = 100) -> str:
        """The values as tables of text, no wider than `width` columns where that is possible."""
        return tables.plain(self, width)
