"""What a request costs: tokens × price, exactly.

Rule.    cost = input tokens × input price + output tokens × output price, each price for a million
         tokens. A price may rise above a number of input tokens (a tier); then all tokens of the
         request, of the input and of the output, have the price of the highest tier that is
         passed, as providers bill it.
         Everything is decimal, and nothing is rounded: 0.1 + 0.2 is 0.3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, InvalidOperation

from kugiri.errors import OptionError, shown
from kugiri.inputs import as_whole

Amount = Decimal | int | float | str
"""What a price may be given as; a float is the number that it is written as."""

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Sums and products take the digits that they need; nothing here is divided."""

MOST_PRICE, _DECIMALS = 10**12, 18
"""No price of a million tokens is larger or finer; it bounds the digits of a product."""


@dataclass(frozen=True)
class Cost:
    """The money for a request, or for several.

    Attributes:
        input, output: what the tokens of each cost.
        currency: of both.
    """

    input: Decimal
    output: Decimal
    currency: str

    @property
    def total(self) -> Decimal:
        """Both."""
        return _EXACT.add(self.input, self.output)

    def __add__(self, other: Cost) -> Cost:
        """Of both.

        Raises:
            OptionError: the currencies differ.
        """
        if not isinstance(other, Cost):
            return NotImplemented
        self._same_currency(other)
        return Cost(
            _EXACT.add(self.input, other.input),
            _EXACT.add(self.output, other.output),
            self.currency,
        )

    def __sub__(self, other: Cost) -> Cost:
        """By how much this one is more.

        Raises:
            OptionError: the currencies differ.
        """
        if not isinstance(other, Cost):
            return NotImplemented
        self._same_currency(other)
        return Cost(
            _EXACT.subtract(self.input, other.input),
            _EXACT.subtract(self.output, other.output),
            self.currency,
        )

    def __str__(self) -> str:
        """The total with its currency."""
        return f"{money(self.total)} {self.currency}"

    def _same_currency(self, other: Cost) -> None:
        if self.currency != other.currency:
            raise OptionError(
                f"{self.currency} and {other.currency} cannot be added; convert one of them first"
            )


@dataclass(frozen=True)
class Tier:
    """The prices of a request that is longer than others.

    Attributes:
        above: the number of input tokens that it must have more than.
        input, output: for a million tokens.
    """

    above: int
    input: Decimal
    output: Decimal


@dataclass(frozen=True, init=False)
class Price:
    """What a million tokens cost.

    Attributes:
        input, output: the prices of a million tokens of each.
        currency: of both.
        tiers: prices of longer requests, the shortest first.

    Example:
        >>> price = Price(3, 15)
        >>> cost = price.cost(174_212)
        >>> cost.total, cost.currency
        (Decimal('0.522636'), 'USD')
        >>> print(price.cost(174_212) - price.cost(170_900))
        0.009936 USD
    """

    input: Decimal
    output: Decimal
    currency: str
    tiers: tuple[Tier, ...]

    def __init__(
        self,
        input: Amount,
        output: Amount = 0,
        *,
        currency: str = "USD",
        tiers: tuple[Tier, ...] = (),
    ) -> None:
        """Check and keep.

        Raises:
            OptionError: a price is no number from 0, or the currency no word.
        """
        is_text = isinstance(currency, str) and currency.isprintable()
        if not is_text or len(currency.split()) != 1:
            raise OptionError(f"the currency is {shown(currency)}; it is a word, as USD or JPY")
        rising = [
            Tier(
                as_whole("above", tier.above),
                amount("the input price", tier.input),
                amount("the output price", tier.output),
            )
            for tier in sorted(tiers, key=lambda tier: tier.above)
        ]
        for name, value in (
            ("input", amount("the input price", input)),
            ("output", amount("the output price", output)),
            ("currency", currency.strip()),
            ("tiers", tuple(rising)),
        ):
            object.__setattr__(self, name, value)

    def cost(self, tokens: int, output_tokens: int = 0) -> Cost:
        """What one request costs.

        Args:
            tokens: of the input.
            output_tokens: of the answer.

        Raises:
            OptionError: a number of tokens is no whole number from 0.
        """
        its = self.at(tokens)
        return Cost(
            _for(tokens, its.input),
            _for(as_whole("output_tokens", output_tokens), its.output),
            self.currency,
        )

    def at(self, tokens: int) -> Price:
        """The price that a request of so many input tokens has, without tiers.

        Raises:
            OptionError: the number of tokens is no whole number from 0.
        """
        as_whole("tokens", tokens)
        passed = [tier for tier in self.tiers if tokens > tier.above]
        its = passed[-1] if passed else self
        return Price(its.input, its.output, currency=self.currency)


def _for(tokens: int, price: Decimal) -> Decimal:
    millions = _EXACT.multiply(Decimal(int(tokens)), price)
    return Decimal(plain(millions.scaleb(-6, _EXACT)))  # 0.0025, not 0.00250000


_NUMBER = re.compile(r"[0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]+)?")
"""A number as it is written everywhere; Decimal takes 1_0 and digits of any script too."""


def amount(name: str, value: Amount) -> Decimal:
    """A price as a decimal.

    Raises:
        OptionError: it is no finite number from 0, or a larger or finer one than any price.
    """
    wrong = OptionError(
        f"{name} is {shown(value)}; it must be a number from 0, as 2.50, at most {MOST_PRICE:,} "
        f"and with at most {_DECIMALS} decimals"
    )
    if isinstance(value, bool) or not isinstance(value, (Decimal, int, float, str)):
        raise wrong
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        raise wrong
    try:
        number = Decimal(str(value))
    except (InvalidOperation, ValueError):  # str() refuses integers of thousands of digits
        raise wrong from None
    if not number.is_finite() or number.is_signed() or number > MOST_PRICE:
        raise wrong
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or exponent < -_DECIMALS or exponent > len(str(MOST_PRICE)):
        raise wrong
    return number


def money(value: Decimal) -> str:
    """An amount with all its digits, and at least two decimals.

    Example:
        >>> money(Decimal("1234.5")), money(Decimal("-0.000012000")), money(Decimal("1E+3"))
        ('1,234.50', '-0.000012', '1,000.00')
    """
    whole, _, decimals = f"{value:,f}".partition(".")
    return f"{whole}.{decimals.rstrip('0').ljust(2, '0')}"


def plain(value: Decimal) -> str:
    """An amount with all its digits, for programs.

    Example:
        >>> plain(Decimal("1234.50")), plain(Decimal("1E+3"))
        ('1234.5', '1000')
    """
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
