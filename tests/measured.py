"""Small tokenizers of every kind, for the tests of the metrics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import kugiri
from kugiri import Tokenizer
from kugiri.measure.example import characters_of, tokenizer_of
from kugiri.measure.metrics import BY_NAME
from kugiri.sentencepiece.normalize import charsmap_of
from kugiri.spec import (
    BPE,
    PieceType,
    SentencePieceDecoder,
    SentencePieceNormalizer,
    TokenizerSpec,
    Unigram,
)
from kugiri.tables import Column, Merges, Tokens


def bytes_bpe() -> Tokenizer:
    """A byte-level BPE: 256 bytes; 猫 and いる are tokens, が and は are not."""
    return tokenizer_of(["猫", "いる", "cat"])


def straddling_bpe() -> Tokenizer:
    """A byte-level BPE whose only merged token holds the end of 猫 and the beginning of は."""
    alphabet = [bytes([value]) for value in range(256)]
    vocab = Tokens.from_iter([*alphabet, b"\xab\xe3"])
    return Tokenizer(TokenizerSpec(BPE(vocab, merges=Merges([0xAB], [0xE3], [256]))))


def character_bpe() -> Tokenizer:
    """A BPE of characters with an unknown token: a, b, 猫 and the merge ab."""
    vocab = Tokens.from_iter([b"<unk>", b"a", b"b", "猫".encode(), b"ab"])
    merges = Merges([1], [2], [4])
    return Tokenizer(TokenizerSpec(BPE(vocab, unit="char", merges=merges, unk_token="<unk>")))


def wordpiece() -> Tokenizer:
    """A WordPiece of BERT: words are cut at white space and signs, and made lower case."""
    vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat", "##s", "the", "##i", "猫", "."]
    return kugiri.load("\n".join(vocab).encode(), format="vocab.txt")


def unigram(
    pieces: Sequence[str],
    *,
    normalizer: str = "identity",
    add_dummy_prefix: bool = True,
    byte_fallback: bool = False,
) -> Tokenizer:
    """A Unigram of SentencePiece, the likeliest piece first: `<unk>`, `<s>`, bytes, pieces."""
    given = [(b"<unk>", PieceType.UNKNOWN), (b"<s>", PieceType.CONTROL)]
    if byte_fallback:
        given += [(b"<0x%02X>" % value, PieceType.BYTE) for value in range(256)]
    own = [(piece.encode(), PieceType.NORMAL) for piece in pieces]
    names, types = zip(*given, *own, strict=True)
    scores = [0.0] * len(given) + [-1 - n / 10 for n in range(len(own))]
    model = Unigram(
        vocab=Tokens.from_iter(names),
        scores=Column(scores, np.float32),
        piece_types=Column(types, np.uint8),
        unk_id=0,
        byte_fallback=byte_fallback,
    )
    charsmap = b"" if normalizer == "identity" else charsmap_of(normalizer)
    return Tokenizer(
        TokenizerSpec(
            model,
            normalizer=SentencePieceNormalizer(
                name=normalizer,
                charsmap=charsmap,
                add_dummy_prefix=add_dummy_prefix,
                remove_extra_whitespaces=normalizer != "identity",
            ),
            decoder=SentencePieceDecoder(),
            origin="sentencepiece",
        )
    )


def identity_unigram() -> Tokenizer:
    """A Unigram without byte fallback that changes nothing but a space before the text."""
    return unigram(["▁", "▁犬", "猫", "犬", "と", "1"])


def nfkc_unigram() -> Tokenizer:
    """A Unigram without byte fallback that normalizes by nmt_nfkc."""
    return unigram(["▁", "猫", "1", "2", "a", "が"], normalizer="nmt_nfkc")


def fallback_unigram() -> Tokenizer:
    """A Unigram with byte fallback and nothing put before the text."""
    return unigram(["▁", "猫", "a"], byte_fallback=True, add_dummy_prefix=False)


def fallback_nfkc_unigram() -> Tokenizer:
    """The same after nmt_nfkc: ㌢ becomes センチ, and that nine bytes."""
    return unigram(["▁", "猫", "a"], byte_fallback=True, normalizer="nmt_nfkc")


def character_level() -> Tokenizer:
    """Characters, each a token or unknown."""
    return characters_of("ab猫")


TOKENIZERS = {
    make.__name__: make
    for make in (
        bytes_bpe,
        straddling_bpe,
        character_bpe,
        character_level,
        wordpiece,
        identity_unigram,
        nfkc_unigram,
        fallback_unigram,
        fallback_nfkc_unigram,
    )
}

OURS = [
    BY_NAME[name]
    for name in (
        "tokens",
        "bytes_per_token",
        "characters_per_token",
        "tokens_per_character",
        "tokens_per_document",
        "unknown_rate",
        "byte_fallback_rate",
        "broken_characters",
        "round_trip",
        "case_sensitivity",
        "lone_space_marks",
        "vocabulary_use",
        "never_used",
        "token_length",
        "longest_pieces",
        "repeated_phrases",
        "zipf_slope",
        "shannon_entropy",
        "renyi_entropy",
        "renyi_efficiency",
        "average_token_rank",
    )
]
"""Metrics that need no segmenter, no reference and no aligned texts."""
