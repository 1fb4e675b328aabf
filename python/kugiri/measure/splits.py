"""A few texts as each tokenizer cuts them, to look at.

Rule.    The beginnings of documents that are drawn at random, in the order of the corpus. What
         cannot be seen is shown by its name (explain/glyphs.py); a token that is no whole character
         by its bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kugiri.explain.glyphs import visible
from kugiri.explain.vocabulary import reading
from kugiri.measure.corpora import MeasuredText
from kugiri.measure.named import Named
from kugiri.measure.report import Split
from kugiri.reference.vocab import show
from kugiri.tokenizer import Tokenizer

TEXTS = 3
"""How many of a corpus."""

LENGTH = 60
"""Characters of each."""


def splits_of(texts: Sequence[MeasuredText], tokenizers: Sequence[Named], seed: int) -> list[Split]:
    """Some beginnings of documents as each tokenizer cuts them; the same lines of aligned texts."""
    splits = []
    for text in texts:
        documents = text.whole.documents
        filled = np.flatnonzero(text.whole.characters)
        order = np.random.default_rng((seed, 2)).permutation(len(documents))
        drawn = [at for at in order.tolist() if documents[at]][:TEXTS] if len(filled) else []
        for at in sorted(drawn):
            splits.append(_split(text.name, documents[at][:LENGTH], tokenizers))
    return splits


def _split(corpus: str, text: str, tokenizers: Sequence[Named]) -> Split:
    encodings = {it.name: (it.able, it.able.encode_with_offsets(text)) for it in tokenizers}
    tokens = {
        name: [_shown(tokenizer, token) for token in encoding.tokens]
        for name, (tokenizer, encoding) in encodings.items()
    }
    spans = {name: encoding.covering_spans for name, (_, encoding) in encodings.items()}
    return Split(corpus=corpus, text=text, tokens=tokens, spans=spans)


def _shown(tokenizer: Tokenizer, token: str) -> str:
    read = reading(tokenizer, token)
    return visible(read if isinstance(read, str) else show(read))
