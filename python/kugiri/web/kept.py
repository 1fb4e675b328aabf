"""A tokenizer under its name, and what it may make of a text.

Rule.    What its file may ask to make of a text is bounded twice: at the worst, before anything is
         made, and as it is made by its normalizer, before it is cut.
Cost.    Normalizing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import msgspec

from kugiri.spec import Unigram
from kugiri.tokenizer import Tokenizer
from kugiri.web.facts import Facts
from kugiri.web.failures import Failure

MOST_MADE: Final = 64 << 20
"""Characters that normalizing and decoding a text may make of it, at the worst;"""
MOST_NORMALIZED: Final = 8 << 20
"""and bytes that normalizing it does make, of which each may become a token."""
_SPECIALS: Final = 50
"""Special tokens that are named."""

Source = Literal["given", "sample", "dropped", "trained"]


@dataclass(frozen=True)
class Kept:
    """A tokenizer under its name.

    Attributes:
        name: what the page calls it.
        tokenizer: the tokenizer.
        source: where it is from.
        number: which of all that ever came it is.
        path: what was typed for it at the start; None for what came otherwise.
    """

    name: str
    tokenizer: Tokenizer
    source: Source
    number: int
    path: str | None = None

    def refuse_growth(self, characters: int, most: int = MOST_MADE) -> None:
        """Refuse a text of which the tokenizer's file may ask to make too much.

        Raises:
            Failure: it may.
        """
        made = characters * self.facts.growth
        if made > most:
            raise Failure(
                413,
                f"{self.name} may make {made:,.0f} characters of these {characters:,}, and at most "
                f"{most:,} are made here; take a part of the text",
                "grows",
                name=self.name,
                came=characters,
                made=round(made),
                most=most,
            )

    def refuse_normalized(self, text: str) -> None:
        """Refuse a text of which the normalizer makes more bytes than are cut here.

        Raises:
            Failure: it does, or may.
        """
        self.refuse_growth(len(text))
        size = len(self.tokenizer.normalize(text).encode())
        if size > MOST_NORMALIZED:
            raise Failure(
                413,
                f"{self.name} makes {size:,} bytes of this text before it cuts it, and at most "
                f"{MOST_NORMALIZED:,} are cut here; take a part of the text",
                "long normalized",
                name=self.name,
                size=size,
                most=MOST_NORMALIZED,
            )

    @cached_property
    def reading_special(self) -> Tokenizer:
        """The same tokenizer, but that special tokens are read wherever they stand."""
        spec = self.tokenizer.spec
        added = tuple(msgspec.structs.replace(it, special=False) for it in spec.added_tokens)
        return Tokenizer(msgspec.structs.replace(spec, added_tokens=added))

    @cached_property
    def facts(self) -> Facts:
        """What is asked of its vocabulary again and again."""
        return Facts.of(self.tokenizer)

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
