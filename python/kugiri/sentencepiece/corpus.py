"""The corpus of a SentencePiece training: texts → sentences → normalized words with counts.

Rule.    A sentence is a line of a file, or a text. Left out are those that are longer than
         max_sentence_length, and those that hold U+2585, which stands for left-out characters. What
         is left is normalized, given pieces are cut out, and the rest becomes words
         (reference/train/sentences.py); without split_by_whitespace a sentence is one word.
Cost.    Equal sentences are normalized once, in the core.
Source.  sentencepiece 0.2.3. Which sentences it draws for input_sentence_size is different in each
         process there; here the seed says it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import msgspec
import numpy as np

from kugiri import _core
from kugiri.corpus import Block, Corpus, Reading, Texts, read
from kugiri.errors import CorpusError, TrainingError
from kugiri.inputs import as_text
from kugiri.reference.random_numbers import RandomNumbers
from kugiri.reference.train.valid_pieces import LEFT_OUT
from kugiri.sentencepiece.options import SentencePieceOptions
from kugiri.spec import SentencePieceNormalizer
from kugiri.tables import Tokens
from kugiri.training.word_counts import WordCounts

Sentence = tuple[str, int]
"""A text and how often it stands in the corpus."""


@dataclass
class LeftOut:
    """Sentences that a rule leaves out, and their bytes."""

    sentences: int = 0
    size: int = 0

    def add(self, size: int, count: int) -> None:
        """A sentence of some bytes, as often as it occurs."""
        self.sentences += count
        self.size += size * count


class Sentences:
    """The sentences of a corpus.

    Attributes:
        counts: each with its count, in order of first occurrence.
        too_long, reserved: those that were left out, by reason.
        size: the bytes of all, those left out included.
        replaced: how many invalid UTF-8 sequences were read as U+FFFD.
    """

    def __init__(
        self,
        corpus: Corpus | Mapping[str, int] | WordCounts,
        options: SentencePieceOptions,
        reading: Reading,
        seed: int,
    ) -> None:
        """Read them.

        Raises:
            CorpusError: the corpus cannot be read.
            TrainingError: nothing is left.
        """
        self.too_long, self.reserved, self.size, self.replaced = LeftOut(), LeftOut(), 0, 0
        sentences = self._read(corpus, options.input_format == "tsv", reading)
        kept = self._usable(sentences, options.max_sentence_length)
        size = options.input_sentence_size
        if size:
            shuffle = options.shuffle_input_sentence
            kept = iter(draw(kept, size, seed)) if shuffle else islice(kept, size)
        self.counts: Counter[str] = Counter()
        for text, count in kept:
            self.counts[text] += count
        if not self.counts:
            raise TrainingError(
                "; ".join(["no sentence of the corpus can be used", *self.notes(options)])
                + "; check the paths, or raise max_sentence_length"
            )

    def _read(
        self, corpus: Corpus | Mapping[str, int] | WordCounts, is_tsv: bool, reading: Reading
    ) -> Iterator[Sentence]:
        if isinstance(corpus, Mapping):
            counts = corpus if isinstance(corpus, WordCounts) else WordCounts.from_mapping(corpus)
            self.replaced = counts.replaced
            yield from ((word.decode(), count) for word, count in counts.items())
            return
        for part in read(corpus, reading):
            for text in self._texts(part, reading):
                text = text.rstrip("\r\n")
                if text:
                    yield _counted(text) if is_tsv else (text, 1)

    def _texts(self, part: Block | Texts, reading: Reading) -> list[str]:
        """The texts of a part of the corpus, with their ends."""
        if isinstance(part, Texts):
            self.replaced += part.replaced
            return part.texts
        text, replaced = part.decode(reading.errors)
        self.replaced += replaced
        return [text] if reading.documents == "files" else text.split("\n")

    def _usable(self, sentences: Iterable[Sentence], most: int | None) -> Iterator[Sentence]:
        for text, count in sentences:
            if not text:
                continue
            size = _size(text)
            self.size += size * count
            if most is not None and size > most:
                self.too_long.add(size, count)
            elif LEFT_OUT in text:
                self.reserved.add(size, count)
            else:
                yield text, count

    def notes(self, options: SentencePieceOptions) -> list[str]:
        """What the user should know of what was left out or replaced."""
        rules = {
            f"longer than max_sentence_length={options.max_sentence_length} bytes": self.too_long,
            "with U+2585, which stands for characters left out": self.reserved,
        }
        notes = [
            f"{left_out.sentences:,} sentences {why} were left out: {left_out.size:,} bytes, "
            f"{left_out.size / self.size:.1%} of the text"
            for why, left_out in rules.items()
            if left_out.sentences
        ]
        if self.replaced:
            notes.append(f"{self.replaced:,} invalid UTF-8 sequences were read as U+FFFD")
        return notes


def _size(text: str) -> int:
    """The bytes of a text."""
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        return len(as_text(text, "a text of the corpus").encode())  # which says what is wrong


def _counted(line: str) -> Sentence:
    """A line of input_format="tsv"."""
    text, tab, count = line.partition("\t")
    if not tab or not count.isascii() or not count.isdigit() or not int(count):
        raise CorpusError(
            f"input_format='tsv' is lines of a sentence, a tab and a count from 1; "
            f"{line!r:.80} came"
        )
    return text, int(count)


def draw(sentences: Iterable[Sentence], size: int, seed: int) -> list[Sentence]:
    """Draw some of a row of unknown length, each as likely as any other (Vitter's algorithm R)."""
    numbers = RandomNumbers(seed)
    drawn: list[Sentence] = []
    for index, sentence in enumerate(sentences):
        if index < size:
            drawn.append(sentence)
        elif (place := numbers.next() % (index + 1)) < size:
            drawn[place] = sentence
    return drawn


def count_words(
    sentences: Mapping[str, int],
    normalizer: SentencePieceNormalizer,
    given: Iterable[str],
    options: SentencePieceOptions,
    threads: int | None,
) -> WordCounts:
    """The words of all sentences; without split_by_whitespace, the sentences."""
    is_word = options.model_type == "word"  # this model knows neither of the last two options
    how = {
        "normalizer": normalizer,
        "given": list(given),
        "delimiter": options.pretokenization_delimiter,
        "split": options.split_by_whitespace,
        "as_suffix": options.treat_whitespace_as_suffix and not is_word,
        "together": options.allow_whitespace_only_pieces and not is_word,
    }
    counter = _core.WordCounter.of_sentences(msgspec.json.encode(how), threads)
    times = np.fromiter(sentences.values(), np.uint64, len(sentences))
    counter.feed_counted(list(sentences), times)
    data, offsets, counts = counter.finish()
    return WordCounts(Tokens(data, offsets), counts)
