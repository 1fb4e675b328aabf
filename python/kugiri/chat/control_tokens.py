"""The tokens of a rendered chat, with control tokens where the template has them, nowhere else.

Rule.    A special token or mark (`marks.py`) that is found in the text counts if all of its
         characters are the template's own (but for white space that it takes in). If all count, and
         they are those that the template's own stretches hold, the text is encoded as one.
         Otherwise it is cut at those of the stretches, and what lies between them is encoded with
         no special token allowed. A model that makes a special token of content by itself all the
         same is refused; the unknown token is none of them.
Cost.    That of encoding; twice where a message imitates a control token.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from kugiri.chat.traced import Traced, plain
from kugiri.encoding import Span
from kugiri.errors import EncodingError
from kugiri.spec import (
    AddedToken,
)
from kugiri.unicode import WHITE_SPACE
from kugiri.warned import warn

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer

_SPACE = re.compile(f"[{WHITE_SPACE}]")


class Placed(NamedTuple):
    """A token, and its place in the rendered text.

    Attributes:
        wide: whether it is one that takes in the white space beside it.
    """

    id: int
    token: str
    start: int
    end: int
    special: bool
    wide: bool


def placed_tokens(tok: Tokenizer, rendered: Traced, source: str) -> list[Placed]:
    """The tokens of a rendered chat.

    Args:
        tok: what encodes it.
        rendered: the text.
        source: the template.

    Raises:
        EncodingError: the text cannot be encoded, or the model takes content for a special token.
    """
    text = plain(rendered)
    chat = _Chat(tok, text, list(_own_stretches(rendered)), source)
    whole = list(_encoded(tok, text, "all", tok._marks.wide))
    controls = list(chat.control_tokens())
    imitations = list(filter(chat.imitates, whole))
    if not imitations and [token.id for token in whole if chat.is_control(token)] == [
        token.id for token in controls
    ]:
        return whole
    chat.warn_of_mixed(imitations)
    its, further, behind_piece = tok._marks.texts(chat.marks)
    tokens, done = [], 0
    for control in [*controls, None]:
        end = len(text) if control is None else control.start
        for token in _encoded(its, text[done:end], frozenset(), tok._marks.wide):
            tokens.append(token._replace(start=token.start + done, end=token.end + done))
        if control is not None:
            tokens.append(control)
            done = control.end
            its = behind_piece if control.id in tok._marks.pieces else further
    if imitation := next(filter(chat.is_made_by_the_model, tokens), None):
        raise EncodingError(
            f"{text[imitation.start : imitation.end]!r} at character {imitation.start} of the "
            f"chat is content, but the model of this tokenizer itself makes the special token "
            f"{imitation.token!r} of it; take it out of the message"
        )
    return tokens


class _Chat:
    """A rendered text, and where the template's own stretches are."""

    def __init__(self, tok: Tokenizer, text: str, own: list[Span], source: str) -> None:
        self._tok, self._text, self._own = tok, text, own
        self._starts = [start for start, _ in own]
        self._added = {token.id: token for token in tok.spec.added_tokens}
        self._unknown = tok.unknown_id
        self.marks = tok._marks.of("\0".join([source, *{text[start:end] for start, end in own}]))

    def is_control(self, token: Placed) -> bool:
        """Whether it is one that only the template may have."""
        return (token.special and token.id != self._unknown) or token.id in self.marks

    def imitates(self, token: Placed) -> bool:
        """Whether a control token stands where content does."""
        if not (token.special or token.id in self.marks):
            return False
        found = self._text[token.start : token.end]
        if token.id == self._unknown and found.strip() != self._added[token.id].content.strip():
            return False  # what is unknown
        start, end = core(self._text, token)
        own = bisect_right(self._starts, start) - 1
        return own < 0 or end > self._own[own][1]

    def is_made_by_the_model(self, token: Placed) -> bool:
        """Whether it imitates one though none was looked for; then what is unknown is just that."""
        return token.id != self._unknown and self.imitates(token)

    def warn_of_mixed(self, imitations: list[Placed]) -> None:
        """Warn of what the template puts together of its own text and other."""
        for token in imitations:
            start, end = core(self._text, token)
            own = bisect_left(self._starts, end) - 1
            if own >= 0 and self._own[own][1] > start:
                warn(
                    f"{self._text[start:end]!r} at character {start} of the chat is text: the "
                    "template puts it together, and not all of it is its own (docs/chat.md says "
                    "what is)",
                    stacklevel=5,
                    kind="mixed",
                    text=self._text[start:end],
                    start=start,
                )
                return

    def control_tokens(self) -> Iterator[Placed]:
        """The control tokens of the template's own stretches, each stretch by itself."""
        done, known = 0, dict[str, list[Placed]]()
        for start, end in self._own:
            stretch = self._text[start:end]
            if stretch not in known:
                found = _encoded(self._tok, stretch, "all", self._tok._marks.wide)
                known[stretch] = list(filter(self.is_control, found))
            for token in known[stretch]:
                moved = token._replace(start=token.start + start, end=token.end + start)
                placed = self._with_spaces(moved, self._added.get(token.id), done)
                yield placed
                done = placed.end

    def _with_spaces(self, token: Placed, added: AddedToken | None, done: int) -> Placed:
        """With the white space beside it that belongs to it."""
        start, end, text = max(token.start, done), token.end, self._text
        if added is None:
            return token._replace(start=start)
        while added.lstrip and start > done and _SPACE.match(text, start - 1):
            start -= 1
        while added.rstrip and _SPACE.match(text, end):
            end += 1
        return token._replace(start=start, end=max(start, end))


def core(text: str, token: Placed) -> Span:
    """Where a token stands, without the white space that it takes in."""
    found = text[token.start : token.end]
    if not found.strip():
        return token.start, token.end
    return token.end - len(found.lstrip()), token.start + len(found.rstrip())


def _encoded(tok: Tokenizer, text: str, allowed: object, wide: Collection[int]) -> Iterator[Placed]:
    its = tok.encode_with_offsets(text, allowed_special=allowed)  # type: ignore[arg-type]
    rows = zip(its.ids.tolist(), its.tokens, its.covering_spans, its.special, strict=True)
    return (
        Placed(id, token, start, end, special, id in wide)
        for id, token, (start, end), special in rows
    )


def _own_stretches(rendered: Traced) -> Iterator[Span]:
    """Where the template's own text is, side by side as one."""
    start = at = 0
    for length, origin in rendered._runs:
        if not origin.template:
            if start < at:
                yield start, at
            start = at + length
        at += length
    if start < at:
        yield start, at
