"""The pieces that are given, and how the vocabulary of a SentencePiece training is put together.

Rule.    The pieces for the unknown, begin, end and padding have the ids that their options say.
         Control symbols, user-defined symbols and bytes take the lowest ids that are free, in this
         order; one that is spelled like the piece for begin, end or padding only changes its type.
         Learned pieces fill the ids between and after.
Source.  sentencepiece 0.2.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kugiri.errors import OptionError, VocabularyError
from kugiri.formats.sentencepiece_pieces import Piece
from kugiri.reference.vocab import SPACE
from kugiri.sentencepiece.options import SentencePieceOptions
from kugiri.spec import PieceType


class Given(NamedTuple):
    """A piece that is given, not learned."""

    text: str
    type: PieceType


def given_pieces(options: SentencePieceOptions) -> dict[int, Given]:
    """The given pieces by id.

    Raises:
        OptionError: two pieces have one id, or one string.
        VocabularyError: an id is outside of the vocabulary.

    Example:
        >>> options = SentencePieceOptions(control_symbols=("<mask>",), eos_id=5)
        >>> {id: piece.text for id, piece in sorted(given_pieces(options).items())}
        {0: '<unk>', 1: '<s>', 2: '<mask>', 5: '</s>'}
    """
    given: dict[int, Given] = {}
    for name in ("unk", "bos", "eos", "pad"):
        _add_role(given, name, options)
    roles = {piece.text: id for id, piece in given.items()}
    free = 0
    seen: set[str] = set()
    for text, type in _symbols(options):
        if text in seen:
            raise OptionError(f"the symbol {text!r} is given twice; give it once")
        if not text:
            raise OptionError("a symbol is empty; leave it out")
        if text == options.unk_piece:
            raise OptionError(
                f"{text!r} is the piece of the unknown and cannot be a control or user-defined "
                f"symbol too; leave it out, or name another unk_piece"
            )
        seen.add(text)
        if text in roles:
            given[roles[text]] = Given(text, type)
            continue
        while free in given:
            free += 1
        given[free] = Given(text, type)
    return given


def _add_role(given: dict[int, Given], name: str, options: SentencePieceOptions) -> None:
    id, text = getattr(options, f"{name}_id"), getattr(options, f"{name}_piece")
    if id < 0:
        return
    if id >= options.vocab_size and not options.use_all_vocab:
        raise VocabularyError(
            f"{name}_id={id} is outside of the vocabulary, whose ids are 0 to "
            f"{options.vocab_size - 1}; use a smaller id, or -1 for no such piece"
        )
    for other, piece in given.items():
        if other == id or piece.text == text:
            what = f"id {id}" if other == id else f"string {text!r}"
            raise OptionError(
                f"{name}_piece {text!r} and the piece {piece.text!r} have one {what}; give them "
                f"different ones, or switch one off with the id -1"
            )
    given[id] = Given(text, PieceType.UNKNOWN if name == "unk" else PieceType.CONTROL)


def _symbols(options: SentencePieceOptions) -> Iterator[Given]:
    for text in options.control_symbols:
        yield Given(text, PieceType.CONTROL)
    for text in options.user_defined_symbols:
        yield Given(text, PieceType.USER_DEFINED)
        if options.model_type == "word" and not text.startswith(SPACE):
            yield Given(SPACE + text, PieceType.USER_DEFINED)
    for byte in range(256) if options.byte_fallback else ():
        yield Given(f"<0x{byte:02X}>", PieceType.BYTE)


def vocabulary(
    given: Mapping[int, Given], learned: Mapping[str, float], options: SentencePieceOptions
) -> list[Piece]:
    """All pieces in order of id.

    Raises:
        VocabularyError: there are fewer than vocab_size, or an id is left without a piece.
    """
    size = len(given) + len(learned)
    if reason := too_large(size, options):
        raise VocabularyError(reason)
    rest = iter(learned.items())
    rows = []
    for id in range(size):
        if id in given:
            rows.append(Piece(given[id].text.encode(), 0.0, int(given[id].type)))
            continue
        text, score = next(rest, ("", 0.0))
        if not text:
            raise VocabularyError(
                f"id {max(given)} is given to {given[max(given)].text!r}, but only {size} pieces "
                f"came out; use a smaller id"
            )
        rows.append(Piece(text.encode(), score, int(PieceType.NORMAL)))
    return rows


def too_large(largest: int, options: SentencePieceOptions) -> str:
    """Why vocab_size is too large, or nothing."""
    is_soft = not options.hard_vocab_limit or options.model_type == "char" or options.use_all_vocab
    if is_soft or options.vocab_size <= largest:
        return ""
    return (
        f"vocab_size={options.vocab_size} cannot be reached: this corpus gives {largest} pieces, "
        f"given ones included; use vocab_size={largest} or less, more text, or "
        f"hard_vocab_limit=False"
    )


def smallest_size(
    given: Mapping[int, Given], alphabet: Mapping[str, int], options: SentencePieceOptions
) -> int:
    """The given pieces, and the alphabet where the model cannot be without."""
    needs_alphabet = options.model_type in ("bpe", "unigram")
    return len(given) + (len(alphabet) if needs_alphabet else 0)


def too_small(
    given: Mapping[int, Given], alphabet: Mapping[str, int], options: SentencePieceOptions
) -> str:
    """Why vocab_size is too small, or nothing."""
    smallest = smallest_size(given, alphabet, options)
    if options.vocab_size >= smallest or options.use_all_vocab:
        return ""
    return (
        f"vocab_size={options.vocab_size} is below the {smallest} that this corpus needs "
        f"({smallest - len(given)} characters and {len(given)} given pieces); "
        f"use vocab_size={smallest} or more, or a lower character_coverage"
    )
