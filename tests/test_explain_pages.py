"""The pages of explain in a headless Chromium: nothing is asked for, nothing fails, nothing runs
that a text brought along, and everybody can read them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from kugiri.explain.structure import Explanation
from kugiri.explain.training_structure import Training
from tests.browser import CONTRAST, HOW_TO_GET
from tests.explained import LINES, made
from tests.explained_examples import EXAMPLES, HOSTILE, TRAININGS

playwright = pytest.importorskip(
    "playwright.sync_api", reason=f"playwright is absent: {HOW_TO_GET}"
)
NAMES = [*EXAMPLES, *TRAININGS]


def of(name: str) -> Explanation | Training:
    return TRAININGS[name]() if name in TRAININGS else EXAMPLES[name].explained()


@cache
def html_of(name: str) -> str:
    return of(name).to_html()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_fails_and_nothing_is_asked_for(opened: Any, name: str) -> None:
    html = html_of(name)
    for scheme in ("light", "dark"):
        page, heard = opened(html, color_scheme=scheme)
        assert page.title().startswith("kugiri")
        assert page.evaluate(CONTRAST) == []
        assert heard == []


@pytest.mark.parametrize("name", NAMES)
def test_the_page_holds_its_data(opened: Any, name: str) -> None:
    page, _ = opened(html_of(name))
    data = json.loads(page.text_content("#data"))
    assert data == json.loads(of(name).to_json())


def test_hostile_text_is_text(opened: Any) -> None:
    page, heard = opened(EXAMPLES["hostile"].explained().to_html())
    assert page.locator("main script, main img, main iframe, main a").count() == 0
    assert page.locator("script").count() == 2
    shown = page.evaluate(
        "[...document.querySelectorAll('.hero bdi')].map(it => it.textContent).join('')"
    )
    assert shown == HOSTILE
    assert heard == []


def test_even_markup_that_got_in_could_not_run_or_ask(opened: Any) -> None:
    page, heard = opened(EXAMPLES["tokyo"].explained().to_html())
    page.evaluate("""() => {
        document.body.insertAdjacentHTML("beforeend", "<img src='http://localhost:9/x'"
            + " onerror='alert(1)'><iframe src='http://localhost:9/y'></iframe>");
        const script = document.createElement("script");
        script.textContent = "alert(2)";
        document.body.append(script);
    }""")
    page.wait_for_timeout(200)
    assert not [it for it in heard if it.startswith(("dialog", "response"))]
    assert len([it for it in heard if "Content Security Policy" in it]) >= 3


def test_the_slider(opened: Any) -> None:
    page, _ = opened(TRAININGS["training-sennrich"]().to_html())
    slider = page.locator("input[type=range]").first
    assert slider.get_attribute("aria-label") == "merges"
    assert page.locator(".slides > li:visible h3").all_text_contents() == ["Before the first merge"]
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".slides > li:visible h3").all_text_contents() == ["1. e + s → es"]
    assert page.locator("output").text_content() == "1 of 10"
    page.keyboard.press("End")
    assert page.locator(".slides > li:visible h3").all_text_contents() == ["10. w + i → wi"]
    page.get_by_role("button", name="one step back").click()
    assert page.locator("output").text_content() == "9 of 10"
    play = page.get_by_role("button", name="play")
    play.click()
    playwright.expect(page.locator("output")).to_have_text("10 of 10")
    assert play.text_content() == "play"


def test_without_scripts_all_steps_are_there(opened: Any) -> None:
    page, _ = opened(TRAININGS["training-sennrich"]().to_html(), java_script_enabled=False)
    assert page.locator(".slides > li:visible").count() == 11
    assert page.locator("button").count() == 0


def test_a_token_is_marked_everywhere(opened: Any) -> None:
    page, _ = opened(EXAMPLES["tokyo"].explained().to_html())
    page.locator(".token").nth(1).focus()
    assert page.locator(".linked").count() == 2
    assert page.locator("tr.linked td").nth(1).text_content() == "に"
    page.locator(".token").nth(0).hover()
    page.locator(".token").nth(1).blur()
    assert page.locator("tr.linked td").nth(1).text_content() == "東京都"


@pytest.mark.parametrize("name", NAMES)
def test_a_narrow_window_never_scrolls_sideways(opened: Any, name: str) -> None:
    page, _ = opened(html_of(name), viewport={"width": 340, "height": 700})
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 340


def test_a_token_of_many_bytes_fits_a_narrow_window(opened: Any) -> None:
    explained = made(".kugiri.json").explain(LINES[1])
    assert max(map(len, explained.tokens)) > 40
    page, _ = opened(explained.to_html(), viewport={"width": 340, "height": 700})
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 340


@pytest.mark.parametrize("width", [340, 1100])
def test_bars_are_as_long_as_what_they_stand_for(opened: Any, width: int) -> None:
    page, _ = opened(html_of("tokyo"), viewport={"width": width, "height": 700})
    bars = page.evaluate(
        "[...document.querySelectorAll('.bar')].map(it => it.getBoundingClientRect().width)"
    )
    assert bars[1] / bars[0] == pytest.approx(0.1594 / 0.7653, rel=0.05)
    begins = page.evaluate(
        "[...document.querySelectorAll('.wide table')].map(it => [...it.rows[1].cells].at(-1))"
        ".find(it => it.querySelector('.cut')).getBoundingClientRect().left"
    )
    assert begins < width


def test_numbers_stand_right(opened: Any) -> None:
    page, _ = opened(html_of("tokyo"))
    head = page.locator("th", has_text="log prob")
    assert head.evaluate("it => getComputedStyle(it).textAlign") == "right"


@pytest.mark.parametrize("name", NAMES)
def test_what_a_screen_reader_needs(opened: Any, name: str) -> None:
    page, _ = opened(html_of(name))
    assert page.locator("html").get_attribute("lang") == "en"
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert page.locator("th:not([scope])").count() == 0
    assert page.locator("[role=group]:not([aria-label])").count() == 0
    for role in ("button", "slider"):
        for control in page.get_by_role(role).all():
            assert control.get_attribute("aria-label") or control.text_content()


def test_japanese_is_drawn_as_japanese(opened: Any) -> None:
    page, _ = opened(EXAMPLES["tokyo"].explained().to_html())
    assert page.locator(".hero").get_attribute("lang") == "ja"
    page, _ = opened(made(".kugiri.json").explain("low").to_html())
    assert page.locator(".hero").get_attribute("lang") is None
