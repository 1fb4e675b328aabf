"""What may be asked of every call that encodes, and what the core is told of it.

Rule.    In the text special tokens are found where they are allowed. Then its tokens are turned
         round, if so asked; the template puts its own around them, and outermost stand the tokens
         for begin and end. These are those that the fields of a `.model` name, where they are
         control pieces.
Cost.    None where nothing is asked.
Source.  sentencepiece 0.2.3 for `add_bos`, `add_eos`, `reverse` and their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from kugiri.errors import OptionError, choose, described
from kugiri.inputs import is_list

if TYPE_CHECKING:
    from kugiri.reference.special_tokens import Allowed
    from kugiri.spec import TokenizerSpec


class EncodeOptions(TypedDict, total=False):
    """Options of a call, all of them optional.

    Attributes:
        add_special_tokens: put the special tokens of the tokenizer's template around a text.
        allowed_special: special tokens (or "all") that may be found in the text; others that stand
            in it are text.
        add_bos, add_eos: put the token for begin, the one for end around everything (`.model`).
        reverse: give the tokens of the text in reverse order.
    """

    add_special_tokens: bool
    allowed_special: Allowed
    add_bos: bool
    add_eos: bool
    reverse: bool


Asked: TypeAlias = tuple[list[int] | None, bool, int | None, int | None, bool] | None
"""Allowed ids in order (None is all), whether the template is filled, ids for begin and end,
whether to turn round; None asks for nothing."""


def asked(options: EncodeOptions, spec: TokenizerSpec, special: Mapping[str, int]) -> Asked:
    """What the core is told.

    Args:
        options: of the call.
        spec: the tokenizer.
        special: its special tokens with their ids.

    Raises:
        OptionError: there is no such option, special token, or token for begin or end.
    """
    if not options:
        return None
    for name in options:
        choose("option", name, EncodeOptions.__annotations__)
    allowed = options.get("allowed_special")
    return (
        _allowed(allowed, special) if allowed else [],
        bool(options.get("add_special_tokens")),
        _mark("bos", spec, special) if options.get("add_bos") else None,
        _mark("eos", spec, special) if options.get("add_eos") else None,
        bool(options.get("reverse")),
    )


def only_finds(options: EncodeOptions) -> bool:
    """Whether nothing is asked but to find special tokens."""
    return not any(its for name, its in options.items() if name != "allowed_special")


def _allowed(allowed: Allowed, special: Mapping[str, int]) -> list[int] | None:
    """The ids of the special tokens that a text may hold, in order; None for all."""
    if allowed == "all":
        return None
    if not is_list(allowed) and not isinstance(allowed, Set):
        came = described(allowed)
        raise OptionError(f'allowed_special is a set of tokens or "all"; {came} came')
    names = sorted(allowed, key=str)
    return sorted({special[choose("special token", token, special)] for token in names})


def _mark(role: Literal["bos", "eos"], spec: TokenizerSpec, special: Mapping[str, int]) -> int:
    """The id of the token for begin or end."""
    if spec.trainer is None:
        raise OptionError(
            f"add_{role} is for a .model, whose fields name a token for it; this tokenizer from "
            f"{spec.origin} has a template at most, which add_special_tokens=True fills"
        )
    piece = spec.trainer.mark(role)
    if piece not in special:
        raise OptionError(
            f"add_{role} needs the control piece {piece!r}, which this .model does not have; leave "
            f"it out, or train with {role}_id"
        )
    return special[piece]
