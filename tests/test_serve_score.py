"""The rows of the page of `kugiri serve` as a score, in Chromium: a cut of all is one line through
all rows, lines are broken evenly, and the line that says what a token is covers none of them."""

from __future__ import annotations

import pytest

from tests.served_samples import (
    MIXED,
    NAMES,
    Open,
    Tokenizers,
    expect,
    lane,
    open_page,
    tokenizers,
    url,
)

__all__ = ["open_page", "tokenizers", "url"]

SCORE = "東京の図書館で、low café を学んでみた。The newest readers, unbelievably: １２３。" + MIXED


# ── where a line ends ─────────────────────────────────────────────────────────────────────────
SYSTEMS = """async ([columns, room]) => {
  const { systemsOf } = await import("/static/systems.js");
  const drawn = columns.map((its) => its.map(([start, end]) => ({ start, end })));
  const widthOf = ({ start, end }) => 10 * (end - start || 1);
  return systemsOf(drawn, { widthOf, room: 10 * room, signs: [], first: 0 });
}"""


@pytest.mark.parametrize(
    ("columns", "room", "systems"),
    [
        ([[[0, 2], [2, 4]], [[0, 4]]], 9, [[[[0, 2]], [[0, 1]]]]),
        # two stretches, in one line and in two
        (
            [[[0, 2], [2, 4]], [[0, 1], [1, 2], [2, 4]]],
            9,
            [[[[0, 1], [1, 2]], [[0, 2], [2, 3]]]],
        ),
        (
            [[[0, 2], [2, 4]], [[0, 1], [1, 2], [2, 4]]],
            2,
            [[[[0, 1]], [[0, 2]]], [[[1, 2]], [[2, 3]]]],
        ),
        # one alone has nothing to stand over
        ([[[0, 2], [2, 4], [4, 5]]], 4, [[[[0, 1]]], [[[1, 3]]]]),
        # nothing is cut together: one system, however long
        ([[[0, 9]], [[0, 3], [3, 6], [6, 9]]], 2, [[[[0, 1]], [[0, 3]]]]),
        # what was put in before and after the text
        (
            [[[0, 0], [0, 2], [2, 2]], [[0, 2]]],
            9,
            [[[[0, 1], [1, 2], [2, 3]], [[0, 0], [0, 1], [1, 1]]]],
        ),
        # parts of one character, what lies in no token, a token of another window
        (
            [[[0, 1], [0, 1], [1, 2]], [[0, 1], [1, 2]]],
            1,
            [[[[0, 2]], [[0, 1]]], [[[2, 3]], [[1, 2]]]],
        ),
        (
            [[[0, 2], [3, 5]], [[0, 2], [2, 5]]],
            3,
            [[[[0, 1]], [[0, 1]]], [[[1, 2]], [[1, 2]]]],
        ),
        ([[[0, 1], [1, 2], [2, 3]], [[0, 9]]], 1, [[[[0, 3]], [[0, 1]]]]),
        ([[], [[0, 1]]], 1, [[[[0, 0]], [[0, 1]]]]),
        ([[], [[5, 6], [6, 7]]], 9, [[[[0, 0]], [[0, 2]]]]),
        ([[], []], 1, []),
        ([], 1, []),
    ],
)
def test_systems(open_page: Open, columns: object, room: int, systems: object) -> None:
    assert open_page().evaluate(SYSTEMS, [columns, room]) == systems


LINES = """async ([widths, kinds, room]) => {
  const { linesOf } = await import("/static/systems.js");
  return linesOf(widths, room, [...kinds].map(Number)).map(([from, to]) => to - from);
}"""


@pytest.mark.parametrize(
    ("widths", "kinds", "lines"),
    [
        ([5, 5, 5], "111", [3]),
        ([12, 27, 1.4, 1.4, 1.4], "00101", [1, 1, 3]),  # two characters are no line
        ([10] * 5, "11111", [3, 2]),  # of a room of 30, and not 3, 3, 3, 3 and a last of 1
        ([10] * 13, "1" * 13, [3, 3, 3, 2, 2]),
        ([7] * 9, "1" * 9, [3, 3, 3]),
        ([7] * 5, "11111", [3, 2]),
        ([14, 4, 14], "101", [1, 2]),  # not within a word
        ([14, 4, 14], "011", [2, 1]),
        ([40, 1], "11", [2]),  # what is too long wraps, and takes one character with it
        ([29, 2], "11", [2]),
        ([2, 40], "11", [2]),
        ([40, 5], "11", [1, 1]),
        ([29, 2, 20], "111", [1, 2]),
        ([16, 12, 12], "211", [1, 2]),  # a line of the text ends
        ([6, 12, 12], "211", [3]),
        ([40, 50], "11", [1, 1]),
        ([], "", []),
    ],
)
def test_lines(open_page: Open, widths: object, kinds: str, lines: object) -> None:
    assert open_page().evaluate(LINES, [widths, kinds, 30]) == lines


KINDS = """async ([text, places]) => {
  const { kindOf } = await import("/static/systems.js");
  const signs = [...text];
  return places.map((it) => kindOf(signs[it - 1], signs[it])).join("");
}"""


