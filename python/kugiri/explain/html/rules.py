"""The rules of pre-tokenizers in Japanese.

Rule.    explain says them in English, in sentences of a few forms (boundaries.py, alternatives.py);
         here each form has its Japanese, the same that the page of `kugiri serve` says. What has no
         form, as a pattern of the user's own, stays as it came.
Cost.    One search for each form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

_WHOLE: Final[Mapping[str, str]] = {
    "letters": "文字の並び",
    "letters (upper case first)": "文字の並び（大文字で始まる）",
    "digits": "数字の並び",
    "one digit": "数字1字",
    "up to three digits": "3桁までの数字",
    "signs": "記号の並び",
    "one sign": "記号1字",
    "white space": "空白",
    "white space (all but the last)": "空白（最後の1字を除く）",
    "white space at the end": "末尾の空白",
    "a line end": "改行",
    "line ends": "改行の並び",
    "word characters": "単語の文字",
    "word characters of ASCII": "英数字",
    "kanji": "漢字",
    "hiragana": "ひらがな",
    "katakana": "カタカナ",
    "a contraction": "短縮形",
    "what nothing matches": "どれにも当たらないもの",
    "white space parts words, and is dropped": "空白が語を分け、空白は捨てられる",
    "punctuation stands apart": "約物は離れて立つ",
    "each digit stands alone": "数字は1字ずつ離れて立つ",
    "digits stand apart": "数字は離れて立つ",
    "an added token stood here": "ここに追加トークンがあった",
    "added token": "追加トークン",
    "added tokens": "追加トークン",
}

_FORMS: Final[tuple[tuple[str, Callable[..., str]], ...]] = (
    (
        "after (.+), before (.+); what lies between is dropped",
        lambda a, b: f"{japanese(a)}と{japanese(b)}のあいだ（あいだのものは捨てられる）",
    ),
    ("after (.+), before (.+)", lambda a, b: f"{japanese(a)}と{japanese(b)}のあいだ"),
    ("(letters.*) led by a space", lambda what: f"空白で始まる{japanese(what)}"),
    ("(letters.*) led by (.+)", lambda what, led: f"「{led}」で始まる{japanese(what)}"),
    ("the script changes from (.+) to (.+)", "文字の種類が{}から{}に変わる".format),
    ("the text (.+) parts words", "文字列{}が語を分ける".format),
    ("(.+) parts words, and is dropped", "{}が語を分け、捨てられる".format),
    ("a word begins with (.+)", "語は{}で始まる".format),
    ("every (.+) characters", "{}文字ごと".format),
    ("a word of (.+) ends", "{}の語がここで終わる".format),
    ("(.+) is cut out before all else", "{}は何よりも先に切り出される".format),
    ("(.+) cuts here", "{}がここで切る".format),
)


def japanese(rule: str) -> str:
    """A rule in Japanese.

    Example:
        >>> japanese("after kanji, before letters led by a space")
        '漢字と空白で始まる文字の並びのあいだ'
    """
    if rule in _WHOLE:
        return _WHOLE[rule]
    for form, words in _FORMS:
        if found := re.fullmatch(form, rule, re.DOTALL):
            return words(*found.groups())
    return rule
