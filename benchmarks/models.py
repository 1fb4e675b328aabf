"""The .model files of the benchmark, which it has sentencepiece train when they are first needed.

`unigram-8k` is a Unigram model of 8,000 pieces, trained on the text that is measured and kept in
the ignored folder `.cache/bench`.
"""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path

from benchmarks.texts import CACHE, prepare

NAME = re.compile(r"(unigram|bpe)-(\d+)k")
TRAINING_BYTES = 4_000_000


def is_model(tokenizer: str) -> bool:
    """Whether the benchmark trains this tokenizer itself."""
    return NAME.fullmatch(tokenizer) is not None


@cache
def prepare_model(tokenizer: str, text: str, *, quick: bool) -> Path:
    """The file of a model for a text; trained on lines from all over it, 4 MB in all."""
    match = NAME.fullmatch(tokenizer)
    if match is None:
        raise ValueError(f"{tokenizer!r} is no model of the benchmark; write unigram-8k or bpe-32k")
    source = prepare(text, quick=quick)
    path = CACHE / f"{source.stem}-{tokenizer}.model"
    if not path.is_file():
        lines = source.read_text(encoding="utf-8").split("\n")
        step = 1 + source.stat().st_size // TRAINING_BYTES
        partial = path.with_suffix(".partial")
        with partial.open("wb") as file:
            importlib.import_module("sentencepiece").SentencePieceTrainer.train(
                sentence_iterator=(line for line in lines[::step] if line),
                model_writer=file,
                model_type=match[1],
                vocab_size=int(match[2]) * 1000,
                byte_fallback=True,
                hard_vocab_limit=False,
                minloglevel=2,
            )
        partial.replace(path)
    return path
