"""vocab.json and merges.txt, the files of GPT-2: token → id, and a merge a line.

Rule.    Byte-level BPE in visible characters. A tokenizer_config.json beside them says which class
         of transformers it is, and so what surrounds the model (gpt2_classes.py): without one it is
         GPT-2's. A line that begins with `#version` is no merge. The merges are read and written
         line by line, with one space in each.
Cost.    The core reads the vocabulary and looks up the merges.
Source.  transformers and tokenizers 0.23.3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from kugiri import spec
from kugiri.errors import FormatError
from kugiri.formats.byte_level import show_bytes
from kugiri.formats.gpt2_classes import CLASSES, named
from kugiri.formats.json_parts import Json
from kugiri.formats.losses import require_same
from kugiri.formats.models import read_vocab, vocabulary
from kugiri.formats.rank_merges import with_merge_list
from kugiri.formats.rows import resolve_merges
from kugiri.formats.settings import (
    CONFIG,
    Beside,
    nothing_beside,
    read_object,
    read_settings,
    write_settings,
)
from kugiri.patterns import SCANNED
from kugiri.spec import BPE, TokenizerSpec
from kugiri.tables import Merges, Tokens

MERGES = "merges.txt"
HEAD = "#version: 0.2"
_HEADS = re.compile(rb"^#version[^\n]*(\n|\Z)", re.MULTILINE)
_PAIRS = re.compile(rb"[^ \r\n]+ [^ \r\n]+(\n[^ \r\n]+ [^ \r\n]+)*")


# ── reading ───────────────────────────────────────────────────────────────────────────────────
def read(data: bytes, *, beside: Beside = nothing_beside) -> TokenizerSpec:
    """Read a vocab.json, the merges.txt and the settings beside it.

    Raises:
        FormatError: a file is malformed, the merges are absent, or the settings are of a class
            that does more than is known here.
    """
    merges = beside(MERGES)
    if merges is None:
        raise FormatError(
            f"a vocab.json says nothing without its {MERGES}; put it beside the file, in one "
            "folder with it"
        )
    # As transformers writes them: empty, not absent.
    model = BPE(
        **read_vocab(Json(data)),
        unit="char",
        continuing_subword_prefix="",
        end_of_word_suffix="",
    )
    its = named(read_object(beside, CONFIG))
    settings = read_settings(beside, vocabulary(model), its.usual)
    prefix_space = settings.flag("add_prefix_space", False)
    byte_level = spec.ByteLevel(prefix_space, use_regex=its.split is None)
    return TokenizerSpec(
        model=msgspec.structs.replace(model, merges=resolve_merges(_read_merges(merges), model)),
        added_tokens=settings.added,
        normalizer=its.normalizer,
        pre_tokenizer=spec.PreTokenizers((its.split, byte_level)) if its.split else byte_level,
        post_processor=its.around(settings),
        decoder=spec.ByteLevelDecoder(),
        origin="tokenizer.json",
    )


def _read_merges(data: bytes) -> Tokens:
    """The parts of the merges: left, right, left, right and so on."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise FormatError(f"{MERGES}, byte {error.start}: this is not UTF-8") from None
    lines = _HEADS.sub(b"", data).replace(b"\r\n", b"\n").removesuffix(b"\n")
    if not lines:
        return Tokens.from_iter([])
    if not _PAIRS.fullmatch(lines):
        raise _no_merge(data)
    if b"</w>\n" in data:
        raise FormatError(
            f"{MERGES} has the end-of-word mark </w>, as of GPT-1 and CLIP; load a tokenizer.json "
            "of it (a vocab.json is read as GPT-2's byte-level BPE)"
        )
    return Tokens.from_iter(lines.replace(b"\n", b" ").split(b" "))


def _no_merge(data: bytes) -> FormatError:
    """The error for the first line that is none."""
    start = 0
    for line in data.split(b"\n"):
        if not line.startswith(b"#version") and not _PAIRS.fullmatch(line.removesuffix(b"\r")):
            break
        start += len(line) + 1
    return FormatError(f"{MERGES}, byte {start}: {line[:40]!r} is not two tokens and a space")


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def write(described: TokenizerSpec) -> dict[str, bytes]:
    """Write a vocab.json with its merges.txt and settings.

    Raises:
        FormatError: they have no place for something that the ids or the text depend on.
    """
    kept = _in_its_terms(described)
    assert isinstance(kept.model, BPE)
    ids = vocabulary(kept.model)
    merges = ["\n".join((HEAD, *_lines(kept.model, ids)))]
    name, roles = _class_and_roles(kept, ids)
    values = {"tokenizer_class": name, "add_prefix_space": _adds_space(kept.pre_tokenizer)}
    if isinstance(kept.post_processor, spec.TemplateProcessing):
        values["add_bos_token"] = True
    files = {
        "vocab.json": msgspec.json.encode(ids),
        MERGES: f"{merges[0]}\n".encode(),
        CONFIG: write_settings(kept, values, roles),
    }
    require_same(kept, read(files["vocab.json"], beside=files.get), "a vocab.json with merges.txt")
    return files


