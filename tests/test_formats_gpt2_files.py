"""vocab.json and merges.txt: read, written, refused; tokenizers as the oracle."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
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
from kugiri.formats import gpt2_files, read_content, tokenizer_json, write_content
from kugiri.formats.byte_level import show_bytes
from kugiri.patterns import PATTERNS
from kugiri.reference.byte_alphabet import CHARACTER_OF
from kugiri.spec import AddedToken
from tests.oracles import oracle_tiktoken, parity_file
from tests.test_formats_tiktoken import BYTES, SMALL, byte_bpe, lines
from tools.parity_data import HOW_TO_GET

TEXTS = [
    "low lower lowest", " the cat sat on the mat, and the hat", "吾輩は猫である。名前はまだ無い。",
    "We'RE 123 tests\n\n  <|endoftext|> <s>", "é́ ＡＢＣ 🐈‍⬛", "",
]  # fmt: skip
ALPHABET = {CHARACTER_OF[byte]: byte for byte in range(256)}
VOCAB = json.dumps(ALPHABET | {"lo": 256, "low": 257, "<|endoftext|>": 258}).encode()
MERGES = b"#version: 0.2\nl o\nlo w\n"


def beside(**files: bytes | dict[str, Any]) -> Callable[[str], bytes | None]:
    """Files beside the vocabulary, by their names without their ends."""
    names = {
        "merges": "merges.txt",
        "config": "tokenizer_config.json",
        "special": "special_tokens_map.json",
        "added": "added_tokens.json",
    }
    contents = {names[name]: its for name, its in files.items()}

    def content(name: str) -> bytes | None:
        its = contents.get(name)
        return its if its is None or isinstance(its, bytes) else json.dumps(its).encode()

    return content


def test_read_alone_is_gpt2() -> None:
    read = gpt2_files.read(VOCAB, beside=beside(merges=MERGES))
    assert isinstance(read.model, spec.BPE)
    assert read.model.vocab[256:] == [b"lo", b"low", b"<|endoftext|>"]
    assert read.model.merges == spec.Merges([108, 256], [111, 119], [256, 257])
    assert msgspec.structs.replace(read, model=None) == msgspec.structs.replace(
        read,
        model=None,
        added_tokens=(AddedToken(258, "<|endoftext|>"),),
        normalizer=None,
        pre_tokenizer=spec.ByteLevel(add_prefix_space=False),
        post_processor=spec.ByteLevelProcessing(trim_offsets=False),
        decoder=spec.ByteLevelDecoder(),
        origin="tokenizer.json",
    )


def test_the_end_of_text_is_none_where_the_vocabulary_has_none() -> None:
    read = gpt2_files.read(json.dumps(ALPHABET).encode(), beside=beside(merges=b"#version: 0.2\n"))
    assert read.added_tokens == ()


@pytest.mark.parametrize(
    ("config", "change"),
    [
        ({"add_prefix_space": True}, {"pre_tokenizer": spec.ByteLevel(add_prefix_space=True)}),
        ({"bos_token": None, "eos_token": None, "unk_token": None}, {"added_tokens": ()}),
        ({"tokenizer_class": "GPT2TokenizerFast", "model_max_length": 10**30}, {}),
        (
            {"unk_token": {"__type": "AddedToken", "content": "<|endoftext|>", "lstrip": True}},
            {"added_tokens": (AddedToken(258, "<|endoftext|>", lstrip=True),)},
        ),
        (
            {"added_tokens_decoder": {"300": {"content": "<tool>", "special": False,
                                              "normalized": True}}},
            {"added_tokens": (
                AddedToken(258, "<|endoftext|>"),
                AddedToken(300, "<tool>", normalized=True, special=False),
            )},
        ),
        (
            {"additional_special_tokens": ["low"]},
            {"added_tokens": (AddedToken(257, "low"), AddedToken(258, "<|endoftext|>"))},
        ),
        (
            {"tokenizer_class": "Qwen2Tokenizer"},
            {
                "normalizer": spec.NFC(),
                "pre_tokenizer": spec.PreTokenizers((
                    spec.Split(spec.Regex(PATTERNS["qwen2"]), "isolated"),
                    spec.ByteLevel(add_prefix_space=False, use_regex=False),
                )),
            },
        ),
        (
            {"add_bos_token": True},
            {"post_processor": spec.TemplateProcessing(
                (spec.SpecialPiece("<|endoftext|>"), spec.SequencePiece("A")),
                (spec.SpecialPiece("<|endoftext|>"), spec.SequencePiece("A"),
                 spec.SequencePiece("B", 1)),
                {"<|endoftext|>": spec.TemplateToken("<|endoftext|>", (258,), ("<|endoftext|>",))},
            )},
        ),
    ],
)  # fmt: skip
def test_settings(config: dict[str, Any], change: dict[str, Any]) -> None:
    plain = gpt2_files.read(VOCAB, beside=beside(merges=MERGES))
    read = gpt2_files.read(VOCAB, beside=beside(merges=MERGES, config=config))
    assert read == msgspec.structs.replace(plain, **change)


def test_the_elder_settings() -> None:
    read = gpt2_files.read(
        VOCAB,
        beside=beside(
            merges=MERGES,
            special={"bos_token": "<s>", "pad_token": "<|endoftext|>"},
            added={"<s>": 259, "<tool>": 260},
        ),
    )
    assert read.added_tokens == (
        AddedToken(258, "<|endoftext|>"),
        AddedToken(259, "<s>"),
        AddedToken(260, "<tool>", normalized=True, special=False),
    )


def test_roberta() -> None:
    names = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    vocab = dict(zip([*names, *ALPHABET], range(300), strict=False))
    config = {"tokenizer_class": "RobertaTokenizer", "mask_token": {"content": "<mask>",
                                                                     "lstrip": True}}  # fmt: skip
    read = gpt2_files.read(
        json.dumps(vocab).encode(), beside=beside(merges=b"#version: 0.2\n", config=config)
    )
    assert read.post_processor == spec.RobertaProcessing(
        ("</s>", 2), ("<s>", 0), add_prefix_space=False
    )
    assert read.added_tokens[4] == AddedToken(4, "<mask>", lstrip=True)
    files = write_content(read, "vocab.json")
    assert b'"tokenizer_class": "RobertaTokenizer"' in files["tokenizer_config.json"]
    assert read_content("vocab.json", files) == read


def test_a_special_token_without_an_id_is_named() -> None:
    with pytest.warns(KugiriWarning, match=r"no id and are left out: pad_token '\[PAD\]'"):
        gpt2_files.read(VOCAB, beside=beside(merges=MERGES, config={"pad_token": "[PAD]"}))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, r"a vocab.json says nothing without its merges.txt"),
        ({"merges": b"#version: 0.2\nl o w\n"}, "merges.txt, byte 14: b'l o w' is not two tokens"),
        ({"merges": b"l o\n\nlo w\n"}, "merges.txt, byte 4: b'' is not two tokens and a space"),
        ({"merges": b"l  o\n"}, "byte 0: b'l  o' is not two tokens"),
        ({"merges": b"l o\nx" + b"y" * 500_000}, "byte 4: b'xyyy"),
        ({"merges": b"l zz\n"}, "merge 0, 'l' and 'zz': its right part is not in the vocab"),
        ({"merges": b"l m\n"}, "merge 0, 'l' and 'm': its join is not in the vocab"),
        ({"merges": b"l\xff o\n"}, "merges.txt, byte 1: this is not UTF-8"),
        ({"merges": b"l o</w>\n"}, "has the end-of-word mark </w>, as of GPT-1 and CLIP"),
        ({"merges": MERGES, "config": {"tokenizer_class": "CLIPTokenizer"}},
         "the settings beside it are of a CLIPTokenizer, whose code decides"),
        ({"merges": MERGES, "config": {"add_prefix_space": 1}}, "it must be true or false"),
        ({"merges": MERGES, "config": b"{"}, "tokenizer_config.json beside it is malformed"),
        ({"merges": MERGES, "config": b"[]"}, "tokenizer_config.json beside it must be an object"),
        ({"merges": MERGES, "config": {"bos_token": 3}}, "has 3 where a token stands"),
        ({"merges": MERGES, "config": {"added_tokens_decoder": {"a": {"content": "x"}}}},
         "has the key 'a'; an id is a number"),
        ({"merges": MERGES, "config": {"added_tokens_decoder": {"9" * 5000: {"content": "x"}}}},
         "; an id is a number"),
        ({"merges": MERGES, "config": {"added_tokens_decoder": {"3": {"content": "x"}}}},
         "'x' has the id 3 in the settings, but"),
        ({"merges": MERGES, "config": {"added_tokens_decoder": {"9": {"content": "low"}}}},
         "'low' has the id 9 in the settings, but"),
        ({"merges": MERGES, "added": {"<x>": "7"}}, "added_tokens.json"),
        ({"merges": MERGES, "config": b"[" * 100_000}, "nested too deeply"),
    ],
)  # fmt: skip
def test_malformed(files: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        gpt2_files.read(VOCAB, beside=beside(**files))
    assert message in str(caught.value)


@given(st.binary(max_size=60), st.binary(max_size=60), st.binary(max_size=60))
def test_hostile(vocab: bytes, merges: bytes, config: bytes) -> None:
    for data in (vocab, VOCAB):
        for files in (
            beside(merges=merges), beside(merges=MERGES, config=config),
            beside(merges=MERGES, added=config), beside(merges=MERGES, special=config),
        ):  # fmt: skip
            with suppress(FormatError, KugiriWarning):
                gpt2_files.read(data, beside=files)


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def test_the_files_that_were_read_are_written(tmp_path: Path) -> None:
    read = gpt2_files.read(VOCAB, beside=beside(merges=MERGES))
    files = write_content(read, "vocab.json")
    assert json.loads(files["vocab.json"]) == json.loads(VOCAB)
    assert files["merges.txt"] == MERGES
    assert read_content("vocab.json", files) == read
    kugiri.Tokenizer(read).save(tmp_path / "my-vocab.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "my-merges.txt", "my-tokenizer_config.json", "my-vocab.json",
    ]  # fmt: skip
    assert kugiri.load(tmp_path / "my-vocab.json").spec == read


def test_all_files_are_written_or_none(tmp_path: Path) -> None:
    read = gpt2_files.read(VOCAB, beside=beside(merges=MERGES))
    (tmp_path / "tokenizer_config.json").mkdir()
    with pytest.raises(FormatError, match="this is a folder"):
        kugiri.Tokenizer(read).save(tmp_path / "vocab.json")
    assert [path.name for path in tmp_path.iterdir()] == ["tokenizer_config.json"]
    with pytest.raises(FormatError, match=r"3 files side by side: vocab.json, .*; end the name as"):
        kugiri.Tokenizer(read).save(tmp_path / "other.json", format="vocab.json")


def test_bytes_and_ranks_become_visible_characters() -> None:
    by_merges = byte_bpe((97, 98, 256), (256, 99, 257))
    read = read_content("vocab.json", write_content(by_merges, "vocab.json"))
    assert read.model.vocab[97] == b"a"
    assert read.model.vocab[32] == "Ġ".encode()
    ranks = kugiri.load(lines([*BYTES, b"ab", b"abc"]), pattern="gpt2").spec
    assert write_content(ranks, "vocab.json") == write_content(by_merges, "vocab.json")


@pytest.mark.parametrize(
    ("described", "message"),
    [
        (spec.TokenizerSpec(spec.WordPiece(spec.Tokens.from_iter([b"a"]))), "not a WordPiece"),
        (byte_bpe((97, 98, 256), normalizer=spec.NFD()), "no place for the normalizer"),
        (
            byte_bpe(pre_tokenizer=spec.Split(spec.Regex(r"\s+"), "isolated")),
            "no place for the pre-tokenizer of this tokenizer (Sequence",
        ),
        (
            byte_bpe(added_tokens=(AddedToken(300, "<e>", special=False, rstrip=True),),
                     post_processor=spec.ByteLevelProcessing()),
            "no place for the post-processor of this tokenizer (its trim_offsets is True",
        ),
        (kugiri.load(lines([*BYTES, b"abc"]), pattern="gpt2").spec,
         "the token b'abc' with rank 256 is met only as a whole word"),
        (kugiri.load(SMALL, pattern="o200k").spec, "is met only as a whole word"),
        (kugiri.load(lines([*BYTES, b"ab"]), pattern="o200k").spec, "no place for the pre-tok"),
        (
            msgspec.structs.replace(
                show_bytes(byte_bpe()), model=msgspec.structs.replace(
                    show_bytes(byte_bpe()).model, ignore_merges=True)),
            "no place for ignore_merges",
        ),
    ],
)  # fmt: skip
def test_not_written(described: spec.TokenizerSpec, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        write_content(described, "vocab.json")
    assert message.replace("Sequence", "") in str(caught.value).replace("PreTokenizers", "")


def test_fields_that_mean_nothing_are_in_nobodys_way() -> None:
    """As the tokenizer.json of GPT-2 itself has them."""
    read = gpt2_files.read(VOCAB, beside=beside(merges=MERGES))
    other = msgspec.structs.replace(
        read,
        pre_tokenizer=spec.ByteLevel(add_prefix_space=False, trim_offsets=False),
        decoder=spec.ByteLevelDecoder(add_prefix_space=False, trim_offsets=False),
        post_processor=spec.ByteLevelProcessing(add_prefix_space=False, trim_offsets=False),
    )
    assert write_content(other, "vocab.json") == write_content(read, "vocab.json")
    settings = beside(merges=MERGES, config={"tokenizer_class": "Qwen2Tokenizer"})
    qwen = gpt2_files.read(VOCAB, beside=settings)
    assert isinstance(qwen.pre_tokenizer, spec.PreTokenizers)
    split, _ = qwen.pre_tokenizer.pre_tokenizers
    last = spec.ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=False)
    other = msgspec.structs.replace(qwen, pre_tokenizer=spec.PreTokenizers((split, last)))
    assert write_content(other, "vocab.json") == write_content(qwen, "vocab.json")
    gaps = spec.Split(spec.Regex(PATTERNS["gpt2"]), "removed")
    with pytest.raises(FormatError, match="no place for the pre-tokenizer"):
        write_content(byte_bpe(pre_tokenizer=gaps), "vocab.json")


def test_added_tokens_keep_their_flags() -> None:
    flags = AddedToken(300, "<e>", special=False, rstrip=True, single_word=True)
    described = byte_bpe((97, 98, 256), added_tokens=(flags,))
    read = read_content("vocab.json", write_content(described, "vocab.json"))
    assert read.added_tokens == (flags,)


# ── the original libraries ────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("add_prefix_space", [False, True])
def test_ids_of_files_that_tokenizers_wrote(tmp_path: Path, add_prefix_space: bool) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    oracle = tokenizers.ByteLevelBPETokenizer(add_prefix_space=add_prefix_space)
    oracle.train_from_iterator(
        TEXTS * 3, vocab_size=400, special_tokens=["<|endoftext|>"], show_progress=False
    )
    oracle.save_model(str(tmp_path))
    if add_prefix_space:
        (tmp_path / "tokenizer_config.json").write_bytes(b'{"add_prefix_space": true}')
    tok = kugiri.load(tmp_path)
    for text in (*TEXTS, *(" ".join(random.Random(i).sample(TEXTS, 3)) for i in range(20))):
        plain = text.replace("<|endoftext|>", "")  # tokenizers finds it, kugiri where allowed
        assert tok.encode(plain) == oracle.encode(plain).ids
        assert tok.encode(text, allowed_special="all") == oracle.encode(text).ids


def test_tokenizers_reads_what_is_written(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    tok = kugiri.train(TEXTS * 3, vocab_size=300, pre_tokenizer="gpt2")
    tok.save(tmp_path / "vocab.json")
    theirs = tokenizers.ByteLevelBPETokenizer(
        str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt")
    )
    assert [theirs.encode(text).ids for text in TEXTS] == [tok.encode(text) for text in TEXTS]


def test_gpt2_itself(tmp_path: Path) -> None:
    """r50k_base is GPT-2's vocabulary: as vocab.json it gives tiktoken's ids, and comes back."""
    oracle = oracle_tiktoken("r50k_base")
    ranks = kugiri.load(parity_file("tiktoken/r50k_base.tiktoken"))
    ranks.save(tmp_path / "vocab.json")
    tok = kugiri.load(tmp_path)
    assert len(tok.merges) == 50_000
    for text in TEXTS:
        assert tok.encode(text) == oracle.encode(text, disallowed_special=())
    tok.save(tmp_path / "r50k_base.tiktoken")
    assert kugiri.load(tmp_path / "r50k_base.tiktoken") == ranks


def test_the_same_as_the_tokenizer_json_of_transformers() -> None:
    """The parts are those of GPT2Converter, as a tokenizer.json has them."""
    read = gpt2_files.read(VOCAB, beside=beside(merges=MERGES))
    document = json.loads(tokenizer_json.write(read))
    del document["model"]["vocab"], document["model"]["merges"]
    assert document["model"] == {
        "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "",
        "end_of_word_suffix": "", "fuse_unk": False, "byte_fallback": False,
        "ignore_merges": False,
    }  # fmt: skip
    assert document["post_processor"] == {
        "type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True,
    }  # fmt: skip
