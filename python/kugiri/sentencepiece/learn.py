"""The trainers of SentencePiece's models: words and an alphabet become pieces with scores.

Rule.    bpe      merges in order, each piece with minus its place as score, then the alphabet
         unigram  pieces with their log probabilities
         word     the most frequent words with the logarithms of their shares
         char     the characters of the alphabet, in the same way
Cost.    That of the algorithm; bpe and unigram run in the core.
Source.  sentencepiece 0.2.3. All but unigram give its very pieces, order and scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import msgspec
import numpy as np

from kugiri import _core
from kugiri.reference.train.auto_coverage import divide
from kugiri.reference.train.sentences import NULL
from kugiri.reference.train.valid_pieces import CUT, PieceRules
from kugiri.sentencepiece.options import SentencePieceOptions
from kugiri.tables import Tokens
from kugiri.training.word_counts import WordCounts


@dataclass(frozen=True)
class Prepared:
    """What a trainer is given.

    Attributes:
        options: what was asked.
        words: the words.
        characters: those of the words with their counts, marks of cuts among them.
        alphabet: the characters that get a piece, with their counts, most frequent first.
        room: how many pieces are wanted, the alphabet among them.
        threads: how many to use.
    """

    options: SentencePieceOptions
    words: WordCounts
    characters: Mapping[str, int]
    alphabet: Mapping[str, int]
    room: int
    threads: int | None

    def rules(self) -> dict[str, Any]:
        """What may be a piece."""
        return {field.name: getattr(self.options, field.name) for field in fields(PieceRules)}

    def merged(self) -> dict[str, int]:
        """The characters that merging begins with: all, where it decides which get a piece."""
        if not self.options.auto_character_coverage:
            return dict(self.alphabet)
        return {it: count for it, count in self.characters.items() if it not in (CUT, NULL)}


@dataclass(frozen=True)
class Learned:
    """What a trainer gives.

    Attributes:
        pieces: with their scores, in order of id.
        about: what else is known of the run.
        seconds: how long each round took; no part of `about`, since the same text gives the same
            file.
    """

    pieces: Mapping[str, float]
    about: Mapping[str, Any]
    seconds: tuple[float, ...] = ()


def learn(prepared: Prepared) -> Learned:
    """Run the trainer of the model."""
    return _TRAINERS[prepared.options.model_type](prepared)


# ── bpe ───────────────────────────────────────────────────────────────────────────────────────
def _bpe(prepared: Prepared) -> Learned:
    alphabet = prepared.merged()
    if prepared.options.auto_character_coverage:
        merges = learn_merges(prepared, "".join(alphabet), prepared.room)
        return _ranked(divide(merges, alphabet, prepared.room))
    merges = learn_merges(prepared, "".join(alphabet), prepared.room - len(alphabet))
    return _ranked([*merges, *alphabet])


def learn_merges(prepared: Prepared, alphabet: str, most: int) -> dict[str, int]:
    """The pieces that merging makes, in order, with the counts of their pairs."""
    asked: dict[str, Any] = {
        "unit": "char", "vocab_size": None, "special_tokens": 0, "num_merges": most,
        "min_frequency": 0, "max_piece_length": None, "tie": "sentencepiece", "byte_order": "value",
        "initial_alphabet": [], "limit_alphabet": None, "end_of_word": None,
        "keep_characters": False, "alphabet_may_exceed": True, "alphabet": alphabet,
        "rules": prepared.rules(),
    }  # fmt: skip
    words = prepared.words
    learned = _core.train_bpe(
        words.words.data, words.words.offsets, words.counts, msgspec.json.encode(asked)
    )
    pieces = [piece.decode() for piece in Tokens(learned[0], learned[1])]
    return dict(zip(pieces[len(alphabet) :], learned[5].tolist(), strict=True))


def _ranked(pieces: Iterable[str]) -> Learned:
    """Pieces scored by minus their places; the first has −0."""
    return Learned({piece: -float(place) for place, piece in enumerate(pieces)}, {})


# ── unigram ───────────────────────────────────────────────────────────────────────────────────
def seed_limit(options: SentencePieceOptions) -> int:
    """The most seeds; where nothing is said, as many as a vocabulary of this size needs."""
    return options.seed_sentencepiece_size or max(100_000, 8 * options.vocab_size)


def _unigram(prepared: Prepared) -> Learned:
    options, words = prepared.options, prepared.words
    asked: dict[str, Any] = {
        "vocab_size": prepared.room,
        "given_pieces": options.vocab_size - prepared.room,
        "hard_vocab_limit": options.hard_vocab_limit,
        "alphabet": "".join(prepared.alphabet),
        "rules": prepared.rules(),
        "seed_sentencepiece_size": seed_limit(options),
        "shrinking_factor": options.shrinking_factor,
        "num_sub_iterations": options.num_sub_iterations,
        "threads": prepared.threads,
    }
    learned = _core.train_unigram(
        words.words.data, words.words.offsets, words.counts, msgspec.json.encode(asked)
    )
    data, offsets, scores, about = learned
    pieces = (piece.decode() for piece in Tokens(data, offsets))
    record = msgspec.json.decode(about)
    seconds = tuple(record.pop("seconds"))
    for its in record["rounds"]:
        its["tokens_per_piece"] = its["tokens"] / its["pieces"]
    return Learned(dict(zip(pieces, scores.tolist(), strict=True)), record, seconds)


# ── word and char ─────────────────────────────────────────────────────────────────────────────
def _word(prepared: Prepared) -> Learned:
    alphabet = prepared.alphabet.keys()
    counts = {word.decode(): count for word, count in prepared.words.items()}
    known = {word: count for word, count in counts.items() if alphabet >= set(word)}
    return _shares(known, sum(counts.values()), prepared)


def _char(prepared: Prepared) -> Learned:
    return _shares(prepared.alphabet, sum(prepared.alphabet.values()), prepared)


def _shares(counts: Mapping[str, int], total: int, prepared: Prepared) -> Learned:
    """The most frequent with the logarithms of their shares, worked out in 32 bits."""
    most_frequent = sorted(counts, key=lambda it: (-counts[it], it.encode()))
    most = None if prepared.options.use_all_vocab else prepared.room
    of_all = _logarithm(total)
    return Learned({it: float(_logarithm(counts[it]) - of_all) for it in most_frequent[:most]}, {})


def _logarithm(count: int) -> np.float32:
    if count == 0:  # a required character that the corpus does not have
        return np.float32(-np.inf)
    return np.float32(np.log(np.float64(np.float32(count))))


_TRAINERS: dict[str, Callable[[Prepared], Learned]] = {
    "bpe": _bpe,
    "unigram": _unigram,
    "word": _word,
    "char": _char,
}
