"""`.kugiri.json`, the format of kugiri itself: whole, readable, exact; see docs/formats/kugiri.md.

Rule.    `{"kugiri": 1, "spec": …, "tables": …}`: the spec as plain JSON with null for its tables,
         and beside it the tables by the name of their field. A token is a string where its bytes
         are UTF-8, else an array of byte values. Numbers come back exactly, with their type.
Cost.    Reading makes no Python object an entry: the core reads the tables into flat buffers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from kugiri import _core
from kugiri.errors import FormatError
from kugiri.formats.json_parts import Json, convert, only
from kugiri.lazy import lazy_module
from kugiri.spec import BPE, Model, TokenizerSpec
from kugiri.tables import Column, Merges, Tokens

if TYPE_CHECKING:
    import json

    import numpy as np
else:
    json, np = lazy_module("json"), lazy_module("numpy")

VERSION = 1
"""The version of the format that this kugiri writes, and the only one that it reads."""

HIGHEST_ID = 2**32 - 2
"""One less than uint32 could hold: the last is the core's mark for no token."""

COLUMN_TYPES = {"u8": "uint8", "f32": "float32", "f64": "float64"}
"""The types that scores and piece types may have, as a file names them."""

MERGE_TYPES = {
    "left": "uint32",
    "right": "uint32",
    "result": "uint32",
    "count": "uint64",
    "applied": "uint64",
}


def read(data: bytes) -> TokenizerSpec:
    """Read a `.kugiri.json` document.

    Raises:
        FormatError: it is malformed, of a later version, or its tables do not fit one another.
    """
    document = Json(data).fields()
    _require_version(document)
    only(document, ("kugiri", "spec", "tables"), "a .kugiri.json document")
    for key in ("spec", "tables"):
        if key not in document:
            raise FormatError(f"the key {key!r} of a .kugiri.json document is missing")
    spec: TokenizerSpec = convert(document["spec"].value(), TokenizerSpec, "spec")
    tables = document["tables"].fields()
    only(tables, _tables_of(spec.model), "tables")
    if "vocab" not in tables:
        raise FormatError("the key 'vocab' of tables is missing", offset=document["tables"].offset)
    columns = {name: _TABLES[name].read(table) for name, table in tables.items()}
    model: Model = msgspec.structs.replace(spec.model, **columns)
    check_tables(model)
    for token in spec.added_tokens:
        if not 0 <= token.id <= HIGHEST_ID:
            raise FormatError(f"{token.content!r} has the id {token.id}; 0 to {HIGHEST_ID} may be")
    return msgspec.structs.replace(spec, model=model)


