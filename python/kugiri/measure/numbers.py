"""Numbers as they are read: no more digits than their interval gives meaning to."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import median_high

from kugiri.measure.report import Value

_FIGURES = 4
"""Significant figures of a number that has no interval."""
_MOST = 6
"""Decimals that are never exceeded."""
_STEPS = 4
"""An interval is at least so many steps of its last decimal wide."""


def decimals(value: float | None, low: float | None = None, high: float | None = None) -> int:
    """How many decimals a value deserves: so many that its interval can be seen.

    Example:
        >>> decimals(3.21456, 3.18, 3.25), decimals(123456.0, 120000, 127000), decimals(0.52341)
        (2, 0, 4)
    """
    if value is None or not math.isfinite(value) or value == 0:
        return 0
    wide = high - low if low is not None and high is not None else 0
    if wide > 0:
        return min(max(-math.floor(math.log10(wide / _STEPS)), 0), _MOST)
    if value == int(value):
        return 0
    return min(max(_FIGURES - 1 - math.floor(math.log10(abs(value))), 0), _MOST)


def decimals_of(values: Iterable[Value]) -> int:
    """How many decimals values deserve that stand together: as most of their intervals give."""
    found = list(values)
    wide = [it for it in found if it.low is not None and it.high is not None and it.high > it.low]
    if not wide:
        return max((decimals(it.value, it.low, it.high) for it in found), default=0)
    return median_high(decimals(it.value, it.low, it.high) for it in wide)


def significant(value: float) -> str:
    """A number in three figures, or all of those before its point.

    Example:
        >>> significant(4.0), significant(0.05123), significant(120345.6), significant(0)
        ('4.00', '0.0512', '120,346', '0')
    """
    if not value or not math.isfinite(value):
        return number(value, 0)
    return number(value, min(max(2 - math.floor(math.log10(abs(value))), 0), _MOST))


def number(value: float | None, places: int) -> str:
    """A number with so many decimals; a minus sign that is one.

    Example:
        >>> number(-1234.5678, 1), number(None, 2)
        ('−1,234.6', '–')
    """
    if value is None:
        return "–"
    shown = f"{value:,.{places}f}"
    return shown.replace("-", "−") if float(shown.replace(",", "")) else shown.lstrip("-")


def between(low: float | None, high: float | None, places: int) -> str:
    """An interval, nothing where there is none.

    Example:
        >>> between(3.1, 3.25, 2), between(None, None, 2)
        ('3.10–3.25', '')
    """
    if low is None or high is None:
        return ""
    ends = number(low, places), number(high, places)
    return (" to " if "−" in "".join(ends) else "–").join(ends)


def percent(share: float, low: float, high: float) -> tuple[str, str]:
    r"""A share as percent, and its interval; an end that is not zero is not shown as zero.

    Example:
        >>> percent(0.114, 0.108, 0.121), percent(0.0034, 0.0031, 0.0036)
        (('11.4\xa0%', '10.8–12.1\xa0%'), ('0.34\xa0%', '0.31–0.36\xa0%'))
        >>> percent(0.2, 0.003, 0.32)
        ('20.0\xa0%', '0.3–32.0\xa0%')
    """
    places = min(decimals(share * 100, low * 100, high * 100), 2)
    while places < _MOST and any(end and not round(end * 100, places) for end in (low, high)):
        places += 1
    ends = between(low * 100, high * 100, places)
    return f"{number(share * 100, places)}\N{NO-BREAK SPACE}%", f"{ends}\N{NO-BREAK SPACE}%"


def listed(names: list[str], last: str = "and") -> list[str]:
    """Names and what stands between them.

    Example:
        >>> "".join(listed(["a", "b", "c"])), "".join(listed(["a"]))
        ('a, b and c', 'a')
    """
    parts = []
    for at, name in enumerate(names):
        if at:
            parts.append(f" {last} " if at == len(names) - 1 else ", ")
        parts.append(name)
    return parts
