"""The normalizer and the denormalizer of a SentencePiece training.

Cost.    A second for making the rules of a name, once a process, unless they are ready made.
"""

from __future__ import annotations

import zlib
from importlib.resources import files

from kugiri import unicode
from kugiri.reference.compile_charsmap import compile_charsmap
from kugiri.reference.rules import charsmap, read_tsv
from kugiri.sentencepiece.asked import lines_of
from kugiri.sentencepiece.options import SentencePieceOptions
from kugiri.spec import SentencePieceNormalizer

READY_MADE = ("nmt_nfkc",)
"""The names whose rules are not made anew in every process, see tools/make_rules.py."""


def charsmap_of(name: str) -> bytes:
    """The compiled rules of a name."""
    if name in READY_MADE:
        packed = files(unicode).joinpath(f"charsmap-{name}.z").read_bytes()
        return zlib.decompress(packed)
    return charsmap(name)


def normalizer_of(options: SentencePieceOptions) -> SentencePieceNormalizer:
    """The normalizer that the options ask for.

    Raises:
        OptionError: the file of rules cannot be read, or has something else in it.
    """
    name, path = options.normalization_rule_name, options.normalization_rule_tsv
    if path:
        name = "user_defined"
        table = compile_charsmap(read_tsv("\n".join(lines_of("normalization_rule_tsv", path))))
    else:
        table = charsmap_of(name)
    return SentencePieceNormalizer(
        name=name,
        charsmap=table,
        add_dummy_prefix=options.add_dummy_prefix,
        remove_extra_whitespaces=options.remove_extra_whitespaces,
        treat_whitespace_as_suffix=options.treat_whitespace_as_suffix,
        rule_tsv=path,
    )


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
