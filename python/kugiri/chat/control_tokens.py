"""The tokens of a rendered chat, with control tokens where the template has them, nowhere else.

Rule.    A special token that is found in the text counts if all of its characters are the
         template's own (but for white space that it takes in). If all count, the text is encoded
         as one. Otherwise it is cut at those that the template's own stretches hold, and what lies
         between them is encoded with no special token allowed. A model that makes a special token
         of content by itself all the same is refused; the unknown token is none of them.
Cost.    That of encoding; twice where a message imitates a control token.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from kugiri.chat.traced import Traced, plain
from kugiri.encoding import Span
from kugiri.errors import EncodingError
from kugiri.spec import (
    AddedToken,
    Metaspace,
    PieceType,
    PreTokenizer,
    PreTokenizers,
    TokenizerSpec,
    Unigram,
)
from kugiri.unicode import WHITE_SPACE

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer

_SPACE = re.compile(f"[{WHITE_SPACE}]")


class Placed(NamedTuple):
    """A token, and its place in the rendered text."""

    id: int
    token: str
    start: int
    end: int
    special: bool


def placed_tokens(tok: Tokenizer, rendered: Traced) -> list[Placed]:
    """The tokens of a rendered chat.

    Raises:
        EncodingError: the text cannot be encoded, or the model takes content for a special token.
    """
    text = plain(rendered)
    chat = _Chat(tok, text, list(_own_stretches(rendered)))
    whole = list(_encoded(tok, text, "all"))
    if not any(map(chat.imitates, whole)):
        return whole
    tokens, done = [], 0
    for control in [*chat.control_tokens(), None]:
        end = len(text) if control is None else control.start
        its = tok if done == 0 else tok._further
        for token in _encoded(its, text[done:end], frozenset()):
            tokens.append(token._replace(start=token.start + done, end=token.end + done))
        if control is not None:
            tokens.append(control)
            done = control.end
    if imitation := next(filter(chat.imitates, tokens), None):
        raise EncodingError(
            f"{text[imitation.start : imitation.end]!r} at character {imitation.start} of the "
            f"chat is content, but the model of this tokenizer itself makes the special token "
            f"{imitation.token!r} of it; take it out of the message"
        )
    return tokens


class _Chat:
    """A rendered text, and where the template's own stretches are."""

    def __init__(self, tok: Tokenizer, text: str, own: list[Span]) -> None:
        self._tok, self._text, self._own = tok, text, own
        self._starts = [start for start, _ in own]
        self._added = {token.id: token for token in tok.spec.added_tokens}
        self._unknown = _unknown_id(tok)

    def imitates(self, token: Placed) -> bool:
        """Whether a special token stands where content does."""
        if not token.special:
            return False
        found = self._text[token.start : token.end]
        if token.id == self._unknown and found.strip() != self._added[token.id].content.strip():
            return False  # what is unknown
        start, end = token.start, token.end
        if found.strip():
            start, end = end - len(found.lstrip()), start + len(found.rstrip())
        own = bisect_right(self._starts, start) - 1
        return own < 0 or end > self._own[own][1]

    def control_tokens(self) -> Iterator[Placed]:
        """The special tokens of the template's own stretches, each stretch by itself."""
        done = 0
        for start, end in self._own:
            for token in _encoded(self._tok, self._text[start:end], "all"):
                its = self._added.get(token.id)
                if token.special and its is not None and token.id != self._unknown:
                    moved = token._replace(start=token.start + start, end=token.end + start)
                    placed = self._with_spaces(moved, its, done)
                    yield placed
                    done = placed.end

    def _with_spaces(self, token: Placed, added: AddedToken, done: int) -> Placed:
        """With the white space beside it that belongs to it."""
        start, end, text = max(token.start, done), token.end, self._text
        while added.lstrip and start > done and _SPACE.match(text, start - 1):
            start -= 1
        while added.rstrip and _SPACE.match(text, end):
            end += 1
        return token._replace(start=start, end=max(start, end))


def _encoded(tok: Tokenizer, text: str, allowed: object) -> Iterator[Placed]:
    its = tok.encode_with_offsets(text, allowed_special=allowed)  # type: ignore[arg-type]
    rows = zip(its.ids.tolist(), its.tokens, its.covering_spans, its.special, strict=True)
    return (Placed(id, token, start, end, special) for id, token, (start, end), special in rows)


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


def _unknown_id(tok: Tokenizer) -> int | None:
    """The id that stands for what is unknown."""
    spec: TokenizerSpec = tok.spec
    model = spec.model
    types = getattr(model, "piece_types", None)
    if types is not None and PieceType.UNKNOWN in types.data:
        row = types.data.index(PieceType.UNKNOWN)
    elif isinstance(model, Unigram):
        if model.unk_id is None:
            return None
        row = model.unk_id
    else:
        unknown = model.unk_token
        return None if unknown is None else tok.special_tokens.get(unknown)
    return row if model.ids is None else int(model.ids.values[row])


def further(spec: TokenizerSpec) -> TokenizerSpec:
    """The same for text that stands behind a control token: it is not the first any more."""
    if spec.pre_tokenizer is None:
        return spec
    changed = _not_first(spec.pre_tokenizer)
    return spec if changed == spec.pre_tokenizer else replace(spec, pre_tokenizer=changed)


def _not_first(part: PreTokenizer) -> PreTokenizer:
    if isinstance(part, PreTokenizers):
        return PreTokenizers(tuple(map(_not_first, part.pre_tokenizers)))
    if isinstance(part, Metaspace) and part.prepend_scheme == "first":
        return replace(part, prepend_scheme="never")
    return part
