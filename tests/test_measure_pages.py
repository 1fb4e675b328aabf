"""The report in a headless Chromium: nothing fails, nothing is asked for, everybody can use it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kugiri.measure.html import page
from kugiri.measure.report import Loss, Report
from tests.browser import CONTRAST, HOW_TO_GET
from tests.measured_reports import FEW, by_hand, empty, hostile, measured

LOSS = Loss(
    "cl100k", "ja", 9, 3, characters=0.03, white_space=0.03, others=0.0, bytes=0.03, tokens=0.1
)
REPORTS: dict[str, Callable[[], Report]] = {
    "by hand": lambda: by_hand(names=FEW),
    "languages": lambda: by_hand(corpora=("ja", "en"), languages=20, names=FEW),
    "lossy": lambda: msgspec.structs.replace(by_hand(names=FEW), losses=[LOSS]),
    "real": measured,
    "hostile": hostile,
    "empty": empty,
}
UNFOLD = "for (const it of document.querySelectorAll('details')) it.open = true"
COLUMN = "it => [...it.tBodies[0].rows].map(row => row.cells[0].textContent)"


@cache
def html_of(name: str) -> str:
    return page(REPORTS[name]())


def wait_until(opened_page: Any, holds: str) -> None:
    """Wait for what scripts do; the page's policy lets no poll of the driver run in it."""
    for _ in range(400):
        if opened_page.evaluate(holds):
            return
        opened_page.wait_for_timeout(50)
    raise AssertionError(holds)


def draw_all(opened_page: Any) -> None:
    """Unfold all, bring every plot near, and wait until it is drawn."""
    opened_page.evaluate(UNFOLD)
    for place in opened_page.locator(".plot").all():
        place.scroll_into_view_if_needed()
    wait_until(opened_page, "[...document.querySelectorAll('.plot')].every(it => it.dataset.drawn)")


@pytest.mark.parametrize("name", REPORTS)
def test_nothing_fails_and_nothing_is_asked_for(opened: Any, name: str) -> None:
    for scheme in ("light", "dark"):
        shown, heard = opened(html_of(name), color_scheme=scheme)
        draw_all(shown)
        shown.evaluate(UNFOLD)
        assert shown.evaluate(CONTRAST) == []
        assert shown.locator("main script, main img, main iframe").count() == 0
        assert heard == []


@pytest.mark.parametrize("name", REPORTS)
def test_a_phone_never_scrolls_sideways(opened: Any, name: str) -> None:
    shown, heard = opened(html_of(name), viewport={"width": 360, "height": 740})
    draw_all(shown)
    shown.evaluate(UNFOLD)
    assert shown.evaluate("document.scrollingElement.scrollWidth") <= 360
    ends = "[...document.querySelectorAll('svg')].map(it => it.getBoundingClientRect().right)"
    assert max(shown.evaluate(ends), default=0) <= 361
    assert heard == []


