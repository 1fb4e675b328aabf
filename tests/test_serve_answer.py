"""What the page says first and around its lanes: the answer in a sentence, and words that hold."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import kugiri.web
from kugiri.web.columns import more
from kugiri.web.share_numbers import lead
from kugiri.web.share_words import WORDS
from tests.explained import made
from tests.served_samples import Open, expect, lane, open_page, url

__all__ = ["open_page", "url"]

STATIC = Path(kugiri.web.__file__).with_name("static")
TOKEN = "<|endoftext|>"


# ── messages ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(("locale", "words"), [
    ("en-US", f"Special tokens, as {TOKEN}, are signs"), ("ja-JP", f"{TOKEN}のような"),
])  # fmt: skip
def test_a_bar_is_a_bar_where_nothing_is_counted(open_page: Open, locale: str, words: str) -> None:
    title = open_page(locale=locale).locator(".check").first.get_attribute("title")
    assert title.startswith(words)


def test_one_or_many_is_chosen_by_a_number() -> None:
    sources = [it.read_text("utf-8") for it in STATIC.glob("*.js")]
    counted = {
        key
        for source in sources
        for key, words in re.findall(r'"?([\w.-]+)"?: "((?:[^"\\]|\\.)*)"', source)
        if "|" in re.sub(r"<\|.*?\|>", "", words)
    }
    assert {"unknown", "sample.count"} <= counted
    call = re.compile(r'\b(?:t|parts)\("([^"]+)"(.{,40})')
    asked = [it for source in sources for it in call.findall(source)]
    for key, values in asked:
        if key in counted:
            assert re.match(r",\s*(values|{[^}]*\bn\b)", values), (key, values)


# ── the answer ────────────────────────────────────────────────────────────────────────────────
ANSWER = """async ([language, columns]) => {
  const { speak } = await import("/static/messages.js");
  const { answerOf } = await import("/static/answer.js");
  const { h } = await import("/static/elements.js");
  speak(language);
  return h("p", {}, answerOf(columns)).textContent;
}"""
CASES: list[tuple[str, dict[str, int | None], str]] = [
    ("en", {"a": 4, "b": 6, "c": 5}, "a needs the fewest tokens, 4; b the most, 6 (+50 %)"),
    ("ja", {"a": 4, "b": 6, "c": 4},
     "最も少ないのはa、cの4トークン、最も多いのはbの6トークン（+50 %）"),
    ("en", {"a": 2, "b": 30}, "a needs the fewest tokens, 2; b the most, 30 (× 15)"),
    ("ja", {"a": 1_000, "b": 10_500},
     "最も少ないのはaの1,000トークン、最も多いのはbの10,500トークン（× 11）"),
    ("en", {"a": 16, "b": 17}, "a needs the fewest tokens, 16; b the most, 17 (+6.3 %)"),
    ("en", {"a": 4, "b": 4}, "a, b: the same number of tokens, 4"),
    ("ja", {"a": 4, "b": 4, "c": None},
     "a、b：どれも4トークン。ほかのトークナイザには未知語があります"),
    ("en", {"a": 4, "b": 6, "c": None},
     "a needs the fewest tokens, 4; b the most, 6 (+50 %); "
     "the others do not know all of the text"),
    ("en", {"a": 4, "b": None}, "a needs 4 tokens; the others do not know all of the text"),
    ("ja", {"a": 4, "b": None}, "aでは4トークン。ほかのトークナイザには未知語があります"),
    ("en", {"a": None, "b": None}, "No tokenizer has a token for all of this text"),
    ("ja", {"a": None, "b": None}, "どのトークナイザにも未知語があります"),
]  # fmt: skip


def columns_of(counts: dict[str, int | None]) -> list[dict[str, Any]]:
    """Columns as the server answers them; None is of one that does not know all of the text."""
    least = min((it for it in counts.values() if it is not None), default=0)
    return [
        {"name": name, "count": count or 9, "error": None,
         "more_than_least": None if count is None else count / least,
         "more": more(count, least) if count and count > least else None}
        for name, count in counts.items()
    ]  # fmt: skip


def test_the_answer_is_that_of_the_shared_file(open_page: Open) -> None:
    page = open_page("low")
    for language, counts, expected in CASES:
        columns = columns_of(counts)
        assert re.sub("<[^>]*>", "", lead(columns, WORDS[language])) == expected
        assert page.evaluate(ANSWER, [language, columns]) == expected


def test_of_one_there_is_no_answer(open_page: Open) -> None:
    page = open_page("low")
    assert page.evaluate(ANSWER, ["en", columns_of({"a": 7})]) == ""
    for name in ("sample Unigram", "sample WordPiece"):
        page.locator(f'.who[data-name="{name}"]').hover()
        page.get_by_role("button", name=f"Remove {name}").click()
    expect(page.locator(".who")).to_have_count(1)
    expect(page.locator(".answer")).to_be_hidden()
    expect(page.locator(".fewest")).to_be_hidden()


@pytest.mark.parametrize(("locale", "answer", "ratios", "counted"), [
    ("en-US", "sample Unigram needs the fewest tokens, 28; sample WordPiece the most, 31 (+11 %)",
     ["+3.6 %", "fewest", "+11 %"], "Counted by sample BPE, this costs"),
    ("ja-JP",
     "最も少ないのはsample BPEの6トークン、最も多いのはsample WordPieceの10トークン（+67 %）",
     ["最少", "+17 %", "+67 %"], "「sample BPE」で数えて送ると、"),
])  # fmt: skip
def test_the_answer_stands_above_the_lanes(
    open_page: Open, locale: str, answer: str, ratios: list[str], counted: str
) -> None:
    page = open_page(locale=locale)
    page.get_by_role("button", name="sample BPE", exact=True).click()
    shown = page.locator(".answer")
    expect(shown).to_have_text(answer)
    expect(page.locator(".ratio")).to_have_text(ratios)
    expect(page.locator(".cost")).to_contain_text(counted)
    assert shown.bounding_box()["y"] < page.locator(".systems").bounding_box()["y"]


def test_of_no_text_nothing_is_said(open_page: Open) -> None:
    page = open_page("low")
    parts = page.locator(".answer, .legend, .cost")
    for part in parts.all():
        expect(part).to_be_visible()
    page.fill("#text", "")
    for part in parts.all():
        expect(part).to_be_hidden()


# ── toys, the legend, the line at the bottom ──────────────────────────────────────────────────
@pytest.mark.parametrize(("locale", "words", "opens"), [
    ("en-US", "These tokenizers are small ones, learned from a sample. "
     "To see how a real model cuts, open its tokenizer.", "Open a tokenizer"),
    ("ja-JP", "ここにあるのは、小さな見本から学習した練習用です。実際のモデルの区切りを見るには、"
     "そのモデルのトークナイザを開いてください。", "トークナイザを開く"),
])  # fmt: skip
def test_the_sample_is_said_to_be_a_toy_until_another_is_there(
    open_page: Open, tmp_path: Path, locale: str, words: str, opens: str
) -> None:
    page = open_page("low", locale=locale)
    expect(page.locator(".toys")).to_be_visible()
    expect(page.locator(".toys")).to_have_text(words)
    made(".kugiri.json").save(tmp_path / "mine.kugiri.json")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=opens).click()
    chooser.value.set_files(tmp_path / "mine.kugiri.json")
    expect(page.locator(".who")).to_have_count(4)
    expect(page.locator(".toys")).to_be_hidden()


@pytest.mark.parametrize(("locale", "touch", "words"), [
    ("en-US", False, "Point at a token, or walk along with the arrow keys. In the rows,"),
    ("en-US", True, "Tap a token to see what it is. In the rows,"),
    ("ja-JP", False, "トークンを指すか、矢印キーでたどってください。行の中の赤い線は"),
    ("ja-JP", True, "トークンをタップすると、くわしく分かります。行の中の赤い線は"),
])  # fmt: skip
def test_the_legend_speaks_of_what_there_is(
    open_page: Open, locale: str, touch: bool, words: str
) -> None:
    page = open_page("low", locale=locale, has_touch=touch, is_mobile=touch)
    assert page.locator(".legend").text_content().startswith(words)


def test_the_line_at_the_bottom_goes_with_the_pointer(open_page: Open) -> None:
    page = open_page("unbelievably low")
    told = page.locator(".told")
    lane(page, "sample BPE").first.hover()
    expect(told).to_be_visible()
    expect(told).to_contain_text("character")
    page.locator(".answer").hover()
    expect(told).to_be_hidden()
