"""JSON documents whose large tables stay bytes until the core reads them into flat buffers.

Rule.    An object is cut into its values (`fields`). A small value becomes Python objects
         (`value`); a large one goes to one of the core's table readers (`table`). Keys that stand
         twice, strings that are not Unicode and nesting without end are errors.
Cost.    One scan for each level that is cut, one pass over each value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, Concatenate, Literal, NamedTuple, ParamSpec, TypeVar, get_args, get_origin

import msgspec

from kugiri import _core, spec
from kugiri.errors import FormatError
from kugiri.tables import Column, Tokens

DEEPEST = 100
"""How many arrays and objects may stand in one another: 50 of the parts that hold others."""

T = TypeVar("T")
P = ParamSpec("P")


class Json(NamedTuple):
    """A JSON value as it stands in a file; the readers of the core take it as it is.

    Attributes:
        whole: the bytes of the file.
        offset: where in it the value begins.
        end: where it ends; None at the end of the file.
    """

    whole: bytes
    offset: int = 0
    end: int | None = None

    @property
    def data(self) -> bytes:
        """Its bytes."""
        return self.whole[self.offset : self.end]

    def fields(self) -> dict[str, Json]:
        """The values of an object by key.

        Raises:
            FormatError: it is no object, is malformed, or has a key twice.
        """
        places = self.table(_core.split_object)
        first = self.offset
        return {key: Json(self.whole, first + start, first + end) for key, start, end in places}

    def table(self, read: Callable[Concatenate[Json, P], T], *args: P.args, **kw: P.kwargs) -> T:
        """Have a reader of the core read it; the byte in its error becomes one of the file.

        Raises:
            FormatError: the reader refuses it.
        """
        try:
            return read(self, *args, **kw)
        except FormatError as error:
            error.offset = self.offset + (error.offset or 0)
            raise

    def value(self) -> Any:
        """The value as Python objects.

        Raises:
            FormatError: it is malformed, nested without end, or has a key twice.
        """
        try:
            value = msgspec.json.decode(self.data)
            _require_shallow(value, "it")
            if (twice := _core.repeated_key(self)) is not None:
                raise FormatError(f"the key {twice!r} stands twice in one object")
        except RecursionError:
            raise FormatError("nested too deeply", offset=self.offset) from None
        except FormatError as error:
            error.offset = self.offset
            raise
        except ValueError as error:  # msgspec's errors are ValueErrors
            place = re.search(r" \(byte (\d+)\)", str(error))
            message = str(error).replace(place[0], "") if place else str(error)
            at = self.offset + (int(place[1]) if place else 0)
            raise FormatError(message, offset=at) from None
        return value


def _require_shallow(value: Any, where: str) -> None:
    holders = (dict, list, tuple)
    level = [value] if isinstance(value, holders) else []
    for _ in range(DEEPEST):
        level = [
            inner
            for part in level
            for inner in (part.values() if isinstance(part, dict) else part)
            if isinstance(inner, holders)
        ]
        if not level:
            return
    raise FormatError(
        f"{where} is nested too deeply: more than {DEEPEST} arrays and objects stand in one "
        f"another; put the parts of a Sequence side by side"
    )


def convert(value: Any, to: Any, where: str) -> Any:
    """Turn plain JSON data, null where a table stands, into the classes of the spec.

    Raises:
        FormatError: it does not fit, with the path in it that does not.
    """
    _require_shallow(value, where)
    try:
        return msgspec.convert(value, to, dec_hook=_stand_in)
    except RecursionError:
        raise FormatError(f"{where} is nested too deeply") from None
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        place = f"{where}{path.rstrip('`')}"
        came = message.removeprefix("Invalid enum value ")
        allowed = _words_of(spec).get(path.rstrip("`").rpartition(".")[2])
        if came == message or allowed is None:
            raise FormatError(f"{place}: {message}") from None
        raise FormatError(f"{place} is {came}; allowed: {', '.join(allowed)}") from None


def _words_of(module: ModuleType) -> dict[str, tuple[str, ...]]:
    """The fields of a module's classes that hold one of a few words, and which these are.

    Fields of one name may be the same. It takes milliseconds, so only an error asks for it.
    """
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
    return {
        field.name: get_args(field.type)
        for kind in kinds
        if issubclass(kind, msgspec.Struct)
        for field in msgspec.structs.fields(kind)
        if get_origin(field.type) is Literal
    }


def _stand_in(kind: type, value: Any) -> Any:
    """What the fields of tables hold until the tables are read."""
    if value is not None:
        raise ValueError("a table has no place here")
    return Tokens.from_iter([]) if kind is Tokens else Column(b"", "float64")


def only(given: Iterable[str], allowed: Iterable[str], what: str) -> None:
    """Refuse keys that nobody reads.

    Raises:
        FormatError: one of `given` is not in `allowed`.
    """
    allowed = list(allowed)
    for key in given:
        if key not in allowed:
            raise FormatError(f"unknown key {key!r} in {what}; allowed: {', '.join(allowed)}")
