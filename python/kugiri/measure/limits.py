"""Limits for scripts: `bytes_per_token(ja) < 3.2` is what must not be.

Rule.    METRIC(CORPUS, TOKENIZER) SIGN NUMBER. Without a tokenizer it is about each, without a
         corpus too; a metric of no single corpus takes a tokenizer alone, gini(A). A limit is
         broken where it holds for a value. A value that is not defined is an error: nothing can be
         said of it.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kugiri.errors import KugiriError, OptionError, choose, shown
from kugiri.measure.metrics import BY_NAME
from kugiri.measure.report import Report, Value

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

    def check(self, measured: Mapping[str, Iterable[str]]) -> None:
        """Refuse a limit about something else than what is measured.

        Args:
            measured: the names of "metric", "corpus" and "tokenizer".

        Raises:
            OptionError: there is no such corpus, tokenizer, or metric.
        """
        for what, names in measured.items():
            if (name := getattr(self, what)) is not None:
                choose(f"{what} of a limit", name, names)

    def broken(self, report: Report) -> Iterator[str]:
        """A sentence for each value that breaks it.

        Raises:
            KugiriError: a value is not defined.
        """
        values = [value for value in report.values if self._is_about(value)]
        if not values:
            raise KugiriError(f"limit {self.metric} {self}: it was not measured there")
        for value in values:
            place = ", ".join(filter(None, (value.corpus, value.tokenizer)))
            if value.value is None:
                raise KugiriError(
                    f"limit {self.metric} {self}: {value.metric}({place}) is not defined, so "
                    f"nothing can be said of it; take it out, or measure with other text"
                )
            if _SIGNS[self.sign](value.value, self.bound):
                yield f"{value.metric}({place}) = {self._shown(value.value)} {self}"

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


def parse(text: str) -> Limit:
    """Read a limit.

    Raises:
        OptionError: it is none.

    Example:
        >>> parse("bytes_per_token(ja, my model) <= 3.2")
        Limit(metric='bytes_per_token', corpus='ja', tokenizer='my model', sign='<=', bound=3.2)
    """
    match = _LIMIT.fullmatch(text)
    if match is None:
        raise OptionError(
            f"a limit is METRIC(CORPUS, TOKENIZER), one of < <= > >=, and a number, {_EXAMPLE}; "
            f"{shown(text)} came"
        )
    metric = BY_NAME[choose("metric", match["metric"], BY_NAME)]
    names = [name.strip() for name in match["names"].split(",")] if match["names"] else []
    alone = metric.over in ("languages", "vocabulary")
    most = 1 if alone else 2
    if len(names) > most or "" in names:
        takes = "a tokenizer" if alone else "a corpus, and a tokenizer"
        raise OptionError(f"limit {shown(text)}: {metric.name} takes {takes}; {len(names)} came")
    corpus, tokenizer = [*([None] if alone else []), *names, None, None][:2]
    return Limit(metric.name, corpus, tokenizer, match["sign"], _number(match["bound"], text))


def _number(typed: str, text: str) -> float:
    try:
        number = float(typed)
    except ValueError:
        number = float("nan")
    if number - number != 0:  # no number, or none that can be a limit
        raise OptionError(f"limit {shown(text)}: {shown(typed)} is no finite number, {_EXAMPLE}")
    return number
