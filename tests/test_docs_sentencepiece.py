"""docs/training_sentencepiece.md against the table of options that it is written from."""

from __future__ import annotations

from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from kugiri.presets import SENTENCEPIECE_PRESETS
from kugiri.sentencepiece.options import ELSEWHERE, MODELS, REFUSED, SentencePieceOptions
from kugiri.training.options import Options

PAGE = Path(__file__).parents[1] / "docs" / "training_sentencepiece.md"


def row(option: Field[Any]) -> str:
    """The row of one option."""
    about = option.metadata
    default = "–" if option.default in (None, "", ()) else f"`{option.default!r}`"
    what = about["meaning"]
    if about["among"]:
        what += ": " + ", ".join(f"`{name}`" for name in about["among"] if name)
    if about["most"] is not None and about["least"] is not None and about["most"] < 2**30:
        what += f" ({about['least']} to {about['most']})"
    if about["models"] != MODELS:
        what += f"; {' and '.join(about['models'])} only"
    return f"| `{option.name}` | {default} | {what} |"


def test_every_option_that_is_honoured_is_on_the_page() -> None:
    table = ["| option | default | meaning |", "|---|---|---|"]
    table += [row(option) for option in fields(SentencePieceOptions)]
    assert "\n".join(table) in PAGE.read_text(encoding="utf-8"), "\n".join(["", *table])


def test_every_option_that_is_refused_is_on_the_page() -> None:
    table = ["| option | why it is refused |", "|---|---|"]
    table += [f"| `{name}` | {reason} |" for name, reason in REFUSED.items()]
    assert "\n".join(table) in PAGE.read_text(encoding="utf-8"), "\n".join(["", *table])


def test_every_preset_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, options in SENTENCEPIECE_PRESETS.items():
        said = ", ".join(f"`{option}={value!r}`" for option, value in options.items())
        assert f'| `"{name}"` | {said} |' in page, f'| `"{name}"` | {said} |'


def test_every_option_of_the_other_trainers_is_told_what_to_use_instead() -> None:
    both = {option.name for option in fields(SentencePieceOptions)} | REFUSED.keys()
    others = {option.name for option in fields(Options)} - {"vocab_size"}
    assert others - REFUSED.keys() == ELSEWHERE.keys() | {"documents", "field", "column", "errors"}
    assert not ELSEWHERE.keys() & both
