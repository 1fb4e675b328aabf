"""What a template may cost: a hostile one ends in an error, not in a machine without memory.

Rule.    Each rendering has a budget. Every step of a template is charged for the nodes of its
         syntax, and every call, operator, comparison, filter and test for the characters and items
         that it reads and makes, before it makes them: all the way down where values may be
         compared or hashed, and where a template writes a list or an object. When nothing is left,
         that is an error, as is a value that is nested too deeply, of which Python cannot make a
         hash without a crash. Values whose hashes can be chosen are dear, since a dict with keys
         of one hash takes the square of their number.
Cost.    A unit is what a character costs; all of the least budget is gone in seconds.
"""

from __future__ import annotations

from collections.abc import (
    Collection,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    ValuesView,
)
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from kugiri.errors import EncodingError

LEAST = 10_000_000
"""What every template may cost; the longest of real ones take some ten thousand a message."""
TIMES = 100
"""How often it may go through all that it is given, beyond that."""
STEP = 10
"""What a node, an item or a run of one origin costs; a character costs 1."""
COPIED = 4
"""How many characters are put together for the price of one that is read."""
CHOSEN = 4_000
"""What a value costs whose hash can be chosen; those of texts are drawn anew by each process."""
DEEPEST = 200
"""How many lists and objects may stand in one another."""

_BITS_OF_A_HASH = 60
"""Whole numbers of so many bits have hashes of their own."""
_HOLDING = (list, tuple, KeysView, ValuesView, ItemsView)
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
    """What values hold, all the way down, or more than is left of the budget.

    Raises:
        EncodingError: one is nested too deeply.
    """
    weight, level, most = 0, list(values), _left.get()
    for _ in range(DEEPEST + 1):
        below: list[Any] = []
        for value in level:
            weight += STEP + _by_itself(value)
            parts = _parts(value)
            weight += len(parts)
            if weight > most:
                return weight
            below += parts
        if not below:
            return weight
        level = below
    raise EncodingError(
        f"the chat template nests values too deeply: more than {DEEPEST} lists and objects in one "
        "another; use another template"
    )


def _by_itself(value: Any) -> int:
    """What a value costs beyond its parts: characters and runs of origins beyond one, digits."""
    if isinstance(value, str):
        return len(value) + STEP * max(0, len(getattr(value, "_runs", ())) - 1)
    if isinstance(value, int):
        bits = value.bit_length()
        return bits // 3 + CHOSEN * (bits > _BITS_OF_A_HASH)
    if isinstance(value, tuple):
        return CHOSEN * any(isinstance(part, (int, float, range, tuple)) for part in value)
    return len(value) + CHOSEN if isinstance(value, range) else 0


def _parts(value: Any) -> Collection[Any]:
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, _HOLDING) else ()


def weighed(value: Any) -> Any:
    """The value, paid for; of what gives its items one by one, each is paid for when it comes."""
    charge(weigh(value))
    return _each(value) if isinstance(value, Iterator) else value


def _each(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        charge(weigh(value))
        yield value
