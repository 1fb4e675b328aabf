"""Answers that come late, or not at all: the page shows nothing of a state that is no more."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import HOW_TO_GET
from tests.served_pages import url, visit

__all__ = ["url", "visit"]

playwright = pytest.importorskip(
    "playwright.sync_api", reason=f"playwright is absent: {HOW_TO_GET}"
)
expect: Any = playwright.expect

NO = {"status": 409, "json": {"error": "no", "kind": "many kept", "values": {"most": 16}}}
"""A refusal."""


HOLD = """(route) => {
  const fetched = window.fetch;
  window.fetch = async (path, options) => {
    if (!path.startsWith(`/api/${route}`)) return fetched(path, options);
    window.fetch = fetched;
    await new Promise((release) => { window.release = release; });
    return fetched(path, options);
  };
}"""


def hold(page: Any, route: str) -> None:
    """Let the next question of a route wait, until `release`."""
    page.evaluate("() => { delete window.release; }")
    page.evaluate(HOLD, route)


def asked(page: Any) -> None:
    """Wait until it is held."""
    page.wait_for_function("() => window.release !== undefined")


def release(page: Any) -> None:
    """Let it go on, and give what comes of it time to be drawn."""
    page.evaluate("window.release()")
    page.wait_for_timeout(400)


# ── rows ──────────────────────────────────────────────────────────────────────────────────────
def test_a_tokenizer_that_was_taken_away_stays_away(visit: Any) -> None:
    page = visit("sennrich", "low")
    page.wait_for_selector(".tok")
    hold(page, "tokens")
    page.fill("#text", "lower")
    asked(page)
    page.get_by_role("button", name="Remove sennrich").click()
    release(page)
    assert page.locator(".lane, .tok").count() == 0


def test_rows_that_are_scrolled_while_they_are_asked_anew(visit: Any) -> None:
    page = visit("bytes", "low\n" * 2_000)
    page.wait_for_selector(".windows.scrolls .tok")
    hold(page, "tokens")
    page.get_by_role("radio", name="ids").check()
    asked(page)
    page.evaluate("document.querySelector('.windows').scrollTop = 1e6")
    page.wait_for_timeout(100)
    release(page)
    expect(page.locator(".run.as-ids").first).to_be_visible()
    assert page.locator(".run:not(.as-ids)").count() == 0


def test_cuts_are_never_those_of_another_text(visit: Any) -> None:
    page = visit("sennrich", "low lower")
    page.wait_for_selector(".tok")
    page.get_by_role("button", name="Add words").click()
    expect(page.locator(".who .counted")).to_have_count(2)
    hold(page, "tokens")
    page.fill("#text", "newest low")
    asked(page)
    page.get_by_role("button", name="words", exact=True).click()
    expect(page.locator(".under")).to_contain_text("where sennrich cuts")
    release(page)
    expect(page.locator(".under")).to_contain_text("where words cuts")
    assert page.locator(".mirror span").all_text_contents() == ["newest ", "low"]


# ── costs ─────────────────────────────────────────────────────────────────────────────────────
def test_a_price_that_is_none_has_no_cost_of_the_one_before(visit: Any) -> None:
    page = visit("sennrich", "low")
    amount, price = page.locator(".cost b").first, page.get_by_label("price in USD")
    expect(amount).not_to_have_text("–")
    hold(page, "cost")
    price.fill("9")
    asked(page)
    price.fill("x")
    expect(amount).to_have_text("–")
    release(page)
    expect(amount).to_have_text("–")


# ── the lattice ───────────────────────────────────────────────────────────────────────────────
def test_ways_at_random_that_are_not_wanted_any_more(visit: Any) -> None:
    page = visit("tokyo", "東京都")
    page.locator(".at-random summary").click()
    ways = page.locator(".sampled li")
    page.get_by_role("button", name="draw 200 ways").click()
    expect(ways).not_to_have_count(0)
    hold(page, "sample")
    page.get_by_role("button", name="draw 200 others").click()
    asked(page)
    page.locator(".sampling .controls .quiet").click()
    expect(ways).to_have_count(0)
    release(page)
    assert ways.count() == 0


# ── tokens that are taken apart ───────────────────────────────────────────────────────────────
def test_words_that_were_taken_whole_are_taken_apart_with_all(visit: Any) -> None:
    page = visit("ranks", "low")
    page.get_by_role("button", name="all the way down").click()
    expect(page.locator(".leaf > bdi")).to_have_text(["l", "o", "w"])
    page.get_by_role("button", name="together again", exact=True).click()
    page.get_by_role("button", name="one level down").click()
    expect(page.locator(".tree .chip > bdi")).to_have_text(["lo", "w"])


def test_merges_that_are_refused(visit: Any) -> None:
    page = visit("ranks", "low")
    page.route("**/api/lineage", lambda route: route.fulfill(**NO))
    page.get_by_role("button", name="low: undo its last merge").click()
    expect(page.locator(".tree").get_by_role("alert")).not_to_be_empty()


# ── the chat ──────────────────────────────────────────────────────────────────────────────────
def test_costs_stay_with_their_message(visit: Any) -> None:
    page = visit("chat", place="chat")
    costs = page.locator(".message .cost > span:last-child")
    expect(costs).to_have_count(3)
    before = costs.all_text_contents()
    assert before[1] != before[2]
    hold(page, "chat")
    page.get_by_role("button", name="remove message 2").click()
    assert costs.all_text_contents() == [before[0], before[2]]
    asked(page)
    release(page)
    page.route("**/api/chat", lambda route: route.fulfill(**NO))
    page.get_by_role("button", name="+ a message").click()
    expect(costs).to_have_count(0)
    expect(page.locator(".chat-sum")).to_be_empty()


# ── the training ──────────────────────────────────────────────────────────────────────────────
def test_a_training_and_its_use_do_not_wait_for_each_other(visit: Any) -> None:
    page = visit("sennrich", place="training")
    page.get_by_role("spinbutton", name="merges").fill("3")
    train = page.get_by_role("button", name="Train", exact=True)
    train.click()
    expect(page.get_by_text("3 of 3").or_(page.get_by_text("of 3"))).to_have_count(1)
    hold(page, "train")
    train.click()
    asked(page)
    page.get_by_role("spinbutton", name="merges").fill("500")
    page.route("**/api/train", lambda route: route.fulfill(**NO), times=1)
    page.get_by_role("button", name="Use it on the text").click()
    expect(page.locator(".training .note")).not_to_have_text("")
    release(page)
    expect(train).to_be_enabled()
    assert page.get_by_text("It stops after").count() == 0


# ── places and buttons ────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("place", ["constructor", "toString", "__proto__", "nowhere"])
def test_a_place_that_is_none_is_the_text(visit: Any, place: str) -> None:
    page = visit("sennrich", "low", place=place)
    expect(page.locator(".place.text")).to_be_visible()


def test_what_cannot_be_shared_has_no_button(visit: Any) -> None:
    page = visit("sennrich", "low")
    share = page.get_by_role("button", name="Share as one file")
    expect(share).to_be_enabled()
    page.fill("#text", "")
    expect(share).to_be_disabled()
    page.fill("#text", "low")
    expect(share).to_be_enabled()
    page.get_by_role("button", name="Remove sennrich").click()
    expect(share).to_be_disabled()


def test_one_that_is_called_otherwise_elsewhere_is_offered_by_its_name(visit: Any) -> None:
    page = visit("nfkc", "low")
    page.wait_for_selector(".tok")
    page.route("**/api/tokens", lambda route: route.fulfill(json={
        "columns": [{"name": "nfkc", "error": "no", "kind": "no tokenizer",
                     "values": {"name": "nfkc"}}], "next": None, "cuts": None,
    }))  # fmt: skip
    page.route("**/api/state", _renamed)
    page.fill("#text", "lower")
    expect(page.get_by_role("button", name="Add other")).to_be_visible()
    expect(page.locator(".lane .note")).to_contain_text("it was renamed or taken away elsewhere")


def _renamed(route: Any) -> None:
    state = route.fetch().json()
    for its in state["tokenizers"]:
        if its["name"] == "nfkc":
            its["name"] = "other"
    route.fulfill(json=state)


# ── all of a text ─────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("repeats", [400, 2_000])
def test_all_of_a_text_has_strokes(visit: Any, repeats: int) -> None:
    page = visit("words", "low lower " * repeats)  # more than a window; 4,000 and 20,000 characters
    expect(page.locator(".mirror .stroke")).to_have_count(2 * repeats - 1)


def test_others_at_random_are_others(visit: Any) -> None:
    page = visit("tokyo", "東京都")
    page.locator(".at-random summary").click()
    page.get_by_role("button", name="draw 200 ways").click()
    page.get_by_role("button", name="draw 200 others").click()
    expect(page.locator(".sampling output")).to_contain_text("seed 201")
    page.locator(".sampling .controls .quiet").click()
    expect(page.get_by_role("button", name="draw 200 ways")).to_be_visible()
