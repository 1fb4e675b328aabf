"""The page for everybody: by keyboard, in both languages and themes, on a phone, read aloud."""

from __future__ import annotations

import re

import pytest

from tests.browser import CONTRAST
from tests.served_pages import axe
from tests.served_samples import (
    HOSTILE,
    MIXED,
    NAMES,
    Open,
    expect,
    lane,
    open_page,
    tokenizers,
    url,
    write,
)

__all__ = ["axe", "open_page", "tokenizers", "url"]


# ── keyboard, languages, themes ───────────────────────────────────────────────────────────────
def test_by_keyboard_alone(open_page: Open) -> None:
    page = open_page("the newest library")
    page.focus("#text")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.tok')"):
            break
    focused = "document.activeElement.dataset.at"
    assert page.evaluate(focused) == "0 0"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "0 1"
    assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    expect(page.locator(".detail")).to_contain_text("id")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused).startswith("1 ")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused).startswith("0 ")
    page.keyboard.press("End")
    last = lane(page, "sample BPE").count() - 1
    assert page.evaluate(focused) == f"0 {last}"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == f"0 {last}"
    assert page.locator('.lane [role=option][tabindex="0"]').count() == 3
    page.get_by_role("button", name="sample Unigram", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="How sample Unigram cuts this text")).to_be_visible()
    assert page.get_by_role("button", name="sample Unigram", exact=True).evaluate(
        "it => it === document.activeElement"
    )


def test_what_is_focused_can_be_seen(open_page: Open) -> None:
    page = open_page()
    expect(page.locator(".tok").first).to_be_visible()
    page.keyboard.press("Tab")
    seen = set()
    for _ in range(25):
        outline = page.evaluate("""() => {
          for (let it = document.activeElement; it; it = it.parentElement) {
            const { outlineStyle, boxShadow } = getComputedStyle(it);
            if (outlineStyle !== "none" || boxShadow !== "none") return true;
          }
          return false; }""")
        assert outline, page.evaluate("document.activeElement.outerHTML")
        seen.add(page.evaluate("document.activeElement.tagName"))
        page.keyboard.press("Tab")
    assert {"A", "BUTTON", "INPUT"} <= seen


def test_counts_are_said_once_they_rest(open_page: Open) -> None:
    page = open_page("low lower")
    said = page.locator("body > [role=status]")
    expect(said).to_contain_text(re.compile(r"sample BPE: \d tokens?\. sample Unigram"))


def test_languages(open_page: Open) -> None:
    page = open_page(locale="ja-JP")
    assert page.get_attribute("html", "lang") == "ja"
    assert page.input_value("#text").startswith("東京")
    assert page.locator(".hero").get_attribute("lang") == "ja"
    expect(page.locator(".counts")).to_contain_text("文字")
    write_ja = "私はEnglishを選ぶ"
    page.fill("#text", write_ja)
    page.get_by_role("button", name="English").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.input_value("#text") == write_ja
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page = open_page(locale="de-DE")
    assert page.get_attribute("html", "lang") == "en"


def test_themes(open_page: Open) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    page = open_page(color_scheme="dark")
    dark = page.evaluate(paper)
    page.get_by_role("button", name="Light").click()
    light = page.evaluate(paper)
    assert light != dark
    page.reload()
    expect(page.get_by_role("button", name="Dark")).to_be_visible()
    assert page.evaluate(paper) == light
    page.emulate_media(color_scheme="light")
    assert page.evaluate(paper) == light
    page = open_page(color_scheme="light")
    assert page.evaluate(paper) == light
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(paper) == dark, "with no choice it follows the system"


def test_a_reload_keeps_what_was_there(open_page: Open) -> None:
    page = open_page("keep\u3000this 🏯")
    page.locator(".who .leave").first.click()
    page.get_by_role("radio", name="ids").check()
    page.get_by_role("button", name="sample WordPiece", exact=True).click()
    page.reload()
    expect(page.locator(".counts")).to_contain_text("11 characters")
    assert page.input_value("#text") == "keep\u3000this 🏯"
    assert page.locator(".who .name").all_text_contents() == NAMES[1:]
    assert page.locator(".who.chosen").get_attribute("data-name") == "sample WordPiece"
    assert page.get_by_role("radio", name="ids").is_checked()


def test_what_is_stored_may_be_anything(open_page: Open) -> None:
    page = open_page()
    for stored in ("[", '{"lanes": ["gone"], "chosen": 5}', "null", '{"text": 5, "lanes": 7}'):
        page.evaluate(
            "its => addEventListener('pagehide', () => sessionStorage['kugiri-state'] = its)",
            stored,
        )
        page.reload()
        expect(page.locator(".who")).to_have_count(3)


# ── for everybody ─────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("width", [340, 375])
def test_a_phone_never_scrolls_sideways(open_page: Open, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 700})
    for text in (MIXED, "a" * 300, "鱻" * 40, HOSTILE):
        write(page, text)
        lane(page, "sample BPE").last.click()
        page.wait_for_timeout(500)
        for view in ("text", "bytes", "ids"):
            page.get_by_role("radio", name=view).check()
            assert page.evaluate("document.scrollingElement.scrollWidth") <= width, (text, view)


def test_reduced_motion_moves_nothing(open_page: Open) -> None:
    page = open_page("low", reduced_motion="reduce")
    moving = page.evaluate("""[...document.querySelectorAll("*")].filter((it) =>
        getComputedStyle(it).transitionDuration !== "0s"
        || getComputedStyle(it).animationName !== "none").length""")
    assert moving == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_axe_finds_nothing(open_page: Open, axe: str, scheme: str, locale: str) -> None:
    page = open_page(MIXED, locale=locale, color_scheme=scheme) if locale == "en-US" else open_page(
        locale=locale, color_scheme=scheme)  # fmt: skip
    lane(page, "sample BPE").nth(2).click()
    expect(page.locator(".stages section").first).to_be_visible()
    page.wait_for_timeout(400)
    page.evaluate(axe)
    found = page.evaluate("axe.run()")["violations"]
    assert [(it["id"], [node["html"][:200] for node in it["nodes"]][:3]) for it in found] == []
    assert page.evaluate(CONTRAST) == []


def test_the_panel_of_a_phone_cuts_no_line_through(open_page: Open) -> None:
    page = open_page("unbelievably 東京の図書館", viewport={"width": 375, "height": 700})
    for number in range(lane(page, "sample WordPiece").count()):
        lane(page, "sample WordPiece").nth(number).click()
        over = page.locator(".detail .others").evaluate("it => it.scrollHeight - it.clientHeight")
        assert over <= 0, number
