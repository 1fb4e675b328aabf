"""`.model` files: read, written again as they were, refused where they cannot be."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import numpy as np
import pytest

from kugiri import spec
from kugiri.errors import FormatError, KugiriWarning
from kugiri.formats import native, read_file
from kugiri.formats.protobuf import bytes_field, float_field, varint_field
from kugiri.formats.sentencepiece import read, write
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.spec import AddedToken, PieceType, SentencePieceNormalizer, TokenizerSpec
from kugiri.tables import Column, Tokens

UNK, BOS = (b"<unk>", 0.0, PieceType.UNKNOWN), (b"<s>", 0.0, PieceType.CONTROL)
A = (b"a", -1.5, PieceType.NORMAL)
BYTES = [(b"<0x%02X>" % byte, 0.0, PieceType.BYTE) for byte in range(256)]
BPE, WORD = varint_field(3, 2), varint_field(3, 3)
BYTE_FALLBACK = varint_field(35, 1)

Row = tuple[bytes, float, int]


def piece(text: bytes, score: float, type: int) -> bytes:
    """A piece as sentencepiece writes it."""
    head = bytes_field(1, text) + float_field(2, score)
    return head if type == PieceType.NORMAL else head + varint_field(3, type)


def model(
    *rows: Row, trainer: bytes | None = None, normalizer: bytes | None = None, rest: bytes = b""
) -> bytes:
    """A `.model` of pieces and of the content of its specs."""
    data = b"".join(bytes_field(1, piece(*row)) for row in rows)
    data += b"" if trainer is None else bytes_field(2, trainer)
    data += b"" if normalizer is None else bytes_field(3, normalizer)
    return data + rest


SMALL = model(
    UNK,
    BOS,
    (b"</s>", 0.0, PieceType.CONTROL),
    (b"<sep>", 0.0, PieceType.USER_DEFINED),
    A,
    ("▁a".encode(), -1.25, PieceType.UNUSED),
    *BYTES,
    trainer=bytes_field(1, b"a.txt")
    + bytes_field(1, b"b.txt")
    + varint_field(3, 2)
    + varint_field(4, 300)
    + float_field(10, 0.9995)
    + varint_field(11, 2**64 - 1)
    + varint_field(35, 1)
    + varint_field(43, -1)
    + bytes_field(44, b"?"),
    normalizer=bytes_field(1, b"mine")
    + bytes_field(2, compile_charsmap({"A": "a"}))
    + varint_field(3, 1)
    + varint_field(4, 0),
    rest=bytes_field(4, bytes_field(1, bytes_field(1, b"a") + bytes_field(2, b"x")))
    + bytes_field(5, bytes_field(2, compile_charsmap({"a": "A"})) + varint_field(3, 0)),
)


# ── reading ───────────────────────────────────────────────────────────────────────────────────
def test_every_part_has_its_place() -> None:
    described = read(SMALL)
    its = described.model
    assert isinstance(its, spec.BPE)
    assert (its.unit, its.order, its.unk_token, its.byte_fallback) == (
        "char",
        "score",
        "<unk>",
        True,
    )
    assert its.vocab[:5] == [b"<unk>", b"<s>", b"</s>", b"<sep>", b"a"]
    assert its.scores is not None
    assert its.scores.values[:6].tolist() == [0, 0, 0, 0, -1.5, -1.25]
    assert its.piece_types is not None
    assert its.piece_types.values[:7].tolist() == [2, 3, 3, 4, 1, 5, 6]
    assert described.added_tokens == (AddedToken(1, "<s>"), AddedToken(2, "</s>"))
    assert described.normalizer == SentencePieceNormalizer(
        name="mine", charsmap=compile_charsmap({"A": "a"}), remove_extra_whitespaces=False
    )
    assert described.decoder == spec.SentencePieceDecoder(
        "?",
        SentencePieceNormalizer(charsmap=compile_charsmap({"a": "A"}), add_dummy_prefix=False),
    )
    assert described.trainer == spec.SentencePieceTrainer(
        {
            "input": ("a.txt", "b.txt"),
            "model_type": "bpe",
            "vocab_size": 300,
            "character_coverage": 0.9994999766349792,
            "input_sentence_size": 2**64 - 1,
            "byte_fallback": True,
            "pad_id": -1,
            "unk_surface": "?",
        }
    )
    assert described.self_test == (("a", "x"),)
    assert described.origin == "sentencepiece"
    assert read_file(SMALL) == described


@pytest.mark.parametrize(
    ("trainer", "kind"),
    [
        (b"", spec.Unigram),
        (varint_field(3, 1), spec.Unigram),
        (BPE, spec.BPE),
        (WORD, spec.WordLevel),
        (varint_field(3, 4), spec.CharLevel),
    ],
)
def test_the_kind_of_model(trainer: bytes, kind: type[spec.Model]) -> None:
    assert isinstance(read(model(UNK, A, trainer=trainer)).model, kind)
    assert isinstance(read(model(UNK, A)).model, spec.Unigram)


def test_begin_and_end_around_a_text() -> None:
    def around(*rows: Row, trainer: bytes = b"") -> list[int | None]:
        tokenizer = ReferenceTokenizer(read(model(UNK, A, *rows, trainer=trainer)))
        return [token.id for token in tokenizer.encode("a", add_special_tokens=True)]

    end = (b"</s>", 0.0, PieceType.CONTROL)
    assert around()[-1] == 1
    assert around(BOS)[0] == 2
    assert around(end)[-1] == 2
    assert (around(end, BOS)[0], around(end, BOS)[-1]) == (3, 2)
    named = (b"[E]", 0.0, PieceType.CONTROL)
    assert around(named, trainer=bytes_field(47, b"[E]"))[-1] == 2
    assert around(named)[-1] == 1


def test_control_pieces_are_matched_only_where_they_are_allowed() -> None:
    tokenizer = ReferenceTokenizer(read(SMALL))
    as_text = tokenizer.encode("<s>")
    assert 1 not in [token.id for token in as_text]
    allowed = tokenizer.encode("a<s>a", {"<s>"})
    assert [token.id for token in allowed if token.id == 1] == [1]
    assert tokenizer.decode([1, 4, 2]) == "A"


# ── written as it was ─────────────────────────────────────────────────────────────────────────
ODD: dict[str, bytes] = {
    "small": SMALL,
    "no specs at all": model(UNK, A),
    "empty specs": model(UNK, A, trainer=b"", normalizer=b"", rest=bytes_field(5, b"")),
    "unknown fields everywhere": model(
        UNK,
        A,
        trainer=BPE + varint_field(200, 7) + bytes_field(300, b"\xff"),
        normalizer=varint_field(5, 1) + float_field(201, 1.0),
        rest=bytes_field(5, varint_field(210, 3)) + bytes_field(250, b"x") + varint_field(251, 1),
    ),
    "unknown fields in a piece": bytes_field(1, piece(*UNK))
    + bytes_field(1, piece(*A) + bytes_field(200, b"mine")),
    "pieces of long ago, without scores": bytes_field(
        1, bytes_field(1, b"<unk>") + varint_field(3, 2)
    )
    + bytes_field(1, piece(*A)),
    "types spelled out": bytes_field(1, piece(*UNK))
    + bytes_field(1, piece(*A) + varint_field(3, 1)),
    "a null character": model(UNK, A, (b"\0", -2.0, 1), *BYTES, trainer=BPE + BYTE_FALLBACK),
    "defaults spelled out": model(
        UNK, A, normalizer=b"".join(varint_field(i, 1) for i in (3, 4, 5)) + bytes_field(6, b"")
    ),
    "a path that is not UTF-8": model(UNK, A, trainer=varint_field(3, 2) + bytes_field(2, b"\xff")),
    "a self-test that is not UTF-8": model(
        UNK, A, rest=bytes_field(4, bytes_field(1, b"\n\1\xff"))
    ),
    "a piece that is not UTF-8": model(UNK, A, (b"\xe3\x81", -2.0, 1)),
    "a piece of 9000 bytes": model(UNK, A, (b"a" * 9000, -2.0, 1)),
}


@pytest.mark.parametrize("name", ODD)
def test_written_byte_by_byte(name: str) -> None:
    described = read(ODD[name])
    assert write(described) == ODD[name]
    again = native.read(native.write(described))
    assert again == described
    assert write(again) == ODD[name]


def test_an_equal_document_where_the_order_is_another() -> None:
    """Specs before pieces, a spec in two parts, a field twice: read as protocol buffers ask."""
    parts = [bytes_field(2, BPE), bytes_field(2, varint_field(4, 9) + varint_field(4, 10))]
    odd = parts[0] + bytes_field(1, piece(*UNK)) + parts[1] + bytes_field(1, piece(*A))
    plain = model(UNK, A, trainer=BPE + varint_field(4, 10))
    assert read_file(odd, format="sentencepiece") == read(plain)
    assert write(read(odd)) == plain


def test_a_null_character_is_unused_where_its_byte_has_a_piece() -> None:
    described = read(ODD["a null character"])
    assert isinstance(described.model, spec.BPE)
    assert described.model.piece_types is not None
    assert described.model.piece_types.values[2] == PieceType.UNUSED
    without = read(model(UNK, A, (b"\0", -2.0, 1), trainer=BPE))
    assert [token.id for token in ReferenceTokenizer(without).encode("a\0")] == [0, 1, 2]


def test_what_the_spec_says_goes_before_what_the_file_said() -> None:
    described = read(SMALL)
    assert isinstance(described.normalizer, SentencePieceNormalizer)
    assert isinstance(described.model, spec.BPE)
    changed = msgspec.structs.replace(
        described,
        decoder=spec.SentencePieceDecoder("☒"),
        normalizer=msgspec.structs.replace(
            described.normalizer, treat_whitespace_as_suffix=True, add_dummy_prefix=False
        ),
        model=msgspec.structs.replace(
            described.model,
            piece_types=Column([*described.model.piece_types.values[:5], 1, *[6] * 256], np.uint8),  # type: ignore[union-attr]
        ),
    )
    again = read(write(changed))
    assert again.decoder == spec.SentencePieceDecoder("☒")
    assert again.normalizer == changed.normalizer
    assert again.model == changed.model
    assert again.trainer is not None
    assert described.trainer is not None
    assert again.trainer.fields == described.trainer.fields | {
        "treat_whitespace_as_suffix": True,
        "unk_surface": "☒",
    }


# ── refused ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("data", "byte", "message"),
    [
        (model(), None, "there are no pieces"),
        (model(A), None, "0 pieces are of type UNKNOWN"),
        (model(UNK, (b"?", 0.0, 2)), None, "2 pieces are of type UNKNOWN"),
        (model(UNK, (b"", 0.0, 1)), 16, "piece 1, '', is empty"),
        (model(UNK, A, A), 26, "piece 2, 'a', is the same as piece 1"),
        (model(UNK, (b"a", 0.0, 7)), 26, "piece type 7 is unknown; known are 1 "),
        (model(UNK, (b"a", float("nan"), 1), trainer=BPE), 16, "has the score nan"),
        (model(UNK, (b"a", float("-inf"), 1)), 16, "has the score -inf"),
        (model(UNK, BYTES[0]), 16, "is of type BYTE, but byte_fallback is off"),
        (model(UNK, (b"<0x0a>", 0.0, 6), trainer=BYTE_FALLBACK), 16, "none of <0x00> to <0xFF>"),
        (model(UNK, *BYTES[1:], trainer=BYTE_FALLBACK), None, "255 pieces are of type BYTE"),
        (model(UNK, (b"\xff", 0.0, 3)), 16, "is not UTF-8, which only ordinary pieces may be"),
        (model(UNK, (b"\xff", 0.0, 4)), 16, "is not UTF-8"),
        (model(UNK, trainer=varint_field(3, 9)), 18, "model type 9 is unknown; known are 1 (uni"),
        (model(UNK, trainer=bytes_field(4, b"8")), 18, "field 4 is bytes; it must be a varint"),
        (model(UNK, normalizer=bytes_field(2, b"\0" * 9)), 20, "a charsmap of 9 bytes"),
        (model(UNK, A)[:-3], 16, "field 1 should be 8 bytes long, but 5 are left"),
        (bytes_field(1, b"\n\x05ab"), 2, "field 1 should be 5 bytes long, but 2 are left"),
    ],
)
def test_refused(data: bytes, byte: int | None, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(data)
    assert message in str(caught.value)
    assert caught.value.offset == byte


def test_charsmaps_that_are_damaged() -> None:
    good = compile_charsmap({"a": "b", "あ": "い"})
    for damaged, message in {
        good[:-1]: "does not end in a zero byte",
        b"\xff\xff\xff\x7f" + good[4:]: "cannot hold a trie of 2147483647",
        b"\x01\x04\0\0" + good[4:]: "cannot hold a trie of 1025",
        good.replace("い".encode(), b"\xff\xff\xff"): "are not UTF-8",
    }.items():
        with pytest.raises(FormatError, match=message):
            read(model(UNK, A, normalizer=bytes_field(2, damaged)))


def damaged(source: random.Random, data: bytes) -> bytes:
    """Data with a few bytes changed, cut out or put in."""
    changed = bytearray(data)
    for _ in range(source.randrange(1, 5)):
        at = source.randrange(len(changed))
        end = at + source.choice([0, 0, 1, 1, 4])
        changed[at:end] = source.randbytes(source.choice([0, 1, 1, 3]))
    return bytes(changed)


def read_or_error(data: bytes) -> TokenizerSpec | FormatError:
    """What becomes of data."""
    try:
        return read(data)
    except FormatError as error:
        return error


def test_damaged_files_end_in_an_error_or_a_tokenizer() -> None:
    source = random.Random(0)
    small = model(UNK, BOS, A, ("▁".encode(), -3.0, 1), trainer=BPE, normalizer=varint_field(3, 1))
    withs = model(UNK, A, normalizer=bytes_field(2, compile_charsmap({"a": "b", "bc": ""})))
    for _ in range(1500):
        data = damaged(source, source.choice([small, withs, SMALL]))
        described = read_or_error(data)
        if isinstance(described, FormatError):
            assert described.offset is None or 0 <= described.offset <= len(data)
            continue
        tokenizer = ReferenceTokenizer(described)
        ids = [token.id for token in tokenizer.tokens("a bc Aあ\0<s>")]
        tokenizer.decode([id for id in ids if id is not None])
        assert read(write(described)) == described


def test_every_beginning_of_a_file_is_refused_or_whole() -> None:
    small = model(UNK, BOS, A, trainer=BPE + varint_field(4, 3), normalizer=varint_field(3, 1))
    for length in range(len(small)):
        described = read_or_error(small[:length])
        if not isinstance(described, FormatError):
            assert write(described) == small[:length]


# ── what a .model has no place for ────────────────────────────────────────────────────────────
def replaced(**parts: Any) -> TokenizerSpec:
    """The small model with other parts."""
    return msgspec.structs.replace(read(SMALL), **parts)


def remade(**fields: Any) -> TokenizerSpec:
    """The small model with other fields of its BPE."""
    return replaced(model=msgspec.structs.replace(read(SMALL).model, **fields))


@pytest.mark.parametrize(
    ("described", "what"),
    [
        (replaced(decoder=None), "a decoder that is not SentencePiece's"),
        (replaced(normalizer=spec.NFC()), "a normalizer that is not SentencePiece's"),
        (replaced(pre_tokenizer=spec.Whitespace()), "a pre-tokenizer"),
        (replaced(added_tokens=()), "added tokens that are not its control pieces"),
        (replaced(post_processor=None), "a post-processor that does not"),
        (replaced(model=spec.WordPiece(Tokens.from_iter([b"a"]))), "a WordPiece model"),
        (remade(order="list"), "in order of scores"),
        (remade(scores=None), "pieces without scores and types"),
        (remade(piece_types=None), "pieces without scores and types"),
        (remade(ids=Column(np.arange(1, 263), np.uint32)), "ids with holes"),
        (remade(scores=Column([0.1] * 262, np.float64)), "scores of more than 32 bits"),
        (remade(end_of_word="_"), "an end-of-word mark or a prefix"),
    ],
)
def test_no_place(described: TokenizerSpec, what: str) -> None:
    with pytest.raises(FormatError, match=f"a .model has no place for .*{what}.*kugiri.json"):
        write(described)


def test_fields_that_are_none() -> None:
    for fields, message in [
        ({"size": 3}, "a .model has no field 'size'; its fields are input, model_prefix"),
        (
            {"vocab_size": "3"},
            "the field vocab_size of a .model is of kind 'int'; it cannot be '3'",
        ),
        ({"vocab_size": 2**31}, "it cannot be 2147483648"),
        ({"input": ("a", 3)}, "the field input of a .model is of kind 'strings'"),
        ({"split_digits": 1}, "of kind 'bool'; it cannot be 1"),
        ({"shrinking_factor": 1e40}, "of kind 'float'; it cannot be 1e+40"),
        ({"unk_piece": "\ud800"}, "of kind 'string'; it cannot be '\\ud800'"),
    ]:
        with pytest.raises(FormatError) as caught:
            write(replaced(trainer=spec.SentencePieceTrainer(fields)))  # type: ignore[arg-type]
        assert message in str(caught.value)


def test_what_is_left_out_is_named() -> None:
    with pytest.warns(KugiriWarning, match="a .model does not keep truncation; padding; .kugiri"):
        write(replaced(truncation=spec.Truncation(3), padding=spec.Padding()))
    with pytest.raises(FormatError, match="what is kept of the file's spelling is damaged"):
        write(replaced(unknown_fields=b"{"))
