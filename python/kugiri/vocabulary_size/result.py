"""What a recommendation is: a size, those beside it, and why."""

from __future__ import annotations

from typing import Any

import msgspec

from kugiri.vocabulary_size.laws import Law


class Point(msgspec.Struct, frozen=True):
    """What a size means.

    Attributes:
        size: of the vocabulary.
        tokens_per_character: of the text.
        unknown: the share of these tokens that stand for what is not in the vocabulary.
        gain: the share of the tokens that a vocabulary twice as large saves, where it is known.
        embedding_parameters: of the vocabulary, twice if the output layer has its own.
        embedding_share: the share of all parameters that these are.
        flops_per_character: to give a character.
        cost: as a multiple of the least there is.
        english: tokens per character of English, as Tao et al. have it.
    """

    size: int
    tokens_per_character: float
    unknown: float
    gain: float | None
    embedding_parameters: int
    embedding_share: float
    flops_per_character: float
    cost: float
    english: float


class Alone(msgspec.Struct, frozen=True):
    """What one of several texts wants.

    Attributes:
        name: of the text.
        size: at which it alone is cheapest.
        is_open: whether the largest size costs it hardly more: it may want a larger one.
        tokens_per_character: of it, at the size that is recommended for all of them.
    """

    name: str
    size: int
    is_open: bool
    tokens_per_character: float


class Recommendation(msgspec.Struct, frozen=True):
    """A size, and what speaks for it.

    Attributes:
        model: "bpe", "wordpiece" or "unigram".
        text: what the tokens are of: "evaluation" or "training".
        size: what is recommended.
        least: where the cost is least; larger than `size` only where text would be short.
        seen: the share of the evaluation text that stands in the training text as well.
        is_open: whether the largest size that is known costs hardly more: the best may be larger.
        text_ends: whether the text has no larger vocabulary than that one.
        near: the sizes around `size`, without a gap, that cost hardly more than `least` does.
        parameters, dimension, untied, training_bytes: what was given, or taken.
        training_flops: to train on so many bytes; None if they are not known.
        sufficient: the largest size whose merged entries that text has often enough; 0: none, so it
            is no bound; None: no text was named, or the one of the sweep does not tell.
        needs_bytes: how much text would do for `size`; None: unknown, or more than can be told.
        last_applied: how often the last merge of `size` joined a pair of the training text; None:
            it has no merges.
        flat_from: the first size whose doubling saves less than 5 %, if there is one.
        tokens, unknown: of the text with `size`, and how many of them are unknown.
        steps: halves and doubles of the size, as far as they were trained.
        points: of the whole curve.
        laws: what is said for English.
        alone: what each text would want for itself, where several were named.
        reasons: the same in words.
    """

    model: str
    text: str
    size: int
    least: int
    seen: float | None
    is_open: bool
    text_ends: bool
    near: tuple[int, int]
    parameters: float
    dimension: int
    untied: bool
    training_bytes: float | None
    training_flops: float | None
    sufficient: int | None
    needs_bytes: float | None
    last_applied: int | None
    flat_from: int | None
    tokens: int
    unknown: int
    steps: list[Point]
    points: list[Point]
    laws: list[Law]
    alone: list[Alone]
    reasons: list[str]

    @property
    def is_least_so_far(self) -> bool:
        """Whether the size is only what is best of those that are known."""
        return self.is_open and self.size == self.least

    @property
    def headline(self) -> str:
        """The size, and for what."""
        least = "at least " if self.is_least_so_far else ""
        untied = ", untied" if self.untied else ""
        return (
            f"{least}{self.size:,} entries of {self.model} for {self.parameters:,.0f} parameters "
            f"beside the vocabulary, dimension {self.dimension:,}{untied}"
        )

    @property
    def largest(self) -> int:
        """The largest size that is known."""
        return self.points[-1].size

    def summary(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built
