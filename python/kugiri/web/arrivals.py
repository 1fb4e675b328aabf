"""Tokenizer files that come by the page.

Rule.    A tokenizer that is there already is not kept twice: the answer is the one that is there.
         A .tiktoken file that does not say how it splits needs the name of a pattern; one that is
         well-formed is answered with 422, so that the page can ask for it.
Cost.    That of loading the file, and a comparison with each tokenizer that is there.
"""

from __future__ import annotations

import kugiri
from kugiri.errors import FormatError, choose
from kugiri.formats import lacks_pattern
from kugiri.formats.source import Source
from kugiri.patterns import PATTERNS
from kugiri.tokenizer import Tokenizer
from kugiri.web.failures import Failure
from kugiri.web.store import Kept, Store


def arrive(store: Store, name: str, data: bytes, pattern: str | None) -> Kept:
    """Keep the tokenizer of a file under a name like this, or find that it is there.

    Raises:
        FormatError: it is no tokenizer.
        Failure: it needs the name of a pattern, or there are as many as can be kept.
    """
    if pattern is not None:
        choose("pattern", pattern, PATTERNS)
    tokenizer = _loaded(data, pattern)
    return store.twin(tokenizer) or store.add(name, tokenizer, "dropped")


def _loaded(data: bytes, pattern: str | None) -> Tokenizer:
    try:
        return kugiri.load(data, pattern=pattern)
    except FormatError as error:
        if pattern is not None or not lacks_pattern(Source(data)):
            raise
        kugiri.load(data, pattern=next(iter(PATTERNS)))  # which refuses what is malformed besides
        raise Failure(422, str(error)) from error
