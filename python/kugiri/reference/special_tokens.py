"""Special tokens: strings that are cut out of the text before anything else looks at it.

Rule.    A token with special=True is matched only where it is allowed; otherwise text that looks
         like one is text. A token with special=False is always matched. At each place the longest
         fitting token wins, from left to right. Tokens of raw text go before those of normalized
         text, whatever stands further left.
Cost.    O(n·t) for n characters and t tokens; the core builds one automaton for all of them.
Source.  tiktoken 0.14.0 (what is allowed), tokenizers 0.23.3 (two passes, raw then normalized).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import Literal, TypeAlias

from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.not_run import not_run
from kugiri.spec import AddedToken

Allowed: TypeAlias = Set[str] | Literal["all"]


def split_special_tokens(
    text: str, added_tokens: Sequence[AddedToken], allowed: Allowed = frozenset()
) -> Iterator[Aligned | Token]:
    """Cut a text into special tokens and the stretches of text between them.

    Example:
        >>> end = AddedToken(id=9, content="<|end|>")
        >>> list(split_special_tokens("a<|end|>", [end], {"<|end|>"}))
        [Aligned(text='a', spans=((0, 1),), end=1), Token(id=9, text=b'<|end|>', start=1, end=8)]
    """
    for token in added_tokens:
        for flag in ("single_word", "lstrip", "rstrip"):
            if getattr(token, flag):
                raise not_run("special token", f"{token.content!r} with {flag}")
    matched = [
        token
        for token in added_tokens
        if not token.special or allowed == "all" or token.content in allowed
    ]
    for part in _cut(Aligned.of(text), [token for token in matched if not token.normalized]):
        if isinstance(part, Token):
            yield part
        else:
            yield from _cut(part, [token for token in matched if token.normalized])


def _cut(text: Aligned, tokens: Sequence[AddedToken]) -> Iterator[Aligned | Token]:
    """Cut at every occurrence of the tokens, leftmost first, longest first."""
    ids = {token.content: token.id for token in tokens if token.content}
    # An alternation takes the first branch that fits, so longest first makes it the longest.
    branches = sorted(ids, key=len, reverse=True)
    done = 0
    for found in re.finditer("|".join(map(re.escape, branches)), text.text) if ids else ():
        if done < found.start():
            yield text[done : found.start()]
        yield Token(ids[found[0]], found[0].encode(), *text[found.start() : found.end()].span)
        done = found.end()
    if done < len(text):
        yield text[done:]
