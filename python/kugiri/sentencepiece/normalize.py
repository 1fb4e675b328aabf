"""The normalizer of a SentencePiece training, and how it rewrites many texts.

Rule.    That of reference/normalize.py. Where no character of a text can be the second of a rule,
         each is looked up alone; other texts go the long way.
Cost.    Some ten nanoseconds a character, or microseconds on the long way. A second for making the
         rules of a name, once a process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from kugiri.reference.alignment import Aligned
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.normalize import normalize
from kugiri.reference.rules import read_tsv
from kugiri.reference.rules import table as rules_of
from kugiri.reference.vocab import SPACE
from kugiri.sentencepiece.asked import lines_of
from kugiri.sentencepiece.options import SentencePieceOptions
from kugiri.spec import SentencePieceNormalizer

_SPACES = re.compile("  +")


@dataclass(frozen=True)
class Rules:
    """Rules of rewriting, in the forms that they are needed in.

    Attributes:
        charsmap: all of them, compiled.
        alone: those for a single character, as str.translate takes them.
        second: finds a character that is the second or a later one of a rule.
        makes_spaces: whether a rule makes several spaces in a row, which may not be drawn together.
    """

    charsmap: bytes
    alone: Mapping[int, str]
    second: re.Pattern[str] | None
    makes_spaces: bool

    @classmethod
    def of(cls, rules: Mapping[str, str]) -> Rules:
        """Rules, key → replacement.

        Raises:
            OptionError: a rule that sentencepiece would not take.
        """
        second = sorted({character for key in rules for character in key[1:]})
        return cls(
            compile_charsmap(rules),
            {ord(key): to for key, to in rules.items() if len(key) == 1},
            re.compile(f"[{''.join(map(re.escape, second))}]") if second else None,
            any("  " in to for to in rules.values()),
        )


@cache
def rules_by_name(name: str) -> Rules:
    """The rules of a name."""
    return Rules.of(rules_of(name))


def quick_normalizer(normalizer: SentencePieceNormalizer, rules: Rules) -> Callable[[str], str]:
    """What normalizes a text; `rules` are those of the normalizer's charsmap.

    Example:
        >>> quick_normalizer(SentencePieceNormalizer(), Rules.of({"Ａ": "A"}))(" Ａ  b")
        '▁A▁b'
    """
    alone, second = rules.alone, rules.second
    remove_extra = normalizer.remove_extra_whitespaces
    prefix = suffix = ""
    if normalizer.add_dummy_prefix:
        prefix, suffix = ("", SPACE) if normalizer.treat_whitespace_as_suffix else (SPACE, "")

    def quick(text: str) -> str:
        written = text.translate(alone) if alone else text
        is_plain = second is None or second.search(text) is None
        if not is_plain or rules.makes_spaces or not written.strip(" "):
            return normalize(Aligned.of(text), normalizer).text
        if remove_extra:
            written = _SPACES.sub(" ", written).lstrip(" ")
        written = (prefix + written).replace(" ", SPACE)
        return (written.rstrip(SPACE) if remove_extra else written) + suffix

    return quick


def normalizer_of(options: SentencePieceOptions) -> tuple[SentencePieceNormalizer, Rules]:
    """The normalizer that the options ask for, and its rules.

    Raises:
        OptionError: the file of rules cannot be read, or has something else in it.
    """
    name, path = options.normalization_rule_name, options.normalization_rule_tsv
    if path:
        name = "user_defined"
        rules = Rules.of(read_tsv("\n".join(lines_of("normalization_rule_tsv", path))))
    else:
        rules = rules_by_name(name)
    normalizer = SentencePieceNormalizer(
        name=name,
        charsmap=rules.charsmap,
        add_dummy_prefix=options.add_dummy_prefix,
        remove_extra_whitespaces=options.remove_extra_whitespaces,
        treat_whitespace_as_suffix=options.treat_whitespace_as_suffix,
        rule_tsv=path,
    )
    return normalizer, rules


def denormalizer_of(options: SentencePieceOptions) -> SentencePieceNormalizer | None:
    """What rewrites decoded text, if the options ask for it.

    Raises:
        OptionError: the file of rules cannot be read, or has something else in it.
    """
    path = options.denormalization_rule_tsv
    if not path:
        return None
    table = read_tsv("\n".join(lines_of("denormalization_rule_tsv", path)))
    return SentencePieceNormalizer(
        name="user_defined",
        charsmap=compile_charsmap(table),
        add_dummy_prefix=False,
        remove_extra_whitespaces=False,
        escape_whitespaces=False,
        rule_tsv=path,
    )
