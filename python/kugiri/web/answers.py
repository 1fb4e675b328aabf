"""What the page is told: of each question the answer as plain data.

Rule.    An answer says what the library says. Strings of vocabularies are made readable here (Ġ is
         the space it stands for); what cannot be seen gets its glyph where it is drawn.
Cost.    That of the library's call.
"""

from __future__ import annotations

from typing import Any

import msgspec

from kugiri.tokenizing.encode_options import EncodeOptions
from kugiri.explain.readings import read
from kugiri.tokenizer import Tokenizer
from kugiri.web import requests as asked
from kugiri.web.failures import Failure
from kugiri.web.store import Store

MOST_EXPLAINED = 2_000
"""Characters that are explained at a time."""

_OF_VOCABULARY = {
    "tokens", "symbols", "left", "right", "result", "before", "after", "tried", "found", "piece",
    "pieces", "pre_tokens", "instead", "template",
}  # fmt: skip
"""Fields of an explanation that hold strings of the vocabulary."""


def explain(store: Store, its: asked.Explain) -> dict[str, Any]:
    """What becomes of a text, stage by stage."""
    tokenizer = store.named(its.tokenizer)
    short(its.text)
    explained = tokenizer.explain(its.text, **options(tokenizer, its))
    data: dict[str, Any] = msgspec.to_builtins(explained)
    if explained.visible_bytes:
        data = {**data, "model": readable(data["model"]), "tokens": readable_of(data["tokens"])}
        data["pre_tokens"] = readable_of(data["pre_tokens"])
    return {**data, "visible_bytes": False}


def options(tokenizer: Tokenizer, its: Any) -> EncodeOptions:
    """How a text is encoded."""
    chosen: EncodeOptions = {"add_special_tokens": its.add_special_tokens}
    if its.allow_special:
        chosen["allowed_special"] = "all"
    return chosen


def short(text: str) -> None:
    """Refuse a text that is too long to be explained.

    Raises:
        Failure: it is.
    """
    if len(text) > MOST_EXPLAINED:
        raise Failure(
            413,
            f"{len(text):,} characters came; at most {MOST_EXPLAINED:,} are explained at a time",
        )


def readable(data: Any) -> Any:
    """A part of an explanation with the strings of the vocabulary as what they stand for."""
    if isinstance(data, dict):
        return {
            key: readable_of(value) if key in _OF_VOCABULARY else readable(value)
            for key, value in data.items()
        }
    return [readable(each) for each in data] if isinstance(data, list) else data


def readable_of(value: Any) -> Any:
    """Strings of the vocabulary, however they are nested, as what they stand for."""
    if isinstance(value, str):
        return read(value, True)
    if isinstance(value, (list, tuple)):
        return [readable_of(each) for each in value]
    return value
