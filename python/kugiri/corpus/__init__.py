"""Reading a corpus: from whatever names it to blocks of bytes or batches of texts."""

from __future__ import annotations

from kugiri.corpus.blocks import Block, read, read_blocks, read_texts
from kugiri.corpus.sources import STDIN, Corpus, find_files

__all__ = [
    "STDIN",
    "Block",
    "Corpus",
    "find_files",
    "read",
    "read_blocks",
    "read_texts",
]
