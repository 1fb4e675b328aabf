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
from dataclasses import asdict, fields, replace
from typing import Any

import msgspec

from kugiri._version import __version__
from kugiri.corpus import Corpus, Reading
from kugiri.errors import OptionError, TrainingError
from kugiri.formats import sentencepiece
from kugiri.formats.sentencepiece_document import Document, Spelling, write_document
from kugiri.formats.sentencepiece_pieces import Piece, Pieces
from kugiri.inputs import as_threads
from kugiri.reference.train.sentences import choose_alphabet, count_characters
from kugiri.reference.train.valid_pieces import CUT, LEFT_OUT
from kugiri.sentencepiece.corpus import Sentences, normalized_words
from kugiri.sentencepiece.learn import Prepared, learn
from kugiri.sentencepiece.normalize import denormalizer_of, normalizer_of, quick_normalizer
from kugiri.sentencepiece.options import (
    SentencePieceOptions,
    lines_of,
    read_sentencepiece_options,
)
from kugiri.sentencepiece.pieces import Given, check_room, given_pieces, vocabulary
from kugiri.spec import SentencePieceNormalizer, SentencePieceTrainer, TokenizerSpec
from kugiri.tokenizer import Tokenizer
from kugiri.word_counts import WordCounts


def train_sentencepiece(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    given: Mapping[str, Any],
    *,
    preset: str | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Tokenizer:
    """Train by the options of spm_train; `kugiri.train` calls this.

    Args:
        corpus: as for `kugiri.train`; counted texts are normalized and cut like any other.
        given: the options by name, those of `Reading` among them.
        preset: where some of them come from, for the record.
        seed: for input_sentence_size.
        threads: how many to use (None: num_threads, or all).

    Raises:
        OptionError: an option is unknown or refused, or its value not allowed.
        TrainingError: nothing is left of the corpus.
        VocabularyError: vocab_size is too small or too large.
    """
    started = time.perf_counter()
    of_reading = {field.name for field in fields(Reading)}
    reading = Reading(**{name: value for name, value in given.items() if name in of_reading})
    given = {name: value for name, value in given.items() if name not in of_reading}
    options = with_files(read_sentencepiece_options(given))
    pieces = given_pieces(options)
    normalizer, rules = normalizer_of(options)
    denormalizer = denormalizer_of(options)
    sentences = Sentences(corpus, options, reading, seed)
    prepared = prepare(
        sentences, normalizer, rules, pieces, options, as_threads(threads or options.num_threads)
    )
    check_room(pieces, prepared.alphabet, options)
    learned = learn(prepared)
    rows = vocabulary(pieces, learned.pieces, options)
    spec = _spec(rows, given, options, normalizer, denormalizer)
    record = {
        "kugiri": __version__,
        "model": options.model_type,
        "preset": preset,
        "options": {**asdict(options), **asdict(reading)},
        "sentences": sum(sentences.counts.values()),
        "words": len(prepared.words),
        "corpus_digest": prepared.words.digest(),
        "alphabet": len(prepared.alphabet),
        "warnings": [*sentences.notes(options), *_notes(prepared)],
        **learned.about,
    }
    # Through JSON once, so that the record is the same before saving and after loading.
    record = msgspec.json.decode(msgspec.json.encode(record))
    spec = msgspec.structs.replace(spec, training=record)
    return Tokenizer(spec, seconds=time.perf_counter() - started)


def prepare(
    sentences: Sentences,
    normalizer: SentencePieceNormalizer,
    rules: Mapping[str, str],
    pieces: Mapping[int, Given],
    options: SentencePieceOptions,
    threads: int | None,
) -> Prepared:
    """Normalize and cut the sentences, and choose the alphabet.

    Raises:
        TrainingError: nothing is left of them.
    """
    normalize = quick_normalizer(normalizer, rules)
    texts = [piece.text for piece in pieces.values()]
    words = normalized_words(sentences.counts, normalize, texts, options)
    characters = count_characters(words)
    if not characters:
        raise TrainingError("nothing is left of the corpus when it is normalized; check its text")
    alphabet = {}
    if not options.auto_character_coverage:
        alphabet = choose_alphabet(
            characters, options.character_coverage, options.required_chars, options.use_all_vocab
        )
    counted = WordCounts.from_mapping(words)
    room = max(options.vocab_size - len(pieces), 0)
    return Prepared(options, counted, characters, alphabet, room, threads)


def _notes(prepared: Prepared) -> Iterator[str]:
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
    "train_extremely_large_corpus",
}  # fmt: skip
"""The options that a trainer_spec has no field for."""


def _spec(
    rows: list[Piece],
    given: Mapping[str, Any],
    options: SentencePieceOptions,
    normalizer: SentencePieceNormalizer,
    denormalizer: SentencePieceNormalizer | None,
) -> TokenizerSpec:
    """The spec of a .model that says what was asked, and no more: as sentencepiece writes it."""
    asked = {
        field.name: getattr(options, field.name)
        for field in fields(options)
        if field.name not in _NOT_KEPT
        and (field.name in given or getattr(options, field.name) != field.default)
    }
    asked |= {"model_type": options.model_type, "vocab_size": len(rows)}
    asked["max_sentence_length"] = options.max_sentence_length or MOST_BYTES
    if asked["max_sentence_length"] == USUAL_BYTES and "max_sentence_length" not in given:
        del asked["max_sentence_length"]
    flags = ("add_dummy_prefix", "remove_extra_whitespaces", "escape_whitespaces")
    spelled = Spelling(normalizer=("name", "charsmap", *(it for it in flags if it in given)))
    trainer = SentencePieceTrainer({it: value for it, value in asked.items() if value is not None})
    document = Document(Pieces(rows), trainer, normalizer, denormalizer, (), spelled)
    return sentencepiece.read(write_document(document))
