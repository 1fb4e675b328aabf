"""What a text may not hold: how tiktoken keeps special tokens out of texts.

Rule.    Special tokens are refused unless they are allowed, or others are named to be refused. Only
         what is allowed is found as a token; a lone surrogate becomes U+FFFD.
Cost.    One search of the text for all that is refused.
Source.  tiktoken 0.14.0.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Set
from functools import lru_cache
from typing import Literal, TypeAlias

from kugiri.errors import EncodingError, OptionError, described

Allowed: TypeAlias = Literal["all"] | Set[str]
Disallowed: TypeAlias = Literal["all"] | Collection[str]


def checked(
    texts: Iterable[str], special: Set[str], allowed: Allowed, disallowed: Disallowed
) -> frozenset[str]:
    """The special tokens that may be found in texts.

    Raises:
        OptionError: what is allowed or disallowed is no set.
        EncodingError: a text holds what is disallowed.
    """
    allowed = special if allowed == "all" else allowed
    if not isinstance(allowed, Set):
        raise OptionError(f'allowed_special is a set or "all"; {described(allowed)} came')
    refused = special - allowed if disallowed == "all" else disallowed
    if isinstance(refused, str) or not isinstance(refused, Collection):
        raise OptionError(f'disallowed_special is a set or "all"; {described(refused)} came')
    if refused:
        search = _any_of(frozenset(refused)).search
        for text in texts:
            if isinstance(text, str) and (found := search(text)):
                raise EncodingError(_refusal(found.group()))
    return frozenset(special & allowed)


@lru_cache(maxsize=64)
def _any_of(strings: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(strings))))


def _refusal(token: str) -> str:
    return (
        f"the text holds {token!r}, which looks like a disallowed special token; to have the "
        f"token, pass allowed_special={{{token!r}}}, to have text, pass "
        f"disallowed_special=(encoding.special_tokens_set - {{{token!r}}}), or () for none at all"
    )


def repaired(text: str) -> str:
    """A text with surrogate pairs joined, and lone surrogates replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    except AttributeError:  # no str, which the tokenizer says
        pass
    return text
