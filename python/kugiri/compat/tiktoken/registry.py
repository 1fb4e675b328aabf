"""The public encodings by their names, under tiktoken's own name for the place where they are."""

from __future__ import annotations

from functools import cache

from kugiri.compat.tiktoken_encoding import Encoding
from kugiri.errors import EncodingError, shown
from kugiri.formats.encodings import ENCODINGS
from kugiri.load import load
from kugiri.patterns import regex_of


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
