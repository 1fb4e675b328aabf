"""Canonical ids: those that encoding gives, and what may stand beside what in them.

Rule.    Ids are canonical if they are what encoding their text gives. An id can come next if they
         still are with it; where they end inside a character, if they are the beginning of what
         some character that goes on so is encoded to. Inside a word of BPE neighbours decide
         (reference/models/neighbours.py, src/models/neighbours.rs).
Cost.    The tables are made once. To find what comes next, the core cuts the end of the text into
         words once for each token (src/canonical.rs).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

import numpy as np

from kugiri import _core
from kugiri.encoding import Ids
from kugiri.errors import OptionError, described
from kugiri.lazy import lazy_property
from kugiri.spec import BPE, TokenizerSpec, dictionaries_of, is_byte_level


class Healed(NamedTuple):
    """Ids without the end that a longer token could replace.

    Attributes:
        ids: those that stay.
        prefix: the bytes that were cut; the next token must begin with them, so
            `tokens_with_prefix(prefix)` are the candidates. Empty where nothing was cut.
    """

    ids: list[int]
    prefix: bytes


def require_bytes(spec: TokenizerSpec) -> BPE:
    """The model, if each of its tokens is the same bytes wherever it stands.

    Raises:
        OptionError: it is another one.
    """
    model = spec.model
    if step := next(iter(dictionaries_of(spec.pre_tokenizer)), None):
        raise OptionError(
            f"this tokenizer cuts words by a dictionary ({step.name}), which looks at all of a "
            "line: what may come next is not settled by what is near; is_canonical works with "
            "every tokenizer"
        )
    is_bytes = getattr(model, "unit", "") == "byte" or is_byte_level(spec.pre_tokenizer)
    if isinstance(model, BPE) and is_bytes and not (model.end_of_word or model.end_of_word_suffix):
        return model
    raise OptionError(
        f"this {type(model).__name__} model is not byte-level: the bytes of a token depend on "
        "where it stands; is_canonical works with every tokenizer"
    )


class TextTokens:
    """The tokens that text becomes: all but the special ones."""

    def __init__(self, spec: TokenizerSpec, core: _core.Core, special_ids: frozenset[int]) -> None:
        """Find them.

        Raises:
            OptionError: the tokenizer is no byte-level BPE.
        """
        model = require_bytes(spec)
        listed = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
        ids = {*listed, *(token.id for token in spec.added_tokens)} - special_ids
        self._core, self._special = core, np.array(sorted(special_ids), np.uint32)
        self._ids = np.array(sorted(ids), np.uint32)

    @lazy_property
    def _sorted(self) -> tuple[list[bytes], Ids]:
        """The tokens in the order of a dictionary, and their ids."""
        ends = np.arange(len(self._ids) + 1, dtype=np.int64)
        strings = self._core.decode_batch_bytes(self._ids, ends, False, False, None)
        rows = sorted(
            (string, id) for string, id in zip(strings, self._ids.tolist(), strict=True) if string
        )
        return [string for string, _ in rows], np.array([id for _, id in rows], np.uint32)

    @lazy_property
    def _longest(self) -> int:
        return max(map(len, self._sorted[0]), default=0)

    @lazy_property
    def _next(self) -> _core.NextTokens:
        return _core.NextTokens(self._core, self._ids)

    def with_prefix(self, prefix: bytes) -> Ids:
        """The ids of the tokens that begin so, by their bytes."""
        if not isinstance(prefix, bytes):
            raise OptionError(f"prefix is bytes; {described(prefix)} came: use text.encode()")
        strings, ids = self._sorted
        start = bisect_left(strings, prefix)
        end = bisect_right(strings, prefix, start, key=lambda string: string[: len(prefix)])
        return ids[start:end]

    def heal(self, ids: Ids) -> Healed:
        """Cut the longest end that begins a longer token, and no special one."""
        strings, _ = self._sorted
        rest = ids.tolist()
        cut, prefix, end = len(rest), b"", b""
        for place in range(len(rest) - 1, self._text_start(ids) - 1, -1):
            end = self._core.decode_bytes([rest[place]], False, False) + end
            if len(end) >= self._longest:
                break
            start = bisect_right(strings, end)
            if start < len(strings) and strings[start].startswith(end):
                cut, prefix = place, end
        return Healed(rest[:cut], prefix)

    def after(self, ids: Ids) -> Ids:
        """The ids that can come next, ascending."""
        self._core.decode_bytes(ids, False, False)  # which refuses an unknown id
        return self._next.after(ids[self._text_start(ids) :])

    def neighbours(self, id: int) -> Ids:
        """The ids that can stand behind one in a word, ascending."""
        return self._next.neighbours(id)

    def _text_start(self, ids: Ids) -> int:
        """Where the text behind the last special token begins."""
        special = np.flatnonzero(np.isin(ids, self._special))
        return int(special[-1]) + 1 if len(special) else 0
