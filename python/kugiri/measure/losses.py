"""What a tokenizer loses of a text: characters that it has no token for, and white space.

Rule.    A character is lost if only the unknown token stands for it, or none does
         (metrics/unknown_rate.py); white space, if less of it comes back. What a normalizer makes
         another character of, as a capital a small letter, is not lost, but no longer told apart
         from it. Both cost next to nothing, and so make a text look short: they have a price where
         tokenizers are compared (price.py).
Cost.    Decoding a sample; encoding it with places where it does not come back.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from kugiri.measure.metrics.unknown_rate import lost_characters
from kugiri.measure.observation import Observation
from kugiri.measure.report import Loss
from kugiri.unicode import WHITE_SPACE

_RUN = re.compile(f"[{WHITE_SPACE}]+")

_LAST = (0x7F, 0x7FF, 0xFFFF)
"""The last code points of one, two and three bytes."""


def loss_of(seen: Observation) -> Loss | None:
    """What is lost of a sample; None if every document comes back.

    Raises:
        EncodingError: the tokenizer cannot encode or decode it.

    Example:
        >>> from kugiri.measure.example import observed, unigram_of
        >>> loss = loss_of(observed(unigram_of(["▁", "猫", "と"]), ["猫と 犬", "猫  と"]))
        >>> loss.characters, loss.white_space  # 犬 and a space of 8 characters
        (0.25, 0.125)
        >>> round(loss.bytes, 4), round(loss.tokens, 4)  # 3 + 1 of 18 bytes; there are 9 tokens
        (0.2222, 0.4444)
    """
    documents, decoded = seen.corpus.documents, seen.decoded
    changed = [(text, back) for text, back in zip(documents, decoded, strict=True) if text != back]
    if not changed:
        return None
    spaces, of_spaces = _white_space(changed)
    unknown, dropped = lost_characters(seen)
    points = seen.corpus.text.code_points[unknown | dropped]
    characters = int(seen.corpus.characters.sum())
    of_points = len(points) + sum(int((points > end).sum()) for end in _LAST)
    gone, of_gone = _not_back(changed)
    others = max(gone - len(points), 0)
    lost_bytes = of_spaces + max(of_gone, of_points)
    return Loss(
        tokenizer=seen.name,
        corpus=seen.corpus.name,
        documents=len(documents),
        changed=len(changed),
        characters=(spaces + len(points)) / characters,
        white_space=spaces / characters,
        others=others / characters,
        bytes=lost_bytes / int(seen.corpus.bytes.sum()),
        tokens=lost_bytes / max(int(np.sum(seen.tokens)), 1),
    )


def lost(loss: Loss) -> str:
    """What is lost, in words.

    Example:
        >>> lost(Loss("a", "ja", 10, 3, 0.032, white_space=0.001, others=0, bytes=0, tokens=0))
        '3.2 % of characters'
        >>> lost(Loss("a", "ja", 10, 3, 0.2, white_space=0.15, others=0, bytes=0, tokens=0))
        '20 % of characters, mostly white space'
    """
    mostly = ", mostly white space" if is_of_spaces(loss) else ""
    return f"{share_lost(loss)} of characters{mostly}"


def is_of_spaces(loss: Loss) -> bool:
    """Whether most of what is lost is white space."""
    return loss.white_space > loss.characters / 2


def share_lost(loss: Loss) -> str:
    """The share of characters that are lost."""
    return in_percent(loss.characters)


def in_percent(share: float) -> str:
    """A share, in two digits or three."""
    share *= 100
    if share < 0.005:
        return "less than 0.01 %"
    return f"{share:.{0 if share >= 10 else 1 if share >= 1 else 2}f} %"


def _not_back(changed: list[tuple[str, str]]) -> tuple[int, int]:
    """How many characters do not come back, white space aside, and their bytes."""
    gone = Counter[str]()
    for text, back in changed:
        gone.update(Counter(text) - Counter(back))
    found = [(it, times) for it, times in gone.items() if not _RUN.fullmatch(it)]
    return sum(times for _, times in found), sum(len(it.encode()) * times for it, times in found)


def _white_space(changed: list[tuple[str, str]]) -> tuple[int, float]:
    """How much white space does not come back, in characters and bytes.

    Runs and what they have beyond their first character are counted each: a tokenizer that puts a
    space between all words may still lose the indentation.
    """
    lost, there, of_bytes = 0, 0, 0
    for text, back in changed:
        (runs, more), (its_runs, its_more) = _runs(text), _runs(back)
        lost += max(runs - its_runs, 0) + max(more - its_more, 0)
        there += runs + more
        of_bytes += sum(len(run.encode()) for run in _RUN.findall(text))
    return lost, lost * of_bytes / max(there, 1)


def _runs(text: str) -> tuple[int, int]:
    """How many runs of white space, and how many characters these have beyond one each."""
    runs = _RUN.findall(text)
    return len(runs), sum(map(len, runs)) - len(runs)
