"""The words of a page of explain in another language than English, which is the key of each.

Rule.    A phrase that has no translation stays as it is. `{0}` is where the first value goes; it is
         text or an element.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from kugiri.explain.html.elements import Markup, together
from kugiri.explain.html.rules import japanese

_JAPANESE: Final[Mapping[str, str]] = {
    "Special tokens": "特殊トークン",
    "None in this text.": "このテキストにはありません。",
    "{0} at character {1} was cut out": "{1} 文字目の {0} を切り出しました",
    "{0} at character {1} looks like a special token and is text: it was not allowed": (
        "{1} 文字目の {0} は特殊トークンに見えますが、許されていないので、ふつうのテキストです"
    ),
    "Normalization": "正規化",
    "Leaves it as it is.": "そのまま使います。",
    "before": "前",
    "after": "後",
    "characters": "文字",
    "characters after": "後の文字",
    "after {0}": "{0} の後",
    "before 1": "1 の前",
    "Pre-tokens": "プレトークン",
    "Nothing cuts it.": "切れ目はありません。",
    "cut at": "位置",
    "made by": "切るもの",
    "rule": "規則",
    "Model": "モデル",
    "Post-processing and fallback": "後処理と代替",
    "{0} is put around it": "{0} が前後に付きます",
    "{0} can be put around it; that was not asked for": (
        "{0} を前後に付けられます（今回は付けません）"
    ),
    "{0} at character {1} has no token and became bytes": (
        "{1} 文字目の {0} にはトークンがなく、バイトになりました"
    ),
    "{0} at character {1} has no token and is unknown": (
        "{1} 文字目の {0} にはトークンがなく、未知になります"
    ),
    "Nothing is put around it.": "前後に付くものはありません。",
    "Tokens": "トークン",
    "id": "ID",
    "token": "トークン",
    "bytes": "バイト",
    "characters touched": "触れる文字",
    "the tokens with their bytes and places": "トークンとそのバイト・位置",
    "Decoded: {0} other from character {1} on": "復元: {0} {1} 文字目から異なります",
    "The pair with the lowest rank is merged first; a rank is a row of the merge list.": (
        "順位の最も低い対から合わせます。順位は、マージの表の行です。"
    ),
    "The pair with the lowest rank is merged first; a rank is the id of the join.": (
        "順位の最も低い対から合わせます。順位は、合わせたトークンの ID です。"
    ),
    "The pair with the highest score is merged first; a rank is the place of a score.": (
        "スコアの最も高い対から合わせます。順位は、スコアの順番です。"
    ),
    "Tokens as they stand: {0}": "そのままトークンであるもの: {0}",
    "Words whose merges are in the data of this page alone: {0}": (
        "マージがこのページのデータだけにある語: {0}"
    ),
    "WordPiece. From left to right, the longest token.": (
        "WordPiece。左から順に、最も長いトークン。"
    ),
    "Words, or characters, are looked up as they stand.": "語または文字を、そのまま引きます。",
    "{0}… has more than {1} units; its steps are not shown": (
        "{0}… は {1} 単位を超えるので、手順は示しません"
    ),
    "The first symbols": "はじめの記号",
    "Rank {0}: {1} + {2} → {3}": "順位 {0}: {1} + {2} → {3}",
    "merges": "マージ",
    "the merge tree": "マージの木",
    "word": "語",
    "from": "開始",
    "tried": "引いたもの",
    "found": "見つけたもの",
    "nothing: unknown": "なし（未知）",
    "Unigram. {0} ways to cut the text; entropy {1} nats. Under each piece stand its score and its "
    "probability.": (
        "Unigram。切り方は {0} 通り、エントロピー {1} ナット。各ピースの下は、スコアと確率です。"
    ),
    "the lattice": "ラティス",
    "The best ways": "最もよい切り方",
    "log prob": "対数確率",
    "margin": "差",
    "probability": "確率",
    "way": "切り方",
}


class Words(NamedTuple):
    """The words of a language."""

    language: str
    table: Mapping[str, str]

    def __call__(self, phrase: str) -> str:
        """A phrase without values."""
        return self.table.get(phrase, phrase)

    def each(self, *phrases: str) -> tuple[str, ...]:
        """Several."""
        return tuple(self(phrase) for phrase in phrases)

    def put(self, phrase: str, *values: str | Markup) -> Markup:
        """A phrase with its values.

        Example:
            >>> WORDS["ja"].put("{0} at character {1} was cut out", "<s>", "1–3")
            '1–3 文字目の &lt;s&gt; を切り出しました'
        """
        parts = re.split(r"\{(\d)\}", self(phrase))
        return together(values[int(it)] if at % 2 else it for at, it in enumerate(parts))

    def rule(self, rule: str) -> str:
        """A rule of a pre-tokenizer."""
        return rule if self.language == "en" else japanese(rule)


WORDS: Final = {"en": Words("en", {}), "ja": Words("ja", _JAPANESE)}
ENGLISH: Final = WORDS["en"]
