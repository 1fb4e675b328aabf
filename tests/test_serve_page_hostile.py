"""What may be written or brought to the page: text that would break out, a megabyte, files."""

from __future__ import annotations

import json
import re
import unicodedata
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.explained import made
from tests.served_samples import (
    HOSTILE,
    NAMES,
    PASTE,
    Open,
    Tokenizers,
    expect,
    lane,
    open_page,
    shown,
    texts,
    tokenizers,
    tokens_of,
    url,
    write,
)
from tests.serving import serving

__all__ = ["open_page", "tokenizers", "url"]


# ── what may be written ───────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("view", ["text", "bytes", "ids"])
def test_hostile_text_is_text(open_page: Open, view: str) -> None:
    page = open_page()
    page.get_by_role("radio", name=view).check()
    write(page, HOSTILE)
    page.wait_for_timeout(700)
    assert page.input_value("#text") == HOSTILE
    assert page.locator("main script, main img, main iframe").count() == 0
    lane(page, "sample BPE").nth(3).click()
    seen = page.locator(".system, .detail, .explanation").all_text_contents()
    labels = page.locator("[aria-label]").evaluate_all("its => its.map(it => it.ariaLabel)")
    unseen = {it for text in seen + labels for it in text
              if unicodedata.category(it) in ("Cf", "Cc", "Cs", "Zl", "Zp")}  # fmt: skip
    assert unseen == set()


BREAKING = "<u>u</u><img/src=x/onerror=alert(3)>"


def test_what_is_quoted_whole_is_text(open_page: Open) -> None:
    model = {"type": "WordLevel", "vocab": {"?": 0, BREAKING: 1}, "unk_token": "?"}
    page = open_page(BREAKING)
    page.evaluate(DROP, ["x.json", json.dumps({"version": "1.0", "model": model})])
    expect(lane(page, "x")).to_have_text([BREAKING])
    lane(page, "x").click()
    expect(page.locator(".detail")).to_contain_text(BREAKING)
    page.focus("#text")
    page.keyboard.press("Control+A")
    page.locator(".offer button").click()
    expect(page.locator(".why-head")).to_contain_text(BREAKING)
    assert page.locator("main u, main img").count() == 0
    page.evaluate(PASTE, BREAKING * 4_000)
    expect(page.locator(".held .beginning")).to_contain_text(BREAKING)
    assert page.locator("main u, main img").count() == 0
    page.get_by_role("button", name="Remove x").click()
    page.get_by_role("button", name="Forget x").click()


def test_half_a_character_is_no_mistake(open_page: Open) -> None:
    page = open_page()
    page.evaluate("""() => { const area = document.querySelector("#text");
        area.value = "a\\ud83c b\\udc00"; area.dispatchEvent(new Event("input")); }""")
    expect(page.locator(".counts")).to_contain_text("5 characters")
    expect(page.locator(".counts")).to_contain_text("Half characters")
    assert "a" in lane(page, "sample BPE").first.text_content()


def test_places_are_counted_in_characters(open_page: Open) -> None:
    page = open_page("🏯🏯🏯 low")
    lane(page, "sample BPE").last.click()
    expect(page.locator(".detail")).to_contain_text("characters 6–7")
    last = page.locator(".mirror span").last.text_content()
    assert last in " low"


REFERENCE = """() => new Promise((done) => setTimeout(() => {
  let sum = 0;
  for (let at = 0; at < 1e8; at += 1) sum += at % 7;
  done(sum);
}))"""
TIMELINE = "disabled-by-default-devtools.timeline"


def longest(browser: Any) -> int:
    """Microseconds of the processor that the longest task took since the tracing was begun."""
    events = json.loads(browser.stop_tracing())["traceEvents"]
    return max(it.get("tdur", 0) for it in events if it["name"] == "RunTask")


@pytest.mark.parametrize(
    ("name", "text"),
    [("prose", "東京の図書館でトークナイザを学ぶ。\n" * 58_000), ("one line", "a" * (1 << 20))],
)
def test_a_megabyte_is_pasted(open_page: Open, browser: Any, name: str, text: str) -> None:
    page = open_page()
    expect(page.locator(".stages section").first).to_be_visible()
    browser.start_tracing(page=page, categories=[TIMELINE])
    page.evaluate(REFERENCE)
    page.wait_for_timeout(500)  # its task ends, and is recorded, after its answer came
    reference = longest(browser)
    browser.start_tracing(page=page, categories=[TIMELINE])
    page.evaluate(PASTE, text)
    expect(page.locator(".counts")).to_contain_text(f"{len(text):,} characters", timeout=60_000)
    page.wait_for_timeout(1_000)
    found = longest(browser)
    print(f"1 MB of {name}: the longest task takes {found / 1e6:.2f} s of the processor, "
          f"a loop of 100 million steps {reference / 1e6:.2f} s")  # fmt: skip
    assert found < 5 * reference
    assert page.locator(".tok").count() < 10_000
    expect(page.locator(".held")).to_contain_text("too long to write in here")
    before = page.locator(".tok").count()
    page.locator(".windows").evaluate("it => it.scrollTo(0, it.scrollHeight)")
    expect(page.locator(".tok").nth(before + 10)).to_be_attached(timeout=60_000)
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#text")).to_be_visible()
    assert page.input_value("#text") == ""


