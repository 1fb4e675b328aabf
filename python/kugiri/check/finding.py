"""What a check says: kinds of findings, and cases of them.

Rule.    A check knows some kinds of findings, each with an id of two words: `unreachable.split`
         is the check and the kind. What a kind means, how bad it is and what to do about it is said
         once, where the check is defined; what it finds are cases. All cases of a kind are one
         finding, so that a tokenizer with 9,000 of them fills no page. A kind that could not be
         looked for has a reason in the place of cases: what has neither was looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import msgspec

from kugiri.check.subject import Subject

Severity: TypeAlias = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""Worst first. An error gives wrong ids or text, or stops; a warning is waste or a risk; a note is
what one should know."""


class Case(msgspec.Struct, frozen=True, omit_defaults=True):
    """One case of a finding, in words that are ready to be read: glyphs for what cannot be seen.

    Attributes:
        what: a token, a text, a part of a file.
        becomes: what becomes of it.
        id: of the token, if it is one.
    """

    what: str
    becomes: str = ""
    id: int | None = None


class Finding(msgspec.Struct, frozen=True):
    """All cases of one kind.

    Attributes:
        id: the check and the kind, with a dot between them.
        severity: one of SEVERITIES.
        count: how many cases there are.
        message: what is the matter.
        remedy: what to do.
        cases: all of them, or the first.
        of: how many texts were looked at, where a case is one of them.
    """

    id: str
    severity: Severity
    count: int
    message: str
    remedy: str
    cases: list[Case]
    of: int | None = None


Found: TypeAlias = Iterator[tuple[str, Case | str]]
"""Kinds with a case of each, or with the reason why nothing of this kind could be looked for."""


@dataclass(frozen=True)
class Kind:
    """What a check may find.

    Attributes:
        severity: one of SEVERITIES.
        message: what is the matter, as a sentence about its cases.
        remedy: what to do, with any tokenizer or with this one.
        of: how many texts are looked at, where a case is one of them.
    """

    severity: Severity
    message: str
    remedy: str | Callable[[Subject], str]
    of: Callable[[Subject], int] | None = None


@dataclass(frozen=True)
class Check:
    """One check.

    Attributes:
        name: one word, or words with dashes.
        question: what it asks of a tokenizer.
        kinds: what it may find, by name.
        find: the cases, each with the name of its kind; or why there can be none.
        of_corpus: the kinds that it can say nothing of without a text.
        cannot: the kinds that it can say nothing of, each with the reason, as far as that is known
            before it looks.
    """

    name: str
    question: str
    kinds: Mapping[str, Kind]
    find: Callable[[Subject], Found]
    of_corpus: Collection[str] = ()
    cannot: Callable[[Subject], Mapping[str, str]] = lambda _: {}

    def ids(self) -> list[str]:
        """The ids of its findings."""
        return [f"{self.name}.{kind}" for kind in self.kinds]
