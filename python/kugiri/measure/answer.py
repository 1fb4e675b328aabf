"""The answer of a report in one sentence: who needs the fewest tokens on which text, by how much.

Rule.    Only what is beyond the noise is said to differ. Every lead is said with its size: how many
         more tokens the next one needs. A page and a terminal say the same words, each with names
         of the user's as it shows them.
"""

from __future__ import annotations

from collections.abc import Iterator

from kugiri.measure.apart import distances, headline, kind_of, lead, measure_of
from kugiri.measure.losses import in_percent
from kugiri.measure.notes import is_of
from kugiri.measure.numbers import listed, significant
from kugiri.measure.report import Note, Report
from kugiri.measure.standing import SIZE, Standing, Standings

NAMED = 4
"""More corpora are counted, not named."""
SHOWN = 8
"""With more corpora the answer is not told one by one."""
ALL = "all"
"""What stands for a corpus where a value is of none, or of all languages."""


class Name(str):
    """A name of the user's, between words of ours."""

    __slots__ = ()


Words = list[str]
"""A sentence in parts; those that are a `Name` are shown as one."""


def sentence(report: Report, standings: Standings) -> Words:
    """The answer in one sentence."""
    note = headline(report, standings)
    if note is None:
        return _values(report, standings)
    groups: dict[tuple[str, ...], list[Standing]] = {}
    undecided: dict[str, list[str | None]] = {}
    for standing in standings.by(note.name):
        if standing.is_open:
            undecided.setdefault(standing.best.tokenizer, []).append(standing.corpus)
        else:
            groups.setdefault(tuple(standing.leaders), []).append(standing)
    alone = [(who[0], on) for who, on in groups.items() if len(who) == 1]
    ties = [(who, on) for who, on in groups.items() if len(who) > 1]
    clauses: list[Words] = []
    if alone:
        clauses.append(_alone(note, alone))
    clauses += [_tied(note, list(who), on) for who, on in ties]
    clauses += [_undecided(note, who, on) for who, on in undecided.items()]
    single = _single(report, note, [it.corpus for it in standings.by(note.name)])
    if single:
        clauses.append(["on ", *corpora(single), ", a single document, nobody can tell"])
    clauses += _ahead(note, standings)
    return _joined(clauses)


def _alone(note: Note, groups: list[tuple[str, list[Standing]]]) -> Words:
    """Who is the best alone, where, and by how much."""
    said: Words = []
    for at, (who, on) in enumerate(groups):
        said += [", " if at else "", Name(who)]
        if at == 0:
            said.append(f" {_best(note)}")
        said += [" on ", *_with_leads(note, on, is_first=at == 0)]
    return said


def _undecided(note: Note, who: str, on: list[str | None]) -> Words:
    """Who is the best by a value that it might not have if it gave all characters back."""
    but = "but does not give all characters back, which might have cost more"
    return ["on ", *corpora(on), " ", Name(who), f" {_best(note)}, {but}"]


def _best(note: Note) -> str:
    return "needs the fewest tokens" if note.name in SIZE else f"is the best by {note.title}"


def _tied(note: Note, who: list[str], on: list[Standing]) -> Words:
    """Who cannot be told apart, where."""
    leading = [it for standing in on for it in standing.others if it.name in who]
    same = note.name in SIZE and all(kind_of(it) == "same" for it in leading)
    verb = "need the same number of tokens" if same else "cannot be told apart"
    leads = [by for it in on if (by := lead(note, it)) is not None]
    behind = f" (the next {_range(leads)} more)" if leads else ""
    return ["on ", *corpora([it.corpus for it in on]), " ", *names(who), f" {verb}{behind}"]


def _with_leads(note: Note, on: list[Standing], *, is_first: bool) -> Words:
    """Corpora, each with the share of tokens that the next one needs more there."""
    leads = [lead(note, it) for it in on]
    found = [it for it in leads if it is not None]
    if len(on) > NAMED or not found:
        more = " more" if is_first else ""
        said = corpora([it.corpus for it in on])
        return [*said, f" (the next {_range(found)}{more})" if found else ""]
    said = []
    for at, (standing, by) in enumerate(zip(on, leads, strict=True)):
        sign = "" if at == 0 else " and " if at == len(on) - 1 else ", "
        words = "" if by is None else in_percent(by)
        if words and is_first and at == 0:
            words = f"the next {words} more"
        said += [sign, Name(standing.corpus or ALL), f" ({words})" if words else ""]
    return said


def _range(shares: list[float]) -> str:
    """From the least to the most of shares.

    Example:
        >>> _range([0.019, 0.28]), _range([0.019, 0.0191])
        ('1.9 to 28 %', '1.9 %')
    """
    low, high = in_percent(min(shares)), in_percent(max(shares))
    return high if low == high else f"{low.removesuffix(' %')} to {high}"


def _single(report: Report, note: Note, decided: list[str | None]) -> list[str | None]:
    if note.over != "corpus":
        return []
    corpora = [it for it in report.corpora if it.documents == 1 and it.name not in decided]
    return [it.name for it in corpora]


def _ahead(note: Note, standings: Standings) -> Iterator[Words]:
    """Whose value is better than that of who leads, since it loses text."""
    losing = dict.fromkeys(who for it in standings.by(note.name) for who in it.ahead_by_loss)
    if losing:
        s = "s" if len(losing) == 1 else ""
        verb = f"need{s} fewer" if note.name in SIZE else "would be ahead"
        yield [*names(list(losing)), f" {verb}, but only by losing text"]


def unsaid(report: Report, standings: Standings) -> list[str]:
    """The warnings, but those of losses: who loses how much stands beside the values."""
    note = measure_of(report, standings)
    losing = [
        it
        for it in standings.losing()
        if note is not None and standings.loss(note.name, it.tokenizer, it.corpus)
    ]
    return [
        warning
        for warning in report.warnings
        if not any(is_of(warning, it.tokenizer, it.corpus) for it in losing)
    ]


def _values(report: Report, standings: Standings) -> Words:
    """What there is to say where nothing was compared."""
    measured = [it.name for it in report.tokenizers]
    on: list[str | None] = [it.name for it in report.corpora]
    note = measure_of(report, standings)
    if len(measured) == 1 and note is not None:
        places = [it.corpus for it in report.values if it.metric == note.name]
        found = [distances(report, note, standings, corpus) for corpus in places]
        of = [its[measured[0]].value for its in found if its]
        if 0 < len(of) <= NAMED:
            said: Words = [Name(measured[0]), ": "]
            for at, it in enumerate(of):
                said += [
                    ", " if at else "",
                    significant(it.value or 0.0),
                    f" {it.unit}" if at == 0 else "",
                ]
                said += [" on ", Name(it.corpus)] if it.corpus is not None else []
            return [*said, "."]
    said = [*names(measured), ", measured", *([" on ", *corpora(on)] if on else [])]
    if len(measured) > 1 and report.values:
        said.append(": without intervals nobody can be told apart")
    return [*said, "."]


def _joined(clauses: list[Words]) -> Words:
    said: Words = []
    for at, clause in enumerate(clauses):
        said += ["; " if at else "", *clause]
    if not isinstance(said[1], Name):
        said[1] = said[1].capitalize()
    return [*said, "."]


def names(of: list[str], last: str = "and") -> Words:
    """Names of the user's in a row."""
    return [Name(part) if at % 2 == 0 else part for at, part in enumerate(listed(of, last))]


def corpora(on: list[str | None]) -> Words:
    """Corpora by their names; many by their number."""
    if len(on) > NAMED:
        return [f"{len(on)} corpora"]
    return names([ALL if corpus is None else corpus for corpus in on])
