"""The spec describes any tokenizer, and .kugiri.json keeps all of it."""

from __future__ import annotations

import sys

import msgspec
import numpy as np
import pytest

from kugiri import spec
from kugiri.errors import FormatError
from kugiri.formats import native
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.spec import AddedToken, TokenizerSpec
from kugiri.tables import Column, Merges, Tokens


def tokens(*strings: str | bytes) -> Tokens:
    return Tokens.from_iter(s.encode() if isinstance(s, str) else s for s in strings)


def begin(token: str, id: int) -> spec.TemplateProcessing:
    """A template that puts one token in front."""
    special = spec.SpecialPiece(token)
    return spec.TemplateProcessing(
        single=(special, spec.SequencePiece("A")),
        pair=(special, spec.SequencePiece("A"), special, spec.SequencePiece("B", 1)),
        special_tokens={token: spec.TemplateToken(token, (id,), (token,))},
    )


GPT2 = TokenizerSpec(
    model=spec.BPE(
        tokens("!", "Ġ", "t", "h", "Ġt", "Ġth", "<|endoftext|>"),
        unit="char",
        merges=Merges([1, 4], [2, 3], [4, 5]),
        continuing_subword_prefix="",
        end_of_word_suffix="",
    ),
    added_tokens=(AddedToken(6, "<|endoftext|>"),),
    pre_tokenizer=spec.ByteLevel(add_prefix_space=False),
    post_processor=spec.ByteLevelProcessing(trim_offsets=False),
    decoder=spec.ByteLevelDecoder(),
    origin="tokenizer.json",
)

LLAMA2 = TokenizerSpec(
    model=spec.BPE(
        tokens("<unk>", "<s>", "</s>", "<0x0A>", "▁", "a", "▁a", "▁▁"),
        unit="char",
        merges=Merges([4, 4], [5, 4], [6, 7]),
        unk_token="<unk>",
        fuse_unk=True,
        byte_fallback=True,
    ),
    added_tokens=tuple(AddedToken(i, s) for i, s in enumerate(("<unk>", "<s>", "</s>"))),
    normalizer=spec.Normalizers((spec.Prepend("▁"), spec.Replace(spec.Literally(" "), "▁"))),
    post_processor=begin("<s>", 1),
    decoder=spec.Decoders(
        (
            spec.Replace(spec.Literally("▁"), " "),
            spec.ByteFallback(),
            spec.Fuse(),
            spec.StripDecoder(" ", 1, 0),
        )
    ),
    origin="tokenizer.json",
)

GEMMA3 = TokenizerSpec(
    model=spec.BPE(
        tokens("<pad>", "<bos>", "\n", "\n\n", "▁", "猫", "▁猫"),
        unit="char",
        merges=Merges([2, 4], [2, 5], [3, 6]),
        unk_token="<unk>",
        fuse_unk=True,
        byte_fallback=True,
    ),
    added_tokens=(
        AddedToken(0, "<pad>"),
        AddedToken(1, "<bos>"),
        AddedToken(3, "\n\n", special=False),
        AddedToken(7, "<table>", special=False),
    ),
    normalizer=spec.Replace(spec.Literally(" "), "▁"),
    pre_tokenizer=spec.Split(spec.Literally(" "), "merged_with_previous"),
    post_processor=begin("<bos>", 1),
    decoder=spec.Decoders(
        (spec.Replace(spec.Literally("▁"), " "), spec.ByteFallback(), spec.Fuse())
    ),
    origin="tokenizer.json",
)

BERT = TokenizerSpec(
    model=spec.WordPiece(tokens("[PAD]", "[UNK]", "[CLS]", "[SEP]", "play", "##ing")),
    added_tokens=tuple(
        AddedToken(i, s) for i, s in enumerate(("[PAD]", "[UNK]", "[CLS]", "[SEP]"))
    ),
    normalizer=spec.BertNormalizer(),
    pre_tokenizer=spec.BertPreTokenizer(),
    post_processor=spec.BertProcessing(("[SEP]", 3), ("[CLS]", 2)),
    decoder=spec.WordPieceDecoder(),
    truncation=spec.Truncation(512),
    padding=spec.Padding(
        length=128, direction="left", pad_to_multiple_of=8, pad_id=0, pad_token="[PAD]"
    ),
    origin="tokenizer.json",
)

T5 = TokenizerSpec(
    model=spec.Unigram(
        tokens("<pad>", "</s>", "<unk>", "▁", "猫", "▁the"),
        scores=Column([0.0, 0.0, 0.0, -2.0122928619384766, -0.1, -1e-300]),
        unk_id=2,
    ),
    added_tokens=(AddedToken(6, "<extra_id_0>", rstrip=True),),
    normalizer=spec.Normalizers(
        (
            spec.Precompiled(compile_charsmap({"Ａ": "A"})),
            spec.Strip(strip_left=False),
            spec.Replace(spec.Regex(" {2,}"), "▁"),
        )
    ),
    pre_tokenizer=spec.PreTokenizers((spec.WhitespaceSplit(), spec.Metaspace())),
    post_processor=spec.PostProcessors((begin("</s>", 1),)),
    decoder=spec.MetaspaceDecoder(prepend_scheme="first"),
    origin="tokenizer.json",
)

