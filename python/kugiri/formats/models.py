"""The models of tokenizer.json, with their large tables.

Rule.    A vocabulary is an object of token and id (for Unigram an array of piece and score), merges
         are pairs of tokens; both become flat buffers. The tree of a model is its JSON with null
         for the vocabulary, and for the merges the form that they are written in.
Cost.    Reading makes no Python object an entry; writing makes them.
Source.  tokenizers 0.23.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from kugiri import _core
from kugiri.errors import FormatError, shown
from kugiri.formats.json_parts import Json, convert
from kugiri.formats.rows import as_merges, found
from kugiri.lazy import lazy_module
from kugiri.spec import BPE, Model, Unigram, WordLevel, WordPiece
from kugiri.tables import Column, Merges, Tokens

if TYPE_CHECKING:
    import numpy as np
else:
    np = lazy_module("numpy")

PAIRS, JOINED = "pairs", "joined"
"""The two forms of merges: `["a", "b"]` as now, and `"a b"` as once."""

_FIELDS: dict[type, tuple[str, ...]] = {
    BPE: (
        "dropout",
        "unk_token",
        "continuing_subword_prefix",
        "end_of_word_suffix",
        "fuse_unk",
        "byte_fallback",
        "ignore_merges",
        "vocab",
        "merges",
    ),
    WordPiece: ("unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"),
    WordLevel: ("vocab", "unk_token"),
    Unigram: ("unk_id", "vocab", "byte_fallback"),
}
"""The fields of each model in the order in which tokenizers writes them."""

_FIXED: dict[type, dict[str, Any]] = {
    BPE: {"type": "BPE", "unit": "char"},
    WordPiece: {"type": "WordPiece"},
    WordLevel: {"type": "WordLevel"},
    Unigram: {"type": "Unigram", "scores": None},
}
"""What the spec says of each model beside the fields of the file."""

_REQUIRED: dict[type, tuple[str, ...]] = {
    BPE: ("vocab", "merges"),
    WordPiece: ("unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"),
    WordLevel: ("vocab", "unk_token"),
    Unigram: ("vocab",),
}
"""The fields that a model cannot do without; one without "type" is the first that has them."""

_KINDS = {kind.__name__: kind for kind in _FIELDS}
_TABLES = ("vocab", "merges")


# ── reading ───────────────────────────────────────────────────────────────────────────────────
def read_model(model: Json) -> tuple[Model, dict[str, Any]]:
    """The model, and its tree as the file has it.

    Raises:
        FormatError: it is of no known type, a table is malformed, or a merge names what is not in
            the vocabulary.
    """
    parts = model.fields()
    kind = _kind(parts, model.offset)
    for name in _REQUIRED[kind]:
        if name not in parts:
            words = f"the key {name!r} of the model is missing"
            raise FormatError(words, offset=model.offset, kind="missing key", key=name)
    tables = [name for name in _TABLES if name in _FIELDS[kind]]
    tree = {key: part.value() for key, part in parts.items() if key not in tables}
    plain = {name: tree[name] for name in _FIELDS[kind] if name in tree}
    if kind is BPE:  # its null is no value
        plain = {name: value for name, value in plain.items() if value is not None}
    small: Model = convert(_FIXED[kind] | plain | {"vocab": None}, Model, "model")
    tree["vocab"] = None
    read_table = _read_pieces if kind is Unigram else read_vocab
    whole: Model = msgspec.structs.replace(small, **read_table(parts["vocab"]))
    if isinstance(whole, BPE):
        merges, tree["merges"] = _read_merges(parts["merges"], whole)
        whole = msgspec.structs.replace(whole, merges=merges)
    _check_numbers(whole)
    return whole, tree


def _check_numbers(model: Model) -> None:
    if isinstance(model, BPE) and not 0 <= (model.dropout or 0) <= 1:
        raise FormatError(f"dropout is {model.dropout}; it must be from 0 to 1")
    if isinstance(model, WordPiece) and model.max_input_chars_per_word < 0:
        most = model.max_input_chars_per_word
        raise FormatError(f"max_input_chars_per_word is {most}; it must be a whole number from 0")
    if isinstance(model, Unigram) and (id := model.unk_id) is not None:
        pieces = len(model.vocab)
        if not 0 <= id < pieces:
            raise FormatError(f"unk_id is {id}, but there are {pieces} pieces")


def _kind(parts: dict[str, Json], offset: int) -> type:
    """The class of a model; one without "type" is the first that its fields suffice for."""
    if "type" in parts:
        name = parts["type"].value()
        if name in list(_KINDS):
            return _KINDS[name]
        message = f"the model has the unknown type {name!r}"
        raise FormatError(
            f"{message}; allowed: {', '.join(_KINDS)}",
            offset=offset,
            kind="unknown type",
            part="model",
            type=shown(name),
        )
    is_list = "vocab" in parts and parts["vocab"].whole.startswith(b"[", parts["vocab"].offset)
    for kind, required in _REQUIRED.items():
        if set(required) <= parts.keys() and is_list == (kind is Unigram):
            return kind
    names = "; ".join(f"{kind.__name__}: {', '.join(_REQUIRED[kind])}" for kind in _REQUIRED)
    message = f"a model without a type has the fields of one ({names})"
    raise FormatError(f"{message}; it has {', '.join(parts) or 'none'}", offset=offset)


def read_vocab(vocab: Json) -> dict[str, Any]:
    """The fields `vocab` and `ids` of a model, from an object of token and id."""
    data, offsets, ids, rows = vocab.table(_core.read_vocab)
    column = None if ids is None else Column(ids, "uint32")
    return {"vocab": Tokens(data, offsets, rows), "ids": column}


def _read_pieces(pieces: Json) -> dict[str, Any]:
    data, offsets, scores = pieces.table(_core.read_pieces)
    return {"vocab": Tokens(data, offsets), "scores": Column(scores, "float64")}


def _read_merges(merges: Json, model: BPE) -> tuple[Merges, str]:
    """The merges, and the form that they are written in."""
    resolved, joined = merges.table(_core.read_merges, *found(model))
    return as_merges(*resolved, offset=merges.offset), JOINED if joined else PAIRS


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def model_tree(model: Model) -> dict[str, Any]:
    """The tree of a model as tokenizers would write it.

    Raises:
        FormatError: tokenizer.json has no place for it.
    """
    kind = type(model)
    if kind not in _FIELDS:
        raise FormatError(f"tokenizer.json has no {kind.__name__} model; save as .kugiri.json")
    _refuse_what_has_no_place(model)
    fields = {name: getattr(model, name) for name in _FIELDS[kind] if name not in _TABLES}
    tables = {"vocab": None, "merges": PAIRS}
    both = fields | {name: tables[name] for name in _TABLES if name in _FIELDS[kind]}
    return {"type": kind.__name__} | {name: both[name] for name in _FIELDS[kind]}


def _refuse_what_has_no_place(model: Model) -> None:
    refused = {
        "scores": getattr(model, "scores", None) is not None and not isinstance(model, Unigram),
        "piece types": getattr(model, "piece_types", None) is not None,
    }
    if isinstance(model, BPE):
        refused[f"an end-of-word mark of its own ({model.end_of_word!r})"] = bool(model.end_of_word)
        refused["ranks or scores in place of merges"] = model.order != "list"
        refused["merges of bytes"] = model.unit == "byte"
    if isinstance(model, WordLevel):
        refused["words without an unknown token"] = model.unk_token is None
    if isinstance(model, Unigram):
        refused["ids with holes in a Unigram model"] = model.ids is not None
        refused["scores that are not finite"] = not np.all(np.isfinite(model.scores.values))
    for what, asked in refused.items():
        if asked:
            raise FormatError(f"tokenizer.json has no place for {what}; save as .kugiri.json")


def vocabulary(model: Model) -> dict[str, int]:
    """Token → id.

    Raises:
        FormatError: a token is not UTF-8, or stands twice.
    """
    ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
    strings = [text(token) for token in model.vocab]
    whole = dict(zip(strings, ids, strict=True))
    if len(whole) < len(strings) and not isinstance(model, Unigram):
        raise FormatError("a token stands twice in the vocabulary; tokenizer.json knows it once")
    return whole


def text(token: bytes) -> str:
    """The token as tokenizer.json has it."""
    try:
        return token.decode()
    except UnicodeDecodeError:
        raise FormatError(f"the token {token!r} is not UTF-8; save as .kugiri.json") from None


def pieces(model: Unigram) -> list[tuple[str, float]]:
    """Piece and score, in order of id."""
    scores = model.scores.values.astype(np.float64).tolist()
    return list(zip(map(text, model.vocab), scores, strict=True))


def merge_list(model: BPE, vocab: dict[str, int], form: str) -> list[str] | list[tuple[str, str]]:
    """The merges in the given form; in pairs where a part holds a space."""
    if model.merges is None:
        return []
    token_of = {id: token for token, id in vocab.items()}
    columns = (model.merges.left.tolist(), model.merges.right.tolist())
    pairs = [(token_of[left], token_of[right]) for left, right in zip(*columns, strict=True)]
    if form == JOINED and not any(" " in part for pair in pairs for part in pair):
        return [f"{left} {right}" for left, right in pairs]
    return pairs
