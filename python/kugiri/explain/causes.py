"""The causes why a piece is not one token: of each kind what is known of it, and its sentence.

Rule.    A cause is its kind and its values; the sentence is made from these alone, so that another
         language, or a drawing, can be made from them as well. Strings are as they are read: parts
         of characters as `<e5 b0>`, spaces as they are; the sentence has glyphs for them.
Cost.    None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from kugiri.explain.glyphs import visible

Value: TypeAlias = str | int | float | bool | list[str] | None


class Cause(msgspec.Struct, frozen=True):
    """One reason.

    Attributes:
        stage: "added tokens", "normalization", "pre-tokens", "vocabulary" or "model".
        kind: what it is; each kind belongs to one stage.
        values: what is to be said of it; each kind has values of the same names.
        message: the reason in words.
    """

    stage: str
    kind: str
    values: dict[str, Value]
    message: str


def cause(kind: str, **values: Value) -> Cause:
    """A cause with its sentence.

    Example:
        >>> cause("missing", piece="we", parts=["e", "w"], longer=[]).message
        '「we」 is not in the vocabulary; nearest that are: parts of it 「e」, 「w」'
    """
    stage, sentence = KINDS[kind]
    return Cause(stage, kind, values, sentence(**values))


def _quoted(text: str) -> str:
    return f"「{visible(text)}」"


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(map(_quoted, texts))


def _barred(texts: Sequence[str]) -> str:
    return "|".join(map(visible, texts))


# ── before the model ──────────────────────────────────────────────────────────────────────────
def _cut_out(token: str, start: int, end: int) -> str:
    return f"the added token {_quoted(token)} is cut out before all else, at {start}–{end}"


def _special(token: str, id: int) -> str:
    return (
        f"it is the special token {id}, and text unless that is allowed: "
        f"allowed_special={{{token!r}}}"
    )


def _changed(before: str, after: str, across: bool) -> str:
    became = f"turned {_quoted(before)} into {_quoted(after)}"
    return (
        f"normalization {became if after else f'dropped {_quoted(before)}'}"
        f"{', across its edge' if across else ''}"
    )


def _boundary(start: int, end: int, inside: bool, step: str, rule: str) -> str:
    where = str(end) if start >= end else f"{start}–{end}"
    verb = "lies in" if inside else "crosses"
    return f"{verb} the pre-token boundary at {where}, made by {step}: {rule}"


def _dropped() -> str:
    return "the pre-tokenizer drops it, or a part of it"


# ── the vocabulary ────────────────────────────────────────────────────────────────────────────
def _missing(piece: str, parts: list[str], longer: list[str]) -> str:
    sides = [
        f"{words} {_listed(tokens)}"
        for words, tokens in (("parts of it", parts), ("longer", longer))
        if tokens
    ]
    nearest = f"; nearest that are: {'; '.join(sides)}" if sides else ", nor anything near"
    return f"{_quoted(piece)} is not in the vocabulary{nearest}"


def _unused(id: int) -> str:
    return f"it is in the vocabulary as {id}, but unused"


def _no_text(id: int) -> str:
    return f"it is in the vocabulary as {id}, but no piece that text can become"


# ── the model ─────────────────────────────────────────────────────────────────────────────────
def _not_followed(most: int) -> str:
    return f"its word has more than {most} units, too many to go through its steps here"


def _whole_word(word: str) -> str:
    return f"the pre-token {_quoted(word)} is a token itself, and is taken as it stands"


def _known(id: int | None, made_by: int | None) -> str:
    """What is known of the piece itself."""
    if id is None:
        return ""
    by = "" if made_by is None else f", made by merge {made_by}"
    return f"it is in the vocabulary as {id}{by}, but "


def _stopped(id: int, made_by: int | None, left: list[str]) -> str:
    return f"{_known(id, made_by)}its own parts merge into {_barred(left)}, and no further"


def _merged(
    id: int | None, made_by: int | None, order: str, rank: int, result: str, joined: bool
) -> str:
    name = {
        "list": f"merge {rank}",
        "rank": f"the token {rank}, a lower id,",
        "score": f"a higher score (place {rank})",
    }[order]
    shown = _quoted(result)
    return (
        f"{_known(id, made_by)}{name} {f'made {shown} of it' if joined else f'took {shown} first'}"
    )


def _long_word(characters: int) -> str:
    return f"its word has {characters} characters, more than the model looks at: unknown"


def _no_match(word: str, start: int) -> str:
    return (
        f"no token fits from character {start} of the word {_quoted(word)} on, so that the whole "
        f"word is unknown"
    )


def _match(token: str, start: int) -> str:
    return f"the longest match from character {start} of its word is {_quoted(token)}"


def _looked_up(strings: list[str], more: int) -> str:
    return f"what is looked up here is {_listed(strings)}{f' and {more} more' if more else ''}"


def _outscored(
    id: int, margin: float, won: list[str], won_score: float, lost: list[str], lost_score: float
) -> str:
    worth = f"worth {margin:.3g} more" if margin else "worth the same, whose last piece is longer,"
    return (
        f"it is in the vocabulary as {id}, but a path {worth} won: {_barred(won)} "
        f"({won_score:.3f}) over {_barred(lost)} ({lost_score:.3f})"
    )


KINDS: dict[str, tuple[str, Callable[..., str]]] = {
    "cut out": ("added tokens", _cut_out),
    "special": ("added tokens", _special),
    "changed": ("normalization", _changed),
    "boundary": ("pre-tokens", _boundary),
    "dropped": ("pre-tokens", _dropped),
    "missing": ("vocabulary", _missing),
    "unused": ("vocabulary", _unused),
    "no text": ("vocabulary", _no_text),
    "not followed": ("model", _not_followed),
    "whole word": ("model", _whole_word),
    "stopped": ("model", _stopped),
    "merged": ("model", _merged),
    "long word": ("model", _long_word),
    "no match": ("model", _no_match),
    "match": ("model", _match),
    "looked up": ("model", _looked_up),
    "outscored": ("model", _outscored),
}
"""Each kind with its stage and its sentence."""
