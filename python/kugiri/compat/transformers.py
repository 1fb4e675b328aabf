"""A tokenizer with the calls of a fast tokenizer of transformers.

Rule.    As there: the template is filled unless told otherwise, and special tokens are found in
         texts unless `split_special_tokens=True`. Roles (`pad_token`, …) and limits come from the
         settings beside the file.
Cost.    That of `Tokenizer.model_inputs`.
Source.  transformers 5.24.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any

from kugiri.compat.batch_encoding import BatchEncoding, as_tensors
from kugiri.compat.call_options import CallOptions, read_call
from kugiri.compat.fill_up import filled_up
from kugiri.compat.length_options import Defaults, as_lengths
from kugiri.compat.pretrained import cleaned_up, read_pretrained, without_download
from kugiri.compat.vocabulary import Vocabulary, as_python
from kugiri.errors import OptionError
from kugiri.inputs import as_number, is_list
from kugiri.reference.post_process import layout
from kugiri.spec import BPE
from kugiri.tokenizing.model_inputs import ModelInputs


class PreTrainedTokenizerFast(Vocabulary):
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

    name_or_path = ""

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
        tokenizer, said = read_pretrained(source)
        loaded = cls(tokenizer, **{**said, **settings})
        loaded.name_or_path = fspath(source)
        return loaded

    # ── texts → rows ──────────────────────────────────────────────────────────────────────────
    def __call__(
        self,
        text: Any = None,
        text_pair: Any = None,
        text_target: Any = None,
        text_pair_target: Any = None,
        **options: Any,
    ) -> BatchEncoding:
        """Return a text, or several, as a model is given them.

        Args:
            text: a text, a list of texts, or a list of pairs.
            text_pair: the second text, or a list of them.
            text_target: a text, or several, for the output of a model; its ids are `labels` where
                there is a text beside it.
            text_pair_target: the second text of that.
            **options: those of transformers, as call_options.py lists them.

        Raises:
            OptionError: an argument has a wrong value, or is not known here.
        """
        call = read_call(options)
        if text is None and text_target is None:
            raise OptionError("no text came; give text, or text_target")
        if text is None:
            return self._encoded(text_target, text_pair_target, call)
        rows = self._encoded(text, text_pair, call)
        if text_target is not None:
            rows["labels"] = self._encoded(text_target, text_pair_target, call)["input_ids"]
        return rows

    def _encoded(self, text: Any, pair: Any, call: CallOptions) -> BatchEncoding:
        rows = self._rows(text, pair, call)
        wanted = self._wanted(
            token_type_ids=call.return_token_type_ids, attention_mask=call.return_attention_mask
        )
        wanted += ["special_tokens_mask"] * call.return_special_tokens_mask
        values: dict[str, Any] = dict(rows.to_lists(*wanted))
        if call.return_offsets_mapping:
            values["offset_mapping"] = rows.offset_mapping
        if call.return_length:
            values["length"] = [len(row) for row in rows.input_ids]
        if call.return_overflowing_tokens:
            values["overflow_to_sample_mapping"] = rows.overflow_to_sample_mapping
        if call.return_tensors is not None:
            values = as_tensors(values, call.return_tensors)
        elif not (is_list(text) or call.return_overflowing_tokens):
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
        most = as_number("model_max_length", self.model_max_length, 0)
        return Defaults(pad, self.padding_side, self.truncation_side, most)

    def _rows(self, text: Any, pair: Any, call: CallOptions) -> ModelInputs:
        padding, truncation = as_lengths(self._defaults(), call)
        as_text = call.split_special_tokens
        as_text = self.split_special_tokens if as_text is None else as_text
        return self.tokenizer.model_inputs(
            *_columns(text, pair),
            padding=padding,
            truncation=truncation,
            overflow=call.return_overflowing_tokens,
            add_special_tokens=call.add_special_tokens,
            allowed_special=frozenset() if as_text else "all",
        )

    def encode(self, text: str, text_pair: str | None = None, **arguments: Any) -> Any:
        """Return the ids of a text."""
        return self(text, text_pair, **arguments)["input_ids"]

    def tokenize(self, text: str, pair: str | None = None, **arguments: Any) -> list[str]:
        """Return the tokens of a text as strings, without a template unless asked for."""
        return self(text, pair, **{"add_special_tokens": False, **arguments}).tokens()

    def pad(
        self,
        encoded_inputs: Any,
        padding: bool | str = True,
        max_length: int | None = None,
        pad_to_multiple_of: int | None = None,
        padding_side: str | None = None,
        return_attention_mask: bool | None = None,
        return_tensors: str | None = None,
        verbose: bool = True,
    ) -> BatchEncoding:
        """Return rows of earlier calls filled up; see fill_up.py.

        Raises:
            OptionError: they are no rows, or an argument has a wrong value.
        """
        call = CallOptions(
            padding=padding,
            truncation=False,
            max_length=max_length,
            pad_to_multiple_of=pad_to_multiple_of,
            padding_side=padding_side,
        )
        how, _ = as_lengths(self._defaults(), call)
        with_mask = "attention_mask" in self._wanted(attention_mask=return_attention_mask)
        ids = next(iter(self.model_input_names), "input_ids")
        values, kind = filled_up(encoded_inputs, ids, how, with_mask)
        return BatchEncoding(values, tensor_type=return_tensors or kind)

    def num_special_tokens_to_add(self, pair: bool = False) -> int:
        """Return how many tokens the template puts around a text, or a pair."""
        texts = 2 if pair else 1
        items = layout(self.tokenizer.spec.post_processor, texts, True)
        return sum(not isinstance(item.content, int) for item in items)

    @property
    def max_len_single_sentence(self) -> int:
        """How many tokens of a text the model takes beside those of the template."""
        return int(self.model_max_length) - self.num_special_tokens_to_add(pair=False)

    @property
    def max_len_sentences_pair(self) -> int:
        """How many tokens of a pair."""
        return int(self.model_max_length) - self.num_special_tokens_to_add(pair=True)

    # ── ids → text ────────────────────────────────────────────────────────────────────────────
    def decode(
        self,
        token_ids: Any,
        skip_special_tokens: bool = False,
        clean_up_tokenization_spaces: bool | None = None,
        spaces_between_special_tokens: bool = True,
    ) -> Any:
        """Return the text of ids; of rows of ids, a list of texts.

        `spaces_between_special_tokens` means nothing to a fast tokenizer, there or here.
        """
        ids = token_ids.get("input_ids") if isinstance(token_ids, Mapping) else token_ids
        ids = as_python(ids)
        ids = [ids] if isinstance(ids, int) else ids
        if isinstance(ids, list) and ids and isinstance(ids[0], list):
            options = (skip_special_tokens, clean_up_tokenization_spaces)
            return [self.decode(row, *options) for row in ids]
        text = self.tokenizer.decode(ids, skip_special_tokens=skip_special_tokens)
        clean = clean_up_tokenization_spaces
        clean = self.clean_up_tokenization_spaces if clean is None else clean
        if clean and not isinstance(self.tokenizer.spec.model, BPE):
            return cleaned_up(text)
        return text

    def batch_decode(self, sequences: Any, *options: Any, **named: Any) -> list[str]:
        """Return the text of each row of ids; one row is a list of one text."""
        rows = as_python(sequences)
        decoded = [] if rows == [] else self.decode(rows, *options, **named)
        return [decoded] if isinstance(decoded, str) else list(decoded)


def _columns(text: Any, pair: Any) -> tuple[Any, Any]:
    """The first texts and the second ones, however they came."""
    if not is_list(text):
        return [text], [pair] if pair else None
    texts = list(text)
    if pair is not None or not any(map(is_list, texts)):
        return texts, pair
    pairs = [tuple(item) if is_list(item) else () for item in texts]
    if any(len(item) != 2 for item in pairs):
        raise OptionError("a batch is of texts, or of pairs of two texts, and not of both")
    return [first for first, _ in pairs], [second for _, second in pairs]


AutoTokenizer = PreTrainedTokenizerFast
