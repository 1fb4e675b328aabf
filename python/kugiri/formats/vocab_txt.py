"""vocab.txt of BERT: one token a line, the number of the line is its id.

Rule.    What else there is to know stands in tokenizer_config.json beside it: do_lower_case,
         strip_accents, tokenize_chinese_chars, and the special tokens. Where it is silent or
         absent, it is as with BertTokenizerFast: lower case, accents stripped with it, Chinese
         characters set apart. Of a token that stands twice the last line counts.
Cost.    One pass over the lines.
Source.  transformers and tokenizers 0.23.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
import numpy as np

from kugiri import spec
from kugiri.errors import FormatError
from kugiri.formats import bert_japanese
from kugiri.formats.bert_japanese import Stages
from kugiri.formats.losses import require_same, warn_not_kept
from kugiri.formats.models import text
from kugiri.formats.settings import (
    CONFIG,
    Beside,
    Settings,
    nothing_beside,
    read_settings,
    write_settings,
)
from kugiri.named_stages import bert_template
from kugiri.spec import TokenizerSpec, WordPiece
from kugiri.tables import Column, Tokens
from kugiri.warned import listening, warn

USUAL = {
    "unk_token": "[UNK]",
    "sep_token": "[SEP]",
    "pad_token": "[PAD]",
    "cls_token": "[CLS]",
    "mask_token": "[MASK]",
}
"""The special tokens of BERT by their roles."""

CLASSES = ("Bert", "DistilBert", "Electra", "MobileBert", "LayoutLM", "ConvBert", "SqueezeBert")
"""The classes of transformers that are BertTokenizer under another name."""


# ── reading ───────────────────────────────────────────────────────────────────────────────────
def read(data: bytes, *, beside: Beside = nothing_beside) -> TokenizerSpec:
    """Read a vocab.txt and the settings beside it.

    Raises:
        FormatError: it is not UTF-8, has no unknown token, or its settings are of another kind of
            tokenizer.
    """
    ids = _read_lines(data)
    settings = read_settings(beside, ids, USUAL)
    is_japanese = settings.values.get("tokenizer_class") == bert_japanese.CLASS
    stages = bert_japanese.read_stages(settings) if is_japanese else _bert_stages(settings)
    unknown = settings.roles.get("unk_token")
    if unknown is None:
        name = settings.values.get("unk_token", USUAL["unk_token"])
        raise FormatError(
            f"the unknown token {name!r} is not in the vocabulary; name the one that is as "
            f"unk_token in a {CONFIG} beside it"
        )
    return TokenizerSpec(
        model=WordPiece(*_in_order(ids), unk_token=unknown),
        added_tokens=settings.added,
        normalizer=stages.normalizer,
        pre_tokenizer=stages.pre_tokenizer,
        post_processor=bert_template(
            settings.roles.get("cls_token"),
            settings.roles.get("sep_token"),
            {token.content: token.id for token in settings.added},
        ),
        decoder=stages.decoder,
        origin="tokenizer.json",
    )


def _read_lines(data: bytes) -> dict[str, int]:
    """Token → id; line ends are those of any system."""
    try:
        lines = data.decode().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    except UnicodeDecodeError as error:
        raise FormatError("a vocab.txt is UTF-8, and this is not", offset=error.start) from None
    if lines[-1] == "":
        lines.pop()
    ids = {token: id for id, token in enumerate(lines)}
    if len(ids) < len(lines):
        twice = next(token for id, token in enumerate(lines) if ids[token] != id)
        warn(
            f"{len(lines) - len(ids)} lines of this vocab.txt stand again further down ({twice!r} "
            f"is the first); the last line of each counts, and the ids of the others mean nothing",
            stacklevel=5,
        )
    return ids


def _in_order(ids: dict[str, int]) -> tuple[Tokens, Column | None]:
    pairs = sorted(ids.items(), key=lambda pair: pair[1])
    tokens = Tokens.from_iter(token.encode() for token, _ in pairs)
    column = np.array([id for _, id in pairs], np.uint32)
    whole = np.array_equal(column, np.arange(len(column)))
    return tokens, None if whole else Column(column)


class _BertStages(NamedTuple):
    """What stands around the model."""

    normalizer: spec.BertNormalizer
    pre_tokenizer: spec.BertPreTokenizer
    decoder: spec.WordPieceDecoder


def _bert_stages(settings: Settings) -> _BertStages:
    name = str(settings.values.get("tokenizer_class") or "BertTokenizer")
    if name.removesuffix("Fast").removesuffix("Tokenizer") not in CLASSES:
        raise FormatError(
            f"the settings beside it are of a {name}, whose code decides how text is cut; load a "
            f"tokenizer.json of it (this reads vocab.txt as {', '.join(CLASSES)}Tokenizer do)"
        )
    if not settings.flag("do_basic_tokenize", True):
        raise FormatError(f"do_basic_tokenize of {CONFIG} is false; only true is known")
    strip_accents = settings.values.get("strip_accents")
    normalizer = spec.BertNormalizer(
        handle_chinese_chars=settings.flag("tokenize_chinese_chars", True),
        strip_accents=None if strip_accents is None else settings.flag("strip_accents", False),
        lowercase=settings.flag("do_lower_case", True),
    )
    return _BertStages(normalizer, spec.BertPreTokenizer(), spec.WordPieceDecoder())


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def write(described: TokenizerSpec) -> dict[str, bytes]:
    """Write a vocab.txt with its settings.

    Raises:
        FormatError: they have no place for something that the ids or the text depend on.
    """
    model = described.model
    if not isinstance(model, WordPiece):
        raise FormatError(
            f"a vocab.txt holds a WordPiece model, not a {type(model).__name__}; save as "
            ".kugiri.json"
        )
    if model.ids is not None:
        raise FormatError("the ids of a vocab.txt are the numbers of its lines; these have holes")
    if isinstance(around := described.post_processor, spec.BertProcessing):
        (cls, cls_id), (sep, sep_id) = around.cls, around.sep
        template = bert_template(cls, sep, {cls: cls_id, sep: sep_id})
        described = msgspec.structs.replace(described, post_processor=template)
    words = _japanese_words(described)
    values = _bert_values(described) if words is None else bert_japanese.write_values(words)
    files = {
        "vocab.txt": _lines(map(text, model.vocab)),
        CONFIG: write_settings(described, values, _roles(described, model)),
    }
    with listening():  # to what reading decides; see below
        again = read(files["vocab.txt"], beside=files.get)
    if words is not None:
        _warn_of_versions(words)
        again = msgspec.structs.replace(again, pre_tokenizer=words.pre_tokenizer)
    require_same(described, again, "a vocab.txt")
    return files


def _japanese_words(described: TokenizerSpec) -> Stages | None:
    """The stages of BertJapaneseTokenizer, if they are these."""
    match described.normalizer, described.pre_tokenizer, described.decoder:
        case (
            (None | spec.NFKC()) as normalizer,
            spec.PreTokenizers((spec.Dictionary(), spec.WhitespaceSplit())) as pre_tokenizer,
            spec.WordPieceDecoder() as decoder,
        ):
            return Stages(normalizer, pre_tokenizer, decoder)
    return None


def _warn_of_versions(words: Stages) -> None:
    (step,) = spec.dictionaries_of(words.pre_tokenizer)
    package, version = step.dictionary.package, step.dictionary.version
    warn_not_kept("a vocab.txt", [f"the version of {package}, {version}, by which ids differ"])


def _bert_values(described: TokenizerSpec) -> dict[str, Any]:
    normalizer = described.normalizer
    if not isinstance(normalizer, spec.BertNormalizer):
        name = "no normalizer" if normalizer is None else f"a {type(normalizer).__name__}"
        raise FormatError(
            f"a vocab.txt goes with BERT's normalizer, not with {name} (or, for words of a "
            f"dictionary of Japanese, with NFKC or none); save as .kugiri.json"
        )
    return {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": normalizer.lowercase,
        "strip_accents": normalizer.strip_accents,
        "tokenize_chinese_chars": normalizer.handle_chinese_chars,
    }


def _lines(tokens: Iterable[str]) -> bytes:
    lines = []
    for token in tokens:
        if "\n" in token or "\r" in token:
            raise FormatError(f"the token {token!r} holds the end of a line; a vocab.txt has none")
        lines.append(f"{token}\n")
    return "".join(lines).encode()


def _roles(described: TokenizerSpec, model: WordPiece) -> dict[str, str | None]:
    """The token of each role: as the model and the template have it, else the usual one."""
    added = {token.content for token in described.added_tokens}
    roles: dict[str, Any] = {
        role: token if token in added else None for role, token in USUAL.items()
    }
    roles["unk_token"] = model.unk_token
    match described.post_processor:
        case spec.TemplateProcessing((spec.SpecialPiece(cls), _, spec.SpecialPiece(sep))):
            roles |= {"cls_token": cls, "sep_token": sep}
        case None:
            roles |= {"cls_token": None, "sep_token": None}
    return roles
