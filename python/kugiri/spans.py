"""Spans: from bytes of the UTF-8 text to characters, ours and the original library's."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kugiri.encoding import Span
from kugiri.spec import (
    ByteLevelProcessing,
    PostProcessor,
    PostProcessors,
    RobertaProcessing,
    SentencePieceDecoder,
    TokenizerSpec,
)


def covering_spans(text: str, byte_spans: npt.NDArray[np.int64]) -> list[Span]:
    """The characters that each token touches.

    Args:
        text: the original text.
        byte_spans: int64 of shape (tokens, 2).

    Example:
        >>> covering_spans("a猫", np.array([[0, 1], [1, 3], [3, 4]]))
        [(0, 1), (1, 2), (1, 2)]
    """
    if text.isascii():
        return [(start, end) for start, end in byte_spans.tolist()]
    begun = _begun(text)
    firsts = _first_characters(begun, byte_spans)
    return list(zip(firsts.tolist(), begun[byte_spans[:, 1]].tolist(), strict=True))


def token_starts(text: str, byte_spans: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The first character that each token touches, ascending.

    Example:
        >>> token_starts("a猫", np.array([[0, 1], [1, 3], [3, 4]]))
        array([0, 1, 1])
    """
    return np.maximum.accumulate(_first_characters(_begun(text), byte_spans))


def _first_characters(
    begun: npt.NDArray[np.int64], byte_spans: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    starts, ends = byte_spans[:, 0], byte_spans[:, 1]
    return np.where(starts < ends, _character_at(begun, starts), begun[starts])


def _begun(text: str) -> npt.NDArray[np.int64]:
    """For each byte of a text, and for its end, how many characters start before it."""
    data = np.frombuffer(text.encode(), np.uint8)
    begun = np.zeros(len(data) + 1, np.int64)
    np.cumsum((data & 0xC0) != 0x80, out=begun[1:])
    return begun


def _character_at(begun: npt.NDArray[np.int64], at: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The character that each byte is part of; behind the last one, their number."""
    last = len(begun) - 1
    return np.where(at < last, begun[np.minimum(at + 1, last)] - 1, begun[last])


def library_spans(
    spec: TokenizerSpec,
    text: str,
    tokens: list[str],
    named: npt.NDArray[np.int64],
    reaches: npt.NDArray[np.int64],
) -> list[Span]:
    """The spans that the original library gives.

    Args:
        spec: the tokenizer.
        text: the original text.
        tokens: the strings of the tokens, in visible characters.
        named: the bytes that tokenizers names for each, int64 of shape (tokens, 2).
        reaches: the byte where the next token begins, or the stretch between special tokens ends.
    """
    spans = covering_spans(text, named)
    if isinstance(spec.decoder, SentencePieceDecoder):
        # A token reaches to where the next one begins: what the normalizer dropped goes to the
        # token before it, and a character that became several tokens to the last of them.
        ends = _character_at(_begun(text), reaches).tolist()
        return [(start, end) for (start, _), end in zip(spans, ends, strict=True)]
    trimming = _trimming(spec.post_processor)
    return spans if trimming is None else _trimmed(tokens, spans, trimming.add_prefix_space)


def _trimming(processor: PostProcessor | None) -> ByteLevelProcessing | RobertaProcessing | None:
    """The post-processor that takes spaces off the spans, if there is one."""
    match processor:
        case ByteLevelProcessing() | RobertaProcessing() if processor.trim_offsets:
            return processor
        case PostProcessors():
            found = (_trimming(inner) for inner in processor.processors)
            return next((inner for inner in found if inner is not None), None)
        case _:
            return None


def _trimmed(tokens: list[str], spans: list[Span], add_prefix_space: bool) -> list[Span]:
    """Spans without the spaces at the ends of their tokens; a first one that was added stays."""
    trimmed = []
    for index, (token, (start, end)) in enumerate(zip(tokens, spans, strict=True)):
        left = len(token) - len(token.lstrip(_SPACE))
        right = len(token) - len(token.rstrip(_SPACE))
        if left and add_prefix_space and (index == 0 or start == 0):
            left -= 1
        start = min(start + left, end)
        trimmed.append((start, max(end - right, start) if end >= right else end))
    return trimmed


_SPACE = "Ġ \t\n\r"
"""A space in visible characters, and those that only an added token can hold."""
