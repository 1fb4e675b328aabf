"""Pages in a headless Chromium: fixtures that open one, and what is asked of every page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HOW_TO_GET = "run `make browser`"

CONTRAST = """() => {
  const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const numbers = (c) => c.match(/[\\d.]+/g).map(Number);
  const light = (c) => numbers(c).slice(0, 3)
    .reduce((sum, it, at) => sum + [0.2126, 0.7152, 0.0722][at] * channel(it), 0);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if ((numbers(colour)[3] ?? 1) > 0) return colour;
    }
  };
  const weak = [];
  for (const e of document.querySelectorAll("main *")) {
    const own = [...e.childNodes].some((it) => it.nodeType === 3 && it.textContent.trim());
    if (!own || !e.offsetParent) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) weak.push(`${e.tagName}.${e.className} ${ratio.toFixed(2)}`);
  }
  return [...new Set(weak)];
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    names = ("chromium", "chromium-browser", "google-chrome")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason=f"playwright is absent: {HOW_TO_GET}"
    )
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip(f"there is no Chromium: {HOW_TO_GET}")
    as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=found, args=as_root)
        yield running
        running.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., tuple[Any, list[str]]]]:
    """Opens a page; what it complains of and what it asks for is written down."""
    contexts = []

    def open_(html: str, **options: Any) -> tuple[Any, list[str]]:
        path = tmp_path / "page.html"
        path.write_text(html, encoding="utf-8")
        contexts.append(context := browser.new_context(**options))
        page = context.new_page()
        heard: list[str] = []
        page.on("console", lambda message: heard.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: heard.append(f"error: {error}"))
        page.on("dialog", lambda dialog: heard.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: heard.append(f"request: {request.url}"))
        page.on("response", lambda response: heard.append(f"response: {response.url}"))
        page.goto(path.as_uri())
        assert heard[:2] == [f"request: {path.as_uri()}", f"response: {path.as_uri()}"]
        del heard[:2]
        return page, heard

    yield open_
    for context in contexts:
        context.close()
