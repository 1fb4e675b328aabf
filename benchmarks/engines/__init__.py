"""What an engine is: a module of this folder, ours or a peer's, with these names.

    DISTRIBUTION            the name of its distribution, for the version
    MODULE                  what `import` takes, for the start-up time
    load(tokenizer)         -> Encoder for `o200k_base`, `llama3`, a path; may raise Unsupported
    trainer(path, size)     -> a call that trains byte-level BPE on the lines of a file
    merges(model)           -> what that call returned as a list of (left, right) in bytes
    MERGES_DIFFER           optional: why its merges are another result and are not compared

An engine leaves out what its library does not do. Each call is the fastest that the library offers
for the whole answer: ids that are counted only, or never leave the library, would be less work.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tools.parity_data import HOW_TO_GET, parity_path

NAMES = (
    "kugiri",
    "tiktoken",
    "hf",
    "sentencepiece",
    "gigatoken",
    "quicktok",
    "splintr",
    "kitoken",
    "nanotoken",
    "gigabpe",
    "rustbpe",
)
GPT2_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
MIN_FREQUENCY = 2
TOKENIZER_JSONS = ("gpt4o", "llama3", "gptoss", "qwen3", "gemma3", "llama2")
"""The tokenizer.json files of the parity data."""

Ids = npt.NDArray[np.uint32]


class NotInstalled(Exception):
    """The library of this engine is absent; the message says how to get it."""


class Unsupported(Exception):
    """The library cannot do this case, or the case's files are absent; the message says which."""


class Encoder(Protocol):
    """One encoding in one library; `encode_*` return what the library returns.

    `DECODES_ARRAYS = True` in it says that the library takes ids from numpy, without a list.
    """

    def encode_lines(self, lines: list[str]) -> Any:
        """All lines in one call, on as many threads as the library likes."""

    def encode_lines_alone(self, lines: list[str]) -> Any:
        """All lines in one call, on one thread; only where a case asks for it."""

    def encode_string(self, text: str) -> Any:
        """One long string in one call."""

    def encode_file(self, path: Path) -> Any:
        """A file as one text; left out where reading it and `encode_string` is the best way."""

    def encode_to_file(self, path: Path, out: Path) -> Any:
        """The same, with the ids written to a .npy as they come; only where a case asks for it."""

    def encode_sentence(self, text: str) -> list[int]:
        """One short string, as a Python list of ids."""

    def count(self, text: str) -> int:
        """The number of tokens of one long string."""

    def decode(self, ids: Any) -> str:
        """One long string from its ids, a list or (DECODES_ARRAYS) an array."""

    def ids(self, result: Any) -> Ids:
        """The flat ids of what an `encode_*` returned; not timed."""


def library(module: str, how_to_get: str = "pip install -r requirements/bench.txt") -> Any:
    """The library of an engine, or NotInstalled with the way to get it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise NotInstalled(f"not installed ({how_to_get})") from None


def vocabulary(path: str) -> Path:
    """A file of the parity data, or Unsupported with the way to get it."""
    found = parity_path(path)
    if found is None:
        raise Unsupported(f"{path} is absent: {HOW_TO_GET}")
    return found


def tokenizer_json(tokenizer: str) -> Path:
    """The file of one of TOKENIZER_JSONS, or the path of another; Unsupported where it is none."""
    if tokenizer.endswith(".json"):
        return Path(tokenizer)
    if tokenizer not in TOKENIZER_JSONS:
        raise Unsupported(f"no tokenizer.json of {Path(tokenizer).name} here")
    return vocabulary(f"npm/{tokenizer}/tokenizer.json")


def flat(lists: Iterable[list[int]]) -> Ids:
    """Lists of ids, end to end."""
    return np.fromiter(itertools.chain.from_iterable(lists), dtype=np.uint32)


def gpt2_letters() -> dict[str, int]:
    """The letter that GPT-2's vocabulary files write for each byte, and that byte.

    Printable Latin-1 characters stand for themselves; the other bytes, in order, for U+0100 and up.
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = {chr(byte): byte for byte in printable}
    return letters | {chr(256 + index): byte for index, byte in enumerate(others)}


def merges_in_bytes(merges: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Merges in GPT-2's letters, as bytes."""
    letters = gpt2_letters()
    return [
        (bytes(letters[letter] for letter in left), bytes(letters[letter] for letter in right))
        for left, right in merges
    ]
