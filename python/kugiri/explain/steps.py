"""A text on its way through a tokenizer, stage by stage.

Rule.    One plain structure; the command line only draws it. The steps of the model come later.
Cost.    That of both engines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from kugiri.encoding import Span, Token
from kugiri.explain.normalization import Normalization, explain_normalization
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.spans import covering_spans

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer


class Explanation(msgspec.Struct, frozen=True):
    """What became of a text; text that looks like a special token is text.

    Attributes:
        text: the text.
        special_tokens: the added tokens that were found in it and cut out, special or not, each
            with its characters.
        normalization: before, after, and each change.
        pre_tokens: what the model was given, each with its characters.
        ids, tokens, spans: of each token.
    """

    text: str
    special_tokens: list[tuple[str, Span]]
    normalization: Normalization
    pre_tokens: list[tuple[str, Span]]
    ids: list[int]
    tokens: list[str]
    spans: list[Span]

    def to_json(self) -> str:
        """The same as a JSON object."""
        return msgspec.json.encode(self).decode()


def explain(tok: Tokenizer, reference: ReferenceTokenizer, text: str) -> Explanation:
    """Say what becomes of a text, given both engines of a tokenizer."""
    encoding = tok.encode_with_offsets(text)
    parts = list(reference.parts(text, frozenset()))
    found = [it[2:] if isinstance(it, Token) else it.named_span for it in parts]
    places = covering_spans(text, np.array(found, np.int64).reshape(-1, 2))
    placed = list(zip(parts, places, strict=True))
    return Explanation(
        text=text,
        special_tokens=[(text[slice(*at)], at) for it, at in placed if isinstance(it, Token)],
        normalization=explain_normalization(reference, text),
        pre_tokens=[(it.text, at) for it, at in placed if not isinstance(it, Token)],
        ids=encoding.ids.tolist(),
        tokens=encoding.tokens,
        spans=encoding.spans,
    )
