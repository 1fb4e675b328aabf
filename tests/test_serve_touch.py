"""Fingers and mice: how large what is clicked is, names that are changed, and notes that go."""

from __future__ import annotations

from typing import Any

import pytest

from tests.served_samples import NAMES, Open, expect, open_page, url

__all__ = ["open_page", "url"]

PHONE = {"viewport": {"width": 375, "height": 800}, "has_touch": True, "is_mobile": True}
SMALL = """([which, least]) => [...document.querySelectorAll(which)]
  .filter((it) => it.checkVisibility())
  .map((it) => [it, (it.matches("[type=radio], [type=checkbox]") ? it.closest("label") : it)
    .getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 0 && height > 0 && height < least)
  .map(([it]) => it.outerHTML)"""
MOUSE = "button, a, select, input, summary, textarea"
FINGER = "button:not(.chip, .bracket), a, select, summary, input:not(.blank)"


@pytest.mark.parametrize(
    ("place", "drawn"),
    [("Text", ".trees"), ("Chat", ".chat-text"), ("Training", ".trained .controls")],
)
@pytest.mark.parametrize(
    ("options", "which", "least"), [({}, MOUSE, 24), (PHONE, FINGER, 44)], ids=["mouse", "finger"]
)
def test_what_is_clicked_is_large_enough(
    open_page: Open, place: str, drawn: str, options: dict[str, Any], which: str, least: int
) -> None:
    page = open_page(**options)
    page.get_by_role("link", name=place, exact=True).click()
    page.wait_for_selector(drawn)
    assert page.evaluate(SMALL, [which, least]) == []


def test_a_phone_has_a_button_for_another_name(open_page: Open) -> None:
    page = open_page(**PHONE)
    page.locator(".who.chosen").get_by_role("button", name="Rename").tap()
    page.keyboard.type("mine")
    page.keyboard.press("Enter")
    expect(page.locator(".who .name")).to_have_text(["mine", *NAMES[1:]])
    page.locator(".who.chosen").get_by_role("button", name="Rename").tap()
    page.keyboard.type(NAMES[0])
    page.keyboard.press("Enter")
    expect(page.locator(".who .name")).to_have_text(NAMES)


def test_a_second_click_is_of_the_name_of_the_first(open_page: Open) -> None:
    page = open_page("low lower")
    name = page.get_by_role("button", name="sample WordPiece", exact=True)
    page.evaluate("""() => document.querySelector(".compared").addEventListener("click", () => {
      document.querySelector(".answer").style.paddingTop = "10rem"; // the rows are elsewhere now
    })""")
    box = name.bounding_box()
    page.mouse.dblclick(box["x"] + 5, box["y"] + 5)
    expect(page.locator(".who input")).to_have_value("sample WordPiece")


def test_a_note_goes_when_it_was_read(open_page: Open) -> None:
    page = open_page("low")
    note = page.locator(".noticed .note")
    for leave in (
        page.locator(".noticed").get_by_role("button", name="Close").click,
        page.get_by_role("link", name="Chat").click,
    ):
        page.locator("input[type=file]").first.set_input_files(
            {"name": "x.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\n"}
        )
        expect(note).to_contain_text("x.png")
        leave()
        expect(note).to_be_empty()
        expect(page.locator(".noticed")).to_be_hidden()


def test_of_eight_rows_one_can_still_be_forgotten(open_page: Open) -> None:
    page = open_page("low")
    for at in range(6):  # with the sample's, one more than there are rows
        name, data = f"vocab-{at}.txt", f"[UNK]\nlow\nx{at}\n".encode()
        page.locator("input[type=file]").first.set_input_files(
            {"name": name, "mimeType": "text/plain", "buffer": data}
        )
        expect(page.locator(".who .name").last).to_have_text(f"vocab-{at}")
    expect(page.locator(".who .name")).to_have_count(8)
    page.locator(".adding .offered .leave").first.click()
    expect(page.locator(".adding .offered")).to_have_count(0)
