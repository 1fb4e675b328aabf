"""Padding: filling rows of a batch up to one length, as arrays for a model need it.

Rule.    The length is that of the longest row, or one that is given, and then the next multiple, if
         one is asked for. A row that is longer stays as it is. Filling goes behind a row
         ("right") or before it ("left").
Cost.    One copy.
Source.  tokenizers 0.23.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from kugiri.errors import OptionError, choose, shown
from kugiri.inputs import as_whole
from kugiri.lazy import lazy_module

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    np = lazy_module("numpy")

Direction: TypeAlias = Literal["left", "right"]
DIRECTIONS = ("left", "right")

MOST = 10**8
"""A length above this is a mistake: no model takes so many tokens."""


class Filled(NamedTuple):
    """Where rows stand once they are filled up.

    Attributes:
        offsets: where each filled row begins, and the end; int64.
        places: where each thing of the rows stands now; int64.
    """

    offsets: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]

    def put(self, flat: npt.NDArray[np.integer], fill: int) -> npt.NDArray[np.uint32]:
        """Rows end to end, filled up; uint32."""
        filled = np.full(self.offsets[-1], fill, np.uint32)
        filled[self.places] = flat
        return filled


def padded_length(longest: int, length: int | None, multiple: int | None) -> int:
    """The length that rows are filled up to.

    Raises:
        OptionError: a number is no whole number, or absurd.
    """
    wanted = longest if length is None else _sensible("the length of padding", length)
    step = _sensible("pad_to_multiple_of", multiple or 0)
    return wanted + -wanted % step if step else wanted


def _sensible(name: str, number: int) -> int:
    whole = as_whole(name, number)
    if whole > MOST:
        raise OptionError(f"{name} is {shown(number)}; it must be at most {MOST:,}")
    return whole


def fill_up(offsets: npt.NDArray[np.int64], length: int, direction: str) -> Filled:
    """Fill rows up to a length; those that are longer stay.

    Example:
        >>> filled = fill_up(np.array([0, 2, 3]), 3, "left")
        >>> filled.put(np.array([7, 8, 9]), fill=0).tolist()
        [0, 7, 8, 0, 0, 9]
    """
    choose("direction", direction, DIRECTIONS)
    lengths = np.diff(offsets)
    wanted = np.maximum(lengths, length)
    bounds = np.zeros(len(offsets), np.int64)
    np.cumsum(wanted, out=bounds[1:])
    begins = bounds[:-1] + (wanted - lengths if direction == "left" else 0)
    return Filled(bounds, np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], lengths))
