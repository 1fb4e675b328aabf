"""Split patterns of one's own: both engines cut alike, whatever the regex."""

from __future__ import annotations

import random

import pytest

from kugiri.errors import EncodingError, OptionError
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.places import pre_tokens
from kugiri.reference.regex_classes import compile_pattern
from kugiri.spec import BPE, Behavior, Regex, Split, TokenizerSpec
from kugiri.tables import Tokens
from kugiri.tokenizer import Tokenizer

CHARACTERS = [
    "a",
    "b",
    "猫",
    " ",
    ".",
    r"\s",
    r"\S",
    r"\w",
    r"\d",
    r"\p{L}",
    "[ab]",
    "[^a]",
    "(?i:b)",
]
AROUND = ["(?={})", "(?!{})", "(?<=a)", "(?<!ab|b)", "(?>{})", r"\b", r"\B"]
TIMES = ["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?"]
BEHAVIORS: list[Behavior] = [
    "isolated", "removed", "merged_with_previous", "merged_with_next", "contiguous",
]  # fmt: skip
BYTES = Tokens.from_iter(bytes([byte]) for byte in range(256))


def a_regex(source: random.Random, depth: int = 2) -> str:
    """A regex of a few ways, each of a few parts."""
    ways = (
        "".join(a_part(source, depth) for _ in range(source.randrange(1, 4)))
        for _ in range(source.choice([1, 1, 2, 3]))
    )
    return "|".join(ways)


def a_part(source: random.Random, depth: int) -> str:
    kind = source.random()
    if not depth or kind < 0.6:
        return source.choice(CHARACTERS) + source.choice(TIMES)
    if kind < 0.8:
        return f"(?:{a_regex(source, depth - 1)}){source.choice(TIMES)}"
    return source.choice(AROUND).format(a_regex(source, depth - 1))


@pytest.mark.parametrize("seed", range(200))
def test_both_engines_cut_alike(seed: int) -> None:
    source = random.Random(seed)
    pattern = a_regex(source)
    split = Split(Regex(pattern), source.choice(BEHAVIORS), source.random() < 0.3)
    spec = TokenizerSpec(model=BPE(vocab=BYTES), pre_tokenizer=split)
    core = Tokenizer(spec)
    try:
        core.encode("")
    except OptionError as error:  # what no two engines do alike
        if "repeats without end" not in str(error) and "operator is invalid" not in str(error):
            raise
        return
    for _ in range(8):
        text = "".join(source.choices("aabb猫 \nA1", k=source.randrange(14)))
        try:
            assert core.pre_tokenize(text) == pre_tokens(ReferenceTokenizer(spec), text), text
        except EncodingError as error:
            if "goes back too often" not in str(error):
                raise


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(?i:é)|\\P{L}", "x\u0345y"),
        ("(?:[^a]|[^\\s\\p{L}])|(?i:k)é", "bAa"),
        ("(?m:$)", "a\nb"),
        ("(?m:^)", "a\nb"), (r"\h", "g1 x"),
        (r"\N", "a\nb"), (r"\Z|a", "ba\n\n"),
        (r"\<", "ab cd"), (r"\>", "ab cd"), (r"\b", "a\u200db Ⓐ-x²"), ("(?i:[k-t])", "kKſ\u212aß"),
        ("a{,2}", "aaa"), ("(?s:.)|x", "a\nb"), ("(?i)é|x", "ÉX"),
    ],
)  # fmt: skip
def test_both_engines_know_it(pattern: str, text: str) -> None:
    spec = TokenizerSpec(model=BPE(vocab=BYTES), pre_tokenizer=Split(Regex(pattern)))
    assert Tokenizer(spec).pre_tokenize(text) == pre_tokens(ReferenceTokenizer(spec), text)


@pytest.mark.parametrize(
    "part",
    [r"\p{Script=Han}", r"\p{gc=L}", r"\R", r"\X", r"[\w--a]", "(?x:a)", r"(a)\1", "(?<=a++)"],
)
def test_the_readable_engine_refuses_what_it_does_not_know(part: str) -> None:
    with pytest.raises(OptionError, match="is described but not run"):
        compile_pattern(part)


@pytest.mark.parametrize("pattern", ["a+b|.", "(?:a|aa)+b|a", "(?:aa)+b|(?:aaa)+c|."])
def test_without_look_around_a_million_characters_are_cut(pattern: str) -> None:
    tok = Tokenizer(TokenizerSpec(model=BPE(vocab=BYTES), pre_tokenizer=Split(Regex(pattern))))
    assert tok.count("a" * 1_000_000) == 1_000_000


def test_with_look_around_there_is_a_budget_for_the_whole_text() -> None:
    pattern = Regex("(?=(?:a|aa)+b)a|a")
    tok = Tokenizer(TokenizerSpec(model=BPE(vocab=BYTES), pre_tokenizer=Split(pattern)))
    with pytest.raises(EncodingError, match=r"goes back too often .* without look-around"):
        tok.encode("a" * 300_000)
