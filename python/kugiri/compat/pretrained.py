"""The tokenizer of a model with the settings beside it, those that transformers goes by."""

from __future__ import annotations

import warnings
from os import PathLike
from typing import Any

from kugiri.compat.class_defaults import defaults_of
from kugiri.errors import KugiriWarning, OptionError, shown
from kugiri.formats.named_tokens import EXTRA, USUAL_ROLES, read_names
from kugiri.formats.source import open_source
from kugiri.inputs import as_path
from kugiri.load import load
from kugiri.tokenizer import Tokenizer

SETTINGS: dict[str, Any] = {
    "model_max_length": int(1e30),
    "padding_side": "right",
    "truncation_side": "right",
    "model_input_names": ["input_ids", "attention_mask"],
    "clean_up_tokenization_spaces": False,
    "split_special_tokens": False,
    "chat_template": None,
}
"""The settings that count here, with their defaults."""

_USUAL = {
    "bos_token": ("<s>", "<bos>"),
    "eos_token": ("</s>", "<eos>"),
    "unk_token": ("[UNK]", "<unk>"),
    "sep_token": ("[SEP]",),
    "pad_token": ("[PAD]", "<pad>"),
    "cls_token": ("[CLS]",),
    "mask_token": ("[MASK]", "<mask>"),
}
"""How the special tokens of roles are called where no settings say it."""

_WITHOUT_SETTINGS = (".kugiri.json", "vocab.txt")
"""Files that may stand alone, and whose special tokens are called as usual."""

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


def load_quietly(source: str | PathLike[str] | bytes) -> Tokenizer:
    """A tokenizer; padding and truncation of its file are replaced by those of each call."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "this file asks for", KugiriWarning)
        return load(source)


def read_pretrained(
    source: str | PathLike[str], by_class: bool
) -> tuple[Tokenizer, dict[str, Any]]:
    """The tokenizer of a file, a folder, or a name on the hub, and what its settings say.

    Args:
        source: where it is.
        by_class: whether the defaults are those of the class that the settings name.

    Raises:
        FormatError: there is none, or it is malformed.
    """
    tokenizer = load_quietly(source)
    opened = open_source(source)
    values, named, extra = read_names(opened)
    roles = {role: token.content for role, token in named.items()}
    if not values and opened.path and opened.path.name.endswith(_WITHOUT_SETTINGS):
        roles = _usual_roles(tokenizer)
    listed = [token.content for token in extra]
    known = tokenizer.vocab
    if lost := [token for token in dict.fromkeys([*roles.values(), *listed]) if token not in known]:
        warnings.warn(
            "the settings name tokens that have no id and are left out: "
            f"{', '.join(map(shown, lost))}",
            KugiriWarning,
            stacklevel=3,
        )
    default = defaults_of(tokenizer.spec, values) if by_class else {}
    default = {name: its for name, its in default.items() if name in SETTINGS or its in known}
    said = {name: its for name, its in values.items() if name in {*SETTINGS, *USUAL_ROLES}}
    said.pop("chat_template", None)  # the tokenizer has it, with those of other files
    roles = {role: token for role, token in roles.items() if token in known}
    extra_tokens = [token for token in listed if token in known]
    nothing = dict.fromkeys(said.keys() & {*USUAL_ROLES})
    return tokenizer, {**default, **said, **nothing, **roles, EXTRA: extra_tokens}


def _usual_roles(tokenizer: Tokenizer) -> dict[str, str]:
    """The special tokens that are called as usual, and those that the chat template names."""
    special, spec = tokenizer.special_tokens, tokenizer.spec
    found = {
        role: next((name for name in names if name in special), None)
        for role, names in _USUAL.items()
    }
    told = {} if spec.chat is None else spec.chat.tokens
    padding = {} if spec.padding is None else {"pad_token": spec.padding.pad_token}
    return {role: its for role, its in {**found, **padding, **told}.items() if its is not None}


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
