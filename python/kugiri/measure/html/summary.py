"""The answer in words: who needs the fewest tokens on which text, by how much, and at what cost.

Rule.    Only what is beyond the noise is said to differ; what is not cannot be told apart. Of two
         tokenizers on one text, the ratio of bytes per token is the ratio of the tokens that they
         need, turned round. Who loses text is named, since it looks better than it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from kugiri.cost.size import embedding_parameters
from kugiri.explain.html.elements import Markup, element, named, together
from kugiri.measure.numbers import between, decimals, listed, number, percent
from kugiri.measure.losses import is_of_spaces, share_lost
from kugiri.measure.report import Loss, Note, Report, Value
from kugiri.measure.standing import Behind, Standing, Standings

_SIZE = ("bytes_per_token", "tokens")
"""By what the report is summed up; the first that was compared."""
_NAMED = 4
"""More corpora are counted, not named."""
ALL = "all"
"""What stands for a corpus where a value is of none, or of all languages."""
_EMBEDDING = 4_096
"""The dimension that the costs of a vocabulary are reckoned for."""


def names(of: list[str], last: str = "and") -> Markup:
    """Names of the user's in a row."""
    shown: list[str] = [
        named(part) if at % 2 == 0 else part for at, part in enumerate(listed(of, last))
    ]
    return together(shown)


def headline(report: Report, standings: Standings) -> Note | None:
    """The metric that the report is summed up by."""
    notes = {note.name: note for note in report.metrics}
    order = [notes[name] for name in _SIZE if name in notes] + report.metrics
    return next((note for note in order if any(standings.by(note.name))), None)


def title(report: Report, standings: Standings) -> Markup:
    """The answer in one sentence."""
    note = headline(report, standings)
    if note is None:
        measured = names([it.name for it in report.tokenizers])
        corpora: list[str | None] = [it.name for it in report.corpora]
        return together(measured, ", measured", *([" on ", _corpora(corpora)] if corpora else []))
    by_leaders: dict[tuple[str, ...], list[str | None]] = {}
    for standing in standings.by(note.name):
        by_leaders.setdefault(tuple(standing.leaders), []).append(standing.corpus)
    alone = {who[0]: on for who, on in by_leaders.items() if len(who) == 1}
    what = _best(note)
    clauses: list[Markup] = [
        together(named(who), f" {what}" if at == 0 else "", " on ", _corpora(on))
        for at, (who, on) in enumerate(alone.items())
    ]
    said = together(*([", ", clause] if at else clause for at, clause in enumerate(clauses)))
    ties = [
        together("on ", _corpora(on), " ", names(list(who)), " cannot be told apart")
        for who, on in by_leaders.items()
        if len(who) > 1
    ]
    decided = {corpus for on in by_leaders.values() for corpus in on}
    single: list[str | None] = [
        it.name for it in report.corpora if it.documents == 1 and it.name not in decided
    ]
    if single and note.over == "corpus":
        ties.append(together("on ", _corpora(single), ", a single document, nobody can tell"))
    losing = _ahead_by_loss(standings, note)
    if losing:
        fewer = "fewer" if note.name in _SIZE else "ahead"
        verb = ("needs" if len(losing) == 1 else "need") if note.name in _SIZE else "would be"
        ties.append(together(names(losing), f" {verb} {fewer}, but only by losing text"))
    for at, tie in enumerate(ties):
        said = together(said, "; " if at or clauses else "", tie)
    return together(Markup(said[0].upper() + said[1:]) if not clauses else said, ".")


def _ahead_by_loss(standings: Standings, note: Note) -> list[str]:
    """Whose value is better than that of who leads, since it loses text."""
    found = [it for standing in standings.by(note.name) for it in standing.others]
    return list(
        dict.fromkeys(it.name for it in found if it.differs and it.measured and it.apart < 0)
    )


def by_corpus(report: Report, standings: Standings) -> Markup:
    """The distances behind the answer, corpus by corpus."""
    note = headline(report, standings)
    if note is None:
        return Markup("")
    standing_of = list(standings.by(note.name))
    if len(standing_of) > _NAMED * 2:
        return Markup("")
    rows = [
        together(
            element("dt", named(standing.corpus or ALL)),
            element("dd", *_distances(note, standing, standings)),
        )
        for standing in standing_of
    ]
    return element("dl", rows, class_="answers")


def languages(report: Report) -> Markup:
    """What the same text costs in other languages, where texts are aligned."""
    found: dict[str, list[Value]] = {}
    for it in report.values:
        if it.metric == "parity" and it.value is not None:
            found.setdefault(it.tokenizer, []).append(it)
    if not found or report.reference_language is None:
        return Markup("")
    most = {who: max(its, key=lambda it: it.value or 0.0) for who, its in found.items()}
    times = together(" times the tokens of ", named(report.reference_language))
    where = {it.corpus for its in found.values() for it in its}
    said: list[str | Markup] = []
    for at, (who, it) in enumerate(sorted(most.items(), key=lambda pair: pair[1].value or 0.0)):
        places = decimals(it.value, it.low, it.high)
        ends = between(it.low, it.high, places)
        said += [
            ", " if at else "", number(it.value, places), "" if at else times, " with ", named(who),
            *([" (", named(it.corpus or ""), ")"] if len(where) > 1 else []),
            *([element("span", f" ({ends})", class_="ends")] if ends else []),
        ]  # fmt: skip
    dearest = all((it.value or 0.0) >= 1 for it in most.values())
    one: str | Markup = "the dearest language" if dearest else "the dearest other language"
    if len(where) == 1:
        one = named(next(iter(where)) or "")
    link = element("a", "The same text", href=f"#{anchor('parity')}")
    return element("p", link, " in ", one, " takes ", said, ".", class_="costs")


