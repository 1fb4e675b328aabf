"""Warnings, and who hears them: Python's own, or a caller who asks for them as data.

Rule.    A warning goes to `warnings`; where somebody listens, it is kept for them and goes nowhere
         else. Who listens hears their own thread or task, and no other.
Cost.    None.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from kugiri.errors import KugiriWarning


class Warned(NamedTuple):
    """A warning as data.

    Attributes:
        words: what it says.
        kind: what it is of, where others than these words may say it; else "".
        values: what it names.
    """

    words: str
    kind: str
    values: Mapping[str, Any]


def warn(words: str, stacklevel: int, kind: str = "", **values: Any) -> None:
    """Warn as `warnings.warn` does, or tell whoever listens."""
    heard = _heard.get()
    if heard is None:
        warnings.warn(words, KugiriWarning, stacklevel + 1)
    else:
        heard.append(Warned(words, kind, values))


@contextmanager
def listening() -> Iterator[list[Warned]]:
    """Hear what is warned of, each warning as it comes."""
    heard: list[Warned] = []
    token = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(token)


_heard: ContextVar[list[Warned] | None] = ContextVar("_heard", default=None)
