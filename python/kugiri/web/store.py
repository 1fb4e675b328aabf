"""The tokenizers at hand: those given at the start, the sample's, and those that come later.

Rule.    A name stands for one tokenizer as long as the server runs. What is dropped or trained on
         the page is kept in memory only, the newest MOST_KEPT of it; nothing is written to disk.
Cost.    A dictionary, behind a lock.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from kugiri.spec import ChatTemplates, Unigram
from kugiri.tokenizer import Tokenizer
from kugiri.web.failures import Failure

MOST_KEPT: Final = 16
"""Tokenizers that came by the page."""
_LONGEST_NAME: Final = 80
_SPECIALS: Final = 50
"""Special tokens that are named."""

Source = Literal["given", "sample", "dropped", "trained"]


class Kept(NamedTuple):
    """A tokenizer under its name."""

    name: str
    tokenizer: Tokenizer
    source: Source

    def described(self) -> dict[str, object]:
        """What the page is told of it."""
        spec = self.tokenizer.spec
        return {
            "name": self.name,
            "kind": type(spec.model).__name__,
            "vocab_size": self.tokenizer.vocab_size,
            "source": self.source,
            "format": str(spec.origin),
            "chat": spec.chat is not None and bool(spec.chat.templates),
            "samples": isinstance(spec.model, Unigram),
            "special_tokens": list(self.tokenizer.special_tokens)[:_SPECIALS],
        }


class Store:
    """Tokenizers by name."""

    def __init__(self, given: Iterable[tuple[str, Tokenizer, Source]]) -> None:
        """Begin with those that are there at the start."""
        self._lock = threading.Lock()
        self._kept: dict[str, Kept] = {}
        for name, tokenizer, source in given:
            self.add(name, tokenizer, source)

    def all(self) -> list[Kept]:
        """Every one, in the order of coming."""
        with self._lock:
            return list(self._kept.values())

    def named(self, name: str) -> Tokenizer:
        """The tokenizer of this name.

        Raises:
            Failure: there is none.
        """
        with self._lock:
            kept = self._kept.get(name)
            if kept is None:
                there = ", ".join(self._kept)
                raise Failure(404, f"there is no tokenizer {name!r}; there are: {there}")
            return kept.tokenizer

    def add(self, name: str, tokenizer: Tokenizer, source: Source) -> Kept:
        """Keep one under this name, or a new one like it.

        Raises:
            Failure: there are as many as can be kept.
        """
        with self._lock:
            came = [it for it in self._kept.values() if it.source in ("dropped", "trained")]
            if source in ("dropped", "trained") and len(came) >= MOST_KEPT:
                raise Failure(
                    409, f"{MOST_KEPT} tokenizers are kept at most; remove one of those that came"
                )
            kept = Kept(self._free(_label(name)), tokenizer, source)
            self._kept[kept.name] = kept
            return kept

    def give_chat(self, name: str, chat: ChatTemplates) -> Kept:
        """Keep a tokenizer with other chat templates than it had.

        Raises:
            Failure: there is none of this name.
        """
        spec = replace(self.named(name).spec, chat=chat)
        with self._lock:
            kept = self._kept[name]._replace(tokenizer=Tokenizer(spec))
            self._kept[name] = kept
            return kept

    def remove(self, name: str) -> None:
        """Forget one that came by the page.

        Raises:
            Failure: there is none of this name, or it was there from the start.
        """
        self.named(name)
        with self._lock:
            kept = self._kept.get(name)
            if kept is not None and kept.source not in ("dropped", "trained"):
                raise Failure(403, f"{name!r} is there since the start, and stays")
            self._kept.pop(name, None)

    def _free(self, name: str) -> str:
        if name not in self._kept:
            return name
        return next(
            new for number in range(2, len(self._kept) + 3)
            if (new := f"{name} ({number})") not in self._kept
        )  # fmt: skip


def _label(name: str) -> str:
    """A name to be read: no path, and nothing in it that cannot be seen."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(filter(str.isprintable, base)).strip()[:_LONGEST_NAME] or "tokenizer"
