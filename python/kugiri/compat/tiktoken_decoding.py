"""From ids to text, with the calls of `tiktoken.Encoding`.

Rule.    An id that is not known is a KeyError, a number that no id can be an OverflowError. Ids are
         anything that has numbers in an order, bytes included.
Cost.    That of the Tokenizer.
Source.  tiktoken 0.14.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, cast

from kugiri.compat.tiktoken_errors import BytesError, RangeError, UnknownError
from kugiri.errors import OptionError, VocabularyError, described
from kugiri.inputs import as_string
from kugiri.tokenizer import Tokenizer


class Decoding:
    """The half of an Encoding that decodes.

    Attributes:
        tokenizer: what does the work.
    """

    tokenizer: Tokenizer

    def decode(self, tokens: Sequence[int], errors: str = "replace") -> str:
        """Return the text of ids; `errors` is one of Python's names for handling them.

        Raises:
            UnknownError: an id is not known; a KeyError.
            RangeError: a number cannot be an id; an OverflowError.
            BytesError: the bytes are not UTF-8 and `errors` is "strict"; a UnicodeDecodeError.
        """
        return _decoded(self.decode_bytes(tokens), errors)

    def decode_bytes(self, tokens: Sequence[int]) -> bytes:
        """Return the bytes of ids."""
        ids = list(tokens) if isinstance(tokens, (bytes, bytearray)) else tokens
        try:
            return self.tokenizer.decode_bytes(ids)
        except VocabularyError as error:
            beyond = any(not 0 <= int(id) < 2**32 for id in ids)
            raise (RangeError if beyond else UnknownError)(str(error)) from error

    def decode_single_token_bytes(self, token: int) -> bytes:
        """Return the bytes of one id."""
        return self.decode_bytes([token])

    def decode_tokens_bytes(self, tokens: Sequence[int]) -> list[bytes]:
        """Return the bytes of each id."""
        return [self.decode_bytes([token]) for token in as_items(tokens)]

    def decode_with_offsets(self, tokens: Sequence[int]) -> tuple[str, list[int]]:
        """Return the text of ids, and the first character that each touches.

        Raises:
            BytesError: the bytes are not UTF-8; a UnicodeDecodeError.
        """
        parts = self.decode_tokens_bytes(tokens)
        begun = accumulate((_characters_begun(part) for part in parts), initial=0)
        offsets = [
            max(0, before - _goes_on(part[0])) for before, part in zip(begun, parts, strict=False)
        ]
        return _decoded(b"".join(parts), "strict"), offsets

    def decode_batch(
        self,
        batch: Sequence[Sequence[int]],
        *,
        errors: str = "replace",
        num_threads: int | None = None,
    ) -> list[str]:
        """Return the text of each row."""
        return [_decoded(row, errors) for row in self.decode_bytes_batch(batch)]

    def decode_bytes_batch(
        self, batch: Sequence[Sequence[int]], *, num_threads: int | None = None
    ) -> list[bytes]:
        """Return the bytes of each row."""
        return [self.decode_bytes(row) for row in as_items(batch)]


def as_items(value: Any) -> list[Any]:
    """What is in a value, whatever holds it; of a str its characters.

    Raises:
        OptionError: it holds nothing.
    """
    if not isinstance(value, Iterable):
        raise OptionError(f"a list is needed; {described(value)} came")
    return list(value)


def _decoded(data: bytes, errors: str) -> str:
    try:
        return data.decode("utf-8", as_string("errors", errors))
    except UnicodeDecodeError as error:
        raise BytesError(*cast("tuple[str, bytes, int, int, str]", error.args)) from error


def _goes_on(byte: int) -> bool:
    """Whether a byte goes on with a character that began before it."""
    return 0x80 <= byte < 0xC0


def _characters_begun(part: bytes) -> int:
    return sum(not _goes_on(byte) for byte in part)
