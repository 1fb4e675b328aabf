"""tiktoken's names: `from kugiri.compat import tiktoken` in place of `import tiktoken`.

Source.  tiktoken 0.14.0.
"""

from __future__ import annotations

from functools import cache

from kugiri.compat.tiktoken_encoding import Encoding
from kugiri.compat.tiktoken_errors import UnknownError
from kugiri.compat.tiktoken_models import encoding_of
from kugiri.errors import EncodingError, shown
from kugiri.formats.encodings import ENCODINGS
from kugiri.load import load
from kugiri.patterns import regex_of

__all__ = [
    "Encoding",
    "UnknownError",
    "encoding_for_model",
    "encoding_name_for_model",
    "get_encoding",
    "list_encoding_names",
]


def get_encoding(encoding_name: str) -> Encoding:
    """Return a public encoding, from tiktoken's cache or from where it is published.

    Raises:
        EncodingError: there is no such encoding; a ValueError.
        FormatError: its file is not here and cannot be fetched; a ValueError.
    """
    if encoding_name not in ENCODINGS:
        known = ", ".join(ENCODINGS)
        raise EncodingError(f"unknown encoding {shown(encoding_name)}; known: {known}")
    return _public(encoding_name)


@cache
def _public(name: str) -> Encoding:
    return Encoding.of(load(name), name, regex_of("pattern", ENCODINGS[name].pattern))


def list_encoding_names() -> list[str]:
    """Return the names of all public encodings."""
    return list(ENCODINGS)


def encoding_name_for_model(model_name: str) -> str:
    """Return the name of the encoding that a model has.

    Raises:
        UnknownError: the model is not known; a KeyError.
    """
    encoding = encoding_of(model_name)
    if encoding is None:
        raise UnknownError(
            f"which encoding {shown(model_name)} has is not known; ask get_encoding for one by name"
        )
    return encoding


def encoding_for_model(model_name: str) -> Encoding:
    """Return the encoding that a model has.

    Raises:
        UnknownError: the model is not known; a KeyError.
    """
    return get_encoding(encoding_name_for_model(model_name))
