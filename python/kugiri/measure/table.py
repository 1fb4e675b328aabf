"""A report on a terminal: the answer, then tables with a row a metric, a column a tokenizer.

Rule.    A brief report has the metrics that a reader looks at first, and no averages; it says so.
         Where there is one metric only, a row is a corpus instead, so that many languages stand
         below each other. A value stands with the wider side of its interval (±). It has a star
         where it is better than every other beyond noise, never otherwise; an exclamation mark
         where the tokenizer loses text, which makes it look better than it is. Averages over
         corpora follow, both of them in one cell. The legend explains the signs that are there.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from kugiri.explain.glyphs import visible
from kugiri.measure.answer_lines import answer_lines
from kugiri.measure.columns import Row, fitting
from kugiri.measure.metrics import MAIN
from kugiri.measure.price import PRICED
from kugiri.measure.report import Average, CorpusSize, Loss, Note, Report, Value
from kugiri.measure.standing import Standings
from kugiri.measure.words import BY_WORDS

_ARROWS = {"more": "↑", "less": "↓", None: " "}
_BEST, _LOSES = "*", "!"
_APART = {"languages": "Languages", "vocabulary": "Vocabulary"}
"""What metrics of no single corpus are about."""
_KINDS = ("corpora", "languages")
_AVERAGES = "macro / micro"
_COUNTS = {"tokens", "pieces", "characters", "bytes", "words"}
"""Units of whole numbers."""


def plain(report: Report, width: int) -> str:
    """The tables as text without colours."""
    out = Console(file=io.StringIO(), width=width, highlight=False, markup=False, emoji=False)
    with out.capture() as captured:
        out.print(Tables(report))
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


@dataclass(frozen=True)
class Tables:
    """What rich prints of a report.

    Attributes:
        report: the whole.
        is_brief: whether only the metrics are shown that a reader looks at first.
    """

    report: Report
    is_brief: bool = False

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        """The answer, all blocks, and what the signs in them mean."""
        yield from answer_lines(self.report, self._standings)
        for heading, rows in self._blocks():
            yield Text(heading, style="bold")
            yield from fitting(self.report, rows, options.max_width)
            yield Text()
        for line in self._legend():
            yield Text(line, style="dim")

    def _blocks(self) -> Iterator[tuple[str, list[Row]]]:
        """The heading of each block, and its rows."""
        of = {over: [note for note in self._notes if note.over == over] for over in _APART}
        notes = [note for note in self._notes if note.over not in _APART]
        corpora = self.report.corpora
        if len(notes) == 1 and len(corpora) > 1:
            (note,) = notes
            rows = [self._row(note, it.name, visible(it.name)) for it in corpora]
            rows += [row for kind in _KINDS for row in self._averages(kind, notes)]
            yield self._title(note), [row for row in rows if row.cells]
        else:
            for corpus in corpora:
                rows = [self._row(note, corpus.name) for note in notes]
                if rows := [row for row in rows if row.cells]:
                    yield _size(corpus, corpus.name in self._sampled), rows
            for kind in _KINDS:
                if not self._left and (rows := [*self._averages(kind, notes)]):
                    yield f"All {kind}, {_AVERAGES}", rows
        languages = ", ".join(visible(it.name) for it in corpora if it.language is not None)
        for over, heading in _APART.items():
            if of[over]:
                named = f"{heading}: {languages}" if over == "languages" else heading
                yield named, [self._row(note, None) for note in of[over]]

    def _row(self, note: Note, corpus: str | None, title: str | None = None) -> Row:
        """The values of a metric; no cells where there are none."""
        values = self._values[note.name, corpus]
        standing = self._standings.of(note.name, corpus)
        best = None if standing is None else standing.alone
        cells = [
            _cell(it, it.tokenizer == best, self._standings.loss(note.name, it.tokenizer, corpus))
            for it in values
        ]
        return Row(title or self._title(note, corpus), note.unit, cells)

    def _averages(self, kind: str, notes: Sequence[Note]) -> Iterator[Row]:
        """The averages of metrics over corpora, or over languages."""
        for note in notes:
            found = [it for it in self.report.averages if (it.metric, it.over) == (note.name, kind)]
            if found:
                places = min(decimals_of(found[0].macro), decimals_of(found[0].micro))
                cells = [
                    Text(
                        f"{it.macro:,.{places}f} / {it.micro:,.{places}f}"
                        f"{_LOSES if self._standings.lossy(it.metric, it.tokenizer) else ' '}"
                    )
                    for it in found
                ]
                alone = f"{found[0].count} {kind}, {_AVERAGES}"
                title = (
                    alone if len(notes) == 1 else self._title(note) + self._of_all(kind, found[0])
                )
                yield Row(title, note.unit, cells)

    def _of_all(self, kind: str, average: Average) -> str:
        """What an average is over, if it is not over all."""
        is_language = kind == "languages"
        there = sum((it.language is not None) == is_language for it in self.report.corpora)
        return f" ({average.count} of {there})" if average.count < there else ""

    def _title(self, note: Note, corpus: str | None = None) -> str:
        sign = "~" if note.sampled and corpus in self._sampled else ""
        return f"{_ARROWS[note.better]} {note.title}{sign}"

    def _legend(self) -> Iterator[str]:
        """What the signs mean, of those that are there, and what is not shown."""
        report, metrics = self.report, self._notes
        have_direction = any(note.better for note in metrics)
        signs = ["↑ more is better, ↓ less"] if have_direction else []
        if any(value.low is not None for value in report.values):
            signs.append(
                f"± the wider side of the interval of {report.interval:.0%} "
                f"({report.draws:,} draws, seed {report.seed})"
            )
        if have_direction and report.comparisons:
            signs.append(f"{_BEST} better than all others beyond noise")
        if report.averages and not self._left:
            signs.append("macro: every corpus weighs the same, micro: all their text as one")
        if self._sampled:
            signs.append("~ from a sample")
        if BY_WORDS & {note.name for note in metrics}:
            signs.append(f"words by {report.segmenter}")
        yield "; ".join(signs)
        losing, changing = self._standings.losing(), self._standings.changing()
        if (losing or changing) and PRICED & {note.name for note in metrics}:
            sign = f"{_LOSES} loses text; " if losing else ""
            yield (
                f"{sign}what is lost or becomes another character costs nothing, so {_BEST} "
                f"stands only where it led even if each such byte were a token"
            )
        if self._left:
            yield (
                f"{len(metrics)} of {len(report.metrics)} metrics: --metric NAME shows one of the "
                f"others, --html, --json and --csv have all"
            )

    @cached_property
    def _notes(self) -> list[Note]:
        """The metrics that are shown."""
        if not self.is_brief:
            return self.report.metrics
        return [note for note in self.report.metrics if note.name in MAIN] or self.report.metrics

    @property
    def _left(self) -> bool:
        """Whether some metrics are not shown."""
        return len(self._notes) < len(self.report.metrics)

    @cached_property
    def _values(self) -> dict[tuple[str, str | None], list[Value]]:
        """(metric, corpus) → its values, in the order of the tokenizers."""
        values = defaultdict(list)
        for value in self.report.values:
            values[value.metric, value.corpus].append(value)
        return values

    @cached_property
    def _standings(self) -> Standings:
        return Standings(self.report)

    @cached_property
    def _sampled(self) -> set[str]:
        """The corpora of which some of the metrics saw a part."""
        if not any(note.sampled for note in self._notes):
            return set()
        return {it.name for it in self.report.corpora if it.sampled_documents < it.documents}


def _size(corpus: CorpusSize, is_sampled: bool) -> str:
    """A corpus and how much it is.

    Example:
        >>> _size(CorpusSize("ja", None, 1, 30, 10, 1, 30, ""), False)
        'ja: 1 document, 10 characters, 30 bytes'
    """
    sizes = (
        f"{number:,} {noun}{'' if number == 1 else 's'}"
        for number, noun in (
            (corpus.documents, "document"),
            (corpus.characters, "character"),
            (corpus.bytes, "byte"),
        )
    )
    of_sample = ""
    if is_sampled:
        of_sample = f" (~ of {corpus.sampled_documents:,}, {corpus.sampled_bytes:,} bytes)"
    return f"{visible(corpus.name)}: {', '.join(sizes)}{of_sample}"


def _cell(value: Value, best: bool, loss: Loss | None) -> Text:
    if value.value is None:
        return Text("– ", style="dim")
    whole = value.unit in _COUNTS and value.value.is_integer()
    decimals = 0 if whole else decimals_of(value.value)
    text = Text().append(f"{_LOSES} " if loss else "", style="bold")
    text.append(f"{value.value:,.{decimals}f}", style="bold" if best else "")
    if value.low is not None and value.high is not None:
        wider = max(value.high - value.value, value.value - value.low)
        text.append(f" ±{wider:,.{decimals}f}", style="dim")
    return text.append(_BEST if best else " ")


def decimals_of(value: float) -> int:
    """How many decimals of a value are worth reading.

    Example:
        >>> [decimals_of(value) for value in (1234.5, 25.25, 3.14159, 0.00123, 0.0)]
        [0, 1, 3, 5, 3]
    """
    size = abs(value)
    return 0 if size >= 1000 else 1 if size >= 10 else 3 if size >= 0.01 or not size else 5
