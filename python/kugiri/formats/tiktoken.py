"""`.tiktoken` files: one token a line, its bytes in base64 and its rank.

Rule.    The file holds neither the split pattern nor the special tokens. They follow from its
         content where it is a public encoding, else from its name, else the caller gives them.
Cost.    One pass over the lines.
Source.  tiktoken 0.14.0.
"""

from __future__ import annotations

import binascii
import hashlib
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from kugiri import _core
from kugiri.errors import FormatError
from kugiri.formats.byte_level import hide_bytes
from kugiri.formats.encodings import PublicEncoding, find_encoding
from kugiri.formats.losses import warn_not_kept
from kugiri.formats.rank_order import Row, every_cut, why_not_by_rank
from kugiri.patterns import PATTERNS, SCANNED, regex_of
from kugiri.spec import (
    BPE,
    AddedToken,
    ByteLevelProcessing,
    PreTokenizers,
    Regex,
    Split,
    TokenizerSpec,
)
from kugiri.tables import Column, Merges, Tokens

WHOLE_TEXT = r"[\s\S]+"
"""The pattern of a tokenizer that does not split."""


def is_public(data: bytes) -> bool:
    """Whether it is the file of a public encoding, so that its pattern is known."""
    return find_encoding(hashlib.sha256(data).hexdigest(), None) is not None


