"""What a caller asks for, as options of spm_train.

Rule.    A preset, and over it what is given by name. What is unknown or refused is an error with
         the nearest name or the reason.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from kugiri.errors import OptionError, choose
from kugiri.presets import PRESETS, SENTENCEPIECE_PRESETS
from kugiri.sentencepiece.options import ELSEWHERE, REFUSED, SentencePieceOptions

MODELS = ("bpe", "wordpiece", "unigram", "word", "char")


def by_name(
    model: str | None, preset: str | None, given: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The options of spm_train that a call of `kugiri.train` means, or None if it means others.

    It means these with model="unigram", with a preset of SentencePiece, and with model_type.

    Raises:
        OptionError: there is no such model or preset, two models are named, or a preset is for
            another family.

    Example:
        >>> by_name("bpe", "sentencepiece", {"vocab_size": 500})
        {'max_sentence_length': 4192, 'vocab_size': 500, 'model_type': 'bpe'}
        >>> by_name("bpe", "gpt2", {"vocab_size": 500})
    """
    if preset is not None:
        choose("preset", preset, PRESETS | SENTENCEPIECE_PRESETS)
    if model is not None:
        choose("model", model, MODELS)
    of_preset = SENTENCEPIECE_PRESETS.get(preset or "", {})
    of_others = preset in PRESETS and model != "unigram"
    if model != "unigram" and "model_type" not in given and (not of_preset or of_others):
        _refuse(given)
        return None
    if preset is not None and not of_preset:
        choose("preset of SentencePiece", preset, SENTENCEPIECE_PRESETS)
    asked = {**of_preset, **{name: value for name, value in given.items() if value is not None}}
    if model is not None and given.get("model_type", model) != model:
        raise OptionError(
            f"model={model!r} and model_type={given['model_type']!r} exclude each other; give one"
        )
    return asked if model is None else {**asked, "model_type": model}


def _refuse(given: Mapping[str, Any]) -> None:
    """Refuse options of spm_train in a training that has others."""
    for option in fields(SentencePieceOptions):
        if option.name != "vocab_size" and given.get(option.name) is not None:
            alone = ", ".join(name for name in SENTENCEPIECE_PRESETS if name not in PRESETS)
            raise OptionError(
                f"{option.name} is an option of spm_train; it goes with model='unigram', with "
                f"model_type, or with a preset of {alone}"
            )


def read_sentencepiece_options(given: Mapping[str, Any]) -> SentencePieceOptions:
    """Options by name, as values or as spm_train spells lists of them.

    Raises:
        OptionError: a name or a value is not allowed.

    Example:
        >>> read_sentencepiece_options({"control_symbols": 'a,"b,c"'}).control_symbols
        ('a', 'b,c')
    """
    values = dict(given)
    for name in values:
        if name in REFUSED:
            raise OptionError(f"{name} is refused: {REFUSED[name]}")
        if name in ELSEWHERE:
            raise OptionError(
                f"{name}= is no option of spm_train, whose options this model or preset takes; "
                f"{ELSEWHERE[name]}"
            )
        choose("option", name, [option.name for option in fields(SentencePieceOptions)])
    for name in ("control_symbols", "user_defined_symbols"):
        if name in values:
            values[name] = _strings(name, values[name])
    options = SentencePieceOptions(**values)
    for option in fields(options):
        models = option.metadata["models"]
        if getattr(options, option.name) != option.default and options.model_type not in models:
            raise OptionError(
                f"{option.name} is for {' and '.join(models)}; leave it out for "
                f"{options.model_type}"
            )
    return options


def _strings(name: str, value: Any) -> tuple[str, ...]:
    """A list of str, or its items with commas between, which quotes may surround."""
    if isinstance(value, str):
        return tuple(next(csv.reader([value]), ()))
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise OptionError(f"{name} is a list of str, {value!r} came")
    return tuple(value)


def lines_of(name: str, path: str) -> list[str]:
    """The lines of a file that an option names.

    Raises:
        OptionError: it cannot be read.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        why = f"{error.strerror or error}; check the name"
    except UnicodeDecodeError as error:
        why = f"byte {error.start} is not UTF-8; convert the file"
    else:
        return text.removesuffix("\n").split("\n") if text else []
    raise OptionError(f"{name}: {path} cannot be read: {why}")
