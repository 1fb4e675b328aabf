"""The normalization rules that a SentencePiece tokenizer can be trained with, by name.

Rule.    A table says what each sequence of characters becomes. For NFD and NFKD it has each
         character that decomposes. NFC and NFKC also have each sequence that may stand for a
         decomposed character, all of whose parts are spelled in every way they can be, unless
         shorter rules give the same. nmt_ adds rules for spaces and control characters, and _cf
         folds case: of what rules give, and of characters without a rule.
Cost.    Half a second for NFKC's 225,000 rules, another for its charsmap, which is kept.
Source.  sentencepiece 0.2.3, whose own tables are equal to these, rule by rule: Unicode 17.0.
         It comes with tables for nmt_nfkc, nfkc, nmt_nfkc_cf and nfkc_cf alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from itertools import product

from kugiri.errors import OptionError
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.normal_forms import SYLLABLE_COUNT, SYLLABLES, Form, normal_forms
from kugiri.unicode import case_folding, decompositions

NAMES = (
    "nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "nfc", "nfd", "nfkd", "identity",
)  # fmt: skip

NMT_SPACES = "\t\n\f\r\u061c\u1680\u200b\u200c\u200e\u200f\u2028\u2029▁\ufeff\ufffd"
"""What nmt_ makes a space: no visible text, but it may stand between words. Not U+200D."""

NMT_DELETED = [*range(0x01, 0x09), 0x0B, *range(0x0E, 0x20), 0x7F, 0x8F, 0x9F]
"""The control characters that nmt_ deletes."""

FULL_WIDTH_TILDE = "\uff5e"
"""～, which nmt_ leaves as it is: in Japanese it is another sign than ~."""

FORMS: dict[str, tuple[Form, Form]] = {
    "nfc": ("NFC", "NFD"),
    "nfd": ("NFD", "NFD"),
    "nfkc": ("NFKC", "NFKD"),
    "nfkd": ("NFKD", "NFKD"),
}
"""Each normal form with the one that only decomposes."""

CODE_POINT = re.compile(r"(?:U\+)?([0-9A-Fa-f]{1,6})")


@cache
def charsmap(name: str) -> bytes:
    """The charsmap of the rules of a name; empty for "identity".

    Raises:
        OptionError: there are no rules of that name.
    """
    return compile_charsmap(table(name))


def table(name: str) -> dict[str, str]:
    """The rules of a name: what is rewritten → what it becomes.

    Raises:
        OptionError: there are no rules of that name.

    Example:
        >>> rules = table("nmt_nfkc")
        >>> rules["ｶﾞ"], rules["①"], rules["㍿"], "～" in rules
        ('ガ', '1', '株式会社', False)
    """
    if name not in NAMES:
        raise OptionError(f"there are no rules {name!r}; there are {', '.join(NAMES)}")
    if name == "identity":
        return {}
    rules = _normal_form(name.removeprefix("nmt_").removesuffix("_cf"))
    if name.startswith("nmt_"):
        rules |= dict.fromkeys(NMT_SPACES, " ") | dict.fromkeys(map(chr, NMT_DELETED), "")
        del rules[FULL_WIDTH_TILDE]
    if name.endswith("_cf"):
        folded = str.maketrans(case_folding())
        rules = case_folding() | {key: to.translate(folded) for key, to in rules.items()}
    return rules


def _normal_form(name: str) -> dict[str, str]:
    """The rules of nfc, nfd, nfkc or nfkd."""
    form, decomposing = FORMS[name]
    forms = normal_forms()
    rules: dict[str, str] = {}
    spellings: defaultdict[str, list[str]] = defaultdict(list)  # of one decomposed character
    sequences: set[str] = set()
    syllables = (chr(SYLLABLES + number) for number in range(SYLLABLE_COUNT))
    for character in (*decompositions(), *syllables):
        normal, decomposed = forms.text(form, character), forms.text(decomposing, character)
        if normal != character:
            rules[character] = normal
        if len(decomposed) > 1:
            sequences.add(decomposed)
        elif decomposed != character:
            spellings[decomposed].append(character)
    if form == decomposing:
        return rules
    for sequence, normal in _needed({each: forms.text(form, each) for each in sequences}).items():
        for spelled in product(*([part, *spellings[part]] for part in sequence)):
            rules["".join(spelled)] = normal
    return rules


def _needed(composed: Mapping[str, str]) -> dict[str, str]:
    """The rules whose result the shorter ones among them do not give already.

    Whether one is needed is asked of the decomposed spelling alone: all spellings of a part are
    rewritten alike.
    """
    needed: dict[str, str] = {}
    for sequence in sorted(composed, key=lambda sequence: (len(sequence), sequence)):
        if composed[sequence] not in (sequence, _rewrite(sequence, needed)):
            needed[sequence] = composed[sequence]
    return needed


def _rewrite(text: str, rules: Mapping[str, str]) -> str:
    """A text rewritten by rules, the longest that fits at each place."""
    written = ""
    while text:
        lengths = range(len(text), 0, -1)
        longest = next((text[:length] for length in lengths if text[:length] in rules), text[0])
        written += rules.get(longest, longest)
        text = text[len(longest) :]
    return written


def read_tsv(text: str) -> dict[str, str]:
    r"""Read rules from a table as sentencepiece has it: code points in hexadecimal, tab between.

    A line with one column deletes; what follows a second tab is a comment.

    Raises:
        OptionError: a line is no rule, or says something else than one before it.

    Example:
        >>> read_tsv("FF21\t41\tfull width\nU+0041 U+0042\t43\n200B\n")
        {'Ａ': 'A', 'AB': 'C', '\u200b': ''}
    """
    rules: dict[str, str] = {}
    lines = text.split("\n")  # nothing else: comments may hold other ends of lines
    for number, line in enumerate(lines[:-1] if lines[-1] == "" else lines, 1):
        key, replacement = (_characters(part) for part in [*line.split("\t"), ""][:2])
        if not key or replacement is None:
            wanted = (
                "it must be code points in hexadecimal with spaces between them, a tab, and those "
                "that they become"
            )
        elif key == replacement:
            wanted = "it changes nothing; leave it out"
        elif rules.setdefault(key, replacement) != replacement:
            wanted = "a line before it makes something else of the same; keep one of them"
        else:
            continue
        raise OptionError(f"line {number} of the rules is {line!r:.60}; {wanted}")
    return rules


def write_tsv(rules: Mapping[str, str]) -> str:
    r"""Write rules as such a table, in order, with the characters themselves as a comment.

    Example:
        >>> write_tsv({"Ａ": "A", "\u200b": ""})
        '200B\t\t# \u200b => \nFF21\t41\t# Ａ => A\n'
    """
    rows = (
        f"{_code_points(key)}\t{_code_points(to)}\t# {_shown(key)} => {_shown(to)}\n"
        for key, to in sorted(rules.items())
    )
    return "".join(rows)


def _characters(column: str) -> str | None:
    """The characters of a column; None where it is not one of code points."""
    found = [CODE_POINT.fullmatch(part) for part in column.rstrip("\r").split(" ") if part]
    codes = [int(match[1], 16) for match in found if match]
    possible = len(codes) == len(found) and all(
        0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF for code in codes
    )
    return "".join(map(chr, codes)) if possible else None


def _code_points(text: str) -> str:
    return " ".join(f"{ord(character):X}" for character in text)


def _shown(text: str) -> str:
    """A text with control characters as spaces, so that it stays on its line."""
    return "".join(character if character >= " " else " " for character in text)
