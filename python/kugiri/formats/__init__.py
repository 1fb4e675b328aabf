"""Formats: which there are, and reading and writing by path.

Rule.    recognise.py says which format a file has, source.py what is read. Some formats are several
         files side by side. A file is written beside its place and then renamed, so that no
         half-written one is ever there; of several, all or none.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from kugiri.errors import FormatError, OptionError, choose, described, shown
from kugiri.formats.chat_templates import read_chat
from kugiri.formats.losses import warn_not_kept
from kugiri.formats.named_tokens import with_named_tokens
from kugiri.formats.recognise import SUFFIXES, by_name, known, recognise
from kugiri.formats.source import Source, open_source
from kugiri.inputs import as_path, as_string, as_whole
from kugiri.lazy import imported, lazy_module
from kugiri.spec import TokenizerSpec

if TYPE_CHECKING:
    from kugiri import files as writing
else:
    writing = lazy_module("kugiri.files")

__all__ = [
    "FORMATS",
    "Format",
    "lacks_pattern",
    "open_source",
    "read_content",
    "read_file",
    "read_source",
    "write_content",
    "write_file",
]


class Format(NamedTuple):
    """A format, and the module that reads and writes it.

    Attributes:
        module: holds `read(data, …) -> TokenizerSpec` and `write(spec)`, which gives bytes, or for
            a format of several files the bytes of each by its name.
        suffix: how the names of its files end.
    """

    module: str
    suffix: str


_MODULES = {
    "kugiri": "native",
    "tokenizer.json": "tokenizer_json",
    "tiktoken": "tiktoken",
    "sentencepiece": "sentencepiece",
    "tekken": "tekken",
    "vocab.json": "gpt2_files",
    "vocab.txt": "vocab_txt",
}
FORMATS: dict[str, Format] = {
    name: Format(module, SUFFIXES[name]) for name, module in _MODULES.items()
}
"""The formats by name."""

_WITH_COMPANIONS = ("vocab.json", "vocab.txt")
_WITH_CHATS = ("kugiri", *_WITH_COMPANIONS)
_WITH_NAMED_TOKENS = ("tokenizer.json", "sentencepiece")


def read_file(
    path_or_bytes: str | os.PathLike[str] | bytes,
    *,
    format: str | None = None,
    pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> TokenizerSpec:
    """Read a tokenizer of any format.

    Args:
        path_or_bytes: a file or its content, a folder, or a name (source.py).
        format: a name in FORMATS; None recognises it.
        pattern: for .tiktoken only: the split pattern, by name or as a regex.
        special_tokens: for .tiktoken only: token → id.

    Raises:
        FormatError: there is no such file, or it is not what it should be; has path and byte.
        OptionError: `format` is unknown, or an option is for another format.
    """
    source = open_source(path_or_bytes)
    return read_source(source, format=format, pattern=pattern, special_tokens=special_tokens)


def read_source(
    source: Source,
    *,
    format: str | None = None,
    pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> TokenizerSpec:
    """The same of what is read already.

    Raises:
        FormatError: it is not what it should be; has path and byte.
        OptionError: `format` is unknown, or an option is for another format.
    """
    try:
        if format is None:
            format = "tiktoken" if source.encoding else recognise(source.data, source.path)
        name = choose("format", format, FORMATS)
        spec: TokenizerSpec = _module(name).read(
            source.data, **_options(name, source, pattern, special_tokens)
        )
        if spec.chat is None and (chat := read_chat(source)) is not None:
            spec = replace(spec, chat=chat)
        if source.is_folder and name in _WITH_NAMED_TOKENS:
            spec = with_named_tokens(spec, source)
    except FormatError as error:
        error.path = error.path or (None if source.path is None else str(source.path))
        raise
    return spec


def lacks_pattern(source: Source) -> bool:
    """Whether nothing says how it splits: a .tiktoken file that is none of the public encodings.

    Raises:
        FormatError: it is of no known format.
    """
    if source.encoding or recognise(source.data, source.path) != "tiktoken":
        return False
    return not _module("tiktoken").is_public(source.data)


def read_content(name: str, files: Mapping[str, bytes], **options: Any) -> TokenizerSpec:
    """Read a format from the content of its files, as `write_content` gives it.

    Raises:
        FormatError: it is not what it should be.
    """
    main = FORMATS[name].suffix
    if name in _WITH_COMPANIONS:
        options["beside"] = files.get
    spec: TokenizerSpec = _module(name).read(files[main], **options)
    return spec


def write_content(spec: TokenizerSpec, name: str) -> dict[str, bytes]:
    """The files of a format by how their names end, that of the format first.

    Raises:
        FormatError: the format has no place for something that the ids depend on.
    """
    if spec.chat is not None and name not in _WITH_CHATS:
        warn_not_kept(f"a {FORMATS[name].suffix}", ["the chat template, which lies beside it"])
        spec = replace(spec, chat=None)
    written: bytes | dict[str, bytes] = _module(name).write(spec)
    return written if isinstance(written, dict) else {FORMATS[name].suffix: written}


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
    name = choose("format", format, FORMATS) if format is not None else by_name(path)
    try:
        if name is None:
            raise FormatError(f"the end of this name is that of no format; {known()}")
        files = write_content(spec, name)
        with ExitStack() as stack:
            for place, data in _places(path, files).items():
                stack.enter_context(writing.write_beside(place)).write(data)
    except FormatError as error:
        error.path = error.path or str(path)
        raise


def _places(path: Path, files: Mapping[str, bytes]) -> dict[Path, bytes]:
    """Where each file goes; what stands before the name of the first is common to all."""
    main, *others = files
    places = {path: files[main]}
    if others:
        if not path.name.endswith(main):
            raise FormatError(
                f"this format is {len(files)} files side by side: {', '.join(files)}; end the "
                f"name as {main}"
            )
        prefix = path.name.removesuffix(main)
        places |= {path.with_name(prefix + other): files[other] for other in others}
    return places


def _module(name: str) -> Any:
    return imported(f"{__name__}.{FORMATS[name].module}")


def _options(
    name: str, source: Source, pattern: str | None, special_tokens: Mapping[str, int] | None
) -> dict[str, object]:
    """What the reader of a format takes beside the content."""
    if name == "tiktoken":
        _check_special_tokens(special_tokens)
        if pattern is not None:
            as_string("pattern=", pattern)
        path = source.path
        stem = path.name[: -len(".tiktoken")] if path and by_name(path) == name else None
        return {
            "name": source.encoding or stem,
            "pattern": pattern,
            "special_tokens": special_tokens,
        }
    for option, given in (("pattern", pattern), ("special_tokens", special_tokens)):
        if given is not None:
            raise OptionError(f"{option}= is for .tiktoken files; a {name} file holds its own")
    if name in _WITH_COMPANIONS:
        suffix = FORMATS[name].suffix
        return {"beside": lambda other: source.beside(suffix, other)}
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
