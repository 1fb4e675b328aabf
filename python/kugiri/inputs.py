"""What callers pass in, checked in one place and turned into what the core takes.

Rule.    What is no value of the right kind (a bytes for a text, a str for a number) is an
         OptionError, which is a TypeError too. What is of the right kind and does not fit has the
         class of its matter: a lone surrogate is an EncodingError, an id that stands for nothing a
         VocabularyError.
Cost.    One look at each value. The core looks at texts itself and asks here only for the error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set
from numbers import Integral
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kugiri.errors import (
    EncodingError,
    OptionError,
    TrainingError,
    VocabularyError,
    described,
    shown,
)
from kugiri.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np

    from kugiri.tables import U32
else:
    np = lazy_module("numpy")

_NO_LISTS = (str, bytes, bytearray, memoryview, Mapping, Set)
"""What can be iterated and is no list; a set has another order in every run."""


_HIGHEST = 2**32 - 1
"""The highest id that there is room for."""


def is_list(value: Any) -> bool:
    """Whether a value has items in an order."""
    iterates = isinstance(value, Iterable) and getattr(value, "ndim", 1) != 0
    return iterates and not isinstance(value, _NO_LISTS)


def as_text(text: Any, name: str = "the text") -> str:
    """One text.

    Raises:
        OptionError: it is not a str.
        EncodingError: it has a lone surrogate.
    """
    if not isinstance(text, str):
        remedy = ""
        if isinstance(text, (bytes, bytearray)):
            remedy = "; decode it first, as in data.decode()"
        elif isinstance(text, (list, tuple)):
            remedy = "; for several there are encode_batch and count_batch"
        raise OptionError(f"{name} is {described(text)}; a text is a str{remedy}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise EncodingError(
            f"{name} has a lone surrogate at position {error.start}, which no UTF-8 can hold; "
            "repair it, for example with text.encode('utf-16', 'surrogatepass').decode('utf-16', "
            "'replace')"
        ) from error
    return text


def as_span(span: Any, text: str) -> tuple[int, int]:
    """Where a part of a text stands that is not empty, in characters.

    Raises:
        OptionError: it is no such place.
    """
    if isinstance(span, tuple) and len(span) == 2:
        start, end = (as_whole("a place", it) for it in span)
        if start < end <= len(text):
            return start, end
    raise OptionError(
        f"the place is {shown(span)}; it must be (start, end) with start < end, at most "
        f"{len(text)}, the length of the text"
    )


def as_texts(texts: Any, name: str = "a batch") -> list[Any]:
    """Several texts as a list; what is in it the core looks at.

    Raises:
        OptionError: it is one text, or nothing that has texts in an order.
    """
    if isinstance(texts, list):
        return texts
    if isinstance(texts, (str, bytes)):
        raise OptionError(f"{name} is a list of texts, one text came; put it in a list")
    if not is_list(texts):
        raise OptionError(f"{name} is a list of texts (str); {described(texts)} came")
    return list(texts)


def as_threads(threads: int | None) -> int | None:
    """A number of threads.

    Raises:
        OptionError: it is not a whole number from 1.
    """
    if threads is not None and not (type(threads) is int and 1 <= threads < 2**31):
        raise OptionError(
            f"threads is {shown(threads)}; it must be a number from 1, or None for all"
        )
    return threads


def as_whole(name: str, number: Any, least: int | None = 0) -> int:
    """A whole number, as a Python int.

    Raises:
        OptionError: it is something else, or less than `least`.
    """
    whole = isinstance(number, Integral) and not isinstance(number, bool)
    if not whole or (least is not None and number < least):
        bound = "" if least is None else f" from {least}"
        raise OptionError(f"{name} is {shown(number)}; it must be a whole number{bound}")
    return int(number)


def as_sizes(name: str, sizes: Any) -> list[int]:
    """Sizes of vocabularies, ascending, each once.

    Raises:
        OptionError: it is no list of whole numbers from 1, or there is none in it.
    """
    if not is_list(sizes) and not isinstance(sizes, Set):
        raise OptionError(f"{name} is a list of whole numbers; {described(sizes)} came")
    listed = sorted({as_whole(f"a size of {name}", size, 1) for size in sizes})
    if not listed:
        raise OptionError(f"{name} has no size in it; give at least one, as in {name}=[8000]")
    return listed


def as_number(name: str, number: Any, least: float | None = None) -> float:
    """A finite number, as a Python float.

    Raises:
        OptionError: it is something else, or less than `least`.
    """
    real = isinstance(number, (Integral, float, np.floating))
    if not real or isinstance(number, bool) or abs(number) > 1e308 or math.isnan(number):
        raise OptionError(f"{name} is {shown(number)}; it must be a number, and finite")
    if least is not None and number < least:
        raise OptionError(f"{name} is {shown(number)}; it must be a finite number from {least:g}")
    return float(number)


def as_ids(ids: Iterable[int] | U32) -> U32:
    """Ids as a uint32 array.

    Raises:
        OptionError: it is no list of whole numbers.
        VocabularyError: a number is less than 0 or more than 2**32 - 1.
    """
    if isinstance(ids, np.ndarray) and ids.dtype == np.uint32 and ids.ndim == 1:
        return np.ascontiguousarray(ids)
    if not is_list(ids):
        raise OptionError(f"ids are a list or an array of whole numbers; {described(ids)} came")
    listed = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
    for id in listed:
        if not isinstance(id, Integral) or isinstance(id, bool):
            raise OptionError(f"ids are whole numbers; {shown(id)} came")
        if not 0 <= int(id) <= _HIGHEST:
            raise VocabularyError(
                f"id {shown(id)} is not in the vocabulary; an id is 0 to {_HIGHEST} at most"
            )
    return np.array(listed, np.uint32)


def as_rows(batch: Any) -> list[U32]:
    """The ids of several texts.

    Raises:
        OptionError: it is no list of such lists.
        VocabularyError: a number is less than 0 or more than 2**32 - 1.
    """
    if not is_list(batch):
        raise OptionError(f"rows of ids are a Batch or a list of lists; {described(batch)} came")
    rows = []
    for index, row in enumerate(batch):
        try:
            rows.append(as_ids(row))
        except (OptionError, VocabularyError) as error:
            raise type(error)(f"row {index}: {error}") from None
    return rows


def as_flag(name: str, value: Any) -> bool:
    """True or False.

    Raises:
        OptionError: it is something else.
    """
    if not (value is True or value is False or isinstance(value, np.bool_)):
        raise OptionError(f"{name} is {shown(value)}; it must be True or False")
    return bool(value)


def as_counts(counts: Any) -> Mapping[str, int]:
    """Words with their counts.

    Raises:
        OptionError: it is no mapping.
        TrainingError: a word is no str, or its count no whole number from 0 to 2**64 - 1.
    """
    if not isinstance(counts, Mapping):
        raise OptionError(f"counted words are a mapping word → count; {described(counts)} came")
    for word, count in counts.items():
        if not isinstance(word, str) or not isinstance(count, Integral):
            pair = f"{shown(word)} → {shown(count)}"
            raise TrainingError(f"a mapping is taken as word → count: {pair} is not str → int")
        if not 0 <= int(count) < 2**64:
            raise TrainingError(
                f"the count of {shown(word)} is {shown(count)}; it must be 0 to 2**64 - 1"
            )
    return counts


def as_string(name: str, value: Any) -> str:
    """The value of an option that is a str.

    Raises:
        OptionError: it is something else, or has a lone surrogate.
    """
    if not isinstance(value, str):
        raise OptionError(f"{name} is {shown(value)}; it must be a str")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise OptionError(f"{name} has a lone surrogate, which no text can hold: {shown(value)}")
    return value


def as_path(path: Any, name: str = "a path") -> Path:
    """A path.

    Raises:
        OptionError: it is something else, or empty.
    """
    if not isinstance(path, (str, PathLike)) or not isinstance(fspath(path), str):
        raise OptionError(f"{name} is a str or a pathlib.Path; {described(path)} came")
    if not fspath(path):
        raise OptionError(f"{name} is empty; name a file, or . for the present folder")
    return Path(path)


def as_paths(paths: Any) -> list[Path]:
    """One or several paths as a list.

    Raises:
        OptionError: it is something else.
    """
    if isinstance(paths, (str, PathLike)):
        return [as_path(paths)]
    if not is_list(paths):
        raise OptionError(f"paths are one path or a list of them; {described(paths)} came")
    return [as_path(path) for path in paths]
