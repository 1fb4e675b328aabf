"""The page that is shared: one file that asks for nothing, in both languages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kugiri
from kugiri.web.share_words import WORDS
from tests.asking import ask, drop
from tests.browser import CONTRAST
from tests.explained import made, unigram
from tests.explained_examples import HOSTILE, INVISIBLE, TOKYO, sennrich
from tests.serving import serving

NAMES = ["bytes", "bert", "tokyo"]
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
    assert answer.headers["content-disposition"] == 'attachment; filename="kugiri.html"'
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
    assert "下線：すべてのトークナイザに共通ではないトークン。" in page
    assert f"ひとつの文、{len(NAMES)}つのトークナイザ" in page


def test_it_holds_the_data_that_it_is_drawn_from(address: str) -> None:
    text = "東京都に住む lowest"
    data = data_of(shared(address, text, explain="bytes"))
    answer = ask(address, "tokens", {"text": text, "tokenizers": NAMES, "characters": 10_000}).json
    assert data["columns"] == answer["columns"]
    assert (data["version"], data["text"]) == (kugiri.__version__, text)
    assert data["explanation"] == json.loads(made(".kugiri.json").explain(text).to_json())


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
        assert page.text_content(".hero") == text[:10_000].replace("\r\n", "\n")
        if len(text) < 100:
            assert page.evaluate(CONTRAST) == []


def test_its_cuts_are_the_tokens(opened: Any, address: str) -> None:
    page, _ = opened(shared(address, "東京都に住む lowest"))
    cuts = page.locator(".lanes .cut")
    assert cuts.count() == 3
    assert [it.text_content() for it in cuts.nth(2).locator("span").all()] == [
        "東京都", "に", "住む", " lowest",
    ]  # fmt: skip
    differ = [it.text_content() for it in cuts.nth(0).locator(".differs").all()]
    assert "東京都" not in differ
    line = "e => getComputedStyle(e).textDecorationLine"
    assert page.locator(".lanes .differs").first.evaluate(line) == "underline"


def test_numbers_are_those_of_the_whole_text(address: str) -> None:
    text = "low " * 5_000
    page = shared(address, text)
    tok = made(".kugiri.json")
    assert f'<td class="number">{tok.count(text):,}</td>' in page
    assert "The first 10,000 characters are shown; the numbers are those of all." in page
    japanese = shared(address, text, language="ja")
    assert "最初の10,000文字の区切り。数は全文のもの。" in japanese


def test_what_cannot_be_encoded_says_why(address: str) -> None:
    page = shared(address, "東京", tokenizers=["low", "bytes"])
    assert "&#x27;東&#x27; at character 0 is not in the vocabulary" in page


def test_names_and_commands_are_text(address: str) -> None:
    name = f"<b>{'猫' * 77}"  # a label has 80 characters
    page = shared(address, "it's <i>", tokenizers=["bytes", name], explain="bytes")
    assert "<b>猫" not in page
    quoted = "&#x27;it&#x27;&quot;&#x27;&quot;&#x27;s &lt;i&gt;&#x27;"
    assert f"kugiri explain -t models/bytes {quoted}" in page
    assert "kugiri serve -t models/bytes -t &#x27;models/&lt;b&gt;" in page


def test_commands_have_what_was_typed_and_no_names(tmp_path: Path) -> None:
    made(".kugiri.json").save(tmp_path / "t.kugiri.json")
    with serving({"bytes": made(".kugiri.json")}) as address:
        dropped = drop(address, "dropped", (tmp_path / "t.kugiri.json").read_bytes())
        assert dropped.status == 200
        both = ["bytes", "dropped"]
        assert "kugiri serve -t models/bytes<" in shared(address, "a", tokenizers=both)
        page = shared(address, "a", tokenizers=["dropped"], explain="dropped")
    assert "kugiri explain -t" not in page
    assert "-t dropped" not in page


def test_steps_are_those_of_the_explain_page(address: str) -> None:
    page = shared(address, "lowest", tokenizers=["low"], explain="low")
    of_explain = sennrich().explain("lowest").to_html()
    sections = re.search("<section><h2>Special tokens</h2>.*<h2>Tokens</h2>", of_explain, re.S)
    assert sections is not None
    assert sections[0] in page


@pytest.mark.parametrize(("more", "status"), [
    ({"language": "de"}, 422), ({"explain": "nobody"}, 404), ({"tokenizers": ["nobody"]}, 404),
    ({"explain": "low"}, 400), ({"html": "<b>"}, 422),
])  # fmt: skip
def test_what_is_refused(address: str, more: dict[str, Any], status: int) -> None:
    question = {"text": "猫", "tokenizers": NAMES, **more}
    assert ask(address, "share", question).error[0] == status