def losses(standings: Standings) -> Markup:
    """Who loses text, and how much of which."""
    by_name: dict[str, list[Loss]] = {}
    for loss in standings.losing():
        by_name.setdefault(loss.tokenizer, []).append(loss)
    if not by_name:
        return Markup("")
    said: list[str | Markup] = []
    for at, (who, its) in enumerate(by_name.items()):
        said += ["; " if at else "", element("b", named(who)), " loses text: "]
        for number_, loss in enumerate(its[:_NAMED]):
            said += [
                ", " if number_ else "", f"{share_lost(loss)} of the characters of ",
                named(loss.corpus), " (mostly white space)" if is_of_spaces(loss) else "",
            ]  # fmt: skip
        if len(its) > _NAMED:
            said.append(f", and of {len(its) - _NAMED} more")
    why = (
        ". What is lost costs nothing, which makes it look better than it is: it counts as ahead "
        "only where it were so with a token for each byte that it loses."
    )
    return element("p", element("span", "! ", aria_hidden="true"), said, why, class_="loses")


def costs(report: Report, standings: Standings) -> Iterator[Markup]:
    """What the answer leaves out: who leads by other metrics, how large the vocabularies are."""
    ahead = _ahead_elsewhere(report, standings)
    for who, metrics in ahead.items():
        parts: list[str | Markup] = []
        for at, (note, on) in enumerate(metrics[:_NAMED]):
            link = element("a", note.title, href=f"#{anchor(note.name)}")
            parts += ["; " if at else "", link, " on ", _corpora(on)]
        if len(metrics) > _NAMED:
            more = f"{len(metrics) - _NAMED} more"
            parts += ["; and in ", element("a", more, href="#glance")]
        yield element("p", element("b", named(who)), " is ahead in ", parts, ".")
    if len(report.tokenizers) > 1 and len({it.vocab_size for it in report.tokenizers}) > 1:
        sizes: list[str | Markup] = []
        for at, it in enumerate(report.tokenizers):
            million = embedding_parameters(it.vocab_size, _EMBEDDING) / 1e6
            sizes += [", " if at else "", named(it.name), f" {it.vocab_size:,} ({million:,.0f} M)"]
        yield element(
            "p",
            "A vocabulary costs parameters: ",
            sizes,
            f". In brackets is its embedding at a dimension of {_EMBEDDING:,}; a separate output "
            "layer takes as much again.",
        )


def anchor(metric: str) -> str:
    """Where a metric stands on the page."""
    return f"metric-{metric}"


def _ahead_elsewhere(
    report: Report, standings: Standings
) -> dict[str, list[tuple[Note, list[str | None]]]]:
    """Where another tokenizer is the best alone, by tokenizer, metric and corpora."""
    summed_up_by = headline(report, standings)
    if summed_up_by is None:
        return {}
    leads = {it.corpus: it.leaders for it in standings.by(summed_up_by.name)}
    ahead: dict[str, list[tuple[Note, list[str | None]]]] = {}
    for note in report.metrics:
        found: dict[str, list[str | None]] = {}
        for it in standings.by(note.name):
            if it.alone is not None and it.alone not in leads.get(it.corpus, [it.alone]):
                found.setdefault(it.alone, []).append(it.corpus)
        for who, on in found.items():
            ahead.setdefault(who, []).append((note, on))
    return ahead


def _best(note: Note) -> str:
    return "needs the fewest tokens" if note.name in _SIZE else f"is the best by {note.title}"


def _corpora(on: list[str | None]) -> Markup:
    if len(on) > _NAMED:
        return together(f"{len(on)} corpora")
    return names([ALL if corpus is None else corpus for corpus in on])


def _distances(note: Note, standing: Standing, standings: Standings) -> Iterator[str | Markup]:
    best = standing.best
    places = decimals(best.value, best.low, best.high)
    ends = between(best.low, best.high, places)
    yield element("b", named(best.tokenizer))
    yield f" {number(best.value, places)} {best.unit}"
    if ends:
        yield element("span", f" ({ends})", class_="ends")
    yield _but(standings.loss(note.name, best.tokenizer, standing.corpus))
    for it in standing.others:
        loss = standings.loss(note.name, it.name, standing.corpus)
        yield together("; ", named(it.name), _distance(note, best.value or 0.0, it), _but(loss))


def _but(loss: Loss | None) -> Markup:
    return together("" if loss is None else f", and loses {share_lost(loss)} of the text")


def _distance(note: Note, best: float, other: Behind) -> Markup:
    if not other.measured:
        return together(" cannot be told apart from it")
    base = other.value if note.name == "bytes_per_token" else best
    sign, more = (1, "more") if other.apart >= 0 else (-1, "fewer")
    low, high = sorted((sign * other.low, sign * other.high))
    if note.name in _SIZE and base:
        apart, ends = percent(sign * other.apart / base, low / base, high / base)
        said = f" needs {apart} {more} tokens"
    else:
        places = decimals(other.apart, low, high)
        said = f" is {number(sign * other.apart, places)} {'behind' if sign > 0 else 'ahead'}"
        ends = between(low, high, places)
    return together(said, element("span", f" ({ends})", class_="ends"))
