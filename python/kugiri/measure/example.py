"""A tokenizer small enough to work an example by hand; the metrics show theirs with it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

import numpy as np

from kugiri.load import load
from kugiri.measure.draws import Draws
from kugiri.measure.metric import Metric
from kugiri.measure.observation import MeasuredCorpus, Observation
from kugiri.spec import (
    CharLevel,
    PieceType,
    SentencePieceDecoder,
    SentencePieceNormalizer,
    TokenizerSpec,
    Unigram,
)
from kugiri.tables import Column, Tokens
from kugiri.tokenizer import Tokenizer

WHOLE_TEXT = r"[\s\S]+"


def tokenizer_of(merges: Sequence[str], pattern: str = WHOLE_TEXT) -> Tokenizer:
    """A byte-level BPE that merges to these strings, in this order, from left to right.

    Example:
        >>> tokenizer_of(["low"]).tokens("lower")
        ['low', 'e', 'r']
    """
    alphabet = [bytes([value]) for value in range(256)]
    merged = [
        text.encode()[:end] for text in merges for end in range(2, len(text.encode()) + 1)
    ]  # "lo" before "low": each merge joins one more byte
    tokens = dict.fromkeys(alphabet + merged)
    file = b"".join(b"%s %d\n" % (b64encode(token), id) for id, token in enumerate(tokens))
    return load(file, format="tiktoken", pattern=pattern)


def observe(
    documents: Sequence[str], merges: Sequence[str], pattern: str = WHOLE_TEXT
) -> Observation:
    """That tokenizer on these documents."""
    return observed(tokenizer_of(merges, pattern), documents)


def observed(tokenizer: Tokenizer, documents: Sequence[str], draws: int = 10) -> Observation:
    """Any tokenizer on these documents."""
    drawn = Draws(len(documents), draws, seed=0)
    return Observation("example", tokenizer, MeasuredCorpus("example", list(documents), drawn))


def characters_of(alphabet: str) -> Tokenizer:
    """A token a character of the alphabet, and `<unk>` for every other.

    Example:
        >>> characters_of("ab").encode("abc")
        [1, 2, 0]
    """
    tokens = [b"<unk>", *(character.encode() for character in alphabet)]
    return Tokenizer(TokenizerSpec(CharLevel(Tokens.from_iter(tokens))))


def unigram_of(pieces: Sequence[str]) -> Tokenizer:
    """A Unigram of SentencePiece, the likeliest piece first, with `<unk>` and ▁ before each text.

    Example:
        >>> unigram_of(["▁", "猫", "と"]).tokens("猫と")
        ['▁', '猫', 'と']
    """
    vocab = Tokens.from_iter([b"<unk>", *(piece.encode() for piece in pieces)])
    types = [PieceType.UNKNOWN] + [PieceType.NORMAL] * len(pieces)
    return Tokenizer(
        TokenizerSpec(
            Unigram(
                vocab=vocab,
                scores=Column([0.0, *(-1 - n / 10 for n in range(len(pieces)))], np.float32),
                piece_types=Column(types, np.uint8),
                unk_id=0,
            ),
            normalizer=SentencePieceNormalizer(),
            decoder=SentencePieceDecoder(),
            origin="sentencepiece",
        )
    )


def value(metric: Metric, seen: Observation) -> float:
    """What the metric says of the corpus itself, rounded for a page."""
    return round(float(metric.values(seen, seen.corpus.draws)[0]), 4)
