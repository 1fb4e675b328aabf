"""One text, cut by several tokenizers: counts of all of it, tokens of a window.

Rule.    A token differs if not every other tokenizer has a token over the same characters. Tokens
         of a window are those that begin in it.
Cost.    That of encoding the whole text with places, once for each tokenizer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kugiri.encoding import Encoding
from kugiri.errors import KugiriError
from kugiri.explain.glyphs import is_bytes
from kugiri.explain.readings import read
from kugiri.spec import is_byte_level
from kugiri.tokenizer import Tokenizer
from kugiri.web import requests as asked
from kugiri.web.answers import options
from kugiri.web.store import Store

_Spans = npt.NDArray[np.int64]


def tokens(store: Store, its: asked.Tokens) -> dict[str, Any]:
    """The columns of a text."""
    size = len(its.text.encode())
    encoded: list[tuple[str, Tokenizer, Encoding | KugiriError]] = []
    for name in its.tokenizers:
        tokenizer = store.named(name)
        try:
            found = tokenizer.encode_with_offsets(its.text, **options(its))
            encoded.append((name, tokenizer, found))
        except KugiriError as error:
            encoded.append((name, tokenizer, error))
    spans = [_window(it, its) for _, _, it in encoded if isinstance(it, Encoding)]
    common = set.intersection(*({*map(tuple, it.tolist())} for it in spans)) if spans else set()
    least = min((len(it) for _, _, it in encoded if isinstance(it, Encoding)), default=0)
    end = its.start + its.characters
    return {
        "characters": len(its.text),
        "bytes": size,
        "columns": [
            {"name": name, **_column(tokenizer, it, its, size, least, common)}
            if isinstance(it, Encoding)
            else {"name": name, "error": str(it)}
            for name, tokenizer, it in encoded
        ],
        "next": end if end < len(its.text) else None,
    }


def _window(encoding: Encoding, its: asked.Tokens) -> _Spans:
    spans = np.array(encoding.covering_spans, np.int64).reshape(-1, 2)
    return spans[(spans[:, 0] >= its.start) & (spans[:, 0] < its.start + its.characters)]


def _column(
    tokenizer: Tokenizer,
    encoding: Encoding,
    its: asked.Tokens,
    size: int,
    least: int,
    common: set[tuple[int, ...]],
) -> dict[str, Any]:
    model = tokenizer.spec.model
    column = getattr(model, "scores", None)
    scores = None if column is None else column.values
    count = len(encoding)
    starts = np.array([start for start, _ in encoding.covering_spans], np.int64)
    within = np.flatnonzero((starts >= its.start) & (starts < its.start + its.characters))
    visible = is_byte_level(tokenizer.spec)
    shown = []
    for at in within.tolist():
        id, span = int(encoding.ids[at]), encoding.covering_spans[at]
        text = read(encoding.tokens[at], visible)
        shown.append(
            {
                "id": id,
                "text": text,
                "bytes": tokenizer.token_bytes(id).hex(),
                "start": span[0],
                "end": span[1],
                "differs": len(its.tokenizers) > 1 and span not in common,
                "special": encoding.special[at],
                "part": is_bytes(text),
                "rank": None,
                "score": None if scores is None or id >= len(scores) else float(scores[id]),
            }
        )
    decoded = tokenizer.decode(encoding.ids, skip_special_tokens=its.add_special_tokens)
    return {
        "count": count,
        "bytes_per_token": size / count if count else None,
        "characters_per_token": len(its.text) / count if count else None,
        "exact": decoded == its.text,
        "unknown": 0,
        "more_than_least": count / least if least else None,
        "tokens": shown,
        "error": None,
    }
