"""The words of the page's views: both languages say the same, of every kind there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import kugiri
from kugiri.explain.alternatives import WORDS
from kugiri.explain.causes import KINDS
from kugiri.explain.html.rules import japanese
from tests.browser import HOW_TO_GET
from tests.served_pages import url, visit

__all__ = ["url", "visit"]

playwright = pytest.importorskip(
    "playwright.sync_api", reason=f"playwright is absent: {HOW_TO_GET}"
)

STATIC = Path(kugiri.__file__).parent / "web/static"
CAUSES: dict[str, list[dict[str, Any]]] = {
    "cut out": [{"token": "<s>", "start": 2, "end": 5}],
    "special": [{"token": "<s>", "id": 7}],
    "changed": [
        {"before": "ｶﾞ", "after": "ガ", "across": False},
        {"before": "ﾞ", "after": "", "across": True},
    ],
    "boundary": [
        {"start": 2, "end": 2, "inside": False, "step": "Digits", "rule": "digits stand apart"},
        {"start": 2, "end": 3, "inside": True, "step": "Digits", "rule": "digits stand apart"},
    ],
    "dropped": [{}],
    "missing": [
        {"piece": "we", "parts": ["w", "e"], "longer": ["newest"]},
        {"piece": "we", "parts": [], "longer": []},
    ],
    "unused": [{"id": 7}],
    "no text": [{"id": 7}],
    "not followed": [{"most": 500}],
    "whole word": [{"word": "low"}],
    "stopped": [{"id": 7, "made_by": 3, "left": ["cb", "b"]}],
    "merged": [
        {"id": at, "made_by": at, "order": order, "rank": 12, "result": "est", "joined": joined}
        for at in (None, 7)
        for order in ("list", "rank", "score")
        for joined in (False, True)
    ],
    "long word": [{"characters": 200}],
    "no match": [{"word": "unx", "start": 2}],
    "match": [{"token": "##aff", "start": 2}],
    "looked up": [{"strings": ["low", "er"], "more": 0}, {"strings": ["low"], "more": 3}],
    "outscored": [
        {"id": 7, "margin": margin, "won": ["a", "bc"], "won_score": -2.5, "lost": ["ab"],
         "lost_score": -4.25}
        for margin in (0.0, 1.75)
    ],
}  # fmt: skip
UNSAID = ("rule", "order", "start", "end")
"""Values that stand in a sentence in words, or counted from 1."""
SENTENCE = """async ([language, kind, values]) => {
  const { speak } = await import("/static/messages.js");
  const { sentence } = await import("/static/why.js");
  const { h } = await import("/static/elements.js");
  speak(language);
  return h("p", {}, sentence(kind, values)).textContent;
}"""


@pytest.fixture
def page(visit: Any) -> Any:
    return visit("words", "low")


def test_every_kind_of_cause_is_looked_at() -> None:
    assert CAUSES.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", CAUSES)
def test_both_languages_name_all_that_is_known_of_a_cause(page: Any, kind: str) -> None:
    for values in CAUSES[kind]:
        known = [value for name, value in values.items() if name not in UNSAID]
        texts = [it for value in known for it in (value if isinstance(value, list) else [value])]
        for language in ("en", "ja"):
            said = page.evaluate(SENTENCE, [language, kind, values])
            for text in texts:
                if isinstance(text, bool) or text in (None, "", 0):
                    continue
                assert str(text) in said, (kind, language, said)


@pytest.mark.parametrize(("kind", "at", "english", "japanese"), [
    ("cut out", 0, "(characters 3–5)", "（3–5文字目）"),
    ("boundary", 0, "(after character 2)", "（2文字目の後）"),
    ("boundary", 1, "(character 3)", "（3文字目）"),
    ("no match", 0, "From character 3 of", "の3字目から"),
    ("match", 0, "from character 3 of", "の3字目から"),
])  # fmt: skip
def test_places_are_counted_from_1(
    page: Any, kind: str, at: int, english: str, japanese: str
) -> None:
    values = CAUSES[kind][at]
    assert english in page.evaluate(SENTENCE, ["en", kind, values])
    assert japanese in page.evaluate(SENTENCE, ["ja", kind, values])


@pytest.mark.parametrize(("span", "english", "japanese"), [
    ([0, 1], "character 1", "1文字目"), ([0, 3], "characters 1–3", "1–3文字目"),
    ([3, 3], "after character 3", "3文字目の後"), ([0, 0], "before character 1", "1文字目の前"),
    ([1233, 2000], "characters 1,234–2,000", "1,234–2,000文字目"),
])  # fmt: skip
def test_a_place_in_words(page: Any, span: list[int], english: str, japanese: str) -> None:
    place = """async ([language, span]) => {
      const { placeOf, speak } = await import("/static/messages.js");
      speak(language);
      return placeOf(...span);
    }"""
    assert page.evaluate(place, ["en", span]) == english
    assert page.evaluate(place, ["ja", span]) == japanese


def test_each_message_is_there_in_both_languages_with_the_same_places(page: Any) -> None:
    both = page.evaluate(
        """async (files) => {
          for (const name of files) await import(`/static/${name}`);
          return (await import("/static/messages.js")).allMessages;
        }""",
        [path.name for path in STATIC.glob("messages_*.js")],
    )
    english, japanese = (
        {key: set(re.findall(r"{(\w+)}", words)) for key, words in both[language].items()}
        for language in ("en", "ja")
    )
    assert len(english) > 300
    for key, places in english.items():
        counted = {"n"} if "|" in both["en"][key] else set()  # which a language need not say
        assert japanese[key] | counted == places | counted, key
    assert japanese.keys() == english.keys()


def test_the_words_of_rules_have_their_japanese(page: Any) -> None:
    rules = [
        *WORDS.values(), "what nothing matches", "after kanji, before hiragana",
        "after letters led by a space, before letters led by 。; what lies between is dropped",
        "the script changes from Han to Latin", "the text 'x' parts words",
        "white space parts words, and is dropped", "'_' parts words, and is dropped",
        "a word begins with ▁", "every 3 characters", "punctuation stands apart",
        "a word of sudachi-a ends", "each digit stands alone", "digits stand apart",
        "ByteLevel cuts here", "<s> is cut out before all else", "an added token stood here",
    ]  # fmt: skip
    said = page.evaluate(
        """async (rules) => {
          const { ruleInWords } = await import("/static/boundary_rules.js");
          return rules.map((it) => ruleInWords(it, "ja"));
        }""",
        rules,
    )
    for rule, words in zip(rules, said, strict=True):
        assert words != rule
        assert words == japanese(rule)  # which a page that is shared says
        assert not re.search("[a-z]{4}", re.sub("Latin|sudachi-a|ByteLevel", "", words)), words


RULES = [
    ("", "▁", "prefix"), ("", "x", "put"), (" ", "", "space-dropped"),
    ("\u200b", "", "unseen-dropped"),
    ("x", "", "dropped"), (" ", "▁", "space-mark"), ("\u3000", " ", "spaces-one"),
    ("猫", " 猫 ", "spaced"), ("か\u3099", "が", "composed"), ("が", "か\u3099", "decomposed"),
    ("A", "a", "lower"), ("Ａ", "A", "full-width"), ("ｶﾞ", "ガ", "half-width"),
    ("①", "1", "compatible"), ("バ", "ハ", "marks"), ("É", "e", "marks-lower"),
    ("Ａ", "a", "compatible-lower"), ("x", "y", "replaced"),
]  # fmt: skip


def test_the_rule_of_a_change_is_told_from_its_two_sides(page: Any) -> None:
    changes = [{"before": before, "after": after} for before, after, _ in RULES]
    names, words, every = page.evaluate(
        """async (changes) => {
          const { ruleOf, RULE_NAMES } = await import("/static/normalization_rules.js");
          await import("/static/messages_steps.js");
          const { t } = await import("/static/messages.js");
          return [changes.map(ruleOf), RULE_NAMES.map((it) => t(`norm.rule.${it}`)), RULE_NAMES];
        }""",
        changes,
    )
    assert names == [name for *_, name in RULES]
    assert sorted(every) == sorted(names)
    assert len(set(words)) == len(words)
