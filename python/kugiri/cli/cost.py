"""What the files of `kugiri count` cost: options, columns of the table, parts of the JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from kugiri.cli.display import in_percent, number_or_dash
from kugiri.cli.legend import OVER
from kugiri.cli.options import Whole
from kugiri.cost.price import money, plain

if TYPE_CHECKING:
    from kugiri.cost import Cost, Model, Price

_Command = TypeVar("_Command", bound=Callable[..., Any])


def cost_options(command: _Command) -> _Command:
    """Give a command the arguments of `Bill.of`."""
    count = Whole(min=0)
    for option in reversed((
        click.option("--model", metavar="NAME", help="Prices, context and tokenizer of a model."),
        click.option("--price-in", metavar="N", help="Price of a million tokens."),
        click.option("--price-out", metavar="N", help="Price of a million tokens of answers."),
        click.option("--currency", metavar="NAME", help="Of these prices (USD)."),
        click.option("--output-tokens", type=count, metavar="N", help="Tokens of each answer."),
        click.option(
            "--context", type=Whole(min=1), metavar="N", help="Tokens that a model takes."
        ),
        click.option("--layers", type=count, metavar="N", help="Of a model: show its attention."),
        click.option("--dimension", type=count, metavar="N", help="Of a model, with --layers."),
    )):  # fmt: skip
        command = option(command)
    return command


class Sized(NamedTuple):
    """One request: a file, or a chat.

    Attributes:
        characters: None where they say nothing.
        tokens: of the request.
    """

    characters: int | None
    tokens: int


class Bill(NamedTuple):
    """What is known of the costs of a request.

    Attributes:
        price, window: None where nobody says.
        output_tokens: of each answer.
        layers, dimension: of the model; None where its attention is of no interest.
        model: as it is sold; None where its prices were given, or no model was.
    """

    price: Price | None
    window: int | None
    output_tokens: int
    layers: int | None
    dimension: int | None
    model: Model | None

    @classmethod
    def of(
        cls,
        *,
        model: str | None,
        price_in: str | None,
        price_out: str | None,
        currency: str | None,
        output_tokens: int | None,
        context: int | None,
        layers: int | None,
        dimension: int | None,
    ) -> Bill:
        """Check the options and look up the model, if its prices are not given."""
        if price_in is None and (price_out, currency) != (None, None):
            raise click.UsageError("--price-out and --currency are for --price-in; give that too")
        if (layers is None) != (dimension is None):
            raise click.UsageError("attention has --layers and a --dimension; give both")
        if output_tokens is not None and (model, price_in, context) == (None, None, None):
            raise click.UsageError("--output-tokens is for --model, --price-in or --context")
        if output_tokens and price_in is not None and price_out is None:
            raise click.UsageError("--output-tokens have a price; give --price-out too")
        if price_out is not None and output_tokens is None:
            raise click.UsageError("--price-out is that of --output-tokens; give those too")
        price, found = None, None
        if price_in is not None:
            from kugiri.cost import Price

            price = Price(
                price_in,
                0 if price_out is None else price_out,
                currency="USD" if currency is None else currency,
            )
        elif model is not None:
            from kugiri.cost import find_model

            found = find_model(model)
            price = found.price
        window = context or (found.context_window if found else None)
        return cls(price, window, output_tokens or 0, layers, dimension, found)

    @property
    def is_asked(self) -> bool:
        """Whether there is anything to say."""
        return self != Bill(None, None, 0, None, None, None)

    def cost(self, request: Sized) -> Cost | None:
        """The money."""
        return self.price.cost(request.tokens, self.output_tokens) if self.price else None

    def columns(self) -> list[str]:
        """What the table has more."""
        names = []
        if self.price:
            names += ["in", "out"] if self.output_tokens else []
            names.append(f"cost ({self.price.currency})")
        names += ["context", "fits"] if self.window else []
        return names + (["attention"] if self.layers is not None else [])

    def cells(self, request: Sized) -> list[str]:
        """What the row of a request has more."""
        cost = self.cost(request)
        cells = self._money(cost) if cost else []
        if self.window:
            share, fits = self._room(request)
            cells += [f"{OVER if share > 1 else ''}{share:.1%}", number_or_dash(fits)]
        if self.layers is not None:
            cells.append(f"{self._attention(request):.2e}")
        return cells

    def several_cells(self, cost: Cost | None, sign: str = "") -> list[str]:
        """What a row of several requests has more; what a model takes at once says nothing of it.

        A difference has a sign.
        """
        return (self._money(cost, sign) if cost else []) + ["–"] * self._of_one

    def percent_cells(self, before: Cost, after: Cost) -> list[str]:
        """By how much more, in percent."""
        pairs = [(before.total, after.total)]
        if self.output_tokens:
            pairs = [(before.input, after.input), (before.output, after.output), *pairs]
        return [in_percent(*pair) for pair in pairs] + ["–"] * self._of_one

    def share(self, part: int, whole: int) -> Cost | None:
        """The money for a part of a request, at the price that the whole has."""
        return self.price.at(whole).cost(part) if self.price else None

    def share_cells(self, part: int, whole: int) -> list[str]:
        """What the row of a part has more."""
        cost = self.share(part, whole)
        cells = self._money(cost) if cost else []
        if self.output_tokens and cells:
            cells[1] = "–"
        return cells + ["–"] * self._of_one

    @property
    def _of_one(self) -> int:
        """The number of columns that single requests have."""
        return 2 * bool(self.window) + (self.layers is not None)

    def _money(self, cost: Cost, sign: str = "") -> list[str]:
        amounts = [cost.input, cost.output] if self.output_tokens else []
        return [f"{sign if it > 0 else ''}{money(it)}" for it in [*amounts, cost.total]]

    def parts(self, request: Sized) -> dict[str, Any]:
        """What the JSON of a request has more; amounts are strings, with all their digits."""
        cost = self.cost(request)
        parts: dict[str, Any] = {"cost": money_parts(cost)} if cost else {}
        if self.window:
            parts["context_share"], parts["characters_that_fit"] = self._room(request)
        if self.layers is not None:
            parts["attention_flops"] = self._attention(request)
        return parts

    def described(self) -> dict[str, Any]:
        """Where the numbers are from, for JSON."""
        parts: dict[str, Any] = {"output_tokens": self.output_tokens}
        if self.price:
            tiers = [
                {"above": it.above, "input": plain(it.input), "output": plain(it.output)}
                for it in self.price.tiers
            ]
            parts["price"] = {
                "input": plain(self.price.input),
                "output": plain(self.price.output),
                "per_tokens": 1_000_000,
                "currency": self.price.currency,
                "tiers": tiers,
            }
        if self.window:
            parts["context_window"] = self.window
        if self.model:
            parts["model"] = {
                "name": self.model.name,
                "provider": self.model.provider,
                "source": self.model.source,
                "dated": self.model.dated and self.model.dated.isoformat(),
            }
        return parts

    def lines(self) -> list[str]:
        """Where the numbers are from, for people."""
        if not self.model:
            return []
        its, price = self.model, self.model.price
        dated = f", newest change in force {its.dated}" if its.dated else ""
        lines = [
            f"{its.name} of {its.provider}: {money(price.input)} in and {money(price.output)} out, "
            f"{price.currency} for a million tokens ({its.source}{dated})"
        ]
        lines += [
            f"above {it.above:,} tokens in: {money(it.input)} in and {money(it.output)} out"
            for it in price.tiers
        ]
        if self.window:
            lines.append(f"context: {self.window:,} tokens")
        return lines

    def _room(self, request: Sized) -> tuple[float, int | None]:
        from kugiri.cost import characters_that_fit, context_share

        window = self.window or 0
        share = context_share(request.tokens, window, self.output_tokens)
        if request.characters is None:
            return share, None
        fits = characters_that_fit(request.characters, request.tokens, window, self.output_tokens)
        return share, fits

    def _attention(self, request: Sized) -> int:
        from kugiri.cost import attention_flops

        return attention_flops(request.tokens, self.layers or 0, self.dimension or 0)


def money_parts(cost: Cost) -> dict[str, str]:
    """A cost as JSON."""
    return {
        "input": plain(cost.input),
        "output": plain(cost.output),
        "total": plain(cost.total),
        "currency": cost.currency,
    }
