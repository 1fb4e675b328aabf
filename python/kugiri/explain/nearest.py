"""Whether a piece is in the vocabulary, and what is nearest to it there.

Rule.    A piece is looked up as the model would spell it at its place: inside a word with the
         continuing prefix, at the end of one with the end-of-word mark. Nearest are the longest
         tokens that are a part of it, and the shortest that hold it; parts of characters only where
         there is nothing else.
Cost.    A look at each token.
"""

from __future__ import annotations

from kugiri.explain.causes import Cause, cause
from kugiri.explain.glyphs import is_bytes
from kugiri.explain.readings import read
from kugiri.explain.stretch import Stretch
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.vocab import show
from kugiri.spec import BPE, WordPiece

MOST = 4
"""How many tokens of each kind are named."""


def spelling(reference: ReferenceTokenizer, stretch: Stretch) -> bytes:
    """The string that a token of this piece would have at its place."""
    model = reference.spec.model
    prefix = suffix = ""
    if isinstance(model, BPE | WordPiece) and stretch.inside and stretch.inside[0].start:
        prefix = model.continuing_subword_prefix or ""
    if isinstance(model, BPE) and stretch.inside:
        word, _, end = stretch.inside[-1]
        if end == len(word):
            suffix = model.end_of_word or model.end_of_word_suffix or ""
    return (prefix + stretch.text + suffix).encode()


def id_of(reference: ReferenceTokenizer, stretch: Stretch) -> int | None:
    """The id of a piece, if text can become it."""
    return reference.vocabulary.text_ids.get(spelling(reference, stretch))


def vocabulary_cause(
    reference: ReferenceTokenizer, string: bytes, visible_bytes: bool
) -> Cause | None:
    """Why the vocabulary has no token of a spelling; None if it has."""
    vocabulary = reference.vocabulary
    if (id := vocabulary.text_ids.get(string)) is not None:
        return cause("unused", id=id) if id in vocabulary.unused else None
    if (id := vocabulary.ids.get(string)) is not None:
        return cause("no text", id=id)

    def named(tokens: list[bytes]) -> list[str]:
        names = [read(show(token), visible_bytes) for token in tokens]
        whole = [name for name in names if not is_bytes(name)] or names
        return whole[:MOST]

    inside = sorted((it for it in vocabulary.text_ids if it in string), key=_longest)
    around = sorted((it for it in vocabulary.text_ids if string in it), key=_shortest)
    piece = read(show(string), visible_bytes)
    return cause("missing", piece=piece, parts=named(inside), longer=named(around))


def _longest(token: bytes) -> tuple[int, bytes]:
    return -len(token), token


def _shortest(token: bytes) -> tuple[int, bytes]:
    return len(token), token
