"""Padding and truncation as transformers' callers say them, turned into what kugiri takes.

Rule.    `padding` is True or "longest", "max_length", or False; `truncation` True or
         "longest_first", "only_first", "only_second", or False. A `max_length` alone cuts. Without
         one the limit of the model counts, and without that nothing is cut or filled to a length.
Source.  transformers 5.24.0.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, cast

from kugiri.errors import OptionError, choose, shown
from kugiri.spec import Padding, Truncation

LARGEST = 10**20
"""A limit above this is none."""

PADDINGS = {True: "longest", False: "do_not_pad"}
TRUNCATIONS = {True: "longest_first", False: "do_not_truncate", None: "do_not_truncate"}


class Defaults(NamedTuple):
    """What a tokenizer brings along.

    Attributes:
        pad: its padding token and the id; None if it has none.
        padding_side, truncation_side: "right" or "left".
        model_max_length: what the model takes.
    """

    pad: tuple[str, int] | None
    padding_side: str
    truncation_side: str
    model_max_length: float


def as_lengths(
    defaults: Defaults,
    padding: bool | str,
    truncation: bool | str | None,
    max_length: int | None,
    stride: int,
    pad_to_multiple_of: int | None,
    padding_side: str | None,
) -> tuple[Padding | None, Truncation | None]:
    """How rows are filled up, and how they are cut.

    Raises:
        OptionError: there is no such way, or no padding token, or the lengths exclude each other.
    """
    if max_length is not None and padding is False and truncation is None:
        truncation = True
    fill = _chosen("padding", padding, PADDINGS, ("max_length",))
    cut = _chosen("truncation", truncation, TRUNCATIONS, ("only_first", "only_second"))
    limit = max_length
    if limit is None and defaults.model_max_length <= LARGEST:
        limit = int(defaults.model_max_length)
    if fill == "do_not_pad" or (fill == "max_length" and limit is None):
        padded = None
    elif defaults.pad is None:
        raise OptionError(
            "padding needs a padding token, and this tokenizer names none; set tokenizer.pad_token"
        )
    else:
        length = limit if fill == "max_length" else None
        side = cast(Literal["left", "right"], padding_side or defaults.padding_side)
        token, id = defaults.pad
        padded = Padding(length, side, pad_to_multiple_of, id, 0, token)
    if cut == "do_not_truncate" or limit is None:
        return padded, None
    if padded is not None and pad_to_multiple_of is not None and limit % pad_to_multiple_of:
        raise OptionError(
            f"max_length is {limit}, which rows are cut to; it must be a multiple of "
            f"pad_to_multiple_of, {pad_to_multiple_of}"
        )
    return padded, Truncation(limit, cast(Any, defaults.truncation_side), cast(Any, cut), stride)


def _chosen(name: str, given: Any, by_flag: dict[Any, str], others: tuple[str, ...]) -> str:
    if given is None or isinstance(given, bool):
        if given not in by_flag:
            raise OptionError(f"{name} is {shown(given)}; it must be True, False or a name")
        return by_flag[given]
    return choose(name, getattr(given, "value", given), [*dict.fromkeys(by_flag.values()), *others])
