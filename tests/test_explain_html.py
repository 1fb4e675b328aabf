"""Pages as strings: whatever the text, the markup is ours and closed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.explain.html.elements import Markup, element, quoted
from kugiri.explain.html.text_page import stages
from kugiri.explain.html.words import WORDS, Words
from tests.explained import LINES, MADE, made
from tests.explained_examples import EXAMPLES, TRAININGS
from tests.strategies import texts

ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "main", "script", "header", "section", "div",
    "h1", "h2", "h3", "h4", "p", "ol", "li", "dl", "dt", "dd", "del", "ins", "table", "thead",
    "tbody", "tr", "th", "td", "span", "small", "code", "bdi", "b", "i",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "class", "style", "tabindex", "role",
    "aria-label", "scope", "title", "type", "id", "data-token", "data-name", "data-first",
}  # fmt: skip


class Checked(HTMLParser):
    """Refuses what no page of ours has, and what is not closed."""

    def __init__(self, elements: set[str], attributes: set[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.elements, self.attributes = elements, attributes
        self.open: list[str] = []
        self.data = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.elements
        assert {name for name, _ in attrs} <= self.attributes
        if tag not in ("col", "meta", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["script"] and data.startswith(("{", "[")):
            self.data += data


def check(html: str, elements: set[str] = ELEMENTS, attributes: set[str] = ATTRIBUTES) -> Checked:
    checked = Checked(elements, attributes)
    checked.feed(html)
    checked.close()
    assert checked.open == []
    return checked


@pytest.mark.parametrize("name", [*EXAMPLES, *TRAININGS])
def test_examples(name: str) -> None:
    made_of = TRAININGS[name]() if name in TRAININGS else EXAMPLES[name].explained()
    assert json.loads(check(made_of.to_html()).data) == json.loads(made_of.to_json())


@given(
    name=st.sampled_from(sorted(MADE)), text=texts | st.text("<>&\"'/!-script\u2028 ", max_size=20)
)
def test_random_text_in_every_format(name: str, text: str) -> None:
    check(made(name).explain(text).to_html())


@given(st.text())
def test_text_is_escaped(text: str) -> None:
    assert "<script" not in element("p", text, title=text).replace("<p", "")
    check(element("main", quoted(text), title=text, class_=text))


def test_markup_is_not_escaped_twice() -> None:
    assert element("p", element("b", "&"), ["<", Markup("<i>")]) == "<p><b>&amp;</b>&lt;<i></p>"


def test_a_long_text_says_what_it_leaves_out() -> None:
    html = made(".kugiri.json, characters").explain(" ".join(LINES[1:2] * 120)).to_html()
    assert "more words are in the data of this page." in html


def test_a_page_names_nothing_outside() -> None:
    html = EXAMPLES["nfkc"].explained().to_html()
    for word in ("http:", "https:", "url(", "@import", "src="):
        assert word not in html


# ── in another language ───────────────────────────────────────────────────────────────────────
class Heard(dict[str, str]):
    """A table of words that knows what it was asked for."""

    def __init__(self, table: Mapping[str, str]) -> None:
        super().__init__(table)
        self.asked: set[str] = set()

    def get(self, phrase: str, default: str) -> str:  # type: ignore[override]
        self.asked.add(phrase)
        return super().get(phrase, default)


def test_every_phrase_has_a_translation_and_is_said() -> None:
    japanese = WORDS["ja"].table
    heard = Heard(japanese)
    unknown = made(".kugiri.json, characters").explain("🐈<unk>", allowed_special="all")
    long = made(".kugiri.json").explain("a" * 600 + " lower猫" * 101)
    words = kugiri.train(["a b"] * 3, model="word", vocab_size=3).explain("a b")
    for explained in (*(it.explained() for it in EXAMPLES.values()), unknown, long, words):
        stages(explained, Words("ja", heard))
    assert heard.asked - japanese.keys() == {"#", ""}
    assert japanese.keys() - heard.asked == set()
    for phrase, its in japanese.items():
        assert sorted(re.findall(r"{\d}", phrase)) == sorted(re.findall(r"{\d}", its)), phrase


@pytest.mark.parametrize("name", EXAMPLES)
def test_words_change_nothing_else(name: str) -> None:
    explained = EXAMPLES[name].explained()
    english, japanese = (stages(explained, WORDS[language]) for language in ("en", "ja"))
    quotes = re.compile(r"<bdi[ >].*?</bdi>")
    assert sorted(quotes.findall(english)) == sorted(quotes.findall(japanese))
    assert "Normalization" not in japanese
