"""A spec that somebody wrote by hand, checked as one from a file is.

Rule.    Each field holds what its class in spec.py says, and the templates name tokens that they
         describe. The tables are left out: native.check_tables looks at them.
Cost.    One visit a field, one an added token.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from kugiri import dictionaries
from kugiri.errors import FormatError, KugiriError, OptionError, shown
from kugiri.formats.growth import check_growth
from kugiri.formats.json_parts import convert
from kugiri.reference.post_process import layout
from kugiri.spec import (
    PostProcessor,
    PostProcessors,
    PreTokenizer,
    SpecialPiece,
    TemplateProcessing,
    TokenizerSpec,
    dictionaries_of,
)
from kugiri.tables import Column, Merges, Tokens
from kugiri.warned import warn


def check_spec(spec: TokenizerSpec) -> None:
    """Check all that is no table.

    Raises:
        FormatError: a field has a value that it may not have, a template names no token, or a text
            would grow without end.
        KugiriError: a dictionary that it cuts by is not installed, or in another version.

    Example:
        >>> from kugiri.spec import BPE, Punctuation
        >>> check_spec(TokenizerSpec(BPE(Tokens.from_iter([b"a"])), pre_tokenizer=Punctuation("x")))
        Traceback (most recent call last):
        ...
        kugiri.errors.FormatError: spec.pre_tokenizer.behavior is 'x'; allowed: removed, isolated,
        merged_with_previous, merged_with_next, contiguous
    """
    try:
        plain = msgspec.to_builtins(spec, enc_hook=_without_tables)
    except (TypeError, ValueError, RecursionError) as error:
        raise FormatError(f"spec holds what no tokenizer has: {error}") from error
    try:
        msgspec.json.encode(plain)
    except UnicodeEncodeError as error:
        raise FormatError(
            f"spec has a lone surrogate, which no file can hold: {shown(error.object)}"
        ) from error
    convert(plain, TokenizerSpec, "spec")
    if spec.padding is not None and None in (spec.padding.pad_id, spec.padding.pad_token):
        raise FormatError("spec.padding has no pad_id or no pad_token; a file needs both")
    _check_dictionaries(spec.pre_tokenizer)
    _check_templates(spec.post_processor)
    _check_layouts(spec.post_processor)
    check_growth(spec.normalizer, "normalizer")
    check_growth(spec.decoder, "decoder")


def _without_tables(value: Any) -> None:
    if not isinstance(value, Tokens | Merges | Column):
        raise TypeError(f"a {type(value).__name__} is no plain data")


def _check_dictionaries(pre_tokenizer: PreTokenizer | None) -> None:
    """Whether the dictionaries are there that the ids depend on."""
    for step in dictionaries_of(pre_tokenizer):
        there = dictionaries.installed(step.name, step.dictionary.package)
        package, version = there.dictionary
        if version != step.dictionary.version:
            raise KugiriError(
                f"this tokenizer cuts words by {package} {step.dictionary.version}, and "
                f"{package} {version} is installed, whose words may be others, and so the ids; "
                f"pip install {package}=={step.dictionary.version}, or train the tokenizer anew"
            )
        library, version = there.library
        if version != step.library.version:
            warn(
                f"this tokenizer cut words by {library} {step.library.version}, and {library} "
                f"{version} is installed; if ids must be the same for certain, pip install "
                f"{library}=={step.library.version}",
                stacklevel=4,
            )


def _check_templates(processor: PostProcessor | None) -> None:
    if isinstance(processor, PostProcessors):
        for step in processor.processors:
            _check_templates(step)
    if not isinstance(processor, TemplateProcessing):
        return
    described = processor.special_tokens
    for piece in (*processor.single, *processor.pair):
        if isinstance(piece, SpecialPiece) and piece.id not in described:
            raise FormatError(
                f"the template of the post-processor names the token {piece.id!r}, which its "
                f"special_tokens do not describe ({', '.join(map(repr, described)) or 'none'}); "
                f"describe it there, or leave it out of the template"
            )
    for name, token in described.items():
        if len(token.ids) != len(token.tokens):
            raise FormatError(
                f"the token {name!r} of the post-processor's template has {len(token.ids)} ids and "
                f"{len(token.tokens)} strings; there must be as many of each"
            )


def _check_layouts(processor: PostProcessor | None) -> None:
    """Whether what stands around a text and around a pair is known and not too long."""
    for texts in (1, 2):
        for add_special_tokens in (False, True):
            with suppress(OptionError):  # which is for who asks for it
                layout(processor, texts, add_special_tokens)
