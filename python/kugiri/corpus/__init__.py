"""Reading and preparing a corpus: from whatever names it to documents.

What names files stands in sources.py, where a document ends in reading.py.
"""

from __future__ import annotations

from kugiri.corpus.blocks import Block, read_blocks
from kugiri.corpus.documents import Document, Texts, read, read_documents
from kugiri.corpus.reading import Reading
from kugiri.corpus.sources import STDIN, Corpus, find_files

__all__ = [
    "STDIN",
    "Block",
    "Corpus",
    "Document",
    "Reading",
    "Texts",
    "find_files",
    "read",
    "read_blocks",
    "read_documents",
]
