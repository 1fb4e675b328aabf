"""Messages → the text that a chat template makes of them, each character with its origin.

Rule.    All texts of a message are content of that message. Its role is the template's own if it
         is one of the usual ones, since templates make control tokens of it (`<|user|>`). The
         special tokens that the settings name (`bos_token`) are the template's own; tools and
         variables are content of no message. A field of a message that is None is left out.
Cost.    That of the template: milliseconds for a long chat.
Source.  transformers 5.24 for what a template is given, and which one of several is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kugiri.chat.attribution import Message
from kugiri.chat.budget import weigh
from kugiri.chat.compiling import Compiled, compiled
from kugiri.chat.runs import CONTENT, Origin
from kugiri.chat.traced import Traced
from kugiri.errors import OptionError, choose, described
from kugiri.inputs import as_flag, is_list
from kugiri.spec import ChatTemplates
from kugiri.warned import warn

ROLES = frozenset(
    ["assistant", "developer", "function", "ipython", "model", "observation", "system", "tool",
     "user"]
)  # fmt: skip
"""The usual roles."""

TOKENS = frozenset(
    ["bos_token", "cls_token", "eos_token", "mask_token", "pad_token", "sep_token", "unk_token"]
)
"""The special tokens that every template may name."""

_DEEPEST = 100
"""How many lists and objects of a message may stand in one another."""
_GIVEN = ("messages", "tools", "add_generation_prompt")
_OWN = Origin(template=True)


def render(
    chat: ChatTemplates | None,
    messages: list[Mapping[str, Any]],
    tools: Any,
    add_generation_prompt: Any,
    template: Any,
    variables: Mapping[str, Any],
) -> tuple[Traced, str]:
    """The text of a chat, and the template.

    Args:
        chat: the templates of the tokenizer.
        messages: as `as_messages` gives them; all others as `Tokenizer.encode_chat` takes them.
        tools: schemas.
        add_generation_prompt: a flag.
        template: a name, a template or None.
        variables: further ones.

    Raises:
        OptionError: there is no such template or variable, or a message is none.
        EncodingError: the template refuses the messages, or goes wrong.
    """
    chat = chat or ChatTemplates()
    source = _source(chat, template, bool(tools))
    chosen = compiled(source)
    values = {
        **{name: Traced.of(token, _OWN) for name, token in chat.tokens.items()},
        "messages": [_message(number, its) for number, its in enumerate(messages)],
        "tools": None if tools is None else _traced(as_tools(tools), CONTENT, "tools"),
        "documents": None,
        "add_generation_prompt": as_flag("add_generation_prompt", add_generation_prompt),
        **{name: _variable(chosen, chat, name, value) for name, value in variables.items()},
    }
    if tools and "tools" not in chosen.variables:
        warn(
            "this chat template has no place for tools; they are left out",
            stacklevel=4,
            kind="no tools",
        )
    return chosen.render(values, weigh(*values.values())), source


def _source(chat: ChatTemplates, template: Any, has_tools: bool) -> str:
    """The template that is meant."""
    named = chat.templates
    if template is None:
        if not named:
            raise OptionError(
                "this tokenizer has no chat template: none lies beside its file, as "
                "chat_template.jinja or in tokenizer_config.json; give template="
            )
        usual = "tool_use" if has_tools and "tool_use" in named else "default"
        return named[choose("chat template", usual, named)]
    if not isinstance(template, str):
        raise OptionError(f"template is a name or the template itself; {described(template)} came")
    if template in named:
        return named[template]
    return template if "{" in template else named[choose("chat template", template, named)]


def as_messages(messages: Any) -> list[Mapping[str, Any]]:
    """The messages of a chat as a list.

    Raises:
        OptionError: there is none, or one is no mapping.
    """
    like = "{'role': 'user', 'content': '…'}"
    if not is_list(messages):
        raise OptionError(
            f"messages are a list of messages like {like}; {described(messages)} came"
        )
    listed = list(messages)
    for number, message in enumerate(listed):
        if not isinstance(message, Mapping):
            raise OptionError(
                f"messages[{number}] is {described(message)}; a message is like {like}"
            )
    if not listed:
        raise OptionError("there is no message in the chat; give at least one")
    return listed


def as_tools(tools: Any) -> list[Mapping[str, Any]]:
    """The tools of a chat as a list.

    Raises:
        OptionError: there is none, or one is no mapping.
    """
    like = "a list of JSON schemas like {'type': 'function', 'function': {'name': '…'}}"
    if not is_list(tools):
        raise OptionError(f"tools are {like}; {described(tools)} came")
    for number, tool in enumerate(listed := list(tools)):
        if not isinstance(tool, Mapping):
            raise OptionError(f"tools[{number}] is {described(tool)}; tools are {like}")
    return listed


def _message(number: int, message: Mapping[str, Any]) -> Message:
    given = {name: value for name, value in message.items() if value is not None}
    where = f"messages[{number}]"
    _require_names(given, where)
    fields: dict[str, Any] = {
        Traced.of(name, Origin(number)): _traced(
            its, Origin(number, field=name), f"{where}[{name!r:.60}]", 1
        )
        for name, its in given.items()
    }
    role = fields.get("role")
    if isinstance(role, str) and role in ROLES:
        fields["role"] = Traced.of(role, Origin(number, template=True))
    return Message(number, fields)


def _variable(template: Compiled, chat: ChatTemplates, name: str, value: Any) -> Any:
    """A variable that the template reads; a special token of a known role is its own."""
    choose("variable of the chat template", name, sorted(template.variables - {*_GIVEN}))
    return _traced(value, _OWN if name in TOKENS or name in chat.tokens else CONTENT, name)


def _require_names(value: Mapping[Any, Any], where: str) -> None:
    for name in value:
        if not isinstance(name, str):
            raise OptionError(f"{where} has the key {described(name)}; a key is a str")


def _traced(value: Any, origin: Origin, where: str, depth: int = 0) -> Any:
    """A value as JSON has it, its texts with their origin.

    Raises:
        OptionError: it is something else, or nested too deeply.
    """
    if depth > _DEEPEST:
        raise OptionError(
            f"{where:.60}… is nested too deeply: more than {_DEEPEST} lists and objects"
        )
    if isinstance(value, str):
        return Traced.of(str.__str__(value), origin)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Mapping):
        _require_names(value, where)
        return {
            Traced.of(name, origin): _traced(its, origin, f"{where}[{name!r:.60}]", depth + 1)
            for name, its in value.items()
        }
    if is_list(value):
        return [_traced(its, origin, f"{where}[{i}]", depth + 1) for i, its in enumerate(value)]
    raise OptionError(
        f"{where} is {described(value)}; a chat holds what JSON does: texts, numbers, true, false, "
        "null, lists, objects"
    )
