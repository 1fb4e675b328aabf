"""A recommendation in words: why this size, how sure that is, and what else was looked at.

Rule.    One sentence a reason, the choice first; what was not looked at is said as well.
Cost.    None.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, log2

from kugiri.vocabulary_size.curve import FLAT
from kugiri.vocabulary_size.result import Recommendation

_FEW = 20
"""Occurrences from which little is learned: with fewer, gains end since the text does."""


def reasons(it: Recommendation) -> list[str]:
    """All there are."""
    parts = (_of_cost, _of_alone, _of_text, _of_unknown, _of_sufficiency, _of_curve)
    return [reason for part in parts for reason in part(it)]


def _of_cost(it: Recommendation) -> Iterator[str]:
    best = f"a character costs the fewest FLOPs at {it.least:,} entries"
    if it.is_least_so_far and it.text_ends:
        yield (
            f"{best}, and hardly more at {it.largest:,}, where the text ends, which has no larger "
            f"vocabulary: the best may be larger, so give more text"
        )
    elif it.is_least_so_far:
        yield (
            f"{best}, and hardly more at {it.largest:,}, where the sizes end and the text does "
            f"not: the best may be larger, so ask for sizes up to {larger(it.largest):,}"
        )
    elif it.is_open:
        yield best
    elif it.model != "bpe" and it.least == it.points[0].size:
        yield f"{best}, the smallest that was trained: the best may be smaller, train smaller ones"
    else:
        yield f"{best}: with more of them a model grows faster than the tokens get fewer"
    low, high = it.near
    if it.is_least_so_far:
        yield f"from {low:,} on it costs at most 1 % more than that; how far up is not known"
    elif low < high:
        yield f"from {low:,} to {high:,} it costs at most 1 % more than that: any of these will do"


def _of_alone(it: Recommendation) -> Iterator[str]:
    if it.alone:
        each = ", ".join(
            f"{text.name} {'at least ' * text.is_open}{text.size:,} "
            f"({text.tokens_per_character:.3f} tokens a character at {it.size:,})"
            for text in it.alone
        )
        yield f"alone they want: {each}; this is for their mixture, and another mixture has another"


def _of_text(it: Recommendation) -> Iterator[str]:
    if it.text == "evaluation" and it.seen:
        less = "" if it.seen < 0.01 else ", so that the size is rather too large"
        yield (
            f"tokens are those of the evaluation text, of which {share_of(it.seen)} stands in the "
            f"training text too, line by line{less}"
        )
    elif it.text == "evaluation":
        no_line = "of which no line stands in the training text"
        counted = "which words that came counted cannot be compared with"
        yield f"tokens are those of the evaluation text, {counted if it.seen is None else no_line}"
    else:
        yield (
            "tokens are those of the training text, which suits its own vocabulary better than "
            "other text does: the size is rather too large; give evaluation text"
        )
    if it.last_applied is not None and it.last_applied < _FEW:
        yield (
            f"its last entry comes from {it.last_applied} places of the training text: that is "
            f"few, and from more text the size may be larger"
        )


def _of_unknown(it: Recommendation) -> Iterator[str]:
    """What is lost counts as one token, however long it was, and so looks cheap."""
    shares = [point.unknown for point in it.points]
    if not max(shares):
        return
    yield (
        f"{it.unknown:,} of its {it.tokens:,} tokens ({share_of(it.unknown / it.tokens)}) are "
        f"unknown: each stands for text that is lost (or refused, without an unknown token) and "
        f"counts as one; a vocabulary that knows it takes more (byte fallback, or more characters)"
    )
    if min(shares) < max(shares):
        yield (
            f"unknown are {share_of(min(shares))} to {share_of(max(shares))} of the tokens of the "
            f"sizes that are compared: those with more of them look cheaper than they are"
        )


def larger(size: int) -> int:
    """Up to where to look next: a power of two in thousands that is at least twice the size.

    Example:
        >>> larger(31_993), larger(56_665), larger(1200)
        (64000, 128000, 4000)
    """
    return int(1000 * 2 ** ceil(log2(size / 500)))


def share_of(part: float) -> str:
    """A share in percent; a small one is never shown as none.

    Example:
        >>> share_of(0.0), share_of(0.00001), share_of(0.0234)
        ('0 %', 'less than 0.1 %', '2.3 %')
    """
    if 0 < part < 0.001:
        return "less than 0.1 %"
    return f"{100 * part:.1f} %" if part else "0 %"


def _of_sufficiency(it: Recommendation) -> Iterator[str]:
    rule = "95 % of the merged entries occur 100 times or more"
    given = size_of(it.training_bytes)
    if it.model != "bpe":
        yield f"how often the entries of {it.model} stand in the text is not looked at"
    elif it.training_bytes is None and it.needs_bytes is None:
        yield (
            f"how much text it takes until {rule} cannot be said: more than 5 % of them stand "
            f"nowhere in this text"
        )
    elif it.training_bytes is None:
        yield f"it takes {size_of(it.needs_bytes)} of such text until {rule}"
    elif it.sufficient is None:
        yield (
            f"the text of the sweep is less than a hundredth of {given}, too little to tell "
            f"whether {rule} there"
        )
    elif it.sufficient == 0:
        yield (
            f"in {given} of text there is no size at which {rule}, so that is no bound: it is too "
            f"short for any merges"
        )
    elif it.sufficient < it.least:
        yield (
            f"but in {given} of text {rule} up to a size of {it.sufficient:,} only; more would "
            f"hardly be learned"
        )
    else:
        yield f"in {given} of text {rule} up to a size of {it.sufficient:,}, so there is enough"


def _of_curve(it: Recommendation) -> Iterator[str]:
    if all(point.gain is None for point in it.points):
        yield "what a doubling saves is not known: there is no size and its double"
    elif it.flat_from is None:
        yield f"each doubling that is known saves at least {100 * FLAT:g} % of the tokens"
    else:
        yield f"from {it.flat_from:,} on, a doubling saves less than {100 * FLAT:g} % of the tokens"
    sizes = ", ".join(f"{law.size:,} ({law.name})" for law in it.laws)
    yield f"laws that were fitted to English say {sizes}; they know nothing of this text"


def size_of(number: float | None) -> str:
    """So many bytes, with three figures.

    Example:
        >>> size_of(950.0), size_of(31_677), size_of(2.5e12)
        ('950 B', '31.7 kB', '2.5 TB')
    """
    rest = number or 0.0
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if rest < 999.5:
            return f"{rest:.3g} {unit}"
        rest /= 1000
    return f"{rest:,.0f} PB"
