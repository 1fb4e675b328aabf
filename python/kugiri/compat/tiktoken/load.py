"""The ranks of a file, under tiktoken's own name for the place where they are read."""

from __future__ import annotations

import hashlib
from os import PathLike

from kugiri.errors import FormatError
from kugiri.formats.source import open_source
from kugiri.formats.tiktoken import read_ranks


def load_tiktoken_bpe(
    tiktoken_bpe_file: str | PathLike[str], expected_hash: str | None = None
) -> dict[bytes, int]:
    """Return the tokens of a .tiktoken file with their ranks.

    Raises:
        FormatError: there is no such file, it is malformed, or has another SHA-256; a ValueError.
    """
    source = open_source(tiktoken_bpe_file)
    if expected_hash and hashlib.sha256(source.data).hexdigest() != expected_hash:
        raise FormatError(
            "the SHA-256 of this file is another one than expected_hash; fetch it anew", source.path
        )
    tokens, ids = read_ranks(source.data)
    ranks = range(len(tokens)) if ids is None else ids.values.tolist()
    return dict(zip(tokens, ranks, strict=True))
