"""An observation: a tokenizer on a corpus, with what the metrics ask of it.

Rule.    Everything is computed when it is first asked for, and once. What concerns the text alone
         is kept with the corpus, for all tokenizers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from kugiri.encoding import Batch
from kugiri.measure.draws import Draws, Integers
from kugiri.segmenters import Segments, Words, count_graphemes, segmenter
from kugiri.tokenizer import Tokenizer


@dataclass(frozen=True, eq=False)
class MeasuredCorpus:
    """The documents of one corpus.

    Attributes:
        name: as the report calls it.
        documents: in the order in which they were read.
        draws: of its documents.
        sampled_from: the number of documents that these were drawn from, None if these are all.
        segmenter: what says where words are.
        word_list: words to look at, where some were given.
    """

    name: str
    documents: list[str]
    draws: Draws
    sampled_from: int | None = None
    segmenter: str = "icu"
    word_list: tuple[str, ...] | None = None

    @cached_property
    def bytes(self) -> Integers:
        """(documents,): UTF-8 bytes of each."""
        return np.array([len(text.encode("utf-8")) for text in self.documents], np.int64)

    @cached_property
    def characters(self) -> Integers:
        """(documents,): code points of each."""
        return np.array([len(text) for text in self.documents], np.int64)

    @cached_property
    def graphemes(self) -> Integers:
        """(documents,): grapheme clusters of each."""
        return count_graphemes(self.documents)

    @cached_property
    def segments(self) -> Segments:
        """The words of all documents, and what stands between them."""
        return segmenter(self.segmenter).segments(self.documents)

    @cached_property
    def words(self) -> Words:
        """The words of all documents."""
        return self.segments.words()


@dataclass(frozen=True, eq=False)
class Observation:
    """A tokenizer on a corpus.

    Attributes:
        name: of the tokenizer, as the report calls it.
        tokenizer: it.
        corpus: the text.
        reference: the same corpus under the reference tokenizer, where there is one.
        translation: the same tokenizer on the same text in the reference language, document by
            document, where there is one.
    """

    name: str
    tokenizer: Tokenizer
    corpus: MeasuredCorpus
    reference: Observation | None = field(default=None, repr=False)
    translation: Observation | None = field(default=None, repr=False)

    def on(self, corpus: MeasuredCorpus) -> Observation:
        """The same tokenizer on another corpus."""
        return replace(self, corpus=corpus, reference=None, translation=None)

    @cached_property
    def batch(self) -> Batch:
        """The ids of all documents, without special tokens."""
        return self.tokenizer.encode_batch(self.corpus.documents)

    @cached_property
    def tokens(self) -> Integers:
        """(documents,): tokens of each."""
        return np.diff(self.batch.offsets)

    @cached_property
    def byte_spans(self) -> Integers:
        """(tokens, 2): the bytes of its document that each token touches, as of `batch`."""
        encode = self.tokenizer.encode_with_offsets
        spans = [encode(text).byte_spans for text in self.corpus.documents]
        return np.array([span for row in spans for span in row], np.int64).reshape(-1, 2)
