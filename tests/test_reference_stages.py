"""The stages of the readable engine: what vectors do not say."""

from __future__ import annotations

import re

import pytest

from kugiri import spec
from kugiri.encoding import Token
from kugiri.errors import EncodingError, OptionError, TrainingError
from kugiri.reference import ReferenceTokenizer
from kugiri.reference.alignment import Aligned, character_span
from kugiri.reference.byte_alphabet import BYTE_OF, CHARACTER_OF, ORDERS
from kugiri.reference.post_process import post_process
from kugiri.reference.regex_classes import compile_pattern, expand_classes
from kugiri.reference.train.bpe import train_steps
from kugiri.reference.train.bpe_start import Options
from kugiri.reference.train.word_counts import count_words
from kugiri.reference.train.word_level import train_char_level, train_word_level
from kugiri.tables import Column, Merges, Tokens

BYTES = Tokens.from_iter(bytes([byte]) for byte in range(256))
SPLIT = spec.Split(spec.Literally("x"))


def bpe(**fields: object) -> spec.BPE:
    """A model of bytes with some field set."""
    return spec.BPE(BYTES, merges=Merges.empty(), **fields)  # type: ignore[arg-type]


def bytes_with(**fields: object) -> spec.TokenizerSpec:
    """A tokenizer of bytes with some part set."""
    return spec.TokenizerSpec(bpe(), **fields)  # type: ignore[arg-type]


# ── text ──────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "place", "name"),
    [("ok \ud83d\udc4d", 3, "D83D"), ("x\udbc0y", 1, "DBC0"), ("\udfff", 0, "DFFF")],
    ids=["a pair", "a lone one", "the last"],
)
def test_surrogates_are_refused_by_place(text: str, place: int, name: str) -> None:
    tokenizer = ReferenceTokenizer(bytes_with())
    for call in (tokenizer.encode, tokenizer.pre_tokenize):
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
    assert Aligned("é", ((3, 5),)).utf8() == [(0xC3, (3, 4)), (0xA9, (4, 5))]
    assert Aligned("é", ((3, 6),)).utf8() == [(0xC3, (3, 6)), (0xA9, (3, 6))]


# ── the byte alphabet ─────────────────────────────────────────────────────────────────────────
def test_byte_alphabet() -> None:
    assert [CHARACTER_OF[byte] for byte in b" \n\x00a~\x7f\xad\xff"] == list("ĠĊĀa~ġŃÿ")
    assert [BYTE_OF[CHARACTER_OF[byte]] for byte in range(256)] == list(range(256))


def test_gpt2_order_is_that_of_the_visible_characters() -> None:
    assert ORDERS["gpt2"] == sorted(range(256), key=CHARACTER_OF.__getitem__)
    assert ORDERS["gpt2"].index(0x00) == 188
    assert ORDERS["value"] == list(range(256))


# ── classes of patterns ───────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("pattern", "matched", "other"),
    [
        (r"\s", "\u0085\u3000 ", "\u001c\u200b"),
        (r"\S", "\u001ca", " "),
        (r"[^\s]", "\u001ca", " "),
        (r"[\S]", "\u001ca", " "),
        (r"\p{N}", "1①Ⅷ٣", "a"),
        (r"\d", "1٣", "①Ⅷ½"),
        (r"[^\d]", "①a", "1"),
        (r"\P{L}", "1 ", "aあ"),
        (r"\p{^L}", "1 ", "aあ"),
        (r"[\P{L}a]", "1a", "b"),
        (r"\pL", "aあ", "1"),
        (r"\w", "aあ1_\u200d\u3099Ⓐ", "- ①½"),
        (r"\W", "-①", "a"),
        (r"[]a]", "]a", "b"),
        (r"[^]a]", "b", "]a"),
        (r"\[", "[", "\\"),
        (r"\\p", "", "p"),
        (r"[$]", "$", "a"),
    ],
)
def test_classes(pattern: str, matched: str, other: str) -> None:
    compiled = compile_pattern(pattern)
    assert [c for c in matched if not compiled.fullmatch(c)] == []
    assert [c for c in other if compiled.fullmatch(c)] == []


def test_the_end_mark_is_the_end_of_the_text_only() -> None:
    assert expand_classes("a$") == r"a\Z"
    assert compile_pattern("a$").search("a\n") is None


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("[a[b]]", "a class in a class"),
        ("[[:alpha:]]", "a class in a class"),
        (r"[\p{L}&&[^a]]", "a class in a class"),
        (r"\p{Han}", r"\p{Han}"),
        ("(", "is not a regex"),
    ],
)
def test_patterns_that_are_refused(pattern: str, named: str) -> None:
    with pytest.raises(OptionError, match=re.escape(named)):
        compile_pattern(pattern)


