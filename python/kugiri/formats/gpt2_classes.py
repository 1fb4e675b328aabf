"""The classes of transformers that read vocab.json and merges.txt, and what each puts around them.

Rule.    tokenizer_config.json names the class; without one it is GPT-2's. What a class does stands
         in its code and in no file, so any other class is refused by its name.
Source.  The converters of transformers: GPT2Converter, RobertaConverter, Qwen2Converter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from kugiri import spec
from kugiri.errors import FormatError
from kugiri.formats.settings import Settings
from kugiri.patterns import PATTERNS

END = "<|endoftext|>"


class Class(NamedTuple):
    """A class of tokenizers.

    Attributes:
        usual: its special tokens by role.
        normalizer, split: what stands before the model; no split is GPT-2's own.
        around: makes the post-processor of the settings.
    """

    usual: Mapping[str, str | None]
    normalizer: spec.Normalizer | None
    split: spec.Split | None
    around: Callable[[Settings], spec.PostProcessor]


def _trimming_nothing(settings: Settings) -> spec.PostProcessor:
    """GPT-2's, with `add_bos_token` its token in front."""
    bos = settings.roles.get("bos_token")
    if not settings.flag("add_bos_token", False) or bos is None:
        return spec.ByteLevelProcessing(trim_offsets=False)
    first = spec.SpecialPiece(bos)
    return spec.TemplateProcessing(
        (first, spec.SequencePiece("A")),
        (first, spec.SequencePiece("A"), spec.SequencePiece("B", 1)),
        {bos: spec.TemplateToken(bos, (_id(settings, bos),), (bos,))},
    )


def _roberta(settings: Settings) -> spec.PostProcessor:
    named = {}
    for role in ("sep_token", "cls_token"):
        if role not in settings.roles:
            raise FormatError(f"the vocabulary has no {role}, which stands around every text")
        token = settings.roles[role]
        named[role] = (token, _id(settings, token))
    return spec.RobertaProcessing(
        named["sep_token"],
        named["cls_token"],
        add_prefix_space=settings.flag("add_prefix_space", False),
    )


def _id(settings: Settings, content: str) -> int:
    return next(token.id for token in settings.added if token.content == content)


_GPT2 = Class({"unk_token": END, "bos_token": END, "eos_token": END}, None, None, _trimming_nothing)
_ROBERTA = Class(
    {
        "bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>", "cls_token": "<s>",
        "unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask>",
    },
    None,
    None,
    _roberta,
)  # fmt: skip
CLASSES: dict[str, Class] = {
    "GPT2Tokenizer": _GPT2,
    "CodeGenTokenizer": _GPT2,
    "RobertaTokenizer": _ROBERTA,
    "BartTokenizer": _ROBERTA,
    "LongformerTokenizer": _ROBERTA,
    "Qwen2Tokenizer": Class(
        {"unk_token": END, "eos_token": END, "pad_token": END},
        spec.NFC(),
        spec.Split(spec.Regex(PATTERNS["qwen2"]), "isolated"),
        _trimming_nothing,
    ),
}
"""tokenizer_class → what it does."""


def named(values: Mapping[str, Any]) -> Class:
    """The class that a tokenizer_config.json names.

    Raises:
        FormatError: it is of a class that is not known.
    """
    name = str(values.get("tokenizer_class") or "GPT2Tokenizer").removesuffix("Fast")
    if name not in CLASSES:
        raise FormatError(
            f"the settings beside it are of a {name}, whose code decides how text is cut; load a "
            f"tokenizer.json of it (this reads vocab.json as {', '.join(CLASSES)} do)"
        )
    return CLASSES[name]
