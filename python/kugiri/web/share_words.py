"""The words of a page that is shared, in both languages; {} is a number or a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "title": "One text, {} tokenizers",
        "title of one": "One text, one tokenizer",
        "characters": "characters",
        "bytes": "bytes",
        "numbers": "Numbers",
        "tokenizer": "tokenizer",
        "vocabulary": "vocabulary",
        "tokens": "tokens",
        "per token": "characters/token",
        "bytes per token": "bytes/token",
        "ratio": "× fewest",
        "unknown": "unknown",
        "decodes": "decodes to",
        "same": "the same text",
        "other": "another text",
        "cuts": "Cuts",
        "differs": "Underlined: not every tokenizer has a token of just this.",
        "window": "The first {} characters are shown; the numbers are those of all.",
        "steps": "How {} came to it",
        "part": "Of the first {} characters.",
        "made": "Made with",
        "again": "To see it again",
    },
    "ja": {
        "title": "ひとつの文、{}つのトークナイザ",
        "title of one": "ひとつの文、ひとつのトークナイザ",
        "characters": "文字",
        "bytes": "バイト",
        "numbers": "数",
        "tokenizer": "トークナイザ",
        "vocabulary": "語彙",
        "tokens": "トークン",
        "per token": "文字/トークン",
        "bytes per token": "バイト/トークン",
        "ratio": "最少比",
        "unknown": "未知",
        "decodes": "復元",
        "same": "元の文に戻る",
        "other": "元の文と異なる",
        "cuts": "区切り",
        "differs": "下線：すべてのトークナイザに共通ではないトークン。",
        "window": "最初の{}文字の区切り。数は全文のもの。",
        "steps": "「{}」がこう区切るまで",
        "part": "最初の{}文字について。",
        "made": "作成",
        "again": "もう一度見るには",
    },
}