@pytest.mark.parametrize(
    ("text", "kinds"),
    [("a bc\nd", "1110121"), ("学ぶ。「は」", "1101001"), ("a,b", "1001"), ("か🏯ー", "1101")],
)
def test_where_a_line_may_end(open_page: Open, text: str, kinds: str) -> None:
    places = [*range(len(text) + 1)]
    assert open_page().evaluate(KINDS, [text, places]) == kinds


# ── rows over each other ──────────────────────────────────────────────────────────────────────
CUTS = """() => [...document.querySelectorAll(".system")].map((system) =>
  [...system.querySelectorAll(".run")].map((run) =>
    [...run.children].map((it) => it.getBoundingClientRect().left)))"""


@pytest.mark.parametrize("width", [375, 768, 1440])
@pytest.mark.parametrize("view", ["text", "bytes", "ids"])
def test_a_cut_of_all_is_one_line_through_all_rows(
    open_page: Open, tokenizers: Tokenizers, width: int, view: str
) -> None:
    page = open_page(SCORE, viewport={"width": width, "height": 800})
    if view != "text":
        with page.expect_response("**/api/tokens"):
            page.get_by_role("radio", name=view).check()
    found = page.evaluate(CUTS)
    for rows in found:
        assert len(rows) == len(NAMES)
        for places in zip(*rows, strict=True):
            assert max(places) - min(places) <= 1
    assert max(len(row) for rows in found for row in rows) > 1
    for name, tokenizer in tokenizers.items():
        expect(lane(page, name)).to_have_count(len(tokenizer.encode(SCORE)))
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_lanes_stand_over_the_same_stretch_of_the_text(open_page: Open) -> None:
    page = open_page("東京の図書館で学ぶ。The newest readers counted every word. " * 8)
    starts = page.locator(".system").evaluate_all(
        """its => its.map(system => [...system.querySelectorAll(".run")]
          .map(run => run.textContent.replaceAll(/[\\s▁#]/g, "")))"""
    )
    assert len(starts) > 3
    for system in starts:
        assert len(set(system)) == 1, system
    right = page.locator(".run").evaluate_all(
        """its => its.map((it) => { const right = (e) => e.getBoundingClientRect().right;
          return Math.max(...[...it.children].map(right)) - right(it); })"""
    )
    assert max(right) <= 0
    heights = page.locator(".run").evaluate_all("its => its.map(it => it.clientHeight)")
    assert max(heights) < 1.5 * min(heights), "no line of a system wraps"


def test_the_keys_walk_over_stretches_and_systems(open_page: Open, tokenizers: Tokenizers) -> None:
    page = open_page(SCORE, viewport={"width": 375, "height": 800})
    assert page.locator(".system").count() > 2
    for row, name in enumerate(NAMES[:2]):
        lane(page, name).first.focus()
        for at in range(len(tokenizers[name].encode(SCORE))):
            assert page.evaluate("document.activeElement.dataset.at") == f"{row} {at}"
            page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.closest('[role=listbox]') !== null")


# ── the line that says what a token is ────────────────────────────────────────────────────────
def test_the_line_goes_when_nothing_is_pointed_at(open_page: Open) -> None:
    page = open_page("low")
    told = page.locator(".told")
    expect(told).to_be_hidden()
    lane(page, "sample BPE").first.hover()
    expect(told).to_be_visible()
    page.locator(".brand").hover()
    expect(told).to_be_hidden()
    expect(page.locator(".here, .linked")).to_have_count(0)
    lane(page, "sample BPE").first.click()
    page.locator(".brand").hover()
    expect(told).to_be_visible()
    page.focus("#text")
    expect(told).to_be_hidden()


@pytest.mark.parametrize("width", [375, 1440])
def test_the_line_covers_nothing_that_is_pointed_at(open_page: Open, width: int) -> None:
    page = open_page(SCORE * 3, viewport={"width": width, "height": 600})
    covered = """(it) => { it.focus({ preventScroll: true });
      const box = (e) => e.getBoundingClientRect();
      const [own, line] = [box(it), box(document.querySelector(".told"))];
      return own.top < line.bottom && own.bottom > line.top; }"""
    tokens = lane(page, "sample Unigram")
    sides = set()
    for number in range(0, tokens.count(), 4):
        block = ("start", "end", "center")[number % 3]
        tokens.nth(number).evaluate("(it, block) => it.scrollIntoView({ block })", block)
        assert not tokens.nth(number).evaluate(covered), (number, block)
        sides.add(page.locator(".told.above").count())
    assert sides == {0, 1}


@pytest.mark.parametrize(
    ("locale", "text", "words"),
    [
        ("en-US", "東京の library", "The other has this token, too."),
        ("ja-JP", "東京の library", "ほかのトークナイザには同じトークンがあります。"),
    ],
)
def test_it_is_said_that_the_others_cut_alike(
    open_page: Open, tokenizers: Tokenizers, locale: str, text: str, words: str
) -> None:
    page = open_page(text, locale=locale)
    spans = [it.encode_with_offsets(text).covering_spans for it in tokenizers.values()]
    name, at = next(
        (name, at)
        for name, its in zip(NAMES, spans, strict=True)
        for at, span in enumerate(its)
        if sum(span in others for others in spans) == 2
    )
    lane(page, name).nth(at).hover()
    expect(page.locator(".told .others")).to_contain_text(words)
