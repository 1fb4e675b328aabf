"""Chats: messages → template → text that knows where it comes from → tokens.

**messages → origins (render.py) → Jinja (engine.py, filters.py, traced.py) → control tokens
(control_tokens.py, marks.py) → what each message costs (encoding.py).**

Jinja is imported here and nowhere else, and only when a chat is encoded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kugiri.chat.control_tokens import Placed, placed_tokens
from kugiri.chat.encoding import ChatEncoding, chat_encoding
from kugiri.chat.marks import Marks
from kugiri.errors import OptionError
from kugiri.warned import warn

if TYPE_CHECKING:
    from kugiri.spec import ChatTemplates
    from kugiri.tokenizer import Tokenizer

__all__ = ["Marks", "encode"]


def encode(
    tok: Tokenizer,
    messages: Any,
    tools: Any,
    add_generation_prompt: Any,
    template: Any,
    variables: Mapping[str, Any],
    continue_final_message: Any = False,
    chat: ChatTemplates | None = None,
) -> ChatEncoding:
    """What `Tokenizer.encode_chat` returns.

    `chat` are the templates and their tokens, where they are not those of the tokenizer.

    Raises:
        EncodingError: the template refuses the messages or goes wrong, or the text has no ids.
        OptionError: there is no such template or variable, a message is none, or jinja2 is missing.
    """
    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise OptionError(
            "encode_chat needs the package jinja2; pip install 'kugiri[chat]'"
        ) from error
    from kugiri.chat.continuing import ended, field_to_continue, marked
    from kugiri.chat.render import as_messages, render

    given = listed = as_messages(messages)
    field = field_to_continue(continue_final_message, add_generation_prompt)
    if field is not None:
        given, last = marked(listed, field)
    rendered, source = render(
        chat or tok.spec.chat, given, tools, add_generation_prompt, template, variables
    )
    if field is not None:
        rendered = ended(rendered, last)
    tokens = placed_tokens(tok, rendered, source)
    _name_second_begin(tok, tokens)
    return chat_encoding(rendered, tokens, listed)


def _name_second_begin(tok: Tokenizer, tokens: list[Placed]) -> None:
    """Warn where a template itself begins the text twice."""
    begin = tok.spec.chat and tok.spec.chat.tokens.get("bos_token")
    if begin and [its.id for its in tokens[:2]] == [tok.special_tokens.get(begin)] * 2:
        warn(
            f"the chat template writes the begin of text {begin!r} twice, side by side; leave one "
            "out of it",
            stacklevel=4,
            kind="begins twice",
            token=begin,
        )
