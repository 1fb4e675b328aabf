"""Counted words: the middle of every training, and a corpus that can be kept.

**corpus → word counts → trainer → spec → format file.** Words stand in order of their first
occurrence, whatever the threads, shards, saving and merging between.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from kugiri import _core, dictionary_batches
from kugiri.corpus import Block, Corpus, Reading, Texts, read
from kugiri.dictionary_batches import AnyCounter
from kugiri.errors import CorpusError, FormatError, OptionError, TrainingError, described
from kugiri.files import write_beside
from kugiri.inputs import as_counts, as_flag, as_path, as_text, as_threads
from kugiri.named_stages import normalizer_of, pre_tokenizer_of
from kugiri.patterns import SCANNED
from kugiri.spec import Normalizer, PreTokenizer, dictionaries_of
from kugiri.tables import Tokens


class WordCounts(Mapping[bytes, int]):
    """Unique words with 64-bit counts.

    Attributes:
        words: the words as bytes, in order of first occurrence.
        counts: uint64, one a word.
        pre_tokenizer: what cut the corpus into them, or None if they came as they are.
        normalizer: what rewrote the corpus before it was cut.
        replaced: how many invalid UTF-8 sequences were read as U+FFFD.

    Example:
        >>> counts = count_words(["low low lower"], pre_tokenizer="whitespace")
        >>> dict(counts)
        {b'low': 2, b'lower': 1}
    """

    def __init__(
        self,
        words: Tokens,
        counts: npt.NDArray[np.uint64],
        pre_tokenizer: PreTokenizer | None = None,
        replaced: int = 0,
        normalizer: Normalizer | None = None,
    ) -> None:
        """Take the columns as they are."""
        self.words = words
        self.counts = counts
        self.pre_tokenizer = pre_tokenizer
        self.replaced = replaced
        self.normalizer = normalizer

    @classmethod
    def from_mapping(cls, counts: Mapping[Any, Any]) -> WordCounts:
        """Take words that are counted already; they are not cut again.

        Raises:
            OptionError: it is no mapping.
            TrainingError: a count is not a whole number from 0 to 2**64 - 1, or a word no str.
            EncodingError: a word has a lone surrogate.
        """
        counts = as_counts(counts)
        kept = {word: count for word, count in counts.items() if count and word}
        try:
            words = Tokens.from_iter(word.encode() for word in kept)
        except UnicodeEncodeError as error:
            as_text(error.object, f"the word {error.object!r}")
            raise
        return cls(words, np.fromiter(kept.values(), np.uint64, len(kept)))

    def __len__(self) -> int:
        """The number of different words."""
        return len(self.words)

    def __iter__(self) -> Iterator[bytes]:
        """The words in order of first occurrence."""
        return iter(self.words)

    def __getitem__(self, word: bytes | str) -> int:
        """The count of one word; a linear search, meant for looking, not for work."""
        wanted = word.encode() if isinstance(word, str) else word
        for index, known in enumerate(self.words):
            if known == wanted:
                return int(self.counts[index])
        raise KeyError(word)

    def items(self) -> Any:
        """Each word with its count."""
        return list(zip(self.words, self.counts.tolist(), strict=True))

    def __repr__(self) -> str:
        """The number of words, different and in all."""
        return f"WordCounts({len(self):,} different words, {sum(self.counts.tolist()):,} in all)"

    def digest(self) -> str:
        """SHA-256 over words, order and counts."""
        sha = hashlib.sha256(self.words.data)
        sha.update(self.words.offsets.tobytes())
        sha.update(np.ascontiguousarray(self.counts, "<u8").tobytes())
        return sha.hexdigest()

    def merge(self, other: WordCounts) -> WordCounts:
        """Return both together: the words of `other` that are new stand after those of `self`.

        Raises:
            OptionError: `other` is something else.
            TrainingError: they were cut by different stages.
        """
        if not isinstance(other, WordCounts):
            raise OptionError(f"merge takes WordCounts; {described(other)} came")
        for stage in ("pre_tokenizer", "normalizer"):
            if getattr(self, stage) != getattr(other, stage):
                raise TrainingError(
                    f"these words were counted with different {stage.replace('_', '-')}s; "
                    "count both anew with one"
                )
        counter = _core.WordCounter(_config(None, None), None)
        for counts in (self, other):
            for word, count in counts.items():
                counter.add_word(word, count)
        data, offsets, merged = counter.finish()
        replaced = self.replaced + other.replaced
        merged_words = Tokens(data, offsets)
        return WordCounts(merged_words, merged, self.pre_tokenizer, replaced, self.normalizer)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a .npz file: words, offsets, counts, and the stages as JSON."""
        about = _About(1, self.pre_tokenizer, self.replaced, self.normalizer)
        with write_beside(path) as file:
            np.savez(
                file,
                words=np.frombuffer(self.words.data, np.uint8),
                offsets=self.words.offsets,
                counts=self.counts,
                about=np.frombuffer(msgspec.json.encode(about), np.uint8),
            )

    @classmethod
    def load(cls, path: str | PathLike[str]) -> WordCounts:
        """Read what `save` wrote.

        Raises:
            FormatError: the file is something else, or damaged.
        """
        path = as_path(path)
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                about = msgspec.json.decode(arrays["about"].tobytes(), type=_About)
                words = Tokens(arrays["words"].tobytes(), arrays["offsets"])
                counts = arrays["counts"]
        except OSError as error:
            raise CorpusError(f"{path}: cannot be read: {error.strerror or error}") from error
        except Exception as error:  # a damaged zip, array or JSON each raise something else
            message = f"not a file of word counts ({error}); make one with WordCounts.save"
            raise FormatError(message, path) from error
        if about.kugiri != 1 or about.replaced < 0 or counts.dtype != np.uint64 or counts.ndim != 1:
            raise FormatError("not what this version of kugiri saves; count the words anew", path)
        if len(words) != len(counts):
            raise FormatError(f"{len(words)} words but {len(counts)} counts", path)
        return cls(words, counts, about.pre_tokenizer, about.replaced, about.normalizer)


