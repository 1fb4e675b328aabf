"""Padding and truncation as transformers' callers say them, turned into what kugiri takes.

Rule.    `padding` is True or "longest", "max_length", or False; `truncation` True or
         "longest_first", "only_first", "only_second", or False. A `max_length` alone cuts. Without
         one the limit of the model counts, and without that nothing is cut or filled to a length.
Source.  transformers 5.24.0.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, cast

from kugiri.compat.call_options import CallOptions
from kugiri.errors import OptionError, choose, shown
from kugiri.inputs import as_whole
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


def as_lengths(defaults: Defaults, call: CallOptions) -> tuple[Padding | None, Truncation | None]:
    """How rows are filled up, and how they are cut.

    Raises:
        OptionError: there is no such way, or no padding token, or the lengths exclude each other.
    """
    truncation, limit, multiple = call.truncation, call.max_length, call.pad_to_multiple_of
    if limit is not None and call.padding is False and truncation is None:
        truncation = True
    fill = _chosen("padding", call.padding, PADDINGS, ("max_length",))
    cut = _chosen("truncation", truncation, TRUNCATIONS, ("only_first", "only_second"))
    limit = None if limit is None else as_whole("max_length", limit)
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
        side = cast(Literal["left", "right"], call.padding_side or defaults.padding_side)
        token, id = defaults.pad
        padded = Padding(length, side, multiple, id, 0, token)
    if cut == "do_not_truncate" or limit is None:
        return padded, None
    if padded is not None and multiple and limit % as_whole("pad_to_multiple_of", multiple):
        raise OptionError(
            f"max_length is {limit}, which rows are cut to; it must be a multiple of "
            f"pad_to_multiple_of, {multiple}"
        )
    cut_side = cast(Any, defaults.truncation_side)
    return padded, Truncation(limit, cut_side, cast(Any, cut), call.stride)


def _chosen(name: str, given: Any, by_flag: dict[Any, str], others: tuple[str, ...]) -> str:
    if given is None or isinstance(given, bool):
        if given not in by_flag:
            raise OptionError(f"{name} is {shown(given)}; it must be True, False or a name")
        return by_flag[given]
    return choose(name, getattr(given, "value", given), [*dict.fromkeys(by_flag.values()), *others])
