"""The corpus of a SentencePiece training: texts → sentences → normalized words with counts.

Rule.    A sentence is a line of a file, or a text. Left out are those that are longer than
         max_sentence_length, and those that hold U+2585, which stands for left-out characters. What
         is left is normalized, given pieces are cut out, and the rest becomes words
         (reference/train/sentences.py); without split_by_whitespace a sentence is one word.
Cost.    Equal sentences are normalized once.
Source.  sentencepiece 0.2.3. Which sentences it draws for input_sentence_size is different in each
         process there; here the seed says it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from kugiri.corpus import Block, Corpus, Reading, Texts, read
from kugiri.errors import CorpusError, TrainingError
from kugiri.reference.random_numbers import RandomNumbers
from kugiri.reference.train.sentences import cut_out, given_pieces, word_pattern
from kugiri.reference.train.valid_pieces import CUT, LEFT_OUT
from kugiri.sentencepiece.options import SentencePieceOptions
from kugiri.word_counts import WordCounts

Sentence = tuple[str, int]
"""A text and how often it stands in the corpus."""


@dataclass
class LeftOut:
    """Sentences that a rule leaves out, and their bytes."""

    sentences: int = 0
    size: int = 0

    def add(self, size: int) -> None:
        """One more."""
        self.sentences += 1
        self.size += size


class Sentences:
    """The sentences of a corpus.

    Attributes:
        counts: each with its count, in order of first occurrence.
        too_long, reserved: those that were left out, by reason.
        size: the bytes of all, those left out included.
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
        self.too_long, self.reserved, self.size = LeftOut(), LeftOut(), 0
        kept = self._usable(_read(corpus, options, reading), options.max_sentence_length)
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

    def _usable(self, sentences: Iterable[Sentence], most: int | None) -> Iterator[Sentence]:
        for text, count in sentences:
            if not text:
                continue
            size = len(text.encode())
            self.size += size
            if most is not None and size > most:
                self.too_long.add(size)
            elif LEFT_OUT in text:
                self.reserved.add(size)
            else:
                yield text, count

    def notes(self, options: SentencePieceOptions) -> list[str]:
        """What the user should know of sentences that were left out."""
        rules = {
            f"longer than max_sentence_length={options.max_sentence_length} bytes": self.too_long,
            "with U+2585, which stands for characters left out": self.reserved,
        }
        return [
            f"{left_out.sentences:,} sentences {why} were left out: {left_out.size:,} bytes, "
            f"{left_out.size / self.size:.1%} of the text"
            for why, left_out in rules.items()
            if left_out.sentences
        ]


def _read(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    options: SentencePieceOptions,
    reading: Reading,
) -> Iterator[Sentence]:
    if isinstance(corpus, Mapping):
        counts = corpus if isinstance(corpus, WordCounts) else WordCounts.from_mapping(corpus)
        return ((word.decode(), count) for word, count in counts.items())
    parts = read(corpus, reading)
    texts = (text.rstrip("\r\n") for part in parts for text in _texts(part, reading))
    if options.input_format == "tsv":
        return (_counted(text) for text in texts if text)
    return ((text, 1) for text in texts)


def _texts(part: Block | Texts, reading: Reading) -> list[str]:
    return part.texts if isinstance(part, Texts) else part.lines(reading.errors)


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


def normalized_words(
    sentences: Mapping[str, int],
    normalize: Callable[[str], str],
    given: Iterable[str],
    options: SentencePieceOptions,
) -> Counter[str]:
    """The words of all sentences with their counts; without split_by_whitespace, the sentences."""
    pattern = given_pieces(given)
    delimiter = options.pretokenization_delimiter
    # Words as a model cut them: those of "word" know neither of the two options.
    is_word = options.model_type == "word"
    split = word_pattern(
        options.treat_whitespace_as_suffix and not is_word,
        options.allow_whitespace_only_pieces and not is_word,
    )

    def cut(text: str) -> list[str]:
        sentence = cut_out(normalize(text), pattern)
        if delimiter:
            sentence = sentence.replace(delimiter, CUT)
        return split.findall(sentence) if options.split_by_whitespace else [sentence]

    once = (text for text, count in sentences.items() if count == 1)
    words = Counter(word for text in once for word in cut(text))  # most; counted in C
    for text, count in sentences.items():
        for word in cut(text) if count > 1 else ():
            words[word] += count
    del words[""]
    return words
