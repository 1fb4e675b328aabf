"""What settings leave to the class of transformers that they name: roles, and defaults of calls.

Rule.    A WordPiece whose settings name no class is of BERT's. A role that a class has by default
         counts where the vocabulary has its token and the settings do not say that it has none.
Source.  transformers 5.24.0.
"""

from __future__ import annotations

from typing import Any

from kugiri.formats.gpt2_classes import CLASSES as GPT2_CLASSES
from kugiri.formats.vocab_txt import CLASSES as BERT_CLASSES
from kugiri.formats.vocab_txt import USUAL as BERT
from kugiri.spec import TokenizerSpec, WordPiece

_TYPES = ["input_ids", "token_type_ids", "attention_mask"]
_WITH_TYPES = {"model_input_names": _TYPES}
_FROM_THE_LEFT = {"padding_side": "left"}
_SENTENCEPIECE = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
_GEMMA = {
    "bos_token": "<bos>", "eos_token": "<eos>", "unk_token": "<unk>", "pad_token": "<pad>",
    "mask_token": "<mask>",
}  # fmt: skip

_DEFAULTS: dict[str, dict[str, Any]] = {
    **{name.removesuffix("Tokenizer"): dict(its.usual) for name, its in GPT2_CLASSES.items()},
    **dict.fromkeys([*BERT_CLASSES, "BertJapanese"], BERT),
    **dict.fromkeys(
        ["Bert", "ConvBert", "DPRContextEncoder", "DPRQuestionEncoder", "LayoutLMv2"],
        BERT | _WITH_TYPES,
    ),
    **dict.fromkeys(["Deberta", "DebertaV2", "MarkupLM"], _WITH_TYPES),
    "FNet": {"model_input_names": _TYPES[:2]},
    **dict.fromkeys(["CodeLlama", "Llama"], _SENTENCEPIECE | _FROM_THE_LEFT),
    "Gemma": _GEMMA | _FROM_THE_LEFT,
    **dict.fromkeys(["Cohere", "Siglip2", "XLNet"], _FROM_THE_LEFT),
}
"""Defaults that are others than those of all, by the class without `Tokenizer` in its name."""


def defaults_of(spec: TokenizerSpec, settings: dict[str, Any]) -> dict[str, Any]:
    """What the settings of a tokenizer leave to its class."""
    usual = "Bert" if isinstance(spec.model, WordPiece) else ""
    name = str(settings.get("tokenizer_class") or usual)
    return _DEFAULTS.get(name.removesuffix("Fast").removesuffix("Tokenizer"), {})
