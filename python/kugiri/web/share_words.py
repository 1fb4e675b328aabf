"""The words of a page that is shared, in both languages; {} is a number or a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "title": "One text, {} tokenizers",
        "title of one": "One text, one tokenizer",
        "of one": "{} cuts this text into {} tokens",
        "few and many": "{} needs the fewest tokens, {}; {} the most, {} ({})",
        "several and many": "{} need the fewest tokens, {}; {} the most, {} ({})",
        "alike": "{}: the same number of tokens, {}",
        "only": "{} needs {} tokens",
        "rest": "; the others do not know all of the text",
        "none": "No tokenizer has a token for all of this text",
        "comma": ", ",
        "characters": "characters",
        "bytes": "bytes",
        "numbers": "Numbers",
        "tokenizer": "tokenizer",
        "vocabulary": "vocabulary size",
        "tokens": "tokens",
        "": "",
        "more": "more than the fewest",
        "fewest": "fewest",
        "per token": "characters per token",
        "bytes per token": "bytes per token",
        "unknown": "unknown tokens",
        "decodes": "decodes to",
        "same": "the same text",
        "other": "another text",
        "not compared": "–: not compared, since it does not know all of the text.",
        "cuts": "Where they cut",
        "places": "Of the {} places where any of them cuts, {} are cut by all.",
        "score": "What stands over each other is the same stretch of the text, in the order of the "
        "table. A grey stroke: all cut here; a red one: only some. Underlined: only some have "
        "this token.",
        "window": "The first {} characters are shown; the numbers are those of all.",
        "steps": "How {} cuts this text",
        "part": "Of the first {} characters.",
        "edges": " Cut out of the text, they become other tokens than in it: this tokenizer looks "
        "beyond their edge.",
        "made": "Made with",
        "again": "To see it again",
    },
    "ja": {
        "title": "1つのテキスト、{}つのトークナイザ",
        "title of one": "1つのテキスト、1つのトークナイザ",
        "of one": "{}では{}トークン",
        "few and many": "最も少ないのは{}の{}トークン、最も多いのは{}の{}トークン（{}）",
        "several and many": "最も少ないのは{}の{}トークン、最も多いのは{}の{}トークン（{}）",
        "alike": "{}：どれも{}トークン",
        "only": "{}では{}トークン",
        "rest": "。ほかのトークナイザには未知語があります",
        "none": "どのトークナイザにも未知語があります",
        "comma": "、",
        "characters": "文字",
        "bytes": "バイト",
        "numbers": "数",
        "tokenizer": "トークナイザ",
        "vocabulary": "語彙サイズ",
        "tokens": "トークン数",
        "": "",
        "more": "最少との差",
        "fewest": "最少",
        "per token": "文字／トークン",
        "bytes per token": "バイト／トークン",
        "unknown": "未知トークン",
        "decodes": "復元すると",
        "same": "元のテキストに戻る",
        "other": "元のテキストと異なる",
        "not compared": "–：未知語があるため、比べていません。",
        "cuts": "区切り",
        "places": "どれかが区切る{}か所のうち、すべてが区切るのは{}か所。",
        "score": "上下に並ぶのはテキストの同じ部分で、順は表のとおり。"
        "灰色の線はすべてのトークナイザが区切る所、赤い線は一部だけが区切る所。"
        "下線は一部のトークナイザだけにあるトークン。",
        "window": "最初の{}文字の区切り。数値はテキスト全体のもの。",
        "steps": "「{}」がこう区切るまで",
        "part": "最初の{}文字について。",
        "edges": "このトークナイザは範囲の外も見て区切るため、ここだけを取り出すと、"
        "全体の中とは一部異なるトークンになります。",
        "made": "作成",
        "again": "もう一度見るには",
    },
}
