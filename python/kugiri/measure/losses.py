"""What a tokenizer loses of a text: characters that it has no token for, and white space.

Rule.    A character is lost if only the unknown token stands for it, or none does
         (metrics/unknown_rate.py). Of white space between the same two characters, what comes back
         counts (white_space.py). What a normalizer makes another character of, as a capital a small
         letter or a tab a space, is not lost, but no longer told apart from it. Both cost next to
         nothing, and so make a text look short: they have a price where tokenizers are compared
         (price.py). The unknown token is no text: what its letters spell in decoded text is none.
Cost.    Decoding a sample, and what does not come back once more; encoding it with places.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from kugiri.encoding import Batch
from kugiri.measure.draws import Integers
from kugiri.measure.metrics.unknown_rate import covered_characters, lost_characters
from kugiri.measure.observation import Observation
from kugiri.measure.report import Loss
from kugiri.measure.vocabulary import Flags
from kugiri.measure.white_space import SPACES, Gap, Laid, leave_no_trace

_LAST = (0x7F, 0x7FF, 0xFFFF)
"""The last code points of one, two and three bytes."""


def loss_of(seen: Observation, *, of_words: bool = False) -> Loss | None:
    """What is lost of a sample; None if every document comes back.

    Args:
        seen: the tokenizer on it.
        of_words: whether words are looked at, too.

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
    # A document may come back by chance: its tokens stand for less than it, a decoder for the rest.
    is_short = seen.sums(seen.vocabulary.lengths) < seen.corpus.bytes
    looked_at = np.flatnonzero(~seen.comes_back | is_short)
    if not len(looked_at):
        return None
    unknown, dropped = lost_characters(seen)
    points = seen.corpus.text.code_points[unknown | dropped]
    of_points = len(points) + sum(int((points > end).sum()) for end in _LAST)
    spaces, others = _not_back(seen, looked_at, unknown | dropped)
    under_unknown = int(np.isin(points, SPACES).sum())
    characters = int(seen.corpus.characters.sum())
    size, tokens = int(seen.corpus.bytes.sum()), max(int(np.sum(seen.tokens)), 1)
    changed = int((~seen.comes_back).sum())
    if not changed and not spaces:
        return None
    other_bytes = _bytes(others)
    not_back = of_points + _bytes(spaces) + other_bytes
    words, different_words = _words(seen) if of_words else (None, None)
    return Loss(
        tokenizer=seen.name,
        corpus=seen.corpus.name,
        documents=len(seen.corpus.documents),
        changed=changed,
        characters=(spaces.total() + len(points)) / characters,
        white_space=(spaces.total() + under_unknown) / characters,
        others=others.total() / characters,
        bytes=not_back / size,
        tokens=not_back / tokens,
        other_bytes=other_bytes / size,
        words=words,
        different_words=different_words,
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


def _not_back(
    seen: Observation, documents: Integers, gone: Flags
) -> tuple[Counter[str], Counter[str]]:
    """The white space that is lost, and the characters that come back as others."""
    spaces, others = Counter[str](), Counter[str]()
    is_covered = covered_characters(seen)
    starts = seen.corpus.text.character_starts
    texts = [seen.corpus.documents[at] for at in documents.tolist()]
    unsure: list[list[Gap]] = []
    for at, text, back in zip(documents.tolist(), texts, _known(seen, documents), strict=True):
        first, last = starts[at], starts[at + 1]
        there = Laid.of(text, np.flatnonzero(gone[first:last]).tolist())
        changes, runs = there.beside(Laid.of(back))
        others += changes
        uncovered = set(np.flatnonzero(~is_covered[first:last]).tolist())
        unsure.append([])
        for gap, run in runs:
            lost, other = gap.lost_in(run)
            spaces.update(lost)
            others.update(other)
            if uncovered.issuperset(range(gap.start, gap.end)):
                unsure[-1].append(gap.without(lost, other))
    for gap in leave_no_trace(seen.tokenizer, texts, unsure):
        spaces.update(gap.kept)
    return spaces, others


def _known(seen: Observation, documents: Integers) -> list[str]:
    """What comes back of some documents, without what unknown tokens are decoded to."""
    rows = [seen.batch[at] for at in documents.tolist()]
    rows = [row[~seen.vocabulary.unknown[row]] for row in rows]
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return seen.tokenizer.decode_batch(Batch(np.concatenate(rows), offsets), threads=seen.threads)


def _bytes(of: Counter[str]) -> int:
    return sum(len(character.encode()) * times for character, times in of.items())


def _words(seen: Observation) -> tuple[float, float]:
    """The shares of words, and of different words, that do not come back by themselves."""
    corpus, able = seen.corpus, seen.tokenizer

    def changes(words: list[str]) -> Flags:
        backs = able.decode_batch(able.encode_batch(words, threads=seen.threads))
        pairs = zip(words, backs, strict=True)
        return np.array([Laid.of(word).text != Laid.of(back).text for word, back in pairs], bool)

    distinct = corpus.distinct_words
    changed = changes(distinct.words)
    listed = changed if corpus.word_list is None else changes([*corpus.word_list])
    return _mean(changed[distinct.numbers]), _mean(listed)


def _mean(flags: Flags) -> float:
    return float(flags.mean()) if len(flags) else 0.0
