"""What a corpus allows, before anything is trained on it: alphabet, sizes, memory, warnings.

Rule.    The corpus is counted as for training. The coverage of a number of characters is the share
         of all occurrences that the most frequent of them have. The smallest vocabulary is the
         alphabet with the special tokens. The largest of BPE and WordPiece is found by running out
         of pairs, with nothing kept of that run; where the words are too many for this, it is known
         from below: every word that occurs often enough would become one token in the end.
Cost.    Counting the words; for the largest vocabulary of BPE, seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from kugiri.corpus import Corpus
from kugiri.errors import TrainingError, choose
from kugiri.inputs import as_whole
from kugiri.sentencepiece.asked import by_name
from kugiri.sentencepiece.pieces import too_large, too_small
from kugiri.sentencepiece.sizes import sizes
from kugiri.sentencepiece.trainer import begin, notes
from kugiri.train import count_for, options_for
from kugiri.training.character_counts import (
    Coverage,
    character_lengths,
    count_characters,
    coverages,
)
from kugiri.training.options import Options, model_of
from kugiri.training.plan_notes import of_alphabet, of_size, of_text
from kugiri.training.trainers import MERGING, TRAINERS, UNKNOWN, UNKNOWN_WORD
from kugiri.training.word_counts import WordCounts

MOST_UNITS = 10_000_000
"""Units of different words up to which BPE is run to its end: about five seconds, 400 MB."""

_MOST = 2**31 - 1
_BYTES_A_UNIT, _BYTES_A_WORD = 40, 300
"""What the trainer of BPE takes, measured on Japanese: cells, places, pairs; words with counts."""


class Plan(msgspec.Struct, frozen=True):
    """What a corpus allows.

    Attributes:
        model: that the plan is for.
        words, different_words: what the pre-tokenizer gives.
        characters, different_characters: in these words.
        alphabet: by coverage, ascending.
        smallest: the smallest vocabulary.
        largest: the largest.
        largest_is_exact: whether it is that; else it is at least so large.
        memory: bytes that counting and training take, about.
        warnings: what to know before training.
    """

    model: str
    words: int
    different_words: int
    characters: int
    different_characters: int
    alphabet: list[Coverage]
    smallest: int
    largest: int
    largest_is_exact: bool
    memory: int
    warnings: list[str]


def plan(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    *,
    model: str | None = None,
    vocab_size: int | None = None,
    preset: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    **options: Any,
) -> Plan:
    """Look at a corpus before training on it.

    Args:
        corpus: as for `train`, like all that follow.
        model: which model is to be trained.
        vocab_size: the size that it is to have, if that is known.
        preset: a named set-up.
        seed: for input_sentence_size, which draws sentences.
        threads: how many to use (None: all).
        **options: as for `train`.

    Raises:
        TrainingError: the corpus is empty.
        OptionError: an option is unknown, or its value not allowed.

    Example:
        >>> planned = plan({"low": 5, "lower": 2, "newest": 6, "widest": 3}, unit="char")
        >>> planned.smallest, planned.largest, planned.different_characters
        (10, 22, 10)
    """
    as_whole("seed", seed, None)
    named = {"vocab_size": vocab_size, **options}
    of_spm_train = by_name(model, preset, named)
    if of_spm_train is not None:
        return _plan_sentencepiece(corpus, of_spm_train, seed, threads)
    model = choose("model", model_of(model, preset), TRAINERS)
    asked = options_for(model, preset, named)
    counts, cutter, _ = count_for(corpus, model, asked, threads)
    if not len(counts):
        raise TrainingError("the corpus is empty: no document has a word in it; check the paths")
    characters = count_characters(counts)
    alphabet = coverages(characters)
    units = _units(counts, model, asked)
    smallest = _smallest(counts, characters, model, asked)
    largest, is_exact = _largest(counts, model, asked, units, smallest)
    found = Plan(
        model=model,
        words=int(counts.counts.sum()),
        different_words=len(counts),
        characters=sum(characters.values()),
        different_characters=len(characters),
        alphabet=alphabet,
        smallest=smallest,
        largest=largest,
        largest_is_exact=is_exact,
        memory=_memory(counts, model, int(units.sum())),
        warnings=[],
    )
    warnings = [*of_size(found, asked), *of_alphabet(found, asked), *of_text(counts, cutter)]
    return msgspec.structs.replace(found, warnings=warnings)


def _plan_sentencepiece(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    asked: Mapping[str, Any],
    seed: int,
    threads: int | None,
) -> Plan:
    """The plan of a training by the options of spm_train."""
    run = begin(corpus, asked, seed=seed, threads=threads)
    words, characters = run.prepared.words, run.prepared.characters
    found = sizes(run, MOST_UNITS)
    warnings = notes(run)
    if "vocab_size" in asked:
        wrong = too_small(run.given, run.prepared.alphabet, run.options)
        wrong = wrong or (too_large(found.largest, run.options) if found.is_exact else "")
        warnings += [wrong] if wrong else []
    return Plan(
        model=run.options.model_type,
        words=int(words.counts.sum()),
        different_words=len(words),
        characters=sum(characters.values()),
        different_characters=len(characters),
        alphabet=coverages(characters),
        smallest=found.smallest,
        largest=found.largest,
        largest_is_exact=found.is_exact,
        memory=_memory(words, run.options.model_type, int(character_lengths(words).sum())),
        warnings=warnings,
    )


# ── what there is ─────────────────────────────────────────────────────────────────────────────
def _units(counts: WordCounts, model: str, options: Options) -> npt.NDArray[np.int64]:
    """How many units each word is cut into."""
    if model == "bpe" and options.unit == "byte":
        return np.diff(counts.words.offsets)
    return character_lengths(counts) + bool(options.end_of_word)


def _smallest(counts: WordCounts, characters: dict[str, int], model: str, options: Options) -> int:
    if model not in MERGING:
        return len(options.special_tokens or (UNKNOWN,)) + 1
    if options.unit == "byte":
        return 256 + len(options.special_tokens)
    kept = {*list(characters)[: options.limit_alphabet], *options.initial_alphabet}
    if model == "wordpiece":
        inside = {character for word in counts.words for character in word.decode()[1:]}
        specials = options.special_tokens or (UNKNOWN_WORD,)
        return len(kept) + len(inside & kept) + len(specials)
    mark = {options.end_of_word} - {""}
    return len(kept | mark) + len(options.special_tokens)


def _largest(
    counts: WordCounts, model: str, options: Options, units: npt.NDArray[np.int64], smallest: int
) -> tuple[int, bool]:
    if model not in MERGING:
        specials = options.special_tokens or (UNKNOWN,)
        tokens = {word.decode() for word in counts} if model == "word" else count_characters(counts)
        return len(set(tokens).difference(specials)) + len(specials), True
    if units.sum() <= MOST_UNITS:
        spec, _ = TRAINERS[model](counts, replace(options, vocab_size=_MOST, num_merges=None))
        return len(spec.model.vocab), True
    if options.limit_alphabet is not None:
        return smallest, False
    longest = options.max_piece_length or _MOST
    whole = (counts.counts >= options.min_frequency) & (units > 1) & (units <= longest)
    return smallest + int(whole.sum()), False


def _memory(counts: WordCounts, model: str, units: int) -> int:
    size = len(counts.words.data) + _BYTES_A_WORD * len(counts)
    return size + _BYTES_A_UNIT * units if model in MERGING else size