def _in_its_terms(described: TokenizerSpec) -> TokenizerSpec:
    """The same tokenizer in visible characters, as these files have it."""
    model = described.model
    if not isinstance(model, BPE):
        raise FormatError(f"a vocab.json holds a byte-level BPE, not a {type(model).__name__}")
    if model.unit == "byte":
        described = show_bytes(with_merge_list(described))
    elif not _is_byte_level(described):
        raise FormatError("a vocab.json holds a byte-level BPE, and this one works on characters")
    elif model.ignore_merges:
        raise FormatError(
            "a vocab.json has no place for ignore_merges; save as .kugiri.json or tokenizer.json"
        )
    assert isinstance(described.model, BPE)
    blank = {
        name: ""
        for name in ("continuing_subword_prefix", "end_of_word_suffix")
        if not getattr(described.model, name)
    }
    merges = described.model.merges or Merges.empty()
    plain = Merges(merges.left, merges.right, merges.result)
    return msgspec.structs.replace(
        described,
        model=msgspec.structs.replace(described.model, merges=plain, **blank),
        pre_tokenizer=_as_one(described.pre_tokenizer),
        post_processor=_around(described.post_processor),
        decoder=spec.ByteLevelDecoder() if _is_byte_level(described) else described.decoder,
    )


def _as_one(pre_tokenizer: spec.PreTokenizer | None) -> spec.PreTokenizer | None:
    """GPT-2's split before a ByteLevel is what its own regex does, and no ByteLevel trims here."""
    match pre_tokenizer:
        case spec.PreTokenizers(
            (
                spec.Split(spec.Regex(regex), "isolated", _)
                | spec.Split(spec.Regex(regex), "removed", True),
                spec.ByteLevel(add_prefix_space, use_regex=False),
            )
        ) if SCANNED.get(regex) == "gpt2":
            return spec.ByteLevel(add_prefix_space)
        case spec.ByteLevel(add_prefix_space, use_regex=True):
            return spec.ByteLevel(add_prefix_space)
        case spec.PreTokenizers((first, spec.ByteLevel(add_prefix_space, use_regex=False))):
            bytes_alone = spec.ByteLevel(add_prefix_space, use_regex=False)
            return spec.PreTokenizers((first, bytes_alone))
    return pre_tokenizer


def _around(processor: spec.PostProcessor | None) -> spec.PostProcessor | None:
    """None, and all that trims no spans, is what GPT-2 has."""
    idle = isinstance(processor, spec.ByteLevelProcessing) and not processor.trim_offsets
    return spec.ByteLevelProcessing(trim_offsets=False) if processor is None or idle else processor


def _is_byte_level(described: TokenizerSpec) -> bool:
    """Its decoder has fields that mean nothing."""
    return isinstance(described.decoder, spec.ByteLevelDecoder)


def _adds_space(pre_tokenizer: spec.PreTokenizer | None) -> bool:
    if isinstance(pre_tokenizer, spec.PreTokenizers) and pre_tokenizer.pre_tokenizers:
        pre_tokenizer = pre_tokenizer.pre_tokenizers[-1]
    return isinstance(pre_tokenizer, spec.ByteLevel) and pre_tokenizer.add_prefix_space


def _lines(model: BPE, ids: dict[str, int]) -> list[str]:
    assert model.merges is not None
    token_of = {id: token for token, id in ids.items()}
    lines = []
    for row in zip(model.merges.left.tolist(), model.merges.right.tolist(), strict=True):
        left, right = (token_of[part] for part in row)
        if set(" \n\r") & set(left + right) or left.startswith("#version"):
            raise FormatError(f"the merge of {left!r} and {right!r} cannot stand in a {MERGES}")
        lines.append(f"{left} {right}")
    return lines


def _class_and_roles(
    kept: TokenizerSpec, ids: Mapping[str, int]
) -> tuple[str, dict[str, str | None]]:
    """The class that does what the spec says, and the token of each of its roles."""
    added = {token.content for token in kept.added_tokens}
    name = "GPT2Tokenizer"
    named: dict[str, str] = {}
    match kept.post_processor:
        case spec.RobertaProcessing((sep, _), (cls, _)):
            name, named = "RobertaTokenizer", {"sep_token": sep, "cls_token": cls}
        case spec.TemplateProcessing((spec.SpecialPiece(bos), _)):
            named = {"bos_token": bos}
    if kept.normalizer == spec.NFC():
        name = "Qwen2Tokenizer"
    usual = CLASSES[name].usual
    roles = {role: token if token in added else None for role, token in usual.items()}
    return name, roles | named
