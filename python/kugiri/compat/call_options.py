"""The arguments of a call of a tokenizer, as transformers 5 names them, with their defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from kugiri.errors import choose


@dataclass(frozen=True, kw_only=True)
class CallOptions:
    """How texts become rows, and what is given of them.

    Attributes:
        is_split_into_words: whether a text is a list of words.
        return_tensors: None for lists, "np" for arrays, "pt" for tensors.
        verbose: means nothing here.
    """

    add_special_tokens: bool = True
    padding: bool | str = False
    truncation: bool | str | None = None
    max_length: int | None = None
    stride: int = 0
    is_split_into_words: bool = False
    pad_to_multiple_of: int | None = None
    padding_side: str | None = None
    return_tensors: str | None = None
    return_token_type_ids: bool | None = None
    return_attention_mask: bool | None = None
    return_overflowing_tokens: bool = False
    return_special_tokens_mask: bool = False
    return_offsets_mapping: bool = False
    return_length: bool = False
    split_special_tokens: bool | None = None
    verbose: bool = True


def read_call(given: Mapping[str, Any]) -> CallOptions:
    """What a caller gave, overlaid on the defaults.

    Raises:
        OptionError: there is no such argument.
    """
    for name in given:
        choose("argument", name, [field.name for field in fields(CallOptions)])
    return CallOptions(**given)