# ── what is not run ───────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("described", "named"),
    [
        (bytes_with(normalizer=spec.NFC()), "normalizer NFC"),
        (bytes_with(normalizer=spec.Normalizers((spec.Prepend("▁"),))), "normalizer Prepend"),
        (bytes_with(pre_tokenizer=spec.Metaspace()), "pre-tokenizer Metaspace"),
        (bytes_with(pre_tokenizer=spec.PreTokenizers((SPLIT, spec.Digits()))), "tokenizer Digits"),
        (bytes_with(post_processor=spec.BertProcessing(("a", 1), ("b", 2))), "BertProcessing"),
        (bytes_with(decoder=spec.Fuse()), "decoder Fuse"),
        (bytes_with(added_tokens=(spec.AddedToken(9, "<m>", lstrip=True),)), "'<m>' with lstrip"),
        (spec.TokenizerSpec(bpe(byte_fallback=True)), "BPE with byte_fallback"),
        (spec.TokenizerSpec(bpe(order="score")), "BPE with order 'score'"),
        (spec.TokenizerSpec(bpe(end_of_word_suffix="</w>")), "BPE with end_of_word_suffix"),
        (spec.TokenizerSpec(spec.WordPiece(BYTES)), "model WordPiece"),
        (spec.TokenizerSpec(spec.Unigram(BYTES, scores=Column([0.0] * 256))), "model Unigram"),
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
    assert [token.id for token in ReferenceTokenizer(spec.TokenizerSpec(model)).encode("ab")] == [256]


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


def test_a_piece_without_id_is_shown_and_never_encoded() -> None:
    model = spec.BPE(Tokens.from_iter([b"a"]), unit="char", merges=Merges.empty())
    tokenizer = ReferenceTokenizer(spec.TokenizerSpec(model))
    assert list(tokenizer.tokens("a猫")) == [Token(0, b"a", 0, 1), Token(None, "猫".encode(), 1, 4)]
    with pytest.raises(EncodingError, match="'猫' at character 1 "):
        tokenizer.encode("a猫")


# ── words and characters ──────────────────────────────────────────────────────────────────────
def test_words() -> None:
    model = spec.WordLevel(Tokens.from_iter([b"low", "猫".encode()]))
    tokenizer = ReferenceTokenizer(
        spec.TokenizerSpec(
            model,
            added_tokens=(spec.AddedToken(2, "<unk>"),),
            pre_tokenizer=spec.WhitespaceSplit(),
        )
    )
    assert tokenizer.encode("猫 lower low") == [
        Token(1, "猫".encode(), 0, 3),
        Token(2, b"lower", 4, 9),
        Token(0, b"low", 10, 13),
    ]


def test_characters() -> None:
    model = spec.CharLevel(Tokens.from_iter([b"a", "猫".encode(), b"<unk>"]))
    tokenizer = ReferenceTokenizer(spec.TokenizerSpec(model))
    assert [token.id for token in tokenizer.encode("a猫犬")] == [0, 1, 2]
    assert [token[2:] for token in tokenizer.encode("a猫犬")] == [(0, 1), (1, 4), (4, 7)]


def test_training_words_and_characters() -> None:
    counts = count_words(["b a", "c a", "b <s>"], spec.WhitespaceSplit())
    assert list(counts.items()) == [(b"b", 2), (b"a", 2), (b"c", 1), (b"<s>", 1)]
    assert train_word_level(counts) == [b"a", b"b", b"<s>", b"c"]
    assert train_word_level(counts, 3, ["<s>"]) == [b"a", b"b", b"<s>"]
    assert train_word_level(counts, 9, ["<s>"]) == [b"a", b"b", b"c", b"<s>"]
    assert train_char_level({"猫が".encode(): 2, "犬が".encode(): 1}, 2) == [
        "が".encode(),
        "猫".encode(),
    ]


@pytest.mark.parametrize("train", [train_word_level, train_char_level])
def test_training_words_and_characters_refuses(train: object) -> None:
    assert callable(train)
    with pytest.raises(TrainingError, match="no words"):
        train({})
    with pytest.raises(TrainingError, match="vocab_size=1 .* at least 2"):
        train({b"a": 1}, 1, ["<unk>"])


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
    assert post_process([], template)[0] == Token(256, b"<s>", 0, 0)


def test_special_tokens_keep_their_place() -> None:
    end = spec.AddedToken(256, "<|end|>")
    tokenizer = ReferenceTokenizer(bytes_with(added_tokens=(end,)))
    tokens = tokenizer.encode("é<|end|>a", allowed_special={"<|end|>"})
    assert tokens[2:] == [Token(256, b"<|end|>", 2, 9), Token(97, b"a", 9, 10)]


# ── options of training ───────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    "options", [{"end_of_word": "_"}, {"limit_alphabet": 5}, {"initial_alphabet": "abc"}]
)
def test_options_of_characters_need_characters(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=f"{next(iter(options))} .*unit='char'"):
        Options(**options)  # type: ignore[arg-type]


def test_a_step_shows_the_rivals_of_its_pair() -> None:
    step = next(train_steps({b"abab": 2, b"cd": 3, b"ef": 1}, Options(min_frequency=1)))
    assert (step.left, step.right, step.count) == (b"a", b"b", 4)
    assert step.rivals == [((b"c", b"d"), 3), ((b"b", b"a"), 2), ((b"e", b"f"), 1)]
