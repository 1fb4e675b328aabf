"""Formats: which there are, how a file is recognised, and reading and writing by path.

Rule.    The content of a file says what it is; its name only where the content does not. A file is
         written beside its place and then renamed, so that no half-written one is ever there.
Cost.    Recognising a JSON document is one scan of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from kugiri.errors import FormatError, OptionError, choose, described, shown
from kugiri.files import write_beside
from kugiri.formats.encodings import ENCODINGS
from kugiri.formats.json_parts import Json
from kugiri.formats.sentencepiece_document import is_model
from kugiri.inputs import as_path, as_string, as_whole
from kugiri.spec import TokenizerSpec

__all__ = ["FORMATS", "Format", "read_file", "write_file"]


class Format(NamedTuple):
    """A format, and the module that reads and writes it.

    Attributes:
        module: holds `read(data) -> TokenizerSpec` and `write(spec) -> bytes`.
        suffix: how the names of its files end.
    """

    module: str
    suffix: str


FORMATS: dict[str, Format] = {
    "kugiri": Format("native", ".kugiri.json"),
    "tokenizer.json": Format("tokenizer_json", "tokenizer.json"),
    "tiktoken": Format("tiktoken", ".tiktoken"),
    "sentencepiece": Format("sentencepiece", ".model"),
}
"""The formats by name."""

# The beginnings of files that people take for tokenizers.
_OTHERS: dict[bytes, str] = {
    rb"version https://git-lfs": "a pointer of Git LFS; fetch the file itself (git lfs pull)",
    rb"\s*<(!doctype|html)": "a web page",
    rb"PK\x03\x04": "a ZIP archive; unpack it",
    rb"\x1f\x8b": "compressed with gzip; unpack it",
    rb"#version": "a merges.txt; this version of kugiri does not read it",
}


def read_file(
    path_or_bytes: str | os.PathLike[str] | bytes,
    *,
    format: str | None = None,
    pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> TokenizerSpec:
    """Read a tokenizer file of any format.

    Args:
        path_or_bytes: the file, or its content.
        format: a name in FORMATS; None recognises it.
        pattern: for .tiktoken only: the split pattern, by name or as a regex.
        special_tokens: for .tiktoken only: token → id.

    Raises:
        FormatError: there is no such file, or it is not what it should be; has path and byte.
        OptionError: `format` is unknown, or an option is for another format.
    """
    path = None
    if not isinstance(path_or_bytes, bytes):
        path = as_path(path_or_bytes, "a tokenizer is loaded from its bytes or a path, which")
    try:
        data = path_or_bytes if isinstance(path_or_bytes, bytes) else _content(Path(path_or_bytes))
        name = choose("format", format, FORMATS) if format is not None else _recognise(data, path)
        options = _options(name, path, pattern, special_tokens)
        spec: TokenizerSpec = import_module(f"{__name__}.{FORMATS[name].module}").read(
            data, **options
        )
    except FormatError as error:
        error.path = error.path or (None if path is None else str(path))
        raise
    return spec


def write_file(
    spec: TokenizerSpec, path: str | os.PathLike[str], format: str | None = None
) -> None:
    """Write a tokenizer to a file, in the format that is named or that the path ends with.

    Raises:
        FormatError: the path cannot be written, its end names no format, or the format has no
            place for something that the ids depend on.
        OptionError: `format` is unknown.
    """
    path = as_path(path)
    name = choose("format", format, FORMATS) if format is not None else _by_name(path)
    try:
        if name is None:
            raise FormatError(f"the end of this name is that of no format; {_known()}")
        data: bytes = import_module(f"{__name__}.{FORMATS[name].module}").write(spec)
        with write_beside(path) as file:
            file.write(data)
    except FormatError as error:
        error.path = error.path or str(path)
        raise


def _content(path: Path) -> bytes:
    try:
        if path.is_dir():
            inside = [item.name for item in sorted(path.iterdir()) if _by_name(item)]
            hint = f"name the file in it: {', '.join(inside)}" if inside else _known()
            raise FormatError(f"this is a folder; {hint}")
        return path.read_bytes()
    except FileNotFoundError:
        raise FormatError(f"there is no such file; {_instead(path)}") from None
    except OSError as error:
        why = error.strerror or error
        raise FormatError(f"cannot be read: {why}; check the name and its rights") from error
    except ValueError as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"this is no name of a file ({error}); check it") from error


def _instead(path: Path) -> str:
    """What to do about a file that is not there."""
    if path.name in ENCODINGS:
        return (
            f"an encoding is loaded from its file: give the .tiktoken file itself, as in "
            f"path/to/{path.name}.tiktoken"
        )
    if not path.parent.is_dir():
        return f"nor is there a folder {path.parent}; check the path"
    near = get_close_matches(path.name, (item.name for item in path.parent.iterdir()), n=1)
    if near:
        return f"did you mean {str(path.parent / near[0])!r}?"
    return f"give a file, its folder and name; {_known()}"


def _recognise(data: bytes, path: Path | None) -> str:
    """The name of the format: by content, else by the name of the file."""
    if not data.strip():
        raise FormatError("the file is empty")
    for beginning, what in _OTHERS.items():
        if re.match(beginning, data, re.IGNORECASE):
            raise FormatError(f"this is {what}; {_known()}")
    found = _by_content(data) or (path and _by_name(path))
    if not found:
        raise FormatError(f"this is no tokenizer file that kugiri knows; {_known()}")
    return found


def _by_content(data: bytes) -> str | None:
    if re.match(rb"[A-Za-z0-9+/]+={0,2} \d+\r?(\n|$)", data):
        return "tiktoken"
    if is_model(data):
        return "sentencepiece"
    if re.match(rb"\s*\{", data):
        keys = Json(data).fields()
        return "kugiri" if "kugiri" in keys else "tokenizer.json" if "model" in keys else None
    return None


def _by_name(path: Path) -> str | None:
    ends = (name for name, it in FORMATS.items() if path.name.lower().endswith(it.suffix))
    return next(ends, None)


def _known() -> str:
    ends = ", ".join(f"{name} (…{it.suffix})" for name, it in FORMATS.items())
    return f"the formats are {ends}"


def _options(
    name: str, path: Path | None, pattern: str | None, special_tokens: Mapping[str, int] | None
) -> dict[str, object]:
    """What the reader of a format takes beside the content."""
    if name == "tiktoken":
        _check_special_tokens(special_tokens)
        if pattern is not None:
            as_string("pattern=", pattern)
        stem = path.name[: -len(".tiktoken")] if path and _by_name(path) == name else None
        return {"name": stem, "pattern": pattern, "special_tokens": special_tokens}
    for option, given in (("pattern", pattern), ("special_tokens", special_tokens)):
        if given is not None:
            raise OptionError(f"{option}= is for .tiktoken files; a {name} file holds its own")
    return {}


def _check_special_tokens(special_tokens: Any) -> None:
    if special_tokens is None:
        return
    if not isinstance(special_tokens, Mapping):
        came = described(special_tokens)
        raise OptionError(
            f"special_tokens= maps each token to its id, as in {{'<|end|>': 50256}}; {came} came"
        )
    for token, id in special_tokens.items():
        if not isinstance(token, str) or not token:
            raise OptionError(
                f"a token of special_tokens= is a str and not empty; {described(token)} came"
            )
        if as_whole(f"the id of {token!r} in special_tokens=", id) >= 2**32 - 1:
            raise OptionError(f"the id of {token!r} in special_tokens= is {shown(id)}; too high")
