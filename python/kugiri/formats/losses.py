"""What a format has no place for is named, never dropped in silence.

What would change the ids or the text is refused instead. The record of a training and the counts of
its merges say nothing about what a tokenizer does; only `.kugiri.json` keeps them.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import ne

import msgspec

from kugiri.errors import FormatError
from kugiri.spec import TokenizerSpec
from kugiri.warned import warn

_PARTS = {
    "normalizer": "normalizer",
    "pre_tokenizer": "pre-tokenizer",
    "model": "model",
    "added_tokens": "added tokens",
    "post_processor": "post-processor",
    "decoder": "decoder",
}
"""What ids and text depend on, and how it is called."""


def warn_not_kept(what: str, losses: Sequence[str]) -> None:
    """Warn that a file of the kind `what` does not keep the things named."""
    if losses:
        warn(
            f"{what} does not keep {'; '.join(losses)}; .kugiri.json keeps everything",
            stacklevel=3,
        )


def require_same(ours: TokenizerSpec, theirs: TokenizerSpec, what: str) -> None:
    """Refuse where reading a file of the kind `what` again gives another tokenizer.

    Truncation and padding, which no engine applies, are named in a warning instead.

    Raises:
        FormatError: names the part that differs.
    """
    for part, called in _PARTS.items():
        mine, other = getattr(ours, part), getattr(theirs, part)
        if part == "added_tokens":
            mine, other = (sorted(tokens, key=lambda token: token.id) for tokens in (mine, other))
        if mine != other:
            raise FormatError(
                f"{what} has no place for the {called} of this tokenizer "
                f"({_difference(mine, other)}); save it as .kugiri.json or tokenizer.json"
            )
    settings = (name for name in ("truncation", "padding") if getattr(ours, name) is not None)
    warn_not_kept(what, list(settings))


def _difference(mine: object, other: object) -> str:
    """What one part is and the other is not, in few words."""
    if type(mine) is not type(other):
        return f"{_name(mine)} where it means {_name(other)}"
    if isinstance(mine, list) and isinstance(other, list):
        lone = next((item for item in (*mine, *other) if (item in mine) != (item in other)), None)
        return f"{lone!r:.100}" if lone is not None else "in another order"
    if isinstance(mine, tuple) and isinstance(other, tuple) and len(mine) == len(other):
        return next(_difference(*both) for both in zip(mine, other, strict=True) if ne(*both))
    if isinstance(mine, msgspec.Struct):
        for name in mine.__struct_fields__:
            one, two = getattr(mine, name), getattr(other, name)
            if one != two and isinstance(one, (tuple, msgspec.Struct)) and type(one) is type(two):
                return _difference(one, two)
            if one != two:
                return f"its {name} is {one!r:.60}, where it means {two!r:.60}"
    return f"{mine!r:.60}, where it means {other!r:.60}"


def _name(part: object) -> str:
    return "none" if part is None else type(part).__name__
