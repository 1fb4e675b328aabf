"""Loading a tokenizer from whatever file people have."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from kugiri import cache
from kugiri.errors import FormatError, OptionError, choose, shown
from kugiri.formats import open_source, read_source
from kugiri.formats.chat_templates import read_chat
from kugiri.formats.named_tokens import without_id
from kugiri.lazy import lazy_module
from kugiri.spec import TokenizerSpec, WordLevel, respelled
from kugiri.tables import Tokens
from kugiri.tokenizer import Tokenizer
from kugiri.warned import warn

if TYPE_CHECKING:
    from kugiri import unicode as tables
else:
    tables = lazy_module("kugiri.unicode")


def load(
    source: str | PathLike[str] | bytes,
    *,
    format: str | None = None,
    pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
    unicode: Literal["original", "current"] = "original",
) -> Tokenizer:
    """Load a tokenizer of any format that kugiri reads; the content says which one it is.

    Args:
        source: a file or its bytes; the folder of a model, whose settings may add special tokens;
            the name of a public encoding, as o200k_base; or a name on the Hugging Face hub, as
            owner/model (needs kugiri[hub]).
        format: which format it is, where the content does not tell.
        pattern: for a .tiktoken file that is not a known one: a name in patterns.PATTERNS, or a
            regex.
        special_tokens: for a .tiktoken file: special tokens with their ids.
        unicode: which tables the normalizers follow: those of the original library, as old as they
            are, or the current ones.

    Raises:
        FormatError: the file is not of the format, malformed, or has a regex that cannot be run
            here as it is meant.
        OptionError: an option has no such value, or is not for this file.

    Example:
        >>> import kugiri, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp(), "my.kugiri.json")
        >>> kugiri.train(["low lower"] * 2, vocab_size=258).save(path)
        >>> kugiri.load(path).encode("low")
        [257]
    """
    opened = open_source(source)
    is_plain = (format, pattern, special_tokens, unicode) == (None, None, None, "original")
    place = cache.place_of(opened) if is_plain and opened.encoding is None else None
    if place and (kept := cache.find(place, lambda: read_chat(opened))):
        return kept
    spec = read_source(opened, format=format, pattern=pattern, special_tokens=special_tokens)
    if choose("unicode", unicode, ("original", "current")) == "current":
        spec = replace(spec, unicode_version=tables.NEWEST)
    for setting in ("truncation", "padding"):
        if getattr(spec, setting) is not None:
            warn(
                f"this file asks for {setting} of every text; kugiri keeps the setting and does "
                f"not apply it, but where you say so: Tokenizer.model_inputs(..., {setting}=True)",
                stacklevel=2,
            )
    if lost := without_id(spec, opened):
        warn(
            f"the settings beside this file name tokens that it does not have, and its chat "
            f"template needs: {', '.join(map(shown, lost))}; load the folder to have them",
            stacklevel=2,
        )
    path = None if isinstance(source, bytes) else str(source)
    try:
        tokenizer = Tokenizer(spec)
        _check_patterns(spec)
    except FormatError as error:
        error.path = path
        raise
    except OptionError as error:
        if pattern is not None:
            raise
        raise FormatError(str(error), path) from error  # a regex of the file, not of the caller
    if place and not lost:
        cache.keep(place, opened.data, tokenizer)
    return tokenizer


def _check_patterns(spec: TokenizerSpec) -> None:
    """Build the stages that hold regexes, if any does, with a vocabulary of nothing.

    Raises:
        OptionError: one of them cannot be run.
    """
    patterns: list[str] = []

    def seen(regex: str) -> str:
        patterns.append(regex)
        return regex

    stages = respelled(replace(spec, model=WordLevel(Tokens.from_iter([])), added_tokens=()), seen)
    if patterns:
        Tokenizer(stages).normalize("")
