"""The ways to cut a text: the best of them, one drawn at random, how uncertain the cut is.

Rule.    A Unigram model gives each way a probability (models/lattice.py); this asks the lattice of
         the whole text, across pre-tokens. An added token is a node of its own, of score 0, as it
         is cut out in every way.
Cost.    That of the lattice.
Source.  Kudo 2018 (subword regularization).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from kugiri.encoding import Hypothesis, Token
from kugiri.errors import OptionError
from kugiri.reference.alignment import Aligned, character_span
from kugiri.reference.models.lattice import (
    Lattice,
    Node,
    Path,
    best_paths,
    count_paths,
    entropy,
    forward,
    marginals,
    sample,
)
from kugiri.reference.models.unigram import Unigram
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.random_numbers import RandomNumbers
from kugiri.reference.special_tokens import Allowed
from kugiri.reference.vocab import require_ids, show


class Hypotheses:
    """The ways in which a tokenizer with a Unigram model can cut a text.

    Attributes:
        text: what the model is given of the text, its words put together.
        lattice: all pieces in it.
    """

    def __init__(
        self, tokenizer: ReferenceTokenizer, text: str, allowed: Allowed = frozenset()
    ) -> None:
        """Lay out the lattice of a text, in which some special tokens are allowed.

        Raises:
            OptionError: the model is not Unigram, so that ways have no probabilities.
        """
        if not isinstance(tokenizer.model, Unigram):
            raise OptionError(
                f"the ways to cut a text have probabilities in a Unigram model, not in "
                f"{type(tokenizer.spec.model).__name__}; sample has methods for others"
            )
        self._model = tokenizer.model
        self._text = text
        self._words = list(_words(tokenizer, text, allowed))
        nodes: list[Node] = []
        at = 0
        for word, added in self._words:
            inside = [Node(added.id, 0, len(word), 0.0)] if added else self._nodes(word)
            nodes += [node._replace(start=at + node.start, end=at + node.end) for node in inside]
            at += len(word)
        self.text = "".join(word.text for word, _ in self._words)
        self.lattice = Lattice(at, nodes)

    def count(self) -> int:
        """How many ways there are."""
        return count_paths(self.lattice)

    def best(self, count: int) -> list[Hypothesis]:
        """The best ways, all different; all there are if there are no more than `count`.

        Raises:
            OptionError: `count` is less than 1.
        """
        return [self._hypothesis(path, 1.0) for path in self._best_paths(count)]

    def sample(self, alpha: float, seed: int, nbest: int | None = None) -> Hypothesis:
        """One way, drawn by exp(alpha · log_prob): among all, or among the `nbest` best.

        Its posterior is that of the draw among all.

        Raises:
            OptionError: `alpha` is not finite, or `nbest` less than 1.
        """
        if not (math.isfinite(alpha) and alpha >= 0):
            raise OptionError(f"alpha is {alpha}; it must be a finite number from 0")
        numbers = RandomNumbers(seed)
        if nbest is None:
            return self._hypothesis(sample(self.lattice, alpha, numbers), alpha)
        paths = self._best_paths(nbest)
        weights = [math.exp(alpha * (path.score - paths[0].score)) for path in paths]
        return self._hypothesis(paths[numbers.choose(weights)], alpha)

    def entropy(self, alpha: float = 1.0) -> float:
        """How uncertain the cut is, in nats."""
        return entropy(self.lattice, alpha)

    def marginals(self, alpha: float = 1.0) -> list[tuple[Token, float]]:
        """Each piece that stands in the text, with its probability to be part of the cut."""
        whole = replace(
            Aligned.of(self._text),
            text=self.text,
            spans=tuple(span for word, _ in self._words for span in word.spans),
            named=None,
        )
        return [
            (Token(node.id, stretch.text.encode(), *stretch.span), share)
            for node, share in marginals(self.lattice, alpha)
            for stretch in [whole[node.start : node.end]]
        ]

    def _nodes(self, word: Aligned) -> list[Node]:
        return self._model.lattice(word.text).nodes()

    def _best_paths(self, count: int) -> list[Path]:
        if count < 1:
            raise OptionError(f"{count} hypotheses were asked for; at least 1 can be")
        return best_paths(self.lattice, count, float32=self._model.float32)

    def _hypothesis(self, path: Path, alpha: float) -> Hypothesis:
        tokens = require_ids(self._tokens(path), self._text)
        # The score of a path may be rounded, that of all ways is not.
        score = sum(node.score for node in path.nodes)
        total = forward(self.lattice, alpha)[-1]
        return Hypothesis(
            [token.id for token in tokens if token.id is not None],
            [show(token.text) for token in tokens],
            path.score,
            math.exp(alpha * score - total),
        )

    def _tokens(self, path: Path) -> list[Token]:
        """The tokens of a path, pre-token by pre-token."""
        tokens: list[Token] = []
        rest = list(path.nodes)
        at = 0
        for word, added in self._words:
            nodes = [node for node in rest if node.start < at + len(word)]
            moved = [node._replace(start=node.start - at, end=node.end - at) for node in nodes]
            tokens += [added] if added else self._model.tokens(word, Path(tuple(moved), 0.0))
            rest, at = rest[len(nodes) :], at + len(word)
        return tokens


def _words(
    tokenizer: ReferenceTokenizer, text: str, allowed: Allowed = frozenset()
) -> Iterator[tuple[Aligned, Token | None]]:
    """The pre-tokens of a text, and between them the added tokens, each with its own text."""
    for part in tokenizer.parts(text, allowed):
        if isinstance(part, Token):
            start, end = character_span(text, part.start, part.end)
            yield Aligned.of(text)[start:end], part
        else:
            yield part, None
