"""transformers' names: `from kugiri.compat.transformers import AutoTokenizer`.

Rule.    Roles (`pad_token`, …), limits and sides come from the settings beside the file. Chats are
         written as their template says, and content of a chat never makes a control token; there it
         may. What a tokenizer is saved as is what the formats of kugiri hold.
Cost.    That of `Tokenizer.load`, `encode_chat` and `save`.
Source.  transformers 5.24.0.
"""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

from kugiri.compat.chats import Chats
from kugiri.compat.made_of import as_tokenizer
from kugiri.compat.pretrained import read_pretrained, without_download
from kugiri.compat.saving import save
from kugiri.errors import OptionError
from kugiri.tokenizer import Tokenizer


class PreTrainedTokenizerFast(Chats):
    """A tokenizer that is called as in transformers.

    Attributes:
        tokenizer: what does the work.
        bos_token, eos_token, unk_token, sep_token, pad_token, cls_token, mask_token: special tokens
            by their role, or None; each has an id, as in `pad_token_id`.
        model_max_length, padding_side, truncation_side, model_input_names: defaults of a call.
        chat_template: the usual template, or all of them by their names; None for none.

    Example:
        >>> import kugiri
        >>> tok = kugiri.train(["low lower"] * 2, vocab_size=259, special_tokens=["<pad>"])
        >>> tokenizer = PreTrainedTokenizerFast(tok, pad_token="<pad>")
        >>> tokenizer(["low", "lo"], padding=True)["input_ids"]
        [[257], [256]]
    """

    name_or_path = ""
    _by_class = False

    def __init__(
        self,
        tokenizer: Tokenizer | str | PathLike[str] | None = None,
        *,
        tokenizer_file: str | PathLike[str] | None = None,
        tokenizer_object: Any = None,
        **settings: Any,
    ) -> None:
        """Take a tokenizer, and settings as they stand in tokenizer_config.json.

        Args:
            tokenizer: one of kugiri, or the path of a file.
            tokenizer_file: the path of a file.
            tokenizer_object: one of kugiri, or of the library tokenizers.
            **settings: roles, limits, sides.

        Raises:
            OptionError: there is no such setting, or a role has no token of the vocabulary.
        """
        super().__init__(as_tokenizer(tokenizer, tokenizer_file, tokenizer_object), **settings)

    @classmethod
    def from_pretrained(
        cls, source: str | PathLike[str], **settings: Any
    ) -> PreTrainedTokenizerFast:
        """Load the tokenizer of a file, a folder, or a name on the hub, with its settings.

        Raises:
            FormatError: there is none, or it is malformed.
            OptionError: there is no such setting.
        """
        settings = without_download(source, settings)
        tokenizer, said = read_pretrained(source, cls._by_class)
        loaded = cls(tokenizer, **{**said, **settings})
        loaded.name_or_path = fspath(source)
        return loaded

    def save_pretrained(
        self, save_directory: str | PathLike[str], **others: Any
    ) -> tuple[str, ...]:
        """Write a folder that transformers and kugiri load again; return its files.

        Raises:
            FormatError: the formats cannot hold this tokenizer.
            OptionError: an argument is not known here.
        """
        if asked := [name for name, value in others.items() if value]:
            raise OptionError(
                f"save_pretrained takes a folder, not {', '.join(asked)}; to put it on the hub: "
                "huggingface_hub.upload_folder"
            )
        return save(self, save_directory)


class AutoTokenizer(PreTrainedTokenizerFast):
    """The same; what is loaded has the defaults of the class that its settings name."""

    _by_class = True
