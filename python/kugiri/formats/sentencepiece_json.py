"""A `.model` as the tokenizer.json that comes closest to it.

Rule.    BPE by scores becomes a list of merges: every cut of every piece into two pieces, the best
         score first, then the longer left part. Unigram keeps its scores, as numbers of 64 bits.
         Only pieces of text are merged: control and byte pieces never come out of a text by
         merging. The charsmap is looked up by grapheme cluster; spaces are then stripped and
         joined where the file says so, and become ▁ with one in front.
Cost.    For each piece its length, in look-ups.
Source.  How transformers converts (generate_merges, LlamaConverter, SpmConverter), with one change:
         Unigram is not cut at ▁ first, since sentencepiece does not. docs/formats/convert.md
         lists what differs all the same.
"""

from __future__ import annotations

import re
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from kugiri import spec
from kugiri.errors import FormatError
from kugiri.reference.alignment import Aligned
from kugiri.reference.normalize import normalize
from kugiri.spec import BPE, AddedToken, PieceType, TokenizerSpec, Unigram
from kugiri.tables import Column, Merges
from kugiri.warned import warn

Types: TypeAlias = npt.NDArray[np.uint8]
MARK = "▁"


def as_tokenizer_json(described: TokenizerSpec) -> TokenizerSpec:
    """The nearest tokenizer that tokenizer.json can express; warns that it is not the same.

    Raises:
        FormatError: nothing near enough: names the feature in the way.
    """
    normalizer, model = described.normalizer, described.model
    assert isinstance(normalizer, spec.SentencePieceNormalizer)
    if not isinstance(model, BPE | Unigram) or model.piece_types is None:
        raise FormatError(
            f"tokenizer.json has nothing like a {type(model).__name__} model of sentencepiece; "
            "save as .model or .kugiri.json"
        )
    types = model.piece_types.values
    _refuse_what_has_no_place(normalizer, described.decoder, types)
    symbols = [
        _symbol(id, piece, normalizer)
        for id in np.flatnonzero(types == PieceType.USER_DEFINED).tolist()
        if " " not in (piece := model.vocab[id].decode())  # sentencepiece never finds such a one
    ]
    _warn()
    return TokenizerSpec(
        model=_bpe(model, types) if isinstance(model, BPE) else _unigram(model, types),
        added_tokens=tuple(sorted((*described.added_tokens, *symbols), key=lambda it: it.id)),
        normalizer=spec.Normalizers(
            _normalizers(normalizer, [it.content for it in symbols if it.normalized])
        ),
        post_processor=described.post_processor,
        decoder=_decoder(normalizer, model.byte_fallback),
        unicode_version=described.unicode_version,
        origin="tokenizer.json",
    )


def _refuse_what_has_no_place(
    normalizer: spec.SentencePieceNormalizer,
    decoder: spec.Decoder | None,
    types: Types,
) -> None:
    denormalizer = getattr(decoder, "denormalizer", None)
    refused = {
        "a mark behind words (treat_whitespace_as_suffix)": normalizer.treat_whitespace_as_suffix,
        "spaces that stay spaces (escape_whitespaces=false)": not normalizer.escape_whitespaces,
        "a denormalizer": bool(denormalizer and denormalizer.charsmap),
        "unused pieces": bool(np.any(types == PieceType.UNUSED)),
    }
    for what, asked in refused.items():
        if asked:
            raise FormatError(f"tokenizer.json has no place for {what} of a .model")


def _symbol(id: int, piece: str, normalizer: spec.SentencePieceNormalizer) -> AddedToken:
    """A user-defined piece; looked for in the normalized text, unless that does not leave it.

    What is looked for before normalizing cuts the text, and each part is then normalized alone.
    """
    alone = msgspec.structs.replace(normalizer, add_dummy_prefix=False)
    is_left = MARK not in piece and normalize(Aligned.of(piece), alone).text == piece
    return AddedToken(id, piece, normalized=is_left, special=False)


def _warn() -> None:
    warn(
        "a .model and its tokenizer.json are not the same tokenizer in every detail "
        "(docs/formats/convert.md says where); kugiri.verify, or --verify, measures it on "
        "your text",
        stacklevel=4,
    )


# ── models ────────────────────────────────────────────────────────────────────────────────────
def _bpe(model: BPE, types: Types) -> BPE:
    assert model.scores is not None
    ids = {
        piece.decode(): id for id, piece in enumerate(model.vocab) if types[id] == PieceType.NORMAL
    }
    scores = model.scores.values.tolist()
    rows = [
        (-scores[id], -cut, cut - len(piece), ids[piece[:cut]], ids[piece[cut:]], id)
        for piece, id in ids.items()
        for cut in range(1, len(piece))
        if piece[:cut] in ids and piece[cut:] in ids
    ]
    rows.sort(key=lambda row: row[:3])  # where all are equal, the lower id stays first
    columns = list(zip(*(row[3:] for row in rows), strict=True))
    return BPE(
        model.vocab,
        unit="char",
        merges=Merges(*columns) if rows else Merges.empty(),
        unk_token=model.unk_token,
        fuse_unk=True,
        byte_fallback=model.byte_fallback,
    )


def _unigram(model: Unigram, types: Types) -> Unigram:
    unk_id = model.unk_id
    if unk_id is None and model.byte_fallback:
        # tokenizers wants one, and never uses it: each unknown character becomes its bytes.
        unk_id = int(np.argmax(types == PieceType.BYTE))
    return msgspec.structs.replace(
        model, scores=Column(model.scores.values, np.float64), piece_types=None, unk_id=unk_id
    )


# ── what surrounds them ───────────────────────────────────────────────────────────────────────
def _normalizers(
    normalizer: spec.SentencePieceNormalizer, user_defined: list[str]
) -> tuple[spec.Normalizer, ...]:
    steps: list[spec.Normalizer] = []
    if normalizer.charsmap:
        steps.append(spec.Precompiled(normalizer.charsmap))
    if normalizer.remove_extra_whitespaces:
        steps.append(spec.Replace(spec.Regex(r"\A +| +\z"), ""))
        steps.append(spec.Replace(spec.Regex(" {2,}"), " "))
    if normalizer.add_dummy_prefix:
        steps.append(_in_front(user_defined))
    steps.append(spec.Replace(spec.Literally(" "), MARK))
    return tuple(steps)


def _in_front(user_defined: list[str]) -> spec.Normalizer:
    """What puts ▁ in front of a text, and not of a user-defined piece alone.

    Added tokens are looked for in the normalized text, each as the normalizer spells it.
    """
    if not user_defined:
        return spec.Prepend(MARK)
    pieces = "|".join(map(re.escape, user_defined))
    return spec.Replace(spec.Regex(rf"\A(?!(?:{pieces}|)\z)"), MARK)


def _decoder(normalizer: spec.SentencePieceNormalizer, byte_fallback: bool) -> spec.Decoders:
    steps: list[spec.Decoder] = [spec.Replace(spec.Literally(MARK), " ")]
    if byte_fallback:
        steps.append(spec.ByteFallback())
    steps.append(spec.Fuse())
    if normalizer.add_dummy_prefix or normalizer.remove_extra_whitespaces:
        steps.append(spec.StripDecoder(" ", 1, 0))
    return spec.Decoders(tuple(steps))
