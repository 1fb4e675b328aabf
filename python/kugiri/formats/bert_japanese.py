"""The settings of BertJapaneseTokenizer, which cuts words by MeCab or Sudachi before WordPiece.

Rule.    The text in NFKC is cut at the words of the dictionary and at white space, which is
         dropped. The settings name the dictionary and not its version: that is the one that is
         installed, there as here. Lower case, which is made of the words there, is no stage here.
Cost.    None.
Source.  transformers 5.24.0 (`word_tokenizer_type`, `mecab_kwargs`, `sudachi_kwargs`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from kugiri import spec
from kugiri.errors import FormatError
from kugiri.formats.settings import CONFIG, Settings
from kugiri.named_stages import words_of_dictionary
from kugiri.warned import warn

CLASS = "BertJapaneseTokenizer"

_MECAB = {"ipadic": "mecab-ipadic", "unidic_lite": "mecab-unidic-lite"}
_KNOWN: dict[str, tuple[str, ...]] = {
    "mecab": ("mecab_dic", "normalize_text"),
    "sudachi": ("sudachi_split_mode", "sudachi_dict_type", "normalize_text", "trim_whitespace"),
}
"""What may be said of each; `trim_whitespace` is done by WordPiece in any case."""


class Stages(NamedTuple):
    """What stands around the model."""

    normalizer: spec.NFKC | None
    pre_tokenizer: spec.PreTokenizers
    decoder: spec.WordPieceDecoder


def read_stages(settings: Settings) -> Stages:
    """The stages that the settings ask for.

    Raises:
        FormatError: they ask for what is not run here.
        OptionError: the dictionary is not installed.
    """
    _require(settings.values, "subword_tokenizer_type", "wordpiece", ["wordpiece"])
    for name in ("do_word_tokenize", "do_subword_tokenize"):
        _require(settings.values, name, True, [True])
    _require(settings.values, "do_lower_case", False, [False])
    splitter = _require(settings.values, "word_tokenizer_type", "basic", list(_KNOWN))
    options = settings.values.get(f"{splitter}_kwargs") or {}
    if not isinstance(options, dict):
        raise FormatError(f"{splitter}_kwargs of {CONFIG} is {options!r:.60}; it is an object")
    told = {name: value for name, value in options.items() if value is not None}
    if unknown := told.keys() - set(_KNOWN[splitter]):
        raise FormatError(
            f"{splitter}_kwargs of {CONFIG} has {min(unknown)!r}, which is not run here; "
            f"known: {', '.join(_KNOWN[splitter])}"
        )
    words = words_of_dictionary(*_named(splitter, told))
    (step,) = spec.dictionaries_of(words)
    warn(
        f"the file says nothing of the version of {step.dictionary.package}; the words are those "
        f"of {step.dictionary.version}, which is installed, and .kugiri.json keeps this",
        stacklevel=6,
    )
    normalized = _require(told, "normalize_text", True, [True, False])
    cleanup = settings.flag("clean_up_tokenization_spaces", False)
    return Stages(spec.NFKC() if normalized else None, words, spec.WordPieceDecoder("##", cleanup))


def _named(splitter: str, told: Mapping[str, Any]) -> tuple[str, str]:
    """The name of the words, and the package of the dictionary."""
    if splitter == "mecab":
        name = _MECAB[_require(told, "mecab_dic", "unidic_lite", list(_MECAB))]
        return name, name.removeprefix("mecab-")
    mode = _require(told, "sudachi_split_mode", "A", ["A", "B", "C"])
    size = _require(told, "sudachi_dict_type", "core", ["core", "small", "full"])
    return f"sudachi-{mode.lower()}", f"sudachidict-{size}"


def write_values(stages: Stages) -> dict[str, Any]:
    """The settings that ask for the stages."""
    (step,) = spec.dictionaries_of(stages.pre_tokenizer)
    splitter, _, name = step.name.partition("-")
    if splitter == "mecab":
        options: dict[str, Any] = {"mecab_dic": name.replace("-", "_")}
    else:
        size = step.dictionary.package.removeprefix("sudachidict-")
        options = {"sudachi_split_mode": name.upper(), "sudachi_dict_type": size}
    return {
        "tokenizer_class": CLASS,
        "do_lower_case": False,
        "word_tokenizer_type": splitter,
        "subword_tokenizer_type": "wordpiece",
        f"{splitter}_kwargs": {**options, "normalize_text": stages.normalizer is not None},
        "clean_up_tokenization_spaces": stages.decoder.cleanup,
    }


def _require(values: Mapping[str, Any], name: str, default: Any, allowed: list[Any]) -> Any:
    """A setting; null is its default.

    Raises:
        FormatError: it is none of those that are run here.
    """
    value = values.get(name)
    value = default if value is None else value
    if not any(value is one or (isinstance(value, str) and value == one) for one in allowed):
        raise FormatError(
            f"{name} of {CONFIG} is {value!r:.60} for a {CLASS}; read here: "
            f"{', '.join(map(str, allowed))}"
        )
    return value
