"""From texts to rows for a model: what a caller asks for, the ids, and the places.

Rule.    Each text is encoded for itself, without its template. What stands around texts is laid
         out once for all rows. Padding and truncation are those of the caller, or where the caller
         says True those of the tokenizer's file.
Cost.    That of `encode_batch`; where places are asked for, that of encoding each text with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kugiri import _core
from kugiri.encoding import Batch, Span
from kugiri.errors import OptionError, described
from kugiri.inputs import as_whole
from kugiri.reference.post_process import Item, layout
from kugiri.spec import Padding, TokenizerSpec, Truncation
from kugiri.tokenizing.given_texts import Texts, as_column
from kugiri.tokenizing.model_inputs import ModelInputs, Placed
from kugiri.tokenizing.model_rows import Shape, gathered, rows_of
from kugiri.tokenizing.padding_token import as_padding
from kugiri.tokenizing.spans import places, trimmed

if TYPE_CHECKING:
    from kugiri.dictionary_batches import Many
    from kugiri.tokenizing.encode_options import Asked
    from kugiri.tokenizing.token_strings import TokenStrings


class Source(NamedTuple):
    """The tokenizer: its engine, what encodes many texts, its description, its strings."""

    core: _core.Core
    many: Many
    spec: TokenizerSpec
    strings: TokenStrings


class How(NamedTuple):
    """What a caller asks for, as `Tokenizer.model_inputs` takes it."""

    padding: Padding | bool | None
    truncation: Truncation | int | None
    overflow: bool
    threads: int | None


def model_inputs(
    source: Source,
    texts: Iterable[str | Sequence[str]],
    pairs: Iterable[str | Sequence[str]] | None,
    asked: Asked,
    how: How,
) -> ModelInputs:
    """Texts, or pairs of them, as rows for a model.

    Raises:
        EncodingError: a text cannot be encoded, or not be cut as asked.
        OptionError: a value is of a wrong type, or the file says nothing of what it is asked.
    """
    columns = [as_column(texts)]
    if pairs is not None:
        columns.append(_as_pairs(pairs, columns[0]))
    bare = None if asked is None else (asked[0], False, None, None, asked[4])
    batches = [
        its.joined(Batch(*source.many.encode_batch(its.strings, bare, how.threads)))
        for its in columns
    ]
    shape = Shape(
        _items(source, len(columns), asked),
        _as_truncation(how.truncation, source.spec),
        as_padding(how.padding, source.spec.padding, source.strings),
        how.overflow,
    )

    @lru_cache(maxsize=2)  # the parts of a text, and of a pair, stand side by side
    def place(sample: int, text: int) -> Placed:
        return _placed(source, columns[text], sample, bare)

    return ModelInputs(batches, shape, place)


def in_template(batch: Batch, spec: TokenizerSpec) -> Batch:
    """Ids of texts with what the tokenizer's template puts around each."""
    shape = Shape(layout(spec.post_processor, 1, True), None, None, False)
    ids, lengths = gathered([batch], rows_of([batch], shape), shape.items)
    return Batch(ids, np.concatenate([[0], lengths.sum(axis=1).cumsum()]).astype(np.int64))


def _items(source: Source, texts: int, asked: Asked) -> list[Item]:
    """What stands in a row, in order."""
    _, add, begin, end, _ = asked or (None, False, None, None, False)
    names = {id: token for token, id in source.strings.special.items()}
    begins, ends = ([] if id is None else [Item((names[id], id), 0)] for id in (begin, end))
    return [*begins, *layout(source.spec.post_processor, texts, add), *ends]


def _placed(source: Source, column: Texts, sample: int, special: Asked) -> Placed:
    """The tokens of one text with their places; a word that was given is a word."""
    tokens: list[str] = []
    word_ids: list[int] = []
    spans: list[Span] = []
    for number, text in enumerate(column.strings_of(sample)):
        ids, flat, named, reaches, met, _, _, words = source.core.encode_spans(text, special)
        tokens += source.strings.shown(ids.tolist(), met)
        word_ids += words.tolist() if column.bounds is None else [number] * len(ids)
        flat, named = flat.reshape(-1, 2), named.reshape(-1, 2)
        spans += places(source.spec, text, flat, named, reaches).library

    def spans_of(start: int, end: int) -> list[Span]:
        return trimmed(source.spec, tokens[start:end], spans[start:end])

    return Placed(tokens, word_ids, spans_of)


def _as_truncation(truncation: Truncation | int | None, spec: TokenizerSpec) -> Truncation | None:
    """How rows are cut; True is what the file says, a number a limit.

    Raises:
        OptionError: it is something else, or the file says nothing.
    """
    if truncation is True and spec.truncation is None:
        raise OptionError(
            "truncation=True is what the tokenizer's file says, and this one says nothing; give a "
            "number of tokens, or kugiri.Truncation(max_length=...)"
        )
    if truncation is None or isinstance(truncation, bool):
        return spec.truncation if truncation else None
    if isinstance(truncation, Integral):
        return Truncation(as_whole("truncation", truncation, 1))
    if not isinstance(truncation, Truncation):
        raise OptionError(
            f"truncation is a number of tokens, a kugiri.Truncation, or True for the file's; "
            f"{described(truncation)} came"
        )
    return truncation


def _as_pairs(pairs: Any, texts: Texts) -> Texts:
    """The second texts, one for each first.

    Raises:
        OptionError: there are more or fewer.
    """
    column = as_column(pairs, "pairs")
    if len(column) != len(texts):
        raise OptionError(
            f"pairs has {len(column)} texts and texts has {len(texts)}; each needs its second one"
        )
    return column
