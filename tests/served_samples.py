"""The page of `kugiri serve` over the sample's tokenizers: how tests open it, write and look."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import kugiri
from kugiri.explain.glyphs import is_bytes
from kugiri.explain.readings import read
from kugiri.spec import is_byte_level
from tests.browser import HOW_TO_GET
from tests.hearing import listen
from tests.serving import serving

playwright = pytest.importorskip(
    "playwright.sync_api", reason=f"playwright is absent: {HOW_TO_GET}"
)
expect = playwright.expect

MIXED = "The 東京 café costs １２３ in total, 🏯 unbelievably."
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)> \u202eabc\u202c \0 \x1b[31m a\u200db "
    "\u3000 &amp; {{x}} \U000e0041 \ufeff שלום"
)
PASTE = """(text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const area = document.querySelector("#text");
  area.focus();
  area.select();
  area.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, cancelable: true }));
}"""
NAMES = ["sample BPE", "sample Unigram", "sample WordPiece"]
Tokenizers = dict[str, kugiri.Tokenizer]
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as at:
        yield at


@pytest.fixture(scope="module")
def tokenizers(url: str) -> Tokenizers:
    from kugiri.web.sample import samples  # which needs what serve needs

    return {name: tokenizer for name, tokenizer, _ in samples()}


@pytest.fixture
def open_page(browser: Any, url: str) -> Iterator[Open]:
    """Opens the page; what it complains of, and what is asked of others, fails the test."""
    contexts: list[Any] = []
    heard: list[str] = []

    def open_(
        text: str | None = None, *, place: str = "", locale: str = "en-US", **options: Any
    ) -> Any:
        contexts.append(context := browser.new_context(locale=locale, **options))
        page = context.new_page()
        listen(page, url, heard)
        page.goto(f"{url}/{place}")
        page.wait_for_selector("#text")
        if text is not None:
            write(page, text)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert heard == []


def write(page: Any, text: str) -> None:
    """Write a text and wait for its tokens."""
    with page.expect_response("**/api/tokens"):
        page.fill("#text", text)
    expect(page.locator(".counts")).to_contain_text(
        re.compile(rf"(^|\D){len(text):,} (character|文字)")
    )


def lane(page: Any, name: str) -> Any:
    return page.locator(f'.lane[data-lane="{name}"] .tok')


def texts(page: Any, name: str) -> list[str]:
    """The tokens as they are drawn, without the characters below bytes that are a part of them."""
    found: list[str] = lane(page, name).evaluate_all("""its => its.map((it) => {
      const copy = it.cloneNode(true);
      copy.querySelectorAll(".of").forEach((of) => of.remove());
      return copy.textContent;
    })""")
    return found


def tokens_of(tokenizer: kugiri.Tokenizer, text: str) -> list[str]:
    """The tokens as they are to be read; what is unknown as its text."""
    visible = is_byte_level(tokenizer.spec.pre_tokenizer)
    encoded = tokenizer.encode_with_offsets(text)
    return [
        text[start:end] if it == "[UNK]" else read(it, visible)
        for it, (start, end) in zip(encoded.tokens, encoded.covering_spans, strict=True)
    ]


def shown(token: str) -> str:
    """What an element with this token has for its text, where nothing in it is without ink."""
    return token[1:-1] if is_bytes(token) else token
