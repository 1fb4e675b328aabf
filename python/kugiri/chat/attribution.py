"""Which message a template is at: the one that its innermost loop over messages has reached."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any


class Message(dict[Any, Any]):
    """A message, with its number in the chat."""

    _number: int  # no template reaches a name like this, and none hides a field

    def __init__(self, number: int, fields: dict[Any, Any]) -> None:
        """Keep both."""
        super().__init__(fields)
        self._number = number


class Attribution:
    """The loops over messages that a rendering is inside of, by how deep they are nested.

    As a context, it is the current one.
    """

    def __init__(self) -> None:
        """At no message."""
        self._at: dict[int, int] = {}

    @property
    def message(self) -> int | None:
        """The number of the message."""
        return self._at[max(self._at)] if self._at else None

    def enter(self, depth: int, number: int) -> None:
        """A loop reaches a message."""
        self._at[depth] = number

    def leave(self, depth: int) -> None:
        """A loop ends."""
        self._at.pop(depth, None)

    def __enter__(self) -> None:
        """Become the current one."""
        self._token = _current.set(self)

    def __exit__(self, *error: object) -> None:
        """Leave it to the one before."""
        _current.reset(self._token)


_current: ContextVar[Attribution | None] = ContextVar("_current", default=None)


def current() -> Attribution:
    """That of the rendering that is under way; outside of one, at no message."""
    return _current.get() or Attribution()
