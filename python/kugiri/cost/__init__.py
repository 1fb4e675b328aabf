"""What tokens cost: money, room in a context, arithmetic, parameters.

Nothing here asks the network. Prices are the caller's own, or those that the package genai-prices
brings along (`kugiri[prices]`).

Example:
    >>> from kugiri.cost import Price
    >>> print(Price("2.50", "10.00").cost(1_000, 500))
    0.0075 USD
"""

from kugiri.cost.models import ModelTokenizer, tokenizer_here, tokenizer_of
from kugiri.cost.price import Cost, Price, Tier
from kugiri.cost.published import Model, find_model
from kugiri.cost.size import (
    attention_flops,
    characters_that_fit,
    context_share,
    embedding_parameters,
)

__all__ = [
    "Cost",
    "Model",
    "ModelTokenizer",
    "Price",
    "Tier",
    "attention_flops",
    "characters_that_fit",
    "context_share",
    "embedding_parameters",
    "find_model",
    "tokenizer_here",
    "tokenizer_of",
]
