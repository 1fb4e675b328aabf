"""Which format a file has: its content says so; its name only where the content does not.

Rule.    A JSON document is recognised by its keys; one that begins and ends with a token and its
         number is a vocab.json.
Cost.    One scan of a JSON document; of other files, their ends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from kugiri.errors import FormatError
from kugiri.formats.json_parts import Json
from kugiri.formats.sentencepiece_document import is_model

SUFFIXES: Mapping[str, str] = {
    "kugiri": ".kugiri.json",
    "tokenizer.json": "tokenizer.json",
    "tiktoken": ".tiktoken",
    "sentencepiece": ".model",
    "tekken": "tekken.json",
    "vocab.json": "vocab.json",
    "vocab.txt": "vocab.txt",
}
"""How the names of the files of each format end."""

# The beginnings of files that people take for tokenizers.
_OTHERS: dict[bytes, str] = {
    rb"version https://git-lfs": "a pointer of Git LFS; fetch the file itself (git lfs pull)",
    rb"\s*<(!doctype|html)": "a web page",
    rb"PK\x03\x04": "a ZIP archive; unpack it",
    rb"\x1f\x8b": "compressed with gzip; unpack it",
    rb"#version": "a merges.txt; load the vocab.json beside it, or their folder",
}

_TIKTOKEN = re.compile(rb"[A-Za-z0-9+/]+={0,2} \d+\r?(\n|$)")
_BERT = re.compile(rb"^\[(UNK|PAD|CLS)\]\r?$", re.MULTILINE)
_OBJECT = re.compile(rb'\s*\{\s*"')
_FIRST_ID = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\d+\s*,')
_LAST_ID = re.compile(rb'"\s*:\s*\d+\s*\}\s*$')
_TAIL = 1 << 10
"""How far from the end of a vocabulary its last id is."""

_BEGINNING = 1 << 16
"""How far into a list of words its special tokens are looked for."""


def recognise(data: bytes, path: Path | None) -> str:
    """The name of the format.

    Raises:
        FormatError: it is none, or nothing says which.
    """
    if not data.strip():
        raise FormatError("the file is empty")
    for beginning, what in _OTHERS.items():
        if re.match(beginning, data, re.IGNORECASE):
            raise FormatError(f"this is {what}; {known()}")
    found = _by_content(data) or (path and by_name(path))
    if not found:
        raise FormatError(f"this is no tokenizer file that kugiri knows; {known()}")
    return found


def by_name(path: Path) -> str | None:
    """The format that the name of a file ends as."""
    ends = (name for name, suffix in SUFFIXES.items() if path.name.lower().endswith(suffix))
    return next(ends, None)


def known() -> str:
    """The formats that there are, for a message."""
    ends = ", ".join(f"{name} (…{suffix})" for name, suffix in SUFFIXES.items())
    return f"the formats are {ends}"


def _by_content(data: bytes) -> str | None:
    if _TIKTOKEN.match(data):
        return "tiktoken"
    # A line end and a brace begin a piece of a .model too, one of 123 bytes.
    if not _OBJECT.match(data) and is_model(data):
        return "sentencepiece"
    if _FIRST_ID.match(data) and _LAST_ID.search(data[-_TAIL:]):
        return "vocab.json"  # its tokens may be "model", "config" and so on
    if re.match(rb"\s*\{", data):
        return _by_keys(Json(data).fields())
    if _BERT.search(data, 0, _BEGINNING):
        return "vocab.txt"
    return None


def _by_keys(fields: Mapping[str, Json]) -> str | None:
    if "kugiri" in fields:
        return "kugiri"
    if "model" in fields:
        return "tokenizer.json"
    if "config" in fields and "vocab" in fields:
        return "tekken"
    if "tokenizer_class" in fields or "added_tokens_decoder" in fields:
        raise FormatError(
            "this is a tokenizer_config.json, the settings of a tokenizer; load the file beside "
            "it, or their folder"
        )
    return None
