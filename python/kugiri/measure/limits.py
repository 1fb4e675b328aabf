"""Limits for scripts: `bytes_per_token(ja) < 3.2` is what must not be.

Rule.    METRIC(CORPUS, TOKENIZER) SIGN NUMBER. Without a tokenizer it is about each, without a
         corpus too; a metric of no single corpus takes a tokenizer alone, gini(A). Names are looked
         for among those that are measured, so one may have commas and parentheses in it; what can
         be read in two ways is refused. A limit is broken where it holds for a value. A value that
         is not defined leaves its limit unchecked, and no other.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kugiri.errors import OptionError, choose, shown
from kugiri.measure.metrics import BY_NAME
from kugiri.measure.report import Report, Value
from kugiri.measure.wanted import Given, Places

_SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_LIMIT = re.compile(
    r"\s*(?P<metric>\w+)\s*(?:\((?P<names>.*)\))?\s*(?P<sign><=|>=|<|>)\s*(?P<bound>\S+)\s*",
    re.DOTALL,
)
_EXAMPLE = "as in 'bytes_per_token(ja) < 3.2'"


@dataclass(frozen=True)
class Limit:
    """What must not be.

    Attributes:
        metric: its name.
        corpus, tokenizer: where it is looked for; None is everywhere.
        sign, bound: the comparison that must not hold.
    """

    metric: str
    corpus: str | None
    tokenizer: str | None
    sign: str
    bound: float

    def __str__(self) -> str:
        """The comparison."""
        short = f"{self.bound:g}"
        return f"{self.sign} {short if float(short) == self.bound else repr(self.bound)}"

    def broken(self, report: Report) -> Iterator[str]:
        """A sentence for each value that breaks it."""
        for value in filter(self._is_about, report.values):
            if value.value is not None and _SIGNS[self.sign](value.value, self.bound):
                yield f"{_place(value)} = {self._shown(value.value)} {self}"

    def unchecked(self, report: Report) -> Iterator[str]:
        """A sentence for each value of which nothing can be said."""
        for value in filter(self._is_about, report.values):
            if value.value is None:
                yield (
                    f"limit {self.metric} {self}: {_place(value)} is not defined, so nothing can "
                    f"be said of it; take it out, or measure with other text"
                )

    def _shown(self, value: float) -> str:
        """A value in as many digits as are needed to see that it breaks the limit."""
        short = f"{value:.6g}"
        return short if _SIGNS[self.sign](float(short), self.bound) else repr(value)

    def _is_about(self, value: Value) -> bool:
        return (
            value.metric == self.metric
            and self.corpus in (None, value.corpus)
            and self.tokenizer in (None, value.tokenizer)
        )


def _place(value: Value) -> str:
    return f"{value.metric}({', '.join(filter(None, (value.corpus, value.tokenizer)))})"


class Measured(NamedTuple):
    """What limits can be about.

    Attributes:
        given: the names of all texts.
        places: which metrics are measured, and where.
        tokenizers: their names.
    """

    given: Given
    places: Places
    tokenizers: Sequence[str]


def parse(text: str, measured: Measured) -> Limit:
    """Read a limit.

    Raises:
        OptionError: it is none, or is about something that is not measured.

    Example:
        >>> given = Given(["ja"], [], None, has_reference=False)
        >>> measured = Measured(given, given.places(None), ["my model", "a, (b)"])
        >>> parse("bytes_per_token(ja, a, (b)) <= 3.2", measured)
        Limit(metric='bytes_per_token', corpus='ja', tokenizer='a, (b)', sign='<=', bound=3.2)
    """
    match = _LIMIT.fullmatch(text)
    if match is None:
        raise OptionError(
            f"a limit is METRIC(CORPUS, TOKENIZER), one of < <= > >=, and a number, {_EXAMPLE}; "
            f"{shown(text)} came"
        )
    metric = BY_NAME[choose("metric", match["metric"], BY_NAME)]
    bound = _number(match["bound"], text)
    try:
        if metric.name not in measured.places:
            lacks = measured.given.lacks(metric)
            why = f"needs {lacks}" if lacks else "is none of the metrics= that were asked for"
            raise OptionError(f"{metric.name} {why}")
        corpus, tokenizer = _names(match["names"] or "", metric.name, measured)
    except OptionError as error:
        raise OptionError(f"limit {shown(text)}: {error}") from None
    return Limit(metric.name, corpus, tokenizer, match["sign"], bound)


def _names(typed: str, metric: str, measured: Measured) -> tuple[str | None, str | None]:
    """The corpus and the tokenizer between the parentheses."""
    if not typed.strip():
        return None, None
    tokenizers = _stripped(measured.tokenizers)
    if measured.places[metric] == [None]:
        if typed.strip() not in tokenizers and "," in typed:
            raise OptionError(f"{metric} takes a tokenizer; {typed.count(',') + 1} came")
        return None, tokenizers[choose("tokenizer", typed.strip(), tokenizers)]
    corpora = _stripped(name for name in measured.places[metric] if name is not None)
    ways = [way for way in _ways(typed) if way[0] in corpora and way[1] in {"", *tokenizers}]
    if len(ways) > 1:
        raise OptionError(
            f"it can be read in {len(ways)} ways, by the names of corpora and tokenizers; give "
            f"them other names, as in -t NAME=FILE"
        )
    if not ways:
        raise _unknown(typed, metric, measured, corpora, tokenizers)
    corpus, tokenizer = ways[0]
    return corpora[corpus], tokenizers[tokenizer] if tokenizer else None


def _ways(typed: str) -> Iterator[tuple[str, str]]:
    """All as a corpus, or a corpus and a tokenizer with any of the commas between them.

    Example:
        >>> list(_ways("a, b, c"))
        [('a, b, c', ''), ('a', 'b, c'), ('a, b', 'c')]
    """
    yield typed.strip(), ""
    for comma in re.finditer(",", typed):
        if tokenizer := typed[comma.end() :].strip():
            yield typed[: comma.start()].strip(), tokenizer


def _unknown(
    typed: str, metric: str, measured: Measured, corpora: Iterable[str], tokenizers: Iterable[str]
) -> OptionError:
    """Which of the names there is not."""
    names = [name.strip() for name in typed.split(",")]
    if "" in names:
        return OptionError(f"a name is missing in ({typed}); {metric} takes a corpus, a tokenizer")
    if len(names) > 2:
        return OptionError(f"{metric} takes a corpus, and a tokenizer; {len(names)} came")
    try:
        choose("corpus", names[0], _stripped([*measured.given.corpora, *measured.given.languages]))
        if names[0] not in corpora:
            has = ", ".join(corpora)
            return OptionError(f"{metric} has no value for {names[0]!r}; it has for: {has}")
        choose("tokenizer", names[1], tokenizers)
    except OptionError as error:
        return error
    raise AssertionError(typed)  # both are known, so it was a way to read it


def _stripped(names: Iterable[str]) -> dict[str, str]:
    """Names without white space at their ends, as a limit has them."""
    return {name.strip(): name for name in names}


def _number(typed: str, text: str) -> float:
    try:
        number = float(typed)
    except ValueError:
        number = float("nan")
    if number - number != 0:  # no number, or none that can be a limit
        raise OptionError(f"limit {shown(text)}: {shown(typed)} is no finite number, {_EXAMPLE}")
    return number
