"""What callers pass in, checked once and turned into what the core takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike, fspath
from pathlib import Path

import numpy as np

from kugiri.encoding import Ids
from kugiri.errors import EncodingError, OptionError, VocabularyError


def as_text(text: str) -> str:
    """One text, all of it, for calls that give the core only parts.

    Raises:
        EncodingError: it is not a str, or has a lone surrogate.
    """
    if not isinstance(text, str):
        raise EncodingError(f"a text is a str, {type(text).__name__} came")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise EncodingError(
            f"the text has a lone surrogate at position {error.start}, which no UTF-8 can hold; "
            "repair it, for example with text.encode('utf-16', 'surrogatepass').decode('utf-16', "
            "'replace')"
        ) from error
    return text


def as_texts(texts: Iterable[str]) -> list[str]:
    """Several texts as a list.

    Raises:
        EncodingError: it is one str, or something in it is not a str.
    """
    if isinstance(texts, (str, bytes)):
        raise EncodingError("a batch is a list of texts, one text came; put it in a list")
    listed = texts if isinstance(texts, list) else list(texts)
    for index, text in enumerate(listed):
        if not isinstance(text, str):
            raise EncodingError(f"text {index} is a {type(text).__name__}; a text is a str")
    return listed


def as_threads(threads: int | None) -> int | None:
    """A number of threads.

    Raises:
        OptionError: it is not a whole number from 1.
    """
    if threads is not None and not (type(threads) is int and 1 <= threads < 2**31):
        raise OptionError(f"threads is {threads!r}; it must be a number from 1, or None for all")
    return threads


def as_ids(ids: Iterable[int] | Ids) -> Ids:
    """Ids as a uint32 array.

    Raises:
        VocabularyError: something is not a whole number from 0 to 2**32 - 1.
    """
    if isinstance(ids, np.ndarray) and ids.dtype == np.uint32 and ids.ndim == 1:
        return np.ascontiguousarray(ids)
    if isinstance(ids, np.ndarray):
        return as_ids(ids.tolist())
    listed = list(ids)
    for id in listed:
        if not isinstance(id, (int, np.integer)) or isinstance(id, bool):
            raise VocabularyError(f"ids are whole numbers; {id!r} came")
        if not 0 <= id <= 0xFFFF_FFFF:
            raise VocabularyError(f"id {id} is not in the vocabulary; ids go from 0 up")
    return np.array(listed, np.uint32)


def as_paths(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
) -> list[Path]:
    """One or several paths as a list."""
    several = [paths] if isinstance(paths, (str, PathLike)) else paths
    return [Path(fspath(path)) for path in several]
