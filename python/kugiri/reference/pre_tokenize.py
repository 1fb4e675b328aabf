r"""Pre-tokenizing: where words begin and end before the model runs.

Rule.    Each step cuts the pieces of the step before, or rewrites them, each piece on its own. No
         token ever crosses a cut. Empty pieces are dropped. What is put before a piece stands where
         its first character does.
Cost.    That of the regex library, which may backtrack; the core has linear scanners for the named
         patterns.
Source.  tokenizers 0.23.3, whose BertPreTokenizer is two others, and Whitespace `\w+|[^\w\s]+`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from kugiri.dictionaries import opened
from kugiri.encoding import Span
from kugiri.patterns import PATTERNS
from kugiri.reference.alignment import Aligned, Place
from kugiri.reference.byte_alphabet import show_bytes
from kugiri.reference.characters import is_number, is_punctuation, is_space, script_runs
from kugiri.reference.not_run import not_run
from kugiri.reference.regex_classes import matches
from kugiri.spec import (
    Behavior,
    BertPreTokenizer,
    ByteLevel,
    CharDelimiterSplit,
    Dictionary,
    Digits,
    FixedLength,
    Metaspace,
    PreTokenizer,
    PreTokenizers,
    Punctuation,
    Regex,
    Split,
    UnicodeScripts,
    Whitespace,
    WhitespaceSplit,
)
from kugiri.unicode import CURRENT

# Splits that have a name of their own.
_WORDS_AND_SIGNS = Split(Regex(r"\w+|[^\w\s]+"), "removed", invert=True)
_BERT = PreTokenizers((WhitespaceSplit(), Punctuation()))
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
        case Split(pattern, behavior, invert):
            pieces = _cut(text, matches(pattern, text.text, unicode_version), behavior, invert)
        case Whitespace():
            pieces = pre_tokenize(text, _WORDS_AND_SIGNS, unicode_version)
        case ByteLevel():
            pieces = _byte_level(text, pre_tokenizer, unicode_version)
        case BertPreTokenizer():
            pieces = pre_tokenize(text, _BERT)
        case Metaspace():
            pieces = _metaspace(text, pre_tokenizer)
        case Dictionary(name, _, dictionary):
            ends = opened(name, dictionary.package).ends(text.text)
            pieces = [text[start:end] for start, end in pairwise([0, *ends])]
        case _:
            pieces = _by_characters(text, pre_tokenizer)
    return [piece for piece in pieces if len(piece)]


def _by_characters(text: Aligned, pre_tokenizer: PreTokenizer) -> list[Aligned]:
    """Cut by what each character is, or by their number."""
    match pre_tokenizer:
        case WhitespaceSplit():
            return _cut(text, _each(text.text, is_space), "removed")
        case CharDelimiterSplit(delimiter):
            return _cut(text, _each(text.text, delimiter.__eq__), "removed")
        case Punctuation(behavior):
            return _cut(text, _each(text.text, is_punctuation), behavior)
        case Digits(individually):
            kept: Behavior = "isolated" if individually else "contiguous"
            return _cut(text, _each(text.text, is_number), kept)
        case FixedLength(length):
            return [text[at : at + length] for at in range(0, len(text), length)]
        case UnicodeScripts():
            return _cut(text, script_runs(text.text), "removed", invert=True)
    raise not_run("pre-tokenizer", pre_tokenizer)


def _cut(
    text: Aligned, matches: Iterable[Span], behavior: Behavior, invert: bool = False
) -> list[Aligned]:
    """Cut by matches; the behavior says what becomes of them."""
    bounds: list[Span] = []
    before = None  # whether the stretch before was a match
    for start, end, is_match in _stretches(len(text), matches):
        is_match = is_match != invert
        if (before, is_match) in _GLUED[behavior]:
            bounds[-1] = (bounds[-1][0], end)
        elif not (is_match and behavior == "removed"):
            bounds.append((start, end))
        before = is_match
    return [text[start:end] for start, end in bounds if start < end]


def _stretches(length: int, matches: Iterable[Span]) -> Iterator[tuple[int, int, bool]]:
    """The matches and what lies between them, in order."""
    done = 0
    for start, end in matches:
        if done < start:
            yield done, start, False
        # An empty match takes nothing, and still parts what is on its two sides.
        yield start, end, True
        done = end
    if done < length:
        yield done, length, False


def _each(text: str, is_meant: Callable[[str], bool]) -> Iterator[Span]:
    """Each character of some kind."""
    return ((at, at + 1) for at, character in enumerate(text) if is_meant(character))


def _byte_level(text: Aligned, byte_level: ByteLevel, unicode_version: str) -> list[Aligned]:
    """Cut as GPT-2 does, then show each byte as its visible character."""
    if byte_level.add_prefix_space and not text.text.startswith(" "):
        text = _prefixed(text, " ")
    words = pre_tokenize(text, _GPT2, unicode_version) if byte_level.use_regex else [text]
    return [show_bytes(word) for word in words]


def _metaspace(text: Aligned, metaspace: Metaspace) -> list[Aligned]:
    """Show spaces as marks, and cut before each."""
    mark, scheme = metaspace.replacement, metaspace.prepend_scheme
    text = replace(text, text=text.text.replace(" ", mark))
    at_start = len(text) > 0 and not text.named_span[0]
    prefixed = scheme == "always" or (scheme == "first" and at_start)
    if prefixed and not text.text.startswith(mark):
        text = _prefixed(text, mark)
    if not metaspace.split:
        return [text]
    return _cut(text, _each(text.text, mark.__eq__), "merged_with_next")


def _prefixed(text: Aligned, character: str) -> Aligned:
    """Put a character before a text that is not empty."""
    if not len(text):
        return text
    first, *others = text.places
    return text.rewritten([Place(character, text.begin(0), first.named), first, *others])
