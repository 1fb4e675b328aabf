"""Normalizing: spell what means the same in the same way, before it is cut.

Rule.    Each step rewrites the text of the step before and says where each character came from.
         SentencePiece's goes through the text chunk by chunk: a user-defined symbol as it stands,
         else the longest key of the charsmap, else one character. Then spaces: with
         remove_extra_whitespaces none at the ends and one in a row, with escape_whitespaces shown
         as ▁, with add_dummy_prefix one put before the text (behind it as a suffix).
Cost.    That of its steps; none without a normalizer.
Source.  SentencePiece 0.2.3; normalizers.py has the steps of tokenizers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kugiri.encoding import Span
from kugiri.reference import normalizers
from kugiri.reference.alignment import Aligned, Place
from kugiri.reference.charsmap import charsmap
from kugiri.reference.user_defined import UserDefined
from kugiri.reference.vocab import SPACE
from kugiri.spec import Normalizer, Normalizers, SentencePieceNormalizer
from kugiri.unicode import CURRENT, NEWEST


def normalize(
    text: Aligned,
    normalizer: Normalizer | None,
    user_defined: UserDefined | None = None,
    unicode_version: str = CURRENT,
) -> Aligned:
    """Rewrite a text; the user-defined symbols in it stay as they are.

    The steps of tokenizers follow its own tables, but with unicode_version "17.0" the newest.

    Raises:
        OptionError: a step that this engine does not run.

    Example:
        >>> normalize(Aligned.of(" a  b"), SentencePieceNormalizer())
        Aligned(text='▁a▁b', spans=((1, 1), (1, 2), (2, 3), (4, 5)), end=5)
    """
    match normalizer:
        case None:
            return text
        case Normalizers():
            for step in normalizer.normalizers:
                text = normalize(text, step, user_defined, unicode_version)
            return text
        case SentencePieceNormalizer():
            return _sentencepiece(text, normalizer, user_defined or UserDefined())
        case _:
            version = normalizers.CURRENT if unicode_version == NEWEST else normalizers.FROZEN
            return normalizers.rewrite(text, normalizer, version)


def _sentencepiece(
    text: Aligned, rule: SentencePieceNormalizer, user_defined: UserDefined
) -> Aligned:
    """Rewrite chunk by chunk, and set the spaces."""
    chunks = list(_chunks(text, rule.charsmap, user_defined))
    while chunks and rule.remove_extra_whitespaces and chunks[0][0] == " ":
        del chunks[0]
    if not chunks:
        return text.rewritten([])
    space = SPACE if rule.escape_whitespaces else " "
    placed: list[tuple[str, Span]] = []  # each character, with the bytes behind it
    begin, _ = chunks[0][1]
    if rule.add_dummy_prefix and not rule.treat_whitespace_as_suffix:
        placed.append((space, (begin, begin)))
    after_space = rule.remove_extra_whitespaces
    for replacement, span in chunks:
        shown = replacement.lstrip(" ") if after_space else replacement
        placed += [(space if character == " " else character, span) for character in shown]
        if shown:
            after_space = rule.remove_extra_whitespaces and shown.endswith(" ")
    end = text.end
    while placed and rule.remove_extra_whitespaces and placed[-1][0] == space:
        _, (end, _) = placed.pop()
    if rule.add_dummy_prefix and rule.treat_whitespace_as_suffix:
        placed.append((space, (end, end)))
    return replace(text.rewritten(Place(shown, span, span) for shown, span in placed), end=end)


def _chunks(text: Aligned, table: bytes, user_defined: UserDefined) -> Iterator[tuple[str, Span]]:
    """Each chunk of a text as what it is rewritten to, with the bytes behind it."""
    data = text.text.encode()
    at = byte = 0  # the same place in characters and in bytes
    while at < len(text):
        chunk = replacement = user_defined.longest(text.text, at)
        if not chunk:
            found = charsmap(table).longest(data, byte) if table else None
            replacement, size = found or (text.text[at], len(text.text[at].encode()))
            chunk = data[byte : byte + size].decode()
        yield replacement, text[at : at + len(chunk)].span
        at += len(chunk)
        byte += len(chunk.encode())