class _About(msgspec.Struct):
    kugiri: int
    pre_tokenizer: PreTokenizer | None
    replaced: int
    normalizer: Normalizer | None = None


def count_words(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    *,
    pre_tokenizer: str = "o200k",
    normalizer: str = "none",
    documents: str = "lines",
    field: str | None = None,
    column: str | None = None,
    keep_newlines: bool = False,
    errors: str = "strict",
    threads: int | None = None,
) -> WordCounts:
    """Count the words of a corpus.

    Args:
        corpus: paths, texts, a mapping word → count, or WordCounts (returned as they are).
        pre_tokenizer: "none", "whitespace", "bert", "scripts", a name in patterns.PATTERNS or in
            dictionaries.DICTIONARIES, or a regex.
        normalizer: "none", "nfc", "nfkc", "bert", or "bert-cased": what rewrites texts before.
        documents: in files of text, "lines" (blank ones skipped) or "files" are documents.
        field: which field of a JSON record is its text (None: "text").
        column: which column of a table is the text (None: "text", or the only one).
        keep_newlines: leave line ends in the text, and blank lines, as HF tokenizers does.
        errors: "strict", or "replace" to read invalid UTF-8 as U+FFFD.
        threads: how many to use (None: all). The result is the same.

    Raises:
        CorpusError: the corpus cannot be read.
        OptionError: an option has no such value.
    """
    if isinstance(corpus, WordCounts):
        return corpus
    if isinstance(corpus, Mapping):
        return WordCounts.from_mapping(corpus)
    reading = Reading(documents=documents, field=field, column=column, errors=errors)
    keep_newlines = as_flag("keep_newlines", keep_newlines)
    cutter, rewriter = pre_tokenizer_of(pre_tokenizer), normalizer_of(normalizer)
    counter = counter_of(cutter, rewriter, threads)
    replaced = 0
    for part in read(corpus, reading):
        if isinstance(part, Texts):
            counter.feed_texts(part.texts)
            replaced += part.replaced
        elif documents == "files":
            text, count = part.decode(errors)
            counter.feed_texts([text])
            replaced += count
        else:
            replaced += _feed_lines(counter, part, keep_newlines, errors == "replace")
    data, offsets, counts = counter.finish()
    return WordCounts(Tokens(data, offsets), counts, cutter, replaced, rewriter)


def _feed_lines(counter: AnyCounter, block: Block, keep: bool, replace: bool) -> int:
    bad_byte, replaced = counter.feed_lines(block.data, keep, replace)
    if bad_byte >= 0:
        raise block.bad_byte(bad_byte)
    return replaced


def counter_of(
    pre_tokenizer: PreTokenizer | None, normalizer: Normalizer | None, threads: int | None = None
) -> AnyCounter:
    """What counts words; a regex that cannot be run is an OptionError."""
    is_core = not dictionaries_of(pre_tokenizer)
    kind = _core.WordCounter if is_core else dictionary_batches.WordCounter
    return kind(_config(pre_tokenizer, normalizer), as_threads(threads))


def _config(pre_tokenizer: PreTokenizer | None, normalizer: Normalizer | None) -> bytes:
    stages = {"pre_tokenizer": pre_tokenizer, "normalizer": normalizer}
    return msgspec.json.encode({"spec": stages, "scanned": SCANNED})
