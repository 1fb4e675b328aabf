r"""Pre-tokenizing: where words begin and end before the model runs.

Rule.    Each step cuts the pieces of the step before, each piece on its own. No token ever crosses
         a cut. Empty pieces are dropped.
Cost.    That of the regex library, which may backtrack; the core has linear scanners for the named
         patterns.
Source.  tokenizers 0.23.3: the five behaviors, ByteLevel, Whitespace (`\w+|[^\w\s]+`).
"""

from __future__ import annotations

from dataclasses import replace

import regex

from kugiri.patterns import PATTERNS
from kugiri.reference.alignment import Aligned
from kugiri.reference.byte_alphabet import visible
from kugiri.reference.matches import matches
from kugiri.reference.not_run import not_run
from kugiri.reference.regex_classes import compile_pattern
from kugiri.spec import (
    Behavior,
    ByteLevel,
    PreTokenizer,
    PreTokenizers,
    Regex,
    Split,
    Whitespace,
    WhitespaceSplit,
)
from kugiri.unicode import CURRENT

# Splits that have a name of their own.
_WORDS_AND_SIGNS = Split(Regex(r"\w+|[^\w\s]+"), "removed", invert=True)
_WHITE_SPACE = Split(Regex(r"\s"), "removed")
_GPT2 = Split(Regex(PATTERNS["gpt2"]), "isolated")

# Behavior → when a stretch is glued to the one before it, as (that was a match, this is a match).
_GLUED: dict[Behavior, set[tuple[bool | None, bool]]] = {
    "removed": set(),
    "isolated": set(),
    "merged_with_previous": {(False, True)},
    "merged_with_next": {(True, False)},
    "contiguous": {(True, True), (False, False)},
}


def pre_tokenize(
    text: Aligned, pre_tokenizer: PreTokenizer | None, unicode_version: str = CURRENT
) -> list[Aligned]:
    """Cut a text into pre-tokens.

    Raises:
        OptionError: a step that this engine does not run.

    Example:
        >>> text = Aligned.of("low lower")
        >>> [word.text for word in pre_tokenize(text, Split(Regex(" "), "merged_with_next"))]
        ['low', ' lower']
    """
    match pre_tokenizer:
        case None:
            pieces = [text]
        case PreTokenizers():
            pieces = [text]
            for step in pre_tokenizer.pre_tokenizers:
                pieces = [
                    cut for piece in pieces for cut in pre_tokenize(piece, step, unicode_version)
                ]
        case Split():
            pieces = _split(text, pre_tokenizer, unicode_version)
        case Whitespace():
            pieces = _split(text, _WORDS_AND_SIGNS, unicode_version)
        case WhitespaceSplit():
            pieces = _split(text, _WHITE_SPACE, unicode_version)
        case ByteLevel():
            pieces = _byte_level(text, pre_tokenizer, unicode_version)
        case _:
            raise not_run("pre-tokenizer", pre_tokenizer)
    return [piece for piece in pieces if len(piece)]


def _split(text: Aligned, split: Split, unicode_version: str) -> list[Aligned]:
    """Cut by a pattern; its behavior says what becomes of the matches."""
    bounds: list[tuple[int, int]] = []
    before = None  # whether the stretch before was a match
    for start, end, is_match in _stretches(text.text, split, unicode_version):
        if (before, is_match) in _GLUED[split.behavior]:
            bounds[-1] = (bounds[-1][0], end)
        elif not (is_match and split.behavior == "removed"):
            bounds.append((start, end))
        before = is_match
    return [text[start:end] for start, end in bounds if start < end]


def _stretches(text: str, split: Split, unicode_version: str) -> list[tuple[int, int, bool]]:
    """The matches and what lies between them, in order; `invert` swaps the two."""
    pattern = split.pattern
    source = pattern.regex if isinstance(pattern, Regex) else regex.escape(pattern.text)
    stretches = []
    done = 0
    for start, end in matches(compile_pattern(source, unicode_version), text):
        if done < start:
            stretches.append((done, start, split.invert))
        # An empty match takes nothing, and still parts what is on its two sides.
        stretches.append((start, end, not split.invert))
        done = end
    if done < len(text):
        stretches.append((done, len(text), split.invert))
    return stretches


def _byte_level(text: Aligned, byte_level: ByteLevel, unicode_version: str) -> list[Aligned]:
    """Cut as GPT-2 does, then show each byte as its visible character."""
    if byte_level.add_prefix_space and text.text[:1] not in ("", " "):
        at, _ = text.span
        text = replace(text, text=" " + text.text, spans=((at, at), *text.spans))
    words = pre_tokenize(text, _GPT2, unicode_version) if byte_level.use_regex else [text]
    return [_show_bytes(word) for word in words]


def _show_bytes(word: Aligned) -> Aligned:
    """Show each byte as one character, which stands for that byte of the original."""
    placed = word.utf8()
    characters = visible(bytes(byte for byte, _ in placed))
    return replace(word, text=characters, spans=tuple(span for _, span in placed))
