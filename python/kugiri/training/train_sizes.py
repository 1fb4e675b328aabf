"""train_sizes: one run of BPE or WordPiece, and a tokenizer for each of several sizes.

Rule.    The merges of a smaller vocabulary are the first ones of a larger. So the largest is
         trained, and each smaller one is what training with its own size would have given: the
         same rows, the same record.
Cost.    One run of `train`, and a copy of the vocabulary for each size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from kugiri.corpus import Corpus
from kugiri.errors import OptionError, VocabularyError
from kugiri.inputs import as_sizes, as_whole
from kugiri.sentencepiece.asked import by_name
from kugiri.spec import BPE, TokenizerSpec
from kugiri.tables import Merges, Tokens
from kugiri.tokenizer import Tokenizer
from kugiri.train import begin, warn
from kugiri.training.options import model_of
from kugiri.training.trainers import MERGING, add_specials, merge_notes
from kugiri.training.word_counts import WordCounts


def train_sizes(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    *,
    vocab_sizes: Iterable[int],
    model: str | None = None,
    preset: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    **options: Any,
) -> dict[int, Tokenizer]:
    """Train once and give a tokenizer for each size: smaller vocabularies are the first rows.

    Args:
        corpus: as for `train`.
        vocab_sizes: the sizes, everything counted.
        model: "bpe" or "wordpiece"; None is that of the preset, or "bpe".
        preset: as for `train`.
        seed: as for `train`.
        threads: as for `train`.
        **options: as for `train`.

    Raises:
        OptionError: no sizes, or another model.
        VocabularyError: the smallest size does not hold the alphabet.

    Example:
        >>> toks = train_sizes(["low lower lowest"] * 9, vocab_sizes=[256, 258])
        >>> {size: tok.encode("low") for size, tok in toks.items()}
        {256: [108, 111, 119], 258: [257]}
    """
    as_whole("seed", seed, None)
    sizes = as_sizes("vocab_sizes", vocab_sizes)
    if model not in (None, *MERGING):
        raise OptionError(
            f"train_sizes is for model='bpe' or 'wordpiece', whose smaller vocabularies are in the "
            f"larger; for model={model!r} call train for each size"
        )
    if by_name(model, preset, options) is not None:
        raise OptionError(
            "train_sizes knows no options of spm_train and no preset of SentencePiece; call train "
            "for each size"
        )
    model = model_of(model, preset)
    run = begin(corpus, model, preset, threads, {"vocab_size": sizes[-1], **options})
    largest, learned = MERGING[model](run.counts, run.options)
    toks, notes = {}, []
    for size in sizes:
        asked = replace(run.options, vocab_size=size)
        spec = _first_rows(largest, size, keeps_alphabet=asked.compatibility == "tokenizers")
        full = len(spec.model.vocab) >= size
        known = msgspec.structs.replace(learned, exhausted=not full)
        of_size = merge_notes(known, len(spec.model.vocab), asked)
        toks[size] = replace(run, options=asked).finish(spec, of_size)
        notes += toks[size].training["warnings"]
    warn(dict.fromkeys(notes))
    return toks


def _first_rows(spec: TokenizerSpec, size: int, keeps_alphabet: bool) -> TokenizerSpec:
    """The spec that training with a smaller `vocab_size` would have given."""
    model = spec.model
    specials = tuple(token.content for token in spec.added_tokens)
    smallest = spec.training["alphabet"] + len(specials)
    if size < smallest and not keeps_alphabet:
        bytes_alone = isinstance(model, BPE) and model.unit == "byte"
        fewer = "" if bytes_alone else ", or keep fewer characters with limit_alphabet"
        raise VocabularyError(
            f"vocab_size={size} is too small: the smallest is {smallest}, the alphabet and the "
            f"special tokens; leave this size out{fewer}"
        )
    size = max(size, smallest)
    if size >= len(model.vocab):
        return spec
    specials_first = bool(specials) and spec.added_tokens[0].id == 0
    moved = len(specials) if specials_first else 0
    pieces = model.vocab[moved : moved + size - len(specials)]
    vocab, added = add_specials(Tokens.from_iter(pieces), specials, first=specials_first)
    smaller = msgspec.structs.replace(model, vocab=vocab)
    if isinstance(smaller, BPE) and smaller.merges is not None:
        too_new = np.flatnonzero(smaller.merges.result >= moved + len(pieces))
        rows = int(too_new[0]) if len(too_new) else len(smaller.merges)
        columns = {name: column[:rows] for name, column in smaller.merges.columns().items()}
        smaller = msgspec.structs.replace(smaller, merges=Merges(**columns))
    return msgspec.structs.replace(spec, model=smaller, added_tokens=added)
