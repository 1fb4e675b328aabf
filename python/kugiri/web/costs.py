"""What tokens cost, and what share of a context they take.

Rule.    Prices that are given go before those of the model. Amounts are strings with all their
         digits. Which tokenizer a model has, and whether that is known, is said with them.
Cost.    A third of a second once, to read the price list.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from kugiri.cost import Price, context_share, find_model, tokenizer_of
from kugiri.cost.price import plain
from kugiri.cost.published import Model, UnknownModelError
from kugiri.warned import listening
from kugiri.web import requests as asked
from kugiri.web.failures import Failure, warnings_as_data
from kugiri.web.store import Store


def cost(store: Store, its: asked.Cost) -> dict[str, Any]:
    """The price of tokens."""
    if its.price_in is None and its.price_out is not None:
        raise Failure(400, "price_out came without price_in; give both", "price")
    asked_of = its.model if its.price_in is None else None
    with listening() as heard:
        model = _model(asked_of) if asked_of is not None else None
    price = model.price if model else None
    if its.price_in is not None:
        price = Price(its.price_in, its.price_out or 0)
    money = price.cost(its.tokens, its.output_tokens) if price else None
    window = its.context or (model.context_window if model else None)
    return {
        "warnings": warnings_as_data(heard),
        "total": plain(money.total) if money else None,
        "input": plain(money.input) if money else None,
        "output": plain(money.output) if money else None,
        "price_in": plain(_rate(price, its.tokens)) if price else None,
        "currency": money.currency if money else None,
        "model": f"{model.name} ({model.provider})" if model else None,
        "dated": model.dated.isoformat() if model and model.dated else None,
        "source": model.source if model else None,
        "context_window": window,
        "share": context_share(its.tokens, window, its.output_tokens) if window else None,
        "tokenizer": tokenizer_of(its.model)._asdict() if its.model is not None else None,
    }


def _model(name: str) -> Model:
    try:
        return find_model(name)
    except UnknownModelError as error:
        raise Failure(400, str(error), "unknown model", name=name, near=error.near) from None


def _rate(price: Price, tokens: int) -> Decimal:
    """What a million tokens of the input cost in a request of so many."""
    return next((it.input for it in reversed(price.tiers) if tokens > it.above), price.input)
