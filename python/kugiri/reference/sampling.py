"""Sampling: tokens of a text that are drawn at random, each method by its own rule.

Rule.    "unigram" draws a way through the lattice by its probability (hypotheses.py);
         "bpe-dropout" leaves merges out (models/bpe.py), "maxmatch-dropout" tokens of the longest
         match (models/word_piece.py); "stochastok" encodes and then splits tokens
         (stochastok.py). All take their random numbers from the one row of a seed. Added tokens
         are cut out of the text first, as ever: none is dropped or split.
Cost.    That of the lattice, or of encoding.
Source.  Kudo 2018, Provilkov et al. 2020, Hiraoka 2022, Sims et al. 2025.
"""

from __future__ import annotations

from kugiri.encoding import Token
from kugiri.errors import OptionError
from kugiri.reference.hypotheses import Hypotheses
from kugiri.reference.models.bpe import BPE
from kugiri.reference.models.bpe_score import ScoreBPE
from kugiri.reference.models.word_piece import WordPiece
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.random_numbers import RandomNumbers
from kugiri.reference.stochastok import split_tokens
from kugiri.reference.vocab import require_ids


def sample(
    tokenizer: ReferenceTokenizer,
    text: str,
    method: str,
    alpha: float,
    seed: int,
    nbest: int | None = None,
) -> list[int]:
    """The ids of a text, drawn at random.

    Raises:
        OptionError: the method is not for this model, or an option is out of range.
    """
    if method == "unigram":
        return Hypotheses(tokenizer, text).sample(alpha, seed, nbest).ids
    if method == "stochastok":
        ids = [token.id for token in tokenizer.encode(text) if token.id is not None]
        return split_tokens(tokenizer, ids, alpha, RandomNumbers(seed))
    tokens = sample_dropout(tokenizer, text, alpha, seed)
    return [token.id for token in tokens if token.id is not None]


def sample_batch(
    tokenizer: ReferenceTokenizer, texts: list[str], method: str, alpha: float, seed: int
) -> list[list[int]]:
    """The ids of texts: that of number i is drawn as with the seed `seed + i`."""
    return [sample(tokenizer, text, method, alpha, seed + i) for i, text in enumerate(texts)]


def sample_dropout(
    tokenizer: ReferenceTokenizer, text: str, dropout: float, seed: int
) -> list[Token]:
    """Cut a text with a BPE or WordPiece model that drops merges or tokens with a probability.

    Raises:
        OptionError: the model is another one, or `dropout` is not from 0 to 1.
    """
    model = tokenizer.model
    if not isinstance(model, BPE | ScoreBPE | WordPiece):
        name = type(tokenizer.spec.model).__name__
        raise OptionError(f"dropout is for BPE and WordPiece, not for {name}")
    if not 0 <= dropout <= 1:
        raise OptionError(f"dropout is {dropout}; it must be from 0 to 1")
    numbers = RandomNumbers(seed)
    drops = (lambda: numbers.fraction() < dropout) if dropout else None
    tokens: list[Token] = []
    for part in tokenizer.parts(text, frozenset()):
        tokens += [part] if isinstance(part, Token) else model.encode(part, drops)
    return require_ids(tokens, text)
