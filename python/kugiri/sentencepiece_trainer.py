"""Training a SentencePiece tokenizer: corpus → words and alphabet → pieces → spec.

Rule.    The corpus becomes words and an alphabet (sentencepiece_corpus.py), a trainer learns pieces
         from them, and both stand between the pieces that are given (sentencepiece_pieces.py):
         bpe      merges in order, each piece with minus its place as score, then the alphabet
         unigram  pieces and log probabilities
         word     the most frequent words, scored by the logarithm of their share
         char     the alphabet, scored in the same way
Cost.    That of normalizing and of the trainer.
Source.  sentencepiece 0.2.3. All but unigram give its very pieces, order and scores.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import msgspec
import numpy as np

from kugiri import _core
from kugiri._version import __version__
from kugiri.corpus import Corpus, Reading
from kugiri.errors import OptionError, TrainingError
from kugiri.formats import sentencepiece
from kugiri.formats.sentencepiece_document import Document, Spelling, write_document
from kugiri.formats.sentencepiece_pieces import Pieces
from kugiri.inputs import as_threads
from kugiri.reference import rules
from kugiri.reference.train.sentences import choose_alphabet, count_characters
from kugiri.reference.train.valid_pieces import LEFT_OUT, PieceRules
from kugiri.sentencepiece_corpus import Sentences, normalized_words
from kugiri.sentencepiece_normalize import quick_normalizer
from kugiri.sentencepiece_options import (
    SentencePieceOptions,
    lines_of,
    read_sentencepiece_options,
)
from kugiri.sentencepiece_pieces import given_pieces, room, vocabulary
from kugiri.spec import SentencePieceNormalizer, SentencePieceTrainer, TokenizerSpec
from kugiri.tables import Tokens
from kugiri.word_counts import WordCounts


@dataclass(frozen=True)
class Prepared:
    """What a trainer is given.

    Attributes:
        options: what was asked.
        words: the words with their counts.
        alphabet: the characters that get a piece, with their counts.
        room: how many pieces there are to be beside the given ones and the alphabet.
        threads: how many to use.
    """

    options: SentencePieceOptions
    words: Mapping[str, int]
    alphabet: Mapping[str, int]
    room: int
    threads: int | None

    def columns(self) -> tuple[Tokens, np.ndarray[Any, np.dtype[np.uint64]]]:
        """The words as flat buffers."""
        texts = Tokens.from_iter(word.encode() for word in self.words)
        return texts, np.fromiter(self.words.values(), np.uint64, len(self.words))

    def rules(self) -> PieceRules:
        """What may be a piece."""
        names = [field.name for field in fields(PieceRules)]
        return PieceRules(**{name: getattr(self.options, name) for name in names})


# ── the trainers ──────────────────────────────────────────────────────────────────────────────
def _learn_bpe(prepared: Prepared) -> dict[str, float]:
    """Merges, then the alphabet."""
    alphabet = "".join(prepared.alphabet)
    asked = {
        "unit": "char", "vocab_size": None, "special_tokens": 0, "num_merges": prepared.room,
        "min_frequency": 0, "max_piece_length": None, "tie": "sentencepiece", "byte_order": "value",
        "initial_alphabet": [], "limit_alphabet": None, "end_of_word": None,
        "keep_characters": False, "alphabet_may_exceed": True, "alphabet": alphabet,
        "rules": asdict(prepared.rules()),
    }  # fmt: skip
    words, counts = prepared.columns()
    learned = _core.train_bpe(words.data, words.offsets, counts, msgspec.json.encode(asked))
    pieces = [piece.decode() for piece in Tokens(learned[0], learned[1])]
    return {
        piece: -float(place)
        for place, piece in enumerate([*pieces[len(alphabet) :], *prepared.alphabet])
    }


def _learn_words(prepared: Prepared) -> dict[str, float]:
    alphabet = prepared.alphabet.keys()
    known = {word: count for word, count in prepared.words.items() if alphabet >= set(word)}
    return _shares(known, sum(prepared.words.values()), prepared)


def _learn_characters(prepared: Prepared) -> dict[str, float]:
    return _shares(prepared.alphabet, sum(prepared.alphabet.values()), prepared)


def _shares(counts: Mapping[str, int], total: int, prepared: Prepared) -> dict[str, float]:
    """The most frequent with the logarithms of their shares, worked out in 32 bits."""
    most_frequent = sorted(counts, key=lambda it: (-counts[it], it.encode()))
    most = None if prepared.options.use_all_vocab else max(prepared.room, 0)
    of_total = _logarithm(total)
    return {it: float(_logarithm(counts[it]) - of_total) for it in most_frequent[:most]}


def _logarithm(count: int) -> np.float32:
    return np.float32(np.log(np.float64(np.float32(count)))) if count else np.float32(-np.inf)


TRAINERS: dict[str, Callable[[Prepared], dict[str, float]]] = {
    "bpe": _learn_bpe,
    "word": _learn_words,
    "char": _learn_characters,
}
"""By model: what each gives are pieces with their scores, in order of id."""


# ── the run ───────────────────────────────────────────────────────────────────────────────────
def train_sentencepiece(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    given: Mapping[str, Any],
    reading: Reading,
    seed: int = 0,
    threads: int | None = None,
) -> tuple[TokenizerSpec, list[str]]:
    """Train by the options of spm_train.

    Args:
        corpus: as for `kugiri.train`; counted texts are normalized and cut like any other.
        given: the options, by name; those that are left out are as spm_train has them.
        reading: how files become texts.
        seed: for input_sentence_size.
        threads: how many to use (None: num_threads, or all).

    Returns:
        the spec, and what the user should know.

    Raises:
        OptionError: an option is unknown or refused, or its value not allowed.
        TrainingError: nothing is left of the corpus.
        VocabularyError: vocab_size is too small or too large.
    """
    started = time.perf_counter()
    options = _with_files(read_sentencepiece_options(given))
    pieces = given_pieces(options)
    normalizer, table = _normalizer(options)
    denormalizer = _denormalizer(options)
    sentences = Sentences(corpus, options, reading, seed)
    words = normalized_words(
        sentences.counts,
        quick_normalizer(normalizer, table),
        [piece.text for piece in pieces.values()],
        options,
    )
    characters = count_characters(words)
    if not characters:
        raise TrainingError("nothing is left of the corpus when it is normalized; check its text")
    alphabet = choose_alphabet(
        characters, options.character_coverage, options.required_chars, options.use_all_vocab
    )
    left = options.vocab_size - len(pieces)
    if options.model_type in ("bpe", "unigram"):
        left = room(pieces, alphabet, options.vocab_size)
    prepared = Prepared(options, words, alphabet, left, as_threads(threads or options.num_threads))
    learned = TRAINERS[options.model_type](prepared)
    rows = vocabulary(pieces, learned, options)
    spelled = {name: value for name, value in given.items() if name in _SPELLED}
    trainer = {**spelled, "model_type": options.model_type, "vocab_size": len(rows)}
    document = Document(
        Pieces(rows), SentencePieceTrainer(trainer), normalizer, denormalizer, (), Spelling()
    )
    spec = sentencepiece.read(write_document(document))
    training = {
        "kugiri": __version__,
        "model": options.model_type,
        "options": asdict(options),
        "sentences": sum(sentences.counts.values()),
        "words": len(words),
        "alphabet": len(alphabet),
        "seconds": round(time.perf_counter() - started, 3),
    }
    notes = [*sentences.notes(options), *_of_characters(characters, alphabet, options)]
    return msgspec.structs.replace(spec, training=training), notes


_SPELLED = {
    field.name
    for field in fields(SentencePieceOptions)
    if field.name
    not in {
        "normalization_rule_name", "normalization_rule_tsv", "denormalization_rule_tsv",
        "add_dummy_prefix", "remove_extra_whitespaces", "escape_whitespaces", "num_threads",
        "control_symbols_file", "user_defined_symbols_file", "required_chars_file",
        "train_extremely_large_corpus",
    }
}  # fmt: skip
"""The options that a .model keeps in its trainer_spec."""


def _of_characters(
    characters: Mapping[str, int], alphabet: Mapping[str, int], options: SentencePieceOptions
) -> list[str]:
    left_out = {it: count for it, count in characters.items() if it not in alphabet}
    if not left_out or options.character_coverage < 1:
        return []
    return [f"{len(left_out):,} characters are left out"]


def _with_files(options: SentencePieceOptions) -> SentencePieceOptions:
    """The options, with what the files say that some of them name."""
    symbols = {
        name: (*getattr(options, name), *lines_of(f"{name}_file", path))
        for name in ("control_symbols", "user_defined_symbols")
        if (path := getattr(options, f"{name}_file"))
    }
    if options.required_chars_file:
        lines = lines_of("required_chars_file", options.required_chars_file)
        symbols["required_chars"] = options.required_chars + "".join(lines)
    options = replace(options, **symbols)
    for character in (LEFT_OUT, " "):
        if character in options.required_chars:
            raise OptionError(
                f"required_chars has {character!r}, which no text has that is normalized"
            )
    return options


def _normalizer(options: SentencePieceOptions) -> tuple[SentencePieceNormalizer, dict[str, str]]:
    """The normalizer, and its rules."""
    name, path = options.normalization_rule_name, options.normalization_rule_tsv
    if path:
        table = rules.read_tsv("\n".join(lines_of("normalization_rule_tsv", path)))
        name, charsmap = "user_defined", rules.compile_charsmap(table)
    else:
        table, charsmap = rules.table(name), rules.charsmap(name)
    normalizer = SentencePieceNormalizer(
        name=name,
        charsmap=charsmap,
        add_dummy_prefix=options.add_dummy_prefix,
        remove_extra_whitespaces=options.remove_extra_whitespaces,
        treat_whitespace_as_suffix=options.treat_whitespace_as_suffix,
        rule_tsv=path,
    )
    return normalizer, table


def _denormalizer(options: SentencePieceOptions) -> SentencePieceNormalizer | None:
    path = options.denormalization_rule_tsv
    if not path:
        return None
    table = rules.read_tsv("\n".join(lines_of("denormalization_rule_tsv", path)))
    return SentencePieceNormalizer(
        name="user_defined",
        charsmap=rules.compile_charsmap(table),
        add_dummy_prefix=False,
        remove_extra_whitespaces=False,
        escape_whitespaces=False,
        rule_tsv=path,
    )
