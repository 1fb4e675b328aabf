"""Trainings that sentencepiece and kugiri are compared in: tables of options, and random ones."""

from __future__ import annotations

import io
import random
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import kugiri
from kugiri.errors import KugiriWarning
from kugiri.presets import SENTENCEPIECE_PRESETS
from kugiri.spec import TokenizerSpec
from tests.sentencepiece_models import BACK, RULES, SYMBOLS, oracle_sentencepiece, random_text

Options = dict[str, Any]
SIZES = {"botchan.txt": 700, "neko.txt": 1700}

MATRIX: dict[str, Options] = {
    "as usual": {},
    "small": {"vocab_size": 1100, "character_coverage": 0.98},
    "to the end": {"vocab_size": 90_000, "hard_vocab_limit": False},
    "identity": {"normalization_rule_name": "identity"},
    "nfkc": {"normalization_rule_name": "nfkc"},
    "folded": {"normalization_rule_name": "nmt_nfkc_cf"},
    "rules": {"normalization_rule_tsv": RULES, "denormalization_rule_tsv": BACK},
    "no prefix": {"add_dummy_prefix": False},
    "spaces as they are": {"remove_extra_whitespaces": False},
    "any script": {"split_by_unicode_script": False},
    "numbers": {"split_by_number": False},
    "digits": {"split_digits": True},
    "digits of any script": {"split_digits": True, "split_by_unicode_script": False},
    "across spaces": {"split_by_whitespace": False},
    "anything": {
        "split_by_whitespace": False,
        "split_by_number": False,
        "split_by_unicode_script": False,
    },
    "suffix": {"treat_whitespace_as_suffix": True},
    "suffix across spaces": {"treat_whitespace_as_suffix": True, "split_by_whitespace": False},
    "spaces together": {"allow_whitespace_only_pieces": True, "remove_extra_whitespaces": False},
    "suffix, spaces together": {
        "allow_whitespace_only_pieces": True,
        "remove_extra_whitespaces": False,
        "treat_whitespace_as_suffix": True,
    },
    "all characters": {"character_coverage": 1.0, "vocab_size": 2200},
    "few characters": {"character_coverage": 0.98},
    "required": {"required_chars": "鬱㊙xyz"},
    "bytes": {"byte_fallback": True},
    "bytes, no unknown": {"byte_fallback": True, "unk_id": -1, "bos_id": 0, "eos_id": 1},
    "characters against merges": {"byte_fallback": True, "auto_character_coverage": True},
    "short": {"max_sentencepiece_length": 3},
    "long": {"max_sentencepiece_length": 200, "split_by_whitespace": False},
    "symbols": {"user_defined_symbols": SYMBOLS, "control_symbols": ["<cls>", "<mask>"]},
    "begin and end as text": {"user_defined_symbols": ["<s>", "</s>"]},
    "ids": {"unk_id": 2, "bos_id": -1, "eos_id": 9, "pad_id": 0},
    "names": {"unk_piece": "[UNK]", "bos_piece": "[B]", "eos_piece": "[E]", "unk_surface": "?"},
    "delimiter": {"pretokenization_delimiter": "の"},
    "short lines": {"max_sentence_length": 90},
    "llama2": {
        name: value
        for name, value in SENTENCEPIECE_PRESETS["llama2"].items()
        if name not in ("model_type", "vocab_size")
    },
}

PLAIN: dict[str, Options] = {
    "as usual": {},
    "few": {"vocab_size": 40},
    "all": {"use_all_vocab": True},
    "symbols": {"user_defined_symbols": SYMBOLS},
    "suffix": {"treat_whitespace_as_suffix": True},
    "bytes": {"byte_fallback": True, "character_coverage": 0.98},
    "required": {"required_chars": "鬱㊙xyz"},
}


def with_files(options: Options, folder: Path) -> Options:
    """The options, with tables of rules in files."""
    options = dict(options)
    for name in options.keys() & {"normalization_rule_tsv", "denormalization_rule_tsv"}:
        path = folder / name
        path.write_text(options[name], encoding="utf-8")
        options[name] = str(path)
    return options


def theirs(texts: Sequence[str], options: Options) -> bytes:
    """The .model that sentencepiece trains."""
    writer = io.BytesIO()
    oracle_sentencepiece().SentencePieceTrainer.train(
        sentence_iterator=iter(texts), model_writer=writer, minloglevel=2, **options
    )
    return writer.getvalue()


def ours(texts: Sequence[str], options: Options) -> kugiri.Tokenizer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KugiriWarning)
        return kugiri.train(list(texts), preset="sentencepiece", **options)


def rows(spec: TokenizerSpec) -> list[tuple[str, float, int]]:
    """Pieces with scores and types, in order of id."""
    model: Any = spec.model
    columns = (model.vocab, model.scores.values.tolist(), model.piece_types.values.tolist())
    return [(piece.decode(), score, type) for piece, score, type in zip(*columns, strict=True)]


# ── random trainings ──────────────────────────────────────────────────────────────────────────
SOMETIMES: dict[str, Sequence[Any]] = {
    "treat_whitespace_as_suffix": (True,),
    "add_dummy_prefix": (False,),
    "remove_extra_whitespaces": (False,),
    "byte_fallback": (True,),
    "character_coverage": (0.98, 0.99, 0.9999, 1.0),
    "normalization_rule_name": ("nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity"),
    "user_defined_symbols": (["<a>"], ["の", "ので", "▁"], ["e", "er", "a b"], ["▁▁", "\t"]),
    "control_symbols": (["<x>"], ["a", "</s>"]),
    "required_chars": ("鬱", "㊙\ufe0fxyz"),
    "max_sentence_length": (10, 100, 1000),
    "pad_id": (3, 7),
}
SOMETIMES_BPE: dict[str, Sequence[Any]] = {
    "split_by_unicode_script": (False,),
    "split_by_number": (False,),
    "split_by_whitespace": (False,),
    "split_digits": (True,),
    "allow_whitespace_only_pieces": (True,),
    "max_sentencepiece_length": (1, 2, 3, 5, 30, 512),
    "pretokenization_delimiter": ("の", "the", " ", "|"),
}


def random_training(
    seed: int, sources: Mapping[str, Sequence[str]]
) -> tuple[tuple[str, ...], Options]:
    """Some lines of a source, or random texts, and options; always the same for a seed."""
    numbers = random.Random(seed)
    source = sources[numbers.choice(sorted(sources))]
    start, size = numbers.randrange(len(source)), numbers.choice([3, 50, 400])
    texts = tuple(source[start : start + size])
    if numbers.random() < 0.25 or not any(text.strip() for text in texts):
        texts = ("a", *(random_text(numbers) for _ in range(size)))
    kind = numbers.choice(["bpe", "bpe", "bpe", "word", "char"])
    table = {**SOMETIMES, **(SOMETIMES_BPE if kind == "bpe" else {})}
    options = {
        name: numbers.choice(values) for name, values in table.items() if numbers.random() < 0.25
    }
    options |= {"model_type": kind, "hard_vocab_limit": False}
    if options.get("max_sentence_length", 4192) < 1000 and not any(
        0 < len(text.encode()) <= options["max_sentence_length"] for text in texts
    ):
        del options["max_sentence_length"]
    if kind == "bpe" and "required_chars" not in options and options.get("byte_fallback"):
        options["auto_character_coverage"] = numbers.random() < 0.4
    options["vocab_size"] = numbers.choice([3000, 9000])
    return texts, options
