"""What to do about a tokenizer, by what its model is and how such a model is trained.

Rule.    A remedy names what there is for this model: bytes that a vocabulary of bytes lacks, byte
         fallback and character coverage where SentencePiece trains it, bytes as the unit of BPE,
         and for a model of words or characters no more than other text.
"""

from __future__ import annotations

from kugiri.check.subject import Subject
from kugiri.spec import BPE, Unigram


def _is_sentencepiece(subject: Subject) -> bool:
    """Whether its training has character_coverage: Unigram has, and BPE with scores."""
    model = subject.spec.model
    return isinstance(model, Unigram) or getattr(model, "scores", None) is not None


def keep_characters(subject: Subject) -> str:
    """How characters come to have ids."""
    if subject.of_bytes:
        return "add the bytes that are missing (see the check `soundness`)"
    if _is_sentencepiece(subject):
        if getattr(subject.spec.model, "byte_fallback", False):
            return "train anew with a larger character_coverage, and give all 256 bytes a token"
        return "train anew with byte_fallback=True, or with a larger character_coverage"
    if isinstance(subject.spec.model, BPE):
        return "train anew with unit='byte', or on text that has these characters"
    return "train anew on text that has these characters, or train BPE with unit='byte'"


def know_unknown(subject: Subject) -> str:
    """The same, or a token that stands for them."""
    return f"add an unknown token; or {keep_characters(subject)}"


def more_kanji(subject: Subject) -> str:
    """How more kanji come to be tokens."""
    coverage = ", or with a larger character_coverage" if _is_sentencepiece(subject) else ""
    return (
        "nothing, if it was trained by others; else train anew on more Japanese text, with a "
        f"larger vocabulary{coverage}"
    )


def missing_bytes(subject: Subject) -> str:
    """How a vocabulary comes to have all bytes."""
    model = subject.spec.model
    names = " as <0x00> to <0xFF>" if getattr(model, "byte_fallback", False) else ""
    ends = getattr(model, "end_of_word_suffix", None)
    also = f", with {ends} and without" if ends else ""
    return f"put all 256 bytes into the vocabulary{names}{also}"


def not_by_tokens(subject: Subject) -> str:
    """How to filter."""
    less = "; Unigram does this less than BPE and WordPiece"
    return "do not filter by tokens, but by text" + (
        "" if isinstance(subject.spec.model, Unigram) else less
    )
