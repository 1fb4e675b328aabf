"""What comes out of a chat: tokens, what each is part of, and what each message costs.

Rule.    A token that touches content is content of that message, of the first if of several. All
         others are the template's: overhead of the message that they stand in, or none's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from kugiri.chat.control_tokens import Placed, core
from kugiri.chat.runs import Origin
from kugiri.chat.traced import Traced, plain
from kugiri.encoding import Span
from kugiri.errors import shown
from kugiri.lazy import lazy_module
from kugiri.warned import warn

if TYPE_CHECKING:
    import numpy as np

    from kugiri.encoding import Ids
else:
    np = lazy_module("numpy")


class MessageTokens(NamedTuple):
    """What a message costs.

    Attributes:
        role: its role.
        content: the tokens of its own text.
        overhead: the tokens that the template puts around it.
        spans: where its own text stands in that of the chat.
    """

    role: str
    content: int
    overhead: int
    spans: list[Span]

    @property
    def tokens(self) -> int:
        """Both."""
        return self.content + self.overhead


@dataclass(frozen=True, repr=False)
class ChatEncoding:
    """A chat as tokens.

    Attributes:
        text: what the template makes of it.
        ids: uint32, one a token.
        tokens: the strings of the original library.
        spans: each token with exactly the characters of `text` that it touches.
        content: True where a token has content in it, False where it is the template's.
        numbers: which message each token belongs to, by its place in the chat; None for none.
        generated: True where the template says that the assistant speaks (`{% generation %}`).
        messages: what each message costs.
        other: the tokens of content that is of no message, mostly tools.
        frame: the tokens of the template that are of no message: begin of text, the head of the
            answer.
    """

    text: str
    ids: Ids
    tokens: list[str]
    spans: list[Span]
    content: list[bool]
    numbers: list[int | None]
    generated: list[bool]
    messages: list[MessageTokens]
    other: int
    frame: int

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.ids)

    def __repr__(self) -> str:
        """How much it is."""
        messages = len(self.messages)
        return f"ChatEncoding({len(self):,} tokens, {messages:,} message{'s' * (messages != 1)})"


def chat_encoding(
    rendered: Traced, tokens: Sequence[Placed], messages: Sequence[Mapping[str, Any]]
) -> ChatEncoding:
    """Say of each token what it is part of, and add up."""
    origins = _origins(rendered, tokens)
    count = Counter((origin.message, origin.template) for origin in origins)
    spans = _spans_of_content(rendered)
    if None not in spans:  # otherwise it may be there, and nobody knows whose it is
        its = (origin for _, origin in rendered._runs if not origin.template)
        _name_left_out(messages, {(origin.message, origin.field) for origin in its})
    return ChatEncoding(
        text=plain(rendered),
        ids=np.array([token.id for token in tokens], np.uint32),
        tokens=[token.token for token in tokens],
        spans=[(token.start, token.end) for token in tokens],
        content=[not origin.template for origin in origins],
        numbers=[origin.message for origin in origins],
        generated=[origin.generated for origin in origins],
        messages=[
            MessageTokens(
                _role(message),
                count[number, False],
                count[number, True],
                spans.get(number, []),
            )
            for number, message in enumerate(messages)
        ],
        other=count[None, False],
        frame=count[None, True],
    )


def _role(message: Mapping[str, Any]) -> str:
    """What it is called; a member of an enum may be a str that str() calls otherwise."""
    role = message.get("role", "")
    return str.__str__(role) if isinstance(role, str) else str(role)


def _spans_of_content(rendered: Traced) -> dict[int | None, list[Span]]:
    """Where the text of each message stands, and that of none; side by side as one."""
    spans: dict[int | None, list[Span]] = {}
    at = 0
    for length, origin in rendered._runs:
        if not origin.template:
            its = spans.setdefault(origin.message, [])
            begin = its.pop()[0] if its and its[-1][1] == at else at
            its.append((begin, at + length))
        at += length
    return spans


_SAID = ("content", "reasoning_content", "tool_calls")
"""The fields of a message that a model is meant to read."""


def _name_left_out(
    messages: Sequence[Mapping[str, Any]], there: Collection[tuple[int | None, str | None]]
) -> None:
    """Warn of what a template drops, as messages of a role that it does not know."""
    lost = [
        (number, field)
        for number, message in enumerate(messages)
        if (number, None) not in there  # which may be any of its fields
        for field in _SAID
        if message.get(field) and (number, field) not in there
    ]
    if lost:
        named = (
            f"{number} ({shown(messages[number].get('role'))}"
            f"{'' if field == 'content' else f', {field}'})"
            for number, field in lost
        )
        warn(
            f"the chat template leaves out the text of these messages: {', '.join(named):.300}",
            stacklevel=5,
            kind="left out",
            messages=lost,
        )


def _origins(rendered: Traced, tokens: Sequence[Placed]) -> list[Origin]:
    """What each token is part of: content, where it touches any."""
    runs = [origin for _, origin in rendered._runs]
    ends = list(accumulate(length for length, _ in rendered._runs))
    found, text = [], plain(rendered)
    for token in tokens:
        start, end = core(text, token) if token.wide else (token.start, token.end)
        first = min(bisect_right(ends, start), len(runs) - 1)
        if end <= ends[first]:
            found.append(runs[first])
            continue
        last = bisect_right(ends, end - 1)
        touched = runs[first : last + 1]
        content = (origin for origin in touched if not origin.template)
        origin = next(content, touched[0])
        found.append(origin._replace(generated=any(its.generated for its in touched)))
    return found
