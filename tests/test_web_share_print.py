"""The page that is shared, on paper and on a phone: nothing is cut off, no name is broken."""

from __future__ import annotations

from typing import Any

import pytest

import kugiri
from kugiri.web.requests import Share
from kugiri.web.share import share
from kugiri.web.store import Store
from tests.explained import made
from tests.test_web_share import address, shared

__all__ = ["address"]

NAMES = ["o200k_base", "cl100k_base", "llama3", "gemma3"]
WIDE = "it => [it.scrollWidth, it.clientWidth]"
LINES = """its => its.map((it) => {
  const range = document.createRange();
  range.selectNodeContents(it);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
})"""


def page_of(language: str) -> str:
    tokenizers: list[kugiri.Tokenizer] = [made(".kugiri.json"), made("vocab.txt")] * 2
    store = Store([(name, it, "given") for name, it in zip(NAMES, tokenizers, strict=True)], {})
    return share(store, Share(text="low 東京 鱻", tokenizers=NAMES, language=language))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("width", [700, 718, 794, 1100])
def test_paper_has_all_columns(opened: Any, language: str, width: int) -> None:
    page, _ = opened(page_of(language), viewport={"width": width, "height": 900})
    page.emulate_media(media="print")
    whole, seen = page.locator(".numbers .wide").evaluate(WIDE)
    assert whole <= seen
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("media", ["screen", "print"])
@pytest.mark.parametrize("width", [375, 718, 1100])
def test_no_name_is_broken(opened: Any, language: str, media: str, width: int) -> None:
    page, _ = opened(page_of(language), viewport={"width": width, "height": 900})
    page.emulate_media(media=media)
    assert page.locator(".numbers td:first-child bdi").evaluate_all(LINES) == [1, 1, 1, 1]


def test_steps_are_folded_away_and_printed_where_they_are_open(opened: Any, address: str) -> None:
    page, _ = opened(shared(address, "lowest", tokenizers=["low"], explain="low"))
    steps = page.locator("details section").first
    title = page.get_by_role("heading", name="How low cuts this text")
    shown = {}
    for is_open in (False, True):
        for media in ("print", "screen"):
            page.emulate_media(media=media)
            shown[is_open, media] = (title.is_visible(), steps.is_visible())
        title.click()
    assert shown == {
        (False, "screen"): (True, False), (False, "print"): (False, False),
        (True, "screen"): (True, True), (True, "print"): (True, True),
    }  # fmt: skip
