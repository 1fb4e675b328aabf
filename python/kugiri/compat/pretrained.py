"""The tokenizer of a model with the settings beside it, those that transformers goes by."""

from __future__ import annotations

import warnings
from os import PathLike
from typing import Any

from kugiri.errors import KugiriWarning, OptionError
from kugiri.formats.settings import read_settings
from kugiri.formats.source import open_source
from kugiri.inputs import as_path
from kugiri.load import load
from kugiri.tokenizer import Tokenizer

ROLES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
SETTINGS: dict[str, Any] = {
    "model_max_length": 10**30,
    "padding_side": "right",
    "truncation_side": "right",
    "model_input_names": ["input_ids", "attention_mask"],
    "clean_up_tokenization_spaces": False,
    "split_special_tokens": False,
}
"""The settings that count here, with their defaults."""

_DOWNLOAD = {
    "cache_dir": None,
    "force_download": False,
    "local_files_only": False,
    "proxies": None,
    "revision": "main",
    "token": None,
}
"""How files are fetched, with the defaults: nothing for files that are here."""

_CLEANED = [" .", " ?", " !", " ,", " ' ", " n't", " 'm", " 's", " 've", " 're"]
"""What loses its spaces when decoded text is cleaned up, one after another."""


def read_pretrained(source: str | PathLike[str]) -> tuple[Tokenizer, dict[str, Any]]:
    """The tokenizer of a file, a folder, or a name on the hub, and what its settings say.

    Raises:
        FormatError: there is none, or it is malformed.
    """
    with warnings.catch_warnings():
        # A file's padding and truncation are replaced by those of each call.
        warnings.filterwarnings("ignore", "this file asks for", KugiriWarning)
        tokenizer = load(source)
    opened = open_source(source)
    name = opened.path.name if opened.path is not None else ""
    found = read_settings(lambda other: opened.beside(name, other), tokenizer.vocab, {})
    said = {name: value for name, value in found.values.items() if name in SETTINGS}
    roles = {role: token for role, token in found.roles.items() if role in ROLES}
    return tokenizer, {**said, **roles}


def without_download(source: str | PathLike[str], settings: dict[str, Any]) -> dict[str, Any]:
    """Settings without what says how files are fetched, and what means nothing here.

    Raises:
        OptionError: a name on the hub is to be fetched otherwise than by default.
    """
    is_here = as_path(source).exists()
    for name in _DOWNLOAD.keys() & settings.keys():
        if not is_here and settings[name] not in (_DOWNLOAD[name], None, False):
            raise OptionError(
                f"{name} is for the package huggingface_hub: give its snapshot_download the name "
                f"and {name}, and from_pretrained the folder that it returns"
            )
    left_out = (*_DOWNLOAD, "use_fast", "trust_remote_code")
    return {name: value for name, value in settings.items() if name not in left_out}


def cleaned_up(text: str) -> str:
    """Decoded text without the spaces that a WordPiece puts before signs.

    Example:
        >>> cleaned_up("it 's a cat , is n't it ?")
        "it's a cat, isn't it?"
    """
    for part in _CLEANED:
        text = text.replace(part, part.strip())
    return text
