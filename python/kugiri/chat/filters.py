"""The filters and functions of chat templates.

Rule.    Those of Jinja are kept whose result is made of what they are given, and others are
         written here with texts that know their origin. All others are refused by name. Tests
         read all of what they are given, but for those of which it is known that they do not.
Cost.    Each is charged for what it reads and what it makes.
Source.  Jinja 3.1 for their meaning; transformers 5.24 for tojson, raise_exception, strftime_now.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import wraps
from types import NoneType
from typing import Any

from jinja2.exceptions import SecurityError, TemplateError
from jinja2.runtime import Undefined
from jinja2.utils import Namespace

from kugiri.chat.budget import STEP, bulk, charge, weigh, weighed
from kugiri.chat.numbers import whole_number
from kugiri.chat.runs import CONTENT, Origin
from kugiri.chat.traced import Traced, joined, plain, traced
from kugiri.warned import warn


def nothing(*values: Any) -> int:
    """The weight of what only passes a value on."""
    return 0


def _bulk(values: tuple[Any, ...], named: Mapping[str, Any]) -> int:
    return STEP * sum(map(bulk, values))


KEPT: dict[str, Callable[..., int]] = {
    **dict.fromkeys(("abs", "count", "d", "default", "first", "items", "last", "length"), nothing),
    **dict.fromkeys(("map", "reject", "rejectattr", "select", "selectattr"), _bulk),
    **dict.fromkeys(("float", "list", "reverse"), _bulk),
    **dict.fromkeys(("dictsort", "groupby", "max", "min", "sort", "unique"), weigh),
}
"""The filters of Jinja that are kept, and what each is charged for what it is given."""

ANSWERING = (
    "boolean", "callable", "defined", "escaped", "false", "float", "integer", "iterable", "mapping",
    "none", "number", "sameas", "sequence", "string", "true", "undefined",
)  # fmt: skip
"""The tests of Jinja that do not read what they are given."""

REFUSED_FUNCTIONS = ("cycler", "joiner", "lipsum")
"""The functions of Jinja that are left out."""

_WIDEST = 16
"""How far a line may be indented, and how long a separator of JSON may be."""


def charged(function: Callable[..., Any], weight: Callable[..., int] = weigh) -> Callable[..., Any]:
    """The same at a price."""
    passed = int(hasattr(function, "jinja_pass_arg"))  # the context or the environment

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if weight is weigh:
            args = (*args[:passed], *map(weighed, args[passed:]))
            kwargs = {name: weighed(value) for name, value in kwargs.items()}
        charge(STEP + (0 if weight is weigh else weight(args[passed:], kwargs)))
        result = function(*args, **kwargs)
        charge(STEP * len(result) if isinstance(result, list) else 1)
        return result

    return call


def refused(what: str) -> Callable[..., Any]:
    """What says that it is not run."""

    def call(*args: Any, **kwargs: Any) -> None:
        raise SecurityError(f"{what} is not run in chat templates")

    return call


def text_of(value: Any) -> Traced:
    """A value as it is put out."""
    if isinstance(value, str):
        return traced(value)
    charge(weigh(value))
    _require_plain(value)
    origin = _content_of(value)
    if origin.message is not None and origin.field == "content":
        warn(
            f"the chat template writes the content of message {origin.message} as Python writes "
            f"a {type(value).__name__}: it has no place for content in parts; give a text",
            stacklevel=2,
            kind="parts",
            message=origin.message,
        )
    return Traced.of(str(value), origin)


def _require_plain(value: Any) -> None:
    """Refuse what has no text of its own, and may write itself at any length."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, Mapping):
            pending += [*part.keys(), *part.values()]
        elif isinstance(part, (list, tuple)):
            pending += part
        elif not isinstance(part, (str, int, float, NoneType, Undefined)):
            raise SecurityError(f"a {type(part).__name__} cannot be put out in chat templates")


def _method(name: str) -> Callable[..., Traced]:
    def call(value: Any, *args: Any) -> Traced:
        text: Traced = getattr(text_of(value), name)(*args)
        return text

    return call


def _join(values: Iterable[Any], d: str = "", attribute: str | int | None = None) -> Traced:
    if attribute is not None:
        values = [value[attribute] for value in values]
    return traced(d).join(text_of(value) for value in values)