def read(
    data: bytes,
    *,
    name: str | None = None,
    pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> TokenizerSpec:
    """Read a `.tiktoken` file.

    Args:
        data: the file.
        name: the name of the encoding, for example `o200k_harmony`. It chooses among the public
            encodings that share a file, and stands in where the content is not known.
        pattern: a name in patterns.PATTERNS or a regex, instead of the encoding's.
        special_tokens: token → id, instead of the encoding's.

    Raises:
        FormatError: a line is malformed, a token or a rank stands twice, a byte has no token, or
            nothing says what the pattern is.
    """
    vocab, ids = read_ranks(data)
    encoding = find_encoding(hashlib.sha256(data).hexdigest(), name)
    if pattern is None:
        pattern = _pattern_of_encoding(encoding)
    if special_tokens is None:
        special_tokens = encoding.special_tokens if encoding else {}
    return TokenizerSpec(
        model=BPE(vocab, ids, order="rank", ignore_merges=True),
        added_tokens=_added_tokens(special_tokens, vocab, ids),
        pre_tokenizer=Split(Regex(regex_of("pattern", pattern)), "removed", invert=True),
        origin="tiktoken",
    )


def write(spec: TokenizerSpec) -> bytes:
    """Write a byte-level BPE as a `.tiktoken` file.

    Raises:
        FormatError: ranks of bytes would give other ids than the spec, or cannot express it.
    """
    if isinstance(spec.model, BPE) and spec.model.unit == "char":
        spec = hide_bytes(spec)
    tokens = _ranked_tokens(spec)
    pattern = _pattern_of(spec)
    lines = (b"%b %d\n" % (binascii.b2a_base64(t, newline=False), id) for id, t in tokens.items())
    data = b"".join(lines)
    _name_losses(spec, pattern, data)
    return data


def not_in_the_file(spec: TokenizerSpec) -> dict[str, Any]:
    """What `read` has to be told of a spec that was written.

    Raises:
        FormatError: no regex says how it splits.
    """
    if isinstance(spec.model, BPE) and spec.model.unit == "char":
        spec = hide_bytes(spec)
    special_tokens = {token.content: token.id for token in spec.added_tokens}
    return {"pattern": _pattern_of(spec), "special_tokens": special_tokens}


# ── reading ───────────────────────────────────────────────────────────────────────────────────
def _pattern_of_encoding(encoding: PublicEncoding | None) -> str:
    if encoding is None:
        raise FormatError(
            "a .tiktoken file does not hold its split pattern, and this is none of the public "
            f"encodings; give pattern= (--pattern), a regex or one of: {', '.join(PATTERNS)}"
        )
    return encoding.pattern


def read_ranks(data: bytes) -> tuple[Tokens, Column | None]:
    """The tokens in order of rank, and their ranks: the core reads a file that is as usual."""
    if usual := _core.read_ranks(data):
        tokens, offsets, ids, rows = usual
        return Tokens(tokens, offsets, rows), None if ids is None else Column(ids, "uint32")
    return _read_unusual(data)


def _read_unusual(data: bytes) -> tuple[Tokens, Column | None]:
    ranks: dict[int, bytes] = {}
    for offset, line in _lines(data):
        token, _, digits = line.partition(b" ")
        if not digits.isdigit() or len(digits) > 10 or (rank := int(digits)) > 0xFFFF_FFFE:
            words = f"{_show(line)} is not base64, a space and a rank"
            raise FormatError(words, offset=offset, kind="damaged file", at=offset)
        try:
            decoded = binascii.a2b_base64(token)
        except binascii.Error:
            decoded = b""
        if not decoded or binascii.b2a_base64(decoded, newline=False) != token:
            words = f"{_show(token)} is not the base64 of a token"
            raise FormatError(words, offset=offset, kind="damaged file", at=offset)
        if rank in ranks:
            raise FormatError(f"the rank {rank} stands twice", offset=offset)
        ranks[rank] = decoded
    _check_tokens(ranks)
    ids = sorted(ranks)
    column = None if ids == list(range(len(ids))) else Column(ids, "uint32")
    return Tokens.from_iter(ranks[rank] for rank in ids), column


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Each line that is not empty, with the byte where it begins."""
    start = 0
    for line in data.split(b"\n"):
        if line.strip():
            yield start, line.rstrip(b"\r")
        start += len(line) + 1


def _check_tokens(ranks: dict[int, bytes]) -> None:
    rank_of = {token: rank for rank, token in ranks.items()}
    if len(rank_of) < len(ranks):
        rank, token = next((r, t) for r, t in ranks.items() if rank_of[t] != r)
        raise FormatError(f"the token {token!r} has two ranks, {rank} and {rank_of[token]}")
    missing = [byte for byte in range(256) if bytes([byte]) not in rank_of]
    if missing:
        raise FormatError(
            f"the byte 0x{missing[0]:02x} has no token ({len(missing)} bytes have none), so some "
            "text could not be encoded"
        )


def _added_tokens(
    special_tokens: Mapping[str, int], vocab: Tokens, ranks: Column | None
) -> tuple[AddedToken, ...]:
    ids = range(len(vocab)) if ranks is None else set(ranks.values.tolist())
    for token, id in special_tokens.items():
        if id in ids:
            raise FormatError(f"the special token {token!r} has the id {id}, which is a rank too")
    by_id = sorted(special_tokens.items(), key=lambda item: item[1])
    return tuple(AddedToken(id, token) for token, id in by_id)


def _show(line: bytes) -> str:
    return repr(line[:40]) + (" …" if len(line) > 40 else "")


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def _ranked_tokens(spec: TokenizerSpec) -> dict[int, bytes]:
    """The tokens by id, special ones left out, if ranks of bytes say all about the model."""
    model = spec.model
    if not isinstance(model, BPE) or model.unit != "byte":
        raise FormatError(f"a .tiktoken file holds a byte-level BPE, not a {type(model).__name__}")
    if model.end_of_word or model.order == "score":
        raise FormatError("a .tiktoken file has no end-of-word mark and no scores")
    added = {(token.id, token.content.encode()) for token in spec.added_tokens}
    ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
    pairs = zip(ids, model.vocab, strict=True)
    tokens = {id: token for id, token in pairs if (id, token) not in added}
    _check_tokens(tokens)
    if model.order == "list":
        rows = _rows(model, tokens)
        ranks = model.ignore_merges and rows == every_cut(tokens)
        reason = None if ranks else why_not_by_rank(rows, tokens)
    elif model.ignore_merges:
        reason = None
    else:
        reason = "it would take words that are tokens whole"
    if reason:
        raise FormatError(
            f"as .tiktoken this tokenizer could give other ids: {reason}; "
            "save it as .kugiri.json or tokenizer.json"
        )
    return tokens


def _rows(model: BPE, tokens: dict[int, bytes]) -> list[Row]:
    merges = model.merges or Merges.empty()
    columns = (merges.left, merges.right, merges.result)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    for id in {id for row in rows for id in row} - tokens.keys():
        raise FormatError(f"the special token with id {id} is part of a merge; ranks cannot say so")
    return rows


def _pattern_of(spec: TokenizerSpec) -> str:
    """The one regex that splits as the spec does."""
    if spec.normalizer is not None:
        raise FormatError(f"a .tiktoken file has no normalizer {type(spec.normalizer).__name__}")
    step = spec.pre_tokenizer
    if isinstance(step, PreTokenizers) and len(step.pre_tokenizers) == 1:
        (step,) = step.pre_tokenizers
    match step:
        case None:
            return WHOLE_TEXT
        case Split(Regex(regex), "removed", True):
            return regex
        case Split(Regex(regex), "isolated", _) if regex in SCANNED:  # leaves nothing between
            return regex
    raise FormatError(
        f"a .tiktoken file is split by the matches of one regex, not by {type(step).__name__} "
        "as here; save as .kugiri.json or tokenizer.json"
    )


def _name_losses(spec: TokenizerSpec, pattern: str, data: bytes) -> None:
    for token in spec.added_tokens:
        if token != AddedToken(token.id, token.content):
            raise FormatError(
                f"the added token {token.content!r} is matched in a way of its own; a .tiktoken "
                "file goes with plain special tokens only"
            )
    special_tokens = {token.content: token.id for token in spec.added_tokens}
    public = find_encoding(hashlib.sha256(data).hexdigest(), None)
    losses = []
    if public is None or public.pattern != SCANNED.get(pattern):
        name = SCANNED.get(pattern, pattern)
        losses.append(f"the pattern (load it with pattern={name!r}, --pattern {shlex.quote(name)})")
    if special_tokens and (public is None or public.special_tokens != special_tokens):
        shown = repr(special_tokens) if len(special_tokens) < 10 else "…"
        losses.append(f"special tokens (load it in Python with special_tokens={shown})")
    for part in ("post_processor", "truncation", "padding"):
        if getattr(spec, part) not in (None, ByteLevelProcessing(trim_offsets=False)):
            losses.append(f"the {part.replace('_', '-')}")
    if isinstance(spec.model, BPE) and spec.model.dropout:
        losses.append("dropout")
    warn_not_kept("a .tiktoken file", losses)
