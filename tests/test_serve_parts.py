"""Parts of characters, as the page draws them: bytes, and the characters that they are of."""

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

TOUCHED = """async ([text, symbols, start]) => {
  const { touched } = await import("/static/merges.js");
  return touched(text, symbols, start);
}"""


@pytest.mark.parametrize(
    ("text", "symbols", "start", "of"),
    [
        ("東", ["<e6 9d>", "<b1>"], 0, ["東", "東"]),
        ("a鱻b", ["▁a", "<0xE9>", "<0xB1>", "<0xBB>"], 0, [None, "鱻", "鱻", "鱻"]),
        ("a鱻b", ["<0xE9>", "<0xB1>", "<0xBB>"], 1, ["鱻", "鱻", "鱻"]),
        ("ああ", ["<e3 81>", "<82>"], 1, ["あ", "あ"]),
        ("いあ", ["<84 e3>", "<81 82>"], 1, ["いあ", "あ"]),
        ("a 東", ["<20 e6 9d>", "<b1>"], 2, [" 東", "東"]),
        ("é", ["e", "<cc>", "<81>"], 0, [None, None, None]),  # it was rewritten
        ("low", ["lo", "w", "_"], 0, [None, None, None]),
        ("", [], 0, []),
    ],
)
def test_bytes_say_of_which_characters(
    visit: Any, text: str, symbols: list[str], start: int, of: list[str | None]
) -> None:
    assert visit("words", "low").evaluate(TOUCHED, [text, symbols, start]) == of


def test_bytes_are_drawn_the_same_way_everywhere(visit: Any) -> None:
    page = visit("ranks", "京京")
    page.wait_for_selector(".trees .tree")
    drawn = ["e4京", "ba京", "ac京"] * 2
    assert page.locator(".lane .parted").all_text_contents() == drawn
    assert page.locator(".tree .parted").all_text_contents() == drawn
    page.locator("#text").press("Control+A")
    page.get_by_role("button", name="Why is 京京 not one token?").click()
    page.wait_for_selector(".why-tokens")
    assert page.locator(".why-tokens .parted").all_text_contents() == drawn


def test_a_byte_of_sentencepiece_is_a_byte(visit: Any) -> None:
    said = visit("words", "low").evaluate(
        """async () => {
          const { symbol, visible } = await import("/static/glyphs.js");
          return [symbol("<0xE9>", "é").textContent, visible("<0xE9>"), visible("<0xe9>")];
        }"""
    )
    assert said == ["e9é", "<e9>", "<0xe9>"]


def test_a_training_on_bytes_says_of_which_characters(visit: Any) -> None:
    page = visit("words", place="training")
    page.get_by_label("the text to learn from").fill("東京 東京 東京")
    page.get_by_role("radio", name="bytes").check()
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator(".words .row .parted").first).to_have_text("e6東")
