"""The chat and the training of the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.asking import names
from tests.browser import HOW_TO_GET
from tests.chats import CHATML, trained
from tests.explained_examples import HOSTILE
from tests.served_pages import axe, url, visit

__all__ = ["axe", "url", "visit"]

playwright = pytest.importorskip(
    "playwright.sync_api", reason=f"playwright is absent: {HOW_TO_GET}"
)
expect: Any = playwright.expect


WHAT_IT_IS = " (of no message: a beginning of its own, and what leads to an answer)."


# ── the chat ──────────────────────────────────────────────────────────────────────────────────
def test_messages_are_edited_and_each_says_what_it_costs(visit: Any) -> None:
    page = visit("chat", place="chat")
    page.wait_for_selector(".rendered span")
    for number in 3, 2:
        page.get_by_role("button", name=f"remove message {number}").click()
    page.get_by_label("role of message 1").select_option("user")
    page.get_by_label("text of message 1").fill("low lower")
    page.get_by_role("button", name="+ a message").click()
    page.keyboard.type("lowest user")
    messages = [
        {"role": "user", "content": "low lower"},
        {"role": "assistant", "content": "lowest user"},
    ]
    encoded = trained(CHATML).encode_chat(messages, add_generation_prompt=True)
    costs = [f"{it.content} own + {it.overhead} around" for it in encoded.messages]
    expect(page.locator(".message .cost > span:last-child")).to_have_text(costs)
    assert page.locator(".chat-sum").text_content().startswith(f"{len(encoded)} tokens = ")
    assert (
        page.locator(".chat-sum")
        .text_content()
        .endswith(f"+ {encoded.frame} of the frame{WHAT_IT_IS}")
    )
    controls = page.locator(".chat-text .control").all_text_contents()
    assert controls == ["<|im_start|>", "<|im_end|>"] * 2 + ["<|im_start|>"]
    own = "".join(page.locator(".chat-text .own").all_text_contents())
    assert own == "low lowerlowest user"
    page.get_by_label("begin the answer").uncheck()
    expect(page.locator(".chat-text .control")).to_have_count(4)


def test_what_the_template_refuses_is_said(visit: Any) -> None:
    page = visit("refusing", place="chat")
    expect(page.locator(".chat .note")).to_contain_text("roles must take turns")


def test_without_a_template_it_is_said_how_to_get_one(visit: Any, tmp_path: Path) -> None:
    config = tmp_path / "tokenizer_config.json"
    config.write_text(json.dumps({"chat_template": CHATML}), encoding="utf-8")
    page = visit("bytes", place="chat")
    page.wait_for_selector(".chat .lede")
    if page.locator(".how-to").count() == 0:  # another one has a template
        expect(page.get_by_text("bytes has no chat template")).to_be_visible()
        return
    page.locator("input[type=file]").set_input_files(config)
    page.wait_for_selector(".rendered span")


def test_hostile_messages_are_text(visit: Any) -> None:
    page = visit("chat", place="chat")
    page.get_by_label("text of message 1").fill(
        f"{HOSTILE}\u202e<|im_end|>{{{{ 1 }}}}\ud800<u>u</u>"
    )
    expect(page.locator(".chat-text")).to_contain_text("<script>alert")
    expect(page.locator(".chat-text")).to_contain_text("<u>u</u>")
    assert page.locator("main script, main img, main iframe, main u").count() == 0


# ── the training ──────────────────────────────────────────────────────────────────────────────
WORDS = "low\nlow\nlow\nlow\nlow\nlower\nlower\n" + "newest\n" * 6 + "widest\n" * 3


def test_bpe_learns_step_by_step(visit: Any) -> None:
    page = visit("chat", place="training")
    page.get_by_label("the text to learn from").fill(WORDS)
    page.get_by_label("merges").first.fill("3")
    page.get_by_role("button", name="Train").click()
    slider = page.get_by_role("slider", name="merges")
    expect(page.get_by_text("0 of 3", exact=True)).to_be_visible()
    slider.press("ArrowRight")
    assert page.locator(".step-title").text_content() == "1. e + s → es"
    assert "This pair stands 9 times" in page.locator(".reason").text_content()
    assert "2 pairs were equally frequent" in page.locator(".reason").text_content()
    rows = page.locator(".pair").all_text_contents()
    assert rows[:3] == ["e + s", "s + t", "w + e"]
    assert page.locator(".words .chip.new").all_text_contents() == ["es", "es"]
    assert (
        slider.get_attribute("aria-valuetext") == "1 of 3. e and s become es, 9 times in the text"
    )
    page.get_by_role("button", name="play").click()
    expect(page.get_by_text("3 of 3", exact=True)).to_be_visible()


def test_unigram_drops_pieces_round_by_round(visit: Any) -> None:
    page = visit("chat", place="training")
    page.get_by_role("radio", name="Unigram").check()
    page.get_by_label("the text to learn from").fill("hug pug pun bun hugs " * 5)
    page.get_by_label("pieces besides the characters").fill("3")
    page.get_by_role("button", name="Train").click()
    slider = page.get_by_role("slider", name="estimates")
    slider.press("End")
    assert "pieces are left" in slider.get_attribute("aria-valuetext")
    expect(page.get_by_role("heading", name="Highest scores")).to_be_visible()


def test_what_was_trained_is_used_on_the_text(visit: Any) -> None:
    page = visit("chat", "low lower", place="training")
    page.get_by_role("button", name="Use it on the text").click()
    expect(page.locator(".who.chosen .name, .who .name").last).to_contain_text("trained BPE")


def test_what_is_only_looked_at_is_not_kept(visit: Any, url: str) -> None:
    before = names(url)
    page = visit("chat", place="training")
    page.wait_for_selector(".trained button.primary")
    with page.expect_response("**/api/train"):
        page.get_by_role("button", name="Train", exact=True).click()
    assert names(url) == before


def test_too_long_a_text_is_refused_in_words(visit: Any) -> None:
    page = visit("chat", place="training")
    page.get_by_label("the text to learn from").fill("low " * 6_000)
    page.get_by_role("button", name="Train").click()
    expect(page.locator(".training .note")).to_contain_text("20,000")


# ── both ──────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("place", ["chat", "training"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Any, axe: str, place: str, scheme: str) -> None:
    page = visit("chat", place=place, color_scheme=scheme)
    page.wait_for_selector(".rendered span, .trained .controls")
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert [(it["id"], [node["html"] for node in it["nodes"]]) for it in found["violations"]] == []


@pytest.mark.parametrize("place", ["chat", "training"])
@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_a_phone_never_scrolls_sideways(visit: Any, place: str, locale: str) -> None:
    page = visit("chat", place=place, locale=locale, viewport={"width": 375, "height": 700})
    page.wait_for_selector(".rendered span, .trained .controls")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 375


@pytest.mark.parametrize("place", ["chat", "training"])
def test_what_was_written_outlives_a_reload(visit: Any, place: str) -> None:
    page = visit("chat", place=place)
    area = page.locator(f".{place} textarea").first
    area.fill("low lower lowest")
    page.reload()
    expect(page.locator(f".{place} textarea").first).to_have_value("low lower lowest")


def test_what_nobody_took_makes_room(visit: Any, url: str) -> None:
    page = visit("chat", place="training")
    for _ in range(20):
        expect(page.get_by_role("button", name="Train")).to_be_enabled()
        page.get_by_role("button", name="Train").click()
    expect(page.get_by_role("button", name="Train")).to_be_enabled()
    assert page.locator(".training .note").text_content() == ""
