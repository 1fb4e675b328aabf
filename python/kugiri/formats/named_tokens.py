"""Tokens that the settings in the folder of a model add to its tokenizer, as transformers does.

Rule.    In this order: those of added_tokens_decoder by their ids (where there is none: those of
         added_tokens.json), those of the roles, and other special tokens. The ids that settings
         write are not believed: a token that the file has keeps its id, every other takes the next
         one. Flags are those of the settings. Pieces of a `.model` that are no text, or are found
         in every text, stay what they are, and what is added to them is found in the raw text.
Cost.    One look at each token that the settings name.
Source.  transformers 5.24.0.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from kugiri.errors import FormatError
from kugiri.formats.json_parts import convert
from kugiri.formats.rows import id_of, vocabulary_rows
from kugiri.formats.settings import (
    ADDED,
    CONFIG,
    SPECIAL,
    decoder_of,
    read_object,
    roles_of,
    token_of,
)
from kugiri.formats.source import Source
from kugiri.spec import AddedToken, PieceType, TokenizerSpec
from kugiri.warned import warn

USUAL_ROLES = (
    "bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"
)  # fmt: skip
"""The roles that every tokenizer of transformers may have, in its order."""

DECODER, EXTRA, OLD_EXTRA = (
    "added_tokens_decoder", "extra_special_tokens", "additional_special_tokens"
)  # fmt: skip

_AS_THEY_ARE = (PieceType.UNKNOWN, PieceType.USER_DEFINED, PieceType.BYTE)


def settings_of(source: Source) -> bytes:
    """What the settings say, as they stand, and whether they count."""
    files = (source.companion(name) for name in (CONFIG, SPECIAL, ADDED))
    return b"\0".join([b"folder" * source.is_folder, *(data or b"" for data in files)])


def with_named_tokens(spec: TokenizerSpec, source: Source) -> TokenizerSpec:
    """A tokenizer with the tokens that the settings in its folder name.

    What cannot be read is a warning: the tokenizer works without.
    """
    try:
        return _with_tokens(spec, source)
    except FormatError as error:
        warn(
            f"the special tokens of the settings beside this file are left out: {error}",
            stacklevel=4,
        )
        return spec


def _with_tokens(spec: TokenizerSpec, source: Source) -> TokenizerSpec:
    tokens = {token.content: token for token in spec.added_tokens}
    model, following = spec.model, len(spec.model.vocab)
    types = getattr(model, "piece_types", None)
    wanted = list(_named(source, tokens))
    rows = vocabulary_rows(model).find([token.content.encode() for token in wanted])
    highest = max((token.id for token in tokens.values()), default=-1)
    for token, row in zip(wanted, rows, strict=True):
        if types is not None:
            if row is not None and types.values[row] in _AS_THEY_ARE:
                continue
            token = replace(token, normalized=False)
        if token.content in tokens:
            id = tokens[token.content].id
        else:
            id = max(following, highest + 1) if row is None else id_of(model, row)
        tokens[token.content] = replace(token, id=id)
        highest = max(highest, id)
    return replace(spec, added_tokens=tuple(tokens.values()))


def without_id(spec: TokenizerSpec, source: Source) -> list[str]:
    """The special tokens of the settings beside a file that it has not, and a chat would need."""
    if spec.chat is None or source.is_folder:
        return []
    tokens = {token.content: token for token in spec.added_tokens}
    needed = "\0".join([*spec.chat.templates.values(), *spec.chat.tokens.values()])
    try:
        asked = [token.content for token in _named(source, tokens)]
    except FormatError:  # the chat template beside the file is left out, with a warning
        return []
    return [content for content in asked if content not in tokens and content in needed]


class Names(NamedTuple):
    """The special tokens that settings name, without their ids.

    Attributes:
        values: all that tokenizer_config.json says.
        roles: those with a name, as `pad_token` or `image_token`.
        extra: those without.
    """

    values: dict[str, Any]
    roles: dict[str, AddedToken]
    extra: list[AddedToken]


def read_names(source: Source) -> Names:
    """The special tokens that the settings beside a file name.

    Raises:
        FormatError: the settings are malformed.
    """
    values = read_object(source.companion, CONFIG)
    elder = {} if DECODER in values else read_object(source.companion, SPECIAL)
    named = roles_of(values) | roles_of(elder)
    extra = values.get(EXTRA) or values.get(OLD_EXTRA) or elder.get(EXTRA)
    if isinstance(extra, dict):
        named |= extra
        extra = elder.get(OLD_EXTRA, values.get(OLD_EXTRA))
    elif not {EXTRA, OLD_EXTRA} & values.keys() and not extra:
        extra = elder.get(OLD_EXTRA)
    usual = [role for role in USUAL_ROLES if role in named]
    roles = {role: token_of(named[role], CONFIG) for role in dict.fromkeys([*usual, *named])}
    listed = [token_of(token, CONFIG) for token in extra] if isinstance(extra, list) else []
    return Names(
        values,
        {role: token for role, token in roles.items() if token is not None},
        [token for token in listed if token is not None],
    )


def _named(source: Source, present: dict[str, AddedToken]) -> Iterator[AddedToken]:
    """The tokens that transformers adds, in order; of one that comes twice the last flags count."""
    values, roles, extra = read_names(source)
    special = {token.content: token for token in (*roles.values(), *extra)}
    by_id = {token.id: token for token in decoder_of(values)}
    if DECODER not in values:
        usual = {token.content for role, token in roles.items() if role in USUAL_ROLES}
        usual.update(token.content for token in extra)
        old = _old(read_object(source.companion, ADDED), usual)
        by_id = {token.id: token for token in (*old, *present.values())}
    of_roles = {token.content for token in roles.values()}
    for _, token in sorted(by_id.items()):
        if token.content in of_roles and not token.special:
            token = replace(token, special=True)
        yield token
    known = {*present, *(token.content for token in by_id.values())}
    yield from (token for content, token in special.items() if content not in known)


def _old(ids: Any, special: Container[str]) -> list[AddedToken]:
    """The tokens of added_tokens.json, which says nothing of their flags."""
    table = convert(ids, dict[str, int], ADDED)
    return [
        AddedToken(id, content, normalized=content not in special, special=content in special)
        for content, id in table.items()
    ]