@pytest.mark.parametrize(
    ("name", "scheme"), [("by hand", "light"), ("languages", "dark"), ("lossy", "dark")]
)
def test_axe_finds_nothing(opened: Any, name: str, scheme: str) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python", reason=f"axe-playwright-python is absent: {HOW_TO_GET}"
    )
    shown, _ = opened(html_of(name), color_scheme=scheme)
    draw_all(shown)
    shown.evaluate(UNFOLD)
    shown.evaluate(Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8"))
    found = shown.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert [(it["id"], it["nodes"][0]["html"]) for it in found["violations"]] == []


def test_plots_follow_the_theme(opened: Any) -> None:
    shown, _ = opened(html_of("by hand"), color_scheme="light")
    draw_all(shown)
    ink = "getComputedStyle(document.querySelector('.plot .role-row-title text, .plot text')).fill"
    light = shown.evaluate(ink)
    shown.emulate_media(color_scheme="dark")
    assert shown.evaluate(ink) != light


def test_a_table_is_sorted_by_keyboard(opened: Any) -> None:
    shown, _ = opened(html_of("by hand"))
    table = shown.locator(".metric:has(#metric-bytes_per_token) table.sortable").first
    assert table.evaluate(COLUMN) == ["o200k", "cl100k", "gemma3"]
    head = table.locator("thead th").nth(1)
    button = head.get_by_role("button")
    button.focus()
    assert head.get_attribute("aria-sort") == "none"
    shown.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"  # more is better: the best comes first
    assert table.evaluate(COLUMN) == ["o200k", "cl100k", "gemma3"]
    shown.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "ascending"
    assert table.evaluate(COLUMN) == ["gemma3", "cl100k", "o200k"]
    table.locator("thead th").nth(0).get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") == "none"
    assert table.evaluate(COLUMN) == ["cl100k", "gemma3", "o200k"]


def test_what_is_not_defined_stays_at_the_end(opened: Any) -> None:
    report = by_hand(names=FEW)
    absent = ("tokens", "cl100k", "ja")
    values = [it for it in report.values if (it.metric, it.tokenizer, it.corpus) != absent]
    shown, _ = opened(page(msgspec.structs.replace(report, values=values)))
    table = shown.locator(".metric:has(#metric-tokens) table.sortable").first
    button = table.locator("thead th").nth(1).get_by_role("button")
    for _ in range(2):
        button.press("Enter")
        assert table.evaluate(COLUMN)[-1] == "cl100k"


def test_another_metric_is_chosen(opened: Any) -> None:
    shown, heard = opened(html_of("by hand"))
    draw_all(shown)
    choice = shown.get_by_label("Show").first
    place = shown.locator(".plot").first
    assert "Tokens in tokens" in place.get_attribute("aria-label")
    choice.select_option(label="Fertility")
    wait_until(shown, "document.querySelector('.plot').ariaLabel.startsWith('Fertility')")
    assert place.locator("svg").count() == 1
    assert heard == []


def test_what_a_screen_reader_needs(opened: Any) -> None:
    shown, _ = opened(html_of("by hand"))
    draw_all(shown)
    assert shown.locator("html").get_attribute("lang") == "en"
    assert shown.locator("h1").count() == 1
    assert shown.locator("th:not([scope])").count() == 0
    assert shown.locator("[role=group]:not([aria-label])").count() == 0
    assert shown.locator(".plot:not([role=img][aria-label])").count() == 0
    assert shown.locator('.split[lang="ja"]').count() == 3
    labels = [it.text_content() for it in shown.locator("label").all()]
    assert len(labels) == len(set(labels)) == 3
    assert (
        shown.get_by_role("list").filter(has_text="東京").first.get_by_role("listitem").count() > 9
    )


def test_a_link_opens_what_is_folded(opened: Any) -> None:
    many = by_hand(names=(*FEW, "continued_words", "retention"))
    shown, heard = opened(page(many))
    folded = shown.locator(".metric:has(#metric-zipf_slope)")
    assert folded.get_attribute("open") is None
    link = shown.locator('.overview + p a[href="#metric-zipf_slope"], a[href="#metric-zipf_slope"]')
    link.first.focus()
    shown.keyboard.press("Enter")
    assert folded.get_attribute("open") is not None
    assert (
        shown.evaluate("document.querySelector('#metric-zipf_slope').getBoundingClientRect().y")
        < 900
    )
    assert heard == []


def test_only_what_scrolls_is_a_stop_of_the_keyboard(opened: Any) -> None:
    right = """[...document.querySelectorAll('.wide')].filter(it => it.checkVisibility())
        .every(it => (it.scrollWidth > it.clientWidth) === (it.tabIndex === 0))"""
    stops = """[...document.querySelectorAll('.wide[tabindex]')]
        .filter(it => it.checkVisibility()).length"""
    for width in (1280, 360):
        shown, _ = opened(html_of("by hand"), viewport={"width": width, "height": 740})
        wait_until(shown, right)
        shown.evaluate(UNFOLD)
        wait_until(shown, right)
        assert (shown.evaluate(stops) > 0) == (width == 360)
    without, _ = opened(html_of("by hand"), java_script_enabled=False)
    assert without.locator(".wide:not([tabindex='0'])").count() == 0


def test_the_first_screen_has_the_answer(opened: Any) -> None:
    shown, _ = opened(html_of("by hand"), viewport={"width": 1280, "height": 800})
    bottom = shown.evaluate("document.querySelector('.answer').getBoundingClientRect().bottom")
    assert bottom < 800
    warned = shown.evaluate("document.querySelector('.warned').getBoundingClientRect().bottom")
    assert warned < 800
    widths = "[...document.querySelectorAll('.answer tbody th')].map(it => it.clientHeight)"
    assert max(shown.evaluate(widths)) < 45  # no name is broken where there is room


def test_without_scripts_all_numbers_are_there(opened: Any) -> None:
    shown, _ = opened(html_of("by hand"), java_script_enabled=False)
    assert shown.locator("button").count() == 0
    assert shown.get_by_text("Drawn by a script; the numbers are in the tables below.").count() == 3
    assert shown.locator(".metric:has(#metric-tokens) > div > .wide td").count() == 9
