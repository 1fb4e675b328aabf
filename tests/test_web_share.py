"""The page that is shared: one file that asks for nothing, in both languages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

import kugiri
from kugiri.explain.html.elements import element
from kugiri.web.requests import Share
from kugiri.web.score import _words, stretches
from kugiri.web.share import share
from kugiri.web.share_words import WORDS
from kugiri.web.store import Store
from tests.asking import ask
from tests.browser import CONTRAST
from tests.explained import made, unigram
from tests.explained_examples import HOSTILE, INVISIBLE, TOKYO, sennrich
from tests.served_pages import axe
from tests.serving import serving

__all__ = ["axe"]

NAMES = ["bytes", "bert", "tokyo"]
FILE = "kugiri-(1-tokenizer|[2-8]-tokenizers)-[0-9]{4}-[0-9]{2}-[0-9]{2}[.]html"
TEXTS = {
    "short": "東京都に住む lowest\nunaffable", "hostile": HOSTILE, "invisible": INVISIBLE,
    "empty": "", "long": "東京\r\n\n" * 3_000, "bytes": "𠮷" * 50, "one word": "a" * 400,
}  # fmt: skip


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    given = {
        "bytes": made(".kugiri.json"), "bert": made("vocab.txt"), "tokyo": unigram(TOKYO),
        "low": sennrich(), f"<b>{'猫' * 90}": made("tokenizer.json"),
    }  # fmt: skip
    with serving(given) as found:
        yield found


def shared(address: str, text: str, **more: Any) -> str:
    answer = ask(address, "share", {"text": text, "tokenizers": NAMES, **more})
    assert answer.status == 200, answer.json
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    disposition = answer.headers["content-disposition"]
    assert re.fullmatch(f'attachment; filename="{FILE}"', disposition), disposition
    return answer.body.decode()


def data_of(page: str) -> Any:
    (found,) = re.findall('<script type="application/json" id="data">(.*?)</script>', page)
    return json.loads(found)


def test_both_languages_have_the_same_words() -> None:
    assert WORDS["en"].keys() == WORDS["ja"].keys()
    for name, words in WORDS["en"].items():
        assert words.count("{}") == WORDS["ja"][name].count("{}"), name


def test_japanese_speaks_of_tokens_where_tokens_are_meant(address: str) -> None:
    page = shared(address, "東京", language="ja", explain="bytes")
    assert "下線は一部のトークナイザだけにあるトークン。" in page
    assert f"1つのテキスト、{len(NAMES)}つのトークナイザ" in page


def test_it_holds_the_data_that_it_is_drawn_from(address: str) -> None:
    text = "東京都に住む lowest"
    data = data_of(shared(address, text, explain="bytes"))
    answer = ask(address, "tokens", {"text": text, "tokenizers": NAMES, "characters": 10_000}).json
    assert (data["version"], data["text"]) == (kugiri.__version__, text)
    assert data["explanation"] == json.loads(made(".kugiri.json").explain(text).to_json())
    for its, asked in zip(data["columns"], answer["columns"], strict=True):
        tokens = asked["tokens"]
        assert its["ids"] == [it["id"] for it in tokens]
        assert its["tokens"] == [it["text"] for it in tokens]
        assert list(zip(its["starts"], its["ends"], strict=True)) == [
            (it["start"], it["end"]) for it in tokens
        ]
        same = ("name", "count", "exact", "unknown", "more_than_least", "error")
        assert {key: its[key] for key in same} == {key: asked[key] for key in same}


@pytest.mark.parametrize(("name", "language"), [("short", "ja"), *((name, "en") for name in TEXTS)])
def test_it_opens_anywhere(opened: Any, address: str, name: str, language: str) -> None:
    text = TEXTS[name]
    html = shared(address, text, explain="bytes", language=language)
    for scheme, width in (("light", 1280), ("dark", 375)):
        viewport = {"width": width, "height": 900}
        page, heard = opened(html, color_scheme=scheme, viewport=viewport, offline=True)
        assert heard == []
        assert page.evaluate("document.documentElement.lang") == language
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("main script, main img").count() == 0
        shown = data_of(html)["text"]
        assert text.startswith(shown)
        assert page.text_content(".hero") == shown.replace("\r\n", "\n").replace("\0", "␀")
        if len(text) < 100:
            assert page.evaluate(CONTRAST) == []


def test_its_cuts_are_the_tokens(opened: Any, address: str) -> None:
    page, _ = opened(shared(address, "東京都に住む lowest"))
    rows = "[...document.querySelectorAll('.word > div')].map(it => [...it.children].map(SHOWN))"
    shown = "row => [...row.children].map(it => it.textContent).join('|')"
    bytes_, bert, unigram = zip(*page.evaluate(rows.replace("SHOWN", shown)), strict=True)
    assert "|".join(unigram) == "東京都|に|住む|UNK lowest"
    assert re.sub("##|UNK|[|]", "", "".join(bert)) == "東京都に住むlowest"
    assert len(bytes_) == len(unigram)
    line = "e => getComputedStyle(e).textDecorationLine"
    assert page.locator(".score .differs").first.evaluate(line) == "underline"


STAND = """() => [...document.querySelectorAll(".word > div")].map((column) => {
  const { left, right, top } = column.getBoundingClientRect();
  const rows = [...column.children].map((it) => it.getBoundingClientRect().top - top);
  const gutter = document.querySelector(".score").getBoundingClientRect().left;
  return { left, right, rows, long: column.className === "long", gutter };
})"""


@pytest.mark.parametrize("width", [1440, 375])
def test_what_is_the_same_text_stands_over_each_other(
    opened: Any, address: str, width: int
) -> None:
    html = shared(address, "東京都に住む lowest unaffable 東京都に住む " * 8)
    page, _ = opened(html, viewport={"width": width, "height": 900}, java_script_enabled=False)
    found = page.evaluate(STAND)
    assert len(found) > 8
    for it in found:
        assert it["gutter"] <= it["left"] < it["right"] <= width
        assert it["long"] or it["rows"] == [0, found[0]["rows"][1], 2 * found[0]["rows"][1]]


def test_names_stand_left_of_each_line(opened: Any, address: str) -> None:
    names = ["bytes", f"<b>{'猫' * 77}", "bert"]
    html = shared(address, "lowest unaffable " * 20, tokenizers=names)
    for width, names_of in ((1440, "1 bert\\a 2 bytes\\a 3 <b>猫"), (375, "1\\a 2\\a 3")):
        page, _ = opened(html, viewport={"width": width, "height": 900})
        style = "getComputedStyle(document.querySelector('.word > div'), '::before')"
        content, left = page.evaluate(f"[{style}.content, {style}.left]")
        assert content.replace("\n", "\\a ").startswith(f'"{names_of}'), content
        assert left.startswith("-")


@pytest.mark.parametrize(("width", "heads"), [
    (1280, "tokenizer,tokens,,more than the fewest,characters per token,bytes per token,"
     "vocabulary size,decodes to"),
    (375, "tokenizer,tokens,more than the fewest,decodes to"),
])  # fmt: skip
def test_a_phone_has_the_columns_that_say_the_most(
    opened: Any, address: str, width: int, heads: str
) -> None:
    html = shared(address, "lowest unaffable", tokenizers=["bytes", "bert"])
    page, _ = opened(html, viewport={"width": width, "height": 900})
    shown = "its => its.filter(it => it.offsetParent).map(it => it.textContent).join()"
    assert page.locator("thead tr > *").evaluate_all(shown) == heads
    names = page.locator("tbody td:first-child bdi").all_text_contents()
    assert names == ["bert", "bytes"]
    wide = "it => it.scrollWidth <= it.clientWidth"
    assert page.locator(".numbers .wide").evaluate(wide)


def test_a_closing_mark_stays_with_what_is_before_it() -> None:
    columns = [(at, element("i", text), 1.4) for at, text in enumerate("東京都。猫だ")]
    words = [re.sub("<[^>]*>", "", it) for it in _words(columns, "東京都。猫だ")]
    assert words == ["東", "京", "都。", "猫だ"]


def test_parts_between_common_cuts() -> None:
    def tokens(*places: tuple[int, int]) -> list[dict[str, int]]:
        return [{"start": start, "end": end} for start, end in places]

    def parted(*parts: list[dict[str, int]]) -> list[tuple[int, list[int]]]:
        return [(at, [len(its) for its in row]) for at, row in stretches(parts)]

    byte_parts = tokens((0, 1), (0, 1), (0, 1), (1, 2))  # of one character; nothing cuts in it
    assert parted(byte_parts, tokens((0, 2))) == [(0, [4, 1])]
    assert parted(byte_parts, tokens((0, 1), (1, 2))) == [(0, [3, 1]), (1, [1, 1])]
    dropped = tokens((0, 1), (2, 3))  # the space between them is in no token
    assert parted(dropped, tokens((0, 1), (1, 3))) == [(0, [1, 1]), (1, [1, 1])]
    assert parted(dropped, tokens((0, 2), (2, 3))) == [(0, [1, 1]), (2, [1, 1])]
    around = tokens((0, 0), (0, 1), (1, 1))  # a template put two in
    assert parted(around, tokens((0, 1))) == [(0, [3, 1])]
    assert parted([], tokens((0, 1), (1, 2))) == [(0, [0, 1]), (1, [0, 1])]
    assert parted([], []) == []


def test_the_answer_comes_first(address: str) -> None:
    page = shared(address, "lowest unaffable", tokenizers=["bytes", "bert"])
    few, many = sorted(made(it).count("lowest unaffable") for it in ("vocab.txt", ".kugiri.json"))
    h1 = re.search('<h1 class="lead">(.*?)</h1>', page)
    assert h1 is not None
    assert re.findall("<b>([0-9]+)</b>", h1[1]) == [str(few), str(many)]
    assert page.index("</h1>") < page.index('class="hero') < page.index("<table>")


@pytest.mark.parametrize("text", [
    "鬱" * 10_000, "東京都に住む。" * 1_428, "lower newest. " * 714, " " * 10_000, "\0" * 10_000,
    "a" * 10_000,
], ids=["bytes", "japanese", "english", "spaces", "controls", "a word"])  # fmt: skip
def test_a_long_text_of_eight_tokenizers_can_be_sent(text: str) -> None:
    names = [str(nth) for nth in range(8)]
    each = [made(".kugiri.json"), made("vocab.txt"), unigram(TOKYO), made(".tiktoken")] * 2
    store = Store([(name, it, "given") for name, it in zip(names, each, strict=True)], {})
    page = share(store, Share(text=text, tokenizers=names, explain="0"))
    assert len(page.encode()) < 3_000_000
    data = data_of(page)
    drawn = sum(len(it["tokens"]) for it in data["columns"])
    assert drawn > 16_000 or data["next"] is None
    told = f"The first {len(data['text']):,} characters are shown; the numbers are those of all."
    assert (told in page) == (len(data["text"]) < len(text))


def test_numbers_are_those_of_the_whole_text(address: str) -> None:
    text = "low " * 5_000
    page = shared(address, text)
    tok = made(".kugiri.json")
    assert f'<td class="number"><b>{tok.count(text):,}</b></td>' in page
    some = f"{len(data_of(page)['text']):,}"
    assert f"The first {some} characters are shown; the numbers are those of all." in page
    japanese = shared(address, text, language="ja")
    assert f"最初の{some}文字の区切り。数値はテキスト全体のもの。" in japanese


def test_what_cannot_be_encoded_says_why(address: str) -> None:
    page = shared(address, "東京", tokenizers=["low", "bytes"])
    assert "&#x27;東&#x27; at character 0 is not in the vocabulary" in page


def test_steps_are_those_of_the_explain_page(address: str) -> None:
    page = shared(address, "lowest", tokenizers=["low"], explain="low")
    of_explain = sennrich().explain("lowest").to_html()
    sections = re.search("<section><h2>Special tokens</h2>.*<h2>Tokens</h2>", of_explain, re.S)
    assert sections is not None
    assert sections[0] in page
