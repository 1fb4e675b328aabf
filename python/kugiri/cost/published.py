"""Prices and context windows of models that are sold, from the package genai-prices.

Rule.    The package brings its prices along as data, and nothing is fetched; a program that wants
         newer ones runs the package's own UpdatePrices first, and they are taken. A model is found
         by its name at its own provider, or as PROVIDER/MODEL. A provider may have announced
         several prices: that of the moment in question counts.
         Only input and output tokens are priced here: what is read from a cache, batches, and
         pictures have other prices. What a model takes for each request is said in a warning.
Cost.    0.3 s, once in a process.
Source.  genai-prices 0.2.3; its prices are USD for a million tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, Any

from kugiri.cost.price import Price, Tier, money
from kugiri.errors import KugiriError, OptionError, shown
from kugiri.lazy import lazy_module
from kugiri.warned import warn

if TYPE_CHECKING:
    import difflib
    from importlib import metadata
else:
    difflib = lazy_module("difflib")
    metadata = lazy_module("importlib.metadata")


@dataclass(frozen=True)
class Model:
    """A model as its provider sells it.

    Attributes:
        name: what the price list calls it.
        provider: who sells it.
        price: of its tokens, in USD.
        context_window: how many tokens it takes; None where the list does not say.
        source: the package with its version.
        dated: the day of the newest change in the list that is in force; it may have been announced
            before, so it does not say when the list was made. Of a list that was fetched, the day
            of that.
    """

    name: str
    provider: str
    price: Price
    context_window: int | None
    source: str
    dated: date | None


class UnknownModelError(OptionError):
    """A model that the price list has not.

    Attributes:
        near: names of models that it has and that look alike, at most three.
    """

    def __init__(self, message: str, near: Sequence[str]) -> None:
        """Keep the names beside the message, which has them too."""
        self.near = list(near)
        super().__init__(message)


def find_model(name: str, *, at: datetime | None = None) -> Model:
    """Look a model up in the price list.

    Args:
        name: as in requests to its provider; or PROVIDER/MODEL, as azure/gpt-4o.
        at: when the tokens are bought; now where it is left out.

    Raises:
        KugiriError: genai-prices is not installed.
        OptionError: the model is not in its list, or is not sold by the token.

    Example:
        >>> model = find_model("gpt-4o")  # doctest: +SKIP
        >>> print(model.price.cost(1_000, 500), model.context_window)  # doctest: +SKIP
        0.0075 USD 128000
    """
    if not isinstance(name, str) or not name:
        raise OptionError(f"the model is {shown(name)}; it must be a name, as gpt-4o")
    moment = (at or datetime.now(timezone.utc)).astimezone(timezone.utc)
    snapshot = _snapshot()
    provider, model = _look_up(snapshot, name)
    prices = model.get_prices(moment)
    return Model(
        name=model.id,
        provider=provider.name,
        price=_price(name, prices),
        context_window=model.context_window,
        source=f"genai-prices {metadata.version('genai-prices')}",
        dated=_dated(snapshot, moment.date()),
    )


def _snapshot() -> Any:
    try:
        from genai_prices.data_snapshot import get_snapshot
    except ImportError as error:
        raise KugiriError(
            "prices of models need the package genai-prices (and Python 3.11); "
            "pip install 'kugiri[prices]', or give the prices themselves"
        ) from error
    return get_snapshot()


def _look_up(snapshot: Any, name: str) -> tuple[Any, Any]:
    """The provider and the model of a name: the provider that it names, or the model's own."""
    seller, _, rest = name.partition("/")
    asked = next((it for it in snapshot.providers if rest and it.id == seller.lower()), None)
    try:
        if asked is None:
            found = snapshot.find_provider_model(name, None, None, None)
        else:
            found = snapshot.find_provider_model(rest, asked, None, None)
    except LookupError:
        raise _unknown(snapshot, name) from None
    return found[0], found[1]


def _unknown(snapshot: Any, name: str) -> UnknownModelError:
    """Name the nearest: models by their own name where that finds them, else with a provider."""
    sold = [(provider, model.id) for provider in snapshot.providers for model in provider.models]
    by_name: dict[str, str] = {}
    for provider, model in sold:
        full = f"{provider.id}/{model}"
        own = provider.model_match is not None and provider.model_match.is_match(model)
        by_name[full.lower()] = full
        if own or model.lower() not in by_name:
            by_name[model.lower()] = model if own else full
    close = difflib.get_close_matches(name.lower(), by_name, n=3)
    near = list(dict.fromkeys(by_name[it] for it in close))
    hint = f"; did you mean {' or '.join(near)}?" if near else ";"
    return UnknownModelError(
        f"no price of a model {shown(name)} is known{hint} genai-prices "
        f"{metadata.version('genai-prices')} has {len(sold):,} models of {len(snapshot.providers)} "
        f"providers, named as MODEL or PROVIDER/MODEL; or give the prices themselves",
        near,
    )


def _price(name: str, prices: Any) -> Price:
    """The prices of tokens; a model that answers with none, such as an embedding, has one alone."""
    input, output = prices.input_mtok, prices.output_mtok
    if input is None:
        raise OptionError(
            f"{shown(name)} is not sold by the input token, or its price is not known; "
            f"give the prices themselves"
        )
    if prices.requests_kcount is not None:
        warn(
            f"{name} also takes {money(Decimal(_at(prices.requests_kcount, 0)))} USD for 1,000 "
            f"requests, which is not counted here",
            stacklevel=4,
        )
    starts = sorted({tier.start for it in (input, output) for tier in getattr(it, "tiers", ())})
    return Price(
        _at(input, 0),
        _at(output, 0),
        tiers=tuple(Tier(start, _at(input, start + 1), _at(output, start + 1)) for start in starts),
    )


def _at(price: Any, tokens: int) -> Decimal:
    """A price at a number of input tokens; nothing where there is none."""
    if price is None:
        return Decimal(0)
    if isinstance(price, Decimal):
        return price
    passed = [tier.price for tier in price.tiers if tokens > tier.start]
    return Decimal(passed[-1] if passed else price.base)


def _dated(snapshot: Any, today: date) -> date | None:
    if snapshot.from_auto_update:
        return date.fromordinal(snapshot.timestamp.toordinal())
    models = chain.from_iterable(provider.models for provider in snapshot.providers)
    starts = chain.from_iterable(_starts(model.prices) for model in models)
    return max((start for start in starts if start <= today), default=None)


def _starts(prices: Any) -> list[date]:
    conditions = [it.constraint for it in prices] if isinstance(prices, list) else []
    return [it.start_date for it in conditions if hasattr(it, "start_date")]
