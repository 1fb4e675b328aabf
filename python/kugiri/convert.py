"""A tokenizer in another format: the same one, or where that cannot be, the nearest there is.

Rule.    What a format can express exactly is written and read again. A `.model` becomes the
         tokenizer.json that comes closest (formats/sentencepiece_json.py), and a warning says that
         the two are not the same; `kugiri.verify` measures what differs. Anything else is refused
         by the name of what is in the way.
Cost.    Writing and reading once, in memory.
"""

from __future__ import annotations

from kugiri.errors import choose
from kugiri.formats import FORMATS, read_content, write_content
from kugiri.formats.sentencepiece_json import as_tokenizer_json
from kugiri.formats.tiktoken import not_in_the_file
from kugiri.spec import SentencePieceNormalizer
from kugiri.tokenizer import Tokenizer

__all__ = ["convert"]


def convert(tokenizer: Tokenizer, format: str) -> Tokenizer:
    """Return the tokenizer that a file of another format would hold.

    Args:
        tokenizer: any.
        format: the name of a format: "tokenizer.json", "tiktoken", "sentencepiece", "tekken",
            "vocab.json", "vocab.txt" or "kugiri".

    Raises:
        OptionError: there is no such format.
        FormatError: it has no place for something that the ids depend on; names it.

    Example:
        >>> import kugiri
        >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
        >>> other = kugiri.convert(tok, "tokenizer.json")
        >>> other.tokens(" low"), other.encode("low") == tok.encode("low")
        (['Ġ', 'low'], True)
    """
    name = choose("format", format, FORMATS)
    spec = tokenizer.spec
    if name == "tokenizer.json" and isinstance(spec.normalizer, SentencePieceNormalizer):
        spec = as_tokenizer_json(spec)
    files = write_content(spec, name)
    told = not_in_the_file(spec) if name == "tiktoken" else {}
    return Tokenizer(read_content(name, files, **told))
