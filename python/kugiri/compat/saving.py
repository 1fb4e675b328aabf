"""Saving a tokenizer of transformers: a folder that both libraries load again.

Rule.    tokenizer.json, or vocab.txt for words of a dictionary, which that cannot hold; and
         tokenizer_config.json with the roles, the defaults and the chat templates. All files or
         none; what the formats have no place for is refused.
Source.  transformers 5.24.0.
"""

from __future__ import annotations

from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from kugiri import files as writing
from kugiri.compat.pretrained import SETTINGS
from kugiri.compat.vocabulary import Vocabulary
from kugiri.errors import FormatError
from kugiri.formats import write_content
from kugiri.formats.named_tokens import EXTRA
from kugiri.formats.settings import CONFIG
from kugiri.inputs import as_path
from kugiri.spec import dictionaries_of


def save(tokenizer: Vocabulary, folder: str | PathLike[str]) -> tuple[str, ...]:
    """Write the files of a tokenizer, and return where they are.

    Raises:
        FormatError: the formats cannot hold it, or the folder cannot be written.
    """
    spec = msgspec.structs.replace(tokenizer.tokenizer.spec, chat=None)
    has_words = bool(dictionaries_of(spec.pre_tokenizer))
    files = write_content(spec, "vocab.txt" if has_words else "tokenizer.json")
    values: dict[str, Any] = {"tokenizer_class": "PreTrainedTokenizerFast"}
    values |= msgspec.json.decode(files.get(CONFIG, b"{}"))
    values |= {name: getattr(tokenizer, name) for name in SETTINGS}
    values |= {**tokenizer.special_tokens_map, EXTRA: tokenizer.extra_special_tokens}
    if isinstance(templates := values["chat_template"], dict):
        values["chat_template"] = [
            {"name": name, "template": text} for name, text in templates.items()
        ]
    present = {name: value for name, value in values.items() if value is not None}
    files[CONFIG] = msgspec.json.format(msgspec.json.encode(present), indent=2) + b"\n"
    place = as_path(folder)
    _make(place)
    with ExitStack() as stack:
        for name, data in files.items():
            stack.enter_context(writing.write_beside(place / name)).write(data)
    return tuple(str(place / name) for name in files)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"no folder: {error.strerror or error}; name another", folder) from error
