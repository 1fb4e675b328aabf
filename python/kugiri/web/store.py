"""The tokenizers at hand: those given at the start, the sample's, and those that come later.

Rule.    A name stands for one tokenizer as long as the server runs: that of one trained here is
         not given again, for it goes unasked; a file that was removed may come again. What is
         dropped or trained on the page is kept in memory only: MOST_KEPT, and one more is refused.
         MOST_TRAINED of these were trained, and a new one takes the place of the oldest. Nothing
         is written to disk.
Cost.    A dictionary, behind a lock.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec

from kugiri.spec import ChatTemplates, TokenizerSpec
from kugiri.tokenizer import Tokenizer
from kugiri.web.encodings import Encodings
from kugiri.web.failures import Failure
from kugiri.web.kept import Kept, Source

MOST_KEPT: Final = 16
"""Tokenizers that came by the page."""
MOST_TRAINED: Final = 4
"""Those of them that were trained there; the oldest makes room for the newest."""
_LONGEST_NAME: Final = 80
_NONE: Final[Mapping[str, str]] = MappingProxyType({})

Given: TypeAlias = tuple[str, Tokenizer, Source]
"""A tokenizer with the name that it asks for."""


class Store:
    """Tokenizers by name."""

    def __init__(self, given: Iterable[Given], paths: Mapping[str, str] = _NONE) -> None:
        """Begin with those that are there at the start, and what was typed for each name."""
        self._lock = threading.RLock()
        self._kept: dict[str, Kept] = {}
        self._trained: dict[str, int] = {}  # whose each name of those is, for good
        self._numbers = itertools.count()
        self.encodings = Encodings()
        for name, tokenizer, source in given:
            self.add(name, tokenizer, source, paths.get(name))

    def all(self) -> list[Kept]:
        """Every one, in the order of coming."""
        with self._lock:
            return list(self._kept.values())

    def named(self, name: str) -> Tokenizer:
        """The tokenizer of this name.

        Raises:
            Failure: there is none.
        """
        return self.get(name).tokenizer

    def get(self, name: str) -> Kept:
        """The same with what is known of it.

        Raises:
            Failure: there is none.
        """
        with self._lock:
            kept = self._kept.get(name)
            if kept is None:
                raise self._none(name)
            return kept

    def add(self, name: str, tokenizer: Tokenizer, source: Source, path: str | None = None) -> Kept:
        """Keep one under this name, or a new one like it.

        Raises:
            Failure: there are as many as can be kept.
        """
        with self._lock:
            came = [it for it in self._kept.values() if it.source in ("dropped", "trained")]
            if source in ("dropped", "trained") and len(came) >= MOST_KEPT:
                words = f"{MOST_KEPT} tokenizers are kept at most; remove one of those that came"
                raise Failure(409, words, "full", most=MOST_KEPT)
            kept = Kept(self._free(label(name)), tokenizer, source, next(self._numbers), path)
            self._kept[kept.name] = kept
            return kept

    def keep_trained(self, name: str, tokenizer: Tokenizer) -> tuple[Kept, str | None]:
        """Keep one that was trained here, and name the oldest of these if it made room.

        Raises:
            Failure: there are as many as can be kept, and fewer than MOST_TRAINED were trained.
        """
        with self._lock:
            trained = [it for it in self._kept.values() if it.source == "trained"]
            gone = trained[0] if len(trained) >= MOST_TRAINED else None
            if gone is not None:
                del self._kept[gone.name]
                self.encodings.forget(gone.number)
            kept = self.add(name, tokenizer, "trained")
            self._trained[kept.name] = kept.number
            return kept, gone.name if gone else None

    def twin(self, tokenizer: Tokenizer) -> Kept | None:
        """The one that is the same but for its chat templates, or None."""
        wanted = _without_chat(tokenizer)
        return next((it for it in self.all() if _without_chat(it.tokenizer) == wanted), None)

    def rename(self, name: str, wanted: str) -> Kept:
        """Call one by another name, or by a new one like it, and keep its place.

        Raises:
            Failure: there is none of this name.
        """
        with self._lock:
            if name not in self._kept:
                raise self._none(name)
            wanted = _readable(wanted)
            its = self._kept[name]
            free = name if wanted == name else self._free(wanted, its.number)
            renamed = replace(its, name=free)
            self._kept = {
                it.name: it
                for it in (renamed if key == name else kept for key, kept in self._kept.items())
            }
            if renamed.source == "trained":
                self._trained[free] = its.number
            return renamed

    def _none(self, name: str) -> Failure:
        words = f"there is no tokenizer {name!r}; there are: {', '.join(self._kept)}"
        return Failure(404, words, "no tokenizer", name=name)

    def give_chat(self, name: str, chat: ChatTemplates) -> Kept:
        """Keep a tokenizer with other chat templates than it had.

        Raises:
            Failure: there is none of this name.
        """
        before = self.get(name)
        after = replace(
            before, tokenizer=Tokenizer(msgspec.structs.replace(before.tokenizer.spec, chat=chat))
        )
        with self._lock:
            if self._kept.get(name) is before:
                self._kept[name] = after
        return after

    def remove(self, name: str) -> None:
        """Forget one that came by the page.

        Raises:
            Failure: there is none of this name, or it was there from the start.
        """
        kept = self.get(name)
        if kept.source not in ("dropped", "trained"):
            raise Failure(403, f"{name!r} is there since the start, and stays", "stays", name=name)
        with self._lock:
            self._kept.pop(name, None)
        self.encodings.forget(kept.number)

    def _free(self, name: str, number: int | None = None) -> str:
        """The name, or the first like it that may be given; to this tokenizer its own of before."""
        others = (f"{name} ({nth})" for nth in itertools.count(2))
        return next(
            it for it in itertools.chain([name], others)
            if it not in self._kept and self._trained.get(it, number) == number
        )  # fmt: skip


def _without_chat(tokenizer: Tokenizer) -> TokenizerSpec:
    return msgspec.structs.replace(tokenizer.spec, chat=None)


def label(name: str) -> str:
    """A name to be read: no path, and nothing in it that cannot be seen."""
    return _readable(name.replace("\\", "/").rsplit("/", 1)[-1])


def _readable(name: str) -> str:
    return "".join(filter(str.isprintable, name)).strip()[:_LONGEST_NAME] or "tokenizer"