def _replace(value: Any, old: str, new: str, count: int | None = None) -> Traced:
    return text_of(value).replace(old, new, -1 if count is None else count)


def _indent(value: Any, width: int | str = 4, first: bool = False, blank: bool = False) -> Traced:
    text = text_of(value)
    margin = traced(width) if isinstance(width, str) else Traced(" " * _width(width))
    head, *others = joined([text, "\n"]).splitlines()
    lines = [margin + line if blank or line else line for line in others]
    return Traced.of("\n", text._only_origin()).join([margin + head if first else head, *lines])


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> Traced:
    """JSON as it stands, content of the message that its texts are of."""
    charge(weigh(value))
    for separator in separators or ():
        _require_short(separator)
    encoder = json.JSONEncoder(
        ensure_ascii=bool(ensure_ascii),
        indent=None if indent is None else _width(indent),
        separators=separators,
        sort_keys=bool(sort_keys),
    )
    written = encoder.encode(value) if indent is None else _written_in_lines(encoder, value)
    return Traced.of(written, _content_of(value))


def _written_in_lines(encoder: json.JSONEncoder, value: Any) -> str:
    """Margins may take much more room than the value."""
    parts = []
    for part in encoder.iterencode(value):
        charge(len(part))
        parts.append(part)
    return "".join(parts)


def _content_of(value: Any) -> Origin:
    """What the text of a value is: of the message, and the field, that all its texts are of."""
    origins = [its for its in _origins(value) if not its.template]
    messages, fields = {its.message for its in origins}, {its.field for its in origins}
    if len(messages) != 1:
        return CONTENT
    return Origin(messages.pop(), field=fields.pop() if len(fields) == 1 else None)


def _origins(value: Any) -> Iterator[Origin]:
    """Those of all texts in a value."""
    if isinstance(value, str):
        yield from (origin for _, origin in traced(value)._runs)
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from _origins(pair)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _origins(item)


def _width(width: Any) -> int:
    if not isinstance(width, int) or not 0 <= width <= _WIDEST:
        raise SecurityError(f"an indent is 0 to {_WIDEST} in chat templates; {width!r:.20} came")
    return width


def _require_short(separator: Any) -> None:
    if not isinstance(separator, str) or len(separator) > _WIDEST:
        raise SecurityError(
            f"a separator is a text of at most {_WIDEST} characters in chat templates; "
            f"{separator!r:.20} came"
        )


# ── functions ─────────────────────────────────────────────────────────────────────────────────
def _raise_exception(message: Any) -> None:
    raise TemplateError(plain(text_of(message)))


def _strftime_now(format: str) -> Traced:
    """The time, the template's own where its format is."""
    if len(format) > 100 or any(character.isdigit() for character in format):
        raise SecurityError(f"strftime_now takes a short format without widths; {format!r:.60}")
    return Traced.of(datetime.now().strftime(format), traced(format)._only_origin())


class _Namespace(Namespace):
    """A namespace without names that mean something to Python."""

    def __init__(*args: Any, **kwargs: Any) -> None:
        """Refuse such names."""
        self, values = args[0], dict(*args[1:], **kwargs)
        for name in values:
            _check_name(name)
        Namespace.__init__(self, values)

    def __setitem__(self, name: str, value: Any) -> None:
        """Refuse such a name."""
        _check_name(name)
        Namespace.__setitem__(self, name, value)


def _check_name(name: Any) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(f"{name!r:.60} is no name for a namespace in chat templates")


class Dict:
    """dict without what else the class of that name offers."""

    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """A dict."""
        return dict(*args, **kwargs)

    def fromkeys(self, keys: Iterable[Any], value: Any = None) -> dict[Any, Any]:
        """One with the same value everywhere."""
        return dict.fromkeys(keys, value)


FILTERS: dict[str, Callable[..., Any]] = {
    "int": charged(whole_number),
    "join": charged(_join),
    "replace": charged(_replace),
    "indent": charged(_indent),
    "tojson": charged(_tojson),
    "safe": charged(text_of),
    "string": charged(text_of),
    "trim": charged(_method("strip")),
    **{name: charged(_method(name)) for name in ("capitalize", "lower", "title", "upper")},
}
GLOBALS: dict[str, Any] = {
    "dict": Dict(),
    "namespace": _Namespace,
    "raise_exception": _raise_exception,
    "strftime_now": _strftime_now,
}
