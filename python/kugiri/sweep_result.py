"""What a sweep gives: vocabularies, how many tokens each needs, and how each splits a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from kugiri._version import __version__
from kugiri.errors import FormatError
from kugiri.files import file_behind, write_beside
from kugiri.inputs import as_path
from kugiri.tokenizer import Tokenizer
from kugiri.training.tally import unknown_places
from kugiri.training.texts import Size
from kugiri.vocabulary_size.curve import Curve

SUMMARY = "summary.json"
_SUFFIX = ".kugiri.json"


class Counted(msgspec.Struct, frozen=True):
    """A text as one tokenizer sees it.

    Attributes:
        tokens, unknown: how many, and how many of these are unknown.
        bytes_per_token, characters_per_token, tokens_per_document: of that text.
        gain: the share of its tokens that the size before needed more; None for the first.
        gain_per_doubling: the same, had the vocabulary doubled.
    """

    tokens: int
    unknown: int
    bytes_per_token: float | None
    characters_per_token: float | None
    tokens_per_document: float | None
    gain: float | None
    gain_per_doubling: float | None


class Entry(msgspec.Struct, frozen=True):
    """One vocabulary.

    Attributes:
        model: "bpe", "wordpiece", "unigram", "char" or "word".
        size: the size that was asked for.
        vocab_size: the size that it has.
        merges: how many merges.
        seconds: of the run that it is from; all sizes of BPE are from one and have the same, and so
            have those of WordPiece.
        training, evaluation: the two texts.
        splits: the sentences, as `Tokenizer.tokens` gives them.
        unknown: which tokens of each split are unknown, counted from 0.
    """

    model: str
    size: int
    vocab_size: int
    merges: int
    seconds: float
    training: Counted
    evaluation: Counted | None
    splits: list[list[str]]
    unknown: list[list[int]]


def entry_of(
    model: str,
    size: int,
    tokenizer: Tokenizer,
    seconds: float,
    training: Counted,
    evaluation: Counted | None,
    sentences: Sequence[str],
) -> Entry:
    """The entry of a tokenizer, from what was counted with it."""
    return Entry(
        model=model,
        size=size,
        vocab_size=tokenizer.vocab_size,
        merges=len(tokenizer.merges),
        seconds=seconds,
        training=training,
        evaluation=evaluation,
        splits=[tokenizer.tokens(sentence) for sentence in sentences],
        unknown=unknown_places(tokenizer, sentences),
    )


class Sweep(msgspec.Struct, frozen=True):
    """The vocabularies, and what was counted.

    Attributes:
        training, evaluation: the sizes of the texts.
        seen: the share of the evaluation text, in characters, whose lines stand in the training
            text as well; None where there is no such text, or words came counted.
        options: those that were given for training.
        sentences: what the splits are of.
        entries: by model in the order given, sizes ascending.
        tokenizers: one an entry.
        curves: the tokens by size, one a model and text; none of baselines.
    """

    training: Size
    evaluation: Size | None
    seen: float | None
    options: dict[str, Any]
    sentences: list[str]
    entries: list[Entry]
    tokenizers: list[Tokenizer]
    curves: list[Curve]

    def summary(self) -> dict[str, Any]:
        """Everything but the tokenizers, as JSON has it."""
        names = ("training", "evaluation", "seen", "options", "sentences", "entries")
        values = {name: msgspec.to_builtins(getattr(self, name)) for name in names}
        curves = [curve.summary() for curve in self.curves]
        return {"schema": 1, "kugiri": __version__, **values, "curves": curves}

    def save(self, folder: str | PathLike[str]) -> None:
        """Write every tokenizer, and summary.json, into a folder, which is made where needed.

        Raises:
            FormatError: the folder has tokenizers of another sweep, or cannot be written to.
        """
        home = as_path(folder)
        summary = self.summary()
        for entry in summary["entries"]:
            entry["file"] = file_of(entry["model"], entry["size"])
        names = [entry["file"] for entry in summary["entries"]]
        check_folder(home, names)
        try:
            home.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(prefix=".sweep.", dir=home) as beside:
                for name, tokenizer in zip(names, self.tokenizers, strict=True):
                    tokenizer.save(Path(beside, name))
                written = msgspec.json.format(msgspec.json.encode(summary), indent=2) + b"\n"
                with write_beside(Path(beside, SUMMARY)) as file:
                    file.write(written)
                for name in (*names, SUMMARY):
                    Path(beside, name).replace(home / name)
        except OSError as error:
            raise FormatError(f"cannot be written: {error.strerror or error}", home) from error


def file_of(model: str, size: int) -> str:
    """The name of the file of one vocabulary."""
    return f"{model}-{size}{_SUFFIX}"


def check_folder(folder: Path, names: Iterable[str]) -> None:
    """Refuse a folder in which files would stay, or stand, that a sweep of these does not name.

    Raises:
        FormatError: it has tokenizers of another sweep, or something else by one of the names.
    """
    for name in (*names, SUMMARY):
        file_behind(folder / name)
    others = sorted({file.name for file in folder.glob(f"*{_SUFFIX}")}.difference(names))
    if others:
        raise FormatError(
            f"{others[0]} is here, and {len(others):,} tokenizers in all that this sweep has not; "
            f"name another folder, or move them away",
            folder,
        )
