"""What the page asks: one structure a route, checked while it is read.

Rule.    A field that is not known, of another type or out of its range is refused, with its place.
         All places in texts are counted in characters (code points).
Cost.    One pass over the body.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

MOST_TOKENIZERS = 8
"""Side by side; more would not be compared."""
MOST_CONTEXT = 1_000_000_000
"""Tokens."""

_Name = Annotated[str, Meta(max_length=200)]
_Names = Annotated[list[_Name], Meta(min_length=1, max_length=MOST_TOKENIZERS)]
_Count = Annotated[int, Meta(ge=0, le=1 << 40)]


class _Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all have in common: nothing else than their fields."""


class _Compared(_Asked, frozen=True):
    """What names tokenizers side by side, each once."""

    text: str
    tokenizers: _Names

    def __post_init__(self) -> None:
        """Refuse a name that comes twice."""
        twice = [name for name, count in Counter(self.tokenizers).items() if count > 1]
        if twice:
            raise ValueError(f"{twice[0]!r} comes twice in tokenizers; name each once")


class Tokens(_Compared, frozen=True):
    """A text, and the tokenizers that cut it; tokens of a window of it are shown."""

    start: _Count = 0
    characters: Annotated[int, Meta(ge=1, le=10_000)] = 2_000
    allow_special: bool = False
    add_special_tokens: bool = False


class Explain(_Asked, frozen=True):
    """A text that is explained."""

    text: str
    tokenizer: _Name
    allow_special: bool = False
    add_special_tokens: bool = False


class Why(_Asked, frozen=True):
    """A stretch of a text, and why it is not one token."""

    text: str
    tokenizer: _Name
    start: _Count
    end: _Count
    allow_special: bool = False
    add_special_tokens: bool = False


class Lineage(_Asked, frozen=True):
    """A token, and where it comes from."""

    tokenizer: _Name
    id: _Count


class Sample(_Asked, frozen=True):
    """A text that is cut at random."""

    text: str
    tokenizer: _Name
    alpha: Annotated[float, Meta(ge=0, le=100)] = 1.0
    seed: _Count = 0
    number: Annotated[int, Meta(ge=1, le=1_000)] = 200
    allow_special: bool = False


class Chat(_Asked, frozen=True):
    """Messages that a template puts together."""

    messages: list[dict[str, Any]]
    tokenizer: _Name
    tools: list[dict[str, Any]] | None = None
    add_generation_prompt: bool = False


class Cost(_Asked, frozen=True):
    """A number of tokens, and what they cost: of a model, or at prices per million.

    A price is a string or a number, of which every digit counts.
    """

    tokens: _Count
    output_tokens: _Count = 0
    model: _Name | None = None
    price_in: Decimal | None = None
    price_out: Decimal | None = None
    context: Annotated[int, Meta(ge=1, le=MOST_CONTEXT)] | None = None


class Train(_Asked, frozen=True):
    """A text that a tokenizer is trained on, step by step; `keep` puts it beside the others."""

    text: str
    model: Literal["bpe", "unigram"] = "bpe"
    unit: Literal["byte", "char"] = "char"
    vocab_size: Annotated[int, Meta(ge=1, le=20_000)] | None = None
    num_merges: Annotated[int, Meta(ge=0, le=1_000)] | None = None
    keep: bool = False


class Share(_Compared, frozen=True):
    """What becomes a page of its own."""

    explain: _Name | None = None
    language: Literal["en", "ja"] = "en"
    allow_special: bool = False
    add_special_tokens: bool = False
