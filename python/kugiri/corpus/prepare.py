"""Preparing text: documents to the files that training, sweeps and measurements read.

Rule.    The side of a document is decided before anything else, by its text as it came; then its
         tags go and its code is taken out, then it becomes lines if asked, and of what is for
         training one in so many is kept.
Cost.    One document at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import NamedTuple

from kugiri.corpus.clean import clean
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
    markup: bool = False,
    lines: bool = False,
    every: int = 1,
) -> LeftOut:
    """Write documents, each with whether it is for evaluation, to their sides.

    Args:
        documents: what `split` yields.
        training: where documents for training go.
        evaluation: where the others go; needed if there are any.
        markup: whether the documents are HTML or Markdown, whose tags and code go.
        lines: whether each line becomes a document.
        every: keep one in so many of those for training.
    """
    code = left_out = 0
    numbers = count()
    for document, held in documents:
        side = evaluation if held else training
        assert side is not None, "documents for evaluation have somewhere to go"
        text, blocks = clean(document.text) if markup else (document.text, [])
        code += write_code(blocks, side.code)
        whole = Document(text, document.path)
        for part in lines_of([whole]) if lines and text else [whole]:
            if held or not part.text or next(numbers) % every == 0:
                side.text.write(part.text)
            else:
                left_out += 1
    return LeftOut(code, left_out)


def write_code(blocks: list[str], code: DocumentWriter | None) -> int:
    """Write blocks of code, in a file of text line by line; return how many have no place."""
    if code is None:
        return len(blocks)
    for block in blocks:
        if code.records:
            code.write(block)
        else:
            for line in lines_of([Document(block)]):
                code.write(line.text)
    return 0
