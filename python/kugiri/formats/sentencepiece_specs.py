"""trainer_spec, normalizer_spec and denormalizer_spec of a `.model`: their fields by name.

Rule.    A field that the file has is kept under its name, one that it lacks is not made up. What
         nobody knows, and a string that is not UTF-8, is kept as the bytes that it was.
Cost.    One visit a field.
Source.  sentencepiece_model.proto of sentencepiece 0.2.3, with the fields that it has retired.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from kugiri.errors import FormatError
from kugiri.formats.protobuf import (
    Field,
    bytes_field,
    float_field,
    read_fields,
    varint_field,
)
from kugiri.spec import SentencePieceNormalizer, SentencePieceTrainer

MODEL_TYPES = {"unigram": 1, "bpe": 2, "word": 3, "char": 4}
"""The models of SentencePiece, as spm_train calls them, and their numbers."""


class _Known(NamedTuple):
    """A field of a message: its name, and one of the kinds that `_read` and `_write` know."""

    name: str
    kind: str


TRAINER_FIELDS: dict[int, _Known] = {
    1: _Known("input", "strings"),
    2: _Known("model_prefix", "string"),
    3: _Known("model_type", "model type"),
    4: _Known("vocab_size", "int"),
    5: _Known("accept_language", "strings"),
    6: _Known("self_test_sample_size", "int"),
    7: _Known("input_format", "string"),
    10: _Known("character_coverage", "float"),
    11: _Known("input_sentence_size", "uint64"),
    12: _Known("mining_sentence_size", "int"),
    13: _Known("training_sentence_size", "int"),
    14: _Known("seed_sentencepiece_size", "int"),
    15: _Known("shrinking_factor", "float"),
    16: _Known("num_threads", "int"),
    17: _Known("num_sub_iterations", "int"),
    18: _Known("max_sentence_length", "int"),
    19: _Known("shuffle_input_sentence", "bool"),
    20: _Known("max_sentencepiece_length", "int"),
    21: _Known("split_by_unicode_script", "bool"),
    22: _Known("split_by_whitespace", "bool"),
    23: _Known("split_by_number", "bool"),
    24: _Known("treat_whitespace_as_suffix", "bool"),
    25: _Known("split_digits", "bool"),
    26: _Known("allow_whitespace_only_pieces", "bool"),
    30: _Known("control_symbols", "strings"),
    31: _Known("user_defined_symbols", "strings"),
    32: _Known("vocabulary_output_piece_score", "bool"),
    33: _Known("hard_vocab_limit", "bool"),
    34: _Known("use_all_vocab", "bool"),
    35: _Known("byte_fallback", "bool"),
    36: _Known("required_chars", "string"),
    40: _Known("unk_id", "int"),
    41: _Known("bos_id", "int"),
    42: _Known("eos_id", "int"),
    43: _Known("pad_id", "int"),
    44: _Known("unk_surface", "string"),
    45: _Known("unk_piece", "string"),
    46: _Known("bos_piece", "string"),
    47: _Known("eos_piece", "string"),
    48: _Known("pad_piece", "string"),
    49: _Known("train_extremely_large_corpus", "bool"),
    50: _Known("enable_differential_privacy", "bool"),
    51: _Known("differential_privacy_noise_level", "float"),
    52: _Known("differential_privacy_clipping_threshold", "uint64"),
    53: _Known("pretokenization_delimiter", "string"),
    54: _Known("seed_sentencepieces_file", "string"),
    55: _Known("auto_character_coverage", "bool"),
}

NORMALIZER_FIELDS: dict[int, _Known] = {
    1: _Known("name", "string"),
    2: _Known("charsmap", "bytes"),
    3: _Known("add_dummy_prefix", "bool"),
    4: _Known("remove_extra_whitespaces", "bool"),
    5: _Known("escape_whitespaces", "bool"),
    6: _Known("rule_tsv", "string"),
}


def read_trainer(data: bytes, offset: int) -> SentencePieceTrainer:
    """A trainer_spec, which stands at `offset` in the file.

    Raises:
        FormatError: it is malformed.
    """
    fields, unknown = _read_message(data, offset, TRAINER_FIELDS)
    return SentencePieceTrainer(fields, unknown)


def write_trainer(trainer: SentencePieceTrainer) -> bytes:
    """A trainer_spec.

    Raises:
        FormatError: a field is unknown, or its value does not fit.
    """
    return _write_message(dict(trainer.fields), TRAINER_FIELDS) + trainer.unknown_fields


def read_normalizer(data: bytes, offset: int) -> tuple[SentencePieceNormalizer, tuple[str, ...]]:
    """A normalizer_spec, and the names of the fields that it spells out.

    Raises:
        FormatError: it is malformed.
    """
    fields, unknown = _read_message(data, offset, NORMALIZER_FIELDS)
    return SentencePieceNormalizer(**fields, unknown_fields=unknown), tuple(fields)


def write_normalizer(normalizer: SentencePieceNormalizer, spelled_out: tuple[str, ...]) -> bytes:
    """A normalizer_spec with the fields that are to be spelled out or not as by default."""
    default = SentencePieceNormalizer()
    fields = {
        known.name: getattr(normalizer, known.name)
        for known in NORMALIZER_FIELDS.values()
        if known.name in spelled_out
        or getattr(normalizer, known.name) != getattr(default, known.name)
    }
    return _write_message(fields, NORMALIZER_FIELDS) + normalizer.unknown_fields


# ── messages ──────────────────────────────────────────────────────────────────────────────────
def _read_message(
    data: bytes, offset: int, known_fields: dict[int, _Known]
) -> tuple[dict[str, Any], bytes]:
    """The known fields by name, and the rest as it stands; of a field given twice the last."""
    fields: dict[str, Any] = {}
    unknown = bytearray()
    for field in read_fields(data, offset):
        known = known_fields.get(field.number)
        value = None if known is None else _read(known, field)
        if known is None or value is None:
            unknown += data[field.start - offset : field.end - offset]
        elif known.kind == "strings":
            fields[known.name] = (*fields.get(known.name, ()), value)
        else:
            fields[known.name] = value
    return fields, bytes(unknown)


def _read(known: _Known, field: Field) -> bool | int | float | str | bytes | None:
    """The value of a field; None for a string that is not UTF-8."""
    match known.kind:
        case "float":
            return field.as_float()
        case "bytes":
            return field.as_bytes()
        case "string" | "strings":
            try:
                return field.as_bytes().decode()
            except UnicodeDecodeError:
                return None
        case "bool":
            return field.as_int() != 0
        case "uint64":
            return field.as_int() & 0xFFFF_FFFF_FFFF_FFFF
        case "model type":
            return _model_type(field)
        case _:
            return (field.as_int() + 2**31) % 2**32 - 2**31  # an int32 is the low half


def _model_type(field: Field) -> str:
    for name, number in MODEL_TYPES.items():
        if number == field.as_int():
            return name
    allowed = ", ".join(f"{number} ({name})" for name, number in MODEL_TYPES.items())
    raise FormatError(
        f"model type {field.as_int()} is unknown; known are {allowed}", None, field.start
    )


def _write_message(fields: dict[str, Any], known_fields: dict[int, _Known]) -> bytes:
    """The fields in order of their numbers, as sentencepiece writes them."""
    data = bytearray()
    for number, known in known_fields.items():
        if known.name in fields:
            data += _write(number, known, fields.pop(known.name))
    if fields:
        names = ", ".join(known.name for known in known_fields.values())
        raise FormatError(f"a .model has no field {next(iter(fields))!r}; its fields are {names}")
    return bytes(data)


def _write(number: int, known: _Known, value: Any) -> bytes:
    with suppress(OverflowError, UnicodeEncodeError):  # a number or a text that has no form
        match known.kind, value:
            case "strings", list() | tuple() if all(isinstance(item, str) for item in value):
                return b"".join(bytes_field(number, item.encode()) for item in value)
            case "string", str():
                return bytes_field(number, value.encode())
            case "bytes", bytes():
                return bytes_field(number, value)
            case "bool", bool():
                return varint_field(number, value)
            case "float", float() | int():
                return float_field(number, value)
            case "model type", str() if value in MODEL_TYPES:
                return varint_field(number, MODEL_TYPES[value])
            case "int", int() if -(2**31) <= value < 2**31:
                return varint_field(number, value)
            case "uint64", int() if 0 <= value < 2**64:
                return varint_field(number, value)
    raise FormatError(
        f"the field {known.name} of a .model is of kind {known.kind!r}; it cannot be {value!r:.60}"
    )
