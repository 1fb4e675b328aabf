"""What an explanation is made of: plain data, and the only thing that drawings are made from.

Rule.    Every part is a record of strings, numbers and lists, in the order of the pipeline. A
         string of the vocabulary is as the original library writes it; where `visible_bytes` is
         true that is in GPT-2's visible characters (Ġ for a space), which drawings turn back into
         text.
         A span is a pair of places in the text, in characters, end exclusive.
         docs/schemas/explain.json is the JSON schema of it, made from these classes.
Cost.    None.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from kugiri.encoding import Span
from kugiri.explain.normalization import Normalization
from kugiri.explain.step_structure import Steps


class _Part(msgspec.Struct, frozen=True):
    """The common form of all parts."""


class Boundary(_Part, frozen=True):
    """A place where a pre-tokenizer, or an added token, parts two pre-tokens.

    Attributes:
        span: from the end of the one before to the start of the one after; what lies between was
            dropped.
        step: the step of the pre-tokenizer that cut here first, by its name.
        rule: what it cut by, in words.
    """

    span: Span
    step: str
    rule: str


class Fallback(_Part, frozen=True):
    """Characters that no token stands for.

    Attributes:
        text: the characters.
        span: where they stand.
        became: "bytes" or "unknown".
        ids: the tokens.
    """

    text: str
    span: Span
    became: str
    ids: list[int]


class PostProcess(_Part, frozen=True):
    """What was put around the text.

    Attributes:
        template: what add_special_tokens puts where; "$A" is the text.
        added: the numbers of the tokens that stand for no text, but were put in.
    """

    template: list[str]
    added: list[int]


class Decoded(_Part, frozen=True):
    """The way back.

    Attributes:
        text: what decoding the ids gives, special tokens that were put in left out.
        is_exact: whether that is the text.
        differs_at: the first character that is not the same; null where it is exact.
    """

    text: str
    is_exact: bool
    differs_at: int | None


class Explanation(_Part, frozen=True):
    """What became of a text, stage by stage.

    Attributes:
        schema: the version of this structure.
        text: the text.
        visible_bytes: whether tokens are written in the visible characters of bytes.
        special_tokens: the added tokens that were found and cut out, special or not, each with its
            characters.
        left_as_text: special tokens that stand in the text and were not allowed: they are text.
        normalization: before, after, and each change.
        pre_tokens: what the model was given, each with its characters.
        boundaries: what parts two of them that follow one another.
        model: the steps of the model.
        fallbacks: characters that no token stands for.
        post_process: what was put around.
        ids, tokens: the result.
        bytes: what each id stands for, in hex.
        spans: of each token, as the original library gives them.
        covering_spans: the characters that each token touches.
        byte_spans: the same in bytes of the UTF-8 text.
        special: whether each is a special token.
        decoded: the way back.
    """

    schema: Literal[1]
    text: str
    visible_bytes: bool
    special_tokens: list[tuple[str, Span]]
    left_as_text: list[tuple[str, Span]]
    normalization: Normalization
    pre_tokens: list[tuple[str, Span]]
    boundaries: list[Boundary]
    model: Steps
    fallbacks: list[Fallback]
    post_process: PostProcess
    ids: list[int]
    tokens: list[str]
    bytes: list[str]
    spans: list[Span]
    covering_spans: list[Span]
    byte_spans: list[Span]
    special: list[bool]
    decoded: Decoded

    def to_json(self) -> str:
        """The same as a JSON object."""
        return msgspec.json.encode(self).decode()

    def to_html(self) -> str:
        """The same as one page of HTML that needs nothing else."""
        from kugiri.explain.html.text_page import text_page

        return text_page(self)
