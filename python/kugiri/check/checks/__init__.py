"""All checks, in the order in which a tokenizer is best mended."""

from __future__ import annotations

from kugiri.check.checks import (
    chat,
    evasion,
    incomplete,
    invisible,
    kanji,
    leak,
    lookalike,
    normalizer,
    prefix,
    round_trip,
    soundness,
    unreachable,
    usage,
    worst_case,
)
from kugiri.check.finding import Check

CHECKS: dict[str, Check] = {
    each.CHECK.name: each.CHECK
    for each in (
        soundness, round_trip, prefix, worst_case, lookalike, evasion, chat, normalizer, invisible,
        kanji, unreachable, incomplete, usage, leak,
    )
}  # fmt: skip
