"""How a text became its tokens, as the page draws it: each stage is looked at in Chromium."""

from __future__ import annotations

from typing import Any

import pytest

from kugiri.explain.step_structure import BPESteps, WordPieceSteps
from tests.browser import HOW_TO_GET
from tests.explained import made
from tests.explained_examples import HOSTILE
from tests.served_pages import axe, url, visit

__all__ = ["axe", "url", "visit"]

playwright = pytest.importorskip(
    "playwright.sync_api", reason=f"playwright is absent: {HOW_TO_GET}"
)
expect: Any = playwright.expect


def chips(page: Any) -> list[str]:
    """The symbols that stand under the slider."""
    page.wait_for_selector(".symbols .chip")
    return [it.text_content() for it in page.locator(".symbols .chip").all()]


# ── merges ────────────────────────────────────────────────────────────────────────────────────
LOWEST = ["e + s → es", "es + t → est", "est + _ → est_", "l + o → lo", "lo + w → low"]


def test_the_merge_slider(visit: Any) -> None:
    page = visit("sennrich", "lowest")
    assert chips(page) == ["l", "o", "w", "e", "s", "t", "_"]
    slider = page.get_by_role("slider", name="merges")
    slider.focus()
    titles = []
    for _ in LOWEST:
        page.keyboard.press("ArrowRight")
        titles.append(page.locator(".step-title").text_content())
    assert titles == LOWEST
    assert chips(page) == ["low", "est_"]
    assert page.locator(".symbols .chip.new").all_text_contents() == ["low"]
    assert slider.get_attribute("aria-valuetext") == "5 of 5. lo and w become low, rank 4"
    reason = page.locator(".reason")
    assert "Rank 4: of all neighbours" in reason.text_content()
    assert reason.text_content().endswith("these are the tokens.")
    page.get_by_role("button", name="one step back").click()
    assert reason.text_content().endswith("Next: lo + w, rank 4.")
    page.get_by_role("button", name="play").click()
    expect(page.get_by_text("5 of 5", exact=True)).to_be_visible()


def test_all_words_at_once_or_one(visit: Any) -> None:
    page = visit("ranks", "lowest newest low")
    merges = made(".tiktoken").explain("lowest newest low").model
    assert isinstance(merges, BPESteps)
    page.wait_for_selector(".symbols")
    page.get_by_role("slider", name="merges").focus()
    page.keyboard.press("End")
    assert chips(page) == [token for word in merges.words for token in word.tokens]
    ranks = sorted({merge.rank for merge in merges.merges})
    assert page.get_by_text(f"{len(ranks)} of {len(ranks)}", exact=True).count() == 1
    page.get_by_role("radio", name="word by word").check()
    page.get_by_role("radio", name="newest").check()
    assert chips(page) == list(" newest")
    page.get_by_role("slider", name="merges").press("End")
    assert chips(page) == merges.words[1].tokens


@pytest.mark.parametrize("name", ["bytes", "ranks", "chat"])
def test_the_last_step_gives_the_tokens(visit: Any, name: str) -> None:
    page = visit(name, "lower newest 東京の猫が low low lowest 🐈 unaffable")
    page.wait_for_selector(".symbols")
    page.get_by_role("slider", name="merges").press("End")
    tree = [it.text_content() for it in page.locator(".trees .tree > .chip bdi:not(.of *)").all()]
    shown = [it.text_content() for it in page.locator(".symbols .chip bdi:not(.of *)").all()]
    assert shown == tree


def test_bytes_stand_over_their_characters(visit: Any) -> None:
    page = visit("ranks", "東京")
    assert chips(page) == ["e6東", "9d東", "b1東", "e4京", "ba京", "ac京"]


# ── undoing merges ────────────────────────────────────────────────────────────────────────────
def test_a_click_undoes_a_merge_and_another_puts_it_together(visit: Any) -> None:
    page = visit("sennrich", "lowest")
    tree = page.locator(".tree").first
    tree.get_by_role("button", name="low: undo its last merge").click()
    assert tree.locator(".chip > bdi").all_text_contents() == ["lo", "w"]
    tree.get_by_role("button", name="lo: undo its last merge").click()
    assert tree.locator(".leaf").all_text_contents() == ["l6c", "o6f", "w77"]
    tree.get_by_role("button", name="put low together again (rank 4)").click()
    assert tree.locator(".chip > bdi").all_text_contents() == ["low"]
    page.get_by_role("button", name="all the way down").click()
    assert page.locator(".leaf > bdi").all_text_contents() == [*"lowest_"]
    page.get_by_role("button", name="together again", exact=True).click()
    page.get_by_role("button", name="one level down").click()
    assert page.locator(".tree .chip > bdi").all_text_contents() == ["lo", "w", "est", "_"]


