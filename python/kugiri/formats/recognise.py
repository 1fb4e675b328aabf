"""Which format a file has: its content says so; its name only where the content does not.

Rule.    A JSON document is recognised by its keys; one that begins and ends with a token and its
         number is a vocab.json.
Cost.    One scan of a JSON document; of other files, their ends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from kugiri.errors import FormatError
from kugiri.formats.json_parts import Json
from kugiri.lazy import lazy_module

if TYPE_CHECKING:
    from kugiri.formats import sentencepiece_document
else:
    sentencepiece_document = lazy_module("kugiri.formats.sentencepiece_document")

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

# The beginnings of files that people take for tokenizers, and the kind of the error.
_OTHERS: dict[bytes, tuple[str, str]] = {
    rb"version https://git-lfs": (
        "git lfs", "a pointer of Git LFS; fetch the file itself (git lfs pull)",
    ),
    rb"\s*<(!doctype|html)": ("web page", "a web page"),
    rb"PK\x03\x04": ("archive", "a ZIP archive; unpack it"),
    rb"\x1f\x8b": ("archive", "compressed with gzip; unpack it"),
    rb"#version": ("merges", "a merges.txt; load the vocab.json beside it, or their folder"),
}  # fmt: skip

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
        raise FormatError("the file is empty", kind="empty file")
    for beginning, (kind, what) in _OTHERS.items():
        if re.match(beginning, data, re.IGNORECASE):
            raise FormatError(f"this is {what}; {known()}", kind=kind)
    found = _by_content(data) or (path and by_name(path))
    if not found:
        words = f"this is no tokenizer file that kugiri knows; {known()}"
        raise FormatError(words, kind="unknown format")
    return found


def is_whole(data: bytes) -> bool:
    """Whether a file that begins as JSON or as a `.model` goes on as such to its end."""
    try:
        if re.match(rb"\s*\{", data):
            msgspec.json.decode(data)
        elif sentencepiece_document.is_model(data):
            sentencepiece_document.check_fields(data)
    except RecursionError:  # which is another fault
        return True
    except ValueError:  # msgspec's and our own
        return False
    return True


def by_name(path: Path) -> str | None:
    """The format that the name of a file ends as."""
    ends = (name for name, suffix in SUFFIXES.items() if path.name.lower().endswith(suffix))
    return next(ends, None)


def known() -> str:
    """The formats that there are, for a message."""
    its = (name if name == end else f"{name} ({end})" for name, end in SUFFIXES.items())
    return f"the formats are {', '.join(its)}"


def _by_content(data: bytes) -> str | None:
    if _TIKTOKEN.match(data):
        return "tiktoken"
    if _FIRST_ID.match(data) and _LAST_ID.search(data[-_TAIL:]):
        return "vocab.json"  # its tokens may be "model", "config" and so on
    # A line end and a brace begin a piece of a .model too, one of 123 bytes.
    if not _OBJECT.match(data) and sentencepiece_document.is_model(data):
        return "sentencepiece"
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
            "it, or their folder",
            kind="settings file",
        )
    return None
