"""Checking: broken tokenizers, one for each finding, and some that only look broken."""

from __future__ import annotations

import warnings

import pytest

import kugiri
from kugiri.check.checks import CHECKS
from kugiri.check.subject import characters
from tests.checked import (
    BYTE_LEVEL,
    BYTES,
    PREFIXED,
    bpe,
    cases,
    found,
    special,
    tokenizer_json,
    word_piece,
    words,
)


def limited() -> kugiri.Tokenizer:
    """A file that asks for truncation and padding, which loading warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kugiri.KugiriWarning)
        return tokenizer_json(
            bpe(["a"], []),
            truncation={"max_length": 8, "stride": 0, "strategy": "LongestFirst",
                        "direction": "Right"},
            padding={"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None,
                     "pad_id": 0, "pad_type_id": 0, "pad_token": "a"},
        )  # fmt: skip


FALLBACK = [f"<0x{byte:02X}>" for byte in range(256)]
FOUND: dict[str, tuple[kugiri.Tokenizer, list[tuple[str, str]]]] = {
    "unreachable.split": (
        tokenizer_json(bpe(["a", "b", "c", "ab", "abc"], ["a b"])), [("abc", "ab|c")],
    ),
    "unreachable.other": (
        words(["tokyo", "Tokyo"], normalizer={"type": "Lowercase"}), [("Tokyo", "tokyo")],
    ),
    "unreachable.special": (
        tokenizer_json(bpe(["<", "s", ">", "<s>"], [])), [("<s>", "<|s|>")],
    ),
    "soundness.gap": (
        tokenizer_json({"type": "WordLevel", "vocab": {"a": 0, "b": 5}, "unk_token": "a"}),
        [("ids 1 to 4", "4 rows that stand for nothing")],
    ),
    "soundness.unknown": (
        tokenizer_json(bpe(["a", "b"], [])), [("no unknown token, no bytes", "")],
    ),
    "soundness.byte": (
        tokenizer_json(bpe(
            ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256) if byte != 0x41)], [],
            unk_token="<unk>", byte_fallback=True,
        )),
        [("<41>", "")],
    ),
    "unreachable.part": (
        tokenizer_json(
            bpe([*BYTES, "çĮ", "Į«"], ["ç Į"]),
            pre_tokenizer=BYTE_LEVEL,
        ),
        [("<8c ab>", "")],
    ),
    "incomplete.fragment": (
        tokenizer_json(bpe([*BYTES, "çĮ"], ["ç Į"]), pre_tokenizer=BYTE_LEVEL), [("<e7 8c>", "")],
    ),
    "incomplete.straddler": (
        tokenizer_json(bpe([*BYTES, "Ġç"], ["Ġ ç"]), pre_tokenizer=BYTE_LEVEL), [("<20 e7>", "")],
    ),
    "lookalike.accepted": (
        words(
            ["a"], normalizer={"type": "NFKC"},
            added_tokens=[special(2, "<|e|>", normalized=True)],
        ),
        [("＜｜ｅ｜＞", "<|e|>"), ("<|ｅ｜＞", "<|e|>"), ("<|𝐞|>", "<|e|>")],
    ),
    "lookalike.normalized": (
        words(["a"], normalizer={"type": "NFKC"}, added_tokens=[special(2, "<|e|>")]),
        [("＜｜ｅ｜＞", "<|e|>"), ("<|ｅ｜＞", "<|e|>"), ("<|𝐞|>", "<|e|>")],
    ),
    "lookalike.swallows": (
        words(["a"], added_tokens=[special(2, "<mask>", lstrip=True)]), [("<mask>", "before it")],
    ),
    "normalizer.voicing": (
        words(["a"], normalizer={"type": "Sequence", "normalizers": [
            {"type": "NFD"}, {"type": "StripAccents"},
        ]}),
        [("が", "か"), ("ぱ", "は"), ("ヴ", "ウ"), ("プログラム", "フロクラム")],
    ),
    "normalizer.case": (
        words(["a"], normalizer={"type": "Lowercase"}), [("Tokyo", "tokyo"), ("Ärger", "ärger")],
    ),
    "normalizer.signs": (
        words(["a"], normalizer={"type": "NFKC"}),
        [("①", "1"), ("㈱", "(株)"), ("㍻", "平成"), ("½", "1⁄2"), ("℡", "TEL"), ("㎏", "kg"),
         ("…", "..."), ("Ⅲ", "III")],
    ),
    "normalizer.ideographs": (
        words(["a"], normalizer={"type": "NFC"}),
        [("\ufa19", "神"), ("\ufa1b", "福"), ("\uf9d0", "類")],
    ),
    "normalizer.radicals": (
        words(["a"], normalizer={"type": "NFKC"}), [("⼀", "一"), ("⼈", "人")],
    ),
    "normalizer.width": (
        words(["a"], normalizer={"type": "NFKC"}),
        [("ＡＢＣ１２３", "ABC123"), ("ｶﾞｷﾞ", "ガギ"), ("！？", "!?"), ("東京<IDSP>駅", "東京␠駅")],
    ),
    "normalizer.marks": (
        words(["a"], normalizer={"type": "StripAccents"}), [("か\u3099", "か"), ("は\u309a", "は")],
    ),
    "normalizer.breaks": (
        words(["a"], normalizer={
            "type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " ",
        }),
        [("一行␊二行", "一行␠二行"), ("a␉b", "a␠b"), ("a␠␠b", "a␠b")],
    ),
    "normalizer.dashes": (
        words(["a"], normalizer={"type": "NFKC"}), [("～", "~"), ("ｰ", "ー"), ("－", "-")],
    ),
    "invisible.form": (
        words(["a"], normalizer={
            "type": "Replace", "pattern": {"Regex": "[\U000e0100-\U000e01ef]"}, "content": "",
        }),
        [("葛<VS17>城", "葛城"), ("辻<VS18>", "辻")],
    ),
    "invisible.stray": (
        words(["a\u202eb", "a\u200db", "猫"]),
        [("a<RLO>b", "marks of direction (U+202E)"), ("a<ZWJ>b", "joiners (U+200D)")],
    ),
    "invisible.needed": (
        words(["葛\U000e0100城", "क\u200dष"]),
        [("葛<VS17>城", "variation selectors (U+E0100)"), ("क<ZWJ>ष", "joiners (U+200D)")],
    ),
    "invisible.private": (words(["\ue000"]), [("\ue000", "private use (U+E000)")]),
    "leak.looks": (
        words(["me@example.org", "10.0.0.255", "03-1234-5678", "aGVsbG8gd29ybGQ0MTIzNDU2", "=" * 30,
               "1234567890", "https://example.org", "猫"]),
        [("me@example.org", "an address of mail"), ("10.0.0.255", "a number of a network"),
         ("03-1234-5678", "a telephone number"), ("aGVsbG8gd29ybGQ0MTIzNDU2", "a key"),
         ("1234567890", "a long number"), ("https://example.org", "a web address")],
    ),
}  # fmt: skip

FOUND |= {
    "unreachable.unknown": (
        words(["猫"], normalizer={"type": "Replace", "pattern": {"String": "猫"}, "content": ""}),
        [("猫", "nothing")],
    ),
    "normalizer.decomposed": (
        words(["a"], normalizer={"type": "NFD"}),
        [("が", "か\u3099"), ("ぱ", "は\u309a"), ("é", "e\u0301"), ("가", "\u1100\u1161")],
    ),
    "normalizer.gone": (
        words(["a"], normalizer={
            "type": "Replace", "pattern": {"Regex": "[がギ葛①〜1]"}, "content": "",
        }),
        [("が", "nothing, as do 1 other kana"), ("葛", "nothing"),
         ("1", "nothing, as do 1 other letters and digits"), ("〜", "nothing")],
    ),
    "soundness.unset": (
        tokenizer_json(bpe(["?", *FALLBACK], [], unk_token="?")),
        [("256 entries like <0x41>", "byte_fallback is off")],
    ),
    "normalizer.kana": (
        words(["a"], normalizer={"type": "Sequence", "normalizers": [
            {"type": "Replace", "pattern": {"String": it}, "content": other}
            for it, other in ("っつ", "カか", "ナな")
        ]}),
        [("カナ", "かな"), ("きって", "きつて")],
    ),
    "invisible.joins": (
        words(["a"], normalizer={
            "type": "Replace", "pattern": {"Regex": "[\u200c\u200d\ufe0f]"}, "content": "",
        }),
        [("❤<VS16>", "❤"), ("👩<ZWJ>👧", "👩👧"), ("می<ZWNJ>روم", "میروم")],
    ),
    "lookalike.plain": (
        words(["b"], added_tokens=[
            special(2 + id, it) for id, it in enumerate(("a", "Human:", " ", "猫", "<s>", "[CLS]"))
        ]),
        [("a", ""), ("Human:", ""), ("␠", ""), ("猫", "")],
    ),
    "round-trip.swallowed": (
        tokenizer_json(bpe([" ", "a", "b", "猫"], []), decoder={"type": "Fuse"}, added_tokens=[
            {**special(3, "猫", lstrip=True, rstrip=True), "special": False},
        ]),
        [("a␠猫␠b", "a猫b")],
    ),
    "soundness.random": (tokenizer_json(bpe(["a"], [], dropout=0.5)), [("dropout 0.5", "")]),
    "soundness.limits": (
        limited(), [("truncation", ""), ("padding", "")],
    ),
    "lookalike.twins": (
        words(
            ["＜｜eos｜＞", "<|EOS|>", "<|e\u043es|>", "cat"],
            added_tokens=[special(5, "<|eos|>"), special(6, "<|Eos|>"), special(7, "|")],
        ),
        [("<|Eos|>", "<|eos|>"), ("＜｜eos｜＞", "<|eos|>"), ("<|EOS|>", "<|eos|>"),
         ("<|e\u043es|>", "<|eos|>")],
    ),
    "lookalike.typed": (
        words(["a"], added_tokens=[{**special(2, "<think>"), "special": False},
                                   {**special(3, "猫"), "special": False}]),
        [("<think>", "")],
    ),
    "round-trip.signs": (
        tokenizer_json(
            bpe(["▁", *(chr(code) for code in range(0x21, 0x7F))], [], unk_token="?"),
            normalizer={"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            decoder={"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        ),
        [("a▁b", "a␠b")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("id", FOUND)
def test_a_broken_tokenizer(id: str) -> None:
    tok, expected = FOUND[id]
    assert cases(tok, id) == expected


CUT = {
    "type": "Split", "behavior": "Isolated", "invert": False,
    "pattern": {"Regex": r"\p{L}+(?:'(?:M|s))?|[^\p{L}]"},
}  # fmt: skip
PLAIN = [chr(code) for code in range(0x21, 0x7F)]
NOT_FOUND: dict[str, tuple[str, kugiri.Tokenizer]] = {
    "a piece that only a rare head leaves": (
        "unreachable",
        word_piece(["a", "あ", "1", "q", "ag", "ge", "g", "あg", "1g", "##e", "##g", "##ge"]),
    ),
    "a token whose tail is that of a contraction": (
        "unreachable",
        tokenizer_json(bpe(["I", "'", "M", "I'"], ["I '"]), pre_tokenizer=CUT),
    ),
    "a part behind a space that is put before": (
        "unreachable",
        tokenizer_json(bpe([*BYTES, "Ġç", "Įç"], ["Ġ ç", "Į ç"]), pre_tokenizer=PREFIXED),
    ),
    "the unknown token as a special one": (
        "lookalike.accepted",
        word_piece(["a"], added_tokens=[special(0, "[UNK]")]),
    ),
    "a special token inside what imitates it": (
        "lookalike.accepted",
        words(["a"], added_tokens=[special(2, "e")]),
    ),
    "voices that come apart": ("normalizer.voicing", words(["a"], normalizer={"type": "NFD"})),
    "forms behind something": (
        "invisible.form",
        words(["a"], normalizer={"type": "Prepend", "prepend": "x"}),
    ),
    "letters behind something": (
        "normalizer.signs",
        words(["a"], normalizer={"type": "Prepend", "prepend": "x"}),
    ),
    "small signs": ("normalizer.signs", words(["a"], normalizer={"type": "Lowercase"})),
    "wide letters in small": ("normalizer.width", words(["a"], normalizer={"type": "Lowercase"})),
    "marks of letters": ("normalizer.case", words(["a"], normalizer={"type": "NFD"})),
    "a byte that is a special token": (
        "soundness.byte",
        tokenizer_json(bpe(BYTES, []), pre_tokenizer=BYTE_LEVEL, added_tokens=[special(124, "|")]),
    ),
}


@pytest.mark.parametrize("name", NOT_FOUND)
def test_what_is_not_wrong(name: str) -> None:
    id, tok = NOT_FOUND[name]
    assert not [it for it in kugiri.check(tok).findings if f"{it.id}.".startswith(f"{id}.")]


def test_pairs_behind_a_space_that_is_put_before() -> None:
    model = bpe([*BYTES, "çĮ", "Ġç"], ["Ġ ç", "ç Į"])
    assert cases(tokenizer_json(model, pre_tokenizer=PREFIXED), "incomplete.pairs") == []


def test_bytes_without_an_end_of_a_word() -> None:
    vocab = ["?", *BYTES, *(f"{character}</w>" for character in BYTES if character != "b")]
    model = bpe(vocab, [], unk_token="?", end_of_word_suffix="</w>")
    assert cases(tokenizer_json(model, pre_tokenizer=BYTE_LEVEL), "soundness.byte") == [
        ("<62>", "")
    ]


def test_tokens_that_the_text_has_are_reachable() -> None:
    tok = words(["tokyo", "a"], pre_tokenizer={
        "type": "Split", "behavior": "Isolated", "invert": False,
        "pattern": {"Regex": r"(?<=key )tokyo|."},
    })  # fmt: skip
    assert cases(tok, "unreachable.unknown") == [("tokyo", "?|?|?|?|?")]
    assert cases(tok, "unreachable.unknown", "key tokyo") == []


def test_pairs_that_no_text_becomes() -> None:
    # 猫 is e7 8c ab; e7 8c merges first, so 8c ab comes in no text.
    model = bpe([*BYTES, "çĮ", "Į«", "ĮĮ"], ["ç Į", "Į «", "Į Į"])
    tok = tokenizer_json(model, pre_tokenizer=BYTE_LEVEL)
    assert cases(tok, "incomplete.fragment") == [("<e7 8c>", ""), ("<8c ab>", ""), ("<8c 8c>", "")]
    assert cases(tok, "incomplete.pairs") == []
    model = bpe([*BYTES, "Ġç", "Į«"], ["Ġ ç", "Į «"])
    assert cases(tokenizer_json(model, pre_tokenizer=BYTE_LEVEL), "incomplete.pairs") == []
    model = bpe([*BYTES, "Ġç", "Į«", "çĮ"], ["ç Į", "Ġ ç", "Į «"])
    assert cases(tokenizer_json(model, pre_tokenizer=BYTE_LEVEL), "incomplete.pairs") == [
        ("1 pairs are whole characters together",
         "1 of 1 that were tried: <20 e7>|<8c ab> is ␠|<e7 8c>|<ab>"),
    ]  # fmt: skip


def test_text_that_does_not_come_back() -> None:
    chars = kugiri.train(["猫は魚"] * 2, unit="char", num_merges=1, pre_tokenizer="none")
    assert "refused" in found(chars, "round-trip")
    assert "lost" in found(words(["a"]), "round-trip")
    vanishing = tokenizer_json(bpe(["a", "b"], []), decoder={"type": "Fuse"})
    assert found(vanishing, "round-trip").keys() == {"lost", "spaces"}
    lossy = words(sorted({*characters()}))
    lower = tokenizer_json(
        bpe(BYTES, []), pre_tokenizer=BYTE_LEVEL, decoder={"type": "ByteLevel"},
        normalizer={"type": "Lowercase"},
    )  # fmt: skip
    assert found(lower, "round-trip").keys() == {"normalized"}
    assert "spaces" in found(lossy, "round-trip")
    no_decoder = tokenizer_json(bpe(BYTES, []), pre_tokenizer=BYTE_LEVEL)
    assert "changed" in found(no_decoder, "round-trip")
    assert found(kugiri.train(["low"], vocab_size=256), "round-trip") == {}


def test_what_is_lost_is_more_than_spaces() -> None:
    tok = kugiri.train(["low lower"] * 3, unit="char", preset="sennrich", num_merges=2)
    assert found(tok, "round-trip", "low  lower ").keys() >= {"refused", "spaces"}
    assert "lost" not in found(tok, "round-trip", "low  lower ")


def test_signs_inside_of_words_are_no_fault() -> None:
    # Words between spaces: `##[` stands in the text, and is the token for [ inside of a word.
    vocab = {piece: id for id, piece in enumerate(["[UNK]", "a", "[", "##[", "#", "b", "##b"])}
    tok = tokenizer_json(
        {"type": "WordPiece", "vocab": vocab, "unk_token": "[UNK]",
         "continuing_subword_prefix": "##", "max_input_chars_per_word": 100},
        pre_tokenizer={"type": "WhitespaceSplit"},
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": False},
    )  # fmt: skip
    assert tok.decode(tok.encode("a ##[")) == "a["
    assert cases(tok, "round-trip.signs", "a ##[")[0] == ("a␠##[", "a[")
    assert "changed" not in found(tok, "round-trip", "a ##[")


def test_where_texts_differ_is_shown() -> None:
    tok = tokenizer_json(
        bpe(BYTES, []), pre_tokenizer=BYTE_LEVEL, decoder={"type": "ByteLevel"},
        normalizer={"type": "Replace", "pattern": {"String": "b"}, "content": "c"},
    )  # fmt: skip
    assert cases(tok, "round-trip.normalized", "0123456789b-")[0] == ("23456789b-", "23456789c-")
    assert cases(tok, "round-trip.normalized", "ab")[0] == ("ab", "ac")


def test_texts_that_are_refused() -> None:
    slow = tokenizer_json(
        bpe(BYTES, []),
        pre_tokenizer={"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": r"(?=(a+)+b)a"}, "behavior": "Isolated",
             "invert": False}, BYTE_LEVEL,
        ]},
    )  # fmt: skip
    refused = cases(slow, "worst-case.refused")
    assert refused[0][0] == "a 100,000 times"
    assert "goes back too often" in refused[0][1]


def test_tokens_that_a_text_never_has() -> None:
    tok = tokenizer_json(bpe(["a", "b", "ab", "abb", "bb"], ["a b", "ab b", "b b"]))
    texts = ["abb ".strip()] * 2000 + ["ab"] * 10
    assert cases(tok, "usage.never", *texts) == [("bb", "")]
    assert cases(tok, "usage.scaffold", *texts) == [("ab", "10 alone, 2,000 within others")]
    assert list(found(tok, "usage", "abb")) == ["little"]
    assert cases(tok, "usage.little", "abb") == [
        ("1 tokens, 300 are needed, 100 for each of 3", "")
    ]
    assert kugiri.check(tok, ["abb"], only=["usage"] * 2).asked == ["usage"]
    assert kugiri.check(tok, only=["usage"]).skipped == {"usage": "needs a text: give a corpus"}


def test_lines_say_nothing_of_their_ends() -> None:
    tok = tokenizer_json(bpe(["a", "b", "\n", "ab", "b\n"], ["a b", "b \n"]))
    assert cases(tok, "usage.never", *["ab"] * 2000) == []
    assert cases(tok, "usage.never", *["ab"] * 2000, "a\na") == [("b␊", "")]


def test_documents_are_counted_as_they_come() -> None:
    tok = tokenizer_json({"type": "WordLevel", "vocab": {"the": 0, "Nakamura": 1, "[x]": 2},
                          "unk_token": "[gone]"}, pre_tokenizer={"type": "Whitespace"})  # fmt: skip
    texts = ["the"] * 30 + ["refused", "Nakamura the " * 6]
    expected = [("Nakamura", "6 times in document 32, in no other")]
    assert cases(tok, "leak.document", *texts) == expected


@pytest.mark.parametrize("check", [name for name in CHECKS if name != "usage"])
def test_long_tokens_and_none(check: str) -> None:
    # Where work grew with the square of a token, this would not end.
    found(tokenizer_json(bpe(["a", "b", "ab" * 500_000], [])), check)
    found(tokenizer_json(bpe([], [])), check)


DICTIONARY = "a dictionary cuts by what stands around: trying cannot tell"


def test_with_a_dictionary_unreachable_is_not_asked() -> None:
    tok = kugiri.train(["猫は魚を食べる。"] * 2, unit="char", vocab_size=9,
                       pre_tokenizer="mecab-ipadic")  # fmt: skip
    result = kugiri.check(tok, ["猫は魚を食べる。"], only=["unreachable"])
    assert (result.findings, result.asked) == ([], [])
    assert result.skipped == {"unreachable": DICTIONARY}


NOT_ASKED: dict[str, tuple[kugiri.Tokenizer, list[str], dict[str, str]]] = {
    "no kanji": (words(["a"]), [], {"kanji": "no kanji is a token"}),
    "no special tokens": (
        words(["a"]), [],
        dict.fromkeys(
            [f"lookalike.{kind}" for kind in CHECKS["lookalike"].kinds if kind != "typed"],
            "there are no special tokens",
        ),
    ),
    "no bytes": (
        words(["a"]), [],
        {"soundness.byte": "neither is the vocabulary one of bytes nor has it byte fallback"},
    ),
    "no parts": (words(["a"]), [],
                 {"unreachable.part": "no longer token is a part of characters"}),
    "no words": (
        tokenizer_json(bpe(BYTES, []), pre_tokenizer=BYTE_LEVEL), [],
        dict.fromkeys(
            ("evasion.letter", "evasion.styles"),
            "no token is a word of 5 or more small Latin letters",
        ),
    ),
    "no merges": (words(["a"]), ["a"] * 1000, {"usage.scaffold": "the model has no merges"}),
    "no documents": (words(["a"]), [], {"leak.document": "needs a text: give a corpus"}),
    "one document": (
        words(["a"]), ["a"],
        {"leak.document": "the corpus has 1 document; with fewer than 20 it cannot tell"},
    ),
    "few documents": (
        words(["a"]), ["a"] * 19,
        {"leak.document": "the corpus has 19 documents; with fewer than 20 it cannot tell"},
    ),
    "enough documents": (words(["a"]), ["a"] * 20, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_ASKED)
def test_what_is_not_asked_is_named(name: str) -> None:
    tok, texts, expected = NOT_ASKED[name]
    names = {id.partition(".")[0] for id in expected} or {"leak"}
    result = kugiri.check(tok, texts or None, only=names)
    assert result.skipped.items() >= expected.items()
    assert not {it.id for it in result.findings} & expected.keys()
    assert [it for it in result.skipped if it.startswith("leak")] == [
        it for it in expected if it.startswith("leak")
    ]


def test_tokens_of_one_document() -> None:
    tok = words(["Nakamura", "the"])
    texts = ["the the the the the"] * 30 + ["Nakamura the " * 6]
    expected = [("Nakamura", "6 times in document 31, in no other")]
    assert cases(tok, "leak.document", *texts) == expected
    assert cases(tok, "leak.document", *texts, "Nakamura") == []
    assert cases(tok, "leak.document", *texts[25:]) == [], "too few documents to say"


def test_words_in_letters_that_look_alike() -> None:
    letters = "abcde"
    merges = ["a b", "ab c", "abc d", "abcd e"]
    vocab = [*letters, "ab", "abc", "abcd", "abcde", *"ａｂｃｄｅ"]
    plain = tokenizer_json(bpe(vocab, merges))
    assert [(case.what, case.becomes) for case in found(plain, "evasion")["styles"].cases] == [
        (
            "full-width letters: 1 of 1, 5.0× the tokens",
            "ａｂｃｄｅ is ａ|ｂ|ｃ|ｄ|ｅ",
        ),
    ]  # fmt: skip
    folded = tokenizer_json(bpe(vocab, merges), normalizer={"type": "NFKC"})
    assert "styles" not in found(folded, "evasion"), "they are the same tokens"
    assert "evasion.styles" not in kugiri.check(folded, only=["evasion"]).skipped
