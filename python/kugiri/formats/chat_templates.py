"""How a chat is written: the templates that lie beside a tokenizer's file.

Rule.    tokenizer_config.json has one template, or a list of them with names; chat_template.json
         and chat_template.jinja have the usual one, each going before the ones named here before
         it, and the folder additional_chat_templates has others by name. Special tokens by role
         (and by any name in extra_special_tokens), and lists of further ones, come from
         tokenizer_config.json, and from its elder where it is silent. What cannot be read is a
         warning: the tokenizer works without.
Cost.    One look for each file; of the settings only these fields become Python objects.
Source.  transformers 5.24; chat_template.json is what its processors wrote before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from kugiri.errors import FormatError
from kugiri.formats.json_parts import Json, convert
from kugiri.formats.settings import CONFIG, SPECIAL
from kugiri.formats.source import Source
from kugiri.spec import ChatTemplates
from kugiri.warned import warn

TEMPLATE_JSON, TEMPLATE, FOLDER = (
    "chat_template.json", "chat_template.jinja", "additional_chat_templates"
)  # fmt: skip

EXTRA = "extra_special_tokens"
_LISTS = ("additional_special_tokens", EXTRA)
_OBJECT = re.compile(rb'\s*\{\s*"')
"""How JSON begins; a template begins with {% or {{, or with text."""


class _Named(msgspec.Struct):
    name: str
    template: str


def read_chat(source: Source) -> ChatTemplates | None:
    """What lies beside a file; None where there is no template."""
    try:
        config = _fields(source, CONFIG)
        templates = _templates(config.get("chat_template"), CONFIG)
        templates |= _templates(_fields(source, TEMPLATE_JSON).get("chat_template"), TEMPLATE_JSON)
        if (written := source.companion(TEMPLATE)) is not None:
            templates["default"] = _text(written, TEMPLATE)
        for name, data in source.folder(FOLDER, ".jinja").items():
            templates[name] = _text(data, f"{FOLDER}/{name}.jinja")
        if not templates:
            return None
        elder = _fields(source, SPECIAL)
        named = _roles(elder) | _roles(config)
        return ChatTemplates(templates, named, tuple(_listed(elder | config)))
    except FormatError as error:
        warn(f"the chat template beside this file is left out: {error}", stacklevel=4)
        return None


def chat_of(data: bytes) -> ChatTemplates:
    """What one such file says by itself: a tokenizer_config.json, or a template.

    Raises:
        FormatError: it has no template, or is malformed.
    """
    if not _OBJECT.match(data):
        return ChatTemplates({"default": _text(data, "the chat template")})
    config = _settings(data, CONFIG)
    if not (templates := _templates(config.get("chat_template"), CONFIG)):
        raise FormatError(
            f"this {CONFIG} has no chat_template; it may lie beside it, in {TEMPLATE}"
        )
    return ChatTemplates(templates, _roles(config))


def _fields(source: Source, name: str) -> dict[str, Any]:
    """The fields of a file of settings that are about chats, if it is there."""
    data = source.companion(name)
    return {} if data is None else _settings(data, name)


def _settings(data: bytes, name: str) -> dict[str, Any]:
    try:
        fields = Json(data).fields().items()
        return {
            field: value.value()
            for field, value in fields
            if field in ("chat_template", *_LISTS) or field.endswith("_token")
        }
    except FormatError as error:
        raise FormatError(f"{name} is malformed: {error}") from error


def _templates(given: Any, where: str) -> dict[str, str]:
    """One template, or a list of them, or a mapping."""
    if given is None:
        return {}
    if isinstance(given, str):
        return {"default": given}
    rows = given if isinstance(given, list) else []
    if isinstance(given, dict):
        rows = [{"name": name, "template": its} for name, its in given.items()]
    if not rows:
        raise FormatError(f"chat_template of {where} must be a template, or a list of named ones")
    named = convert(rows, list[_Named], f"chat_template of {where}")
    return {its.name: its.template for its in named}


def _roles(values: Mapping[str, Any]) -> dict[str, str]:
    """The special tokens by role; each is a string, or an object with its flags."""
    named = {role: token for role, token in values.items() if role.endswith("_token")}
    if isinstance(values.get(EXTRA), dict):  # a list of them has no names
        named = values[EXTRA] | named
    contents = {role: _content(token) for role, token in named.items()}
    return {role: token for role, token in contents.items() if token}


def _listed(values: Mapping[str, Any]) -> Iterator[str]:
    """The special tokens without a role, each once."""
    lists = [values.get(name) for name in _LISTS]
    tokens = [token for some in lists if isinstance(some, list) for token in some]
    return (content for content in dict.fromkeys(map(_content, tokens)) if content)


def _content(token: Any) -> str | None:
    """What a token is written as, which may have flags."""
    content = token.get("content") if isinstance(token, dict) else token
    return content if isinstance(content, str) else None


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise FormatError(f"{where} is not UTF-8 at byte {error.start}") from error
