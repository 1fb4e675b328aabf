"""What the page and the file that it shares have in common: options, numbers, and tokens."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from kugiri.web import score
from tests.explained import made
from tests.served_samples import Open, expect, lane, open_page, texts, write
from tests.serving import serving

__all__ = ["open_page"]

TOKENIZERS = {
    "bytes": made(".kugiri.json"), "bert": made("vocab.txt"),
    "pieces": made(".model, unigram with bytes"),
}  # fmt: skip
BOXES = ".toggles input[type=checkbox]"
"""Whether special tokens are read, and whether they are put around a text."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(TOKENIZERS) as at:
        yield at


def shared(page: Any) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name="Share as one file").click()
    return Path(download.value.path()).read_text("utf-8")


# ── the same options and numbers ──────────────────────────────────────────────────────────────
LANES = """its => its.map((it) => [".name", "b", ".ratio"]
  .map((each) => it.querySelector(each)?.textContent ?? "–"))"""
ROWS = """its => its.map((it) => [...it.querySelectorAll("td")].map((cell) => cell.textContent))
  .map((cells) => [cells[0].slice(1), cells[1], cells[3]])"""  # after the number of its row


@pytest.mark.parametrize("read", [False, True])
@pytest.mark.parametrize("around", [False, True])
def test_the_file_has_the_numbers_of_the_page(
    opened: Any, open_page: Open, read: bool, around: bool
) -> None:
    text = "low [SEP] <|endoftext|> unaffable"
    page = open_page(text)
    for nth, wanted in enumerate((read, around)):
        if wanted:
            page.locator(BOXES).nth(nth).check()
    options = {"add_special_tokens": around} | ({"allowed_special": "all"} if read else {})
    counts = [len(it.encode(text, **options)) for it in TOKENIZERS.values()]
    expect(page.locator(".who .counted b")).to_have_text([str(it) for it in counts])
    file, _ = opened(shared(page))
    numbers = page.locator(".who:has(.counted)").evaluate_all(LANES)
    rows = file.locator(".numbers tbody tr").evaluate_all(ROWS)
    assert sorted(rows) == sorted(numbers)


def test_the_page_says_how_many_more_as_the_server_rounds_it(open_page: Open) -> None:
    page = open_page("low")
    more = [{"percent": "6.3"}, {"times": "1,011"}, None]

    def answer(route: Any) -> None:
        data = route.fetch().json()
        for column, its in zip(data["columns"], more, strict=True):
            column["more"] = its
        route.fulfill(json=data)

    page.route("**/api/tokens", answer)
    write(page, "lower")
    expect(page.locator(".who .ratio")).to_have_text(["+6.3 %", "× 1,011", "fewest"])
    assert page.locator(".ratio").first.get_attribute("title") == "6.3 % more than the fewest"


def test_ways_at_random_read_special_tokens_where_the_page_does(open_page: Open) -> None:
    page = open_page("low")
    page.get_by_role("button", name="pieces", exact=True).click()
    for wanted in (False, True):
        page.locator(BOXES).first.set_checked(wanted)
        expect(page.locator(".at-random")).to_be_visible()
        page.wait_for_timeout(800)  # the explanation is asked for anew
        page.get_by_text("Ways at random").click()
        with page.expect_request("**/api/sample") as asked:
            page.locator(".sampling button").first.click()
        assert asked.value.post_data_json["allow_special"] is wanted


def test_why_a_piece_was_dropped_is_said_from_its_numbers(open_page: Open) -> None:
    piece = {"piece": "ab", "why": "", "loss": None, "better": None, "instead": ["a", "b"]}
    rounds = [{
        "number": 1, "pieces": 3, "objective": 1.5, "tokens": 4.0, "tokens_per_piece": 1.0,
        "best": [], "unexpected": [], "returned": [],
        "pruned": [piece, piece | {"better": 0.4321}, piece | {"loss": 0.125}],
    }]  # fmt: skip
    said = open_page("low").evaluate(
        """async (model) => {
          await import("/static/messages_training.js");
          const { unigramRounds } = await import("/static/training_unigram.js");
          const { h } = await import("/static/elements.js");
          const drawn = h("div", {}, unigramRounds(model));
          return [...drawn.querySelectorAll("td:nth-child(2)")].map((it) => it.textContent);
        }""",
        {"seeds": 6, "rounds": rounds},
    )
    assert len(said) == 3
    assert ["0.432" in it for it in said] == [False, True, False]
    assert "0.125" in said[2]


# ── the same tokens ───────────────────────────────────────────────────────────────────────────
FILE_ROW = """(columns, nth) => columns.flatMap((it) =>
  [...it.children[nth].children].filter((its) => its.tagName !== "SMALL"))
  .map((it) => it.textContent)"""


@pytest.mark.parametrize("text", [
    "low unaffable 東京都", "齟齬 low 🏯", "猫" * 450 + " low", "x" * 500 + " low\n low",
    "<0xE5> low", "a\u200db [UNK] ##aff",
])  # fmt: skip
def test_the_file_draws_the_tokens_of_the_page(opened: Any, open_page: Open, text: str) -> None:
    page = open_page(text)
    file, _ = opened(shared(page))
    rows = file.locator(".numbers tbody tr").evaluate_all(ROWS)
    assert {name for name, *_ in rows} == TOKENIZERS.keys()
    for nth, (name, *_) in enumerate(rows):
        drawn = file.locator(".word > div").evaluate_all(FILE_ROW, nth)
        assert drawn == texts(page, name)
        assert len(drawn) == lane(page, name).count() == TOKENIZERS[name].count(text)


def test_cuts_are_those_of_the_page(open_page: Open) -> None:
    numbers = random.Random(7)
    cases = []
    for _ in range(300):
        columns = []
        for _ in range(numbers.randint(1, 3)):
            starts = sorted(numbers.choices(range(9), k=numbers.randint(0, 6)))
            columns.append([{"start": it, "end": it + numbers.randint(0, 3)} for it in starts])
        cases.append(columns)
    cuts, common = open_page("low").evaluate(
        """async (cases) => {
          const { cutsOf, commonCuts } = await import("/static/systems.js");
          const sorted = (cuts) => [...cuts].sort((a, b) => a - b);
          return [cases.map((it) => it.map((column) => sorted(cutsOf(column)))),
            cases.map((it) => sorted(commonCuts(it.filter(({ length }) => length > 0))))];
        }""",
        cases,
    )
    assert cuts == [[sorted(score.cuts_of(column)) for column in it] for it in cases]
    assert common == [score.common_cuts(it) for it in cases]


def test_what_is_drawn_of_a_token_is_bounded_alike() -> None:
    static = files("kugiri.web") / "static"
    lanes = (static / "lanes.js").read_text("utf-8")
    pieces = [
        it.replace("(", "").replace(")", "")
        for name in ("lanes.js", "glyphs.js")
        for it in re.findall(r"BYTE_PIECE = /\^(.*)\$/;", (static / name).read_text("utf-8"))
    ]
    assert pieces
    assert {*pieces} == {score._BYTE_PIECE.pattern}
    assert re.findall(r"MOST_DRAWN = (\d+);", lanes) == [str(score._MOST_DRAWN)]
