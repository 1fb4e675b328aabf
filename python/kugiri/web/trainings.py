"""A tokenizer that is trained on a text of the page: every step, and what came out.

Rule.    The steps are those of `explain_training`; the tokenizer is trained with the same options,
         and kept only where that is asked for: then the answer has it, and the name of the one
         that made room for it, if one did. Lines end where those of a file do: at LF alone.
Cost.    That of the readable engine on a small text, SECONDS about at most.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

import kugiri
from kugiri.errors import KugiriError, OptionError
from kugiri.explain.training import explain_training
from kugiri.explain.training_limits import LARGEST, within
from kugiri.explain.training_structure import BPETraining
from kugiri.warned import listening
from kugiri.web import requests as asked
from kugiri.web.failures import Failure, of_library, warnings_as_data
from kugiri.web.store import Store

SECONDS: Final = 5.0
"""How long steps are looked for; what takes longer is refused between two of them."""


def train(store: Store, its: asked.Train) -> dict[str, Any]:
    """Train on the lines of a text."""
    size = len(its.text.encode())
    if size > LARGEST:
        raise Failure(
            413,
            f"the text has {size:,} bytes; each step can be shown of {LARGEST:,} at most",
            "long training",
            size=size,
            most=LARGEST,
        )
    lines, options = [it.removesuffix("\r") for it in its.text.split("\n")], _options(its)
    try:
        with listening() as heard, within(SECONDS):
            shown = explain_training(lines, model=its.model, threads=1, **options)
            if isinstance(shown.model, BPETraining):  # ask for no more merges than there are
                options |= {"vocab_size": None, "num_merges": len(shown.model.steps)}
            trained = kugiri.train(lines, model=its.model, threads=1, **options)
    except KugiriError as error:
        raise of_library(error, "training") from error
    kept, gone = store.keep_trained(_name(its), trained) if its.keep else (None, None)
    return {
        "training": msgspec.to_builtins(shown),
        "vocab_size": trained.vocab_size,
        "tokenizer": kept.described() if kept else None,
        "gone": gone,
        "warnings": warnings_as_data(heard),
    }


def _options(its: asked.Train) -> dict[str, Any]:
    if its.model == "unigram":
        if its.num_merges is not None:
            raise OptionError("num_merges is for BPE; Unigram has a vocab_size")
        return {"vocab_size": its.vocab_size, "character_coverage": 1.0}
    return {"unit": its.unit, "vocab_size": its.vocab_size, "num_merges": its.num_merges}


def _name(its: asked.Train) -> str:
    return f"trained {'Unigram' if its.model == 'unigram' else 'BPE'}"
