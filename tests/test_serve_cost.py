"""The cost on the page: what may be written into its blanks, and what is refused there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.served_samples import Open, expect, open_page, url

__all__ = ["open_page", "url"]

QUESTION = """async ([price, context]) => {
  const { question } = await import("/static/cost.js");
  return question(5, { price, context, model: "" });
}"""


def asked(price: float, context: int = 128_000) -> dict[str, float]:
    return {"tokens": 5, "price_in": price, "price_out": 0, "context": context}


PRICE, CONTEXT = {"wrong": "price"}, {"wrong": "context"}


@pytest.mark.parametrize(("price", "context", "expected"), [
    ("2.50", "128000", asked(2.5)), ("２.５０", "１２８０００", asked(2.5)),
    ("２．５０", "１２８，０００", asked(2.5)), ("1,250.5", "1,048,576", asked(1250.5, 1_048_576)),
    ("0", "1_000", asked(0, 1000)), ("2.", "128 000", asked(2)), (".5", "1", asked(0.5, 1)),
    (" 3 ", "8\u202f000", asked(3, 8000)), ("1000000", "1000000000", asked(1e6, 10**9)),
    ("2,50", "128000", PRICE), ("1e400", "128000", PRICE), ("Infinity", "128000", PRICE),
    ("9" * 400, "128000", PRICE), ("-1", "128000", PRICE), ("", "128000", PRICE),
    ("1000000000000.01", "128000", PRICE), ("0x10", "128000", PRICE), ("1,0000", "128000", PRICE),
    ("12,34,567", "128000", PRICE), ("1.2.3", "128000", PRICE),
    ("1", "12.5", CONTEXT), ("1", "0", CONTEXT), ("1", "1e13", CONTEXT), ("1", "", CONTEXT),
    ("1", "1000000001", CONTEXT), ("1", "128.000.000", CONTEXT),
])  # fmt: skip
def test_numbers_are_read_as_they_are_written(
    page: Any, price: str, context: str, expected: dict[str, Any]
) -> None:
    assert page.evaluate(QUESTION, [price, context]) == expected


@pytest.fixture
def page(open_page: Open) -> Any:
    return open_page("low lower")


@pytest.mark.parametrize(("locale", "label", "written", "words"), [
    ("en-US", "price in USD for a million tokens", "2,50",
     "“2,50” is no price: it is a number from 0 to 1,000,000,000,000, as 2.50."),
    ("ja-JP", "100万トークンあたりの価格（USD）", "1e400",
     "「1e400」は価格ではありません。価格は0から1,000,000,000,000までの数です（例：2.50）。"),
    ("en-US", "tokens of the context", "1e13",
     "“1e13” is no context: it is a whole number from 1 to 1,000,000,000, as 128,000."),
    ("ja-JP", "コンテキストのトークン数", "0",
     "「0」はコンテキストではありません。コンテキストは1から1,000,000,000までの整数です（例：128,000）。"),
])  # fmt: skip
def test_what_is_no_number_is_refused_at_its_blank(
    open_page: Open, locale: str, label: str, written: str, words: str
) -> None:
    page = open_page("low lower", locale=locale)
    blank, said = page.get_by_label(label, exact=True), page.locator(".cost .said")
    amounts = page.locator(".cost b")
    expect(amounts.first).to_contain_text("USD")
    blank.fill(written)
    expect(said).to_have_text(words)
    expect(blank).to_have_attribute("aria-invalid", "true")
    expect(blank).to_have_accessible_description(words)
    expect(amounts).to_have_text(["–", "–"])
    blank.fill("7")
    expect(said).to_be_empty()
    expect(blank).to_have_attribute("aria-invalid", "false")
    expect(amounts.first).to_contain_text("USD")


REFUSAL = """async ([language, values]) => {
  const { speak } = await import("/static/messages.js");
  const { refusal } = await import("/static/messages_refused.js");
  speak(language);
  return refusal({ kind: "unknown model", values }, "no price");
}"""


@pytest.mark.parametrize(("language", "near", "words"), [
    ("en", [], "No price of a model “zzz” is known; you can write the prices themselves."),
    ("en", ["gpt-4o", "gpt-4"], "No price of a model “zzz” is known; you can write the prices "
     "themselves. Do you mean “gpt-4o” or “gpt-4”?"),
    ("ja", [], "「zzz」というモデルの価格は見つかりませんでした。価格を直接入れることもできます。"),
    ("ja", ["gpt-4o", "gpt-4"], "「zzz」というモデルの価格は見つかりませんでした。"
     "価格を直接入れることもできます。「gpt-4o」、「gpt-4」のことでしょうか。"),
])  # fmt: skip
def test_a_model_that_is_not_known_is_refused_in_words(
    page: Any, language: str, near: list[str], words: str
) -> None:
    assert page.evaluate(REFUSAL, [language, {"name": "zzz", "near": near}]) == words
