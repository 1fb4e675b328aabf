"""vocab.txt of BERT: read, written, refused; the parts as tokenizers itself makes them."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri import spec
from kugiri.errors import FormatError, KugiriWarning
from kugiri.formats import read_content, tokenizer_json, vocab_txt, write_content
from kugiri.spec import AddedToken, BertNormalizer
from tests.test_formats_gpt2_files import beside
from tests.test_spec import BERT
from tools.parity_data import HOW_TO_GET

NAMES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = ["low", "##er", "##est", "new", "猫", "は", "é", "e", "##é", "a", "##b", ",", "."]
VOCAB = "".join(f"{token}\n" for token in [*NAMES, *WORDS]).encode()


def around(cls: tuple[str, int], sep: tuple[str, int]) -> spec.TemplateProcessing:
    first = (spec.SpecialPiece(cls[0]), spec.SequencePiece("A"), spec.SpecialPiece(sep[0]))
    return spec.TemplateProcessing(
        first,
        (*first, spec.SequencePiece("B", 1), spec.SpecialPiece(sep[0], 1)),
        {name: spec.TemplateToken(name, (id,), (name,)) for name, id in (cls, sep)},
    )


def test_read_alone() -> None:
    read = vocab_txt.read(VOCAB)
    assert read == spec.TokenizerSpec(
        model=spec.WordPiece(spec.Tokens.from_iter(it.encode() for it in [*NAMES, *WORDS])),
        added_tokens=tuple(AddedToken(id, name) for id, name in enumerate(NAMES)),
        normalizer=BertNormalizer(),
        pre_tokenizer=spec.BertPreTokenizer(),
        post_processor=around(("[CLS]", 2), ("[SEP]", 3)),
        decoder=spec.WordPieceDecoder(),
        origin="tokenizer.json",
    )


@pytest.mark.parametrize("config", [
    {},
    {"do_lower_case": False},
    {"do_lower_case": True, "strip_accents": False},
    {"do_lower_case": False, "strip_accents": True},
    {"tokenize_chinese_chars": False},
])  # fmt: skip
def test_the_parts_are_those_of_tokenizers(config: dict[str, bool], tmp_path: Path) -> None:
    """BertWordPieceTokenizer is what BertTokenizerFast once was made by."""
    tokenizers = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    (tmp_path / "vocab.txt").write_bytes(VOCAB)
    oracle = tokenizers.BertWordPieceTokenizer(
        str(tmp_path / "vocab.txt"),
        lowercase=config.get("do_lower_case", True),
        strip_accents=config.get("strip_accents"),
        handle_chinese_chars=config.get("tokenize_chinese_chars", True),
    )
    theirs = tokenizer_json.read(oracle.to_str().encode())
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    ours = kugiri.load(tmp_path).spec
    for part in ("model", "normalizer", "pre_tokenizer", "decoder"):
        assert getattr(ours, part) == getattr(theirs, part), part
    assert theirs.post_processor == spec.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    assert sorted(token.content for token in theirs.added_tokens) == sorted(NAMES)
    # What they saved is written as the same files.
    assert write_content(theirs, "vocab.txt") == write_content(ours, "vocab.txt")


@pytest.mark.parametrize(
    ("config", "change"),
    [
        ({"tokenizer_class": "DistilBertTokenizerFast", "model_max_length": 512}, {}),
        ({"mask_token": None}, {
            "added_tokens": tuple(AddedToken(id, name) for id, name in enumerate(NAMES[:4]))}),
        ({"cls_token": None},
         {"added_tokens": tuple(AddedToken(id, name) for id, name in enumerate(NAMES)
                                if name != "[CLS]"),
          "post_processor": None}),
        ({"additional_special_tokens": ["new"]},
         {"added_tokens": (*(AddedToken(id, name) for id, name in enumerate(NAMES)),
                           AddedToken(8, "new"))}),
        ({"mask_token": {"content": "[MASK]", "lstrip": True, "normalized": False}},
         {"added_tokens": (*(AddedToken(id, name) for id, name in enumerate(NAMES[:4])),
                           AddedToken(4, "[MASK]", lstrip=True))}),
    ],
)  # fmt: skip
def test_settings(config: dict[str, Any], change: dict[str, Any]) -> None:
    read = vocab_txt.read(VOCAB, beside=beside(config=config))
    assert read == msgspec.structs.replace(vocab_txt.read(VOCAB), **change)


def test_other_names_of_special_tokens() -> None:
    data = b"<pad>\n<unk>\n<s>\n</s>\nlow\n"
    config = {"unk_token": "<unk>", "cls_token": "<s>", "sep_token": "</s>", "pad_token": "<pad>"}
    read = vocab_txt.read(data, beside=beside(config=config))
    assert isinstance(read.model, spec.WordPiece)
    assert read.model.unk_token == "<unk>"
    assert read.post_processor == around(("<s>", 2), ("</s>", 3))
    assert read_content("vocab.txt", write_content(read, "vocab.txt")) == read


def test_line_ends_and_the_last_line() -> None:
    plain = vocab_txt.read(VOCAB)
    assert vocab_txt.read(VOCAB.replace(b"\n", b"\r\n")) == plain
    assert vocab_txt.read(VOCAB.replace(b"\n", b"\r")) == plain
    assert vocab_txt.read(VOCAB[:-1]) == plain
    # Other ends of lines are text, as is white space.
    odd = vocab_txt.read(VOCAB + "a\u2028b \n \n".encode())
    assert odd.model.vocab[-2:] == ["a\u2028b ".encode(), b" "]


def test_of_tokens_that_stand_twice_the_last_counts() -> None:
    with pytest.warns(KugiriWarning, match="1 lines of this vocab.txt stand again further down"):
        read = vocab_txt.read(b"[UNK]\nlow\nnew\nlow\n")
    assert read.model.ids is not None
    assert dict(zip(read.model.vocab, read.model.ids.values.tolist(), strict=True)) == {
        b"[UNK]": 0, b"new": 2, b"low": 3,
    }  # fmt: skip
    with pytest.raises(FormatError, match="numbers of its lines; these have holes"):
        write_content(read, "vocab.txt")


@pytest.mark.parametrize(
    ("data", "config", "message"),
    [
        (b"low\nnew\n", {}, "the unknown token '[UNK]' is not in the vocabulary; name the one"),
        (b"", {}, "the unknown token '[UNK]' is not in the vocabulary"),
        (VOCAB, {"unk_token": None}, "the unknown token None is not in the vocabulary"),
        (VOCAB + b"\xff", {}, "byte 78: a vocab.txt is UTF-8, and this is not"),
        (VOCAB, {"tokenizer_class": "BertJapaneseTokenizer"},
         "word_tokenizer_type of tokenizer_config.json is 'basic'"),
        (VOCAB, {"do_basic_tokenize": False}, "do_basic_tokenize of tokenizer_config.json is fal"),
        (VOCAB, {"do_lower_case": "yes"}, "do_lower_case of tokenizer_config.json is 'yes'"),
        (VOCAB, {"strip_accents": 1}, "strip_accents of tokenizer_config.json is 1; it must be"),
        (VOCAB, b"{", "tokenizer_config.json beside it is malformed"),
    ],
)  # fmt: skip
def test_malformed(data: bytes, config: dict[str, Any] | bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        vocab_txt.read(data, beside=beside(config=config))
    assert message in str(caught.value)


@given(st.binary(max_size=80), st.binary(max_size=80))
def test_hostile(data: bytes, config: bytes) -> None:
    for vocab in (data, VOCAB + data):
        with suppress(FormatError, KugiriWarning):
            vocab_txt.read(vocab, beside=beside(config=config))


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def test_written_files_are_read_again(tmp_path: Path) -> None:
    read = vocab_txt.read(VOCAB, beside=beside(config={"do_lower_case": False}))
    files = write_content(read, "vocab.txt")
    assert files["vocab.txt"] == VOCAB
    settings = json.loads(files["tokenizer_config.json"])
    del settings["added_tokens_decoder"]
    assert settings == {
        "tokenizer_class": "BertTokenizer", "do_lower_case": False, "strip_accents": None,
        "tokenize_chinese_chars": True, "unk_token": "[UNK]", "sep_token": "[SEP]",
        "pad_token": "[PAD]", "cls_token": "[CLS]", "mask_token": "[MASK]",
    }  # fmt: skip
    kugiri.Tokenizer(read).save(tmp_path / "bert-vocab.txt")
    assert kugiri.load(tmp_path / "bert-vocab.txt").spec == read


def test_only_the_unknown_token_must_be_special() -> None:
    read = vocab_txt.read(VOCAB)
    unknown = (AddedToken(1, "[UNK]"),)
    few = msgspec.structs.replace(read, added_tokens=unknown, post_processor=None)
    assert read_content("vocab.txt", write_content(few, "vocab.txt")) == few
    none = msgspec.structs.replace(few, added_tokens=())
    with pytest.raises(FormatError, match=r"no place for the added tokens .*content='\[UNK\]'"):
        write_content(none, "vocab.txt")


def test_bert_as_a_tokenizer_json_had_it() -> None:
    with pytest.warns(KugiriWarning, match=r"a vocab\.txt does not keep truncation; padding"):
        files = write_content(BERT, "vocab.txt")
    assert files["vocab.txt"] == b"[PAD]\n[UNK]\n[CLS]\n[SEP]\nplay\n##ing\n"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": spec.WordPiece(spec.Tokens.from_iter([b"[UNK]", b"a\n"]))}, "the end of a line"),
        ({"model": spec.WordPiece(spec.Tokens.from_iter([b"[UNK]", b"\xff"]))}, "is not UTF-8"),
        ({"model": spec.WordPiece(spec.Tokens.from_iter([b"[UNK]"]), max_input_chars_per_word=9)},
         "no place for the model of this tokenizer (its max_input_chars_per_word is 9"),
        ({"normalizer": None}, "goes with BERT's normalizer, not with no normalizer"),
        ({"normalizer": BertNormalizer(clean_text=False)},
         "the normalizer of this tokenizer (its clean_text is False, where it means True)"),
        ({"pre_tokenizer": spec.Whitespace()},
         "the pre-tokenizer of this tokenizer (Whitespace where it means BertPreTokenizer)"),
        ({"decoder": None}, "the decoder of this tokenizer (none where it means WordPieceDecoder)"),
        ({"decoder": spec.WordPieceDecoder(cleanup=False)}, "its cleanup is False"),
        ({"post_processor": spec.ByteLevelProcessing()}, "no place for the post-processor"),
    ],
)  # fmt: skip
def test_not_written(change: dict[str, Any], message: str) -> None:
    unknown = {"added_tokens": (AddedToken(0, "[UNK]"),), "post_processor": None}
    whole = unknown | change if "model" in change else change
    with pytest.raises(FormatError) as caught:
        write_content(msgspec.structs.replace(vocab_txt.read(VOCAB), **whole), "vocab.txt")
    assert message in str(caught.value)
