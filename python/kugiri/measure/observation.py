"""An observation: a tokenizer on a corpus, with what the metrics ask of it.

Rule.    Everything is computed when it is first asked for, and once. What concerns the text alone
         is kept with the corpus, for all tokenizers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kugiri.encoding import Batch
from kugiri.measure.draws import Draws, Floats, Integers
from kugiri.measure.ngram import hold_out
from kugiri.measure.places import Places, TextBytes, places_of
from kugiri.measure.vocabulary import Vocabulary, vocabulary_of
from kugiri.measure.words import Boundaries, DistinctWords, boundaries, touched
from kugiri.segmenters import Segments, Words, count_graphemes, segmenter
from kugiri.tokenizer import Tokenizer


@dataclass(frozen=True, eq=False)
class MeasuredCorpus:
    """The documents of one corpus.

    Attributes:
        name: as the report calls it.
        documents: in the order in which they were read.
        draws: of its documents.
        stands_for: how many times its bytes the corpus has that it is a sample of.
        segmenter: what says where words are.
        word_list: words to look at, where some were given.
    """

    name: str
    documents: list[str]
    draws: Draws
    stands_for: float = 1.0
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
    def text(self) -> TextBytes:
        """All documents end to end, in bytes and characters; only for a sample."""
        return TextBytes(self.documents)

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

    @cached_property
    def distinct_words(self) -> DistinctWords:
        """The words of all documents, each once; only for a sample."""
        return DistinctWords(self.documents, self.words)

    @cached_property
    def words_with_case(self) -> list[str]:
        """Of each document its runs of letters that have two cases, with a space between them."""
        characters = sorted(set().union(*self.documents))
        cased = [re.escape(it) for it in characters if it.lower() != it.upper()]
        runs = re.compile(f"[{''.join(cased)}]+") if cased else re.compile("(?!)")
        return [" ".join(runs.findall(text)) for text in self.documents]

    @cached_property
    def held_out(self) -> npt.NDArray[np.bool_]:
        """(documents,): which are kept from the n-gram model that then is asked about them."""
        return hold_out(self.documents)

    @cached_property
    def draws_of_held_out(self) -> Draws:
        """Draws of the documents that are held out."""
        return self.draws.of(self.held_out)


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
        threads: how many encode; the ids are the same.
    """

    name: str
    tokenizer: Tokenizer
    corpus: MeasuredCorpus
    reference: Observation | None = field(default=None, repr=False)
    translation: Observation | None = field(default=None, repr=False)
    threads: int | None = None

    def on(self, corpus: MeasuredCorpus) -> Observation:
        """The same tokenizer on another corpus."""
        return replace(self, corpus=corpus, reference=None, translation=None)

    @cached_property
    def batch(self) -> Batch:
        """The ids of all documents, without special tokens."""
        return self.tokenizer.encode_batch(self.corpus.documents, threads=self.threads)

    @cached_property
    def tokens(self) -> Integers:
        """(documents,): tokens of each."""
        return np.diff(self.batch.offsets)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What the ids stand for."""
        return vocabulary_of(self.tokenizer)

    @cached_property
    def counts(self) -> Integers:
        """(ids,): how often each occurs."""
        return np.bincount(self.batch.ids, minlength=len(self.vocabulary))

    @cached_property
    def decoded(self) -> list[str]:
        """What comes back of each document; only for a sample."""
        return self.tokenizer.decode_batch(self.batch, threads=self.threads)

    @cached_property
    def comes_back(self) -> npt.NDArray[np.bool_]:
        """(documents,): whether each comes back exactly; only for a sample."""
        pairs = zip(self.corpus.documents, self.decoded, strict=True)
        return np.array([text == back for text, back in pairs], np.bool_)

    @cached_property
    def places(self) -> Places:
        """Where each token stands; only for a sample."""
        return places_of(self.tokenizer, self.corpus.text)

    @cached_property
    def tokens_of_words(self) -> Integers:
        """(words,): how many tokens touch each; only for a sample."""
        return touched(self.places, self.corpus.text, self.corpus.words)

    @cached_property
    def boundaries(self) -> Boundaries:
        """Where tokens meet and where words do, and how often both; only for a sample."""
        return boundaries(self.places, self.corpus.text, self.corpus.segments)

    @cached_property
    def alone(self) -> tuple[Integers, Integers]:
        """The ids that only one group of documents has, and the first document of that group."""
        groups = self.corpus.draws.groups
        first, last = self.holders(groups)
        ids = np.flatnonzero((self.counts > 0) & (first == last))
        return ids, np.searchsorted(groups, first[ids])

    def holders(self, of_documents: Integers) -> tuple[Integers, Integers]:
        """(ids,): the least and the greatest number of a document that has it; -1 if none has.

        Args:
            of_documents: (documents,), ascending numbers, of documents or of groups of them.
        """
        ids, held = self.batch.ids, np.repeat(of_documents, self.tokens)
        first = np.full(len(self.vocabulary), -1, np.int64)
        last = first.copy()
        last[ids] = held  # of many, the last one stays
        first[ids[::-1]] = held[::-1]
        return first, last

    def sums(self, of_ids: npt.NDArray[np.generic]) -> Floats:
        """(documents,): the sum, over the tokens of each, of what every id has."""
        return self.sums_of_tokens(of_ids[self.batch.ids])

    def sums_of_tokens(self, of_tokens: npt.NDArray[np.generic]) -> Floats:
        """(documents,): the sum, over the tokens of each, of what each token has."""
        sums = np.zeros(len(self.batch))
        holding = np.flatnonzero(self.tokens)
        if len(holding):
            # A document without tokens would be given the first one behind it.
            starts = self.batch.offsets[holding]
            sums[holding] = np.add.reduceat(of_tokens.astype(np.float64), starts)
        return sums
