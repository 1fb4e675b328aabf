"""What published laws say of the size of a vocabulary, from the size of a model.

Rule.    Each gives the parameters of the vocabulary, and these divided by the dimension are its
         size. All were fitted to English text, so they stand beside what one's own text says.
Cost.    None.
Source.  Tao et al. 2024, "Scaling Laws with Vocabulary" (arXiv:2407.13623): three approaches, the
         tokens per character of English, and the dimension of a model by its parameters. There
         N are the parameters that are not the vocabulary's, d is the dimension, C the FLOPs.
"""

from __future__ import annotations

from math import exp, log, pow, sqrt

import msgspec

MOST = 200_000
"""The largest vocabulary that tokens_per_character was fitted to."""

_DIMENSIONS = {
    50e6: 512, 200e6: 768, 500e6: 1024, 1e9: 1536, 2e9: 2048, 5e9: 3200, 10e9: 4096, 20e9: 5120,
    50e9: 6048, 100e9: 8192, 200e9: 12288, 500e9: 16384,
}  # fmt: skip
_A2, _B = 0.1958424, 2.1241123
_EXPONENT, _EXPONENT_OF_VOCABULARY = 0.4466063, 0.6707375
"""Of the loss: its terms for the vocabulary and for the tokens, on which the size depends."""


class Law(msgspec.Struct, frozen=True):
    """What a law says.

    Attributes:
        name: of the law.
        size: of the vocabulary.
        basis: what it was found by.
    """

    name: str
    size: int
    basis: str


def laws(parameters: float, dimension: int, flops: float | None = None) -> list[Law]:
    """The three approaches for one model.

    Args:
        parameters: those that are not the vocabulary's.
        dimension: of an embedding.
        flops: of its training (None: the optimal number, by approach 1).

    Example:
        >>> [law.size for law in laws(7e9, 4096)]
        [62281, 67450, 59548]
    """
    budget = optimal_flops(parameters) if flops is None else flops
    return [
        Law("Tao 1", by_budget(parameters, dimension), "models of the same FLOPs"),
        Law(
            "Tao 2",
            by_derivative(parameters, dimension),
            "the least FLOPs at 33 M, and a power law from there",
        ),
        Law("Tao 3", by_loss(parameters, dimension, budget), "the least loss for these FLOPs"),
    ]


def dimension_of(parameters: float) -> int:
    """The usual dimension of a model.

    Example:
        >>> dimension_of(125e6), dimension_of(7e9), dimension_of(1e13)
        (768, 4096, 16384)
    """
    return next((d for most, d in _DIMENSIONS.items() if parameters <= most), 16384)


def tokens_per_character(size: float) -> float:
    """What English text takes with a BPE vocabulary of a size.

    Example:
        >>> [round(tokens_per_character(size), 4) for size in (32_000, 65_536, 128_000)]
        [0.2524, 0.2374, 0.2293]
    """
    logarithm = log(min(size, MOST))
    return 0.00639222 * logarithm**2 - 0.15811069 * logarithm + 1.20470122


def optimal_flops(parameters: float) -> float:
    """The FLOPs for which a model of so many parameters is the best one (approach 1)."""
    return pow(parameters * exp(2.4846510), 2)


def by_budget(parameters: float, dimension: int) -> int:
    """Approach 1: what models of the same FLOPs and different vocabularies reach."""
    return round(exp(-1.5890313) * pow(optimal_flops(parameters), 0.4163623) / dimension)


def by_derivative(parameters: float, dimension: int) -> int:
    """Approach 2: a power law through the size that the paper found at 33 million parameters.

    It was found there as the one at which the FLOPs for a text no longer fall. With the tokens of
    English as tokens_per_character has them the least lies elsewhere, for 33 million at 10,323.
    """
    return round(3_145_728 * pow(parameters / 33e6, 0.8353974) / dimension)


def by_loss(parameters: float, dimension: int, flops: float) -> int:
    """Approach 3: the least loss for so many FLOPs, whether or not they are the optimal number.

    The loss falls with the size as long as a larger vocabulary is worth the tokens that it takes
    away; the place where it does not is halved in, on a scale of powers.
    """
    low, high = 1e-3, 1e6
    for _ in range(100):
        middle = sqrt(low * high)
        if _slope(middle, parameters, dimension, flops) < 0:
            low = middle
        else:
            high = middle
    return round(low * 1e3)


def _slope(thousands: float, parameters: float, dimension: int, flops: float) -> float:
    """How the loss changes with the size, in the units of the fit: 10⁶, 10³, 10¹⁵."""
    d = dimension / 1e3
    all_parameters = parameters / 1e6 + thousands * d
    tokens = flops / 1e15 / (6 * all_parameters)
    fewer_tokens = tokens * d / all_parameters
    by_vocabulary = _EXPONENT_OF_VOCABULARY * _A2 * d
    by_tokens = _EXPONENT * _B * fewer_tokens / pow(tokens, _EXPONENT + 1)
    return by_tokens - by_vocabulary / pow(thousands * d, _EXPONENT_OF_VOCABULARY + 1)
