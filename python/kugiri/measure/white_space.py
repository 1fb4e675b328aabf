"""White space that comes back, and white space that only seems to.

Rule.    A text and what comes back of it are laid side by side by their other characters. Between
         the same two of these the same run of white space has to come back: what it begins and ends
         with alike is kept, another character in its place is another character, the rest is lost.
         A decoder may put white space where none was (WordPiece between all tokens): a run that no
         token covers is kept only if it leaves a trace, so that the tokens at its sides are others
         without it. Beside lost characters nobody can say what a run is, and it counts as kept.
Cost.    A pass over both texts; where they differ, a search of the next 16 characters. For runs
         that no token covers three encodings with places.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kugiri.measure.draws import Integers
from kugiri.measure.places import TextBytes, places_of
from kugiri.unicode import WHITE_SPACE

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer

SPACES = [code for code in range(0x3001) if re.match(f"[{WHITE_SPACE}]", chr(code))]
"""The code points of white space."""
_GONE = "\ud800"
"""Stands for a lost character; no text has it."""
_BETWEEN = re.compile(f"[{WHITE_SPACE}{_GONE}]+")
_WINDOW = 16
"""So many characters further on both texts are the same again, or one stands for one."""
_ALIKE = 3
"""As many are seldom the same by chance."""


class Gap(NamedTuple):
    """A run of white space in a text.

    Attributes:
        start: where it begins.
        run: its characters.
        behind: how many characters are before it that are no white space, and not lost.
        kept: those of its characters that come back.
    """

    start: int
    run: str
    behind: int
    kept: str = ""

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.run)

    def lost_in(self, back: str) -> tuple[str, str]:
        r"""What of it is lost if another run comes back, and what becomes another character.

        Example:
            >>> gap = Gap(0, "\n\t\t", 0)
            >>> gap.lost_in(" "), gap.lost_in("\n\t"), gap.lost_in("")
            (('\t\t', '\n'), ('\t', ''), ('\n\t\t', ''))
        """
        if self.run == back:
            return "", ""
        begin = _same(self.run, 0, back, 0)
        rest, its = self.run[begin:], back[begin:]
        end = _same(rest[::-1], 0, its[::-1], 0)
        rest, its = rest[: len(rest) - end], its[: len(its) - end]
        return rest[len(its) :], rest[: len(its)]

    def without(self, lost: str, other: str) -> Gap:
        """The same with what is kept of it."""
        return self._replace(kept="".join((Counter(self.run) - Counter(lost + other)).elements()))


class Laid(NamedTuple):
    """A text without white space and lost characters, and its runs of white space.

    Attributes:
        text: it.
        gaps: the runs, but for those beside lost characters.
    """

    text: str
    gaps: list[Gap]

    @classmethod
    def of(cls, text: str, gone: Sequence[int] = ()) -> Laid:
        """Lay a text.

        Args:
            text: it.
            gone: where the characters are that are lost.

        Example:
            >>> Laid.of("a bc  ?", gone=[6])
            Laid(text='abc', gaps=[Gap(start=1, run=' ', behind=1, kept='')])
        """
        if gone:
            characters = [*text]
            for at in gone:
                characters[at] = _GONE
            text = "".join(characters)
        gaps, passed = [], 0
        for found in _BETWEEN.finditer(text):
            if _GONE not in found[0]:
                gaps.append(Gap(found.start(), found[0], found.start() - passed))
            passed += len(found[0])
        return cls(_BETWEEN.sub("", text), gaps)

    def beside(self, back: Laid) -> tuple[Counter[str], list[tuple[Gap, str]]]:
        """The characters that come back as others, and what does for each run that has a place.

        Example:
            >>> others, runs = Laid.of("T h  e ㌢").beside(Laid.of("t h e センチ"))
            >>> others
            Counter({'T': 1, '㌢': 1})
            >>> [(gap.run, run) for gap, run in runs]
            [(' ', ' '), ('  ', ' '), (' ', ' ')]
        """
        apart = [*differences(self.text, back.text)]
        changed = Counter[str]()
        for first, last, its_first, its_last in apart:
            its = Counter(back.text[its_first:its_last])
            changed += Counter(self.text[first:last]) - its
        begins = [first for first, *_ in apart]
        theirs = {gap.behind: gap.run for gap in back.gaps}
        runs = []
        for gap in self.gaps:
            at = bisect_right(begins, gap.behind) - 1
            first, last, its_first, its_last = apart[at] if at >= 0 else (0, 0, 0, 0)
            if gap.behind >= last:
                place = gap.behind - last + its_last
            elif gap.behind == first or last - first == its_last - its_first:
                place = gap.behind - first + its_first
            else:
                continue
            runs.append((gap, theirs.get(place, "")))
        return changed, runs


def differences(text: str, back: str) -> Iterator[tuple[int, int, int, int]]:
    """Where two texts differ: beginning and end in the first, beginning and end in the second.

    Example:
        >>> [*differences("a ① b ㌢ c", "a 1 b センチ c")]
        [(2, 3, 2, 3), (6, 7, 6, 9)]
    """
    at, its, stride = 0, 0, 1
    while True:
        same = _same(text, at, back, its)
        at, its = at + same, its + same
        if at == len(text) or its == len(back):
            break
        stride = 1 if same else min(2 * stride, _WINDOW)
        ahead = _ahead(text, at, back, its) or (stride, stride)
        end, its_end = min(at + ahead[0], len(text)), min(its + ahead[1], len(back))
        yield at, end, its, its_end
        at, its = end, its_end
    if at < len(text) or its < len(back):
        yield at, len(text), its, len(back)


def _same(text: str, at: int, back: str, its: int) -> int:
    """How many characters are the same from two places on."""
    begin, step = at, _WINDOW
    while (part := text[at : at + step]) and part == back[its : its + step]:
        at, its, step = at + len(part), its + len(part), 2 * step
    while step := step // 2:
        if (part := text[at : at + step]) and part == back[its : its + step]:
            at, its = at + len(part), its + len(part)
    return at - begin


def _ahead(text: str, at: int, back: str, its: int) -> tuple[int, int] | None:
    """How far it is, in both, to where they are the same again; None if that is too far."""
    best: tuple[int, int] | None = None
    for more in range(_WINDOW):
        if best is not None and more >= sum(best):
            break
        like = text[at + more : at + more + _ALIKE]
        found = back.find(like, its + (more == 0), its + _WINDOW + _ALIKE) if like else -1
        if found >= 0 and (best is None or more + found - its < sum(best)):
            best = more, found - its
    return best


# ── runs that no token covers ─────────────────────────────────────────────────────────────────
def leave_no_trace(
    tokenizer: Tokenizer, documents: Sequence[str], gaps: Sequence[Sequence[Gap]]
) -> Iterator[Gap]:
    """The runs without which the tokens at their sides are the same.

    Every other run is taken out at once, so that each is by itself.

    Args:
        tokenizer: what cuts them.
        documents: texts.
        gaps: the runs of each that are looked at.
    """
    if not any(gaps):
        return
    text = TextBytes(documents)
    solid = _solid(text)
    whole = _sides(tokenizer, text)
    for parity in (0, 1):
        chosen = [of_text[parity::2] for of_text in gaps]
        sides = _sides(tokenizer, TextBytes([*map(_without, documents, chosen)]))
        for begin, of_text in zip(text.character_starts.tolist(), chosen, strict=False):
            for gap in of_text:
                at = solid[begin + gap.start]
                if np.array_equal(whole[at], sides[at]):
                    yield gap


def _without(text: str, gaps: Sequence[Gap]) -> str:
    ends = [0, *(gap.end for gap in gaps)]
    starts = [*(gap.start for gap in gaps), len(text)]
    return "".join(text[end:start] for end, start in zip(ends, starts, strict=True))


def _solid(text: TextBytes) -> Integers:
    """(characters + 1,): how many before each are no white space."""
    return np.concatenate([[0], np.cumsum(~np.isin(text.code_points, SPACES))])


def _sides(tokenizer: Tokenizer, text: TextBytes) -> Integers:
    """For each character that is no white space the token that ends before it, and that begins.

    Returns:
        (characters + 1, 4): id and length of the one, id and length of the other; -1 if none does.
    """
    ids = tokenizer.encode_batch(text.documents).ids.astype(np.int64)
    places, solid = places_of(tokenizer, text), _solid(text)
    stands = places.starts < places.ends
    first = solid[text.character_at[places.starts[stands]]]
    last = solid[text.character_at[places.ends[stands] - 1] + 1]
    tokens = np.stack([ids[stands], last - first], axis=1)
    holds = last > first
    sides = np.full((solid[-1] + 1, 4), -1, np.int64)
    sides[last[holds], :2] = tokens[holds]
    sides[first[holds][::-1], 2:] = tokens[holds][::-1]  # of many, the first one stays
    return sides
