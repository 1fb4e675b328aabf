"""What a template may cost: a hostile one ends in an error, not in a machine without memory.

Rule.    Each rendering has a budget. Every step of a template is charged for the nodes of its
         syntax, and every call, operator, comparison, filter and test for the characters and items
         that it reads and makes, before it makes them. When nothing is left, that is an error.
Cost.    A unit is what a character costs; all of the least budget is gone in seconds.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from kugiri.errors import EncodingError

LEAST = 10_000_000
"""What every template may cost; the longest of real ones take some ten thousand a message."""
TIMES = 100
"""How often it may go through all that it is given, beyond that."""
STEP = 10
"""What a node or an item costs; a character costs 1."""

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
            f"{LEAST:,} characters, and {TIMES} times those that it is given; use another template"
        )
    _left.set(left)


def bulk(value: Any) -> int:
    """How many characters or items a value has, whatever is in these."""
    return len(value) if isinstance(value, (str, range, list, tuple, Mapping)) else 1


def weigh(*values: Any) -> int:
    """What values hold, all the way down, or more than is left of the budget."""
    weight, pending, most = 0, list(values), _left.get()
    while pending and weight <= most:
        value = pending.pop()
        weight += STEP
        if isinstance(value, (str, range)):
            weight += len(value)
        elif isinstance(value, Mapping):
            weight += 2 * len(value)
            pending += [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple, KeysView, ValuesView, ItemsView)):
            weight += len(value)
            pending += value
    return weight
