"""Files of records: JSON Lines, tables with a header row, Parquet, a page of HTML.

Rule.    Each record is one document. The text is one field of it, as `Reading` names it; null and
         an empty text are a blank document, anything else that is no text an error that names the
         place. A .csv has quotes as in RFC 4180; a .tsv, as its standard says, has none. A page is
         one record, text as it stands.
Cost.    Memory for one block of lines, or for one group of rows of a Parquet file.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

import msgspec

from kugiri.corpus.blocks import Block, blocks, whole_lines
from kugiri.corpus.reading import Reading
from kugiri.corpus.sources import PAGES
from kugiri.corpus.unpack import Stream
from kugiri.errors import CorpusError

_USUAL = "text"
_ROWS = 1024


class Record(NamedTuple):
    """One document.

    Attributes:
        text: all of it.
        replaced: how many invalid UTF-8 sequences in it became U+FFFD.
    """

    text: str
    replaced: int = 0


def read_records(stream: Stream, path: str, form: str, reading: Reading) -> Iterator[Record]:
    """Yield the records of an open file; `form` is its suffix.

    Raises:
        CorpusError: a record is malformed, or has no such field.
    """
    if form == ".jsonl":
        return _json_lines(stream, path, reading)
    if form == ".parquet":
        return _parquet(stream, path, reading)
    if form in PAGES:
        pages = blocks(stream, path, "files")
        return (Record(*page.decode(reading.errors)) for page in pages)
    return _table(stream, path, reading, tabs=form == ".tsv")


# ── JSON Lines ────────────────────────────────────────────────────────────────────────────────
def _json_lines(stream: Stream, path: str, reading: Reading) -> Iterator[Record]:
    field = reading.field or _USUAL
    for number, line, replaced in _lines(stream, path, reading.errors):
        if not line.strip():
            continue
        try:
            record = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            _fail(path, number, f"this is no JSON: {error}; each line must be one JSON object")
        text = _field(record, field, path, number)
        yield Record(_as_text(text, repr(field), path, number), replaced)


def _field(record: Any, field: str, path: str, line: int) -> Any:
    """A field by its name, or by the names on the way to it with dots between."""
    if isinstance(record, dict) and field in record:
        return record[field]
    there = record
    for name in field.split("."):
        if not isinstance(there, dict):
            _fail(path, line, f"{_short(there)} is no JSON object, so it has no field {name!r}")
        if name not in there:
            _fail(
                path, line,
                f"no field {name!r}; there are {_listed(there)}; name one with field= (--field)",
            )  # fmt: skip
        there = there[name]
    return there


# ── tables ────────────────────────────────────────────────────────────────────────────────────
def _table(stream: Stream, path: str, reading: Reading, tabs: bool) -> Iterator[Record]:
    # A field may be a whole book; the limit is one of the process, so it is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), 2**31 - 1))
    replaced = 0

    def lines() -> Iterator[str]:
        nonlocal replaced
        for _, line, count in _lines(stream, path, reading.errors):
            replaced += count
            yield line

    rows = (
        csv.reader(lines(), delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
        if tabs
        else csv.reader(lines(), strict=True)
    )
    place = None
    try:
        for row in rows:
            if place is None:
                place, width = _place(row, reading.column, path), len(row)
            elif len(row) != width and row:
                _fail(path, rows.line_num, f"{len(row)} columns where the header row has {width}")
            elif row:
                yield Record(row[place], replaced)
                replaced = 0
    except csv.Error as error:
        hint = "; end its lines with LF or CRLF" if "new-line" in str(error) else ""
        why = str(error).partition(" - ")[0]
        _fail(path, rows.line_num, f"this is no row of a table: {why}{hint}")


def _place(columns: list[str], column: str | None, path: str) -> int:
    """Where the text stands in a row."""
    if column is None and len(columns) == 1:
        return 0
    wanted = column or _USUAL
    if wanted not in columns:
        _fail(
            path, 1,
            f"no column {wanted!r}; there are {_listed(columns)}; name one with column= (--column)",
        )  # fmt: skip
    if columns.count(wanted) > 1:
        _fail(path, 1, f"the column {wanted!r} stands here twice; give one of them another name")
    return columns.index(wanted)


# ── Parquet ───────────────────────────────────────────────────────────────────────────────────
def _parquet(stream: Stream, path: str, reading: Reading) -> Iterator[Record]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise CorpusError(
            f"{path}: reading Parquet needs the package pyarrow; pip install 'kugiri[arrow]'", path
        ) from error
    try:
        file = ParquetFile(stream)
        names = file.schema_arrow.names
        name = names[_place(names, reading.column, path)]
        row = 0
        for batch in file.iter_batches(batch_size=_ROWS, columns=[name]):
            for value in batch.column(0).to_pylist():
                row += 1
                yield _cell(value, f"column {name!r}", path, row, reading.errors)
    except (ArrowException, OSError) as error:
        if isinstance(error, CorpusError):
            raise
        raise CorpusError(
            f"{path}: not a whole Parquet file: {' '.join(str(error).split())}; "
            f"fetch or write it again",
            path,
        ) from error


def _cell(value: Any, what: str, path: str, row: int, errors: str) -> Record:
    """A value of a column of texts, or of bytes, which are taken for UTF-8."""
    if isinstance(value, bytes):
        return Record(*Block(value, f"{path}, row {row}", 1).decode(errors))
    return Record(_as_text(value, what, path, row, "row"))


# ── what they share ───────────────────────────────────────────────────────────────────────────
def _lines(stream: Stream, path: str, errors: str) -> Iterator[tuple[int, str, int]]:
    """Each line with its number, its end, and how much of it was replaced."""
    for block in whole_lines(stream, path):
        for number, line in enumerate(io.BytesIO(block.data), block.first_line):
            yield number, *Block(line, path, number).decode(errors)


def _as_text(value: Any, what: str, path: str, place: int, unit: str = "line") -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        _fail(path, place, f"{what} is {_short(value)}; a text or null is needed", unit)
    return value


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names)) or "none"


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"


def _fail(path: str, place: int, message: str, unit: str = "line") -> NoReturn:
    raise CorpusError(f"{path}: {unit} {place}: {message}", path, place)
