"""`.model` files: read, and written again as they were."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from kugiri import Tokenizer, spec
from kugiri.formats import native, read_file
from kugiri.formats.protobuf import bytes_field, float_field, varint_field
from kugiri.formats.sentencepiece import read, write
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.spec import AddedToken, PieceType, SentencePieceNormalizer
from kugiri.tables import Column
from model_files import BOS, BPE, BYTE_FALLBACK, BYTES, SMALL, UNK, WORD, A, Row, model, piece


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


@pytest.mark.parametrize("kind", [varint_field(3, 1), BPE, WORD, varint_field(3, 4)])
def test_no_text_becomes_a_piece_that_is_not_utf8(kind: bytes) -> None:
    described = read(model(UNK, A, (b"\xff", -1.0, 1), (b"a\xe3\x81", -2.0, 1), trainer=kind))
    for text in ("a\ufffda", "aあ", "a"):
        expected = [token.id for token in ReferenceTokenizer(described).encode(text)]
        assert Tokenizer(described).encode(text) == expected
        assert not {2, 3} & {*expected}


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
