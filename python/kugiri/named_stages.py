"""The stages that options name: what normalizes a text, cuts it, and stands around it.

Rule.    "none" is no stage. Every other name stands for one component of a spec. A pre-tokenizer
         may also be a regex of its own.
Cost.    None.
"""

from __future__ import annotations

from collections.abc import Mapping

from kugiri import spec
from kugiri.dictionaries import DICTIONARIES, installed
from kugiri.errors import choose
from kugiri.inputs import as_string
from kugiri.patterns import PATTERNS, regex_of
from kugiri.spec import Normalizer, PreTokenizer, Regex, Split, WhitespaceSplit

NORMALIZERS: dict[str, Normalizer | None] = {
    "none": None,
    "nfc": spec.NFC(),
    "nfkc": spec.NFKC(),
    "bert": spec.BertNormalizer(),
    "bert-cased": spec.BertNormalizer(lowercase=False),
}


def normalizer_of(name: str) -> Normalizer | None:
    """The normalizer that an option names.

    Raises:
        OptionError: there is none of that name.
    """
    return NORMALIZERS[choose("normalizer", as_string("normalizer", name), NORMALIZERS)]


def pre_tokenizer_of(name: str) -> PreTokenizer | None:
    """The pre-tokenizer that an option names.

    "whitespace", "bert", "scripts" and the dictionaries drop white space, so text does not come
    back exactly; all named patterns but "japanese-scripts" are lossless.

    Raises:
        OptionError: there is none of that name and it is no regex, or its packages are not there.
    """
    if as_string("pre_tokenizer", name) == "none":
        return None
    if name == "whitespace":
        return WhitespaceSplit()
    if name == "bert":
        return spec.BertPreTokenizer()
    if name in ("scripts", "japanese-scripts"):
        return Split(Regex(PATTERNS["japanese-scripts"]), "removed", invert=True)
    if name in DICTIONARIES:
        return words_of_dictionary(name)
    others = ["none", "whitespace", "bert", "scripts", *DICTIONARIES]
    return Split(Regex(regex_of("pre_tokenizer", name, others)))


def words_of_dictionary(name: str, dictionary: str | None = None) -> spec.PreTokenizers:
    """Cut at the words of a dictionary that is installed, then at white space, which is dropped.

    So do BERT's tokenizers for Japanese.

    Raises:
        OptionError: it is not installed.
    """
    library, found = (spec.Package(*package) for package in installed(name, dictionary))
    step = spec.Dictionary(name, library, found)  # type: ignore[arg-type]
    return spec.PreTokenizers((step, WhitespaceSplit()))


def bert_template(
    cls: str | None, sep: str | None, ids: Mapping[str, int]
) -> spec.TemplateProcessing | None:
    """[CLS] A [SEP], and for a pair B [SEP] behind it."""
    if cls is None or sep is None:
        return None
    first = (spec.SpecialPiece(cls), spec.SequencePiece("A"), spec.SpecialPiece(sep))
    second = (spec.SequencePiece("B", 1), spec.SpecialPiece(sep, 1))
    return spec.TemplateProcessing(
        first,
        (*first, *second),
        {name: spec.TemplateToken(name, (ids[name],), (name,)) for name in (cls, sep)},
    )
