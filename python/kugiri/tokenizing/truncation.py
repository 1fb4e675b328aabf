"""Truncation: cutting the tokens of a text, or of a pair, to what a model takes.

Rule.    The limit counts what the template puts around the texts too. "longest_first" cuts the
         longer text of a pair down to the other, then both alike; "only_first" and "only_second"
         cut that one alone. What is cut away from a text becomes further parts of it, each
         beginning `stride` tokens before the end of the one before. Of a pair every part of the
         first stands with every part of the second. "left" keeps the end and goes on backwards.
Cost.    That of the parts.
Source.  tokenizers 0.23.3, its order of parts included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from kugiri.errors import EncodingError, OptionError, choose
from kugiri.inputs import as_whole
from kugiri.padding import DIRECTIONS
from kugiri.spec import Truncation

Part: TypeAlias = tuple[int, int]
"""The first token of a part, and the one behind its last."""

STRATEGIES = ("longest_first", "only_first", "only_second")


def check(truncation: Truncation) -> None:
    """Look at what a caller wrote.

    Raises:
        OptionError: a field has a value that it may not have.
    """
    as_whole("max_length", truncation.max_length)
    as_whole("stride", truncation.stride)
    choose("direction", truncation.direction, DIRECTIONS)
    choose("strategy", truncation.strategy, STRATEGIES)


def room_for_texts(truncation: Truncation, added: int) -> int:
    """How many tokens the texts of a row may have, if so many stand around them.

    Raises:
        OptionError: what stands around is more than the limit.
    """
    if truncation.max_length < added:
        raise OptionError(
            f"max_length is {truncation.max_length}; the tokens around a text alone are {added}, "
            f"so give at least {added + 1}"
        )
    return truncation.max_length - added


def parts_of(
    lengths: Sequence[int], room: int, truncation: Truncation, most: int | None = None
) -> list[list[Part]]:
    """The parts of one text, or of both of a pair, what is kept first.

    Args:
        lengths: how many tokens each text has.
        room: how many there may be together.
        truncation: how they are cut.
        most: how many parts of each are wanted; None for all.

    Raises:
        OptionError: the stride is not less than what is left for a text.
        EncodingError: the one text that may be cut is too short for it.

    Example:
        >>> parts_of([5], 3, Truncation(4, stride=1))
        [[(0, 3), (2, 5)]]
    """
    kept = _kept(lengths, room, truncation.strategy)
    return [_parts(*pair, truncation, most) for pair in zip(lengths, kept, strict=True)]


def _kept(lengths: Sequence[int], room: int, strategy: str) -> Sequence[int]:
    """How many tokens of each text are kept."""
    excess = sum(lengths) - room
    if excess <= 0:
        return lengths
    if room == 0:
        return [0] * len(lengths)
    if strategy == "longest_first":
        return [room] if len(lengths) == 1 else _shared(lengths, room)
    cut = STRATEGIES.index(strategy) - 1
    if cut >= len(lengths):
        raise OptionError(
            f"strategy is 'only_second', and a text came without a second one; give pairs, or "
            f"{STRATEGIES[0]!r}"
        )
    if lengths[cut] <= excess:
        raise EncodingError(
            f"{excess} tokens must go, and strategy {strategy!r} takes them from a text that has "
            f"only {lengths[cut]}; give a larger max_length, or {STRATEGIES[0]!r}"
        )
    return [length - excess * (index == cut) for index, length in enumerate(lengths)]


def _shared(lengths: Sequence[int], room: int) -> Sequence[int]:
    """How many tokens of each text of a pair are kept if the longer one is cut first."""
    short = min(lengths)
    long = max(short, room - short)
    if short + long > room:
        short = room // 2
        long = room - short
    return [short, long] if lengths[0] <= lengths[1] else [long, short]


def _parts(length: int, kept: int, truncation: Truncation, most: int | None) -> list[Part]:
    """A text in parts of at most so many tokens."""
    if kept >= length:
        return [(0, length)]
    if kept == 0:
        return [(0, 0), (0, length)][:most]
    step = kept - truncation.stride
    if step < 1:
        raise OptionError(
            f"stride is {truncation.stride}; it must be less than the {kept} tokens that are left "
            f"for a text"
        )
    # Every part but the last is full, and the last ends with the text.
    starts = range(0, length - truncation.stride, step)[:most]
    parts = [(start, min(start + kept, length)) for start in starts]
    if truncation.direction == "left":
        return [(length - end, length - start) for start, end in parts]
    return parts


def combined(parts: Sequence[Sequence[Part]]) -> list[tuple[Part, ...]]:
    """Every part of one text with every part of the next, what is kept first.

    Example:
        >>> [row[0][0] * 10 + row[1][0] for row in combined([[(0, 1), (1, 2)], [(3, 4), (4, 5)]])]
        [3, 13, 14, 4]
    """
    first: tuple[Part, ...] = ()
    rest: list[tuple[Part, ...]] = []
    for kept, *others in parts:
        both = [(*row, part) for row in rest for part in (kept, *others)]
        rest = both + [(*first, part) for part in others]
        first = (*first, kept)
    return [first, *rest]