def write(spec: TokenizerSpec) -> bytes:
    """Write a spec as a `.kugiri.json` document, one token a line.

    Raises:
        FormatError: it holds what JSON has no form for, or its tables do not fit one another.
    """
    check_tables(spec.model)
    try:
        tree = msgspec.to_builtins(spec, enc_hook=_null)
        if tree["chat"] is None:
            del tree["chat"]
        head = json.dumps(tree, ensure_ascii=False, indent=1, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise FormatError(f"the spec cannot be written as JSON: {error}") from error
    tables = {name: getattr(spec.model, name) for name in _tables_of(spec.model)}
    present = {name: table for name, table in tables.items() if table is not None}
    body = _object({name: _TABLES[name].write(table) for name, table in present.items()})
    return b'{\n"kugiri": %d,\n"spec": %b,\n"tables": %b\n}\n' % (VERSION, head, body)


def check_tables(model: Model) -> None:
    """Check what the tables of a model promise each other, without looking into the tokens.

    Raises:
        FormatError: a column is too short or too long, ids do not ascend, a merge names an id
            that is not there, or its result has not the length of its parts.
    """
    rows = len(model.vocab)
    for name in ("ids", "scores", "piece_types"):
        column: Column | None = getattr(model, name, None)
        if column is not None and len(column) != rows:
            raise FormatError(f"{len(column)} {name} for {rows} tokens; there must be one for each")
    merges = model.merges if isinstance(model, BPE) else None
    names = ("left", "right", "result")
    parts = None if merges is None else [merges.stored[name].data for name in names]
    prefix = len((getattr(model, "continuing_subword_prefix", "") or "").encode())
    if model.ids is not None and model.ids.type != "uint32":
        raise FormatError(f"ids are {model.ids.type}; they must be uint32")
    ids = None if model.ids is None else model.ids.data
    wrong = _core.check_tables(model.vocab.offset_bytes, ids, HIGHEST_ID, parts, prefix)
    if wrong is not None:
        raise FormatError(wrong)


def _require_version(document: dict[str, Json]) -> None:
    if "kugiri" not in document:
        raise FormatError('the key "kugiri" is missing, so this is no .kugiri.json document')
    version = document["kugiri"].value()
    if version != VERSION:
        needs = document["needs"].value() if "needs" in document else "a later one"
        raise FormatError(
            f"version {version!r} of the format needs another kugiri ({needs}); this one reads "
            f"version {VERSION}: install that kugiri",
            offset=document["kugiri"].offset,
        )


# ── the spec without its tables ───────────────────────────────────────────────────────────────
def _tables_of(model: Model) -> list[str]:
    """The fields of a model that are tables, in the order of the file."""
    return [name for name in _TABLES if name in model.__struct_fields__]


def _null(table: Any) -> None:
    """What stands in "spec" for a table."""
    if not isinstance(table, Tokens | Merges | Column):
        raise TypeError(f"{type(table).__name__} is not plain data")


# ── the tables ────────────────────────────────────────────────────────────────────────────────
class _Table(NamedTuple):
    """How a table is read and written."""

    read: Callable[[Json], Any]
    write: Callable[[Any], bytes]


def _read_tokens(table: Json) -> Tokens:
    return Tokens(*table.table(_core.read_tokens))


def _write_tokens(tokens: Tokens) -> bytes:
    lines = msgspec.json.Encoder().encode_lines([_plain(token) for token in tokens])
    return b"[\n%b\n]" % lines[:-1].replace(b"\n", b",\n")


def _plain(token: bytes) -> str | list[int]:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return list(token)


def _read_ids(table: Json) -> Column:
    return Column(table.table(_core.read_numbers, "uint32"), "uint32")


def _write_ids(ids: Column) -> bytes:
    return _numbers(ids.values)


def _read_column(table: Json) -> Column:
    columns = table.fields()
    only(columns, COLUMN_TYPES, "a column of numbers")
    if len(columns) != 1:
        raise FormatError("a column of numbers has one type", offset=table.offset)
    ((name, numbers),) = columns.items()
    dtype = COLUMN_TYPES[name]
    return Column(numbers.table(_core.read_numbers, dtype), dtype)


def _write_column(column: Column) -> bytes:
    names = {dtype: name for name, dtype in COLUMN_TYPES.items()}
    dtype = column.type
    if dtype not in names:
        raise FormatError(f"a column of {dtype} cannot be written; allowed: {', '.join(names)}")
    return _object({names[dtype]: _numbers(column.values)})


def _read_merges(table: Json) -> Merges:
    columns = table.fields()
    only(columns, MERGE_TYPES, "merges")
    for name in ("left", "right", "result"):
        if name not in columns:
            raise FormatError(f"the key {name!r} of merges is missing", offset=table.offset)
    read = {
        name: Column(numbers.table(_core.read_numbers, MERGE_TYPES[name]), MERGE_TYPES[name])
        for name, numbers in columns.items()
    }
    try:
        return Merges(**read)
    except ValueError as error:
        raise FormatError(str(error), offset=table.offset) from error


def _write_merges(merges: Merges) -> bytes:
    return _object({name: _numbers(column) for name, column in merges.columns().items()})


_TABLES: dict[str, _Table] = {
    "vocab": _Table(_read_tokens, _write_tokens),
    "ids": _Table(_read_ids, _write_ids),
    "merges": _Table(_read_merges, _write_merges),
    "scores": _Table(_read_column, _write_column),
    "piece_types": _Table(_read_column, _write_column),
}


def _object(members: dict[str, bytes]) -> bytes:
    lines = [b'"%b": %b' % (name.encode(), value) for name, value in members.items()]
    return b"{\n%b\n}" % b",\n".join(lines)


def _numbers(values: Any) -> bytes:
    """The shortest digits that give the same number again, for each."""
    if values.dtype.kind == "f" and not np.all(np.isfinite(values)):
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise FormatError(f"number {row} of a column is {values[row]}; JSON holds finite numbers")
    return b"[%b]" % ",".join(map(str, values)).encode()
