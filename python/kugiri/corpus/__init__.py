"""Reading a corpus: from whatever names it to blocks of bytes or batches of texts."""

from __future__ import annotations

from kugiri.corpus.blocks import BLOCK_BYTES, Block, read, read_blocks, read_texts
from kugiri.corpus.sources import STDIN, Corpus, find_files, split_kinds

__all__ = [
    "BLOCK_BYTES",
    "STDIN",
    "Block",
    "Corpus",
    "find_files",
    "read",
    "read_blocks",
    "read_texts",
    "split_kinds",
]
