"""Changing a tokenizer after it was made; each function gives a new one.

Rule.    Ids never move. A piece that is not to come out any more becomes unused: text is cut as if
         it were not there, and what was encoded before is still decoded.
Cost.    One look at each piece.
Source.  `set_vocabulary` of sentencepiece, which 0.2.2 removed; there bytes became unused too, and
         were then decoded as the text `<0xE7>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

import msgspec
import numpy as np

from kugiri.errors import OptionError, VocabularyError, described
from kugiri.inputs import as_text, as_texts
from kugiri.spec import BPE, PieceType, Unigram
from kugiri.tables import Column
from kugiri.tokenizer import Tokenizer


def restrict(tokenizer: Tokenizer, pieces: Iterable[str]) -> Tokenizer:
    """Let only some pieces of a `.model` come out, for example those frequent in one language.

    Pieces of one character always stay, since everything is made of them; so do control,
    user-defined and unknown pieces, and bytes. A piece that is unused and named comes out again.

    Raises:
        OptionError: the tokenizer is not Unigram or BPE with types of pieces.
        VocabularyError: a piece is not in the vocabulary.

    Example:
        >>> import kugiri, kugiri.edit
        >>> tok = kugiri.load("my.model")                                   # doctest: +SKIP
        >>> kugiri.edit.restrict(tok, ["▁the", "▁of"]).save("less.model")   # doctest: +SKIP
    """
    if not isinstance(tokenizer, Tokenizer):
        raise OptionError(f"restrict takes a Tokenizer; {described(tokenizer)} came")
    model = tokenizer.spec.model
    if not isinstance(model, Unigram | BPE) or model.piece_types is None:
        raise OptionError(
            f"restrict is for a Unigram or BPE of a .model, whose pieces have types; this is a "
            f"{type(model).__name__} from {tokenizer.spec.origin}"
        )
    listed = as_texts(list(pieces) if isinstance(pieces, Set) else pieces, "pieces")
    named = {as_text(piece, "a piece").encode() for piece in listed}
    unknown = named - set(model.vocab)
    if unknown:
        raise VocabularyError(
            f"{min(unknown).decode()!r} is not in the vocabulary; only pieces that are can stay"
        )
    types = [
        _restricted(piece, type, piece in named)
        for piece, type in zip(model.vocab, model.piece_types.values.tolist(), strict=True)
    ]
    changed = msgspec.structs.replace(model, piece_types=Column(types, np.uint8))
    return Tokenizer(msgspec.structs.replace(tokenizer.spec, model=changed))


def _restricted(piece: bytes, type: int, is_named: bool) -> int:
    if type not in (PieceType.NORMAL, PieceType.UNUSED):
        return type
    is_character = len(piece.decode(errors="replace")) == 1
    return PieceType.NORMAL if is_named or is_character else PieceType.UNUSED
