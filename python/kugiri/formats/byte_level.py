"""Byte-level BPE in its two forms: on bytes, and on the visible characters of tokenizer.json.

Rule.    `.kugiri.json` and `.tiktoken` hold the bytes of a token (`unit="byte"`). tokenizer.json
         holds one visible character for each byte (` 猫` is `ĠçĮ«`), a ByteLevel pre-tokenizer that
         shows the text so, and a ByteLevel decoder that goes back. Added tokens stand in the
         vocabulary as they are. Both forms give the same ids.
Cost.    Linear in the vocabulary; for a vocabulary of ranks, every cut of every token is tried.
Source.  The byte alphabet of GPT-2; ranks become merges as transformers converts tiktoken files.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from kugiri.errors import FormatError
from kugiri.formats.rank_order import every_cut
from kugiri.patterns import PATTERNS
from kugiri.reference.byte_alphabet import BYTE_OF, CHARACTER_OF
from kugiri.spec import (
    BPE,
    ByteLevel,
    ByteLevelDecoder,
    PreTokenizer,
    PreTokenizers,
    Regex,
    Split,
    TokenizerSpec,
)
from kugiri.tables import Merges, Tokens

_SHOWN = {byte: ord(character) for byte, character in CHARACTER_OF.items()}


def show_bytes(spec: TokenizerSpec) -> TokenizerSpec:
    """Turn a BPE on bytes into the same tokenizer on visible characters.

    Raises:
        FormatError: the spec asks for what that form has no place for.
    """
    model = _bpe(spec)
    steps = _steps(spec.pre_tokenizer)
    if any(isinstance(step, ByteLevel) for step in steps):
        raise FormatError("a BPE on bytes takes no ByteLevel pre-tokenizer; it shows no characters")
    if spec.decoder not in (None, ByteLevelDecoder()):
        raise FormatError(f"a BPE on bytes has no decoder {type(spec.decoder).__name__}; use None")
    merges = _merges_of_ranks(spec, model) if model.order == "rank" else model.merges
    shown = msgspec.structs.replace(
        model,
        unit="char",
        order="list",
        vocab=_respelled(spec, model, _show),
        merges=merges,
    )
    byte_level = ByteLevel(add_prefix_space=False, use_regex=False)
    return msgspec.structs.replace(
        spec,
        model=shown,
        pre_tokenizer=_sequence((*steps, byte_level)),
        decoder=ByteLevelDecoder(),
    )


def hide_bytes(spec: TokenizerSpec) -> TokenizerSpec:
    """Turn a BPE on visible characters into the same tokenizer on bytes.

    Raises:
        FormatError: the spec is no byte-level BPE.
    """
    model = _bpe(spec)
    *steps, last = _steps(spec.pre_tokenizer) or (None,)
    if not isinstance(last, ByteLevel) or not isinstance(spec.decoder, ByteLevelDecoder):
        raise FormatError(
            "a .tiktoken file holds byte-level BPE only, and this one works on characters; "
            "save it as .kugiri.json or tokenizer.json"
        )
    if last.add_prefix_space:
        raise FormatError("ByteLevel puts a space before the text, which bytes alone do not")
    if last.use_regex:
        steps.append(Split(Regex(PATTERNS["gpt2"]), "isolated"))
    hidden = msgspec.structs.replace(model, unit="byte", vocab=_respelled(spec, model, _hide))
    return msgspec.structs.replace(
        spec, model=hidden, pre_tokenizer=_sequence(tuple(steps)), decoder=None
    )


def _bpe(spec: TokenizerSpec) -> BPE:
    """The model, if it is one that has both forms."""
    model = spec.model
    if not isinstance(model, BPE):
        raise FormatError(f"a {type(model).__name__} model is not a byte-level BPE")
    for name in ("end_of_word", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback"):
        if getattr(model, name):
            raise FormatError(
                f"only a byte-level BPE can be saved so, and this BPE is none: it has {name}="
                f"{getattr(model, name)!r}; save as .kugiri.json"
            )
    if model.order == "score":
        raise FormatError("a byte-level BPE has merges or ranks, not scores; save as .kugiri.json")
    return model


def _respelled(spec: TokenizerSpec, model: BPE, spell: Callable[[bytes], bytes]) -> Tokens:
    """The vocabulary with each token spelled anew, except the added ones."""
    added = {(token.id, token.content.encode()) for token in spec.added_tokens}
    ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
    return Tokens.from_iter(
        token if (id, token) in added else spell(token)
        for id, token in zip(ids, model.vocab, strict=True)
    )


def _show(token: bytes) -> bytes:
    return token.decode("latin-1").translate(_SHOWN).encode()


def _hide(token: bytes) -> bytes:
    try:
        return bytes(map(BYTE_OF.__getitem__, token.decode()))
    except KeyError as error:
        raise FormatError(
            f"the token {token.decode()!r} holds {error}, which shows no byte; "
            "this is no byte-level vocabulary"
        ) from None


def _merges_of_ranks(spec: TokenizerSpec, model: BPE) -> Merges:
    """Every cut of every token that is not an added one."""
    added = {token.content.encode() for token in spec.added_tokens}
    ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
    pairs = zip(ids, model.vocab, strict=True)
    rows = every_cut({id: token for id, token in pairs if token not in added})
    return Merges(*zip(*rows, strict=True)) if rows else Merges.empty()


def _steps(pre_tokenizer: PreTokenizer | None) -> tuple[PreTokenizer, ...]:
    if pre_tokenizer is None:
        return ()
    if isinstance(pre_tokenizer, PreTokenizers):
        return tuple(step for one in pre_tokenizer.pre_tokenizers for step in _steps(one))
    return (pre_tokenizer,)


def _sequence(steps: tuple[PreTokenizer, ...]) -> PreTokenizer | None:
    if len(steps) < 2:
        return steps[0] if steps else None
    return PreTokenizers(steps)