def test_merges_are_undone_with_the_keyboard(visit: Any) -> None:
    page = visit("sennrich", "lowest")
    page.get_by_role("button", name="low: undo its last merge").focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    assert page.locator(".leaf").count() == 3
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.locator(".bracket").first.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert page.locator(".leaf").count() == 0
    assert page.locator(":focus").text_content() == "low"


def test_a_word_that_is_taken_whole_is_asked_for_its_merges(visit: Any) -> None:
    page = visit("ranks", "low")
    page.get_by_role("button", name="low: undo its last merge").click()
    expect(page.get_by_role("button", name="put low together again (rank 278)")).to_be_visible()
    assert page.locator(".tree .chip > bdi").all_text_contents() == ["lo", "w"]


# ── WordPiece, words ──────────────────────────────────────────────────────────────────────────
def test_every_string_that_is_looked_up(visit: Any) -> None:
    page = visit("wordpiece", "unaffable")
    slider = page.get_by_role("slider", name="strings that are looked up")
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "unaffable: no token"
    assert page.locator(".missed > bdi").all_text_contents() == ["unaffable"]
    model = made("vocab.txt").explain("unaffable").model
    assert isinstance(model, WordPieceSteps)
    match = model.matches[0]
    for _ in match.tried[1:]:
        slider.press("ArrowRight")
    assert page.locator(".cell.best").all_text_contents() == ["un"]
    assert page.locator(".missed > bdi").all_text_contents() == match.tried[:-1]
    page.get_by_text("strings that were looked up").click()
    assert page.locator(".looked li").first.text_content().split() == match.tried


def test_whole_words_are_looked_up(visit: Any) -> None:
    page = visit("words", "low lower")
    expect(page.get_by_text("Each piece is looked up as it stands.")).to_be_visible()


def test_why_it_is_cut_there(visit: Any) -> None:
    for locale, rule in (
        ("en-US", "after kanji, before hiragana"),
        ("ja-JP", "漢字とひらがなのあいだ"),
    ):
        page = visit("scripts", "仕組みと仕事", locale=locale)
        page.locator(".reasons summary").click()
        assert rule in page.locator(".reasons").text_content()


def test_long_words_say_that_their_steps_are_not_shown(visit: Any) -> None:
    page = visit("bytes", "図" * 200)
    expect(page.get_by_text("has more than 500 units")).to_be_visible()
    said = page.evaluate(
        """async () => {
          const { showLattice } = await import("/static/lattice.js");
          const place = document.createElement("div");
          showLattice(place, { model: { is_shown: false, lattice: [] } }, {});
          return place.textContent;
        }"""
    )
    assert "its lattice is too large to be shown" in said


def test_of_many_words_the_first_are_drawn(visit: Any) -> None:
    page = visit("bytes", "es " * 130)
    expect(page.get_by_text("more are not drawn").first).to_be_visible()


# ── everything ────────────────────────────────────────────────────────────────────────────────
TEXTS = [
    ("bytes", "東京の猫 low, lower 🐈"), ("tokyo", "東京都に住む"),
    ("wordpiece", "unaffable x 東京"), ("nfkc", "①ｶﾞ ＡＢ 🎉"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), TEXTS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Any, axe: str, name: str, text: str, scheme: str) -> None:
    page = visit(name, text, color_scheme=scheme)
    page.wait_for_selector(".explanation section:last-child .controls", state="attached")
    for summary in page.locator("summary").all():
        summary.click()
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert [(it["id"], [node["html"] for node in it["nodes"]]) for it in found["violations"]] == []


@pytest.mark.parametrize(("name", "text"), TEXTS)
@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_a_phone_never_scrolls_sideways(visit: Any, name: str, text: str, locale: str) -> None:
    page = visit(name, text * 8, locale=locale, viewport={"width": 375, "height": 700})
    page.wait_for_selector(".explanation section:last-child .controls", state="attached")
    if name == "bytes":
        page.locator(".undo .controls button").nth(1).click()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 375


@pytest.mark.parametrize("name", ["bytes", "tokyo", "wordpiece", "nfkc", "words"])
def test_hostile_text_is_text(visit: Any, name: str) -> None:
    page = visit(name, f"{HOSTILE} \u202e\u0000\ud800{{n}} <e5 b0> |")
    page.wait_for_selector(".explanation section:last-child .lede")
    for slider in page.get_by_role("slider").all():
        slider.press("End")
    assert page.locator("main script, main img:not(svg), main iframe").count() == 0
