"""Texts that were encoded, as flat arrays; the newest are kept.

Rule.    An entry is one text by one tokenizer in one way of encoding. There are at most MOST of
         them, and all together, their texts counted with each, have at most MOST_BYTES; the one
         that was asked for least lately goes first. What has more than a quarter of the bytes is
         not kept.
Cost.    Encoding with places, once; then a look-up. Some 25 bytes a token are kept.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kugiri.tokenizer import Tokenizer
from kugiri.tokenizing.encode_options import EncodeOptions
from kugiri.tokenizing.spans import covering_places

MOST: Final = 256
MOST_BYTES: Final = 192 << 20

_I32: TypeAlias = npt.NDArray[np.int32]


class Encoded(NamedTuple):
    """A text as tokens.

    Attributes:
        ids: one a token.
        of_text: False where a template put the token in.
        byte_starts, byte_ends: the bytes of the text that each stands for.
        starts, ends: its characters; a token that was put in stands where the one before ends.
        met: the strings of tokens that are others than in the vocabulary, by number.
        exact: whether decoding gives the text again.
    """

    ids: npt.NDArray[np.uint32]
    of_text: npt.NDArray[np.bool_]
    byte_starts: _I32
    byte_ends: _I32
    starts: _I32
    ends: _I32
    met: list[tuple[int, bytes]]
    exact: bool

    def at(self, rows: npt.NDArray[np.int64]) -> Encoded:
        """Some of the tokens, by their numbers."""
        number_of = {at: number for number, at in enumerate(rows.tolist())}
        return Encoded(
            self.ids[rows], self.of_text[rows], self.byte_starts[rows], self.byte_ends[rows],
            self.starts[rows], self.ends[rows],
            met=[(number_of[at], string) for at, string in self.met if at in number_of],
            exact=self.exact,
        )  # fmt: skip

    @property
    def nbytes(self) -> int:
        """What it takes of memory, about."""
        arrays = (it.nbytes for it in self if isinstance(it, np.ndarray))
        return sum(arrays) + 120 * len(self.met)


def encode(tokenizer: Tokenizer, text: str, options: EncodeOptions) -> Encoded:
    """Encode a text with places.

    Raises:
        EncodingError: a character has no id.
    """
    ids, spans, _, _, met, _, numbers, _ = tokenizer._core.encode_spans(
        text, tokenizer._asked(options), None
    )
    of_text, flat = numbers >= 0, spans.reshape(-1, 2)
    starts, ends = covering_places(text, flat)
    # A token that was put in stands at the end of the last of the text before it.
    last = np.maximum.accumulate(np.where(of_text, np.arange(len(ids)), -1))
    before = np.where(last >= 0, ends[last], 0) if len(ids) else ends
    return Encoded(
        ids=ids,
        of_text=of_text,
        byte_starts=flat[:, 0].astype(np.int32),
        byte_ends=flat[:, 1].astype(np.int32),
        starts=np.where(of_text, starts, before).astype(np.int32),
        ends=np.where(of_text, ends, before).astype(np.int32),
        met=list(met),
        exact=tokenizer.decode(ids[of_text]) == text,
    )


_Key: TypeAlias = tuple[int, str, bool, bool]


class Encodings:
    """The newest texts that were encoded."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        """Begin with none."""
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[_Key, tuple[Encoded, int]] = OrderedDict()
        self.nbytes = 0

    def get(self, key: _Key, make: Callable[[], Encoded]) -> Encoded:
        """What is kept under a key, else what is made."""
        with self._lock:
            if (kept := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return kept[0]
        made = make()
        size = made.nbytes + 4 * len(key[1])
        with self._lock:
            if size <= self._most // 4 and key not in self._kept:
                self._kept[key] = made, size
                self.nbytes += size
                while self.nbytes > self._most or len(self._kept) > MOST:
                    _, (_, gone) = self._kept.popitem(last=False)
                    self.nbytes -= gone
        return made

    def forget(self, number: int) -> None:
        """Drop what a tokenizer made, by its number."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == number]:
                _, gone = self._kept.pop(key)
                self.nbytes -= gone
