"""The page of `kugiri serve`, driven in Chromium: what is written is cut, compared and shown as the
library has it; nothing fails and nobody else is asked."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.explained import made
from tests.hearing import listen
from tests.served_samples import (
    MIXED,
    NAMES,
    Open,
    Tokenizers,
    expect,
    lane,
    open_page,
    shown,
    texts,
    tokenizers,
    tokens_of,
    url,
)
from tests.serving import serving

__all__ = ["open_page", "tokenizers", "url"]


# ── the text and its lanes ────────────────────────────────────────────────────────────────────
def test_at_first_sight_there_is_an_example_in_its_tokens(open_page: Open) -> None:
    page = open_page()
    expect(page.locator(".who")).to_have_count(3)
    assert page.locator(".who .name").all_text_contents() == NAMES
    assert page.input_value("#text").startswith("The ")
    expect(page.locator(".mirror .stroke").first).to_be_attached()
    assert page.locator(".mirror").text_content().strip("\u200b") == page.input_value("#text")
    strokes = page.locator(".mirror .stroke").count()
    assert strokes == lane(page, "sample BPE").count() - 1
    expect(page.get_by_role("heading", name="How sample BPE cuts this text")).to_be_visible()


@pytest.mark.parametrize(("locale", "first"), [("en-US", NAMES[0]), ("ja-JP", NAMES[1])])
def test_the_first_that_is_explained_is_easy_to_read(
    open_page: Open, locale: str, first: str
) -> None:
    page = open_page(locale=locale)
    expect(page.locator(".who.chosen .name")).to_have_text([first])


@pytest.mark.parametrize(
    "text", ["low lower lowest", "東京の図書館 low", MIXED, "a\nb\n\nc", "🏯", " "]
)
def test_what_is_written_is_cut_as_the_library_cuts_it(
    open_page: Open, tokenizers: Tokenizers, text: str
) -> None:
    page = open_page(text)
    for name, tokenizer in tokenizers.items():
        drawn = texts(page, name)
        found = [it.removeprefix("UNK").replace("LF", "\n") for it in drawn]
        wanted = tokens_of(tokenizer, text)
        assert found == [shown(it) for it in wanted]
        count = page.locator(f'.who[data-name="{name}"] b').text_content()
        assert count == str(len(wanted))


def test_what_differs_is_marked_by_more_than_colour(
    open_page: Open, tokenizers: Tokenizers
) -> None:
    text = "unbelievably 東京の図書館"
    page = open_page(text)
    spans = {name: it.encode_with_offsets(text).covering_spans for name, it in tokenizers.items()}
    common = set.intersection(*map(set, spans.values()))
    assert common
    for name, its in spans.items():
        marked = lane(page, name).evaluate_all("its => its.map(it => it.matches('.differs'))")
        assert marked == [span not in common for span in its]
    underlined = page.locator(".tok.differs > *").first
    assert "underline" in underlined.evaluate("it => getComputedStyle(it).textDecorationLine")
    page.locator(".who .leave").nth(2).click()
    expect(page.locator(".who")).to_have_count(2)
    page.locator(".who .leave").nth(1).click()
    expect(page.locator(".tok.differs")).to_have_count(0)
    expect(page.locator(".legend")).to_be_hidden()


CARRIED = """async ([cuts, before, after]) => {
  const { carried } = await import("/static/hero.js");
  return carried(cuts, before, after);
}"""


@pytest.mark.parametrize(
    ("cuts", "before", "after", "kept"),
    [
        ([2, 4], "abcdef", "abcdef", [2, 4]),
        ([2, 4], "abcdef", "abcdefg", [2, 4]),
        ([2, 4], "abcdef", "xabcdef", [3, 5]),
        ([2, 4], "abcdef", "abcxdef", [2, 5]),
        ([2, 4], "abcdef", "abf", [2]),
        ([2, 4], "abcdef", "", []),
        ([1, 2], "aaa", "aa", [1]),
    ],
)
def test_cuts_stay_where_nothing_changed(
    open_page: Open, cuts: object, before: str, after: str, kept: object
) -> None:
    assert open_page().evaluate(CARRIED, [cuts, before, after]) == kept


def test_a_file_of_its_own_that_is_not_there_is_heard(browser: Any, url: str) -> None:
    page = browser.new_page()
    heard: list[str] = []
    listen(page, url, heard)
    page.goto(url)
    page.wait_for_selector(".tok")
    page.evaluate("""async () => {
      for (const path of ["/api/none", "/static/none.js", "/static/api/none"]) await fetch(path);
    }""")
    page.close()
    assert [it.split("(")[-1] for it in heard] == [
        f"{url}/static/none.js)",
        f"{url}/static/api/none)",
    ]


def test_the_newest_text_wins(open_page: Open) -> None:
    page = open_page()
    page.locator("#text").fill("")
    page.locator("#text").press_sequentially("the library", delay=15)
    expect(page.locator(".counts")).to_contain_text("11 characters")
    assert "".join(lane(page, "sample BPE").all_text_contents()) == "the library"


def test_an_empty_text_has_no_tokens(open_page: Open) -> None:
    page = open_page("low")
    page.fill("#text", "")
    expect(page.locator(".tok")).to_have_count(0)
    assert page.locator(".counts").text_content() == ""
    assert page.locator(".who b").all_text_contents() == ["0", "0", "0"]
    assert page.get_attribute("#text", "placeholder") == "Write something here"
    expect(page.locator(".explanation")).to_be_hidden()


def test_the_mirror_is_as_large_as_the_text(open_page: Open) -> None:
    page = open_page()
    for width in (375, 700, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for text in (MIXED * 2, "word " * 60, "一" * 70, "a" * 150, "x\n\ny\n", "سلام שלום " * 9):
            page.fill("#text", text)
            over = page.evaluate("document.querySelector('#text').scrollHeight"
                                 " - document.querySelector('.mirror').clientHeight")  # fmt: skip
            assert abs(over) <= 1, (width, text)


# ── views and details ─────────────────────────────────────────────────────────────────────────
def test_bytes_and_ids(open_page: Open, tokenizers: Tokenizers) -> None:
    page = open_page(MIXED)
    bpe = tokenizers["sample BPE"]
    ids = bpe.encode(MIXED)
    with page.expect_response("**/api/tokens"):
        page.get_by_role("radio", name="ids").check()
    expect(lane(page, "sample BPE").first).to_have_text(str(ids[0]))
    assert lane(page, "sample BPE").all_text_contents() == [str(it) for it in ids]
    with page.expect_response("**/api/tokens"):
        page.get_by_role("radio", name="bytes").check()
    expect(lane(page, "sample BPE").first).to_have_text(bpe.token_bytes(ids[0]).hex(" "))
    found = lane(page, "sample BPE").all_text_contents()
    assert bytes.fromhex(" ".join(found)) == MIXED.encode()


def test_a_token_says_what_it_is(open_page: Open, tokenizers: Tokenizers) -> None:
    text = "東京の図書館 low"
    page = open_page(text)
    unigram = tokenizers["sample Unigram"]
    encoded = unigram.encode_with_offsets(text)
    lane(page, "sample Unigram").nth(1).click()
    said = page.locator(".detail").text_content()
    start, end = encoded.covering_spans[1]
    assert str(encoded.ids[1]) in said
    assert (start, end) == (3, 6)
    assert "characters 4–6" in said
    assert unigram.token_bytes(int(encoded.ids[1])).hex(" ") in said
    assert "log probability" in said
    assert page.locator(".tok.here").count() == 1
    over = lane(page, "sample BPE").evaluate_all(
        "its => its.flatMap((it, at) => it.matches('.linked') ? [at] : [])"
    )
    spans = tokenizers["sample BPE"].encode_with_offsets(text).covering_spans
    assert over == [at for at, (a, b) in enumerate(spans) if a < end and b > start]
    lane(page, "sample BPE").first.hover()
    assert "rank" in page.locator(".detail").text_content()


def test_special_tokens_are_read_as_such_if_asked(open_page: Open) -> None:
    page = open_page("low</s>low")
    expect(page.locator(".tok.special")).to_have_count(0)
    page.get_by_role("checkbox", name="treat <|…|> as special tokens").check()
    special = lane(page, "sample Unigram").and_(page.locator(".special"))
    expect(special).to_have_text(["</s>"])
    special.click()
    expect(page.locator(".detail")).to_contain_text("special, for </s>")


def test_what_is_unknown_is_named(open_page: Open) -> None:
    page = open_page("low 鱻")
    for name in ("sample Unigram", "sample WordPiece"):
        unknown = lane(page, name).last
        expect(unknown).to_have_text("UNK鱻")
        expect(page.locator(f'.who[data-name="{name}"]')).to_contain_text("one unknown")
        unknown.click()
        expect(page.locator(".detail")).to_contain_text("It has no token for this.")


def test_a_part_of_a_character_says_of_which(open_page: Open) -> None:
    page = open_page("鱻")
    part = lane(page, "sample BPE").first
    assert re.fullmatch("[0-9a-f]{2}( [0-9a-f]{2})*鱻", part.text_content())
    part.click()
    expect(page.locator(".detail")).to_contain_text("part of 鱻")


def test_all_that_were_given_stand_beside_each_other(browser: Any) -> None:
    given = {f"given {at}": made(".kugiri.json") for at in range(9)}
    with serving(given) as address:
        page = browser.new_page()
        page.goto(address)
        expect(page.locator(".who .name")).to_have_text([*given][:8])
        page.close()


def test_what_it_costs(open_page: Open) -> None:
    page = open_page("low lower")
    count = int(page.locator('.who[data-name="sample BPE"] b').text_content())
    cost = page.locator(".cost")
    page.get_by_label("price in USD for a million tokens").fill("1000000")
    expect(cost).to_contain_text(f"costs {count} USD")
    page.get_by_label("tokens of the context").fill(str(2 * count))
    expect(cost).to_contain_text("fills 50 %")
    expect(cost).to_contain_text(f"({1000 * count:,} USD for 1,000 of them)")
    page.get_by_label("price in USD for a million tokens").fill("much")
    expect(cost).to_contain_text("“much” is no price")
    assert "costs – as a request (– for" in cost.text_content()
