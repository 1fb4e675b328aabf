r"""Named split patterns, each written once.

A pattern says where words begin and end before the model runs; no merge ever crosses one of its
boundaries. The core has a hand-written scanner for those in `SCANNED`; it is tested, character by
character, against the regex below. Classes (`\p{L}`, `\s`) mean the pinned Unicode tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kugiri.errors import choose

PATTERNS: dict[str, str] = {
    # GPT-2: words and numbers with one leading space; the contractions are lower-case only.
    "gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    # GPT-3.5/4 as tiktoken has it: any one sign may lead a word, numbers in threes, and white
    # space at the very end stays whole even across newlines.
    "cl100k": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
    ),
    # GPT-4o: a word may change from upper to lower case once, and carries its contraction.
    "o200k": (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    # Llama 3: as cl100k, but trailing white space is cut after its last newline.
    "llama3": (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    # Qwen 2 and 3: as llama3, every digit on its own.
    "qwen2": (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    # Runs of one Japanese script (kanji, hiragana, katakana), ASCII words, other signs one by one;
    # white space is dropped.
    "japanese-scripts": r"[一-鿿々〆]+|[ぁ-ゟ]+|[゠-ヿー]+|[A-Za-z0-9_]+|[^\s]",
}

EQUIVALENT: dict[str, str] = {
    # Spellings of the same pattern in other people's files.
    r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s": "gpt2",
}

SCANNED: dict[str, str] = {
    **{regex: name for name, regex in PATTERNS.items() if name != "japanese-scripts"},
    **EQUIVALENT,
}
"""Regex → the name of the scanner that the core has for it."""


SPELLED: dict[str, str] = {
    **{regex: PATTERNS[name] for regex, name in EQUIVALENT.items()},
    PATTERNS["cl100k"]: (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++\z|\s*[\r\n]|\s+(?!\S)|\s"
    ),
}
"""Pattern → the same in Oniguruma, where the two are spelled differently."""


def known_spelling(pattern: str) -> str | None:
    """Return our pattern that means what `pattern` means in Oniguruma, where that is known."""
    if pattern in SCANNED and pattern not in SPELLED:
        return pattern
    return next((ours for ours, theirs in SPELLED.items() if theirs == pattern), None)


def regex_of(option: str, pattern: str, others: Iterable[str] = ()) -> str:
    r"""Return the regex of a named pattern; what does not look like a name is a regex itself.

    Args:
        option: where the name was given, for the error.
        pattern: a name in PATTERNS, or a regex.
        others: names that the option takes beside these.

    Raises:
        OptionError: it looks like a name, and is none.

    Example:
        >>> regex_of("pattern", r"\d+|\D+"), regex_of("pattern", "gpt2") == PATTERNS["gpt2"]
        ('\\d+|\\D+', True)
    """
    if not re.fullmatch(r"[\w-]*", pattern):
        return pattern
    return PATTERNS[choose(option, pattern, [*others, *PATTERNS])]
