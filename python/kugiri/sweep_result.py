"""What a sweep gives: vocabularies, how many tokens each needs, and how each splits a sentence."""

from __future__ import annotations

from os import PathLike
from typing import Any

import msgspec

from kugiri._version import __version__
from kugiri.files import write_beside
from kugiri.inputs import as_path
from kugiri.texts import Size
from kugiri.tokenizer import Tokenizer


class Counted(msgspec.Struct, frozen=True):
    """A text as one tokenizer sees it.

    Attributes:
        tokens, unknown: how many, and how many of these are unknown.
        bytes_per_token, characters_per_token, tokens_per_document: of that text.
        gain: the share of its tokens that the size before needed more; None for the first.
    """

    tokens: int
    unknown: int
    bytes_per_token: float | None
    characters_per_token: float | None
    tokens_per_document: float | None
    gain: float | None


class Entry(msgspec.Struct, frozen=True):
    """One vocabulary.

    Attributes:
        model: "bpe", "unigram", "char" or "word".
        size: the size that was asked for.
        vocab_size: the size that it has.
        merges: how many merges.
        seconds: of the run that it is from; all sizes of BPE are from one.
        training, evaluation: the two texts.
        splits: the sentences, as `Tokenizer.tokens` gives them.
    """

    model: str
    size: int
    vocab_size: int
    merges: int
    seconds: float
    training: Counted
    evaluation: Counted | None
    splits: list[list[str]]


class Sweep(msgspec.Struct, frozen=True):
    """The vocabularies, and what was counted.

    Attributes:
        training, evaluation: the sizes of the texts.
        options: those that were given for training.
        sentences: what the splits are of.
        entries: by model in the order given, sizes ascending.
        tokenizers: one an entry.
    """

    training: Size
    evaluation: Size | None
    options: dict[str, Any]
    sentences: list[str]
    entries: list[Entry]
    tokenizers: list[Tokenizer]

    def summary(self) -> dict[str, Any]:
        """Everything but the tokenizers, as JSON has it."""
        names = ("training", "evaluation", "options", "sentences", "entries")
        values = {name: msgspec.to_builtins(getattr(self, name)) for name in names}
        return {"schema": 1, "kugiri": __version__, **values}

    def save(self, folder: str | PathLike[str]) -> None:
        """Write every tokenizer, and summary.json, into a folder, which is made where needed."""
        home = as_path(folder)
        home.mkdir(parents=True, exist_ok=True)
        summary = self.summary()
        for entry, tokenizer in zip(summary["entries"], self.tokenizers, strict=True):
            entry["file"] = f"{entry['model']}-{entry['size']}.kugiri.json"
            tokenizer.save(home / entry["file"])
        with write_beside(home / "summary.json") as file:
            file.write(msgspec.json.format(msgspec.json.encode(summary), indent=2) + b"\n")
