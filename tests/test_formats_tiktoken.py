"""`.tiktoken` files: which encoding a file is, what is malformed, and what can be written."""

from __future__ import annotations

import base64
import warnings
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri import _core, spec
from kugiri.errors import FormatError, KugiriWarning, OptionError
from kugiri.formats import read_file, tiktoken
from kugiri.formats.byte_level import hide_bytes, show_bytes
from kugiri.formats.encodings import ENCODINGS
from kugiri.patterns import PATTERNS
from kugiri.spec import BPE, AddedToken, TokenizerSpec
from kugiri.tables import Column, Merges, Tokens
from tests.oracles import oracle_tiktoken, parity_file

BYTES = [bytes([byte]) for byte in range(256)]
PUBLIC = ["r50k_base", "p50k_base", "cl100k_base", "o200k_base"]


def lines(tokens: list[bytes], ranks: list[int] | None = None) -> bytes:
    numbered = zip(ranks or range(len(tokens)), tokens, strict=True)
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in numbered)


SMALL = lines([*BYTES, b"ab", "猫".encode()])


def byte_bpe(
    *rows: tuple[int, int, int], more: tuple[bytes, ...] = (), **fields: Any
) -> TokenizerSpec:
    """A byte-level BPE with a merge list."""
    tokens = [*BYTES, *more]
    for left, right, result in rows:
        if result == len(tokens):
            tokens.append(tokens[left] + tokens[right])
    merges = Merges(*zip(*rows, strict=True)) if rows else Merges.empty()
    splits = spec.Split(spec.Regex(PATTERNS["gpt2"]), "isolated")
    model = BPE(Tokens.from_iter(tokens), merges=merges)
    return TokenizerSpec(model, **{"pre_tokenizer": splits, **fields})


