"""A text on its way through a tokenizer, stage by stage.

Rule.    One plain structure; the command line only draws it. The steps of the model come later.
Cost.    That of both engines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from kugiri.encoding import Span
from kugiri.explain.normalization import Normalization, explain_normalization

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer


class Explanation(msgspec.Struct, frozen=True):
    """What became of a text; text that looks like a special token is text.

    Attributes:
        text: the text.
        normalization: before, after, and each change.
        pre_tokens: the pre-tokens, each with its characters.
        ids, tokens, spans: of each token.
    """

    text: str
    normalization: Normalization
    pre_tokens: list[tuple[str, Span]]
    ids: list[int]
    tokens: list[str]
    spans: list[Span]

    def to_json(self) -> str:
        """The same as a JSON object."""
        return msgspec.json.encode(self).decode()


def explain(tok: Tokenizer, text: str) -> Explanation:
    """Say what becomes of a text."""
    encoding = tok.encode_with_offsets(text)
    return Explanation(
        text=text,
        normalization=explain_normalization(tok.spec, text),
        pre_tokens=tok.pre_tokenize(text),
        ids=encoding.ids.tolist(),
        tokens=encoding.tokens,
        spans=encoding.spans,
    )
