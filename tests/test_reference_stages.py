"""The stages of the readable engine: what vectors do not say."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest

from kugiri import spec
from kugiri.encoding import Token
from kugiri.errors import EncodingError, OptionError
from kugiri.reference.alignment import Aligned, character_span
from kugiri.reference.models.bpe import BPE
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.places import pre_tokens
from kugiri.reference.post_process import post_process
from kugiri.reference.vocab import Vocabulary
from kugiri.tables import Column, Merges, Tokens

BYTES = Tokens.from_iter(bytes([byte]) for byte in range(256))
SPLIT = spec.Split(spec.Literally("x"))


def bpe(**fields: Any) -> spec.BPE:
    """A model of bytes with some field set."""
    return spec.BPE(BYTES, merges=Merges.empty(), **fields)


def bytes_with(**fields: Any) -> spec.TokenizerSpec:
    """A tokenizer of bytes with some part set."""
    return spec.TokenizerSpec(bpe(), **fields)


# ── text ──────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "place", "name"),
    [("ok \ud83d\udc4d", 3, "D83D"), ("x\udbc0y", 1, "DBC0"), ("\udfff", 0, "DFFF")],
    ids=["a pair", "a lone one", "the last"],
)
def test_surrogates_are_refused_by_place(text: str, place: int, name: str) -> None:
    tokenizer = ReferenceTokenizer(bytes_with())
    for call in (tokenizer.encode, partial(pre_tokens, tokenizer)):
        with pytest.raises(EncodingError, match=rf"character {place} .*U\+{name}"):
            call(text)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 1, (0, 1)),
        (1, 4, (1, 2)),
        (1, 2, (1, 2)),
        (2, 3, (1, 2)),
        (3, 5, (1, 3)),
        (5, 7, (2, 3)),
        (4, 4, (2, 2)),
        (8, 8, (3, 3)),
    ],
)
def test_character_span_covers_what_is_touched(
    start: int, end: int, expected: tuple[int, int]
) -> None:
    assert character_span("a猫🐈", start, end) == expected


def test_a_byte_has_its_own_place_only_where_the_text_is_as_it_was() -> None:
    as_it_was = Aligned("é", ((1, 3),), 3, "aé".encode())
    assert as_it_was.utf8() == [(0xC3, (1, 2)), (0xA9, (2, 3))]
    composed = Aligned("é", ((0, 3),), 3, "e\u0301".encode())
    assert composed.utf8() == [(0xC3, (0, 3)), (0xA9, (0, 3))]
    as_long_but_changed = Aligned("ア", ((0, 3),), 3, "ｱ".encode())
    assert [span for _, span in as_long_but_changed.utf8()] == [(0, 3)] * 3


# ── what is not run ───────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("described", "named"),
    [
        (spec.TokenizerSpec(bpe(byte_fallback=True)), "BPE on bytes with byte_fallback or affixes"),
        (
            spec.TokenizerSpec(bpe(end_of_word_suffix="#")),
            "BPE on bytes with byte_fallback or affixes",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_not_run_is_named(described: spec.TokenizerSpec, named: str) -> None:
    def run() -> None:
        tokenizer = ReferenceTokenizer(described)
        tokenizer.encode("a", add_special_tokens=True)
        tokenizer.decode([97])

    with pytest.raises(OptionError, match=f"{re.escape(named)} is described but not run"):
        run()


def test_steps_of_nothing_change_nothing() -> None:
    nothing = bytes_with(
        normalizer=spec.Normalizers(),
        pre_tokenizer=spec.PreTokenizers(),
        post_processor=spec.PostProcessors(),
    )
    tokens = ReferenceTokenizer(nothing).encode("猫", add_special_tokens=True)
    assert [token.id for token in tokens] == [231, 140, 171]


def test_a_dropout_in_the_spec_is_not_for_encoding() -> None:
    model = spec.BPE(Tokens.from_iter([*BYTES, b"ab"]), merges=Merges([97], [98], [256]), dropout=1)
    tokenizer = ReferenceTokenizer(spec.TokenizerSpec(model))
    assert [token.id for token in tokenizer.encode("ab")] == [256]


# ── ids ───────────────────────────────────────────────────────────────────────────────────────
def test_ids_with_gaps() -> None:
    model = spec.BPE(
        Tokens.from_iter([b"a", b"b", b"ab"]),
        ids=Column([3, 5, 9]),
        unit="char",
        merges=Merges([3], [5], [9]),
    )
    tokenizer = ReferenceTokenizer(spec.TokenizerSpec(model))
    assert [token.id for token in tokenizer.encode("abba")] == [9, 5, 3]
    assert tokenizer.decode([9, 5, 3]) == "abba"


def test_of_two_equal_tokens_text_becomes_the_last_and_both_decode() -> None:
    model = spec.BPE(Tokens.from_iter([b"a", b"b", b"a"]), unit="char", merges=Merges.empty())
    tokenizer = ReferenceTokenizer(spec.TokenizerSpec(model))
    assert [token.id for token in tokenizer.encode("ab")] == [2, 1]
    assert tokenizer.decode([0, 1, 2]) == "aba"


def test_a_word_that_is_a_token_has_no_steps() -> None:
    model = spec.BPE(Tokens.from_iter([*BYTES, b"ab"]), order="rank")
    bpe_model = BPE(model, Vocabulary(model))
    assert list(bpe_model.steps(Aligned.of("ab"))) == []
    assert [step.after for step in bpe_model.steps(Aligned.of("abc"))] == [(b"ab", b"c")]


def test_a_piece_without_id_is_shown_and_never_encoded() -> None:
    model = spec.BPE(Tokens.from_iter([b"a"]), unit="char", merges=Merges.empty())
    tokenizer = ReferenceTokenizer(spec.TokenizerSpec(model))
    assert list(tokenizer.tokens("a猫")) == [Token(0, b"a", 0, 1), Token(None, "猫".encode(), 1, 4)]
    with pytest.raises(EncodingError, match="'猫' at character 1 "):
        tokenizer.encode("a猫")


def test_a_whole_text_that_looks_like_a_special_token_is_text() -> None:
    model = spec.BPE(Tokens.from_iter([*BYTES, b"<s>"]), ignore_merges=True)
    end = spec.AddedToken(256, "<s>")
    tokenizer = ReferenceTokenizer(spec.TokenizerSpec(model, added_tokens=(end,)))
    assert [token.id for token in tokenizer.encode("<s>")] == [60, 115, 62]


# ── special tokens around a text ──────────────────────────────────────────────────────────────
def test_a_template_puts_its_tokens_around_a_text() -> None:
    template = spec.TemplateProcessing(
        single=(spec.SpecialPiece("<s>"), spec.SequencePiece("A"), spec.SpecialPiece("</s>")),
        special_tokens={
            "<s>": spec.TemplateToken("<s>", (256,), ("<s>",)),
            "</s>": spec.TemplateToken("</s>", (257, 258), ("</s>", "<e>")),
        },
    )
    both = spec.PostProcessors((spec.ByteLevelProcessing(), template))
    tokenizer = ReferenceTokenizer(bytes_with(post_processor=both))
    assert [t.id for t in tokenizer.encode("a", add_special_tokens=True)] == [256, 97, 257, 258]
    assert [t.id for t in tokenizer.encode("a")] == [97]
    assert post_process([[]], template, True)[0] == Token(256, b"<s>", 0, 0)


def test_special_tokens_keep_their_place() -> None:
    end = spec.AddedToken(256, "<|end|>")
    tokenizer = ReferenceTokenizer(bytes_with(added_tokens=(end,)))
    tokens = tokenizer.encode("é<|end|>a", allowed_special={"<|end|>"})
    assert tokens[2:] == [Token(256, b"<|end|>", 2, 9), Token(97, b"a", 9, 10)]
