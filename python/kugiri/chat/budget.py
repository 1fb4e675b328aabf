"""What a template may cost: a hostile one ends in an error, not in a machine without memory.

Rule.    Each rendering has a budget. Every step of a template is charged for the nodes of its
         syntax, and every call, operator, comparison, filter and test for the characters and items
         that it reads and makes, before it makes them. When nothing is left, that is an error.
Cost.    A unit is a character, an item or a node: well below a microsecond.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from kugiri.errors import EncodingError

LEAST = 10_000_000
"""What every template may cost; the longest of real ones take some ten thousand a message."""
TIMES = 100
"""How often it may go through all that it is given, beyond that."""

_left: ContextVar[int] = ContextVar("_left", default=LEAST)


@contextmanager
def budget(size: int) -> Iterator[None]:
    """What a rendering may cost that is given so many characters and items."""
    token = _left.set(LEAST + TIMES * size)
    try:
        yield
    finally:
        _left.reset(token)


def charge(units: int) -> None:
    """Take from what is left.

    Raises:
        EncodingError: there is not so much.
    """
    left = _left.get() - units
    if left < 0:
        raise EncodingError(
            "the chat template takes too many steps or too much memory: more than "
            f"{LEAST:,} and {TIMES} for each character that it is given; use another template"
        )
    _left.set(left)


def weigh(*values: Any) -> int:
    """How many characters and items values hold, or more than is left of the budget."""
    weight, pending, most = 0, list(values), _left.get()
    while pending and weight <= most:
        value = pending.pop()
        if isinstance(value, str):
            weight += len(value) + 1
        elif isinstance(value, Mapping):
            weight += 2 * len(value)
            pending += [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple)):
            weight += len(value)
            pending += value
        else:
            weight += len(value) if isinstance(value, range) else 1
    return weight
