"""Why a piece of a text is not one token: every cause, in the order of the pipeline.

Rule.    A piece can be cut or lost at each stage: inside an added token, by the normalizer, at a
         boundary of the pre-tokenizer; it can be missing in the vocabulary; and the model can
         prefer something else. Each stage is asked, whatever the ones before said. A piece is
         looked for in the text, and where it does not stand there among what the model is given
         (▁みを, Ġcat).
Cost.    That of the readable engine, and a look at each token of the vocabulary. What the core
         refuses, as a regex that backtracks without end, is refused before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from kugiri.encoding import Encoding, Span, Token
from kugiri.errors import OptionError
from kugiri.explain.causes import Cause, cause
from kugiri.explain.glyphs import visible
from kugiri.explain.model_causes import model_causes
from kugiri.explain.model_steps import Part
from kugiri.explain.nearest import id_of, spelling, vocabulary_cause
from kugiri.explain.normalization import Normalization, explain_normalization
from kugiri.explain.readings import read
from kugiri.explain.steps import parts_of, placed
from kugiri.explain.stretch import Stretch, stretch_at, stretches
from kugiri.reference.alignment import Aligned
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.vocab import show
from kugiri.spec import is_byte_level
from kugiri.tokenizing.encode_options import EncodeOptions
from kugiri.tokenizing.spans import covering_spans

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer


MOST_PLACES = 100
"""Places that are looked at; a piece of a long text has mostly the same causes."""


class Place(msgspec.Struct, frozen=True):
    """A place where the piece stands.

    Attributes:
        span: its characters of the text.
        is_token: whether it is one token there.
        tokens: the tokens that touch it, as what is to be read.
        causes: why it is not one; none where it is.
    """

    span: Span
    is_token: bool
    tokens: list[str]
    causes: list[Cause]


class Reason(msgspec.Struct, frozen=True):
    """Why a piece of a text is not one token.

    Attributes:
        text, piece: what was asked.
        id: the id of the piece, if the vocabulary has it.
        places: where it stands, up to MOST_PLACES.
        left_out: in how many places more.
    """

    text: str
    piece: str
    id: int | None
    places: list[Place]
    left_out: int

    @property
    def causes(self) -> list[Cause]:
        """The causes of all places, each once."""
        return list(
            {cause.message: cause for place in self.places for cause in place.causes}.values()
        )

    def to_json(self) -> str:
        """The same as a JSON object."""
        return msgspec.json.encode(self).decode()

    def __str__(self) -> str:
        """The same in lines."""
        lines = []
        for place in self.places:
            start, end = place.span
            parts = "|".join(map(visible, place.tokens))
            how = "one token" if place.is_token else f"not one token: {parts}"
            lines.append(f"「{visible(self.piece)}」 at {start}–{end} is {how}")
            lines += [f"  {cause.stage}: {cause.message}" for cause in place.causes]
        if self.left_out:
            lines.append(f"and in {self.left_out:,} places more")
        return "\n".join(lines)


def why(
    tok: Tokenizer,
    reference: ReferenceTokenizer,
    text: str,
    asked_for: str | Span,
    options: EncodeOptions,
) -> Reason:
    """Say why a piece of a text is not one token, given both engines of a tokenizer.

    The piece is named by what it is, and then meant everywhere, or by where it stands.
    """
    allowed = options.get("allowed_special") or frozenset()
    encoding = tok.encode_with_offsets(text, **options)  # first: the core bounds backtracking
    parts = placed(text, parts_of(reference, text, allowed))
    asked = _Asked(tok, reference, text, parts, encoding)
    words = [part.it for part in parts if isinstance(part.it, Aligned)]
    if isinstance(asked_for, str):
        piece = asked_for
        found = list(islice(stretches(text, piece, words), MOST_PLACES))
        total = text.count(piece) or "".join(word.text for word in words).count(piece)
    else:
        piece, found, total = text[slice(*asked_for)], [stretch_at(text, asked_for, words)], 1
    normalization = explain_normalization(reference, text, allowed)
    if not found:
        raise OptionError(
            f"{piece!r} does not stand in {text!r:.60}; ask for a part of the text, or of what the "
            f"normalizer makes of it: {normalization.after!r:.60}"
        )
    places = [asked.place(piece, stretch, normalization) for stretch in found]
    ids = {id_of(reference, stretch) for stretch in found} - {None}
    return Reason(text, piece, next(iter(ids), None), places, total - len(found))


class _Asked:
    """A text, cut up, of which pieces are asked for."""

    def __init__(
        self,
        tok: Tokenizer,
        reference: ReferenceTokenizer,
        text: str,
        parts: Sequence[Part],
        encoding: Encoding,
    ) -> None:
        self.reference = reference
        self.text = text
        self.parts = parts
        self.encoding = encoding
        self.begins, self.ends = np.array(encoding.byte_spans, np.int64).reshape(-1, 2).T
        self.of_text = np.array([of is not None for of in encoding.sequence_ids], bool)
        self.visible = is_byte_level(tok.spec.pre_tokenizer)
        self.added = {token.id for token in tok.spec.added_tokens}
        self._missing: dict[bytes, Cause | None] = {}  # the same piece may stand in many places

    def place(self, piece: str, stretch: Stretch, normalization: Normalization) -> Place:
        """What is to be said of one place."""
        touching = self._touching(stretch)
        named = [self._read(at) for at in touching]
        is_token = len(touching) == 1 and self._is_token(touching[0], stretch)
        causes = [] if is_token else list(self._causes(piece, stretch, normalization))
        (span,) = covering_spans(self.text, np.array([stretch.bytes], np.int64))
        return Place(span, is_token, named, causes)

    def _touching(self, stretch: Stretch) -> list[int]:
        """The tokens that stand for a part of the stretch."""
        start, end = stretch.bytes
        begins, ends = self.begins, self.ends
        overlaps = (begins < end) & (start < ends)
        put_in = (begins == ends) & (start < begins) & (begins < end)
        return np.flatnonzero(self.of_text & (overlaps | put_in)).tolist()

    def _read(self, at: int) -> str:
        is_added = int(self.encoding.ids[at]) in self.added
        return read(self.encoding.tokens[at], self.visible and not is_added)

    def _is_token(self, at: int, stretch: Stretch) -> bool:
        id = int(self.encoding.ids[at])
        if (
            self.encoding.byte_spans[at] != stretch.bytes
            or id == self.reference.vocabulary.unknown_id
        ):
            return False
        added = any(
            isinstance(part.it, Token) and part.it[2:] == stretch.bytes for part in self.parts
        )
        return added or id == id_of(self.reference, stretch)

    def _causes(
        self, piece: str, stretch: Stretch, normalization: Normalization
    ) -> Iterator[Cause]:
        added = list(self._added(stretch))
        yield from added
        yield from self._special(piece)
        (span,) = covering_spans(self.text, np.array([stretch.bytes], np.int64))
        cut = [*_normalized(span, normalization), *self._boundaries(span)]
        yield from cut
        if not (added or cut) and not stretch.is_whole:
            yield cause("dropped")
        if added or not stretch.inside:
            return
        if (missing := self._vocabulary(stretch)) is not None:
            yield missing
        yield from model_causes(self.reference, stretch, self.visible)

    def _vocabulary(self, stretch: Stretch) -> Cause | None:
        string = spelling(self.reference, stretch)
        if string not in self._missing:
            self._missing[string] = vocabulary_cause(self.reference, string, self.visible)
        return self._missing[string]

    def _added(self, stretch: Stretch) -> Iterator[Cause]:
        """The added tokens that take a part of the piece."""
        start, end = stretch.bytes
        for part in self.parts:
            if isinstance(part.it, Token) and part.it.start < end and start < part.it.end:
                first, last = part.span
                yield cause("cut out", token=show(part.it.text), start=first, end=last)

    def _special(self, piece: str) -> Iterator[Cause]:
        for token in self.reference.spec.added_tokens:
            if token.special and token.content == piece:
                yield cause("special", token=token.content, id=token.id)

    def _boundaries(self, span: Span) -> Iterator[Cause]:
        """The boundaries that the piece crosses, and what was dropped of it."""
        for left, right in pairwise(self.parts):
            end, start = left.span[1], right.span[0]
            if span[0] < start and end < span[1] and right.step is not None:
                yield cause(
                    "boundary",
                    start=end,
                    end=start,
                    inside=span[0] >= end and start >= span[1],
                    step=right.step,
                    rule=right.rule,
                )


def _normalized(span: Span, normalization: Normalization) -> Iterator[Cause]:
    """What the normalizer did to it."""
    start, end = span
    for change in normalization.changes:
        begins, ends = change.span
        if begins == ends or not (begins < end and start < ends):
            continue
        across = begins < start or end < ends
        yield cause("changed", before=change.before, after=change.after, across=across)
