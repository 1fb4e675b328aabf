"""Training a SentencePiece tokenizer: corpus → sentences → words and alphabet → pieces → spec.

Rule.    The corpus becomes sentences and words (corpus.py), a trainer learns pieces
         from them (learn.py), and these stand between the pieces that are given
         (pieces.py). The spec is what reading the finished .model gives.
Cost.    That of normalizing and of the trainer.
Source.  sentencepiece 0.2.3.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import msgspec

from kugiri._version import __version__
from kugiri.corpus import Corpus, Reading
from kugiri.errors import OptionError, TrainingError, VocabularyError
from kugiri.formats import sentencepiece
from kugiri.formats.sentencepiece_document import Document, Spelling, write_document
from kugiri.formats.sentencepiece_pieces import Piece, Pieces
from kugiri.inputs import as_threads
from kugiri.reference.train.sentences import choose_alphabet
from kugiri.reference.train.valid_pieces import CUT, LEFT_OUT
from kugiri.sentencepiece.asked import lines_of, read_sentencepiece_options
from kugiri.sentencepiece.corpus import Sentences, count_words
from kugiri.sentencepiece.learn import Prepared, learn
from kugiri.sentencepiece.normalize import denormalizer_of, normalizer_of
from kugiri.sentencepiece.options import USUAL_LENGTH, SentencePieceOptions
from kugiri.sentencepiece.pieces import Given, given_pieces, too_small, vocabulary
from kugiri.spec import SentencePieceNormalizer, SentencePieceTrainer, TokenizerSpec
from kugiri.tokenizer import Tokenizer
from kugiri.training.character_counts import count_characters
from kugiri.training.word_counts import WordCounts


@dataclass(frozen=True)
class Run:
    """One call: what was asked, and what the corpus became.

    Attributes:
        options, reading: what was asked.
        given: the pieces that are given, by id.
        normalizer, denormalizer: of the tokenizer that is to be.
        sentences: of the corpus.
        prepared: what the trainer is given of them.
    """

    options: SentencePieceOptions
    reading: Reading
    given: Mapping[int, Given]
    normalizer: SentencePieceNormalizer
    denormalizer: SentencePieceNormalizer | None
    sentences: Sentences
    prepared: Prepared


def train_sentencepiece(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    asked: Mapping[str, Any],
    *,
    preset: str | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Tokenizer:
    """Train by the options of spm_train; `kugiri.train` calls this.

    Args:
        corpus: as for `kugiri.train`; counted texts are normalized and cut like any other.
        asked: the options by name, those of `Reading` among them.
        preset: where some of them come from, for the record.
        seed: for input_sentence_size.
        threads: how many to use (None: num_threads, or all).

    Raises:
        OptionError: an option is unknown or refused, or its value not allowed.
        TrainingError: nothing is left of the corpus.
        VocabularyError: vocab_size is too small or too large.
    """
    started = time.perf_counter()
    run = begin(corpus, asked, seed=seed, threads=threads)
    if reason := too_small(run.given, run.prepared.alphabet, run.options):
        raise VocabularyError(reason)
    learned = learn(run.prepared)
    spec = _spec(vocabulary(run.given, learned.pieces, run.options), run)
    record = {
        "kugiri": __version__,
        "model": run.options.model_type,
        "preset": preset,
        # What does not change the result is not recorded.
        "options": {**asdict(replace(run.options, num_threads=None)), **asdict(run.reading)},
        "sentences": sum(run.sentences.counts.values()),
        "words": len(run.prepared.words),
        "corpus_digest": run.prepared.words.digest(),
        "alphabet": len(run.prepared.alphabet),
        "warnings": notes(run),
        **learned.about,
    }
    # Through JSON once, so that the record is the same before saving and after loading.
    record = msgspec.json.decode(msgspec.json.encode(record))
    spec = msgspec.structs.replace(spec, training=record)
    return Tokenizer(spec, time.perf_counter() - started, learned.seconds)


def begin(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    asked: Mapping[str, Any],
    *,
    seed: int = 0,
    threads: int | None = None,
) -> Run:
    """Read the options and the corpus, and prepare what a trainer needs.

    Raises:
        OptionError: an option is unknown or refused, or its value not allowed.
        TrainingError: nothing is left of the corpus.
    """
    of_reading = {field.name for field in fields(Reading)}
    reading = Reading(**{name: value for name, value in asked.items() if name in of_reading})
    rest = {name: value for name, value in asked.items() if name not in of_reading}
    options = with_files(read_sentencepiece_options(rest))
    threads = as_threads(options.num_threads if threads is None else threads)
    given = given_pieces(options)
    for piece in given.values():
        if piece.text in set(options.required_chars):
            raise OptionError(
                f"{piece.text!r} is in required_chars and is given as a symbol too; it can be one "
                f"piece only: leave it out of one of them"
            )
    normalizer = normalizer_of(options)
    denormalizer = denormalizer_of(options)
    sentences = Sentences(corpus, options, reading, seed)
    prepared = _prepare(sentences, normalizer, given, options, threads)
    return Run(options, reading, given, normalizer, denormalizer, sentences, prepared)


def _prepare(
    sentences: Sentences,
    normalizer: SentencePieceNormalizer,
    given: Mapping[int, Given],
    options: SentencePieceOptions,
    threads: int | None,
) -> Prepared:
    """Normalize and cut the sentences, and choose the alphabet."""
    texts = [piece.text for piece in given.values()]
    words = count_words(sentences.counts, normalizer, texts, options, threads)
    if not len(words):
        raise TrainingError("nothing is left of the corpus when it is normalized; check its text")
    characters = count_characters(words)
    alphabet = {}
    if not options.auto_character_coverage:
        alphabet = choose_alphabet(
            characters, options.character_coverage, options.required_chars, options.use_all_vocab
        )
    room = max(options.vocab_size - len(given), 0)
    return Prepared(options, words, characters, alphabet, room, threads)


def notes(run: Run) -> list[str]:
    """What the user should know of the sentences and characters that were left out."""
    return [*run.sentences.notes(run.options), *_of_characters(run.prepared)]


def _of_characters(prepared: Prepared) -> Iterator[str]:
    """What the user should know of characters that became unknown."""
    options = prepared.options
    if options.byte_fallback:
        return
    counts = prepared.characters
    left_out = [it for it in counts if it not in prepared.alphabet and it != CUT]
    if left_out:
        yield (
            f"character_coverage={options.character_coverage} left out {len(left_out):,} different "
            f"characters, {sum(counts[it] for it in left_out):,} occurrences in all: they are "
            f"{options.unk_piece}; byte_fallback=True would keep them"
        )


def with_files(options: SentencePieceOptions) -> SentencePieceOptions:
    """The options, with what the files say that some of them name.

    Raises:
        OptionError: a file cannot be read, or a required character is one that no text has.
    """
    changes: dict[str, Any] = {}
    for name in ("control_symbols", "user_defined_symbols"):
        if path := getattr(options, f"{name}_file"):
            changes[name] = (*getattr(options, name), *lines_of(f"{name}_file", path))
    if path := options.required_chars_file:
        lines = lines_of("required_chars_file", path)
        changes["required_chars"] = options.required_chars + "".join(lines)
    options = replace(options, **changes)
    for character in (LEFT_OUT, " "):
        if character in options.required_chars:
            raise OptionError(
                f"required_chars has {character!r}, which normalized text never has; leave it out"
            )
    return options


# ── the .model ────────────────────────────────────────────────────────────────────────────────
_NOT_KEPT = {
    "normalization_rule_name", "normalization_rule_tsv", "denormalization_rule_tsv",
    "add_dummy_prefix", "remove_extra_whitespaces", "escape_whitespaces", "num_threads",
    "control_symbols_file", "user_defined_symbols_file", "required_chars_file",
    "train_extremely_large_corpus", "max_sentence_length",
}  # fmt: skip
"""The options that a trainer_spec has no field for."""


ANY_LENGTH = 2**30
"""What a trainer_spec says where lines of any length are used: the most that it can say."""


def _spec(rows: list[Piece], run: Run) -> TokenizerSpec:
    """The spec of a .model that spells out what is not as usual, as sentencepiece writes it."""
    options = run.options
    asked = {
        field.name: getattr(options, field.name)
        for field in fields(options)
        if field.name not in _NOT_KEPT and getattr(options, field.name) != field.default
    }
    if options.max_sentence_length != USUAL_LENGTH:
        asked["max_sentence_length"] = options.max_sentence_length or ANY_LENGTH
    asked |= {"model_type": options.model_type, "vocab_size": len(rows)}
    document = Document(
        Pieces(rows),
        SentencePieceTrainer(asked),
        run.normalizer,
        run.denormalizer,
        (),
        Spelling(normalizer=("name", "charsmap")),
    )
    return sentencepiece.read(write_document(document))
