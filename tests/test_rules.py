"""Normalization rules by name: rule by rule and text by text those of sentencepiece 0.2.3.

Its tables are what its `decompile` lists. For the names that it has no table for, Python's own
normalization answers, for the characters that its Unicode has.
"""

from __future__ import annotations

import hashlib
import random
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kugiri.errors import OptionError
from kugiri.formats.sentencepiece_specs import write_normalizer
from kugiri.reference.alignment import Aligned
from kugiri.reference.charsmap import Charsmap
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.normalize import normalize
from kugiri.reference.rules import NAMES, charsmap, read_tsv, table, write_tsv
from kugiri.spec import SentencePieceNormalizer
from processes import run_python
from tools.parity_data import HOW_TO_GET

THEIRS = ("nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf")
ALONE = {
    "add_dummy_prefix": False,
    "escape_whitespaces": False,
    "remove_extra_whitespaces": False,
}
"""The rules alone, without what is done to spaces."""

CODE_POINTS = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, 0x110000)]))
rules_of = cache(table)


@cache
def oracle(**options: Any) -> Any:
    """A sentencepiece.SentencePieceNormalizer that does nothing but its rules."""
    library = pytest.importorskip("sentencepiece", reason=f"sentencepiece is absent: {HOW_TO_GET}")
    library.set_min_log_level(2)
    return library.SentencePieceNormalizer(**options, **ALONE)


def rewrite(name: str, text: str) -> str:
    """A text rewritten by the readable engine."""
    rule = SentencePieceNormalizer(name=name, charsmap=charsmap(name), **ALONE)
    return normalize(Aligned.of(text), rule).text


# ── what each does ────────────────────────────────────────────────────────────────────────────
TILDE = "\uff5e"
GA, HALF_GA = "ガ", "ｶﾞ"
KA_VOICED = "か\u3099"  # two characters

# Text, what it becomes under nmt_nfkc, nfkc, nmt_nfkc_cf, nfkc_cf, nfc, nfd, nfkd.
BECOMES = {
    "katakana of half width": (HALF_GA, GA, GA, GA, GA, HALF_GA, HALF_GA, "カ\u3099"),
    "with the mark of half voice": ("ﾊﾟ", "パ", "パ", "パ", "パ", "ﾊﾟ", "ﾊﾟ", "ハ\u309a"),
    "with a mark of full width": ("ｶ\u3099", *["ガ"] * 4, "ｶ\u3099", "ｶ\u3099", "カ\u3099"),
    "without a mark": ("ｱｲ", "アイ", "アイ", "アイ", "アイ", "ｱｲ", "ｱｲ", "アイ"),
    "kana and a mark": (KA_VOICED, "が", "が", "が", "が", "が", KA_VOICED, KA_VOICED),
    "voiced kana": ("が", "が", "が", "が", "が", "が", KA_VOICED, KA_VOICED),
    "corporation": ("㍿", *["株式会社"] * 4, "㍿", "㍿", "株式会社"),
    "square": ("㌔㎏", "キロkg", "キロkg", "キロkg", "キロkg", "㌔㎏", "㌔㎏", "キロkg"),
    "circled": ("①⑳", *["120"] * 4, "①⑳", "①⑳", "120"),
    "era": ("㋿", *["令和"] * 4, "㋿", "㋿", "令和"),
    "full width": ("Ａ１！", "A1!", "A1!", "a1!", "a1!", "Ａ１！", "Ａ１！", "A1!"),
    "tilde of full width": (TILDE, TILDE, "~", TILDE, "~", TILDE, TILDE, "~"),
    "tilde": ("~", *["~"] * 7),
    "wave dash": ("〜", *["〜"] * 7),
    "ideographic space": ("\u3000", *[" "] * 4, "\u3000", "\u3000", " "),
    "space that does not break": ("\u00a0", *[" "] * 4, "\u00a0", "\u00a0", " "),
    "zero width": ("\u200b", " ", "\u200b", " ", "\u200b", *["\u200b"] * 3),
    "joiner": ("\u200d", *["\u200d"] * 7),
    "tab and newline": ("\t\n", "  ", "\t\n", "  ", *["\t\n"] * 4),
    "control characters": ("a\x01\x7fb", "ab", "a\x01\x7fb", "ab", *["a\x01\x7fb"] * 4),
    "the piece of a space": ("▁", " ", "▁", " ", "▁", "▁", "▁", "▁"),
    "syllable": ("각", *["각"] * 5, "\u1100\u1161\u11a8", "\u1100\u1161\u11a8"),
    "jamo": ("\u1100\u1161\u11a8", *["각"] * 5, *["\u1100\u1161\u11a8"] * 2),
    "jamo of half width": ("\uffa1\uffc2\uffa1", "가\u1100", "가\u1100", "가\u1100", "가\u1100",
                           *["\uffa1\uffc2\uffa1"] * 2, "\u1100\u1161\u1100"),
    "two marks": ("e\u0302\u0301", "ế", "ế", "ế", "ế", "ế", "e\u0302\u0301", "e\u0302\u0301"),
    "case": ("É", "É", "É", "é", "é", "É", "E\u0301", "E\u0301"),
    "sharp s, which only full folding makes ss": ("ß", *["ß"] * 7),
    "angstrom": ("\u212b", "Å", "Å", "å", "å", "Å", "A\u030a", "A\u030a"),
}  # fmt: skip


