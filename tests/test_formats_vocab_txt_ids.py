"""The ids of BERT's vocab.txt, with tokenizers as the oracle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kugiri
from tests.conftest import sliced
from tests.test_formats_vocab_txt import VOCAB
from tools.parity_data import HOW_TO_GET

TEXTS = [
    "", "low lower lowest", "Lower, NEW.", "猫は猫", "é É e\u0301 café", "ab  a\tb\u3000a",
    "[CLS] low [MASK]", "lowerlower" * 20, "a\x00b\ufffd", "\u200b", "x",
]  # fmt: skip
CONFIGS = [
    {},
    {"do_lower_case": False},
    {"strip_accents": False},
    {"do_lower_case": False, "strip_accents": True},
    {"tokenize_chinese_chars": False},
]


def pair(folder: Path, vocab: bytes, config: dict[str, bool]) -> tuple[kugiri.Tokenizer, Any]:
    """Ours from the files, theirs from the same with the same settings."""
    tokenizers = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    (folder / "vocab.txt").write_bytes(vocab)
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    theirs = tokenizers.BertWordPieceTokenizer(
        str(folder / "vocab.txt"),
        lowercase=config.get("do_lower_case", True),
        strip_accents=config.get("strip_accents"),
        handle_chinese_chars=config.get("tokenize_chinese_chars", True),
    )
    return kugiri.load(folder), theirs


@pytest.mark.parametrize("config", CONFIGS)
def test_ids(config: dict[str, bool], tmp_path: Path) -> None:
    ours, theirs = pair(tmp_path, VOCAB, config)
    for text in TEXTS:
        around = theirs.encode(text)
        assert ours.encode(text, add_special_tokens=True, allowed_special="all") == around.ids
        plain = theirs.encode(text, add_special_tokens=False)
        assert ours.encode(text, allowed_special="all") == plain.ids
        assert ours.decode(plain.ids) == theirs.decode(plain.ids, skip_special_tokens=False)


@pytest.mark.parametrize("config", CONFIGS)
def test_ids_of_a_trained_vocabulary(config: dict[str, bool], tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    lines = sliced("neko.txt").splitlines() + sliced("botchan.txt").splitlines()
    trained = tokenizers.BertWordPieceTokenizer()
    trained.train_from_iterator(lines, vocab_size=1500, show_progress=False)
    vocab = trained.get_vocab()
    data = "".join(f"{token}\n" for token in sorted(vocab, key=vocab.__getitem__)).encode()
    ours, theirs = pair(tmp_path, data, config)
    for line in lines:
        assert ours.encode(line) == theirs.encode(line, add_special_tokens=False).ids
