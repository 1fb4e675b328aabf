"""The small parts of a tokenizer.json and the classes of the spec: one table, both ways.

Rule.    A part is `{"type": name, field: value, …}`; field by field it is the class of the same
         name in spec.py, except for what stands in `_FIELDS`. Fields that nobody knows are left
         aside, as tokenizers does. A part without its "type" is recognised by its fields where
         tokenizers does so (`_UNTYPED`).
Cost.    One visit a field.
Source.  tokenizers 0.23.3, by loading each form and looking at what it writes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, get_args

import msgspec

from kugiri import spec
from kugiri.errors import FormatError, shown
from kugiri.formats.json_parts import convert

FAMILIES: dict[str, Any] = {
    "normalizer": spec.Normalizer,
    "pre_tokenizer": spec.PreTokenizer,
    "post_processor": spec.PostProcessor,
    "decoder": spec.Decoder,
}
"""The top-level keys that hold parts, with the union of what they may be."""

_ELSEWHERE = (spec.SentencePieceNormalizer, spec.SentencePieceDecoder, spec.Dictionary)

_UNTYPED: dict[str, list[tuple[str, set[str]]]] = {
    "normalizer": [
        ("BertNormalizer", {"clean_text", "handle_chinese_chars", "lowercase"}),
        ("Strip", {"strip_left", "strip_right"}),
        ("Sequence", {"normalizers"}),
        ("Replace", {"pattern", "content"}),
        ("Prepend", {"prepend"}),
    ],
    "pre_tokenizer": [],
    "post_processor": [
        ("RobertaProcessing", {"sep", "cls", "trim_offsets", "add_prefix_space"}),
        ("BertProcessing", {"sep", "cls"}),
        ("TemplateProcessing", {"single", "pair", "special_tokens"}),
    ],
    "decoder": [
        ("BPEDecoder", {"suffix"}),
        ("WordPiece", {"prefix", "cleanup"}),
        ("CTC", {"pad_token", "word_delimiter_token", "cleanup"}),
        ("Strip", {"content", "start", "stop"}),
        ("Replace", {"pattern", "content"}),
    ],
}
"""Family → type and the fields that it is recognised by, in the order in which they are tried."""


def read_part(family: str, part: Any) -> Any:
    """The part of a spec that a part of the file describes; None for null.

    Raises:
        FormatError: it is of no known type, or a field has a wrong value.
    """
    plain = None if part is None else _plain(part, family, family)
    return convert(plain, FAMILIES[family] | None, family)


def write_part(part: msgspec.Struct | None) -> Any:
    """A part as it stands in the file, once msgspec has encoded it.

    Raises:
        FormatError: tokenizer.json has no such part.
    """
    if part is None:
        return None
    if isinstance(part, spec.Dictionary):
        raise FormatError(
            f"tokenizer.json has no place for words of a dictionary ({part.name}); save as "
            ".kugiri.json, or a WordPiece model as vocab.txt, for BertJapaneseTokenizer"
        )
    if isinstance(part, _ELSEWHERE):
        raise FormatError(
            f"tokenizer.json has no {type(part).__name__}; save as .model or .kugiri.json, or have "
            "kugiri.convert (kugiri convert) make the nearest tokenizer.json"
        )
    return {"type": _tag(type(part))} | write_fields(part)


def read_plain(kind: type[msgspec.Struct], part: Any, where: str) -> Any:
    """A part that has no type of its own: an added token, truncation, padding.

    Raises:
        FormatError: a field is missing or has a wrong value.
    """
    return convert(_read_fields(kind, _object(part, where), where), kind, where)


def write_fields(part: msgspec.Struct) -> dict[str, Any]:
    """The fields of a part as they stand in the file, once msgspec has encoded them."""
    fields = {name: _field(type(part), name) for name in _order(type(part))}
    return {field.name: field.write(getattr(part, name)) for name, field in fields.items()}


# ── fields ────────────────────────────────────────────────────────────────────────────────────
class _Field(NamedTuple):
    """What a field is called in the file, and its value both ways."""

    name: str
    read: Callable[[Any, str], Any]
    write: Callable[[Any], Any]


def _same(name: str) -> _Field:
    """A value that msgspec reads and writes as the file has it."""
    return _Field(name, lambda value, where: value, lambda value: value)


def _words(name: str, words: Iterable[str]) -> _Field:
    """Lower-case words here, `CamelCase` in the file."""
    camel = {word: word.title().replace("_", "") for word in words}
    back = {shown: word for word, shown in camel.items()}

    def read(value: Any, where: str) -> str:
        if not isinstance(value, str) or value not in back:
            raise FormatError(f"{where} is {value!r}; allowed: {', '.join(back)}")
        return back[value]

    return _Field(name, read, camel.__getitem__)


def _parts(name: str, family: str) -> _Field:
    """A list of parts of one family."""

    def read(value: Any, where: str) -> list[Any]:
        parts = _list(value, where)
        return [_plain(part, family, f"{where}[{i}]") for i, part in enumerate(parts)]

    return _Field(name, read, lambda parts: [write_part(part) for part in parts])


def _template(name: str) -> _Field:
    """A list of `{kind: {id, type_id}}`."""

    def read(value: Any, where: str) -> list[Any]:
        pieces = []
        for i, piece in enumerate(_list(value, where)):
            if len(_object(piece, f"{where}[{i}]")) != 1:
                raise FormatError(f"{where}[{i}] must have one key, Sequence or SpecialToken")
            ((kind, fields),) = piece.items()
            pieces.append({**_object(fields, f"{where}[{i}].{kind}"), "type": kind})
        return pieces

    def write(pieces: tuple[spec.TemplatePiece, ...]) -> list[Any]:
        return [{_tag(type(piece)): write_fields(piece)} for piece in pieces]

    return _Field(name, read, write)


def _read_pattern(value: Any, where: str) -> dict[str, Any]:
    match value:
        case {"String": text}:
            return {"type": "String", "text": text}
        case {"Regex": regex}:
            return {"type": "Regex", "regex": regex}
    raise FormatError(f"{where} must be {{'String': …}} or {{'Regex': …}}, not {value!r}")


def _write_pattern(pattern: spec.Pattern) -> dict[str, str]:
    return {"Regex": pattern.regex} if isinstance(pattern, spec.Regex) else {"String": pattern.text}


def _read_fixed(value: Any, where: str) -> Any:
    match value:
        case "BatchLongest":
            return None
        case {"Fixed": length}:
            return length
    raise FormatError(f"{where} must be 'BatchLongest' or {{'Fixed': length}}, not {value!r}")


def _write_fixed(length: int | None) -> Any:
    return "BatchLongest" if length is None else {"Fixed": length}


_FIELDS: dict[str | tuple[type, str], _Field] = {
    "pattern": _Field("pattern", _read_pattern, _write_pattern),
    "behavior": _words("behavior", get_args(spec.Behavior)),
    "charsmap": _same("precompiled_charsmap"),
    "normalizers": _parts("normalizers", "normalizer"),
    "pre_tokenizers": _parts("pretokenizers", "pre_tokenizer"),
    "processors": _parts("processors", "post_processor"),
    "decoders": _parts("decoders", "decoder"),
    "single": _template("single"),
    "pair": _template("pair"),
    "direction": _words("direction", ("left", "right")),
    "strategy": _words("strategy", ("longest_first", "only_first", "only_second")),
    (spec.Padding, "length"): _Field("strategy", _read_fixed, _write_fixed),
}
"""Field of the spec → how the file has it, where that differs."""


def _field(kind: type, name: str) -> _Field:
    return _FIELDS.get((kind, name)) or _FIELDS.get(name) or _same(name)


def _order(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields in the order in which tokenizers writes them."""
    if kind is spec.Truncation:
        return ("direction", "max_length", "strategy", "stride")
    return kind.__struct_fields__


