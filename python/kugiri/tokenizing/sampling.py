"""The methods of `sample`: which model each is for, and what may be asked of it.

Rule.    Each method draws what its paper says (reference/sampling.py). A model has a usual one: the
         first that is for it. A dropout that a file stores is the usual alpha of "bpe-dropout".
Cost.    None.
"""

from __future__ import annotations

from typing import NamedTuple

from kugiri.errors import OptionError, choose
from kugiri.inputs import as_number, as_whole
from kugiri.spec import BPE, Model, Unigram, WordPiece

METHODS: dict[str, tuple[type[Model], ...]] = {
    "unigram": (Unigram,),
    "bpe-dropout": (BPE,),
    "maxmatch-dropout": (WordPiece,),
    "stochastok": (BPE, Unigram, WordPiece),
}
"""Each method with the models that it is for."""

ALPHAS = {
    "bpe-dropout": "the probability that a merge is dropped",
    "maxmatch-dropout": "the probability that a token is dropped",
    "stochastok": "the share of the tokens that are picked to be split",
}
"""What alpha is, where it is at most 1."""

_MOST_WAYS = 1 << 32
"""More ways than any memory holds."""
_SEEDS = (1 << 64) - 1
"""Of a seed the lower 64 bits count."""


class Sampling(NamedTuple):
    """How tokens are drawn; the core takes it as it is.

    Attributes:
        method: one of METHODS.
        alpha: the weight of scores, a probability, or a share of tokens.
        nbest: among how many best ways; None is among all.
    """

    method: str
    alpha: float
    nbest: int | None


def as_sampling(
    model: Model,
    method: str | None,
    alpha: float | None,
    nbest: int | None,
    usual: float | None = None,
) -> Sampling:
    """What a call asks for, checked; `usual` is alpha where neither call nor file says one.

    Raises:
        OptionError: nothing can be drawn from this model, the method is not for it, or an option is
            out of range or not for this method.
    """
    fitting = [name for name, models in METHODS.items() if isinstance(model, models)]
    name = type(model).__name__
    if not fitting:
        raise OptionError(
            f"{name} has one way to cut a text, so that nothing can be drawn; sample works with "
            f"BPE, Unigram and WordPiece"
        )
    method = fitting[0] if method is None else choose("method", method, METHODS)
    if method not in fitting:
        owners = ", ".join(its.__name__ for its in METHODS[method])
        raise OptionError(
            f"method {method!r} is for {owners}, and this model is {name}; allowed for it: "
            f"{', '.join(fitting)}"
        )
    if nbest is not None and method != "unigram":
        raise OptionError(f"nbest is for method 'unigram', not for {method!r}; leave it out")
    among = None if nbest is None else min(as_whole("nbest", nbest, 1), _MOST_WAYS)
    return Sampling(method, _alpha(model, method, alpha, usual), among)


def _alpha(model: Model, method: str, alpha: float | None, usual: float | None) -> float:
    stored = model.dropout if isinstance(model, BPE) and method == "bpe-dropout" else None
    alpha = next((its for its in (alpha, stored, usual) if its is not None), None)
    if alpha is None:
        raise OptionError(
            f"alpha is None, and this tokenizer stores none for {method!r}; give one, as alpha=0.1"
        )
    number = as_number("alpha", alpha, 0)
    if number > 1 and method in ALPHAS:
        raise OptionError(
            f"alpha is {number}; for {method!r} it is {ALPHAS[method]}, and must be from 0 to 1"
        )
    return number


def as_seed(seed: int) -> int:
    """A seed as the core takes it.

    Raises:
        OptionError: it is no whole number.
    """
    return as_whole("seed", seed, None) & _SEEDS
