"""What callers pass in, checked once and turned into what the core takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike, fspath
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kugiri.encoding import Ids
from kugiri.errors import EncodingError, OptionError, VocabularyError


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
        OptionError: it is less than 1.
    """
    if threads is not None and threads < 1:
        raise OptionError(f"threads is {threads}; it must be at least 1, or None for all")
    return threads


def as_ids(ids: Iterable[int] | Ids) -> Ids:
    """Ids as a uint32 array.

    Raises:
        VocabularyError: something is not a whole number from 0 to 2**32 - 1.
    """
    if isinstance(ids, np.ndarray) and ids.dtype == np.uint32 and ids.ndim == 1:
        return np.ascontiguousarray(ids)
    array: npt.NDArray[np.generic] = np.asarray(ids if isinstance(ids, np.ndarray) else list(ids))
    if array.size == 0:
        return np.zeros(0, np.uint32)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise VocabularyError(
            f"ids are a row of whole numbers; an array of shape {array.shape} and type "
            f"{array.dtype} came"
        )
    outside = array[(array < 0) | (array > 0xFFFF_FFFF)]
    if outside.size:
        raise VocabularyError(f"id {outside[0]} is not in the vocabulary; ids go from 0 up")
    return array.astype(np.uint32)


def as_paths(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
) -> list[Path]:
    """One or several paths as a list."""
    one = isinstance(paths, (str, PathLike))
    return [Path(fspath(path)) for path in ([paths] if one else paths)]  # type: ignore[list-item, arg-type]
