"""The normalizer of a SentencePiece training, and how it rewrites many texts.

Rule.    That of reference/normalize.py. Where no character of a text can be the second of a rule,
         each stands for itself, and str.translate does it; other texts go the long way.
Cost.    Some ten nanoseconds a character, or microseconds on the long way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kugiri.reference.alignment import Aligned
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.normalize import normalize
from kugiri.reference.rules import charsmap, read_tsv
from kugiri.reference.rules import table as rules_of
from kugiri.reference.vocab import SPACE
from kugiri.sentencepiece.options import SentencePieceOptions, lines_of
from kugiri.spec import SentencePieceNormalizer

_SPACES = re.compile("  +")


def quick_normalizer(
    normalizer: SentencePieceNormalizer, rules: Mapping[str, str]
) -> Callable[[str], str]:
    """What normalizes a text; `rules` are those of the normalizer's charsmap.

    Example:
        >>> quick_normalizer(SentencePieceNormalizer(), {})(" a  b")
        '▁a▁b'
    """
    alone = str.maketrans({key: to for key, to in rules.items() if len(key) == 1})
    second = {character for key in rules for character in key[1:]}
    is_long = re.compile("[" + re.escape("".join(sorted(second))) + "]") if second else None
    odd = any("  " in to for to in rules.values())

    def long_way(text: str) -> str:
        return normalize(Aligned.of(text), normalizer).text

    def quick(text: str) -> str:
        written = text.translate(alone) if alone else text
        if odd or not written.strip(" ") or (is_long is not None and is_long.search(text)):
            return long_way(text)
        if normalizer.remove_extra_whitespaces:
            written = _SPACES.sub(" ", written).lstrip(" ")
        space = SPACE if normalizer.escape_whitespaces else " "
        if normalizer.add_dummy_prefix and not normalizer.treat_whitespace_as_suffix:
            written = space + written
        written = written.replace(" ", space)
        if normalizer.remove_extra_whitespaces:
            written = written.rstrip(space)
        if normalizer.add_dummy_prefix and normalizer.treat_whitespace_as_suffix:
            written += space
        return written

    return quick


def normalizer_of(options: SentencePieceOptions) -> tuple[SentencePieceNormalizer, dict[str, str]]:
    """The normalizer that the options ask for, and the rules of its charsmap.

    Raises:
        OptionError: the file of rules cannot be read, or has something else in it.
    """
    name, path = options.normalization_rule_name, options.normalization_rule_tsv
    if path:
        table = read_tsv("\n".join(lines_of("normalization_rule_tsv", path)))
        name, compiled = "user_defined", compile_charsmap(table)
    else:
        table, compiled = rules_of(name), charsmap(name)
    normalizer = SentencePieceNormalizer(
        name=name,
        charsmap=compiled,
        add_dummy_prefix=options.add_dummy_prefix,
        remove_extra_whitespaces=options.remove_extra_whitespaces,
        treat_whitespace_as_suffix=options.treat_whitespace_as_suffix,
        rule_tsv=path,
    )
    return normalizer, table


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
