"""The models, each in a file of its own, and the one place that knows them all."""

from __future__ import annotations

from typing import Protocol

from kugiri import spec
from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.models.bpe import BPE
from kugiri.reference.models.bpe_score import ScoreBPE
from kugiri.reference.models.unigram import Unigram
from kugiri.reference.models.word_level import CharLevel, WordLevel
from kugiri.reference.models.word_piece import WordPiece
from kugiri.reference.vocab import Vocabulary


class Model(Protocol):
    """Pre-token → tokens."""

    def encode(self, word: Aligned) -> list[Token]:
        """Cut a pre-token into tokens; one that no id stands for has the id None."""


def build_model(whole: spec.TokenizerSpec, vocabulary: Vocabulary) -> Model:
    """Make the engine of the model that a spec describes.

    Raises:
        OptionError: a model that this engine does not run.
    """
    match model := whole.model:
        case spec.BPE(order="score"):
            return ScoreBPE(model, vocabulary)
        case spec.BPE():
            return BPE(
                model,
                vocabulary,
                byte_level=spec.is_byte_level(whole.pre_tokenizer),
                drops_unknown=whole.origin == "tokenizer.json",
            )
        case spec.Unigram():
            return Unigram(model, vocabulary)
        case spec.WordLevel():
            return WordLevel(model, vocabulary)
        case spec.CharLevel():
            return CharLevel(model, vocabulary)
        case spec.WordPiece():
            return WordPiece(model, vocabulary)
