"""Other ways to cut a text than the one that `encode` gives: a part of Tokenizer.

Rule.    A Unigram model knows all ways and how likely each is; of other models a way can be drawn.
Cost.    That of the lattice, or of encoding.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from kugiri import _core
from kugiri.inputs import as_flag, as_number, as_texts, as_threads, as_whole
from kugiri.lazy import lazy_module
from kugiri.tokenizing.engine import Engine
from kugiri.tokenizing.sampling import Sampling, as_sampling, as_seed

if TYPE_CHECKING:
    from kugiri import encoding as results
    from kugiri.encoding import Batch, Hypothesis, Marginal
    from kugiri.tokenizing import make_inputs as making
    from kugiri.tokenizing import spans as places
else:
    making = lazy_module("kugiri.tokenizing.make_inputs")
    places = lazy_module("kugiri.tokenizing.spans")
    results = lazy_module("kugiri.encoding")

Met: TypeAlias = list[tuple[int, bytes]]
"""The tokens that are not shown by their string in the vocabulary, by number, with another."""

_MOST = 1 << 32
"""More ways than any memory holds."""


class Ways(Engine):
    """What can be asked about all ways to cut a text."""

    # ── the best ways, and all ────────────────────────────────────────────────────────────────
    def nbest(self, text: str, k: int) -> list[Hypothesis]:
        """Return the `k` best ways to cut a text, best first, all different (Unigram).

        Raises:
            OptionError: the model is not Unigram, or `k` is less than 1.
        """
        best = self._core.nbest(text, min(as_whole("k", k, 1), _MOST))
        return [self._hypothesis(*way) for way in best]

    def segmentations(self, text: str, limit: int) -> list[Hypothesis]:
        """Return all ways to cut a text, best first, or the `limit` best of more (Unigram)."""
        return self.nbest(text, as_whole("limit", limit, 1))

    def entropy(self, text: str, alpha: float = 1.0) -> float:
        """Return how uncertain the cut of a text is, in nats (Unigram)."""
        return self._core.entropy(text, as_number("alpha", alpha, 0))

    def marginals(self, text: str, alpha: float = 1.0) -> list[Marginal]:
        """Return each piece that stands in a text, and how likely it is to be part of the cut.

        All ways count, each by exp(alpha · log_prob) (Unigram). In order of their places.

        Raises:
            OptionError: the model is not Unigram, or `alpha` is less than 0.
        """
        pieces, flat, shares = self._core.marginals(text, as_number("alpha", alpha, 0))
        spans = places.covering_spans(text, flat.reshape(-1, 2))
        rows = zip(pieces, spans, shares.tolist(), strict=True)
        return [results.Marginal(id, token, span, share) for (id, token), span, share in rows]

    # ── ways drawn at random ──────────────────────────────────────────────────────────────────
    def sample(
        self,
        text: str,
        *,
        method: str | None = None,
        alpha: float | None = None,
        seed: int,
        nbest: int | None = None,
        add_special_tokens: bool = False,
    ) -> list[int]:
        """Return the ids of a text, drawn at random; a seed repeats in every process and engine.

        Added tokens, special ones too, are cut out as in `encode`, and never dropped or split.

        Args:
            text: the text.
            method: None is the first that is for the model. "unigram" draws a way by its
                probability (Unigram); "bpe-dropout" leaves merges out (BPE); "maxmatch-dropout"
                leaves tokens of the longest match out (WordPiece); "stochastok" splits tokens of
                `encode` (BPE, Unigram, WordPiece).
            alpha: for "unigram" how much the scores count, from 0 (all ways are alike) on; for the
                two dropouts the probability that a merge or token is dropped; for "stochastok" the
                share of tokens that are picked to be split. None is the dropout that the file
                stores, where it does.
            seed: where the random numbers begin.
            nbest: draw among this many best ways ("unigram"); None draws among all.
            add_special_tokens: put those of the tokenizer's template around what is drawn.

        Raises:
            OptionError: the method is not for this model, or an option is out of range.

        Example:
            >>> import kugiri
            >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
            >>> [tok.sample("lower", alpha=0.5, seed=seed) for seed in (0, 1, 3)]
            [[256, 119, 101, 114], [257, 101, 114], [108, 111, 119, 101, 114]]
        """
        how = as_sampling(self.spec.model, method, alpha, nbest)
        ids = _core.sample(self._core, text, how, as_seed(seed), False)[0]
        if not as_flag("add_special_tokens", add_special_tokens):
            return ids
        return making.in_template(results.Batch.from_lists([ids]), self.spec).to_lists()[0]

    def sample_batch(
        self,
        texts: Iterable[str],
        *,
        method: str | None = None,
        alpha: float | None = None,
        seed: int,
        nbest: int | None = None,
        add_special_tokens: bool = False,
        threads: int | None = None,
    ) -> Batch:
        """Return what `sample` draws of many texts, worked out on several threads.

        Text number i is drawn with the seed `seed + i`, as `sample(text, seed=seed + i)` draws it:
        threads change nothing, and a part that begins at text n has `seed + n`.

        Args:
            texts: the texts.
            method: as for `sample`.
            alpha: as for `sample`.
            seed: that of the first text. For another draw of all, take one that is further away
                than there are texts, as `epoch << 32`.
            nbest: as for `sample`.
            add_special_tokens: as for `sample`.
            threads: how many; None for all of the machine.

        Raises:
            OptionError: as for `sample`.
        """
        how = as_sampling(self.spec.model, method, alpha, nbest)
        drawn = _core.sample_batch(
            self._core, as_texts(texts), how, as_seed(seed), as_threads(threads)
        )
        batch = results.Batch(*drawn)
        if not as_flag("add_special_tokens", add_special_tokens):
            return batch
        return making.in_template(batch, self.spec)

    def sample_with_score(
        self, text: str, *, alpha: float, seed: int, nbest: int | None = None
    ) -> Hypothesis:
        """Return what `sample` draws with its score (Unigram).

        Its `posterior` is exp(alpha · log_prob) as a share of that of all ways: the probability
        that it is drawn, unless `nbest` leaves only some.

        Raises:
            OptionError: the model is not Unigram, or an option is out of range.
        """
        among = None if nbest is None else min(as_whole("nbest", nbest, 1), _MOST)
        alpha = as_number("alpha", alpha, 0)
        return self._hypothesis(*self._core.sample(text, alpha, as_seed(seed), among))

    def _drawn(self, text: str, how: Sampling, seed: int) -> tuple[list[int], list[str]]:
        """The ids and the tokens of a text, drawn at random."""
        ids, met = _core.sample(self._core, text, how, as_seed(seed), True)
        return ids, self._strings.shown(ids, met)

    def _hypothesis(
        self, ids: list[int], met: Met, log_prob: float, posterior: float
    ) -> Hypothesis:
        return results.Hypothesis(ids, self._strings.shown(ids, met), log_prob, posterior)
