"""A tokenizer.json in our dialect of regexes.

Rule.    A pattern whose meaning is known is the one of ours that means the same (patterns.py); any
         other is translated (oniguruma.py).
Cost.    A look-up a pattern, or a translation, which needs modules that loading can do without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kugiri.lazy import lazy_module
from kugiri.patterns import known_spelling
from kugiri.spec import TokenizerSpec, respelled

if TYPE_CHECKING:
    from kugiri.reference import oniguruma
else:
    oniguruma = lazy_module("kugiri.reference.oniguruma")


def in_our_dialect(spec: TokenizerSpec) -> TokenizerSpec:
    """A spec as the engines run it: every pattern of a tokenizer.json in our dialect.

    Raises:
        OptionError: one of them holds something that is not known here.
    """
    return respelled(spec, _ours) if spec.origin == "tokenizer.json" else spec


def _ours(pattern: str) -> str:
    return known_spelling(pattern) or oniguruma.from_oniguruma(pattern)
