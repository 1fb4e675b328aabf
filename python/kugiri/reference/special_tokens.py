"""Added tokens: strings that are cut out of the text before anything else looks at it.

Rule.    Two passes: over the raw text, and over each stretch that is left, once normalized, for
         those that are `normalized`, in the form that the normalizer gives them. In each the
         longest fitting token wins, from left to right. A token with special=True is matched only
         where it is allowed; one with special=False always. One that may not match (`single_word`
         beside a word, or in a tokenizer.json not allowed) is text, and the search goes on behind
         it. `lstrip` and `rstrip` take the white space beside it, to the left as far as the token
         before, to the right also where the next one stands: spans then overlap.
Cost.    O(n·t) for n characters and t tokens; the core builds one automaton for all of them.
Source.  tokenizers 0.23.3; tiktoken 0.14.0, where tokens that are not allowed hide no other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Literal, TypeAlias

from kugiri.encoding import Span, Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.regex_classes import compile_pattern
from kugiri.spec import AddedToken
from kugiri.unicode import WHITE_SPACE

Allowed: TypeAlias = Set[str] | Literal["all"]

_SPACE = re.compile(f"[{WHITE_SPACE}]")


class AddedTokens:
    """All added tokens of a tokenizer.

    Attributes:
        forms: the string that each matches: its content, or the normalized form of that.

    Example:
        >>> end = AddedTokens([AddedToken(id=9, content="<|end|>")])
        >>> list(end.split(Aligned.of("a<|end|>"), {"<|end|>"}))
        [Aligned(text='a', spans=((0, 1),), end=1), Token(id=9, text=b'<|end|>', start=1, end=8)]
    """

    def __init__(
        self,
        tokens: Sequence[AddedToken],
        normalize: Callable[[str], str] = str,
        hiding: bool = False,
    ) -> None:
        """Keep the tokens; with `hiding`, those that are not allowed are looked for too."""
        self._tokens = tokens
        self._hiding = hiding
        self.forms = [
            normalize(token.content) if token.normalized else token.content for token in tokens
        ]

    def split(self, text: Aligned, allowed: Allowed = frozenset()) -> Iterator[Aligned | Token]:
        """Cut raw text into added tokens and the stretches of text between them."""
        return self._cut(text, allowed, normalized=False)

    def split_normalized(
        self, text: Aligned, allowed: Allowed = frozenset()
    ) -> Iterator[Aligned | Token]:
        """Cut a stretch of normalized text."""
        return self._cut(text, allowed, normalized=True)

    def _cut(self, text: Aligned, allowed: Allowed, normalized: bool) -> Iterator[Aligned | Token]:
        done = 0
        for token, (start, end) in self._matches(text.text, allowed, normalized):
            if token.lstrip:
                start = max(done, _start_of_spaces(text.text, start))
            if token.rstrip:
                end = _end_of_spaces(text.text, end)
            if done < start:
                yield text[done:start]
            # Nothing is left of one that stands in the white space of the token before. (Where it
            # ends before that does, tokenizers panics.)
            if start < end:
                part = text[start:end]
                yield Token(token.id, part.text.encode(), *part.span)
            done = max(start, end)
        if done < len(text):
            yield text[done:]

    def _matches(
        self, text: str, allowed: Allowed, normalized: bool
    ) -> Iterator[tuple[AddedToken, Span]]:
        """The tokens that match, leftmost first, longest first; of two that are alike the first."""
        tokens = {
            form: token
            for token, form in reversed([*zip(self._tokens, self.forms, strict=True)])
            if form and token.normalized == normalized and (self._hiding or _may(token, allowed))
        }
        # An alternation takes the first branch that fits, so longest first makes it the longest.
        branches = sorted(tokens, key=len, reverse=True)
        for found in re.finditer("|".join(map(re.escape, branches)), text) if tokens else ():
            token = tokens[found[0]]
            beside_word = token.single_word and _touches_a_word(text, found.span())
            if _may(token, allowed) and not beside_word:
                yield token, found.span()


def _may(token: AddedToken, allowed: Allowed) -> bool:
    return not token.special or allowed == "all" or token.content in allowed


def _touches_a_word(text: str, span: Span) -> bool:
    start, end = span
    is_word = compile_pattern(r"\w").match
    return bool((start and is_word(text, start - 1)) or is_word(text, end))


def _end_of_spaces(text: str, at: int) -> int:
    while at < len(text) and _SPACE.match(text[at]):
        at += 1
    return at


def _start_of_spaces(text: str, at: int) -> int:
    while at and _SPACE.match(text[at - 1]):
        at -= 1
    return at
