"""Spans: from bytes of the UTF-8 text to characters, ours and the original library's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

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
from kugiri.unicode import WHITE_SPACE


def covering_spans(text: str, byte_spans: npt.NDArray[np.int64]) -> list[Span]:
    """The characters that each token touches.

    Args:
        text: the original text.
        byte_spans: int64 of shape (tokens, 2).

    Example:
        >>> covering_spans("a猫", np.array([[0, 1], [1, 3], [3, 4]]))
        [(0, 1), (1, 2), (1, 2)]
    """
    starts, ends = covering_places(text, byte_spans)
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def covering_places(
    text: str, byte_spans: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The same as two arrays, of where they start and end."""
    if text.isascii():
        return byte_spans[:, 0], byte_spans[:, 1]
    begun = _begun(text)
    return _first_characters(begun, byte_spans), begun[byte_spans[:, 1]]


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


class Places(NamedTuple):
    """Where the tokens of a text stand, twice.

    Attributes:
        covering: the characters that each touches.
        library: the spans of the original library, quirks included, before any is trimmed.
    """

    covering: list[Span]
    library: list[Span]


def places(
    spec: TokenizerSpec,
    text: str,
    byte_spans: npt.NDArray[np.int64],
    named: npt.NDArray[np.int64],
    reaches: npt.NDArray[np.int64],
) -> Places:
    """The places of all tokens of a text.

    Args:
        spec: the tokenizer.
        text: the original text.
        byte_spans: the bytes that each touches, int64 of shape (tokens, 2).
        named: the bytes that tokenizers names for each, likewise.
        reaches: the byte where the next token begins, or the stretch between special tokens ends.
    """
    library = covering_spans(text, named)
    if isinstance(spec.decoder, SentencePieceDecoder):
        # A token reaches to where the next one begins: what the normalizer dropped goes to the
        # token before it, and a character that became several tokens to the last of them.
        ends = _character_at(_begun(text), reaches).tolist()
        library = [(start, end) for (start, _), end in zip(library, ends, strict=True)]
    return Places(covering_spans(text, byte_spans), library)


def trimmed(spec: TokenizerSpec, tokens: list[str], spans: list[Span]) -> list[Span]:
    """The library's spans of the tokens of one text, as its post-processor leaves them."""
    for trimming in _trimmings(spec.post_processor):
        spans = _trimmed(tokens, spans, trimming.add_prefix_space)
    return spans


def places_in_texts(
    spec: TokenizerSpec,
    texts: Sequence[str],
    of_text: npt.NDArray[np.int8],
    tokens: list[str],
    arrays: Sequence[npt.NDArray[np.int64]],
) -> Places:
    """The same for the tokens of several texts, trimmed; of no text (-1) is one at (0, 0).

    `tokens` are their strings, in visible characters.
    """
    every = Places([(0, 0)] * len(tokens), [(0, 0)] * len(tokens))
    for number, text in enumerate(texts):
        rows = np.flatnonzero(of_text == number)
        its = places(spec, text, *(array[rows] for array in arrays))
        library = trimmed(spec, [tokens[i] for i in rows], its.library)
        for all_spans, spans in zip(every, (its.covering, library), strict=True):
            for row, span in zip(rows.tolist(), spans, strict=True):
                all_spans[row] = span
    return every


def _trimmings(
    processor: PostProcessor | None,
) -> Iterator[ByteLevelProcessing | RobertaProcessing]:
    """The post-processors that take spaces off the spans, in order."""
    match processor:
        case ByteLevelProcessing() | RobertaProcessing() if processor.trim_offsets:
            yield processor
        case PostProcessors():
            for inner in processor.processors:
                yield from _trimmings(inner)


def _trimmed(tokens: list[str], spans: list[Span], add_prefix_space: bool) -> list[Span]:
    """Spans without the spaces at their ends; a single one at the start may have been added."""
    trimmed = []
    for index, (token, (start, end)) in enumerate(zip(tokens, spans, strict=True)):
        left, right = _spaces_at_ends(token)
        if left == 1 and add_prefix_space and (index == 0 or start == 0):
            left = 0
        start = min(start + left, end)
        trimmed.append((start, max(end - right, start) if end >= right else end))
    return trimmed


def _spaces_at_ends(token: str) -> tuple[int, int]:
    """How many spaces a token has at its start and its end: visible ones, and white space."""
    left, right = len(token.lstrip(_SPACES)), len(token.rstrip(_SPACES))
    return len(token) - left, len(token) - right


_SPACES = "Ġ" + "".join(filter(re.compile(f"[{WHITE_SPACE}]").match, map(chr, range(0x3001))))
