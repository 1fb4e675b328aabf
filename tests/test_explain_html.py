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
from kugiri.explain.alternatives import WORDS as ALTERNATIVES
from kugiri.explain.html.elements import Markup, element, quoted
from kugiri.explain.html.text_page import stages
from kugiri.explain.html.words import WORDS, Words
from tests.explained import MADE, made
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


@pytest.mark.parametrize(("text", "drawn", "left_out"), [
    # The steps of a word " lower" have 5 + 4 + 3 + 2 symbols, and a page has room for 10,000.
    (" lower" * 714, 714, []), (" lower" * 800, 714, ["86"]),
    ("lower" * 60 + " lower" * 10, 10, ["1"]),  # a large one leaves room for the small ones
])  # fmt: skip
def test_a_long_text_says_what_it_leaves_out(text: str, drawn: int, left_out: list[str]) -> None:
    html = made(".kugiri.json").explain(text).to_html()
    phrase = "Words whose merges are in the data of this page alone: ([0-9,]+)"
    assert re.findall(phrase, html) == left_out
    assert html.count('class="stepper"') == drawn


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
    long = made(".kugiri.json").explain("a" * 600 + " " + "lower" * 60)
    words = kugiri.train(["a b"] * 3, model="word", vocab_size=3).explain("a b")
    for explained in (*(it.explained() for it in EXAMPLES.values()), unknown, long, words):
        stages(explained, Words("ja", heard))
    assert heard.asked - japanese.keys() == {"#", ""}
    assert japanese.keys() - heard.asked == set()
    for phrase, its in japanese.items():
        assert sorted(re.findall(r"{\d}", phrase)) == sorted(re.findall(r"{\d}", its)), phrase


@pytest.mark.parametrize(("language", "places"), [
    ("en", ["<td>1–3</td>", "<td>4–7</td>", "at character 4–7 was cut out", "<td>after 3</td>"]),
    ("ja", ["<td>1–3</td>", "<td>4–7</td>", "4–7 文字目の ", "<td>3 の後</td>"]),
])  # fmt: skip
def test_people_count_characters_from_1(language: str, places: list[str]) -> None:
    tokenizer = kugiri.train(
        ["low low low"] * 3, vocab_size=259, special_tokens=["</s>"], pre_tokenizer="gpt2"
    )
    explained = tokenizer.explain("low</s>low1", allowed_special="all")
    page = stages(explained, WORDS[language])
    plain = re.sub(r"</?(code|bdi|b|span)[^>]*>", "", page)
    for place in places:
        assert place in plain, place


class Prose(HTMLParser):
    """The words that a page says itself: no text of the user's, no names, and no code."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.quotes: list[str] = []
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        its = dict(attrs)
        self.said += [
            its[name] or "" for name in ("aria-label", "title", "data-name") if name in its
        ]
        if self.quotes or tag in ("bdi", "code", "style", "script") or its.get("lang") == "en":
            self.quotes += [tag] if tag not in ("br", "meta", "wbr") else []

    def handle_endtag(self, tag: str) -> None:
        if self.quotes:
            assert self.quotes.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.quotes:
            self.said.append(data)


def english_in(page: str) -> set[str]:
    """What a page in Japanese says in English; names, tokens and glyphs are no English."""
    prose = Prose()
    prose.feed(page)
    names = "<[^>]+>|BPE|Unigram|WordPiece|ID|" + "|".join(
        ["Split( [a-z0-9-]+)?", "ByteLevel", "Metaspace", "WhitespaceSplit", "Whitespace",
         "Punctuation", "Digits", "Dictionary", "UnicodeScripts", "kugiri"]
    )  # fmt: skip
    return {it for it in prose.said if re.search("[A-Za-z]{2}", re.sub(names, "", it))}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_page_in_japanese_says_nothing_in_english(name: str) -> None:
    assert english_in(stages(EXAMPLES[name].explained(), WORDS["ja"])) == set()


def test_english_would_be_found() -> None:
    page = stages(EXAMPLES["tokyo"].explained(), WORDS["en"])
    assert {"Normalization", "the lattice", "None in this text."} <= english_in(page)


@pytest.mark.parametrize("rule", [
    *ALTERNATIVES.values(), "what nothing matches", "after kanji, before hiragana",
    "after letters led by a space, before letters led by 。; what lies between is dropped",
    "the script changes from Han to Latin", "the text 'x' parts words",
    "white space parts words, and is dropped", "'_' parts words, and is dropped",
    "a word begins with ▁", "every 3 characters", "punctuation stands apart",
    "a word of sudachi-a ends", "each digit stands alone", "digits stand apart",
    "ByteLevel cuts here", "<s> is cut out before all else", "an added token stood here",
    "added token", "added tokens",
])  # fmt: skip
def test_every_rule_has_its_japanese(rule: str) -> None:
    said = WORDS["ja"].rule(rule)
    assert said != rule
    assert not re.search("[a-z]{4}", re.sub("Latin|sudachi-a|ByteLevel", "", said))
    assert WORDS["en"].rule(rule) == rule


@pytest.mark.parametrize("name", EXAMPLES)
def test_words_change_nothing_else(name: str) -> None:
    explained = EXAMPLES[name].explained()
    english, japanese = (stages(explained, WORDS[language]) for language in ("en", "ja"))
    quotes = re.compile(r"<bdi[ >].*?</bdi>")
    assert sorted(quotes.findall(english)) == sorted(quotes.findall(japanese))
    assert "Normalization" not in japanese
