"""How a file spells what a spec says: kept, so that it can be written back as it was.

Rule.    A reader understands a document; what it would have written itself for the same spec may
         differ: an older form, a default left out, a field that nobody reads. Each such place is a
         `Change`. The writer makes them again wherever the spec still says the same there.
Cost.    Linear in the document without its tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from kugiri.errors import FormatError

Path = tuple[str | int, ...]


class Change(msgspec.Struct, frozen=True):
    """A place where two documents differ; a value that is UNSET is absent there."""

    path: Annotated[Path, msgspec.Meta(min_length=1)]
    ours: Any = UNSET
    theirs: Any = UNSET


def differences(ours: Any, theirs: Any, path: Path = ()) -> Iterator[Change]:
    """Yield the changes that turn our document into theirs.

    Example:
        >>> [change] = differences({"a": [1, 2]}, {"a": [1, 3]})
        >>> change.path, change.ours, change.theirs
        (('a', 1), 2, 3)
    """
    if len(path) < 2 and UNSET not in (ours, theirs) and _alike(ours, theirs):
        return  # as nearly all large parts are
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in ours | theirs:
            yield from differences(ours.get(key, UNSET), theirs.get(key, UNSET), (*path, key))
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for i, pair in enumerate(zip(ours, theirs, strict=True)):
            yield from differences(*pair, (*path, i))
    elif ours != theirs or isinstance(ours, bool) != isinstance(theirs, bool):
        yield Change(path, ours, theirs)


def _alike(ours: Any, theirs: Any) -> bool:
    return msgspec.json.encode(ours) == msgspec.json.encode(theirs)


def apply(changes: list[Change], document: Any) -> None:
    """Make the changes in our document, each where it still holds what it held.

    Example:
        >>> document = {"a": 1, "b": 2}
        >>> apply([Change(("a",), 1, 9), Change(("b",), 7, 9), Change(("c",), UNSET, 3)], document)
        >>> document
        {'a': 9, 'b': 2, 'c': 3}
    """
    for change in changes:
        *parents, last = change.path
        place = document
        for key in parents:
            place = _at(place, key)
        if _at(place, last) != change.ours:
            continue
        if change.theirs is UNSET:
            del place[last]
        elif type(place) in (dict, list):
            place[last] = change.theirs


def dump(changes: list[Change]) -> bytes:
    """The changes as bytes; none, no bytes."""
    return msgspec.json.encode(changes) if changes else b""


def load(data: bytes) -> list[Change]:
    """The changes back from bytes.

    Raises:
        FormatError: they are malformed.
    """
    try:
        return msgspec.json.decode(data, type=list[Change]) if data else []
    except (msgspec.DecodeError, RecursionError) as error:
        raise FormatError(f"what is kept of another file's spelling is damaged: {error}") from None


def _at(place: Any, key: str | int) -> Any:
    """The value at a key or index; UNSET where there is none."""
    if isinstance(place, dict):
        return place.get(key, UNSET)
    if isinstance(place, list) and isinstance(key, int) and key < len(place):
        return place[key]
    return UNSET
