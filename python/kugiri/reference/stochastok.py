"""StochasTok: tokens that are split in two at random.

Rule.    Of N tokens, so many times as floor(alpha · N) says, one is picked, each that there is by
         now as likely as any other. If it can be cut into two tokens of the vocabulary, it is, into
         each such pair as likely; if not, the pick is used up all the same. Tokens are numbered:
         those of the text in order, then each right part when it is made.
         What is cut, and into what, are ordinary tokens: none that was added, that stands for the
         unknown or for a byte, or that is a user-defined or unused piece. Inside a word, a part
         carries the continuing prefix, and the last one the end-of-word suffix, of the model.
Cost.    For each pick one look at every place in a token; tokens stay where they are, and know
         which comes next.
Source.  Sims et al. 2025 (arXiv:2506.01687).
"""

from __future__ import annotations

from kugiri.errors import OptionError
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.random_numbers import RandomNumbers
from kugiri.spec import PieceType


def split_tokens(
    tokenizer: ReferenceTokenizer, ids: list[int], alpha: float, numbers: RandomNumbers
) -> list[int]:
    """Ids, some of them split.

    Raises:
        OptionError: `alpha` is not from 0 to 1.
    """
    if not 0 <= alpha <= 1:
        raise OptionError(f"alpha is {alpha}; it must be from 0 to 1")
    tokens = list(ids)
    following: list[int | None] = [*range(1, len(ids)), None]  # the number of the next token
    for _ in range(int(alpha * len(ids))):
        picked = numbers.below(len(tokens))
        pairs = halves(tokenizer, tokens[picked])
        if pairs:
            tokens[picked], right = pairs[numbers.below(len(pairs))]
            tokens.append(right)
            following.append(following[picked])
            following[picked] = len(tokens) - 1
    split: list[int] = []
    number = 0 if tokens else None
    while number is not None:
        split.append(tokens[number])
        number = following[number]
    return split


def halves(tokenizer: ReferenceTokenizer, id: int) -> list[tuple[int, int]]:
    """The pairs of tokens that a token can be cut into, those with the shortest left part first."""
    if not is_ordinary(tokenizer, id):
        return []
    model, vocabulary = tokenizer.spec.model, tokenizer.vocabulary
    prefix = (getattr(model, "continuing_subword_prefix", None) or "").encode()
    suffix = (getattr(model, "end_of_word_suffix", None) or "").encode()
    token = vocabulary.own(id)
    start = len(prefix) if token.startswith(prefix) else 0
    end = len(token) - (len(suffix) if token[start:].endswith(suffix) else 0)
    pairs = []
    for middle in range(start + 1, end):
        left = vocabulary.word_id(token[:middle])
        right = vocabulary.word_id(prefix + token[middle:])
        if left is not None and right is not None:
            pairs.append((left, right))
    return [pair for pair in pairs if all(is_ordinary(tokenizer, part) for part in pair)]


def is_ordinary(tokenizer: ReferenceTokenizer, id: int) -> bool:
    """Whether a token is one that nothing but text is made of."""
    vocabulary = tokenizer.vocabulary
    piece = vocabulary.piece(id)
    stands_for_else = id == vocabulary.unknown_id or id in vocabulary.byte_ids.values()
    return not piece.added and piece.type == PieceType.NORMAL and not stands_for_else
