"""Preparing text: documents to the files that training, sweeps and measurements read.

Rule.    Documents come cleaned, and with their side (split.py). Here they become lines if asked,
         and of what is for training one in so many is kept.
Cost.    One document at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import NamedTuple

from kugiri.corpus.documents import Document
from kugiri.corpus.split import lines_of
from kugiri.corpus.write import DocumentWriter


class Side(NamedTuple):
    """Where the text of one side goes, and its code, if that is kept.

    Attributes:
        text: for the documents.
        code: for their blocks of code.
    """

    text: DocumentWriter
    code: DocumentWriter | None = None


class LeftOut(NamedTuple):
    """What was not written, beside documents without text.

    Attributes:
        code: blocks of code that had nowhere to go.
        training: documents for training that were not one in so many.
    """

    code: int = 0
    training: int = 0


def prepare(
    documents: Iterable[tuple[Document, bool]],
    training: Side,
    evaluation: Side | None = None,
    *,
    lines: bool = False,
    every: int = 1,
) -> LeftOut:
    """Write documents, each with whether it is for evaluation, to their sides.

    Args:
        documents: what `split` yields.
        training: where documents for training go.
        evaluation: where the others go; needed if there are any.
        lines: whether each line becomes a document.
        every: keep one in so many of those for training.
    """
    code = left_out = 0
    numbers = count()
    for document, held in documents:
        side = evaluation if held else training
        assert side is not None, "documents for evaluation have somewhere to go"
        text, path, blocks = document
        code += write_code(blocks, side.code)
        whole = [] if blocks and not text else [Document(text, path)]
        for part in lines_of(whole) if lines and text else whole:
            if held or not part.text or next(numbers) % every == 0:
                side.text.write(part.text)
            else:
                left_out += 1
    return LeftOut(code, left_out)


def write_code(blocks: Sequence[str], code: DocumentWriter | None) -> int:
    """Write blocks of code, each a document; return how many have no place."""
    if code is None:
        return len(blocks)
    for block in blocks:
        code.write(block)
    return 0
