"""What the page is told of a text, a stretch of it, and a token: the library's answers as data.

Rule.    An answer says what the library says. Strings of vocabularies are made readable here (Ġ is
         the space it stands for); what cannot be seen gets its glyph where it is drawn.
Cost.    That of the library's call.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from kugiri.errors import VocabularyError
from kugiri.explain.readings import read, read_tokens
from kugiri.explain.seed import Seed
from kugiri.explain.vocabulary import reading
from kugiri.reference.vocab import show
from kugiri.tokenizer import Tokenizer
from kugiri.tokenizing.encode_options import EncodeOptions
from kugiri.web import requests as asked
from kugiri.web.failures import Failure
from kugiri.web.store import Store

MOST_EXPLAINED = 2_000
"""Characters that are explained at a time."""
MOST_MADE = 200_000
"""Characters that a normalizer may make of them."""

MOST_OF_LINEAGE = 500_000
"""Characters of all tokens that one is made of."""

_OF_VOCABULARY = {
    "tokens", "symbols", "left", "right", "result", "before", "after", "tried", "found", "piece",
    "pieces", "pre_tokens", "instead",
}  # fmt: skip
"""Fields of an explanation that hold strings of the vocabulary."""


class _Encoded(Protocol):
    """A question that says how a text is encoded."""

    @property
    def allow_special(self) -> bool: ...
    @property
    def add_special_tokens(self) -> bool: ...


def explain(store: Store, its: asked.Explain) -> dict[str, Any]:
    """What becomes of a text, stage by stage."""
    tokenizer = close_look(store, its.tokenizer, its.text)
    explained = tokenizer.explain(its.text, **options(its))
    data: dict[str, Any] = msgspec.to_builtins(explained)
    if explained.visible_bytes:
        data["model"] = _readable(data["model"])
        data["pre_tokens"] = _read(data["pre_tokens"])
        data["tokens"] = read_tokens(explained)
        for word in data["model"]["words"]:
            word["text"] = _read(word["text"])
    return {**data, "visible_bytes": False}


def why(store: Store, its: asked.Why) -> dict[str, Any]:
    """Why a stretch of a text is not one token."""
    tokenizer = close_look(store, its.tokenizer, its.text)
    reason = tokenizer.why(its.text, (its.start, its.end), **options(its))
    answer: dict[str, Any] = msgspec.to_builtins(reason)
    return answer


def lineage(store: Store, its: asked.Lineage) -> dict[str, Any]:
    """Where a token comes from: the merges that made it, or the seed that it was."""
    tokenizer = store.named(its.tokenizer)
    name = next((name for name, id in tokenizer.vocab.items() if id == its.id), None)
    try:
        if name is None:
            raise VocabularyError(f"no token has the id {its.id}")
        found = tokenizer.lineage(name)
    except VocabularyError as error:
        return {"none": str(error)}
    size = 0 if isinstance(found, Seed) else sum(len(step.result) for step in found)
    if size > MOST_OF_LINEAGE:
        raise Failure(
            413,
            f"the tokens that this one is made of have {size:,} characters, and "
            f"{MOST_OF_LINEAGE:,} at most are told",
            "long lineage", size=size, most=MOST_OF_LINEAGE,
        )  # fmt: skip
    if isinstance(found, Seed):
        return {"seed": found._asdict()}
    strings = ("left", "right", "result")
    return {
        "lineage": [
            step._asdict() | {name: _shown(tokenizer, getattr(step, name)) for name in strings}
            for step in found
        ]
    }


def options(its: _Encoded) -> EncodeOptions:
    """How a text is encoded."""
    chosen: EncodeOptions = {"add_special_tokens": its.add_special_tokens}
    if its.allow_special:
        chosen["allowed_special"] = "all"
    return chosen


def close_look(store: Store, name: str, text: str) -> Tokenizer:
    """The tokenizer of this name, for a text that is short enough to be looked at closely.

    Raises:
        Failure: it is too long, or there is no such tokenizer.
    """
    kept = store.get(name)
    if len(text) > MOST_EXPLAINED:
        raise Failure(
            413,
            f"{len(text):,} characters came, and at most {MOST_EXPLAINED:,} are looked at closely "
            f"at a time; choose a part of the text",
            "long stretch",
            size=len(text),
            most=MOST_EXPLAINED,
        )
    kept.refuse_growth(len(text), MOST_MADE)
    return kept.tokenizer


def _shown(tokenizer: Tokenizer, token: str | bytes) -> str:
    its = reading(tokenizer, token)
    return show(its) if isinstance(its, bytes) else its


def _readable(data: Any) -> Any:
    """A part of an explanation with the strings of the vocabulary as what they stand for."""
    if isinstance(data, dict):
        return {
            key: _read(value) if key in _OF_VOCABULARY else _readable(value)
            for key, value in data.items()
        }
    return [_readable(each) for each in data] if isinstance(data, (list, tuple)) else data


def _read(value: Any) -> Any:
    """Strings of the vocabulary, however they are nested, as what they stand for."""
    if isinstance(value, str):
        return read(value, True)
    return [_read(each) for each in value] if isinstance(value, (list, tuple)) else value