@pytest.mark.parametrize("what", BECOMES)
def test_what_becomes_of_it(what: str) -> None:
    text, *expected = BECOMES[what]
    assert [rewrite(name, text) for name in NAMES[:-1]] == expected
    assert rewrite("identity", text) == text


# ── as in sentencepiece ───────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", THEIRS)
def test_the_same_rules(name: str) -> None:
    assert rules_of(name) == dict(oracle(rule_name=name).decompile())


@pytest.mark.parametrize("name", THEIRS)
def test_every_code_point(name: str) -> None:
    theirs = oracle(rule_name=name)
    rules = rules_of(name)
    assert [c for c in CODE_POINTS if theirs.normalize(c) != rules.get(c, c)] == []


@pytest.mark.parametrize("name", THEIRS)
def test_random_texts(name: str) -> None:
    theirs = oracle(rule_name=name)
    chance = random.Random(name)
    marks = [c for c in CODE_POINTS if unicodedata.combining(c)]
    japanese = [*map(chr, range(0x3041, 0x3100)), *map(chr, range(0xFF00, 0xFFEF))]
    korean = [*map(chr, range(0x1100, 0x1200)), *map(chr, range(0x3131, 0x3190))]
    pools = [list(rules_of(name)), marks, japanese, korean, CODE_POINTS, list("aeiouAE ~\t\n ")]
    for _ in range(6000):
        text = "".join(chance.choice(chance.choice(pools)) for _ in range(chance.randrange(12)))
        assert rewrite(name, text) == theirs.normalize(text), ascii(text)


@pytest.mark.parametrize("name", NAMES[:-1])
def test_our_charsmap_is_theirs_to_read(name: str) -> None:
    spec = SentencePieceNormalizer(name=name, charsmap=charsmap(name))
    theirs = oracle(normalizer_spec=write_normalizer(spec, ()))
    assert dict(theirs.decompile()) == rules_of(name)


def test_our_table_is_theirs_to_read(tmp_path: Path) -> None:
    path = tmp_path / "rules.tsv"
    path.write_text(write_tsv(rules_of("nmt_nfkc")), encoding="utf-8")
    assert dict(oracle(rule_tsv=str(path)).decompile()) == rules_of("nmt_nfkc")


# ── as in Unicode ─────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", ["nfc", "nfd", "nfkc", "nfkd"])
def test_every_character_that_python_knows(name: str) -> None:
    rules = rules_of(name)
    for character in CODE_POINTS:
        if unicodedata.category(character) != "Cn":
            form = unicodedata.normalize(name.upper(), character)  # type: ignore[arg-type]
            assert rules.get(character, character) == form, hex(ord(character))


@pytest.mark.parametrize("name", ["nfc", "nfkc"])
def test_every_decomposed_character(name: str) -> None:
    decomposing = {"nfc": "NFD", "nfkc": "NFKD"}[name]
    known = (key for key in rules_of(name) if all(unicodedata.category(c) != "Cn" for c in key))
    for text in {unicodedata.normalize(decomposing, key) for key in known}:  # type: ignore[arg-type]
        assert rewrite(name, text) == unicodedata.normalize(name.upper(), text)  # type: ignore[arg-type]


# ── the tables ────────────────────────────────────────────────────────────────────────────────
SIZES = {
    "nmt_nfkc": (225_276, 240_007), "nfkc": (225_232, 240_008), "nmt_nfkc_cf": (226_684, 247_164),
    "nfkc_cf": (226_640, 247_165), "identity": (0, 0),
}  # fmt: skip
"""Rules, and bytes of the charsmap: those of sentencepiece's own files."""


@pytest.mark.parametrize("name", SIZES)
def test_no_larger_than_theirs(name: str) -> None:
    assert (len(rules_of(name)), len(charsmap(name))) == SIZES[name]


@pytest.mark.parametrize("name", NAMES[:-1])
def test_there_and_back(name: str) -> None:
    assert Charsmap(charsmap(name)).rules() == dict(sorted(rules_of(name).items()))


@pytest.mark.parametrize("name", ["nfc", "nfkd", "identity"])
def test_there_and_back_as_a_table(name: str) -> None:
    assert read_tsv(write_tsv(rules_of(name))) == rules_of(name)


def test_the_order_of_rules_does_not_count() -> None:
    rules = rules_of("nfc")
    shuffled = list(rules.items())
    random.Random(1).shuffle(shuffled)
    assert compile_charsmap(dict(shuffled)) == charsmap("nfc")


DIGEST = "577f350252f37e88510616f7ee9a927c15f0c6d377bff94dd717c3a010139089"


def test_the_same_bytes_every_time() -> None:
    assert hashlib.sha256(charsmap("nmt_nfkc")).hexdigest() == DIGEST


@pytest.mark.parametrize("seed", ["1", "2"])
def test_in_every_process(seed: str) -> None:
    script = """
        from hashlib import sha256
        from kugiri.reference.rules import charsmap, table
        print(sha256(charsmap("nfc") + repr(table("nfc")).encode()).hexdigest())
    """
    rules = repr(table("nfc")).encode()
    ours = hashlib.sha256(charsmap("nfc") + rules).hexdigest()
    assert run_python(script, PYTHONHASHSEED=seed).strip() == ours


def test_rules_that_do_not_exist() -> None:
    with pytest.raises(OptionError, match=r"there are no rules 'NFKC'; there are nmt_nfkc, nfkc,"):
        charsmap("NFKC")
