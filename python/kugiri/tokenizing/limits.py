"""Texts within a limit of tokens: cutting at the end, and cutting into parts.

Rule.    reference/limits.py has it in plain words; the core (src/limits.rs) finds the same places.
Cost.    That of encoding what is kept, and little more: what is cut away is looked at no farther
         than a window reaches.
"""

from __future__ import annotations

from kugiri import _core
from kugiri.encoding import Chunk
from kugiri.errors import OptionError, shown
from kugiri.inputs import as_text, as_whole
from kugiri.reference.limits import window

_MOST = 1 << 32
"""More tokens than any text has."""


def truncate(core: _core.Core, text: str, max_tokens: int) -> str:
    """The beginning of a text that its first tokens cover, never inside a character.

    Raises:
        OptionError: the limit is no whole number from 0.
    """
    max_tokens = min(as_whole("max_tokens", max_tokens), _MOST)
    text = text if isinstance(text, str) else as_text(text)  # of a str the core sees a window
    reach = window(max_tokens)
    while True:
        end = _core.truncate(core, text[:reach], max_tokens)
        if end < min(reach, len(text)) or reach >= len(text):
            return text[:end]
        reach *= 2


def chunks(core: _core.Core, text: str, max_tokens: int, overlap: int = 0) -> list[Chunk]:
    """Parts of a text, each at most `max_tokens` tokens, together all of it.

    Args:
        core: whose tokens are counted.
        text: the whole.
        max_tokens: the limit of each part.
        overlap: each part starts about this many tokens before the end of the one before.

    Raises:
        OptionError: a number is none, or `overlap` is not less than `max_tokens`.
        EncodingError: one character alone is more than `max_tokens` tokens.
    """
    max_tokens = as_whole("max_tokens", max_tokens, 1)
    overlap = as_whole("overlap", overlap)
    if overlap >= max_tokens:
        raise OptionError(
            f"overlap is {shown(overlap)}; it must be less than max_tokens, {shown(max_tokens)}"
        )
    flat, ids, offsets = _core.chunks(core, text, min(max_tokens, _MOST), min(overlap, _MOST))
    spans, bounds = flat.reshape(-1, 2).tolist(), offsets.tolist()
    return [
        Chunk(text[start:end], (start, end), ids[bounds[i] : bounds[i + 1]])
        for i, (start, end) in enumerate(spans)
    ]
