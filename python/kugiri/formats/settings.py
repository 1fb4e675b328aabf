"""The settings beside vocab.json and vocab.txt: tokenizer_config.json and its elders.

Rule.    Each file is optional. tokenizer_config.json names special tokens by their role
         (`unk_token`), and added tokens by their id (`added_tokens_decoder`); where it is silent,
         special_tokens_map.json and added_tokens.json are asked, which it has replaced. A role that
         none of them names has its usual token, if the vocabulary has that; null is no token.
Source.  transformers, from its version 2 on. The rest of its settings say nothing about ids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec

from kugiri.errors import FormatError
from kugiri.formats.json_parts import Json, convert
from kugiri.spec import AddedToken, ChatTemplates, TokenizerSpec
from kugiri.warned import warn

Beside: TypeAlias = Callable[[str], bytes | None]
"""Gives the content of another file beside the one that is read."""

CONFIG, SPECIAL, ADDED = "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"
_LISTS = ("additional_special_tokens", "extra_special_tokens")
_FLAGS = ("single_word", "lstrip", "rstrip", "normalized")


class Settings(NamedTuple):
    """What the files say.

    Attributes:
        values: the settings by name.
        roles: role → token, as in `cls_token` → `[CLS]`; only tokens that have an id.
        added: the added tokens, in order of id.
    """

    values: dict[str, Any]
    roles: dict[str, str]
    added: tuple[AddedToken, ...]

    def flag(self, name: str, default: bool) -> bool:
        """A setting that is true or false.

        Raises:
            FormatError: it is neither.
        """
        value = self.values.get(name, default)
        if not isinstance(value, bool):
            raise FormatError(f"{name} of {CONFIG} is {value!r:.60}; it must be true or false")
        return value


def nothing_beside(name: str) -> None:
    """What stands beside bytes that came alone."""


def read_settings(
    beside: Beside, ids: Mapping[str, int], usual: Mapping[str, str | None]
) -> Settings:
    """Read the settings that lie beside a vocabulary.

    Args:
        beside: where the files are.
        ids: the vocabulary.
        usual: the token of each role, where nothing says otherwise.

    Raises:
        FormatError: a file is malformed, or gives a token an id that another has.
    """
    values = read_object(beside, CONFIG)
    elder = read_object(beside, SPECIAL)
    named = dict(usual) | roles_of(elder) | roles_of(values)
    known = dict(ids) | {token.content: token.id for token in decoder_of(values)}
    numbered = {token.content: token for token in decoder_of(values)}
    if not numbered:
        known |= convert(read_object(beside, ADDED), dict[str, int], ADDED)
    special = [
        token_of(token, SPECIAL if role in elder else CONFIG) for role, token in named.items()
    ]
    special += [token_of(token, CONFIG) for token in _listed(values, elder)]
    for flagged in special:
        if flagged and flagged.content in known:
            flagged = msgspec.structs.replace(flagged, id=known[flagged.content])
            numbered.setdefault(flagged.content, flagged)
    for content, id in known.items():
        if content not in ids and content not in numbered:
            numbered[content] = AddedToken(id, content, normalized=True, special=False)
    _refuse_clashes(numbered, ids)
    _name_unknown(roles_of(elder) | roles_of(values), known)
    roles = {role: token_of(token, CONFIG) for role, token in named.items()}
    return Settings(
        values,
        {role: token.content for role, token in roles.items() if token and token.content in known},
        tuple(sorted(numbered.values(), key=lambda token: token.id)),
    )


def write_settings(
    spec: TokenizerSpec, values: Mapping[str, Any], roles: Mapping[str, str | None]
) -> bytes:
    """A tokenizer_config.json that says all of the added tokens.

    Args:
        spec: whose tokens they are.
        values: the settings.
        roles: the token of each role; None says that there is none.
    """
    decoder = {
        str(token.id): {name: getattr(token, name) for name in ("content", *_FLAGS, "special")}
        for token in spec.added_tokens
    }
    document = {**values, **_chat(spec.chat), **roles, "added_tokens_decoder": decoder}
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _chat(chat: ChatTemplates | None) -> dict[str, Any]:
    """The chat templates: the usual one alone, or all with their names."""
    if chat is None:
        return {}
    if list(chat.templates) == ["default"]:
        return {"chat_template": chat.templates["default"]}
    named = [{"name": name, "template": its} for name, its in chat.templates.items()]
    return {"chat_template": named}


def read_object(beside: Beside, name: str) -> dict[str, Any]:
    """One of the files as it stands; empty where it is not there.

    Raises:
        FormatError: it is malformed, or no object.
    """
    data = beside(name)
    if data is None:
        return {}
    try:
        value = Json(data).value()
    except FormatError as error:
        raise FormatError(f"{name} beside it is malformed: {error}") from error
    if not isinstance(value, dict):
        raise FormatError(f"{name} beside it must be an object")
    return value


def roles_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """What the settings name by a role, as `bos_token`."""
    return {name: token for name, token in values.items() if name.endswith("_token")}


def _listed(values: Mapping[str, Any], elder: Mapping[str, Any]) -> list[Any]:
    lists = (values.get(name) or elder.get(name) or [] for name in _LISTS)
    return [token for tokens in lists if isinstance(tokens, list) for token in tokens]


def token_of(token: Any, where: str) -> AddedToken | None:
    """A special token, given as a string or as an object with its flags; without its id."""
    if token is None or isinstance(token, bool):  # add_bos_token and the like are no roles
        return None
    if isinstance(token, str):
        return AddedToken(0, token) if token else None
    if not isinstance(token, dict) or not isinstance(token.get("content"), str):
        raise FormatError(f"{where} has {token!r:.60} where a token stands; give its string")
    flags = {name: token[name] for name in _FLAGS if name in token}
    flagged: AddedToken = convert(
        {"id": 0, "content": token["content"], **flags}, AddedToken, where
    )
    return flagged


def decoder_of(values: Mapping[str, Any]) -> list[AddedToken]:
    """The tokens of added_tokens_decoder, with the ids that they have there."""
    where = f"added_tokens_decoder of {CONFIG}"
    table = convert(values.get("added_tokens_decoder", {}), dict[str, dict[str, Any]], where)
    for id in table:
        if not (id.isdecimal() and id.isascii() and len(id) < 11 and int(id) < 2**32 - 1):
            raise FormatError(f"{where} has the key {id!r:.60}; an id is a number")
    named = ("content", *_FLAGS, "special")
    rows = [
        {"id": int(id), "special": False} | {name: token[name] for name in named if name in token}
        for id, token in table.items()
    ]
    read: list[AddedToken] = convert(rows, list[AddedToken], where)
    return read


def _name_unknown(roles: Mapping[str, Any], known: Mapping[str, int]) -> None:
    tokens = {role: token_of(token, CONFIG) for role, token in roles.items()}
    lost = [
        f"{role} {it.content!r}" for role, it in tokens.items() if it and it.content not in known
    ]
    if lost:
        warn(
            f"the settings name tokens that have no id and are left out: {', '.join(lost)}",
            stacklevel=6,
        )


def _refuse_clashes(numbered: Mapping[str, AddedToken], ids: Mapping[str, int]) -> None:
    taken = {token.id for token in numbered.values()}
    owner = {id: content for content, id in ids.items() if id in taken}
    for content, token in numbered.items():
        other = owner.setdefault(token.id, content)
        if other != content or ids.get(content, token.id) != token.id:
            raise FormatError(
                f"the added token {content!r} has the id {token.id} in the settings, but "
                + (f"{other!r} has it" if other != content else f"{ids[content]} in the vocabulary")
            )
