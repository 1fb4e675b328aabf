"""The page of `kugiri serve`, driven in Chromium: what is written is cut, compared and shown, by
mouse and by keyboard, on a phone, in both languages; nothing fails and nobody else is asked."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import kugiri
from kugiri.explain.glyphs import is_bytes
from kugiri.explain.readings import read
from kugiri.spec import is_byte_level
from tests.browser import CONTRAST, HOW_TO_GET
from tests.served_pages import axe
from tests.serving import serving

__all__ = ["axe"]

playwright = pytest.importorskip(
    "playwright.sync_api", reason=f"playwright is absent: {HOW_TO_GET}"
)
expect = playwright.expect

MIXED = "The 東京 café costs １２３ in total, 🏯 unbelievably."
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)> \u202eabc\u202c \0 \x1b[31m a\u200db "
    "\u3000 &amp; {{x}} \U000e0041 \ufeff שלום"
)
NAMES = ["sample BPE", "sample Unigram", "sample WordPiece"]
VISIT = Callable[..., Any]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as at:
        yield at


@pytest.fixture(scope="module")
def tokenizers(url: str) -> dict[str, kugiri.Tokenizer]:
    from kugiri.web.sample import samples

    return {name: tokenizer for name, tokenizer, _ in samples()}


@pytest.fixture
def open_page(browser: Any, url: str) -> Iterator[VISIT]:
    """Opens the page; what it complains of, and what is asked of others, fails the test."""
    contexts, heard = [], []

    def open_(
        text: str | None = None, *, place: str = "", locale: str = "en-US", **options: Any
    ) -> Any:
        contexts.append(context := browser.new_context(locale=locale, **options))
        page = context.new_page()
        page.on("console", lambda message: heard.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: heard.append(f"error: {error}"))
        page.on("dialog", lambda dialog: heard.append(f"dialog: {dialog.message}"))
        page.on("request", lambda it: it.url.startswith((url, "blob:")) or heard.append(it.url))
        page.goto(f"{url}/{place}")
        page.wait_for_selector("#text")
        if text is not None:
            write(page, text)
        return page

    yield open_
    for context in contexts:
        context.close()
    refused = "Failed to load resource: the server responded with a status of 4"
    assert [it for it in heard if refused not in it] == []


def write(page: Any, text: str) -> None:
    """Write a text and wait for its tokens."""
    with page.expect_response("**/api/tokens"):
        page.fill("#text", text)
    expect(page.locator(".counts")).to_contain_text(
        re.compile(rf"(^|\D){len(text):,} (character|文字)")
    )


def lane(page: Any, name: str) -> Any:
    return page.locator(f'.lane[data-lane="{name}"] .tok')


def tokens_of(tokenizer: kugiri.Tokenizer, text: str) -> list[str]:
    """The tokens as they are to be read."""
    visible = is_byte_level(tokenizer.spec)
    return [read(it, visible) for it in tokenizer.encode_with_offsets(text).tokens]


def shown(token: str) -> str:
    """What an element with this token has for its text, where nothing in it is without ink."""
    return token[1:-1] if is_bytes(token) else token


# ── the text and its lanes ────────────────────────────────────────────────────────────────────
def test_at_first_sight_there_is_an_example_in_its_tokens(open_page: VISIT) -> None:
    page = open_page()
    expect(page.locator(".who")).to_have_count(3)
    assert page.locator(".who .name").all_text_contents() == NAMES
    assert page.input_value("#text").startswith("The ")
    expect(page.locator(".mirror .stroke").first).to_be_attached()
    assert page.locator(".mirror").text_content().strip("\u200b") == page.input_value("#text")
    strokes = page.locator(".mirror .stroke").count()
    assert strokes == lane(page, "sample BPE").count() - 1
    expect(page.get_by_role("heading", name="How sample BPE came to this")).to_be_visible()


@pytest.mark.parametrize("text", ["low lower lowest", "東京の図書館 low", MIXED, "a\nb\n\nc", "🏯", " "])
def test_what_is_written_is_cut_as_the_library_cuts_it(
    open_page: VISIT, tokenizers: dict[str, kugiri.Tokenizer], text: str
) -> None:
    page = open_page(text)
    for name, tokenizer in tokenizers.items():
        found = [it.replace("LF", "\n") for it in lane(page, name).all_text_contents()]
        wanted = tokens_of(tokenizer, text)
        if name != "sample WordPiece" or "[UNK]" not in wanted:
            assert found == [shown(it) for it in wanted]
        count = page.locator(f'.who[data-name="{name}"] b').text_content()
        assert count == str(len(wanted))


def test_what_differs_is_marked_by_more_than_colour(
    open_page: VISIT, tokenizers: dict[str, kugiri.Tokenizer]
) -> None:
    text = "unbelievably 東京の図書館"
    page = open_page(text)
    spans = {name: it.encode_with_offsets(text).covering_spans for name, it in tokenizers.items()}
    common = set.intersection(*map(set, spans.values()))
    assert common
    for name, its in spans.items():
        marked = lane(page, name).evaluate_all("its => its.map(it => it.matches('.differs'))")
        assert marked == [span not in common for span in its]
    underlined = page.locator(".tok.differs > *").first
    assert "underline" in underlined.evaluate("it => getComputedStyle(it).textDecorationLine")
    page.locator(".who .leave").nth(2).click()
    expect(page.locator(".who")).to_have_count(2)
    page.locator(".who .leave").nth(1).click()
    expect(page.locator(".tok.differs")).to_have_count(0)
    expect(page.locator(".legend")).to_be_hidden()


def test_the_lanes_stand_over_the_same_stretch_of_the_text(open_page: VISIT) -> None:
    page = open_page("東京の図書館で学ぶ。The newest readers counted every word. " * 8)
    starts = page.locator(".system").evaluate_all(
        """its => its.map(system => [...system.querySelectorAll(".run")]
          .map(run => run.textContent.replaceAll(/[\\s▁#]/g, "")))"""
    )
    assert len(starts) > 3
    for system in starts:
        assert len(set(system)) == 1, system
    right = page.locator(".run").evaluate_all(
        "its => its.map(it => Math.max(...[...it.children].map(c => c.getBoundingClientRect().right))"
        " - it.getBoundingClientRect().right)"
    )
    assert max(right) <= 0
    heights = page.locator(".run").evaluate_all("its => its.map(it => it.clientHeight)")
    assert max(heights) < 1.5 * min(heights), "no line of a system wraps"


SYSTEMS = """async ([columns, room]) => {
  const { systemsOf, commonCuts } = await import("/static/systems.js");
  const drawn = columns.map((its) => its.map(([start, end]) => ({ start, end })));
  const settings = { widthOf: ({ start, end }) => end - start || 1, room, signs: [], first: 0 };
  return systemsOf(drawn, settings);
}"""


@pytest.mark.parametrize(
    ("columns", "room", "systems"),
    [
        ([[[0, 2], [2, 4]], [[0, 4]]], 9, [[[0, 2], [0, 1]]]),
        ([[[0, 2], [2, 4]], [[0, 1], [1, 2], [2, 4]]], 2, [[[0, 1], [0, 2]], [[1, 2], [2, 3]]]),
        # nothing is cut together: one system, however long
        ([[[0, 9]], [[0, 3], [3, 6], [6, 9]]], 2, [[[0, 1], [0, 3]]]),
        # parts of one character, what lies in no token, a token of another window
        ([[[0, 1], [0, 1], [1, 2]], [[0, 1], [1, 2]]], 1, [[[0, 2], [0, 1]], [[2, 3], [1, 2]]]),
        ([[[0, 2], [3, 5]], [[0, 2], [2, 5]]], 3, [[[0, 1], [0, 1]], [[1, 2], [1, 2]]]),
        ([[[0, 1], [1, 2], [2, 3]], [[0, 9]]], 1, [[[0, 3], [0, 1]]]),
        ([[], [[0, 1]]], 1, [[[0, 0], [0, 1]]]),
        ([[], [[5, 6], [6, 7]]], 9, [[[0, 0], [0, 2]]]),
        ([[], []], 1, []),
        ([], 1, []),
    ],
)
def test_systems(open_page: VISIT, columns: object, room: int, systems: object) -> None:
    assert open_page().evaluate(SYSTEMS, [columns, room]) == systems


CARRIED = """async ([cuts, before, after]) => {
  const { carried } = await import("/static/hero.js");
  return carried(cuts, before, after);
}"""


@pytest.mark.parametrize(
    ("cuts", "before", "after", "kept"),
    [
        ([2, 4], "abcdef", "abcdef", [2, 4]),
        ([2, 4], "abcdef", "abcdefg", [2, 4]),
        ([2, 4], "abcdef", "xabcdef", [3, 5]),
        ([2, 4], "abcdef", "abcxdef", [2, 5]),
        ([2, 4], "abcdef", "abf", [2]),
        ([2, 4], "abcdef", "", []),
        ([1, 2], "aaa", "aa", [1]),
    ],
)
def test_cuts_stay_where_nothing_changed(
    open_page: VISIT, cuts: object, before: str, after: str, kept: object
) -> None:
    assert open_page().evaluate(CARRIED, [cuts, before, after]) == kept


def test_the_newest_text_wins(open_page: VISIT) -> None:
    page = open_page()
    page.locator("#text").fill("")
    page.locator("#text").press_sequentially("the library", delay=15)
    expect(page.locator(".counts")).to_contain_text("11 characters")
    assert "".join(lane(page, "sample BPE").all_text_contents()) == "the library"


def test_an_empty_text_has_no_tokens(open_page: VISIT) -> None:
    page = open_page("low")
    page.fill("#text", "")
    expect(page.locator(".tok")).to_have_count(0)
    assert page.locator(".counts").text_content() == ""
    assert page.locator(".who b").all_text_contents() == ["0", "0", "0"]
    assert page.get_attribute("#text", "placeholder") == "Write something here"
    expect(page.locator(".explanation")).to_be_hidden()


def test_the_mirror_is_as_large_as_the_text(open_page: VISIT) -> None:
    page = open_page()
    for width in (375, 700, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for text in (MIXED * 2, "word " * 60, "一" * 70, "a" * 150, "x\n\ny\n", "سلام שלום " * 9):
            page.fill("#text", text)
            over = page.evaluate("document.querySelector('#text').scrollHeight"
                                 " - document.querySelector('.mirror').clientHeight")  # fmt: skip
            assert abs(over) <= 1, (width, text)


# ── views and details ─────────────────────────────────────────────────────────────────────────
def test_bytes_and_ids(open_page: VISIT, tokenizers: dict[str, kugiri.Tokenizer]) -> None:
    page = open_page(MIXED)
    bpe = tokenizers["sample BPE"]
    ids = bpe.encode(MIXED)
    with page.expect_response("**/api/tokens"):
        page.get_by_role("radio", name="ids").check()
    expect(lane(page, "sample BPE").first).to_have_text(str(ids[0]))
    assert lane(page, "sample BPE").all_text_contents() == [str(it) for it in ids]
    with page.expect_response("**/api/tokens"):
        page.get_by_role("radio", name="bytes").check()
    expect(lane(page, "sample BPE").first).to_have_text(bpe.token_bytes(ids[0]).hex(" "))
    found = lane(page, "sample BPE").all_text_contents()
    assert bytes.fromhex(" ".join(found)) == MIXED.encode()


def test_a_token_says_what_it_is(
    open_page: VISIT, tokenizers: dict[str, kugiri.Tokenizer]
) -> None:
    text = "東京の図書館 low"
    page = open_page(text)
    unigram = tokenizers["sample Unigram"]
    encoded = unigram.encode_with_offsets(text)
    lane(page, "sample Unigram").nth(1).click()
    said = page.locator(".detail").text_content()
    start, end = encoded.covering_spans[1]
    assert str(encoded.ids[1]) in said
    assert f"{start}–{end}" in said
    assert unigram.token_bytes(int(encoded.ids[1])).hex(" ") in said
    assert "log probability" in said
    assert page.locator(".tok.here").count() == 1
    over = lane(page, "sample BPE").evaluate_all(
        "its => its.flatMap((it, at) => it.matches('.linked') ? [at] : [])"
    )
    spans = tokenizers["sample BPE"].encode_with_offsets(text).covering_spans
    assert over == [at for at, (a, b) in enumerate(spans) if a < end and b > start]
    lane(page, "sample BPE").first.hover()
    assert "rank" in page.locator(".detail").text_content()


def test_a_part_of_a_character_says_of_which(open_page: VISIT) -> None:
    page = open_page("鱻")
    part = lane(page, "sample BPE").first
    assert re.fullmatch("[0-9a-f]{2}( [0-9a-f]{2})*", part.text_content())
    part.click()
    expect(page.locator(".detail")).to_contain_text("part of 鱻")


def test_selecting_text_asks_why(open_page: VISIT) -> None:
    page = open_page("unbelievably")
    page.evaluate("document.querySelector('#text').setSelectionRange(2, 7)")
    page.focus("#text")
    asking = page.get_by_role("button", name="Why is belie not one token?")
    asking.click()
    answer = page.get_by_role("region", name="Why it is not one token")
    expect(answer).to_be_focused()
    assert len(answer.text_content()) > 20
    page.keyboard.press("Escape")
    expect(answer).to_be_hidden()
    expect(page.locator("#text")).to_be_focused()


def test_what_it_costs(open_page: VISIT) -> None:
    page = open_page("low lower")
    count = int(page.locator('.who[data-name="sample BPE"] b').text_content())
    cost = page.locator(".cost")
    page.get_by_label("price in USD for a million tokens").fill("1000000")
    expect(cost).to_contain_text(f"costs {count} USD")
    page.get_by_label("tokens of the context").fill(str(2 * count))
    expect(cost).to_contain_text("fills 50 %")
    page.get_by_label("price in USD for a million tokens").fill("much")
    expect(cost).to_contain_text("A price is a number")
    assert "– at" in cost.text_content()


# ── keyboard, languages, themes ───────────────────────────────────────────────────────────────
def test_by_keyboard_alone(open_page: VISIT) -> None:
    page = open_page("the newest library")
    page.focus("#text")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.tok')"):
            break
    focused = "document.activeElement.dataset.at"
    assert page.evaluate(focused) == "0 0"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "0 1"
    assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    expect(page.locator(".detail")).to_contain_text("id")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused).startswith("1 ")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused).startswith("0 ")
    page.keyboard.press("End")
    last = lane(page, "sample BPE").count() - 1
    assert page.evaluate(focused) == f"0 {last}"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == f"0 {last}"
    assert page.locator('.lane [role=option][tabindex="0"]').count() == 3
    page.get_by_role("button", name="sample Unigram", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="How sample Unigram came to this")).to_be_visible()
    assert page.get_by_role("button", name="sample Unigram", exact=True).evaluate(
        "it => it === document.activeElement"
    )


def test_what_is_focused_can_be_seen(open_page: VISIT) -> None:
    page = open_page()
    expect(page.locator(".tok").first).to_be_visible()
    page.keyboard.press("Tab")
    seen = set()
    for _ in range(25):
        outline = page.evaluate("""() => { for (let e = document.activeElement; e; e = e.parentElement)
            if (getComputedStyle(e).outlineStyle !== "none"
                || getComputedStyle(e).boxShadow !== "none") return true; return false; }""")
        assert outline, page.evaluate("document.activeElement.outerHTML")
        seen.add(page.evaluate("document.activeElement.tagName"))
        page.keyboard.press("Tab")
    assert {"A", "BUTTON", "INPUT"} <= seen


def test_counts_are_said_once_they_rest(open_page: VISIT) -> None:
    page = open_page("low lower")
    said = page.locator("body > [role=status]")
    expect(said).to_contain_text(re.compile(r"sample BPE: \d tokens?\. sample Unigram"))


def test_languages(open_page: VISIT) -> None:
    page = open_page(locale="ja-JP")
    assert page.get_attribute("html", "lang") == "ja"
    assert page.input_value("#text").startswith("東京")
    assert page.locator(".hero").get_attribute("lang") == "ja"
    expect(page.locator(".counts")).to_contain_text("文字")
    write_ja = "私はEnglishを選ぶ"
    page.fill("#text", write_ja)
    page.get_by_role("button", name="English").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.input_value("#text") == write_ja
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page = open_page(locale="de-DE")
    assert page.get_attribute("html", "lang") == "en"


def test_both_languages_have_every_word(open_page: VISIT) -> None:
    keys = """async () => { const { keysOf } = await import("/static/messages.js");
        return ["en", "ja"].map((it) => keysOf(it)); }"""
    english, japanese = open_page().evaluate(keys)
    assert sorted(english) == sorted(japanese)


def test_themes(open_page: VISIT) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    page = open_page(color_scheme="dark")
    dark = page.evaluate(paper)
    page.get_by_role("button", name="Light").click()
    light = page.evaluate(paper)
    assert light != dark
    page.reload()
    expect(page.get_by_role("button", name="Dark")).to_be_visible()
    assert page.evaluate(paper) == light
    page.emulate_media(color_scheme="light")
    assert page.evaluate(paper) == light
    page = open_page(color_scheme="light")
    assert page.evaluate(paper) == light
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(paper) == dark, "with no choice it follows the system"


def test_a_reload_keeps_what_was_there(open_page: VISIT) -> None:
    page = open_page("keep\u3000this 🏯")
    page.locator(".who .leave").first.click()
    page.get_by_role("radio", name="ids").check()
    page.get_by_role("button", name="sample WordPiece", exact=True).click()
    page.reload()
    expect(page.locator(".counts")).to_contain_text("11 characters")
    assert page.input_value("#text") == "keep\u3000this 🏯"
    assert page.locator(".who .name").all_text_contents() == NAMES[1:]
    assert page.locator(".who.chosen").get_attribute("data-name") == "sample WordPiece"
    assert page.get_by_role("radio", name="ids").is_checked()


def test_what_is_stored_may_be_anything(open_page: VISIT) -> None:
    page = open_page()
    for stored in ("[", '{"lanes": ["gone"], "chosen": 5}', "null", '{"text": 5, "lanes": 7}'):
        page.evaluate("stored => addEventListener('pagehide', () => sessionStorage.kugiri = stored)",
                      stored)  # fmt: skip
        page.reload()
        expect(page.locator(".who")).to_have_count(3)


# ── what may be written ───────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("view", ["text", "bytes", "ids"])
def test_hostile_text_is_text(open_page: VISIT, view: str) -> None:
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


def test_half_a_character_is_no_mistake(open_page: VISIT) -> None:
    page = open_page()
    page.evaluate("""() => { const area = document.querySelector("#text");
        area.value = "a\\ud83c b\\udc00"; area.dispatchEvent(new Event("input")); }""")
    expect(page.locator(".counts")).to_contain_text("5 characters")
    expect(page.locator(".counts")).to_contain_text("Half characters")
    assert "a" in lane(page, "sample BPE").first.text_content()


def test_places_are_counted_in_characters(open_page: VISIT) -> None:
    page = open_page("🏯🏯🏯 low")
    lane(page, "sample BPE").last.click()
    expect(page.locator(".detail")).to_contain_text(re.compile("–7"))
    last = page.locator(".mirror span").last.text_content()
    assert last in " low"


PASTE = """(text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const area = document.querySelector("#text");
  area.focus();
  area.select();
  area.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, cancelable: true }));
}"""
OBSERVE = """() => { window.tasks = [0]; new PerformanceObserver((list) => {
  for (const it of list.getEntries()) tasks.push(it.duration); }).observe({ type: "longtask" }); }"""


@pytest.mark.parametrize(
    ("name", "text"),
    [("prose", "東京の図書館でトークナイザを学ぶ。\n" * 58_000), ("one line", "a" * (1 << 20))],
)
def test_a_megabyte_is_pasted(open_page: VISIT, name: str, text: str) -> None:
    page = open_page()
    expect(page.locator(".stages section").first).to_be_visible()
    page.evaluate(OBSERVE)
    page.evaluate(PASTE, text)
    expect(page.locator(".counts")).to_contain_text(f"{len(text):,} characters", timeout=60_000)
    page.wait_for_timeout(1_000)
    print(f"1 MB of {name}: the longest task has {max(page.evaluate('tasks')):.0f} ms")
    assert page.locator(".tok").count() < 10_000
    expect(page.locator(".held")).to_contain_text("too long to write in here")
    before = page.locator(".tok").count()
    page.locator(".windows").evaluate("it => it.scrollTo(0, it.scrollHeight)")
    expect(page.locator(".tok").nth(before + 10)).to_be_attached()
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#text")).to_be_visible()
    assert page.input_value("#text") == ""


def test_a_longer_text_scrolls_and_what_follows_is_reached(
    open_page: VISIT, tokenizers: dict[str, kugiri.Tokenizer]
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
    assert lane(page, "sample BPE").all_text_contents() == wanted
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


def test_a_tokenizer_is_dropped_on_the_page(
    open_page: VISIT, tokenizers: dict[str, kugiri.Tokenizer], tmp_path: Path
) -> None:
    path = tmp_path / "mine.kugiri.json"
    tokenizers["sample Unigram"].save(path)
    page = open_page("東京の low")
    page.evaluate(DROP, ["<b>mine</b>\u202e.json", path.read_text("utf-8")])
    expect(page.locator(".who")).to_have_count(4)
    name = page.locator(".who .name").last.text_content()
    assert name == "b>.json" or "mine" in name
    expect(lane(page, "sample Unigram").first).to_be_visible()
    own = page.locator(".system").first.locator(".lane").last.locator(".tok").all_text_contents()
    assert own == page.locator(".system").first.locator(".lane").nth(1).locator(
        ".tok"
    ).all_text_contents()
    page.locator(".who .leave").last.click()
    page.get_by_role("button", name=re.compile("^Forget")).click()
    expect(page.locator(".offered")).to_have_count(0)


def test_a_file_is_picked(
    open_page: VISIT, tokenizers: dict[str, kugiri.Tokenizer], tmp_path: Path
) -> None:
    path = tmp_path / "picked.kugiri.json"
    tokenizers["sample BPE"].save(path)
    page = open_page("low")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a tokenizer…").click()
    chooser.value.set_files(path)
    expect(page.locator(".who .name").last).to_have_text("picked.kugiri.json")
    page.locator(".who .leave").last.click()
    page.get_by_role("button", name="Forget picked.kugiri.json").click()


def test_what_is_no_tokenizer_says_so(open_page: VISIT) -> None:
    page = open_page("low")
    page.evaluate(DROP, ["x.json", '{"a": 1}'])
    note = page.get_by_role("alert")
    expect(note).not_to_have_text("Reading x.json…")
    expect(note).not_to_be_empty()
    expect(page.locator(".who")).to_have_count(3)


def test_a_text_file_becomes_the_text(open_page: VISIT) -> None:
    page = open_page("low")
    page.evaluate(DROP, ["read.md", "# lower"])
    expect(page.locator(".counts")).to_contain_text("7 characters")
    assert page.input_value("#text") == "# lower"


def test_a_lane_goes_and_comes_back(open_page: VISIT) -> None:
    page = open_page("low")
    page.get_by_role("button", name="Take sample BPE away").click()
    expect(page.locator(".who .name")).to_have_text(NAMES[1:])
    assert page.locator(".who.chosen").get_attribute("data-name") == "sample Unigram"
    page.get_by_role("button", name="Add sample BPE").click()
    expect(page.locator(".who .name")).to_have_text([*NAMES[1:], NAMES[0]])
    for name in NAMES:
        page.get_by_role("button", name=f"Take {name} away").click()
    expect(page.locator(".who")).to_have_count(0)
    expect(page.locator(".offered")).to_have_count(3)
    assert page.locator(".counts").text_content() == ""


def test_the_comparison_is_shared_as_a_file(open_page: VISIT) -> None:
    page = open_page("東京の<b>low</b>")
    with page.expect_download() as download:
        page.get_by_role("button", name="Share as one file").click()
    assert download.value.suggested_filename == "kugiri.html"
    html = Path(download.value.path()).read_text("utf-8")
    assert html.startswith("<!doctype html>")
    assert "<b>low</b>" not in html


def test_a_server_that_has_gone_is_named(browser: Any) -> None:
    page = browser.new_page()
    with serving() as url:
        page.goto(url)
        expect(page.locator(".who")).to_have_count(3)
    page.fill("#text", "nobody there")
    expect(page.get_by_role("alert")).to_contain_text("the server does not answer")
    page.close()


# ── for everybody ─────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("width", [340, 375])
def test_a_phone_never_scrolls_sideways(open_page: VISIT, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 700})
    for text in (MIXED, "a" * 300, "鱻" * 40, HOSTILE):
        write(page, text)
        lane(page, "sample BPE").last.click()
        page.wait_for_timeout(500)
        for view in ("text", "bytes", "ids"):
            page.get_by_role("radio", name=view).check()
            assert page.evaluate("document.scrollingElement.scrollWidth") <= width, (text, view)


def test_reduced_motion_moves_nothing(open_page: VISIT) -> None:
    page = open_page("low", reduced_motion="reduce")
    moving = page.evaluate("""[...document.querySelectorAll("*")].filter((it) =>
        getComputedStyle(it).transitionDuration !== "0s"
        || getComputedStyle(it).animationName !== "none").length""")
    assert moving == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_axe_finds_nothing(open_page: VISIT, axe: str, scheme: str, locale: str) -> None:
    page = open_page(MIXED, locale=locale, color_scheme=scheme) if locale == "en-US" else open_page(
        locale=locale, color_scheme=scheme)  # fmt: skip
    lane(page, "sample BPE").nth(2).click()
    expect(page.locator(".stages section").first).to_be_visible()
    page.wait_for_timeout(400)
    page.evaluate(axe)
    found = page.evaluate("axe.run()")["violations"]
    assert json.dumps([(it["id"], [n["html"][:200] for n in it["nodes"]][:3]) for it in found]) == "[]"
    assert page.evaluate(CONTRAST) == []
