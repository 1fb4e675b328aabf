"""The tokenizer that a tokenizer of transformers is made of, however it is given."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

from kugiri.compat.pretrained import load_quietly
from kugiri.errors import OptionError, described
from kugiri.tokenizer import Tokenizer


def as_tokenizer(given: Any, file: Any, other: Any) -> Tokenizer:
    """A tokenizer of kugiri.

    Args:
        given: one, or a file or folder.
        file: a file.
        other: one, or a `tokenizers.Tokenizer`.

    Raises:
        OptionError: there is none, or there are several.
        FormatError: the file is no tokenizer.
    """
    named = {"a tokenizer": given, "tokenizer_file": file, "tokenizer_object": other}
    there = {name: value for name, value in named.items() if value is not None}
    if len(there) != 1:
        raise OptionError(
            "give one of a kugiri.Tokenizer (or the path of a file), tokenizer_file= and "
            f"tokenizer_object=; {' and '.join(there) or 'none'} came"
        )
    (value,) = there.values()
    if isinstance(value, Tokenizer):
        return value
    if isinstance(value, (str, PathLike)) and other is None:
        return load_quietly(fspath(value))
    if hasattr(value, "to_str"):
        return load_quietly(value.to_str().encode())
    raise OptionError(f"a kugiri.Tokenizer is needed; {described(value)} came")