SENTENCEPIECE = TokenizerSpec(
    model=spec.BPE(
        tokens("<unk>", "<s>", "▁", "ア"),
        unit="char",
        order="score",
        scores=Column([0, 0, -1.1, -3.4028235e38], np.float32),
        piece_types=Column([2, 3, 1, 1], np.uint8),
    ),
    normalizer=spec.SentencePieceNormalizer("nmt_nfkc", b"\x01\x02", unknown_fields=b"\x08\x01"),
    decoder=spec.SentencePieceDecoder(denormalizer=spec.SentencePieceNormalizer()),
    origin="sentencepiece",
    trainer=spec.SentencePieceTrainer({"vocab_size": 4, "seed": 1.0, "input": ("a", "b")}, b"\xff"),
    self_test=(("a", "▁ a"),),
    unknown_fields=b"\x00",
)

TRAINED = TokenizerSpec(
    model=spec.BPE(
        tokens("猫", "猫".encode()[:2], "猫".encode()[2:], "\x00", '"\\\n\u2028', "_", ""),
        merges=Merges([1], [5], [0], [2**64 - 1], [0]),
        ids=Column([0, 1, 5, 6, 8, 9, 70000], np.uint32),
        end_of_word="_",
        dropout=0.1,
    ),
    pre_tokenizer=spec.Split(spec.Regex(r"\p{L}+"), "removed", invert=True),
    training={"options": {"tie": "lowest-ids", "vocab_size": None}, "seconds": 0.25, "rounds": [1]},
)
BASELINES = {
    "words": TokenizerSpec(spec.WordLevel(tokens("<unk>", "猫")), pre_tokenizer=spec.Whitespace()),
    "characters": TokenizerSpec(spec.CharLevel(tokens("猫"), unk_token=None)),
    "nothing": TokenizerSpec(spec.BPE(tokens(), merges=Merges.empty())),
}

FAMILIES = {
    "gpt2": GPT2,
    "llama2": LLAMA2,
    "gemma3": GEMMA3,
    "bert": BERT,
    "t5": T5,
    "sentencepiece": SENTENCEPIECE,
    "trained": TRAINED,
    **BASELINES,
}


@pytest.mark.parametrize("name", FAMILIES)
def test_saved_and_loaded_unchanged(name: str) -> None:
    described = FAMILIES[name]
    document = native.write(described)
    loaded = native.read(document)
    assert loaded == described
    assert native.write(loaded) == document


def test_every_part_has_a_form() -> None:
    """Each class of the spec, with its defaults, survives."""
    names = {
        "normalizer": "NFC NFD NFKC NFKD Lowercase StripAccents Nmt ByteLevelNormalizer",
        "pre_tokenizer": "UnicodeScripts Punctuation Digits FixedLength",
        "decoder": "ByteLevelDecoder BPEDecoder CTC",
    }
    parts = {field: [getattr(spec, name)() for name in names[field].split()] for field in names}
    parts["pre_tokenizer"].append(spec.CharDelimiterSplit("、"))
    parts["post_processor"] = [spec.RobertaProcessing(("</s>", 2), ("<s>", 0))]
    for field, of_field in parts.items():
        for part in of_field:
            described = msgspec.structs.replace(GPT2, **{field: part})
            assert native.read(native.write(described)) == described


def big_document() -> tuple[bytes, int, int]:
    """262,000 pieces of which a seventh is not UTF-8, and 515,000 merges."""
    rng = np.random.default_rng(0)
    pieces = [b"%05x" % i if i % 7 else b"\xff%04x" % (i % 65536) for i in range(131_000)]
    vocab = Tokens.from_iter(pieces + [piece + piece for piece in pieces])
    left = rng.integers(0, 131_000, 515_000, dtype=np.uint32)
    ones = np.ones(515_000, np.uint64)
    merges = Merges(left, left, left + 131_000, ones, ones)
    scores = Column(rng.normal(size=262_000).astype(np.float32))
    described = TokenizerSpec(spec.BPE(vocab, merges=merges, scores=scores))
    return native.write(described), len(vocab), len(merges)


def test_no_object_for_an_entry() -> None:
    document, pieces, merges = big_document()
    native.read(document)  # whatever is made once
    before = sys.getallocatedblocks()
    loaded = native.read(document)
    assert sys.getallocatedblocks() - before < 1_000
    assert isinstance(loaded.model, spec.BPE)
    assert loaded.model.merges is not None
    assert (len(loaded.model.vocab), len(loaded.model.merges)) == (pieces, merges)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (Column([0.0, np.inf], np.float32), "number 1 of a column is inf"),
        (Column([np.nan, 0.0], np.float64), "number 0 of a column is nan"),
        (Column([0.0], np.float32), "1 scores for 2 tokens"),
        (Column([0, 1], np.int64), "a column of int64 cannot be written"),
    ],
)
def test_columns_that_have_no_form(column: Column, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        native.write(TokenizerSpec(spec.Unigram(tokens("a", "b"), scores=column)))


@pytest.mark.parametrize("training", [{"a": float("nan")}, {"a": object()}, {"a": "\ud800"}])
def test_records_that_have_no_form(training: dict[str, object]) -> None:
    with pytest.raises(FormatError, match="cannot be written as JSON"):
        native.write(msgspec.structs.replace(GPT2, training=training))


def test_floats_are_exact() -> None:
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**32, 20_000, dtype=np.uint32)
    single = bits.view(np.float32)
    double = rng.integers(0, 2**64, 20_000, dtype=np.uint64).view(np.float64)
    for values in (single[np.isfinite(single)], double[np.isfinite(double)]):
        vocab = Tokens.from_iter(b"%d" % i for i in range(len(values)))
        described = TokenizerSpec(spec.Unigram(vocab, scores=Column(values)))
        assert native.read(native.write(described)) == described
