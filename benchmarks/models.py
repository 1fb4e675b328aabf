"""The models that the benchmark has the original libraries train when they are first needed.

`unigram-8k` and `bpe-32k` are `.model` files of sentencepiece; `unigram-json-32k` is a
tokenizer.json with the pieces and scores of such a model, `wordpiece-32k` one that HF trains as
BERT's. Each is made from lines of the text that is measured, and kept in `.cache/bench`.
"""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.texts import CACHE, prepare

NAME = re.compile(r"(unigram|bpe|unigram-json|wordpiece)-(\d+)k")
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
    kind, size = match[1], int(match[2]) * 1000
    source = prepare(text, quick=quick)
    is_json = kind in ("unigram-json", "wordpiece")
    path = CACHE / f"{source.stem}-{tokenizer}{'.json' if is_json else '.model'}"
    if not path.is_file():
        partial = path.with_suffix(".partial")
        if kind == "unigram-json":
            original = prepare_model(f"unigram-{match[2]}k", text, quick=quick)
            _as_tokenizer_json(original).save(str(partial))
        elif kind == "wordpiece":
            _wordpiece(_training_lines(source), size).save(str(partial))
        else:
            _sentencepiece(_training_lines(source), kind, size, partial)
        partial.replace(path)
    return path


def _training_lines(source: Path) -> list[str]:
    lines = source.read_text(encoding="utf-8").split("\n")
    step = 1 + source.stat().st_size // TRAINING_BYTES
    return [line for line in lines[::step] if line]


def _sentencepiece(lines: list[str], kind: str, size: int, path: Path) -> None:
    with path.open("wb") as file:
        importlib.import_module("sentencepiece").SentencePieceTrainer.train(
            sentence_iterator=iter(lines),
            model_writer=file,
            model_type=kind,
            vocab_size=size,
            byte_fallback=True,
            hard_vocab_limit=False,
            minloglevel=2,
        )


def _as_tokenizer_json(model: Path) -> Any:
    """The pieces of a Unigram .model behind NFKC and Metaspace, as many tokenizer.json are."""
    hf = importlib.import_module("tokenizers")
    processor = importlib.import_module("sentencepiece").SentencePieceProcessor(
        model_file=str(model)
    )
    ids = range(processor.get_piece_size())
    pieces = [(processor.id_to_piece(id), processor.get_score(id)) for id in ids]
    tokenizer = hf.Tokenizer(hf.models.Unigram(pieces, processor.unk_id(), byte_fallback=True))
    tokenizer.normalizer = hf.normalizers.NFKC()
    tokenizer.pre_tokenizer = hf.pre_tokenizers.Metaspace()
    tokenizer.decoder = hf.decoders.Metaspace()
    tokenizer.add_special_tokens([piece for piece, _ in pieces[:3]])  # unknown, begin, end
    return tokenizer


def _wordpiece(lines: list[str], size: int) -> Any:
    """BERT's normalizer, words and special tokens around a WordPiece vocabulary."""
    hf = importlib.import_module("tokenizers")
    tokenizer = hf.Tokenizer(hf.models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = hf.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = hf.pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = hf.decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = hf.trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=special, show_progress=False
    )
    tokenizer.train_from_iterator(lines, trainer)
    return tokenizer
