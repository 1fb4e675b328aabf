"""What the page shows where one points, walks, drags, selects and comes back."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from kugiri.spec import BPE
from tests.served_samples import Open, Tokenizers, expect, lane, open_page, tokenizers, url

__all__ = ["open_page", "tokenizers", "url"]

TEXT = "The newest readers"
DRAG = """([kind]) => {
  const data = new DataTransfer();
  data.items.add(new File(["low"], "a.txt"));
  const event = new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
}"""
SELECT = """its => { // the second and the third
  const ends = [its[1], its[2]].map((it) =>
    document.createTreeWalker(it, NodeFilter.SHOW_TEXT).nextNode());
  getSelection().setBaseAndExtent(ends[0], 0, ends[1], ends[1].length);
}"""


def facts(page: Any) -> dict[str, str]:
    """What the line of a token says, by the names of it."""
    its = page.locator(".detail .fact:has(small)").all_text_contents()
    return dict(it.rsplit(" ", 1) if "bytes" not in it else it.split(" ", 1) for it in its)


# ── a token ───────────────────────────────────────────────────────────────────────────────────
def test_the_focus_shows_what_a_token_is(open_page: Open, tokenizers: Tokenizers) -> None:
    page = open_page(TEXT)
    tok = tokenizers["sample BPE"]
    model = tok.spec.model
    assert isinstance(model, BPE)
    assert model.merges is not None
    _, newest, *_ = tok.encode(TEXT)
    lane(page, "sample BPE").nth(1).focus()
    expect(page.locator(".detail .place-of")).to_have_text("characters 4–7")
    rank = int(np.flatnonzero(np.asarray(model.merges.result) == newest)[0])
    assert facts(page) == {"id": str(newest), "bytes": "20 6e 65 77", "rank": str(rank)}
    page.keyboard.press("End")
    expect(page.locator(".detail .place-of")).to_have_text("character 18")
    assert facts(page)["byte"] == "73"


def test_a_score_is_that_of_the_vocabulary(open_page: Open, tokenizers: Tokenizers) -> None:
    page = open_page(TEXT)
    best = tokenizers["sample Unigram"].nbest(TEXT, 1)[0]
    tok = tokenizers["sample Unigram"]
    total = 0.0
    for at in range(len(best.ids)):
        lane(page, "sample Unigram").nth(at).focus()
        shown = facts(page)
        assert shown["id"] == str(best.ids[at])
        total += float(shown["log probability"].replace("\u2212", "-"))
    assert total == pytest.approx(tok.nbest(TEXT, 1)[0].log_prob, abs=0.01)


def test_keys_lead_along_a_row(open_page: Open) -> None:
    page = open_page(TEXT)
    its = lane(page, "sample BPE")
    its.first.focus()
    for key, at in (
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 5), ("Home", 0),
        ("ArrowLeft", 0),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(its.nth(at)).to_be_focused()


def test_cuts_of_all_are_marked(open_page: Open) -> None:
    page = open_page(TEXT)
    agreed = lane(page, "sample Unigram").evaluate_all(
        "its => its.filter((it) => it.classList.contains('agreed')).map((it) => it.textContent)"
    )
    # The, new, es, t, read, er, s: all but that before t
    assert [it.strip("\u2581") for it in agreed] == ["new", "es", "read", "er", "s"]


def test_tokens_that_are_selected_can_be_asked_about(open_page: Open) -> None:
    page = open_page(TEXT)
    expect(lane(page, "sample BPE")).to_have_count(6)
    lane(page, "sample BPE").evaluate_all(SELECT)
    expect(page.locator(".offer")).to_have_text(re.compile("^Why is .?newest not one token"))


# ── the lattice ───────────────────────────────────────────────────────────────────────────────
def test_a_way_is_drawn_as_a_line(open_page: Open) -> None:
    page = open_page("東京の図書館で")
    page.get_by_role("button", name="sample Unigram", exact=True).click()
    route, ways = (
        page.locator(".lattice .route"),
        page.locator(".lattice-place > .ways li, .ways li"),
    )
    expect(ways).not_to_have_count(0)
    lines = [route.get_attribute("d")]
    for at in (1, 2):
        ways.nth(at).hover()
        lines.append(route.get_attribute("d"))
    assert all(re.match(r"M[\d.]+ [\d.]+ L", it or "") for it in lines)
    assert len({*lines}) == 3
    widths = page.locator(".ways li .bar").evaluate_all(
        "its => its.map((it) => it.getBoundingClientRect().width)"
    )
    assert widths[0] > widths[1] > 0


def test_ways_at_random_answer_to_the_keyboard(open_page: Open) -> None:
    page = open_page("東京の図書館で")
    page.get_by_role("button", name="sample Unigram", exact=True).click()
    page.locator(".at-random summary").click()
    page.locator(".at-random input[type=range]").fill("0")
    ways = page.locator(".sampled li")
    expect(ways).not_to_have_count(0)
    before = page.locator(".lattice .route").get_attribute("d")
    ways.last.focus()
    assert page.locator(".lattice .route").get_attribute("d") != before
    ways.last.blur()
    assert page.locator(".lattice .route").get_attribute("d") == before


# ── files, windows, what comes back ───────────────────────────────────────────────────────────
def test_a_veil_says_that_a_file_can_be_dropped(open_page: Open) -> None:
    page = open_page(TEXT)
    veil = page.get_by_text("Drop it anywhere")
    expect(veil).to_be_hidden()
    page.evaluate(DRAG, ["dragenter"])
    expect(veil).to_be_visible()
    page.evaluate(DRAG, ["dragleave"])
    expect(veil).to_be_hidden()
    page.evaluate(DRAG, ["dragenter"])
    expect(veil).to_be_visible()
    page.evaluate(DRAG, ["drop"])
    expect(veil).to_be_hidden()


def test_rows_are_broken_anew_in_a_narrower_window(open_page: Open) -> None:
    page = open_page(
        f"{TEXT} in the library counted every word", viewport={"width": 1400, "height": 800}
    )
    systems = page.locator(".system")
    before = systems.count()
    page.set_viewport_size({"width": 760, "height": 800})
    page.wait_for_function("n => document.querySelectorAll('.system').length > n", arg=before)


def test_what_was_chosen_outlives_a_reload(open_page: Open) -> None:
    page = open_page(TEXT)
    boxes = page.locator(".toggles input[type=checkbox]")
    boxes.first.check()
    boxes.last.check()
    page.get_by_label("price in USD").fill("7")
    page.wait_for_timeout(800)  # it is kept once it rests
    page.reload()
    expect(page.get_by_label("price in USD")).to_have_value("7")
    assert [it.is_checked() for it in boxes.all()] == [True, True]


def test_counts_are_said_once_they_rest(open_page: Open) -> None:
    page = open_page(TEXT)
    page.wait_for_timeout(1_500)
    page.evaluate("""() => {
      window.said = [];
      const live = document.querySelector(".unseen[role=status]");
      new MutationObserver(() => window.said.push(live.textContent))
        .observe(live, { childList: true, subtree: true, characterData: true });
    }""")
    for text in ("low", "lower", "lowest"):
        page.fill("#text", text)
        page.wait_for_timeout(300)
    page.wait_for_timeout(1_500)
    said = page.evaluate("window.said")
    assert len({*said}) == 1


# ── the chat, tokens that are taken apart ─────────────────────────────────────────────────────
def test_a_bar_has_the_share_of_what_a_message_says(open_page: Open) -> None:
    page = open_page(TEXT)
    page.get_by_role("link", name="Chat").click()
    own = page.locator(".shares .own")
    expect(own).to_have_count(3)
    said = page.locator(".message .cost > span:last-child").all_text_contents()
    for at, words in enumerate(said):
        content, around = map(int, re.findall(r"\d+", words))
        grow = float(own.nth(at).evaluate("it => getComputedStyle(it).flexGrow"))
        assert grow == pytest.approx(content / (content + around), abs=0.001)


def test_ids_stand_under_their_tokens(open_page: Open, tokenizers: Tokenizers) -> None:
    page = open_page(TEXT)
    page.wait_for_selector(".tree:nth-child(6)")
    expect(page.locator(".tree > small")).to_have_text(
        [f"id {id}" for id in tokenizers["sample BPE"].encode(TEXT)]
    )
