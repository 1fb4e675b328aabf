"""What is slow, or ends in an error, on a text made for it.

Rule.    Long texts of one repeated part: letters, digits, white space, signs, kana, marks, emoji.
         A regex that looks around may need more steps than it has, and is then an error here,
         where other libraries hang; and a part that is never cut, however long, takes time that
         grows with the square of its length in libraries that merge by looking through the whole
         word.
Cost.    An encoding of some 2 MB.
"""

from __future__ import annotations

from kugiri.check.finding import Case, Check, Found, Kind
from kugiri.check.subject import Subject, printable, readable
from kugiri.errors import EncodingError
from kugiri.tokenizer import Tokenizer

_PARTS = (
    "a", "A", "aB", "1", " ", "\n", " \n", "\t", ".", "-", "_", "'", "あ", "ー", "漢", "\u0301",
    "🐈\u200d", "a ", "\u3000", "é", "'s", "\r\n", "ｶﾞ", "\u0e01", "가",
)  # fmt: skip
_LENGTH = 100_000
_LONG = 10_000
"""Characters that one pre-token has only if nothing cuts it."""


def find(subject: Subject) -> Found:
    """Each repeated part that is refused, and those that stay one word."""
    tokenizer = subject.tokenizer
    whole = []
    encoded = zip(_PARTS, subject.encode(_PARTS), strict=True)
    known = [part for part, ids in encoded if ids is not None]
    if not known:
        why = "no part of the texts made for it has an id for each character"
        yield from dict.fromkeys(CHECK.kinds, why).items()
    for part in known:
        text = part * (_LENGTH // len(part))
        try:
            tokenizer.count(text)
        except EncodingError:
            because = _refused(tokenizer, text)
            if because:
                yield "refused", Case(f"{readable(part)} {_LENGTH // len(part):,} times", because)
                continue  # else the longer word has no id, which is another matter
        if len(tokenizer.pre_tokenize(text[:_LONG])) == 1:
            whole.append(readable(part))
    if whole:
        yield "whole", Case(f"{', '.join(whole)}, each {_LENGTH:,} characters", "one word")


def _refused(tokenizer: Tokenizer, text: str) -> str | None:
    """Why a text cannot be cut, if that is what goes wrong."""
    try:
        tokenizer.pre_tokenize(text)
    except EncodingError as error:
        return printable(str(error))
    return None


CHECK = Check(
    name="worst-case",
    question="Is there a text that takes far more time than others, or is refused?",
    kinds={
        "refused": Kind(
            "error",
            "is refused: the pattern needs more steps than it may have",
            "use a pattern without look-around, or cut such texts before",
        ),
        "whole": Kind(
            "note",
            "is one word for the pre-tokenizer, however long it is",
            "nothing here; in other libraries limit the length of a text, or use a pattern that "
            "cuts after some characters (\\p{N}{1,3}, \\p{L}{1,32})",
        ),
    },
    find=find,
)
