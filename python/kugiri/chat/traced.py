"""Text that knows where each of its characters comes from.

Rule.    A character is the template's own, or content; both may belong to a message. What is cut
         out of a text or put together of texts keeps the origin of every character. What becomes
         of a text in a way that cannot be followed is content of no message: a plain str, too, is
         taken for that. So no content ever passes for the template's own.
Cost.    A text is kept with its runs of one origin, of which a chat has a few for each message. A
         part is found by bisection. Runs are paid for like characters, at the price of a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import SupportsIndex

from kugiri.chat.budget import COPIED, STEP, charge
from kugiri.chat.runs import CONTENT, Origin, Runs, part_of, put_together


class Traced(str):
    """A str whose characters have an origin.

    Example:
        >>> own, name = Origin(template=True), Origin(message=0)
        >>> text = Traced.of("<|", own) + Traced.of("User ", name).strip().lower() + "!"
        >>> text, [(length, origin.template) for length, origin in text._runs]
        ('<|user!', [(2, True), (4, False), (1, False)])
    """

    __slots__ = ("_run_ends", "_runs")
    _runs: Runs
    _run_ends: tuple[int, ...]

    def __new__(cls, text: object = "", runs: Runs | None = None) -> Traced:
        """A text; without runs it is content."""
        made = str.__new__(cls, text)
        made._runs = (((len(made), CONTENT),) if made else ()) if runs is None else runs
        return made

    @classmethod
    def of(cls, text: str, origin: Origin) -> Traced:
        """A text of one origin."""
        return cls(text, ((len(text), origin),) if text else ())

    def __str__(self) -> str:
        """The same: what Jinja puts out with str() stays traced."""
        return self

    # ── parts ─────────────────────────────────────────────────────────────────────────────────
    def _cut(self, start: int, end: int) -> Traced:
        part = str.__getitem__(self, slice(start, end))
        if not part or len(self._runs) == 1:
            return Traced.of(part, self._only_origin())
        runs = part_of(self._runs, self._ends(), start, end)
        charge(STEP * len(runs))
        return Traced(part, runs)

    def _ends(self) -> tuple[int, ...]:
        """Where its runs end, reckoned once."""
        if not hasattr(self, "_run_ends"):
            charge(STEP * len(self._runs))
            self._run_ends = tuple(accumulate(length for length, _ in self._runs))
        return self._run_ends

    def _only_origin(self) -> Origin:
        return self._runs[0][1] if len(self._runs) == 1 else CONTENT

    def __getitem__(self, key: SupportsIndex | slice) -> Traced:
        """A character, or a part."""
        if not isinstance(key, slice):
            at = range(len(self))[key]
            return self._cut(at, at + 1)
        start, end, step = key.indices(len(self))
        if step == 1:
            return self._cut(start, max(start, end))
        return Traced.of(str.__getitem__(self, key), self._only_origin())

    def __iter__(self) -> Iterator[Traced]:
        """Its characters."""
        charge(STEP * len(self))
        return (self._cut(at, at + 1) for at in range(len(self)))

    def lstrip(self, chars: str | None = None, /) -> Traced:
        """Without what is at its beginning."""
        self._pay_for_each(chars)
        return self._cut(len(self) - len(str.lstrip(self, chars)), len(self))

    def rstrip(self, chars: str | None = None, /) -> Traced:
        """Without what is at its end."""
        self._pay_for_each(chars)
        return self._cut(0, len(str.rstrip(self, chars)))

    def strip(self, chars: str | None = None, /) -> Traced:
        """Without what is at both ends."""
        return self.lstrip(chars).rstrip(chars)

    def removeprefix(self, prefix: str, /) -> Traced:
        """Without this beginning."""
        return self._cut(len(prefix) if self.startswith(prefix) else 0, len(self))

    def removesuffix(self, suffix: str, /) -> Traced:
        """Without this end."""
        return self._cut(0, len(self) - (len(suffix) if self.endswith(suffix) else 0))

    def partition(self, sep: str, /) -> tuple[Traced, Traced, Traced]:
        """What stands before the first of these, it, and what stands behind it."""
        first, second, third = self._pieces([*str.partition(self, sep)], "")
        return first, second, third

    def rpartition(self, sep: str, /) -> tuple[Traced, Traced, Traced]:
        """The same with the last one."""
        self._pay_for_search(sep)
        first, second, third = self._pieces([*str.rpartition(self, sep)], "")
        return first, second, third

    def split(self, sep: str | None = None, maxsplit: int = -1) -> list[Traced]:  # type: ignore[override]
        """What stands between these."""
        return self._pieces(str.split(self, sep, maxsplit), sep)

    def rsplit(self, sep: str | None = None, maxsplit: int = -1) -> list[Traced]:  # type: ignore[override]
        """The same from the right."""
        self._pay_for_search(sep)
        return self._pieces(str.rsplit(self, sep, maxsplit), sep)

    def splitlines(self, keepends: bool = False) -> list[Traced]:  # type: ignore[override]
        """Its lines."""
        cuts, at = [], 0
        whole = str.splitlines(self, True)
        charge(STEP * len(whole))
        for line, bare in zip(whole, str.splitlines(self), strict=True):
            cuts.append(self._cut(at, at + len(line if keepends else bare)))
            at += len(line)
        return cuts

    def _pieces(self, pieces: list[str], sep: str | None) -> list[Traced]:
        charge(STEP * len(pieces))
        cuts, at = [], 0
        for piece in pieces:
            if sep is None:  # white space stands before it, in which it cannot begin
                at = str.find(self, piece, at)
            cuts.append(self._cut(at, at + len(piece)))
            at += len(piece + (sep or ""))
        return cuts

    # ── what takes longer than to read it ─────────────────────────────────────────────────────
    def rfind(self, sub: str, *span: SupportsIndex | None) -> int:
        """Where the last of these begins, or -1."""
        self._pay_for_search(sub)
        return str.rfind(self, sub, *span)

    def rindex(self, sub: str, *span: SupportsIndex | None) -> int:
        """The same; it must be there."""
        self._pay_for_search(sub)
        return str.rindex(self, sub, *span)

    def _pay_for_search(self, sub: str | None) -> None:
        """From the right, Python may compare all of the one at each place of the other."""
        charge(len(self) * len(sub or ""))

    def _pay_for_each(self, chars: str | None) -> None:
        """Python looks for each character in all of these."""
        charge(len(self) * len(chars or ""))

    # ── put together ──────────────────────────────────────────────────────────────────────────
    def __add__(self, other: str) -> Traced:
        """This one first."""
        return joined((self, other)) if isinstance(other, str) else NotImplemented

    def __radd__(self, other: str) -> Traced:
        """This one last."""
        return joined((other, self)) if isinstance(other, str) else NotImplemented

    def __mul__(self, times: SupportsIndex) -> Traced:
        """Several times."""
        count = max(0, times.__index__()) if self else 0
        charge((len(self) + STEP * len(self._runs)) * count)
        return joined([self] * count)

    __rmul__ = __mul__

    def join(self, texts: Iterable[str], /) -> Traced:
        """Texts with this one between them."""
        parts: list[str] = []
        for text in texts:
            parts += (self, text) if parts else (text,)
        return joined(parts)

    def replace(self, old: str, new: str, count: SupportsIndex = -1, /) -> Traced:
        """Another text in place of one; in place of content, it is content."""
        if not old and not new:
            return self
        if not old:
            charge((len(self) + 1) * (len(new) + 1))
            return Traced(str.replace(self, old, new, count))
        charge(self.count(old) * len(new))
        kept = self.split(old, count.__index__())
        parts, at = kept[:1], 0
        for before, after in pairwise(kept):
            at += len(before)
            taken = self._cut(at, at + len(old))
            own = all(origin.template for _, origin in taken._runs)
            parts += (traced(new) if own else Traced.of(new, taken._only_origin()), after)
            at += len(old)
        return joined(parts)

    # ── the same characters in another case ───────────────────────────────────────────────────
    def _recased(self, name: str) -> Traced:
        """Run by run, if that gives the same."""
        whole, at, runs, parts = getattr(str, name)(self), 0, [], []
        for length, origin in self._runs:
            part = getattr(str, name)(str.__getitem__(self, slice(at, at + length)))
            runs.append((len(part), origin))
            parts.append(part)
            at += length
        same = name == "lower" or "".join(parts) == whole  # a sigma at an end is as long as others
        return Traced(whole, tuple(runs)) if same else Traced(whole)

    def lower(self) -> Traced:
        """In small letters."""
        return self._recased("lower")

    def upper(self) -> Traced:
        """In capital letters."""
        return self._recased("upper")

    def title(self) -> Traced:
        """With a capital at the head of each word."""
        return self._recased("title")

    def capitalize(self) -> Traced:
        """With a capital at its head."""
        head, rest = self._cut(0, 1), self._cut(1, len(self))
        whole = joined((head._recased("capitalize"), rest.lower()))
        return Traced(str.capitalize(self), whole._runs)


def traced(text: str) -> Traced:
    """A text with its origins; a plain one is content."""
    return text if isinstance(text, Traced) else Traced(text)


def plain(text: Traced) -> str:
    """The text alone."""
    return str.__str__(text)


def joined(texts: Iterable[str]) -> Traced:
    """Texts one behind another."""
    parts = [traced(text) for text in texts]
    charge(sum(map(len, parts)) // COPIED + sum(STEP * len(part._runs) for part in parts))
    return Traced("".join(parts), put_together(part._runs for part in parts))
