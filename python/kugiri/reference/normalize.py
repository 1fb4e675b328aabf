"""Normalizing: spell what means the same in the same way, before it is cut.

Rule.    Each step rewrites the text of the step before and says where each character came from.
Cost.    That of its steps; none without a normalizer.
Source.  The steps of tokenizers 0.23.3 and of SentencePiece 0.2.3. None of them runs yet.
"""

from __future__ import annotations

from kugiri.reference.alignment import Aligned
from kugiri.reference.not_run import not_run
from kugiri.spec import Normalizer, Normalizers


def normalize(text: Aligned, normalizer: Normalizer | None) -> Aligned:
    """Rewrite a text.

    Raises:
        OptionError: a step that this engine does not run.
    """
    match normalizer:
        case None:
            return text
        case Normalizers():
            for step in normalizer.normalizers:
                text = normalize(text, step)
            return text
        case _:
            raise not_run("normalizer", normalizer)
