"""What the page says first and around its lanes: the answer in a sentence, and words that hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kugiri.web
from tests.served_samples import Open, open_page, url

__all__ = ["open_page", "url"]

STATIC = Path(kugiri.web.__file__).with_name("static")
TOKEN = "<|endoftext|>"


# ── messages ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(("locale", "words"), [
    ("en-US", f"Special tokens, as {TOKEN}, are signs"), ("ja-JP", f"{TOKEN}のような"),
])  # fmt: skip
def test_a_bar_is_a_bar_where_nothing_is_counted(open_page: Open, locale: str, words: str) -> None:
    title = open_page(locale=locale).locator(".check").first.get_attribute("title")
    assert title.startswith(words)


def test_one_or_many_is_chosen_by_a_number() -> None:
    sources = [it.read_text("utf-8") for it in STATIC.glob("*.js")]
    counted = {
        key
        for source in sources
        for key, words in re.findall(r'"?([\w.-]+)"?: "((?:[^"\\]|\\.)*)"', source)
        if "|" in re.sub(r"<\|.*?\|>", "", words)
    }
    assert {"unknown", "sample.count"} <= counted
    call = re.compile(r'\b(?:t|parts)\("([^"]+)"(.{,40})')
    asked = [it for source in sources for it in call.findall(source)]
    for key, values in asked:
        if key in counted:
            assert re.match(r",\s*(values|{[^}]*\bn\b)", values), (key, values)
