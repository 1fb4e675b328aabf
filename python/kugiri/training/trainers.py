"""What each trainer makes: counted words and options become a spec, and notes for the user.

BPE and WordPiece run in the core, the baselines in the readable engine (baselines.py). The spec
lacks normalizer and pre-tokenizer, which the one who counted the words knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np

from kugiri import _core
from kugiri.errors import OptionError, VocabularyError
from kugiri.named_stages import bert_template
from kugiri.reference.train.bpe_start import check_mark
from kugiri.spec import (
    BPE,
    AddedToken,
    BPEDecoder,
    CharLevel,
    TokenizerSpec,
    WordLevel,
    WordPiece,
    WordPieceDecoder,
    dictionaries_of,
)
from kugiri.tables import Merges, Tokens
from kugiri.training.baselines import short_of, train_characters, train_words
from kugiri.training.options import Options
from kugiri.training.word_counts import WordCounts

UNKNOWN = "<unk>"
UNKNOWN_WORD = "[UNK]"
"""The same in WordPiece, as BERT writes it."""

Trainer: TypeAlias = Callable[[WordCounts, Options], tuple[TokenizerSpec, list[str]]]


class Learned(msgspec.Struct, frozen=True):
    """What a run that merges tells beside its vocabulary.

    Attributes:
        initial_tokens: how many units the corpus had before the first merge.
        alphabet: how many tokens are no merges and no special tokens.
        left_out_characters, left_out_occurrences: what limit_alphabet left out.
        exhausted: whether the pairs ran out before the size was reached.
    """

    initial_tokens: int
    alphabet: int
    left_out_characters: int
    left_out_occurrences: int
    exhausted: bool


class CoreRun(NamedTuple):
    """What the core gives: tokens without the special ones, merges, and what else it tells."""

    tokens: Tokens
    merges: Merges
    learned: Learned


def run_core(
    counts: WordCounts, options: Options, specials: tuple[str, ...], **more: Any
) -> CoreRun:
    """Merge in the core, with the options of all models and `more` of this one."""
    names = (
        "unit", "vocab_size", "num_merges", "min_frequency", "max_piece_length", "tie",
        "byte_order", "initial_alphabet", "limit_alphabet", "keep_characters",
    )  # fmt: skip
    asked = {
        **{name: getattr(options, name) for name in names},
        "special_tokens": len(specials),
        "end_of_word": options.end_of_word or None,
        "alphabet_may_exceed": options.compatibility == "tokenizers",
        **more,
    }
    words = counts.words
    trained = _core.train_bpe(words.data, words.offsets, counts.counts, msgspec.json.encode(asked))
    data, offsets, left, right, result, count, applied, about = trained
    learned = msgspec.json.decode(about, type=Learned)
    return CoreRun(Tokens(data, offsets), Merges(left, right, result, count, applied), learned)


def learn_bpe(counts: WordCounts, options: Options) -> tuple[TokenizerSpec, Learned]:
    """The merges of a corpus, and what else is known of the run."""
    specials = options.special_tokens
    first = options.compatibility == "tokenizers"
    check_mark(counts.words, options.end_of_word)
    tokens, merges, learned = run_core(counts, options, specials)
    vocab, added = add_specials(tokens, specials, first)
    moved = np.uint32(len(specials) if first else 0)
    model = BPE(
        vocab=vocab,
        unit=options.unit,
        merges=Merges(
            merges.left + moved,
            merges.right + moved,
            merges.result + moved,
            merges.count,
            merges.applied,
        ),
        end_of_word=options.end_of_word,
        unk_token=_unknown(specials),
    )
    spec = TokenizerSpec(
        model=model,
        added_tokens=added,
        decoder=BPEDecoder(suffix=options.end_of_word) if options.end_of_word else None,
        training={"initial_tokens": learned.initial_tokens, "alphabet": learned.alphabet},
    )
    return spec, learned


def unknown_of(specials: Sequence[str]) -> str:
    """What WordPiece has for a word that it cannot spell.

    Raises:
        OptionError: there are special tokens, but none for that.
    """
    unknown = next((it for it in (UNKNOWN_WORD, UNKNOWN) if it in specials), None)
    if specials and unknown is None:
        raise OptionError(
            f"WordPiece makes one unknown token of a word that it cannot spell, and special_tokens "
            f"has none for it; put {UNKNOWN_WORD!r} in, or leave special_tokens out"
        )
    return unknown or UNKNOWN_WORD


def learn_word_piece(counts: WordCounts, options: Options) -> tuple[TokenizerSpec, Learned]:
    """The pieces of a corpus, and what else is known of the run.

    Raises:
        OptionError: there are special tokens, but none for what is unknown.
    """
    specials = options.special_tokens or (UNKNOWN_WORD,)
    unknown = unknown_of(specials)
    prefix = options.continuing_prefix
    tokens, _, learned = run_core(
        counts, options, specials, continuing_prefix=prefix, merge_by=options.merge_by
    )
    vocab, added = add_specials(tokens, specials, first=options.compatibility == "tokenizers")
    ids = {token.content: token.id for token in added}
    # What is cleaned up is English: "it ' s". BERT's tokenizers for Japanese leave it.
    cleanup = not dictionaries_of(counts.pre_tokenizer)
    cls, sep = (token if token in ids else None for token in ("[CLS]", "[SEP]"))
    spec = TokenizerSpec(
        model=WordPiece(vocab=vocab, unk_token=unknown, continuing_subword_prefix=prefix),
        added_tokens=added,
        post_processor=bert_template(cls, sep, ids),
        decoder=WordPieceDecoder(prefix=prefix, cleanup=cleanup),
        training={"initial_tokens": learned.initial_tokens, "alphabet": learned.alphabet},
    )
    return spec, learned


MERGING: dict[str, Callable[[WordCounts, Options], tuple[TokenizerSpec, Learned]]] = {
    "bpe": learn_bpe,
    "wordpiece": learn_word_piece,
}
"""The trainers whose smaller vocabularies are the first rows of their larger ones."""


def merge_notes(learned: Learned, size: int, options: Options) -> list[str]:
    """What the user should know about a run that was not all that was asked for."""
    notes = []
    if learned.left_out_characters:
        notes.append(
            f"limit_alphabet={options.limit_alphabet} left out {learned.left_out_characters:,} "
            f"different characters, {learned.left_out_occurrences:,} occurrences in all"
        )
    asked = options.vocab_size
    if asked is not None and size > asked:
        notes.append(alphabet_alone(size, asked))
    elif learned.exhausted:
        goal = f"num_merges={options.num_merges}" if asked is None else f"vocab_size={asked}"
        notes.append(
            f"{goal} was not reached: no further pair occurs {options.min_frequency} times; "
            f"the largest vocabulary possible here is {size}; lower min_frequency, or use more text"
        )
    return notes


def alphabet_alone(size: int, asked: int) -> str:
    """The note for an alphabet that does not fit, and is kept as tokenizers keeps it."""
    return (
        f"the alphabet alone is larger than the vocabulary asked for: {size} > {asked}; "
        f"as with tokenizers, it is kept whole and there are no merges"
    )


def _train_merging(
    model: str, counts: WordCounts, options: Options
) -> tuple[TokenizerSpec, list[str]]:
    spec, learned = MERGING[model](counts, options)
    return spec, merge_notes(learned, len(spec.model.vocab), options)


def _train_baseline(
    learn: Callable[..., list[bytes]],
    kind: type[WordLevel] | type[CharLevel],
    units: str,
    counts: WordCounts,
    options: Options,
) -> tuple[TokenizerSpec, list[str]]:
    """The most frequent words or characters."""
    specials = options.special_tokens or (UNKNOWN,)
    tokens = learn(counts, options.vocab_size, specials)
    vocab, added = add_specials(Tokens.from_iter(tokens[: -len(specials)]), specials)
    model = kind(vocab=vocab, unk_token=_unknown(specials))
    notes = short_of(units, len(vocab), options.vocab_size)
    return TokenizerSpec(model=model, added_tokens=added), notes


TRAINERS: dict[str, Trainer] = {
    **{model: partial(_train_merging, model) for model in MERGING},
    "word": partial(_train_baseline, train_words, WordLevel, "words"),
    "char": partial(_train_baseline, train_characters, CharLevel, "characters"),
}
"""By model: counted words and options → the spec, but for its pre-tokenizer, and notes."""


def _unknown(specials: tuple[str, ...]) -> str | None:
    return UNKNOWN if UNKNOWN in specials else None


def add_specials(
    pieces: Tokens, specials: tuple[str, ...], first: bool = False
) -> tuple[Tokens, tuple[AddedToken, ...]]:
    """The vocabulary with special tokens at its end (or start), and their descriptions."""
    contents = [special.encode() for special in specials]
    for content in set(contents).intersection(pieces):
        raise VocabularyError(
            f"the special token {content.decode()!r} is also an ordinary token of this "
            f"vocabulary; give it a name that the corpus does not hold"
        )
    start = 0 if first else len(pieces)
    vocab = Tokens.from_iter([*contents, *pieces] if first else [*pieces, *contents])
    return vocab, tuple(
        AddedToken(id=start + index, content=special) for index, special in enumerate(specials)
    )
