"""A tokenizer with the calls of a fast tokenizer of transformers.

Rule.    As there: the template is filled unless told otherwise, and special tokens are found in
         texts unless `split_special_tokens=True`. Roles (`pad_token`, …) and limits come from the
         settings beside the file. A token that a role names must be in the vocabulary already.
Cost.    That of `Tokenizer.model_inputs`.
Source.  transformers 5.24.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any

from kugiri.compat.batch_encoding import BatchEncoding, as_tensors
from kugiri.compat.length_options import Defaults, as_lengths
from kugiri.compat.pretrained import ROLES, SETTINGS, cleaned_up, read_pretrained
from kugiri.errors import OptionError, choose, described, shown
from kugiri.inputs import as_ids, is_list
from kugiri.lazy import lazy_property
from kugiri.model_inputs import ModelInputs
from kugiri.reference.post_process import layout
from kugiri.spec import BPE
from kugiri.tokenizer import Tokenizer


class PreTrainedTokenizerFast:
    """A tokenizer that is called as in transformers.

    Attributes:
        tokenizer: what does the work.
        bos_token, eos_token, unk_token, sep_token, pad_token, cls_token, mask_token: special tokens
            by their role, or None; each has an id, as in `pad_token_id`.
        model_max_length, padding_side, truncation_side, model_input_names: defaults of a call.

    Example:
        >>> import kugiri
        >>> tok = kugiri.train(["low lower"] * 2, vocab_size=259, special_tokens=["<pad>"])
        >>> tokenizer = PreTrainedTokenizerFast(tok, pad_token="<pad>")
        >>> tokenizer(["low", "lo"], padding=True)["input_ids"]
        [[257], [256]]
    """

    def __init__(self, tokenizer: Tokenizer, **settings: Any) -> None:
        """Take a tokenizer, and settings as they stand in tokenizer_config.json.

        Raises:
            OptionError: there is no such setting, or a role has no token of the vocabulary.
        """
        if not isinstance(tokenizer, Tokenizer):
            raise OptionError(f"a kugiri.Tokenizer is needed; {described(tokenizer)} came")
        self.tokenizer = tokenizer
        for name in settings:
            choose("setting", name, [*ROLES, *SETTINGS])
        for name, value in {**dict.fromkeys(ROLES), **SETTINGS, **settings}.items():
            setattr(self, name, value)

    @classmethod
    def from_pretrained(
        cls, source: str | PathLike[str], **settings: Any
    ) -> PreTrainedTokenizerFast:
        """Load the tokenizer of a file, a folder, or a name on the hub, with its settings.

        Raises:
            FormatError: there is none, or it is malformed.
        """
        tokenizer, said = read_pretrained(source)
        return cls(tokenizer, **{**said, **settings})

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a role or a default; a token must have an id.

        Raises:
            OptionError: it has none.
        """
        if name in ROLES and value is not None and value not in self.tokenizer.vocab:
            raise OptionError(
                f"{name} is {shown(value)}, which has no id; name a token of the vocabulary"
            )
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        """The id of a role."""
        role = name.removesuffix("_id")
        if role == name or role not in ROLES:
            raise AttributeError(f"a tokenizer has no {name!r}")
        token = getattr(self, role)
        return None if token is None else self.tokenizer.vocab[token]

    # ── texts → rows ──────────────────────────────────────────────────────────────────────────
    def __call__(
        self,
        text: str | list[str],
        text_pair: str | list[str] | None = None,
        add_special_tokens: bool = True,
        padding: bool | str = False,
        truncation: bool | str | None = None,
        max_length: int | None = None,
        stride: int = 0,
        is_split_into_words: bool = False,
        pad_to_multiple_of: int | None = None,
        padding_side: str | None = None,
        return_tensors: str | None = None,
        return_token_type_ids: bool | None = None,
        return_attention_mask: bool | None = None,
        return_overflowing_tokens: bool = False,
        return_special_tokens_mask: bool = False,
        return_offsets_mapping: bool = False,
        return_length: bool = False,
        split_special_tokens: bool | None = None,
        verbose: bool = True,
    ) -> BatchEncoding:
        """Return a text, or several, as a model is given them.

        The arguments are those of transformers; `return_tensors` is None for lists, "np" or "pt".

        Raises:
            OptionError: an argument has a wrong value, or is not known here.
        """
        if is_split_into_words:
            raise OptionError("is_split_into_words is not here; join the words, or give each alone")
        wanted = self._wanted(
            token_type_ids=return_token_type_ids, attention_mask=return_attention_mask
        )
        wanted += ["special_tokens_mask"] * return_special_tokens_mask
        lengths = (padding, truncation, max_length, stride, pad_to_multiple_of, padding_side)
        rows = self._rows(
            text,
            text_pair,
            as_lengths(self._defaults(), *lengths),
            return_overflowing_tokens,
            add_special_tokens,
            self.split_special_tokens if split_special_tokens is None else split_special_tokens,
        )
        values: dict[str, Any] = dict(rows.to_lists(*wanted))
        if return_offsets_mapping:
            values["offset_mapping"] = rows.offset_mapping
        if return_length:
            values["length"] = [len(row) for row in rows.input_ids]
        if return_overflowing_tokens:
            values["overflow_to_sample_mapping"] = rows.overflow_to_sample_mapping
        if return_tensors is not None:
            return BatchEncoding(as_tensors(values, return_tensors), rows)
        if not (is_list(text) or return_overflowing_tokens):
            values = {name: rows if name == "length" else rows[0] for name, rows in values.items()}
        return BatchEncoding(values, rows)

    def _wanted(self, **asked: bool | None) -> list[str]:
        """The names of what a model takes, unless a call says otherwise."""
        chosen = {
            name: name in self.model_input_names if its is None else its
            for name, its in asked.items()
        }
        return ["input_ids", *(name for name, its in chosen.items() if its)]

    def _defaults(self) -> Defaults:
        pad = None if self.pad_token is None else (self.pad_token, self.pad_token_id)
        return Defaults(pad, self.padding_side, self.truncation_side, self.model_max_length)

    def _rows(
        self,
        text: Any,
        pair: Any,
        lengths: tuple[Any, Any],
        overflow: bool,
        add_special_tokens: bool,
        as_text: bool,
    ) -> ModelInputs:
        texts, pairs = text, pair
        if not is_list(text):
            texts, pairs = [text], [pair] if pair else None
        return self.tokenizer.model_inputs(
            texts,
            pairs,
            padding=lengths[0],
            truncation=lengths[1],
            overflow=overflow,
            add_special_tokens=add_special_tokens,
            allowed_special=frozenset() if as_text else "all",
        )

    def encode(self, text: str, text_pair: str | None = None, **arguments: Any) -> Any:
        """Return the ids of a text."""
        return self(text, text_pair, **arguments)["input_ids"]

    def tokenize(self, text: str, pair: str | None = None, **arguments: Any) -> list[str]:
        """Return the tokens of a text as strings, without a template unless asked for."""
        return self(text, pair, **{"add_special_tokens": False, **arguments}).tokens()

    def num_special_tokens_to_add(self, pair: bool = False) -> int:
        """Return how many tokens the template puts around a text, or a pair."""
        texts = 2 if pair else 1
        items = layout(self.tokenizer.spec.post_processor, texts, True)
        return sum(not isinstance(item.content, int) for item in items)

    # ── ids → text ────────────────────────────────────────────────────────────────────────────
    def decode(
        self,
        token_ids: Any,
        skip_special_tokens: bool = False,
        clean_up_tokenization_spaces: bool | None = None,
    ) -> Any:
        """Return the text of ids; of rows of ids, a list of texts."""
        ids = token_ids.tolist() if hasattr(token_ids, "tolist") else token_ids
        ids = [ids] if isinstance(ids, int) else ids
        if len(ids) and is_list(ids[0]):
            options = (skip_special_tokens, clean_up_tokenization_spaces)
            return [self.decode(row, *options) for row in ids]
        text = self.tokenizer.decode(ids, skip_special_tokens=skip_special_tokens)
        clean = clean_up_tokenization_spaces
        clean = self.clean_up_tokenization_spaces if clean is None else clean
        if clean and not isinstance(self.tokenizer.spec.model, BPE):
            return cleaned_up(text)
        return text

    def batch_decode(self, sequences: Any, *options: Any, **named: Any) -> list[str]:
        """Return the text of each row of ids."""
        return [self.decode(row, *options, **named) for row in sequences]

    # ── the vocabulary ────────────────────────────────────────────────────────────────────────
    def convert_tokens_to_ids(self, tokens: str | Iterable[str]) -> Any:
        """Return the id of a token, or of each; that of `unk_token` where there is none."""
        if isinstance(tokens, str):
            return self.tokenizer.vocab.get(tokens, self.unk_token_id)
        return [self.convert_tokens_to_ids(token) for token in tokens]

    def convert_ids_to_tokens(self, ids: Any, skip_special_tokens: bool = False) -> Any:
        """Return the string of an id, or of each; None where there is none."""
        if isinstance(ids, int):
            return self._names.get(ids)
        skipped = set(self.all_special_ids) if skip_special_tokens else set()
        return [self._names.get(id) for id in as_ids(ids).tolist() if id not in skipped]

    @lazy_property
    def _names(self) -> Mapping[int, str]:
        return {id: token for token, id in self.tokenizer.vocab.items()}

    def get_vocab(self) -> dict[str, int]:
        """Return every token with its id."""
        return dict(self.tokenizer.vocab)

    def __len__(self) -> int:
        """The number of tokens, added ones included."""
        return len(self.tokenizer.vocab)

    @property
    def vocab_size(self) -> int:
        """The number of tokens of the model, without added ones."""
        return len(self.tokenizer.spec.model.vocab)

    @property
    def special_tokens_map(self) -> dict[str, str]:
        """Roles with their tokens."""
        return {role: token for role in ROLES if (token := getattr(self, role)) is not None}

    @property
    def all_special_tokens(self) -> list[str]:
        """The tokens that have a role."""
        return list(dict.fromkeys(self.special_tokens_map.values()))

    @property
    def all_special_ids(self) -> list[int]:
        """Their ids."""
        return [self.tokenizer.vocab[token] for token in self.all_special_tokens]


AutoTokenizer = PreTrainedTokenizerFast
