"""Why is this not one token? What is offered when text is selected, and what the page answers."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest

from tests.served_samples import (
    NAMES,
    Open,
    Tokenizers,
    expect,
    open_page,
    tokenizers,
    url,
)

__all__ = ["open_page", "tokenizers", "url"]

SELECT = """([start, end]) => {
  document.querySelector("#text").focus();
  document.querySelector("#text").setSelectionRange(start, end);
}"""


def answer(page: Any) -> Any:
    return page.get_by_role("region", name="Why it is not one token")


def ask(page: Any, start: int, end: int, piece: str) -> None:
    page.evaluate(SELECT, [start, end])
    page.get_by_role("button", name=f"Why is {piece} not one token?").click()


# ── what is offered ───────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "start", "end", "offered"),
    [
        ("齟齬", 0, 1, "Why is 齟 not one token?"),  # three tokens of bytes
        ("unbelievably", 0, 2, "This is one token of sample BPE."),
        ("unbelievably", 0, 3, "Why is unb not one token?"),
        ("unbelievably", 2, 3, "This is one token of sample BPE."),
        ("unbelievably", 3, 3, ""),
        ("low " * 20, 0, 60, f"Why is {('low ' * 6)[:23]}… not one token?"),
        ("low " * 20, 0, 61, "Select 60 characters at most to see why they are not one token."),
    ],
)
def test_what_is_offered(open_page: Open, text: str, start: int, end: int, offered: str) -> None:
    page = open_page(text)
    page.evaluate(SELECT, [5, 9] if offered else [0, len(text)])  # so that it changes
    page.evaluate(SELECT, [start, end])
    if offered:
        expect(page.locator(".offer")).to_have_text(offered)
    else:
        expect(page.locator(".offer")).to_be_hidden()


def test_what_is_unknown_is_not_one_token(open_page: Open) -> None:
    page = open_page("low 鱻")
    page.get_by_role("button", name="sample WordPiece", exact=True).click()
    ask(page, 4, 5, "鱻")
    expect(answer(page).locator(".causes")).to_contain_text("not in the vocabulary")


def test_another_tokenizer_may_have_it_as_one(open_page: Open) -> None:
    page = open_page("the newest")
    page.evaluate(SELECT, [7, 10])
    expect(page.locator(".offer")).to_have_text("This is one token of sample BPE.")
    page.get_by_role("button", name="sample Unigram", exact=True).click()
    expect(page.locator(".offer")).to_have_text("Why is est not one token?")
    page.get_by_role("button", name="sample BPE", exact=True).click()
    expect(page.locator(".offer")).to_have_text("This is one token of sample BPE.")


# ── what is answered ──────────────────────────────────────────────────────────────────────────
def test_one_character_is_asked_about(open_page: Open) -> None:
    page = open_page("齟齬")
    ask(page, 0, 1, "齟")
    expect(answer(page).locator(".why-head")).to_contain_text("齟 (character 1) is not one token")
    tokens = answer(page).locator(".why-tokens .bytes").all_text_contents()
    assert tokens == ["e9", "bd", "9f"]


def test_special_tokens_are_read_as_they_are_in_the_lanes(open_page: Open) -> None:
    page = open_page("low</s>low")
    page.get_by_role("button", name="sample Unigram", exact=True).click()
    ask(page, 3, 7, "</s>")
    expect(answer(page)).to_contain_text("read as text unless special tokens are allowed")
    page.get_by_role("checkbox", name="treat <|…|> as special tokens").check()
    expect(answer(page)).to_contain_text("</s> (characters 4–7) is one token")
    page.get_by_role("checkbox", name="treat <|…|> as special tokens").uncheck()
    expect(answer(page)).to_contain_text("read as text unless special tokens are allowed")
    with page.expect_request("**/api/why") as asked:
        page.get_by_role("checkbox", name="add special tokens around").check()
    assert asked.value.post_data_json["add_special_tokens"] is True


FAR = "Line {}: the newest readers counted 東京 twice.\n"


def test_places_are_those_of_the_whole_text(open_page: Open, tokenizers: Tokenizers) -> None:
    text = "".join(FAR.format(at) for at in range(130))
    start = text.index("readers", 5_000)
    end = start + len("readers counted")
    [place] = tokenizers["sample BPE"].why(text, (start, end)).places
    [boundary] = [it for it in place.causes if it.kind == "boundary"]
    page = open_page(text)
    ask(page, start, end, "readers counted")
    head = answer(page).locator(".why-head")
    expect(head).to_contain_text(
        f"readers counted (characters {start + 1:,}–{end:,}) is not one token"
    )
    where = boundary.values["start"]
    assert start < where < end
    expect(answer(page).locator(".causes")).to_contain_text(f"(after character {where:,})")
    drawn = answer(page).locator(".why-tokens .cut > span").all_text_contents()
    assert drawn == place.tokens
    expect(answer(page)).not_to_contain_text("they become other tokens")


def test_tokens_that_are_others_in_the_whole_text_are_confessed(open_page: Open) -> None:
    page = open_page("low " + "鱻" * 5_000)  # one token, longer than what is explained
    page.get_by_role("button", name="sample WordPiece", exact=True).click()
    ask(page, 3_000, 3_002, "鱻鱻")
    head = answer(page).locator(".why-head")
    expect(head).to_contain_text("鱻鱻 (characters 3,001–3,002)", timeout=30_000)
    expect(answer(page)).to_contain_text("they become other tokens")


def test_selecting_text_asks_why(open_page: Open) -> None:
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


def test_why_is_of_the_tokenizer_and_the_text_that_are_shown(open_page: Open) -> None:
    page = open_page("unbelievably")
    page.evaluate("document.querySelector('#text').setSelectionRange(2, 7)")
    page.get_by_role("button", name="Why is belie not one token?").click()
    answer = page.get_by_role("region", name="Why it is not one token")
    for name in NAMES:
        with page.expect_response("**/api/why") if name != NAMES[0] else nullcontext():
            page.locator(".who .name", has_text=name).click()
        expect(answer).to_contain_text(f"By {name}:")
        expect(answer.locator(".why-head")).to_be_visible()
    page.fill("#text", "unbelievable")
    expect(answer).to_be_hidden()
    expect(page.locator("#text")).to_be_focused()


def test_an_answer_to_why_that_comes_late_is_dropped(open_page: Open) -> None:
    page = open_page("unbelievably")
    held: list[Any] = []
    page.route("**/api/why", lambda route: held.append(route))
    page.evaluate("document.querySelector('#text').setSelectionRange(2, 7)")
    page.get_by_role("button", name="Why is belie not one token?").click()
    answer = page.get_by_role("region", name="Why it is not one token")
    expect(answer).to_contain_text("Looking for the reasons…")
    page.fill("#text", "unbelievable")
    held[0].fulfill(json={})
    expect(answer).to_be_hidden()
