"""Numbers in chat templates: few bits, and operators that do no more than count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2.exceptions import SecurityError
from jinja2.filters import do_int
from jinja2.runtime import Undefined

_BITS = 4000
"""What a whole number may have."""


def require_number(operator: str, value: Any) -> None:
    """Refuse what an operator of numbers does to texts, or to the keys of a dict."""
    if not isinstance(value, (int, float, Undefined)):
        what = "a text" if isinstance(value, str) else f"a {type(value).__name__}"
        raise SecurityError(f"{operator} on {what} is not run in chat templates")


def require_small(*values: Any) -> Any:
    """The last of these; whole numbers have few bits."""
    for value in values:
        if isinstance(value, int) and value.bit_length() > _BITS:
            raise SecurityError(f"a number of more than {_BITS} bits came in a chat template")
    return values[-1]


def whole_number(value: Any, default: int = 0, base: int = 10) -> Any:
    """A whole number, of few digits at that."""
    return require_small(do_int(value, default, base))


def _remainder(value: Any, number: Any) -> Any:
    require_number("%", value)
    require_number("%", number)
    require_small(value, number)
    return value % number


TESTS: dict[str, Callable[..., bool]] = {
    "divisibleby": lambda value, number: _remainder(value, number) == 0,
    "even": lambda value: _remainder(value, 2) == 0,
    "odd": lambda value: _remainder(value, 2) == 1,
}
