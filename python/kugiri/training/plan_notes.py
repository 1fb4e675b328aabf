"""What to know before training: the warnings of a plan.

Rule.    Each says what will not come as asked, or what is easily overlooked, and what to do.
Cost.    None: all numbers are there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kugiri.spec import BertPreTokenizer, PreTokenizer, Split, WhitespaceSplit
from kugiri.training.options import Options
from kugiri.training.trainers import MERGING, UNKNOWN, alphabet_alone
from kugiri.training.word_counts import WordCounts

if TYPE_CHECKING:
    from kugiri.plan import Plan

_UNITS = {"word": "words", "char": "characters"}
_MOST_CELLS = 2**32 - 2
_USUAL = 0.9995


def of_size(found: Plan, options: Options) -> Iterator[str]:
    """What the size that is asked for means."""
    size, merges = options.vocab_size, options.num_merges
    pairs = f"no further pair occurs {options.min_frequency} times"
    characters = found.model in MERGING and options.unit == "char"
    if merges is not None and found.largest_is_exact and merges > found.largest - found.smallest:
        yield (
            f"num_merges={merges} cannot be reached: {pairs}; "
            f"use num_merges={found.largest - found.smallest} or less, or more text"
        )
    if size is None:
        return
    if size < found.smallest and options.compatibility == "tokenizers":
        yield alphabet_alone(found.smallest, size)
    elif size < found.smallest:
        remedy = ", unit='byte', or limit_alphabet" if characters else ""
        remedy = ", or limit_alphabet" if found.model == "wordpiece" else remedy
        yield (
            f"vocab_size={size} is below the smallest vocabulary; "
            f"use vocab_size={found.smallest} or more{remedy}"
        )
    elif size > found.largest and found.largest_is_exact:
        reason = pairs if found.model in MERGING else f"there are no more {_UNITS[found.model]}"
        yield (
            f"vocab_size={size} cannot be reached: {reason}; "
            f"use vocab_size={found.largest} or less, or more text"
        )
    elif characters and 2 * found.smallest > size:
        yield (
            f"the alphabet fills {found.smallest / size:.0%} of vocab_size={size}, so there is "
            f"little room for merges; use more, or keep fewer characters with limit_alphabet"
        )


def of_alphabet(found: Plan, options: Options) -> Iterator[str]:
    """What the characters mean."""
    if found.model not in MERGING or options.unit == "byte":
        return
    if found.model == "bpe" and UNKNOWN not in options.special_tokens:
        yield (
            f"a character that this corpus does not have could not be encoded; "
            f"use special_tokens=[{UNKNOWN!r}], or unit='byte'"
        )
    usual = next(row for row in found.alphabet if row.coverage == _USUAL)
    if options.limit_alphabet is None and usual.characters < found.different_characters:
        yield (
            f"{found.different_characters - usual.characters:,} of the "
            f"{found.different_characters:,} characters make up less than "
            f"{1 - _USUAL:.2%} of the text; limit_alphabet={usual.characters} leaves them out"
        )


def of_text(counts: WordCounts, cutter: PreTokenizer | None) -> Iterator[str]:
    """What the text means."""
    if counts.replaced:
        yield f"{counts.replaced:,} invalid UTF-8 sequences were read as U+FFFD"
    if isinstance(cutter, WhitespaceSplit | BertPreTokenizer) or (
        isinstance(cutter, Split) and cutter.invert
    ):
        yield "this pre-tokenizer drops white space, so texts do not come back exactly"
    if len(counts.words.data) + 2 * len(counts) >= _MOST_CELLS:
        yield "the different words do not fit into one run; use a pattern that cuts more"
