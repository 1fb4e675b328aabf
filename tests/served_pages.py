"""The page of `kugiri serve` in a headless Chromium, and visits that must stay quiet."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import kugiri
from tests.browser import HOW_TO_GET
from tests.chats import CHATML, trained
from tests.explained import made, unigram
from tests.explained_examples import TOKYO, nfkc, scripts, sennrich
from tests.hearing import listen
from tests.serving import serving

AXE = "axe-playwright-python is absent"
PATIENCE = 8_000
"""Milliseconds."""
REFUSING = "{{ raise_exception('roles must take turns') }}"


def tokenizers() -> dict[str, kugiri.Tokenizer]:
    """One of each kind that is drawn."""
    return {
        "sennrich": sennrich(),
        "bytes": made(".kugiri.json"),
        "ranks": made(".tiktoken"),
        "scripts": scripts(),
        "tokyo": unigram(TOKYO),
        "nfkc": nfkc(),
        "wordpiece": made("vocab.txt"),
        "words": made(".kugiri.json, words"),
        "chat": trained(CHATML),
        "refusing": trained(REFUSING),
    }


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server with all of them."""
    with serving(tokenizers()) as at:
        yield at


@pytest.fixture(scope="module")
def axe() -> str:
    """The script of axe, which finds what a screen reader could not use."""
    found = pytest.importorskip("axe_playwright_python", reason=f"{AXE}: {HOW_TO_GET}")
    return Path(found.__file__).with_name("axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def visit(browser: Any, url: str) -> Iterator[Callable[..., Any]]:
    """Opens the page on a text and a tokenizer; nothing may fail or be asked of others."""
    contexts: list[Any] = []
    heard: list[str] = []

    def open_(
        tokenizer: str, text: str = "", *, place: str = "", locale: str = "en-US", **options: Any
    ) -> Any:
        contexts.append(context := browser.new_context(locale=locale, **options))
        stored = json.dumps({"text": text, "lanes": [tokenizer], "chosen": tokenizer})
        context.add_init_script(
            f"sessionStorage['kugiri-state'] ??= {json.dumps(stored)};"  # as after a reload
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        listen(page, url, heard)
        page.goto(f"{url}/#{place}")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert heard == []
