"""Tokenizers that come to the page: the same twice, another of the same name, a pattern, a name."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest

from tests.served_samples import NAMES, PASTE, Open, expect, open_page
from tests.serving import serving

__all__ = ["open_page"]

DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
}"""


@pytest.fixture
def url() -> Iterator[str]:
    """A server of its own for each test."""
    with serving() as at:
        yield at


def words(*tokens: str) -> str:
    """A tokenizer.json that knows these words."""
    vocab = ", ".join(f'"{token}": {at}' for at, token in enumerate(["?", *tokens]))
    model = f'{{"type": "WordLevel", "vocab": {{{vocab}}}, "unk_token": "?"}}'
    return f'{{"version": "1.0", "model": {model}}}'


def names(page: Any) -> Any:
    return page.locator(".who .name")


def test_the_same_file_twice_is_one_lane(open_page: Open) -> None:
    page = open_page("low")
    page.evaluate(DROP, ["mine.json", words("low")])
    expect(names(page)).to_have_text([*NAMES, "mine"])
    page.evaluate(DROP, ["copy.json", words("low")])
    expect(page.get_by_role("alert")).to_have_text("copy.json is here already, as mine.")
    expect(names(page)).to_have_text([*NAMES, "mine"])
    page.get_by_role("button", name="Remove mine").click()
    page.evaluate(DROP, ["copy.json", words("low")])
    expect(names(page)).to_have_text([*NAMES, "mine"])


def test_another_file_of_the_same_name_is_told_apart(open_page: Open) -> None:
    page = open_page("low")
    page.evaluate(DROP, ["mine.json", words("low")])
    expect(names(page)).to_have_count(4)
    page.evaluate(DROP, ["mine.json", words("high")])
    expect(names(page)).to_have_text([*NAMES, "mine", "mine (2)"])
    expect(page.get_by_role("alert")).to_contain_text("this one is called mine (2)")
    page.wait_for_timeout(500)
    expect(page.get_by_role("alert")).to_contain_text("this one is called mine (2)")
    page.fill("#text", "lower")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_name_is_changed_by_double_click_or_f2(open_page: Open) -> None:
    page = open_page("low")
    names(page).first.dblclick()
    field = page.get_by_label("a new name")
    expect(field).to_have_value(NAMES[0])
    field.fill("mine")
    field.press("Enter")
    expect(names(page)).to_have_text(["mine", *NAMES[1:]])
    expect(page.locator(".who.chosen .name")).to_have_text("mine")
    expect(page.get_by_role("heading", name="How mine cuts this text")).to_be_visible()
    names(page).nth(1).press("F2")
    field.fill("gone")
    field.press("Escape")
    expect(names(page)).to_have_text(["mine", *NAMES[1:]])
    expect(names(page).nth(1)).to_be_focused()
    page.reload()
    expect(names(page)).to_have_text(["mine", *NAMES[1:]])


def test_ranks_are_asked_for_their_pattern(open_page: Open) -> None:
    page = open_page("23")
    ranks = [bytes([at]) for at in range(256)] + [b"23"]
    file = "".join(f"{b64encode(token).decode()} {at}\n" for at, token in enumerate(ranks))
    page.evaluate(DROP, ["my.tiktoken", file])
    expect(page.get_by_role("alert")).to_contain_text("my.tiktoken does not say how it splits")
    page.get_by_role("alert").get_by_role("button", name="gpt2").click()
    expect(names(page).last).to_have_text("my")
    expect(page.locator(".who").last).to_contain_text(re.compile("^my1 token"))
    expect(page.get_by_role("alert")).to_have_count(0)


def test_the_name_that_all_files_have_is_asked_for_another(open_page: Open) -> None:
    page = open_page("low")
    page.evaluate(DROP, ["tokenizer.json", words("low")])
    field = page.get_by_label("a new name")
    expect(field).to_be_focused()
    expect(field).to_have_value("tokenizer")
    field.fill("qwen3")
    field.press("Enter")
    expect(names(page)).to_have_text([*NAMES, "qwen3"])


def test_a_template_goes_to_the_file_that_came_last_and_what_it_lacks_is_said(
    open_page: Open,
) -> None:
    page = open_page("low")
    for name, word in (("one", "low"), ("two", "high")):
        page.evaluate(DROP, [f"{name}.json", words(word)])
        expect(names(page).last).to_have_text(name)
    page.evaluate(DROP, ["again.json", words("low")])
    expect(page.get_by_role("alert")).to_have_text("again.json is here already, as one.")
    page.evaluate(DROP, ["chat_template.jinja", "<|im_start|>{{ messages }}<|im_end|>"])
    expect(page.get_by_role("alert")).to_have_text(
        "“one” has the chat template of chat_template.jinja now. The template writes <|im_start|>, "
        "<|im_end|>, which are no special tokens of this tokenizer: is it of another model?"
    )


def test_a_question_outlives_what_is_dropped_with_it_and_has_the_focus(open_page: Open) -> None:
    page = open_page("23")
    file = "".join(f"{b64encode(bytes([at])).decode()} {at}\n" for at in range(256))
    page.evaluate(
        """(files) => {
        const data = new DataTransfer();
        for (const [name, text] of files) data.items.add(new File([text], name));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
        }""",
        [["my.tiktoken", file], ["x.png", "?"], ["good.json", words("low")], ["no.json", ""]],
    )
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("x.png” seems to be no file of a tokenizer")
    expect(alert).to_contain_text("no.json” is empty")
    expect(alert).to_contain_text("my.tiktoken does not say how it splits")
    expect(alert.locator(".patterns button").first).to_be_focused()
    expect(names(page)).to_have_text([*NAMES, "good"])


def test_a_text_that_is_not_kept_is_asked_about_before_it_is_lost(open_page: Open) -> None:
    page = open_page("low")
    page.evaluate(PASTE, "a" * 2_000_001)
    expect(page.locator(".held")).to_be_visible()
    leaves = """() => dispatchEvent(new Event("beforeunload", { cancelable: true }))"""
    assert page.evaluate(leaves) is False
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".held")).to_be_hidden()
    assert page.evaluate(leaves) is True
