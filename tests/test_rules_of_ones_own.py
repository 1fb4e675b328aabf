"""Tables and charsmaps that come from outside: what they say, or what is wrong with them."""

from __future__ import annotations

import random

import pytest

from kugiri.errors import FormatError, OptionError
from kugiri.reference.charsmap import Charsmap
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.rules import read_tsv

CODE_POINTS = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, 0x110000)]))


@pytest.mark.parametrize(
    ("tsv", "rules"),
    [
        ("41\t42\n", {"A": "B"}),
        ("41\t42", {"A": "B"}),
        ("41\t42\r\n43\t44\r\n", {"A": "B", "C": "D"}),
        ("41\n", {"A": ""}),
        ("41\t\n", {"A": ""}),
        ("u\t1\n".replace("u", "U+FF76 U+FF9E"), {"ｶﾞ": "\x01"}),
        ("41\t42\tＡ\u2028 => \x85\n", {"A": "B"}),
        (" 41  42 \t43\n", {"AB": "C"}),
        ("1f600\t3A 29\n", {"😀": ":)"}),
        ("41\t42\n41\t42\n", {"A": "B"}),
        ("", {}),
    ],
)
def test_tables(tsv: str, rules: dict[str, str]) -> None:
    assert read_tsv(tsv) == rules


@pytest.mark.parametrize(
    ("tsv", "message"),
    [
        ("41\t42\nzz\t43\n", r"line 2 of the rules is 'zz\\t43'; it must be code points"),
        ("\n", "line 1 .*code points"),
        ("41\t42\n\n43\t44\n", "line 2 .*code points"),
        ("\t42\n", "line 1 .*code points"),
        ("# comment\n", "line 1 .*code points"),
        ("A→B\n", "line 1 .*code points"),
        ("41 => 42\n", "line 1 .*code points"),
        ("41\t42 # B\n", "line 1 .*code points"),
        ("+41\t42\n", "line 1 .*code points"),
        ("4_1\t42\n", "line 1 .*code points"),
        ("４１\t42\n", "line 1 .*code points"),
        ("110000\t41\n", "line 1 .*code points"),
        ("FFFFFFFFFFFF\t41\n", "line 1 .*code points"),
        ("D800\t41\n", "line 1 .*code points"),
        ("41\tDFFF\n", "line 1 .*code points"),
        ("0\t41\n", "line 1 .*code points"),
        ("41\t42 0\n", "line 1 .*code points"),
        ("41\t41\n", "line 1 .*changes nothing"),
        ("41\t42\n41\t43\n", "line 2 .*something else of the same"),
        ("41\t42\n41\n", "line 2 .*something else of the same"),
    ],
)
def test_tables_that_are_none(tsv: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        read_tsv(tsv)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"": "a"}, "empty key"),
        ({"a\0": "b"}, "null character"),
        ({"a": "\0"}, "null character"),
        ({"a": "a"}, "changes nothing"),
        ({"a" * n: "b" for n in range(1, 33)}, "32 keys are each the beginning of the next"),
    ],
)
def test_rules_that_cannot_be(rules: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        compile_charsmap(rules)


def test_long_and_many() -> None:
    rules = {"a" * 5000 + "b": "c", "x" * 5000: "y" * 5000}
    assert Charsmap(compile_charsmap(rules)).rules() == rules
    chance = random.Random(2)
    rules = {"".join(chance.choices(CODE_POINTS, k=3)): "x" for _ in range(5_000)}
    assert Charsmap(compile_charsmap(rules)).rules() == dict(sorted(rules.items()))


def test_hostile_charsmaps() -> None:
    good = compile_charsmap({"a": "b", "あい": "う", "a\u0301": "á"})
    for cut in range(len(good)):
        with pytest.raises(FormatError):
            Charsmap(good[:cut]).rules()
    chance = random.Random(3)
    for _ in range(2000):
        bad = bytearray(good)
        for _ in range(chance.randrange(1, 6)):
            bad[chance.randrange(4 + 1024)] = chance.randrange(256)
        try:
            read = Charsmap(bytes(bad))
            read.longest("aáあい".encode(), 0)
            read.rules()
        except FormatError:
            pass