def test_a_longer_text_scrolls_and_what_follows_is_reached(
    open_page: Open, tokenizers: Tokenizers
) -> None:
    text = "東京の図書館で学ぶ。The newest readers. " * 100
    page = open_page(text)
    box = page.locator(".windows.scrolls")
    wanted = [shown(it) for it in tokens_of(tokenizers["sample BPE"], text)]
    for _ in range(20):
        box.evaluate("it => it.scrollTo(0, it.scrollHeight)")
        page.wait_for_timeout(150)
        if lane(page, "sample BPE").count() == len(wanted):
            break
    assert texts(page, "sample BPE") == wanted
    page.locator("footer").scroll_into_view_if_needed()
    assert page.locator(".explanation").is_visible()


# ── tokenizers that come and go ───────────────────────────────────────────────────────────────
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  for (const kind of ["dragenter", "dragover", "drop"]) {
    const event = new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
  }
}"""


def test_a_tokenizer_is_dropped_on_the_page(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "mine.kugiri.json"
    mine = made(".kugiri.json")
    mine.save(path)
    page = open_page("東京の low")
    page.evaluate(DROP, ["<b>mine</b>\u202e.json", path.read_text("utf-8")])
    expect(page.locator(".who")).to_have_count(4)
    name = page.locator(".who .name").last.text_content()
    assert name == "b>"
    expect(lane(page, "sample Unigram").first).to_be_visible()
    rows = page.locator(".system").first.locator(".lane")
    expect(rows.last.locator(".tok")).to_have_count(len(mine.encode("東京の low")))
    page.locator(".who .leave").last.click()
    page.get_by_role("button", name=re.compile("^Forget")).click()
    expect(page.locator(".offered")).to_have_count(0)


def test_a_file_is_picked(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "picked.kugiri.json"
    made(".kugiri.json").save(path)
    page = open_page("low")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a tokenizer…").click()
    chooser.value.set_files(path)
    expect(page.locator(".who .name").last).to_have_text("picked")
    page.locator(".who .leave").last.click()
    page.get_by_role("button", name="Forget picked").click()


def test_what_is_no_tokenizer_says_so(open_page: Open) -> None:
    page = open_page("low")
    page.evaluate(DROP, ["x.json", '{"a": 1}'])
    note = page.get_by_role("alert")
    expect(note).not_to_have_text("Reading x.json…")
    expect(note).not_to_be_empty()
    expect(page.locator(".who")).to_have_count(3)


def test_a_text_file_becomes_the_text(open_page: Open) -> None:
    page = open_page("low")
    page.evaluate(DROP, ["read.md", "# lower"])
    expect(page.locator(".counts")).to_contain_text("7 characters")
    assert page.input_value("#text") == "# lower"


def test_a_lane_goes_and_comes_back(open_page: Open) -> None:
    page = open_page("low")
    page.get_by_role("button", name="Remove sample BPE").click()
    expect(page.locator(".who .name")).to_have_text(NAMES[1:])
    assert page.locator(".who.chosen").get_attribute("data-name") == "sample Unigram"
    page.get_by_role("button", name="Add sample BPE").click()
    expect(page.locator(".who .name")).to_have_text([*NAMES[1:], NAMES[0]])
    for name in NAMES:
        page.get_by_role("button", name=f"Remove {name}").click()
    expect(page.locator(".who")).to_have_count(0)
    expect(page.locator(".offered")).to_have_count(3)
    assert page.locator(".counts").text_content() == ""


def test_the_comparison_is_shared_as_a_file(open_page: Open) -> None:
    page = open_page("東京の<b>low</b>")
    with page.expect_download() as download:
        page.get_by_role("button", name="Share as one file").click()
    assert download.value.suggested_filename == f"kugiri-3-tokenizers-{date.today()}.html"
    html = Path(download.value.path()).read_text("utf-8")
    assert html.startswith("<!doctype html>")
    assert "<b>low</b>" not in html


def test_a_server_that_has_gone_is_named(browser: Any) -> None:
    page = browser.new_page()
    with serving() as url:
        page.goto(url)
        expect(page.locator(".who")).to_have_count(3)
    page.fill("#text", "nobody there")
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    page.close()
