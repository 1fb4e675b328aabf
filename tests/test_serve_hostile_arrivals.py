"""What comes to the page and is not as it should be: line ends, encodings, sizes, folders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.served_samples import NAMES, Open, expect, open_page
from tests.serving import serving

__all__ = ["open_page"]

DROP = """(files) => {
  const data = new DataTransfer();
  for (const [name, bytes] of files) data.items.add(new File([Uint8Array.from(bytes)], name));
  const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
}"""
PASTE = """(text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData: data, cancelable: true });
  document.querySelector("#text").dispatchEvent(event);
}"""


@pytest.fixture
def url() -> Iterator[str]:
    """A server of its own for each test."""
    with serving() as at:
        yield at


def drop(page: Any, *files: tuple[str, bytes]) -> None:
    """Drop files on the page."""
    page.evaluate(DROP, [[name, list(data)] for name, data in files])


# ── line ends ─────────────────────────────────────────────────────────────────────────────────
def test_line_ends_of_a_file_are_those_that_one_can_write(open_page: Open) -> None:
    page = open_page("low")
    drop(page, ("a.txt", b"one\r\ntwo\rthree unbelievable\n"))
    expect(page.locator(".counts")).to_contain_text("27 characters")
    assert page.input_value("#text") == "one\ntwo\nthree unbelievable\n"
    page.evaluate("""() => { const area = document.querySelector("#text");
        area.focus(); area.setSelectionRange(14, 26); }""")
    expect(page.locator(".offer")).to_contain_text("unbelievable")


def test_line_ends_of_a_long_paste_are_those_that_one_can_write(open_page: Open) -> None:
    page = open_page("low")
    page.evaluate(PASTE, "low\r\n" * 6_000)
    expect(page.locator(".counts")).to_contain_text("24,003 characters")


# ── trainings ─────────────────────────────────────────────────────────────────────────────────
def test_what_is_looked_at_takes_no_place_and_what_makes_room_is_named(open_page: Open) -> None:
    page = open_page("low")
    use = page.get_by_role("button", name="Use it on the text")
    for _ in range(4):
        page.goto(f"{page.url.partition('#')[0]}#training")
        page.get_by_role("button", name="Train", exact=True).click()
        use.dblclick()
        expect(page.locator(".place.text")).to_be_visible()
    trained = ["trained BPE", *(f"trained BPE ({n})" for n in (2, 3, 4))]
    expect(page.locator(".who .name")).to_have_text([*NAMES, *trained])
    page.goto(f"{page.url.partition('#')[0]}#training")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(use).to_be_visible()
    expect(page.locator(".who .name")).to_have_text([*NAMES, *trained])
    use.click()
    expect(page.locator(".who .name")).to_have_text([*NAMES, *trained[1:], "trained BPE (5)"])
    expect(page.get_by_role("alert")).to_contain_text("“trained BPE” made room for")