# ── reading ───────────────────────────────────────────────────────────────────────────────────
def _plain(part: Any, family: str, where: str) -> dict[str, Any]:
    """A part in the JSON of the spec."""
    part = _object(part, where)
    kinds = {_tag(kind): kind for kind in get_args(FAMILIES[family]) if kind not in _ELSEWHERE}
    tag = _type_of(part, family)
    if not isinstance(tag, str) or tag not in kinds:
        raise FormatError(
            f"{where} has the unknown type {part.get('type')!r}; allowed: {', '.join(kinds)}",
            kind="unknown type",
            part=where,
            type=shown(part.get("type")),
        )
    prefixed = tag != "Metaspace" or part.get("add_prefix_space") is not False
    if not prefixed and part.get("prepend_scheme") != "never":
        raise FormatError(f"{where}: without add_prefix_space, prepend_scheme must be 'never'")
    return {"type": tag} | _read_fields(kinds[tag], part, where)


def _type_of(part: dict[str, Any], family: str) -> Any:
    by_fields = next((tag for tag, known in _UNTYPED[family] if known <= part.keys()), None)
    if family == "post_processor" and by_fields:
        return by_fields  # tokenizers looks at the fields and not at the type
    tag = part.get("type", by_fields)
    return "BertNormalizer" if (family, tag) == ("normalizer", "Bert") else tag


def _read_fields(kind: type[msgspec.Struct], part: dict[str, Any], where: str) -> dict[str, Any]:
    fields = {name: _field(kind, name) for name in kind.__struct_fields__}
    return {
        name: field.read(part[field.name], f"{where}.{field.name}")
        for name, field in fields.items()
        if field.name in part
    }


def _tag(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"{where} must be an object, not {value!r:.60}")
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise FormatError(f"{where} must be an array, not {value!r:.60}")
    return value
