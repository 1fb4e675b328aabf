"""What the page does with a text that is long, or that takes long; nothing on it jumps."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.served_samples import PASTE, Open, Tokenizers, expect, lane, open_page, tokenizers, url

__all__ = ["open_page", "tokenizers", "url"]

LONG = "".join(f"Line {at}: the newest readers counted 東京 twice.\n" for at in range(60))


def explained(page: Any) -> tuple[int, int]:
    """The stretch that is explained."""
    said = page.locator(".explanation .opening > .soft")
    expect(said).to_contain_text("for characters")
    found = re.search(r"characters ([\d,]+)–([\d,]+)", said.text_content())
    assert found
    return int(found[1].replace(",", "")) - 1, int(found[2].replace(",", ""))


COVERS = """(place) => {
  const said = document.querySelector(".explanation .opening > .soft").textContent;
  const found = /characters ([\\d,]+)–([\\d,]+)/.exec(said)?.slice(1);
  const [start, end] = (found ?? []).map((it) => Number(it.replaceAll(",", "")));
  return start - 1 <= place && place < end;
}"""


def look(page: Any, place: int) -> None:
    """Put the caret somewhere, once something is explained."""
    expect(page.locator(".explanation .opening > .soft")).to_contain_text("characters")
    page.focus("#text")
    page.evaluate("at => document.querySelector('#text').setSelectionRange(at, at)", place)
    page.wait_for_function(COVERS, arg=place)


# ── the stretch that is explained ─────────────────────────────────────────────────────────────
def test_the_stretch_follows_the_caret_and_goes_on(open_page: Open, tokenizers: Tokenizers) -> None:
    page = open_page(LONG)
    spans = tokenizers["sample BPE"].encode_with_offsets(LONG).covering_spans
    cuts = {0, *(end for _, end in spans)}
    last = page.locator(".explanation .opening > .soft")
    look(page, 0)
    expect(last).to_contain_text("for characters 1–")
    first = explained(page)
    look(page, 1500)
    start, end = explained(page)
    assert start <= 1500 < end <= start + 400
    assert {start, end, first[1]} <= cuts
    assert LONG[start - 1] == LONG[end - 1] == "\n"
    page.get_by_role("button", name="The next stretch").click()
    expect(last).to_contain_text(f"characters {end + 1:,}–")
    page.get_by_role("button", name="The stretch before").click()
    expect(last).to_contain_text(f"–{end:,}")
    assert explained(page)[1] == end
    pieces = page.locator(".trees .tree")
    own = [1 for a, b in spans if explained(page)[0] <= a and b <= end]
    expect(pieces).to_have_count(len(own))


def test_the_stretch_follows_a_token_that_is_clicked(open_page: Open) -> None:
    page = open_page(LONG)
    look(page, len(LONG) - 2)
    lane(page, "sample BPE").nth(150).click()
    place = int(re.search(r"characters? (\d+)", page.locator(".detail").text_content())[1]) - 1
    assert place < len(LONG) - 500
    page.wait_for_function(COVERS, arg=place)


STRETCH = """async ([text, from, last, spans]) => {
  const { stretchOf } = await import("/static/stretches.js");
  const tokens = spans.map(([start, end], id) => ({ start, end, id }));
  const ask = (start, characters) =>
    tokens.filter((it) => it.start >= start && it.start < start + characters);
  const { start, end, tokens: its } = await stretchOf(text, { from, last }, ask);
  return [start, end, its && its.map((it) => it.id)];
}"""
ONES = [[at, at + 1] for at in range(1000)]


@pytest.mark.parametrize(
    ("text", "start", "last", "spans", "wanted"),
    [
        ("a" * 400, 0, None, ONES[:400], [0, 400, None]),
        ("a" * 1000, 0, None, ONES, [0, 400, [*range(400)]]),
        ("a" * 1000, 900, None, ONES, [600, 1000, [*range(600, 1000)]]),
        ("a" * 350 + "\n" + "a" * 649, 0, None, ONES, [0, 351, [*range(351)]]),
        ("a" * 1000, 0, 200, ONES, [0, 200, [*range(200)]]),
        # a token that begins before has a part of the first character
        ("a" * 1000, 300, None, [*ONES[:299], [299, 301], *ONES[300:]],
         [301, 701, [*range(301, 701)]]),
        # a token longer than a stretch is not cut
        ("a" * 1000, 0, None, [[0, 1000]], [0, 1000, [0]]),
        ("a" * 1000, 0, None, [[at, at + 3] for at in range(0, 999, 3)] + [[999, 1000]],
         [0, 399, [*range(133)]]),
    ],
)  # fmt: skip
def test_no_stretch_cuts_a_token(
    open_page: Open, text: str, start: int, last: int | None, spans: object, wanted: object
) -> None:
    assert open_page().evaluate(STRETCH, [text, start, last, spans]) == wanted


def test_tokens_that_are_others_in_the_whole_text_are_confessed(open_page: Open) -> None:
    page = open_page("a" * 900)
    page.get_by_role("button", name="sample Unigram", exact=True).click()
    expect(page.get_by_role("heading", name="How sample Unigram cuts this text")).to_be_visible()
    look(page, 0)
    page.get_by_role("button", name="The next stretch").click()  # a mark is put before it
    expect(page.locator(".explanation .opening")).to_contain_text("they become other tokens")


# ── a long text ───────────────────────────────────────────────────────────────────────────────


def test_a_long_text_is_written_in_without_strokes(open_page: Open) -> None:
    page = open_page("low")
    text = "the newest library\n" * 1_500
    page.evaluate(PASTE, text)
    expect(page.locator(".counts")).to_contain_text(f"{len(text):,} characters")
    expect(page.locator("#text")).to_be_visible()
    assert page.evaluate("document.querySelector('#text').selectionStart") == len(text)
    expect(page.locator(".counts")).to_contain_text("the cuts are not drawn")
    assert page.locator(".mirror .stroke").count() == 0
    page.focus("#text")
    page.keyboard.press("Control+End")
    page.keyboard.type("end")
    expect(page.locator(".counts")).to_contain_text(f"{len(text) + 3:,} characters")
    assert page.locator("#text").evaluate("it => it.clientHeight < innerHeight / 2")
    page.fill("#text", "low lower")
    expect(page.locator(".mirror .stroke").first).to_be_attached()


# ── nothing jumps, and nothing is silent ──────────────────────────────────────────────────────
@pytest.mark.parametrize("width", [375, 1280])
def test_what_is_offered_moves_nothing(open_page: Open, width: int) -> None:
    page = open_page("unbelievably long words", viewport={"width": width, "height": 800})
    lanes = "document.querySelector('.compared').getBoundingClientRect().top + scrollY"
    before = page.evaluate(lanes)
    page.focus("#text")
    page.evaluate("document.querySelector('#text').setSelectionRange(2, 20)")
    offer = page.get_by_role("button", name="Why is believably long wo not one token?")
    expect(offer).to_be_visible()
    assert page.evaluate(lanes) == before
    inside = "it => it.getBoundingClientRect().bottom + scrollY"
    assert offer.evaluate(inside) <= before


def test_it_is_said_that_an_answer_takes_long(open_page: Open) -> None:
    page = open_page("low")
    held: list[Any] = []
    page.route("**/api/tokens", lambda route: held.append(route))
    top = "document.querySelector('.compared').getBoundingClientRect().top"
    before = page.evaluate(top)
    page.fill("#text", "lower")
    waits = page.locator(".caption [role=status]")
    expect(waits).to_contain_text("Cutting the text")
    assert page.evaluate(top) == before
    for route in held:
        route.continue_()
    expect(waits).to_be_empty()
    expect(page.locator(".counts")).to_contain_text("5 characters")


# ── the cost ──────────────────────────────────────────────────────────────────────────────────
def test_what_was_written_last_counts(open_page: Open) -> None:
    pytest.importorskip("genai_prices", reason="no prices: pip install 'kugiri[prices]'")
    page = open_page("low lower")
    model = page.get_by_label("name of a model")
    price, context = page.get_by_label("price in USD"), page.get_by_label("tokens of the context")
    price.fill("7")
    model.fill("gpt-4o")
    expect(price).to_have_value("2.50")
    expect(context).to_have_value("128000")
    expect(page.locator(".cost")).to_contain_text("These are the price and the context of")
    model.fill("gpt-4oo")
    expect(price).to_have_value("")
    expect(page.locator(".cost .said")).to_have_text(
        re.compile(
            "^No price of a model “gpt-4oo” is known; you can write the prices themselves. "
            "Do you mean “gpt-4o”( or “.+”)*\\?$"
        )
    )
    model.fill("")
    expect(price).to_have_value("7")
    model.fill("gpt-4o")
    expect(price).to_have_value("2.50")
    context.fill("500")
    expect(model).to_have_value("")
    expect(price).to_have_value("2.50")
    expect(page.locator(".cost")).to_contain_text("Or at the prices of")


# ── the focus ─────────────────────────────────────────────────────────────────────────────────
RING = """() => {
  const it = document.activeElement;
  const label = it.closest("label");
  const style = getComputedStyle(label ?? it);
  const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
  const probe = document.createElement("i");
  probe.style.color = accent;
  document.body.append(probe);
  const wanted = getComputedStyle(probe).color;
  probe.remove();
  if (it.id === "text") {
    return getComputedStyle(it.closest(".writing")).boxShadow.startsWith(wanted);
  }
  return style.outlineStyle === "solid" && style.outlineWidth === "2px"
    && style.outlineColor === wanted;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_has_the_focus_has_one_ring(open_page: Open, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    expect(page.locator(".trees .tree").first).to_be_visible()
    seen = set()
    for _ in range(90):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        assert page.evaluate(RING), page.evaluate("document.activeElement.outerHTML")
        seen.add(page.evaluate("document.activeElement.tagName"))
    assert {"A", "BUTTON", "INPUT", "TEXTAREA", "SPAN", "SUMMARY"} <= seen


def test_a_window_that_failed_is_asked_for_again(open_page: Open) -> None:
    page = open_page("low " * 2_000)
    page.wait_for_selector(".windows.scrolls .tok")
    page.evaluate("""() => {
      [window.fetched, window.asked] = [window.fetch, 0];
      window.fetch = (path, { body }) => { // of the windows, not of the strokes of the large text
        window.asked += JSON.parse(body).characters === 1_000 ? 1 : 0;
        return Promise.reject(new TypeError("gone"));
      };
    }""")
    page.evaluate("document.querySelector('.windows').scrollTop = 1e6")
    again = page.get_by_role("button", name="Ask again")
    again.wait_for()
    assert page.evaluate("window.asked") == 1
    drawn = page.locator(".system").count()
    page.evaluate("() => { window.fetch = window.fetched; }")
    again.click()
    page.wait_for_function("n => document.querySelectorAll('.system').length > n", arg=drawn)
    expect(again).to_have_count(0)
