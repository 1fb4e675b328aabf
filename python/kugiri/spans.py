"""Spans: from bytes of the UTF-8 text to characters, ours and the original library's."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kugiri.encoding import Span
from kugiri.spec import ByteLevelProcessing, PostProcessor, PostProcessors, RobertaProcessing


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
    data = np.frombuffer(text.encode(), np.uint8)
    # begun[i]: characters that start before byte i. The one that holds byte i is begun[i + 1] - 1.
    begun = np.zeros(len(data) + 1, np.int64)
    np.cumsum((data & 0xC0) != 0x80, out=begun[1:])
    starts, ends = byte_spans[:, 0], byte_spans[:, 1]
    first = np.where(starts < ends, begun[np.minimum(starts + 1, len(data))] - 1, begun[starts])
    return list(zip(first.tolist(), begun[ends].tolist(), strict=True))


def trims_spans(processor: PostProcessor | None) -> bool:
    """Whether a post-processor takes white space off the spans, and so differs from covering."""
    match processor:
        case ByteLevelProcessing() | RobertaProcessing():
            return processor.trim_offsets
        case PostProcessors():
            return any(map(trims_spans, processor.processors))
        case _:
            return False


def trimmed(text: str, spans: list[Span]) -> list[Span]:
    """Spans without the white space at their ends, as tokenizers gives them with trim_offsets."""
    result = []
    for start, end in spans:
        piece = text[start:end]
        left, right = len(piece) - len(piece.lstrip()), len(piece) - len(piece.rstrip())
        start = min(start + left, end)
        result.append((start, max(end - right, start)))
    return result
