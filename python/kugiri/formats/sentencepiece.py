"""`.model`, the format of SentencePiece: pieces, and the specs of its trainer and normalizers.

Rule.    The pieces become the vocabulary, with a score and a type each; control pieces are special
         tokens, matched in text only where they are allowed. trainer_spec says which model it is;
         what it says beside that is kept by name. A file that sentencepiece wrote is written again
         byte by byte, any other as an equal document.
Cost.    One visit a field.
Source.  sentencepiece 0.2.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import numpy as np

from kugiri import spec
from kugiri.errors import FormatError
from kugiri.formats.losses import warn_not_kept
from kugiri.formats.native import check_tables
from kugiri.formats.sentencepiece_document import (
    Document,
    Spelling,
    read_document,
    write_document,
)
from kugiri.formats.sentencepiece_pieces import Piece, Pieces, as_run, check_pieces, write_piece
from kugiri.spec import AddedToken, PieceType, SentencePieceNormalizer, TokenizerSpec
from kugiri.tables import Column, Tokens

UNK_SURFACE = " \u2047 "
"""What the unknown is decoded to where the file does not say."""

_MODELS: dict[str, type[spec.Model]] = {
    "unigram": spec.Unigram,
    "bpe": spec.BPE,
    "word": spec.WordLevel,
    "char": spec.CharLevel,
}


# ── reading ───────────────────────────────────────────────────────────────────────────────────
def read(data: bytes) -> TokenizerSpec:
    """Read a `.model`.

    Raises:
        FormatError: it is malformed, or no model that any version of sentencepiece would load.
    """
    document = read_document(data)
    fields: Mapping[str, Any] = document.trainer.fields if document.trainer else {}
    model = _read_model(document.pieces, fields)
    control = _control_tokens(document.pieces.rows)
    return TokenizerSpec(
        model=model,
        added_tokens=control,
        normalizer=msgspec.structs.replace(
            document.normalizer or SentencePieceNormalizer(),
            treat_whitespace_as_suffix=fields.get("treat_whitespace_as_suffix", False),
        ),
        post_processor=_begin_and_end(control, fields),
        decoder=spec.SentencePieceDecoder(
            fields.get("unk_surface", UNK_SURFACE), document.denormalizer
        ),
        origin="sentencepiece",
        trainer=document.trainer,
        self_test=document.self_test,
        unknown_fields=msgspec.json.encode(document.spelling),
    )


def _read_model(pieces: Pieces, fields: Mapping[str, Any]) -> spec.Model:
    kind = fields.get("model_type", "unigram")
    byte_fallback = fields.get("byte_fallback", False)
    for id, piece in enumerate(pieces.rows):
        if as_run(piece, byte_fallback) != piece:
            pieces.spelled.setdefault(id, write_piece(piece))
            pieces.rows[id] = as_run(piece, byte_fallback)
    check_pieces(pieces.rows, byte_fallback, kind == "unigram", pieces.places)
    columns: dict[str, Any] = {
        "vocab": Tokens.from_iter(piece.text for piece in pieces.rows),
        "scores": Column([piece.score for piece in pieces.rows], np.float32),
        "piece_types": Column([piece.type for piece in pieces.rows], np.uint8),
    }
    unknown = next((i for i, p in enumerate(pieces.rows) if p.type == PieceType.UNKNOWN), None)
    if kind == "unigram":
        return spec.Unigram(unk_id=unknown, byte_fallback=byte_fallback, **columns)
    columns["unk_token"] = None if unknown is None else pieces.rows[unknown].text.decode()
    if kind == "bpe":
        return spec.BPE(unit="char", order="score", byte_fallback=byte_fallback, **columns)
    return _MODELS[kind](**columns)


def _control_tokens(rows: Iterable[Piece]) -> tuple[AddedToken, ...]:
    return tuple(
        AddedToken(id, piece.text.decode())
        for id, piece in enumerate(rows)
        if piece.type == PieceType.CONTROL
    )


def _begin_and_end(
    control: Iterable[AddedToken], fields: Mapping[str, Any]
) -> spec.TemplateProcessing | None:
    """The template that puts the pieces for begin and end around a text, those that there are.

    sentencepiece knows no pairs; both texts of one have them around, as with Llama and T5.
    """
    ids = {token.content: token.id for token in control}
    trainer = spec.SentencePieceTrainer(dict(fields))
    begin, end = trainer.mark("bos"), trainer.mark("eos")
    single: list[spec.TemplatePiece] = [spec.SequencePiece("A")]
    if begin in ids:
        single.insert(0, spec.SpecialPiece(begin))
    if end in ids:
        single.append(spec.SpecialPiece(end))
    if len(single) == 1:
        return None
    named = {
        name: spec.TemplateToken(name, (ids[name],), (name,))
        for name in (begin, end)
        if name in ids
    }
    second = (
        spec.SequencePiece("B", 1)
        if isinstance(piece, spec.SequencePiece)
        else spec.SpecialPiece(piece.id, 1)
        for piece in single
    )
    return spec.TemplateProcessing(tuple(single), (*single, *second), named)


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def write(described: TokenizerSpec) -> bytes:
    """Write a spec as a `.model`.

    Raises:
        FormatError: a `.model` has no place for something that the ids or the text depend on, or
            sentencepiece would not load it.
    """
    model, decoder = described.model, described.decoder
    if isinstance(model, spec.BPE) and model.unit == "byte":
        raise _no_place("a BPE of bytes")
    rows = _rows(model)
    if not isinstance(decoder, spec.SentencePieceDecoder):
        raise _no_place("a decoder that is not SentencePiece's")
    if not isinstance(described.normalizer, SentencePieceNormalizer):
        raise _no_place("a normalizer that is not SentencePiece's")
    fields = _trainer_fields(described, rows, described.normalizer, decoder)
    check_pieces(rows, fields.get("byte_fallback", False), isinstance(model, spec.Unigram))
    _refuse_what_has_no_place(described, rows, fields)
    _name_losses(described)
    trainer = described.trainer or spec.SentencePieceTrainer()
    trainer = msgspec.structs.replace(trainer, fields=fields)
    has_trainer = described.trainer is not None or fields
    return write_document(
        Document(
            Pieces(rows),
            trainer if has_trainer else None,
            described.normalizer,
            decoder.denormalizer,
            described.self_test,
            _spelling(described),
        )
    )


def _spelling(described: TokenizerSpec) -> Spelling:
    """How the file that a spec was read from spelled it."""
    if described.origin != "sentencepiece" or not described.unknown_fields:
        return Spelling()
    try:
        return msgspec.json.decode(described.unknown_fields, type=Spelling)
    except (msgspec.DecodeError, RecursionError) as error:
        raise FormatError(f"what is kept of the file's spelling is damaged: {error}") from None


def _rows(model: spec.Model) -> list[Piece]:
    """The pieces of a model."""
    if not isinstance(model, tuple(_MODELS.values())):
        raise _no_place(f"a {type(model).__name__} model")
    check_tables(model)
    scores, types = getattr(model, "scores", None), getattr(model, "piece_types", None)
    if scores is None or types is None or model.ids is not None:
        raise _no_place("pieces without scores and types, or ids with holes")
    numbers = scores.values.astype(np.float32)
    if not np.array_equal(numbers, scores.values, equal_nan=True):
        raise _no_place("scores of more than 32 bits")
    rows = zip(model.vocab, numbers.tolist(), types.values.tolist(), strict=True)
    return [Piece(*row) for row in rows]


def _trainer_fields(
    described: TokenizerSpec,
    rows: Iterable[Piece],
    normalizer: SentencePieceNormalizer,
    decoder: spec.SentencePieceDecoder,
) -> dict[str, Any]:
    """The fields of trainer_spec; those that the spec says elsewhere as it says them there."""
    (kind,) = (name for name, kind in _MODELS.items() if isinstance(described.model, kind))
    has_bytes = any(piece.type == PieceType.BYTE for piece in rows)
    fields: dict[str, Any] = dict(described.trainer.fields) if described.trainer else {}
    said = {
        "model_type": (kind, "unigram"),
        "byte_fallback": (getattr(described.model, "byte_fallback", has_bytes), False),
        "treat_whitespace_as_suffix": (normalizer.treat_whitespace_as_suffix, False),
        "unk_surface": (decoder.unk_surface, UNK_SURFACE),
    }
    for name, (value, default) in said.items():
        if fields.get(name, default) != value:
            fields[name] = value
    return fields


def _refuse_what_has_no_place(
    described: TokenizerSpec, rows: list[Piece], fields: Mapping[str, Any]
) -> None:
    control = _control_tokens(rows)
    refused = {
        "a pre-tokenizer": described.pre_tokenizer is not None,
        "added tokens that are not its control pieces": described.added_tokens != control,
        "a post-processor that does not put its begin and end around a text": (
            described.post_processor != _begin_and_end(control, fields)
        ),
    }
    if isinstance(described.model, spec.BPE):
        model = described.model
        refused["a BPE that is not one of characters in order of scores"] = (
            model.order != "score" or model.unit != "char"
        )
        refused["an end-of-word mark or a prefix"] = bool(
            model.end_of_word or model.end_of_word_suffix or model.continuing_subword_prefix
        )
    for what, asked in refused.items():
        if asked:
            raise _no_place(what)


def _name_losses(described: TokenizerSpec) -> None:
    losses = {
        "truncation": described.truncation,
        "padding": described.padding,
        "dropout": getattr(described.model, "dropout", None),
        "fields of its origin": described.unknown_fields and described.origin != "sentencepiece",
    }
    warn_not_kept("a .model", [name for name, present in losses.items() if present])


def _no_place(what: str) -> FormatError:
    return FormatError(f"a .model has no place for {what}; save as .kugiri.json")
