"""Segmenters: where words and grapheme clusters are, in every script and in hostile text.

The expectations of "icu" are the examples of UAX #29 and of the documents of ICU4X; those of the
dictionaries, what a dictionary of Japanese has as words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest
import regex
from hypothesis import given

from kugiri import dictionaries, segmenters
from kugiri.errors import EncodingError, KugiriError, OptionError
from kugiri.segmenters import SEGMENTERS, Segments, count_graphemes, segmenter
from strategies import texts

ROOT = Path(__file__).parents[1]
MODULES = {
    "icu": [],
    "sudachi-a": ["sudachipy", "sudachidict_small"],
    "sudachi-b": ["sudachipy", "sudachidict_small"],
    "sudachi-c": ["sudachipy", "sudachidict_small"],
    "mecab-ipadic": ["fugashi", "ipadic"],
    "mecab-unidic-lite": ["fugashi", "unidic_lite"],
}
FAMILY = "👨‍👩‍👧"
HOSTILE = [
    "",
    "\0",
    "a\0\0b",
    "\u0301",
    " \u0301x",
    "e\u0301e\u0301",
    "\r\n\n\r",
    FAMILY * 3,
    "🇯🇵🇯",
    "\u202eשלום\u202c עולם",
    "㍿選挙管理",
    "𠮷野家",
    "\ufeff猫\u200bが",
    "ﷺ" * 2000,
    "\U0010ffff\ue000",
    "猫" * 3000 + "。" + "が" * 3000,
    " " * 70_000 + "猫",
]


def ready(name: str) -> segmenters.Segmenter:
    absent = [module for module in MODULES[name] if find_spec(module) is None]
    if absent:
        pytest.skip(f"{name} needs {', '.join(absent)}: pip install 'kugiri[ja]'")
    return segmenter(name)


def parts(text: str, segments: Segments, number: int = 0) -> Iterator[tuple[str, bool]]:
    data, start = text.encode(), 0
    for at in range(segments.offsets[number], segments.offsets[number + 1]):
        end = int(segments.ends[at])
        yield data[start:end].decode(), bool(segments.is_word[at])
        start = end
    assert start == len(data)


def shown(name: str, text: str) -> str:
    """The segments with bars between, words in brackets."""
    cut = parts(text, ready(name).segments([text]))
    return "|".join(f"[{part}]" if is_word else part for part, is_word in cut)


# ── words ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("icu", "", ""),
        ("icu", "can't stop, 3.14!", "[can't]| |[stop]|,| |[3.14]|!"),
        ("icu", "こんにちは世界。", "[こんにちは]|[世界]|。"),
        ("icu", "国境の長いトンネル", "[国境]|[の]|[長い]|[トンネル]"),
        ("icu", "ทุกสองสัปดาห์", "[ทุก]|[สอง]|[สัปดาห์]"),
        ("icu", "שלום, עולם", "[שלום]|,| |[עולם]"),
        ("icu", "a\0b", "[a]|\0|[b]"),
        ("icu", f"{FAMILY}x", f"{FAMILY}|[x]"),
        ("icu", "for(i=0;i<n;)", "[for]|(|[i]|=|[0]|;|[i]|<|[n]|;|)"),
        ("sudachi-a", "灰色の猫", "[灰]|[色]|[の]|[猫]"),
        ("sudachi-b", "灰色の猫", "[灰色]|[の]|[猫]"),
        ("sudachi-c", "灰色の猫", "[灰色]|[の]|[猫]"),
        ("sudachi-a", "㍿ 猫\n", "㍿| |[猫]|\n"),
        ("sudachi-c", "a\0猫。", "[a]|\0|[猫]|。"),
        (
            "mecab-ipadic",
            "すもももももももものうち",
            "[すもも]|[も]|[もも]|[も]|[もも]|[の]|[うち]",
        ),
        ("mecab-ipadic", "  猫が\0いる \n", "  |[猫]|[が]|\0|[いる]| \n"),
        ("mecab-unidic-lite", "猫がいる。", "[猫]|[が]|[いる]|。"),
        ("mecab-ipadic", "𠮷野家①", "[𠮷]|[野家]|[①]"),
    ],
)
def test_words(name: str, text: str, expected: str) -> None:
    assert shown(name, text) == expected


@pytest.mark.parametrize("name", SEGMENTERS)
def test_hostile_texts_are_cut_without_a_gap(name: str) -> None:
    segments = ready(name).segments(HOSTILE)
    assert len(segments.offsets) == len(HOSTILE) + 1
    for number, text in enumerate(HOSTILE):
        cut = list(parts(text, segments, number))
        assert all(part for part, _ in cut)
    words = segments.words()
    assert words.offsets[-1] == len(words.starts) == segments.is_word.sum()


@pytest.mark.parametrize("name", SEGMENTERS)
def test_a_list_of_texts_is_one_text_after_the_other(name: str) -> None:
    many = ready(name).segments(HOSTILE, threads=2).words()
    for number, text in enumerate(HOSTILE):
        one = ready(name).segments([text], threads=1).words()
        here = slice(many.offsets[number], many.offsets[number + 1])
        assert one.starts.tolist() == many.starts[here].tolist()
        assert one.ends.tolist() == many.ends[here].tolist()


def test_a_megabyte_without_spaces() -> None:
    """Each word was once looked up among all that follow: a minute for this text."""
    for text in ("猫" * 333_000, "a" * 1_000_000, "\u0301" * 500_000, FAMILY * 50_000):
        segments = ready("icu").segments([text])
        assert segments.ends[-1] == len(text.encode())


@given(texts)
def test_any_text_is_cut_without_a_gap(text: str) -> None:
    assert "".join(part for part, _ in parts(text, ready("icu").segments([text]))) == text


# ── grapheme clusters ─────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("abc", 3),
        ("が", 1),
        ("か\u3099", 1),
        (FAMILY, 1),
        ("🇯🇵🇫🇷", 2),
        ("\r\n", 1),
        ("\u0301", 1),
        ("\0\0", 2),
        ("हिन्दी", 2),
        ("한국", 2),
        ("각", 1),
    ],
)
def test_graphemes(text: str, expected: int) -> None:
    assert count_graphemes([text]).tolist() == [expected]


@given(texts)
def test_graphemes_are_those_of_regex(text: str) -> None:
    """Another implementation of the same annex, where both know the characters."""
    known = "".join(c for c in text if regex.match(r"[^\p{Cn}\p{M}\p{InCB=Linker}]", c))
    assert count_graphemes([known]).tolist() == [len(regex.findall(r"\X", known))]


# ── names, versions, errors ───────────────────────────────────────────────────────────────────
def test_a_segmenter_says_its_versions() -> None:
    cargo = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    icu = re.search(r'icu_segmenter = "=(.+?)"', cargo)
    assert icu is not None
    assert ready("icu").description == f"icu (ICU4X {icu[1]}, Unicode 18.0)"
    fugashi = ready("mecab-ipadic").description
    assert fugashi == f"mecab-ipadic (fugashi {metadata.version('fugashi')}, ipadic 1.0.0)"


def test_an_unknown_name() -> None:
    with pytest.raises(
        OptionError, match="unknown segmenter 'mecab-ipa'; did you mean 'mecab-ipadic'"
    ):
        segmenter("mecab-ipa")


@pytest.mark.parametrize(
    ("name", "packages"),
    [
        ("sudachi-c", "sudachipy sudachidict-small"),
        ("mecab-ipadic", "fugashi ipadic"),
        ("mecab-unidic-lite", "fugashi unidic-lite"),
    ],
)
def test_what_is_missing_is_named(
    name: str, packages: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dictionaries, "find_spec", lambda module: None)
    segmenter.cache_clear()
    with pytest.raises(KugiriError, match=f"{name}.*pip install {packages}"):
        segmenter(name)


@pytest.mark.parametrize("name", ["icu", "mecab-ipadic"])
def test_wrong_texts(name: str) -> None:
    cut = ready(name)
    with pytest.raises(OptionError, match="one text came"):
        cut.segments("猫")
    with pytest.raises(OptionError, match="text 1 is an int"):
        cut.segments(["猫", 3])  # type: ignore[list-item]
    with pytest.raises(EncodingError, match="text 0 has a lone surrogate"):
        cut.segments(["\ud800"])
