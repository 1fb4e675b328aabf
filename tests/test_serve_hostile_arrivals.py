"""What comes to the page and is not as it should be: line ends, encodings, sizes, folders."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kugiri.formats import write_content
from tests.asking import send
from tests.explained import made
from tests.served_samples import NAMES, PASTE, Open, expect, open_page
from tests.serving import serving

__all__ = ["open_page"]

DROP = """(files) => {
  const data = new DataTransfer();
  for (const [name, bytes] of files) data.items.add(new File([Uint8Array.from(bytes)], name));
  const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
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
    expect(page.locator(".counts")).to_contain_text("24,000 characters")


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


# ── what is not answered ──────────────────────────────────────────────────────────────────────
def counted(page: Any) -> list[str]:
    """What is counted on the page: in the lanes, the caption, and the sentence of the cost."""
    its: list[str] = page.locator(".counted, .counts span, .cost b").all_text_contents()
    return its


def test_a_tokenizer_that_was_forgotten_elsewhere_is_alone_in_it(open_page: Open, url: str) -> None:
    page = open_page("low")
    vocabulary = {"?": 0, "low": 1}
    model = {"type": "WordLevel", "vocab": vocabulary, "unk_token": "?"}
    drop(page, ("mine.json", json.dumps({"version": "1.0", "model": model}).encode()))
    expect(page.locator(".who .name")).to_have_text([*NAMES, "mine"])
    assert send(url, "DELETE", "/api/tokenizers?name=mine").status == 200
    page.fill("#text", "low low low low")
    expect(page.locator(".lane .note")).to_contain_text("“mine” is not there any more")
    expect(page.locator(".who .counted")).to_have_count(3)
    expect(page.locator(".counts")).to_contain_text("15 characters")
    page.get_by_role("button", name="Remove mine").click()
    expect(page.locator(".offered")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_what_is_refused_leaves_no_counts_of_another_text(open_page: Open) -> None:
    page = open_page("low lower")
    expect(page.locator(".cost b").first).to_contain_text("USD")
    page.evaluate(PASTE, "low " * (5 << 18))
    expect(page.get_by_role("alert")).to_contain_text("and 4,194,304 at most are counted")
    expect(page.locator(".cost b")).to_have_text(["–", "–"])
    assert counted(page) == ["–", "–"]
    expect(page.locator(".lane .note")).to_have_text(["–"] * 3)
    expect(page.locator(".tok")).to_have_count(0)
    expect(page.locator(".held")).to_contain_text("too long to write in here")
    expect(page.locator(".held")).not_to_contain_text("counted")
    page.get_by_role("button", name="Clear").click()
    page.fill("#text", "low")
    expect(page.locator(".who .counted")).to_have_count(3)
    expect(page.locator(".cost b").first).to_contain_text("USD")


# ── what was stored by others ─────────────────────────────────────────────────────────────────
NO_MESSAGES: list[Any] = [{"a": 1}, 5, [None], [{"role": 5}], [{"role": "user"}], "low"]
NO_TRAINING: list[Any] = [
    {}, 5, [], {"text": 1}, {"text": "low", "model": "bpe", "unit": "char"},
    {"text": "low", "model": "bpe", "unit": "word", "number": {"bpe": 2, "unigram": 8}},
    {"text": "low", "model": "bpe", "unit": "char", "number": {"bpe": "2", "unigram": 8}},
]  # fmt: skip


def stored(page: Any, name: str, value: Any) -> None:
    """Load the page anew over what somebody stored."""
    page.goto("about:blank")
    page.add_init_script(f"sessionStorage[{json.dumps(name)}] = {json.dumps(json.dumps(value))};")


def test_a_chat_that_is_none_is_not_taken(open_page: Open) -> None:
    for value in NO_MESSAGES:
        page = open_page()
        address = page.url
        stored(page, "kugiri-chat", value)
        page.goto(f"{address}#chat")
        expect(page.locator(".place.chat h1")).to_be_visible()
        drop(page, ("tokenizer_config.json", b'{"chat_template": "{{ messages }}"}'))
        expect(page.get_by_label("text of message 3")).to_be_visible()


def test_a_training_that_is_none_is_not_taken(open_page: Open) -> None:
    for value in NO_TRAINING:
        page = open_page()
        address = page.url
        stored(page, "kugiri-training", value)
        page.goto(f"{address}#training")
        expect(page.get_by_role("button", name="Use it on the text")).to_be_visible()


def test_lanes_that_come_twice_come_once(open_page: Open) -> None:
    page = open_page()
    address = page.url
    stored(page, "kugiri-state", {"lanes": [NAMES[0], NAMES[0], 5, None, NAMES[1]]})
    page.goto(address)
    expect(page.locator(".who .name")).to_have_text(NAMES[:2])
    expect(page.locator(".who .counted")).to_have_count(2)


# ── files that cannot be taken ────────────────────────────────────────────────────────────────
def test_a_file_that_cannot_be_taken_says_why(open_page: Open, tmp_path: Path) -> None:
    page = open_page("low")
    alert = page.get_by_role("alert")
    drop(page, ("a.txt", "東京の図書館".encode("shift_jis")))
    expect(alert).to_contain_text("a.txt is not text in UTF-8")
    page.evaluate("""() => { const data = new DataTransfer();
        data.items.add(new File([new Uint8Array((4 << 20) + 1)], "b.txt"));
        const event = new DragEvent("drop", { dataTransfer: data, bubbles: true });
        document.body.dispatchEvent(event); }""")
    expect(alert).to_contain_text("b.txt has 5 MB; at most 4 MB can be read")
    folder = tmp_path / "c.model"
    folder.mkdir()
    driver = page.context.new_cdp_session(page)
    files = {"items": [], "files": [str(folder)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        event = {"type": kind, "x": 400, "y": 300, "data": files}
        driver.send("Input.dispatchDragEvent", event)
    expect(alert).to_contain_text("c.model cannot be read: it is a folder")
    assert page.input_value("#text") == "low"


def test_a_template_alone_goes_to_the_tokenizer_that_is_chosen(open_page: Open) -> None:
    page = open_page("low")
    with page.expect_response("**/api/tokenizers/config*") as answer:
        drop(page, ("chat_template.jinja", b"{{ messages }}"))
    assert answer.value.json()["chat"] is True


MODEL = json.dumps({"version": "1.0", "model": {"type": "X"}}).encode()
PIECES = write_content(made(".model, unigram").spec, "sentencepiece")[".model"]
REFUSED = {
    "x.png": (
        b"\x89PNG\r\n\x1a\n\0",
        "seems to be no file of a tokenizer",
        "ファイルではないようです",
    ),
    "no.json": (b"", "is empty", "空のファイルです"),
    "bad.json": (MODEL[:-2], "cannot be read from byte", "壊れているか、途中で切れています"),
    "odd.json": (MODEL, "is of the type 'X'", "は、kugiriにはないものです"),
    "cut.model": (PIECES[:-3], "cannot be read from byte", "壊れているか、途中で切れています"),
}
CALLED = r"x\.png|\w*\.(json|model|tiktoken|txt)|model|kugiri|'X'"


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_what_is_wrong_with_files_is_said_in_the_language_of_the_page(
    open_page: Open, locale: str
) -> None:
    page = open_page("low", locale=locale)
    drop(page, *((name, data) for name, (data, *_) in REFUSED.items()))
    alert = page.get_by_role("alert")
    for name, (_, english, japanese) in REFUSED.items():
        expect(alert).to_contain_text(name)
        expect(alert).to_contain_text(japanese if locale == "ja-JP" else english)
    said = alert.text_content()
    assert ".." not in said
    assert "…" not in said
    if locale == "ja-JP":
        assert not re.search("[a-z]{2}", re.sub(CALLED, "", said))
