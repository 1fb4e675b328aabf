"""Tokenizers that come to the page: the same twice, another of the same name, a pattern, a name."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest

from tests.served_samples import NAMES, Open, expect, open_page
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
    page.evaluate(DROP, ["tokenizer.json", words("low")])
    expect(names(page)).to_have_text([*NAMES, "tokenizer.json"])
    page.evaluate(DROP, ["copy.json", words("low")])
    expect(page.get_by_role("alert")).to_have_text("copy.json is here already, as tokenizer.json.")
    expect(names(page)).to_have_text([*NAMES, "tokenizer.json"])
    page.get_by_role("button", name="Remove tokenizer.json").click()
    page.evaluate(DROP, ["copy.json", words("low")])
    expect(names(page)).to_have_text([*NAMES, "tokenizer.json"])


def test_another_file_of_the_same_name_is_told_apart(open_page: Open) -> None:
    page = open_page("low")
    page.evaluate(DROP, ["tokenizer.json", words("low")])
    expect(names(page)).to_have_count(4)
    page.evaluate(DROP, ["tokenizer.json", words("high")])
    expect(names(page)).to_have_text([*NAMES, "tokenizer.json", "tokenizer.json (2)"])
    expect(page.get_by_role("alert")).to_contain_text("this one is called tokenizer.json (2)")
    page.wait_for_timeout(500)
    expect(page.get_by_role("alert")).to_contain_text("this one is called tokenizer.json (2)")
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
    expect(names(page).last).to_have_text("my.tiktoken")
    expect(page.locator(".who").last).to_contain_text(re.compile("^my.tiktoken1 token"))
    expect(page.get_by_role("alert")).to_have_count(0)