def write(described: TokenizerSpec) -> bytes:
    """Write without looking at the warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KugiriWarning)
        return tiktoken.write(described)


def test_read() -> None:
    read = tiktoken.read(SMALL, pattern="cl100k", special_tokens={"<|end|>": 300, "<|a|>": 258})
    assert isinstance(read.model, BPE)
    assert (read.model.unit, read.model.order, read.model.ignore_merges) == ("byte", "rank", True)
    assert read.model.vocab[255:] == [b"\xff", b"ab", "猫".encode()]
    assert read.model.ids is None
    assert read.added_tokens == (AddedToken(258, "<|a|>"), AddedToken(300, "<|end|>"))
    assert read.pre_tokenizer == spec.Split(spec.Regex(PATTERNS["cl100k"]), "removed", invert=True)
    assert tiktoken.read(SMALL, pattern=r"\S+|\s+").pre_tokenizer == spec.Split(
        spec.Regex(r"\S+|\s+"), "removed", invert=True
    )


def test_ranks_with_holes_and_out_of_order() -> None:
    data = lines([b"ab", *BYTES], [500, *range(256)]).replace(b"\n", b"\r\n") + b"\r\n\n"
    model = tiktoken.read(data, pattern="gpt2").model
    assert model.vocab[256] == b"ab"
    assert model.ids is not None
    assert model.ids.values.tolist() == [*range(256), 500]


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_name_stands_in_for_unknown_content(name: str) -> None:
    read = tiktoken.read(SMALL, name=name)
    assert read == tiktoken.read(
        SMALL,
        pattern=ENCODINGS[name].pattern,
        special_tokens=ENCODINGS[name].special_tokens,
    )


@pytest.mark.parametrize(
    ("data", "message", "offset"),
    [
        (SMALL, "give pattern= (--pattern), a regex or one of: gpt2, cl100k, o200k", None),
        (SMALL + b"YQ==\n", "b'YQ==' is not base64, a space and a rank", len(SMALL)),
        (SMALL + b"YQ== 1 2\n", "is not base64, a space and a rank", len(SMALL)),
        (SMALL + b"YQ== -1\n", "is not base64, a space and a rank", len(SMALL)),
        (SMALL + b"YQ== 1_0\n", "is not base64, a space and a rank", len(SMALL)),
        (SMALL + b"YQ== 4294967295\n", "is not base64, a space and a rank", len(SMALL)),
        (SMALL + b"YQ== " + b"9" * 100_000, "is not base64, a space and a rank", len(SMALL)),
        (SMALL + b"Y 300\n", "b'Y' is not the base64 of a token", len(SMALL)),
        (SMALL + b"YR== 300\n", "b'YR==' is not the base64 of a token", len(SMALL)),
        (SMALL + b"Y*Q= 300\n", "is not the base64 of a token", len(SMALL)),
        (SMALL + b" 300\n", "b'' is not the base64 of a token", len(SMALL)),
        (SMALL + b"YWJj 256\n", "the rank 256 stands twice", len(SMALL)),
        (SMALL + b"YWI= 300\n", "the token b'ab' has two ranks, 256 and 300", None),
        (SMALL[7:], "the byte 0x00 has no token (1 bytes have none)", None),
        (SMALL[: len(SMALL) - 3], "the rank 2 stands twice", len(SMALL) - 9),
        (b"", "the byte 0x00 has no token (256 bytes have none)", None),
    ],
)
def test_malformed(data: bytes, message: str, offset: int | None) -> None:
    with pytest.raises(FormatError) as caught:
        tiktoken.read(data, pattern=None if data == SMALL else "gpt2")
    assert message in str(caught.value)
    assert caught.value.offset == offset


def test_options() -> None:
    with pytest.raises(OptionError, match="unknown pattern 'cl100'; did you mean 'cl100k'"):
        tiktoken.read(SMALL, pattern="cl100")
    with pytest.raises(FormatError, match="special token '<e>' has the id 7, which is a rank too"):
        tiktoken.read(SMALL, pattern="gpt2", special_tokens={"<e>": 7})
    with pytest.raises(OptionError, match="special_tokens= maps each token to its id"):
        read_file(SMALL, pattern="gpt2", special_tokens=["<e>"])  # type: ignore[arg-type]


@given(
    st.lists(
        st.sampled_from(
            [b"YWI= 300", b"YWI= 301", b"YWJj 299", b"YWJj 300", b"", b"YQ== 400", b" 7", b"Y 9",
             b"YR== 500", b"YWJjZA== 0600", b"YWJj  9",
             b"YWJjZA== 4294967295", b"YWJjZA== 4294967294\r"]
        ),
        max_size=4,
    )
)  # fmt: skip
def test_the_core_reads_what_is_usual(more: list[bytes]) -> None:
    data = SMALL + b"\n".join(more)
    usual = _core.read_ranks(data)
    try:
        expected = tiktoken._read_unusual(data)
    except FormatError:
        assert usual is None
        return
    if usual is not None:
        tokens, offsets, ids, _ = usual
        column = None if ids is None else Column(ids, "uint32")
        assert (Tokens(tokens, offsets), column) == expected
    ranks = [int(it.split()[1]) for it in more if it]
    assert usual is not None or any(b"\r" in it for it in more) or ranks != sorted(ranks)


# ── the public encodings ──────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", PUBLIC)
def test_public_encoding_is_known_by_content(name: str) -> None:
    oracle = oracle_tiktoken(name)
    data = parity_file(f"tiktoken/{name}.tiktoken").read_bytes()
    read = tiktoken.read(data)
    assert read == tiktoken.read(data, name="some_other_name")
    assert {token.content: token.id for token in read.added_tokens} == oracle._special_tokens
    assert isinstance(read.model, BPE)
    ids = range(len(read.model.vocab)) if read.model.ids is None else read.model.ids.values.tolist()
    assert dict(zip(read.model.vocab, ids, strict=True)) == oracle._mergeable_ranks
    assert tiktoken.write(read) == data  # and nothing is lost, since the content says the rest


@pytest.mark.parametrize(
    ("file", "name", "count"),
    [
        ("p50k_base", "p50k_edit", 4),
        ("o200k_base", "o200k_harmony", 1091),
        ("r50k_base", "gpt2", 1),
    ],
)
def test_the_name_chooses_among_encodings_of_one_file(file: str, name: str, count: int) -> None:
    data = parity_file(f"tiktoken/{file}.tiktoken").read_bytes()
    read = tiktoken.read(data, name=name)
    special_tokens = {token.content: token.id for token in read.added_tokens}
    assert special_tokens == ENCODINGS[name].special_tokens
    assert len(special_tokens) == count


def test_a_merge_list_becomes_the_public_file() -> None:
    document = parity_file("npm/gpt4o/tokenizer.json").read_bytes()
    written = write(read_file(document))
    assert written == parity_file("tiktoken/o200k_base.tiktoken").read_bytes()


@pytest.mark.parametrize(
    ("file", "encoding"), [("tiktoken/cl100k_base.tiktoken", "cl100k_base"),
                           ("npm/gptoss/tokenizer.json", "o200k_base")],
)  # fmt: skip
def test_ranks_that_became_merges_become_ranks_again(file: str, encoding: str) -> None:
    """Every cut of every token, as transformers writes ranks, and as kugiri does."""
    listed = kugiri.convert(kugiri.load(parity_file(file)), "tokenizer.json").spec
    assert write(listed) == parity_file(f"tiktoken/{encoding}.tiktoken").read_bytes()


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def test_written_with_a_warning_that_says_how_to_load() -> None:
    described = byte_bpe((97, 98, 256), (256, 99, 257), added_tokens=(AddedToken(300, "<e>"),))
    with pytest.warns(KugiriWarning) as caught:
        data = tiktoken.write(described)
    assert data == lines([*BYTES, b"ab", b"abc"])
    assert str(caught[0].message) == (
        "a .tiktoken file does not keep the pattern (load it with pattern='gpt2', --pattern "
        "gpt2); special tokens (load it in Python with special_tokens={'<e>': 300}); "
        ".kugiri.json keeps everything"
    )


def test_special_tokens_of_the_vocabulary_are_left_out() -> None:
    described = byte_bpe((97, 98, 257), more=(b"<e>",), added_tokens=(AddedToken(256, "<e>"),))
    assert write(described) == lines([*BYTES, b"ab"], [*range(256), 257])


def test_without_a_split_the_pattern_is_the_whole_text() -> None:
    with pytest.warns(KugiriWarning, match=r"pattern='\[\\\\s\\\\S\]\+', --pattern '\[\\s\\S\]\+'"):
        tiktoken.write(byte_bpe(pre_tokenizer=None))


def test_visible_characters_become_bytes() -> None:
    described = byte_bpe((32, 98, 256))
    shown = show_bytes(described)
    assert shown.model.vocab[256] == "Ġb".encode()
    assert write(shown) == write(described)
    gpt2 = msgspec.structs.replace(shown, pre_tokenizer=spec.ByteLevel(add_prefix_space=False))
    assert hide_bytes(gpt2).pre_tokenizer == described.pre_tokenizer


@pytest.mark.parametrize(
    ("described", "message"),
    [
        (byte_bpe((97, 98, 256), (98, 99, 257), (256, 99, 258), (97, 257, 258)), "merge 3 makes"),
        (byte_bpe((98, 99, 256), (97, 98, 257), (257, 99, 258)), "never makes b'abc'"),
        (byte_bpe(more=(b"abc",)), "no merge makes the token b'abc' with id 256"),
        (
            byte_bpe((97, 98, 256), added_tokens=(AddedToken(256, "ab"),)),
            "the special token with id 256 is part of a merge",
        ),
        (byte_bpe(normalizer=spec.NFC()), "no normalizer NFC"),
        (byte_bpe(pre_tokenizer=spec.Whitespace()), "not by Whitespace as here"),
        (
            byte_bpe(pre_tokenizer=spec.Split(spec.Regex("a"), "isolated")),
            "the matches of one regex, not by Split as here",
        ),
        (byte_bpe(added_tokens=(AddedToken(300, "x", special=False),)), "in a way of its own"),
        (TokenizerSpec(spec.WordPiece(Tokens.from_iter([b"a"]))), "not a WordPiece"),
        (
            TokenizerSpec(BPE(Tokens.from_iter([b"a"]), unit="char")),
            "byte-level BPE only, and this one works on characters",
        ),
        (TokenizerSpec(BPE(Tokens.from_iter([b"a"]))), "the byte 0x00 has no token"),
        (TokenizerSpec(BPE(Tokens.from_iter(BYTES), end_of_word="_")), "no end-of-word mark"),
        (TokenizerSpec(BPE(Tokens.from_iter(BYTES), order="rank")), "take words that are tokens"),
    ],
)
def test_not_written(described: TokenizerSpec, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        tiktoken.write(described)
    assert message in str(caught.value)


def test_ids_that_are_not_in_order_of_byte_are_kept() -> None:
    """Single bytes may have any ids: they are never the join of two tokens."""
    tokens = [b"ab", *BYTES]
    described = byte_bpe()
    model = BPE(
        Tokens.from_iter(tokens), Column(range(257), "uint32"), merges=Merges([98], [99], [0])
    )
    assert write(msgspec.structs.replace(described, model=model)) == lines(tokens)
