"""Tokenizers of every format, and fixed examples, for the tests of explain."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import kugiri
from kugiri import spec
from kugiri.tables import Column, Tokens
from tests.test_formats_tekken import document as tekken_document

LINES = [
    "吾輩は猫である。名前はまだ無い。",
    "東京都に住む猫と、京都に住む犬。仕組みを学んでみた。",
    "low lower newest widest, 1234567 times!",
    "def f(x):\n    return x + 1",
] * 3

WORD_PIECE = (
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "un", "##aff", "##able", "##a", "##ff", "low",
    "##er", "##est", ",", ".", "東", "京", "都", "a", "##b",
)  # fmt: skip


def saved(tok: kugiri.Tokenizer, name: str) -> kugiri.Tokenizer:
    """The same tokenizer, by way of a file."""
    with TemporaryDirectory() as folder:
        tok.save(Path(folder, name))
        return kugiri.load(Path(folder, name))


def _bytes() -> kugiri.Tokenizer:
    return kugiri.train(LINES, vocab_size=330, special_tokens=["<|endoftext|>"])


def _gpt2() -> kugiri.Tokenizer:
    return kugiri.train(LINES, vocab_size=330, preset="gpt2")


def _bert() -> kugiri.Tokenizer:
    with TemporaryDirectory() as folder:
        Path(folder, "vocab.txt").write_text("\n".join(WORD_PIECE) + "\n", encoding="utf-8")
        settings = {"do_lower_case": True, "tokenizer_class": "BertTokenizer"}
        Path(folder, "tokenizer_config.json").write_text(json.dumps(settings))
        return kugiri.load(folder)


def _tiktoken() -> kugiri.Tokenizer:
    tok = kugiri.train(LINES, vocab_size=330, pre_tokenizer="cl100k")
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)  # a .tiktoken keeps no pattern
        tok.save(Path(folder, "t.tiktoken"))
        return kugiri.load(Path(folder, "t.tiktoken"), pattern="cl100k")


def _model(**options: object) -> kugiri.Tokenizer:
    return saved(kugiri.train(LINES, **options), "t.model")  # type: ignore[arg-type]


def _unigram_json() -> kugiri.Tokenizer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)  # it is nearly the same tokenizer
        return kugiri.convert(_model(model="unigram", vocab_size=110), "tokenizer.json")


MADE: dict[str, Callable[[], kugiri.Tokenizer]] = {
    ".kugiri.json": _bytes,
    ".kugiri.json, characters": lambda: kugiri.train(
        LINES, unit="char", vocab_size=120, special_tokens=["<unk>"]
    ),
    ".kugiri.json, end of word": lambda: kugiri.train(
        LINES, unit="char", end_of_word="</w>", vocab_size=120, special_tokens=["<unk>"]
    ),
    ".kugiri.json, words": lambda: kugiri.train(LINES, model="word"),
    ".tiktoken": _tiktoken,
    "tokenizer.json": lambda: saved(_bytes(), "tokenizer.json"),
    "tokenizer.json of a Unigram .model": _unigram_json,
    "tekken.json": lambda: kugiri.load(json.dumps(tekken_document()).encode()),
    "vocab.json and merges.txt": lambda: saved(_gpt2(), "vocab.json"),
    "vocab.txt": _bert,
    ".model, unigram": lambda: _model(model="unigram", vocab_size=110),
    ".model, unigram with bytes": lambda: _model(
        model="unigram", vocab_size=370, byte_fallback=True
    ),
    ".model, bpe": lambda: _model(model_type="bpe", vocab_size=110),
    ".model, word": lambda: _model(model_type="word", vocab_size=17),
    ".model, char": lambda: _model(model_type="char", vocab_size=60),
}
"""Small tokenizers of every format."""


@cache
def made(name: str) -> kugiri.Tokenizer:
    """One of MADE."""
    return MADE[name]()


def unigram(probs: dict[str, float]) -> kugiri.Tokenizer:
    """A Unigram model of pieces with their probabilities."""
    pieces = ["<unk>", *probs]
    scores = np.array([0.0, *map(math.log, probs.values())])
    types = np.array([spec.PieceType.UNKNOWN, *[spec.PieceType.NORMAL] * len(probs)], np.uint8)
    model = spec.Unigram(
        vocab=Tokens.from_iter(piece.encode() for piece in pieces),
        scores=Column(scores),
        piece_types=Column(types),
        unk_id=0,
    )
    return kugiri.Tokenizer(spec.TokenizerSpec(model))
