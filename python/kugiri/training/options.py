"""The options of a training run: their names, what they mean, what is meant if nothing is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from kugiri.corpus import Reading
from kugiri.errors import OptionError, choose, shown
from kugiri.inputs import as_flag, as_string, as_whole, is_list
from kugiri.presets import PRESETS, WORD_PIECE_PRESETS
from kugiri.reference.train.word_piece import Options as WordPieceOptions

_LEAST = {
    "vocab_size": 1,
    "num_merges": 0,
    "min_frequency": 1,
    "max_piece_length": 1,
    "limit_alphabet": 1,
}


@dataclass(frozen=True, kw_only=True)
class Options(WordPieceOptions):
    """Those of the algorithms (reference/train/), and what surrounds them.

    Attributes:
        pre_tokenizer: "none", "whitespace", "bert", "scripts", a name in patterns.PATTERNS or in
            dictionaries.DICTIONARIES, or a regex; None is the usual one of the model.
        normalizer: "none", "nfc", "nfkc", "bert" or "bert-cased"; None is "none".
        documents, field, column, errors: how files are read; see `kugiri.corpus.Reading`.
        keep_newlines: leave line ends in the text, and blank lines, as HF tokenizers does.
        compatibility: with "tokenizers", what HF's trainer does: special tokens get the first ids,
            and an alphabet that does not fit is kept whole, with a warning.
    """

    pre_tokenizer: str | None = None
    normalizer: str | None = None
    documents: str = "lines"
    field: str | None = None
    column: str | None = None
    keep_newlines: bool = False
    errors: str = "strict"
    compatibility: str | None = None

    def __post_init__(self) -> None:
        """Refuse what no run could honour.

        Raises:
            OptionError: a value is not allowed, or two exclude each other.
        """
        _check_types(self)
        super().__post_init__()
        self.reading()
        if self.compatibility is not None:
            choose("compatibility", self.compatibility, ["tokenizers"])
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if value is not None and as_whole(name, value, least) >= 2**31:
                raise OptionError(f"{name} is {shown(value)}; it must be less than 2**31")
        if self.vocab_size is not None and self.num_merges is not None:
            raise OptionError("vocab_size and num_merges exclude each other; give one of them")
        if self.keep_characters and self.unit == "char":
            raise OptionError("keep_characters is for unit='byte'; characters are whole already")
        for character in self.initial_alphabet:
            if len(character) != 1:
                raise OptionError(f"initial_alphabet is single characters; {character!r} came")
        specials = self.special_tokens
        if len(set(specials)) != len(specials) or "" in specials:
            raise OptionError(f"special_tokens must differ and not be empty; got {list(specials)}")

    def reading(self) -> Reading:
        """How the files of the corpus become documents."""
        return Reading(
            documents=self.documents, field=self.field, column=self.column, errors=self.errors
        )


def _check_types(options: Options) -> None:
    for name in ("keep_characters", "keep_newlines"):
        as_flag(name, getattr(options, name))
    for name in ("pre_tokenizer", "normalizer", "end_of_word", "continuing_prefix", "merge_by"):
        if (value := getattr(options, name)) is not None:
            as_string(name, value)
    for name in ("special_tokens", "initial_alphabet"):
        for value in getattr(options, name):
            as_string(f"an entry of {name}", value)


_MEANT = {
    **{field.name: ("bpe", "wordpiece") for field in fields(WordPieceOptions)},
    **dict.fromkeys(("unit", "byte_order", "end_of_word", "keep_characters"), ("bpe",)),
    **dict.fromkeys(("continuing_prefix", "merge_by"), ("wordpiece",)),
}
_FOR_ALL = ("vocab_size", "special_tokens")
MEANT_FOR = {name: models for name, models in _MEANT.items() if name not in _FOR_ALL}
"""The options that mean nothing to some models, and the models that they are for."""


def model_of(model: str | None, preset: str | None) -> str:
    """The model that is meant: that of the preset, or BPE.

    Raises:
        OptionError: the preset is for another model.
    """
    if preset is None:
        return model or "bpe"
    of_word_piece = choose("preset", preset, PRESETS) in WORD_PIECE_PRESETS
    if model is not None and of_word_piece != (model == "wordpiece"):
        theirs = "'wordpiece'" if of_word_piece else "'bpe'"
        raise OptionError(f"preset={preset!r} is for model={theirs}; leave it out for {model!r}")
    return model or ("wordpiece" if of_word_piece else "bpe")


def read_options(preset: str | None, given: Mapping[str, Any]) -> Options:
    """The options of a preset, overlaid with those given.

    Raises:
        OptionError: a name or a value is not allowed.
    """
    names = [field.name for field in fields(Options)]
    for name in given:
        choose("option", name, names)
    base = {} if preset is None else PRESETS[choose("preset", preset, PRESETS)]
    merged = {**base, **{name: value for name, value in given.items() if value is not None}}
    if merged.get("num_merges") is not None and "vocab_size" not in given:
        merged.pop("vocab_size", None)
    for name in _LEAST.keys() & merged.keys():
        merged[name] = as_whole(name, merged[name], _LEAST[name])
    for name in ("special_tokens", "initial_alphabet"):
        merged[name] = _strings(name, merged.get(name, ()))
    return Options(**merged)


def _strings(name: str, value: Any) -> tuple[str, ...]:
    """A list of str; a single str is the list of its characters where characters are meant."""
    if isinstance(value, str) and name == "special_tokens":
        raise OptionError(f"special_tokens is a list of str, {value!r} came; write [{value!r}]")
    strings = tuple(value) if is_list(value) or isinstance(value, str) else (value,)
    if not all(isinstance(string, str) for string in strings):
        raise OptionError(f"{name} is a list of str, {shown(value)} came")
    return strings
