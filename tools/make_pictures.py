"""Make the pictures of docs/serve.md: the page of `kugiri serve`, as it is.

Run it as `python -m tools.make_pictures` when the page changes, and look at what it made. It needs
the browser (`make browser`), and for the comparison the vocabularies of `make parity-data`, which
are no part of the project.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page, sync_playwright

import kugiri
from tests.serving import serving

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "images"
PARITY = ROOT / ".cache" / "parity"
MODELS = {
    "o200k_base": PARITY / "tiktoken" / "o200k_base.tiktoken",
    "cl100k_base": PARITY / "tiktoken" / "cl100k_base.tiktoken",
    "qwen3": PARITY / "npm" / "qwen3" / "tokenizer.json",
    "gemma3": PARITY / "npm" / "gemma3" / "tokenizer.json",
}
TOKYO = "東京の図書館で、トークナイザの仕組みを学んでみた。"


class Scene(NamedTuple):
    """A picture: what the page shows, and what of it is drawn."""

    name: str
    text: str = ""
    chosen: str = "sample BPE"
    locale: str = "en-US"
    dark: bool = False
    size: tuple[int, int] = (1088, 900)
    place: str = "text"
    part: str | None = None
    act: Callable[[Page], None] = lambda page: None


def way_three(page: Page) -> None:
    """The third best way is pointed at."""
    page.locator(".ways li").nth(2).hover()


def merge_nine(page: Page) -> None:
    """Nine merges are made, and a token is taken apart twice."""
    page.locator(".merges input[type=range]").first.fill("9")
    page.locator(".undo .chip").nth(1).click()
    page.locator(".undo .chip").nth(2).click()


def merge_three(page: Page) -> None:
    """The third merge of a training."""
    page.locator("input[type=range]").last.fill("3")


SAMPLE = [
    Scene("english", "The newest readers in the library counted 12,345 words, unbelievably.",
          size=(1280, 760)),
    Scene("japanese-dark", TOKYO, "sample Unigram", "ja-JP", True, (1280, 760)),
    Scene("phone", TOKYO, "sample Unigram", "ja-JP", size=(375, 800)),
    Scene("lattice", "東京の図書館で low", "sample Unigram", part=".lattice", act=way_three),
    Scene("merges-japanese", "東京の図書館で学ぶ", locale="ja-JP", part=".merges", act=merge_nine),
    Scene("chat-japanese-dark", locale="ja-JP", dark=True, place="chat", part="main"),
    Scene("training-dark", dark=True, place="training", part="main", act=merge_three),
]  # fmt: skip
COMPARISON = Scene(
    "comparison",
    "東京の図書館で、tokenizer の仕組みを学んでみた。髙橋さんは𠮟られた。",
    "o200k_base",
    size=(1200, 880),
)


def main() -> None:
    """Make all pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        with serving() as url:
            for scene in SAMPLE:
                take(browser, url, scene)
        models = {name: kugiri.load(path) for name, path in MODELS.items()}
        with serving(models) as url:
            take(browser, url, COMPARISON)
        browser.close()


def take(browser: Any, url: str, scene: Scene) -> None:
    """One picture."""
    width, height = scene.size
    page = browser.new_page(
        viewport={"width": width, "height": height},
        locale=scene.locale,
        color_scheme="dark" if scene.dark else "light",
        reduced_motion="reduce",
    )
    stored = json.dumps({"text": scene.text, "chosen": scene.chosen})
    if scene.text:
        page.add_init_script(f"sessionStorage['kugiri-state'] ??= {json.dumps(stored)}")
    page.goto(f"{url}/#{scene.place}")
    page.wait_for_load_state("networkidle")
    scene.act(page)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    path = PICTURES / f"serve-{scene.name}.png"
    if scene.part is None:
        page.screenshot(path=path)
    else:
        inner = page.locator(f".place.{scene.place} section", has=page.locator(scene.part))
        (page.locator("main") if scene.part == "main" else inner.last).screenshot(path=path)
    page.close()


if __name__ == "__main__":
    main()
