"""Split patterns of tokenizer.json cut as Oniguruma does in tokenizers, or are refused by name."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest

import kugiri
from kugiri.errors import EncodingError, FormatError, OptionError
from kugiri.reference.oniguruma import from_oniguruma
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.places import pre_tokens
from kugiri.spec import BPE, Behavior, Regex, Split, TokenizerSpec
from tests.hf import document
from tests.real_pre_tokenizers import BEHAVIORS
from tests.test_own_patterns import BYTES
from tools.parity_data import HOW_TO_GET

READ = [
    r"\w+|\W+", r"[\w]+", r"[^\W\d]+", r"\b.", r"a\B", r"\h+", r"\H", r"a\Z", r"\<a|\>", "^a",
    "a$", "^", "$", "a{1,3}+b?", "a{2}?", "a{2}?b|.", "a{,2}", "a{2}{2}", "a++?", "a+?+b",
    "(?m:a.)", "(?m)a.|b", "(?<x>a)b", "a(?i)b|c", "(a(?i)b)b|.", "(?#x)a", "(?i-m:a)b",
    "[[a]b]", "[a[^b]]", "[^a[^b]]", "[a-c&&b-d]", "[^a-c&&b]+", r"[\w&&[^\d_]]+",
    "[[:punct:]]+", "[[:alpha:][:^digit:]]", "[[:^word:]]", "[[:upper:]][[:lower:]]*",
    r"[\h\H]", r"[\]\-a]", "a{", "]}", r"(?<=\n)a|(?<!a)b", r"\e|\u3042|\x41|\x{732b}",
    r"[\p{^L}]", r"\p{^Lu}", "(?>ab|a)b", "(?=a{2})a", r"\p{Han}+", "(?<=(a))b++(?>c)",
]  # fmt: skip
REFUSED = {
    r"\pL+": r"\p",
    r"\p{Punct}": r"\p{Punct}",
    r"\p{Script=Han}": r"\p{Script=Han}",
    r"\U00000061": r"\U",
    r"\xe9": r"\xe9",
    r"\N+": r"\N",
    r"\R": r"\R",
    r"\X": r"\X",
    r"a\Kb": r"\K",
    r"\G": r"\G",
    r"(a)\1": r"\1",
    "(?x: a)": "(?x:",
    "(?s:.)": "(?s:",
    "(?~a)": "(?~",
    "a{3,1}": "{3,1}",
    "*a": "*",
    "[]a]": "[]",
    "[a-c-e]": "[a-c-e]",
    r"[\d-x]": r"[\d-x]",
    "[&&a]": "[&&a]",
    "[[a&&b]c]": "[a&&b]",
    "[[:graph:]]": "[:graph:]",
    "(?i:ß)": "ss in any case",
    "(?i:ss)|.": "ss in any case",
    r"(?i:\p{Lu})": r"\p{Lu} in any case",
    "(?<=a?+)b": "?+",
    "(?<!(a|b)*+)c": "*+",
    "(?<=x(?=a++))b": "++",
    "(?<=(?>a|ab))c": "(?>",
}
"""Pattern → the part that is named."""

ALPHABET = [*"aabbcABC猫あア \n\n.-²½12_é{}]&^|($\x1bⒶ\u200d\u3000Kk", "\u212a"]


def both(split: Split) -> tuple[Any, kugiri.Tokenizer]:
    """The pre-tokenizer of tokenizers, and a tokenizer as it is read from its file."""
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    assert isinstance(split.pattern, Regex)
    pattern = library.Regex(split.pattern.regex)
    theirs = library.pre_tokenizers.Split(pattern, split.behavior, split.invert)
    spec = TokenizerSpec(BPE(vocab=BYTES), pre_tokenizer=split, origin="tokenizer.json")
    return theirs, kugiri.Tokenizer(spec)


def runs(readable: ReferenceTokenizer) -> bool:
    """Whether the readable engine has the tables; it has none of scripts, and of Alphabetic."""
    try:
        pre_tokens(readable, "a")
    except OptionError:
        return False
    return True


def compare(split: Split, chance: random.Random, times: int) -> None:
    theirs, ours = both(split)
    readable = ReferenceTokenizer(ours.spec)
    both_run = runs(readable)
    for _ in range(times):
        text = "".join(chance.choices(ALPHABET, k=chance.randrange(12)))
        expected = theirs.pre_tokenize_str(text)
        assert ours.pre_tokenize(text) == expected, text
        if both_run:
            assert pre_tokens(readable, text) == expected, text


@pytest.mark.parametrize("pattern", READ)
def test_cut_as_there(pattern: str) -> None:
    for behavior in BEHAVIORS:
        compare(Split(Regex(pattern), behavior), random.Random(pattern), 20)


@pytest.mark.parametrize("pattern", REFUSED)
def test_refused_by_name(pattern: str) -> None:
    spec = TokenizerSpec(BPE(vocab=BYTES), pre_tokenizer=Split(Regex(pattern)))
    tok = kugiri.Tokenizer(
        TokenizerSpec(spec.model, pre_tokenizer=spec.pre_tokenizer, origin="tokenizer.json")
    )
    with pytest.raises(OptionError) as refused:
        tok.encode("a")
    assert f"holds {REFUSED[pattern]!r}, which means something else" in str(refused.value)


@pytest.mark.parametrize("pattern", [*REFUSED, "(|a)+", "(?<=a*)b", "("])
@pytest.mark.parametrize("part", ["normalizer", "pre_tokenizer", "decoder"])
def test_refused_on_load(pattern: str, part: str) -> None:
    if part == "pre_tokenizer":
        fields = {"type": "Split", "behavior": "Isolated", "invert": False}
    else:
        fields = {"type": "Replace", "content": ""}
    with pytest.raises(FormatError, match="the pattern "):
        kugiri.load(document(**{part: fields | {"pattern": {"Regex": pattern}}}).encode())


def test_a_pattern_of_our_own_is_left_as_it_is() -> None:
    spec = TokenizerSpec(BPE(vocab=BYTES), pre_tokenizer=Split(Regex("(?m:^)a")))
    assert [word for word, _ in kugiri.Tokenizer(spec).pre_tokenize("ba\na")] == ["ba\n", "a"]
    assert from_oniguruma("(?m:^)a") == r"(?s:(?:\A|(?<=\n)(?!\z)))a"


# ── patterns made at random ───────────────────────────────────────────────────────────────────
CHARACTERS = [
    "a", "b", "猫", " ", ".", r"\s", r"\S", r"\w", r"\W", r"\d", r"\h", r"\p{L}", r"\p{^L}",
    "^", "$", r"\A", r"\z", r"\Z", r"\n", "-", "2", "²", "{", "]", r"\p{Han}",
]  # fmt: skip
AROUND = [
    "(?={})", "(?!{})", "(?<=a)", "(?<!ab|b)", "(?>{})", r"\b", r"\B", "(?i:{})", "(?i){}",
    "(?m:{})", "(?-i:{})", "(?<n>{})", "({})",
]  # fmt: skip
TIMES = [
    *["", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{1,2}+", "{2}?"],
    *["++", "*+", "?+", "{,2}", "{2,}", "{2}{2}", "+?+"],
]
IN_CLASS = [
    "a", "b", "a-c", r"\d", r"\w", r"\W", r"\s", r"\S", r"\h", "[:punct:]", "[:^space:]",
    "[:alpha:]", "[:word:]", r"\p{L}", r"\P{L}", "猫", "ぁ-ん", "²", r"\-", "&", "|", "(", ".",
    "$", r"\x{41}-\x{43}",
]  # fmt: skip


def a_class(chance: random.Random, depth: int) -> str:
    def item() -> str:
        within = depth and chance.random() < 0.2
        return a_class(chance, depth - 1) if within else chance.choice(IN_CLASS)

    body = "".join(item() for _ in range(chance.randrange(1, 4)))
    both_sides = f"{body}&&{item()}" if depth == 2 and chance.random() < 0.2 else body
    return f"[{chance.choice(['', '', '^'])}{both_sides}]"


def a_part(chance: random.Random, depth: int) -> str:
    kind = chance.random()
    if not depth or kind < 0.45:
        return chance.choice(CHARACTERS) + chance.choice(TIMES)
    if kind < 0.7:
        return a_class(chance, 2) + chance.choice(TIMES)
    if kind < 0.82:
        return f"(?:{a_regex(chance, depth - 1)}){chance.choice(TIMES)}"
    return chance.choice(AROUND).format(a_regex(chance, depth - 1))


def a_regex(chance: random.Random, depth: int = 2) -> str:
    ways = chance.choice([1, 1, 2, 3])
    parts = (range(chance.randrange(1, 4)) for _ in range(ways))
    return "|".join("".join(a_part(chance, depth) for _ in several) for several in parts)


def is_regex_there(split: Split) -> bool:
    try:
        both(split)
    except Exception as error:  # tokenizers has no class of its own for this
        if type(error) is not Exception:
            raise
        return False
    return True


@pytest.mark.parametrize("seed", range(100))
def test_random_patterns(seed: int) -> None:
    chance = random.Random(seed)
    behavior: Behavior = chance.choice(BEHAVIORS)
    split = Split(Regex(a_regex(chance)), behavior, chance.random() < 0.3)
    if is_regex_there(split):
        with suppress(OptionError, EncodingError):  # refused by name, or too costly
            compare(split, chance, 12)
