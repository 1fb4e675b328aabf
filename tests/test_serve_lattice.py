"""The lattice, the normalization and the question why, as the page draws them."""

from __future__ import annotations

import re
from typing import Any

import pytest

import kugiri
from kugiri.explain.step_structure import UnigramSteps
from tests.browser import HOW_TO_GET
from tests.explained import unigram
from tests.explained_examples import TOKYO, nfkc
from tests.served_pages import url, visit

__all__ = ["url", "visit"]

playwright = pytest.importorskip(
    "playwright.sync_api", reason=f"playwright is absent: {HOW_TO_GET}"
)
expect: Any = playwright.expect


def steps(tok: kugiri.Tokenizer, text: str) -> UnigramSteps:
    model = tok.explain(text).model
    assert isinstance(model, UnigramSteps)
    return model


# ── the lattice ───────────────────────────────────────────────────────────────────────────────
def test_the_lattice_and_its_ways(visit: Any) -> None:
    page = visit("tokyo", "東京都に住む")
    model = steps(unigram(TOKYO), "東京都に住む")
    page.wait_for_selector(".lattice")
    assert page.locator(".lattice .piece").count() == len(model.lattice)
    assert page.locator(".lattice .base").all_text_contents() == [*"東京都に住む"]
    drawing = page.get_by_role("img")
    assert f"{len(model.lattice)} pieces" in drawing.get_attribute("aria-label")
    page.get_by_text("The pieces as a list").click()
    listed = page.locator("details[open] li").all_text_contents()
    assert len(listed) == len(model.lattice)
    assert {it.split(":")[0] for it in listed} >= {"東, character 1", "東京, characters 1–2"}
    assert [it.split(", ")[0] for it in listed] == [node.piece for node in model.lattice]
    on = page.locator(".piece.on text:first-of-type").all_text_contents()
    assert sorted(on) == sorted(model.nbest[0].pieces)
    best = page.locator(".piece.best text:first-of-type").all_text_contents()
    assert sorted(best) == sorted(model.nbest[0].pieces)
    second = page.locator(".ways li").nth(1)
    second.focus()
    on = page.locator(".piece.on text:first-of-type").all_text_contents()
    assert sorted(on) == sorted(model.nbest[1].pieces)
    said = page.locator(".reason[role=status]").text_content()
    assert f"{model.nbest[1].log_prob:.2f}" in said
    assert f"{model.nbest[1].margin:.2f}".rstrip("0") in said
    second.blur()
    assert page.locator(".reason[role=status]").text_content().startswith("The best way")


def test_doubt_and_ways_at_random_wait_until_they_are_opened(visit: Any) -> None:
    page = visit("tokyo", "東京都に住む")
    doubt = page.get_by_text(re.compile(r"^How much doubt .* is [\d.]+ nats; 0 would be none\.$"))
    expect(doubt).to_be_hidden()
    page.get_by_text("Ways at random").click()
    expect(doubt).to_be_visible()
    expect(page.get_by_role("slider", name="alpha")).to_be_visible()


def test_a_way_that_is_pointed_at_is_drawn(visit: Any) -> None:
    page = visit("tokyo", "東京都に住む")
    page.get_by_text("Ways at random").click()
    nbest = steps(unigram(TOKYO), "東京都に住む").nbest
    page.get_by_role("slider", name="alpha").press("Home")
    on = page.locator(".piece.on text:first-of-type")
    expect(page.locator(".sampled .ways li").first).to_be_visible()
    for rows in page.locator(".lattice-place ~ ol.ways > li"), page.locator(".sampled .ways li"):
        row = rows.nth(1)
        way = row.locator(".way .cut > span").all_text_contents()
        assert way != list(nbest[0].pieces)
        row.hover()
        assert sorted(on.all_text_contents()) == sorted(way)
        page.get_by_role("slider", name="alpha").hover()
        assert sorted(on.all_text_contents()) == sorted(nbest[0].pieces)


SEEN = """() => {
  const frame = document.querySelector(".lattice-place .wide").getBoundingClientRect();
  const its = [...document.querySelectorAll(".piece.on:not(.best) line")]
    .map((it) => it.getBoundingClientRect().left);
  return its.length === 0 || Math.min(...its) >= frame.left && Math.min(...its) < frame.right;
}"""


