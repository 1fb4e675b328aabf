"""Split patterns written to tokenizer.json: the same meaning, or refused by name."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

import kugiri
from kugiri.errors import FormatError, OptionError
from kugiri.spec import Regex, Split
from tests.test_formats_tokenizer_json import oracle
from tests.test_own_patterns import a_regex

SAME = [
    r"\d+|\D+",
    r"\s+|\S+",
    r"\p{L}+|\P{L}+",
    r"[^\s\p{L}\p{N}]+|.",
    r"\x41|.",
    r"\u30a2+",
    "a{2}|b{1,2}?",
    "a{,2}b|.",
    r"[\p{Lu}\-a-z]+",
    r"\p{Han}+|\p{Hiragana}+|.",
    "(?<=a)b|a",
    "(?<!a)b|(?=a)a",
    "(?>ab|a)b",
    r"a++|b*+c|[\n\t ]+",
    r"\.|\A.|a\z",
    "(?i:k|re|'ll|s|t)|.",
    "(?i:[a-z]+)|.",
    "(?i:é)|[^x]",
    "(?i:[^x])+",
    "(?i)ab|c",
    "(a|b)c|.",
    "[猫-鿿]+|.",
]
OTHER = {
    r"\w+|\W+": r"\w",
    r"\W": r"\W",
    r"[\w]+": r"[\w]",
    r"[^\W\d]+": r"[^\W\d]",
    r"\b.": r"\b",
    r"a\B": r"\B",
    r"\h+": r"\h",
    r"a\Z": r"\Z",
    r"\<a": r"\<",
    r"a\>": r"\>",
    r"\N+": r"\N",
    r"\pL+": r"\pL",
    r"\p{Punct}": r"\p{Punct}",
    r"\p{Script=Han}": r"\p{Script=Han}",
    r"\U00000061": r"\U00000061",
    r"\xe9": r"\xe9",
    "^a": "^",
    "a$": "$",
    "a{1,3}+": "{1,3}+",
    "a{2}?": "{2}?",
    "(?s:.)": "(?s:",
    "(?m:a)": "(?m:",
    "(?<x>a)": "(?",
    "(?x: a)": "(?",
    "a(?i)b|c": "(?",
    "[[a]b]": "[[a]b]",
    "[a&&b]": "[a&&b]",
    "[]a]": "[]a]",
    "(?i:ß)": "ss in any case",
    "(?i:ss)|.": "ss in any case",
    "(?i:Ss)": "ss in any case",
    "(?i:ſs)": "ss in any case",
    "(?i:aſſa)": "ss in any case",
    r"(?i:s\x73)": "ss in any case",
    "(?i:(?:s)(?:s))": "ss in any case",
    "(?i:s{2}s)": "ss in any case",
    "(?i:fi)": "fi in any case",
    "(?i:ﬁ)": "fi in any case",
    "(?i:st)": "st in any case",
    "(?i:ŉ)": "ʼn in any case",
    "(?i:\u01f0)": "j\u030c in any case",
    "(?i:\u0390)": "\u03b9\u0308\u0301 in any case",
    "(?i:[à-þß])": "[à-þß] in any case",
    r"(?i:\p{Lu})": r"\p{Lu} in any case",
    r"(?i:[\p{L}])": r"[\p{L}] in any case",
}
"""Pattern → the part that is named."""

ALPHABET = [
    *"abAB kKſsSßẞ\n\r\t 猫犬アあé.,-1½²x'lreRE",
    "ss",
    "x²",
    "a_b",
    "ﬁ",
    "fi",
    "st",
    "ﬆ",
    "\u200d",
    "\u3000",
    "\x85",
    "\u2028",
    "\u212a",
    "ŉ",
    "i\u0307",
    "İ",
]


def trained(pattern: str) -> kugiri.Tokenizer:
    return kugiri.train(["ab"], vocab_size=256, pre_tokenizer=pattern)


def same_everywhere(tok: kugiri.Tokenizer, path: Path, seed: int) -> None:
    """The file gives the same ids and cuts in tokenizers, and here once it is loaded."""
    tok.save(path)
    theirs, again = oracle(json.loads(path.read_bytes())), kugiri.load(path)
    source = random.Random(seed)
    for _ in range(60):
        text = "".join(source.choices(ALPHABET, k=source.randrange(10)))
        assert tok.encode(text) == theirs.encode(text).ids == again.encode(text), text
        cuts = [span for _, span in theirs.pre_tokenizer.pre_tokenize_str(text)]
        for ours in (tok, again):
            assert [span for _, span in ours.pre_tokenize(text)] == cuts, text


@pytest.mark.parametrize("pattern", SAME)
def test_the_same(pattern: str, tmp_path: Path) -> None:
    same_everywhere(trained(pattern), tmp_path / "tokenizer.json", 1)


@pytest.mark.parametrize("pattern", OTHER)
def test_refused_when_written(pattern: str, tmp_path: Path) -> None:
    split = Split(Regex(pattern))
    spec = replace(trained("a.").spec, pre_tokenizer=split)
    with pytest.raises(FormatError) as wrote:
        kugiri.Tokenizer(spec).save(tmp_path / "tokenizer.json")
    named = f"holds {OTHER[pattern]!r}, which means something else in tokenizer.json"
    assert named in str(wrote.value)


@pytest.mark.parametrize("seed", range(60))
def test_written_alike_or_refused(seed: int, tmp_path: Path) -> None:
    try:
        tok = trained(a_regex(random.Random(seed)))
        tok.encode("")
    except OptionError:  # the core refuses it, as tests/test_own_patterns.py says
        return
    with suppress(FormatError):
        same_everywhere(tok, tmp_path / "tokenizer.json", seed)
