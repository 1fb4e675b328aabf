"""Errors of kugiri that are of the classes which tiktoken raises, too.

Source.  tiktoken 0.14.0.
"""

from __future__ import annotations

from kugiri.errors import EncodingError, VocabularyError


class UnknownError(VocabularyError, KeyError):
    """A token, an id or a model that is not known; a KeyError, as in tiktoken."""

    __str__ = VocabularyError.__str__


class RangeError(VocabularyError, OverflowError):
    """A number that no id can be: less than 0, or more than 2**32 - 1; an OverflowError."""


class BytesError(EncodingError, UnicodeDecodeError):
    """Ids that stand for bytes which are not UTF-8; a UnicodeDecodeError."""

    def __str__(self) -> str:
        """What Python says of the bytes."""
        found = UnicodeDecodeError.__str__(self)
        return f"these ids stand for bytes that are not UTF-8: {found}; decode with 'replace'"