def test_where_a_way_is_another_is_brought_into_sight(visit: Any) -> None:
    page = visit("tokyo", "むに" * 8 + "東京都に住む", viewport={"width": 375, "height": 800})
    page.wait_for_selector(".lattice")
    frame = page.locator(".lattice-place .wide")
    assert frame.evaluate("it => it.scrollWidth > 1.5 * it.clientWidth")
    assert frame.evaluate("it => getComputedStyle(it).backgroundImage").count("gradient") == 4
    for way in page.locator(".ways li").all():
        way.focus()
        assert page.evaluate(SEEN)
    assert frame.evaluate("it => it.scrollLeft") > 0


def test_thicker_is_more_probable(visit: Any) -> None:
    page = visit("tokyo", "東京都に住む")
    page.wait_for_selector(".lattice")
    thick = {
        group.locator("text").first.text_content(): float(
            group.locator("line").get_attribute("stroke-width")
        )
        for group in page.locator(".piece").all()
    }
    nodes = sorted(steps(unigram(TOKYO), "東京都に住む").lattice, key=lambda it: it.probability)
    assert [thick[it.piece] for it in nodes] == sorted(thick.values())


def test_sampling_draws_its_shares_on_the_lattice(visit: Any) -> None:
    page = visit("tokyo", "東京都に住む")
    page.get_by_text("Ways at random").click()
    slider = page.get_by_role("slider", name="alpha")
    with page.expect_request("**/api/sample") as asked:
        slider.press("Home")
    assert asked.value.post_data_json["alpha"] == 0
    assert slider.get_attribute("aria-valuetext").startswith("α 0: α = 0: every way is as likely")
    expect(page.locator(".sampled .ways li").first).to_be_visible()
    counts = [
        int(re.match(r"\d+", it)[0])  # type: ignore[index]
        for it in page.locator(".sampled .facts").all_text_contents()
    ]
    assert sum(counts) == 200
    for count, said in zip(
        counts, page.locator(".sampled .facts").all_text_contents(), strict=True
    ):
        assert said.endswith(f"· {f'{count / 2:.1f}'.removesuffix('.0')} %")
    flat = page.locator(".lattice .share").all_text_contents()
    with page.expect_request("**/api/sample") as asked:
        slider.press("End")
    assert asked.value.post_data_json["alpha"] == 2
    expect(page.get_by_text("α above 1")).to_be_visible()
    page.wait_for_function(
        "flat => [...document.querySelectorAll('.lattice tspan.share')]"
        ".map(it => it.textContent).join() !== flat",
        arg=",".join(flat),
    )
    assert "seed 1" in page.locator(".sampling output").text_content()
    page.get_by_role("button", name="draw 200 others").click()
    assert "seed 201" in page.locator(".sampling output").text_content()
    page.get_by_role("button", name="back to the probabilities").click()
    assert page.locator(".sampled li").count() == 0


# ── normalization, why ────────────────────────────────────────────────────────────────────────
def test_what_the_normalizer_changed_and_by_what_rule(visit: Any) -> None:
    page = visit("nfkc", "①ｶﾞ ＡＢ")
    changes = nfkc().explain("①ｶﾞ ＡＢ").normalization.changes
    page.wait_for_selector(".rules")
    assert page.locator("del").all_text_contents() == [it.before for it in changes]
    assert page.locator("ins").all_text_contents() == [it.after for it in changes]
    rules = page.locator(".rules").text_content()
    for rule in "Half-width kana", "Full-width letters", "A variant of a character":
        assert rule in rules
    page = visit("nfkc", "①ｶﾞ ＡＢ", locale="ja-JP")
    expect(page.get_by_text("半角カナを全角にする")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "stages", "said"),
    [
        ("en-US", ["pre-tokens", "vocabulary"], "after kanji, before hiragana"),
        ("ja-JP", ["プレトークン", "語彙"], "漢字とひらがなのあいだ"),
    ],
)
def test_why_is_asked_of_what_is_selected(
    visit: Any, locale: str, stages: list[str], said: str
) -> None:
    page = visit("scripts", "仕組みと仕事", locale=locale)
    page.locator("#text").focus()
    page.keyboard.press("Home")
    for _ in "仕組み":
        page.keyboard.press("Shift+ArrowRight")
    page.locator(".offer button").click()
    page.wait_for_selector(".causes")
    assert page.locator(".causes .stage").all_text_contents() == stages
    assert said in page.locator(".causes").text_content()
