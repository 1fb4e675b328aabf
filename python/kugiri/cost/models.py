"""Which tokenizer a model has, and whether what is counted with it is exact or an estimate.

Rule.    exact: the model has a public encoding, by tiktoken's table; or the tokenizer is the one
         that its makers publish, and the name is one of theirs: behind its beginning stand sizes,
         dates and words like instruct. A name with anything else is that of a model made from
         another (deepseek-r1-distill-llama-70b): its tokenizer may be of either, an estimate.
         Everything else is an estimate, too, and says why.
         Which one stands in where none is published is a choice: o200k_base, as large and as
         multilingual as those of its time.
Source.  Public encodings: tiktoken 0.14.0 (compat/tiktoken_models.py). Gemini: google-genai, whose
         LocalTokenizer counts these with the tokenizer of Gemma 3. Open weights: the repositories
         that are named. Claude: Anthropic publishes no tokenizer since Claude 3, and asks to count
         with its service.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kugiri.compat.tiktoken_models import encoding_of
from kugiri.errors import OptionError, shown
from kugiri.formats import open_source
from kugiri.formats.encodings import ENCODINGS
from kugiri.lazy import lazy_module

if TYPE_CHECKING:
    import hashlib

    from kugiri.formats import encoding_files
else:
    hashlib = lazy_module("hashlib")
    encoding_files = lazy_module("kugiri.formats.encoding_files")

_GEMMA_3 = "google/gemma-3-4b-it"

PUBLISHED = {
    "gemini-2.0-flash": _GEMMA_3,
    "gemini-2.5-flash": _GEMMA_3,
    "gemini-2.5-pro": _GEMMA_3,
    "gemini-3-pro-preview": _GEMMA_3,
    "gemma-3-": _GEMMA_3,
    "llama-3.1-": "meta-llama/Llama-3.1-8B",
    "llama-3.2-": "meta-llama/Llama-3.1-8B",
    "llama-3.3-": "meta-llama/Llama-3.1-8B",
    "deepseek-v3": "deepseek-ai/DeepSeek-V3",
    "deepseek-r1": "deepseek-ai/DeepSeek-R1",
}
"""What names begin with → where the tokenizer is published, as kugiri.load takes it."""

_OWN = re.compile(
    r"(?:(?:^|[-:.@])(?:a?\d{1,4}b|[\d.]{1,10}|v\d|instruct|base|it|pt|chat|zero|lite|exp|preview|latest"
    r"|turbo|fp8|versatile|instant|speciale|thinking|free|qat|vision))*"
)
"""What stands behind the beginning of a name that makers and those who serve a model give it."""

STAND_INS = {"claude-": "o200k_base"}
"""What names have in them, of models whose tokenizer nobody publishes → what may stand in."""


class ModelTokenizer(NamedTuple):
    """The tokenizer to count with for a model.

    Attributes:
        name: as kugiri.load takes it; None where none is known.
        exact: whether it is the model's own.
        why: the reason, for people.
    """

    name: str | None
    exact: bool
    why: str


def tokenizer_of(model: str) -> ModelTokenizer:
    """Which tokenizer a model has, or what may stand in for it.

    Args:
        model: its name; of PROVIDER/MODEL, the last part counts.

    Raises:
        OptionError: it is no name.

    Example:
        >>> tokenizer_of("gpt-4o")
        ModelTokenizer(name='o200k_base', exact=True, why='gpt-4o has the encoding o200k_base')
        >>> tokenizer_of("claude-sonnet-4-5").exact
        False
    """
    if not isinstance(model, str) or not model.isprintable():
        raise OptionError(f"the model is {shown(model)}; it must be a name, as gpt-4o")
    name = model.lower().rpartition("/")[2]
    encoding = encoding_of(name)
    if encoding is not None:
        return ModelTokenizer(encoding, True, f"{name} has the encoding {encoding}")
    for start, published in PUBLISHED.items():
        if name.startswith(start):
            if _OWN.fullmatch(name[len(start) :]):
                return ModelTokenizer(published, True, f"{name} has the tokenizer of {published}")
            why = f"{name} may be made from another model; {published} stands in for its tokenizer"
            return ModelTokenizer(published, False, why)
    for part, stand_in in STAND_INS.items():
        if part in name:  # us.anthropic.claude-… where another provider sells it
            why = f"the tokenizer of {name} is not published; {stand_in} stands in for it"
            return ModelTokenizer(stand_in, False, why)
    return ModelTokenizer(None, False, f"which tokenizer {name} has is not known here")


def tokenizer_here(model: str, given: str | None = None) -> ModelTokenizer:
    """The tokenizer to count with for a model, without asking the network.

    Args:
        model: its name; of PROVIDER/MODEL, the last part counts.
        given: what the caller wants to count with, as kugiri.load takes it.

    Returns:
        What was given, else the model's own or what stands in for it.

    Raises:
        OptionError: nothing is given, and none is known or here.
    """
    own = tokenizer_of(model)
    if given is not None:
        if own.name is not None and _is_same(given, own.name):
            return own._replace(name=given)
        return ModelTokenizer(given, False, f"counted with {given}; {own.why}")
    if own.name is None:
        raise OptionError(f"{own.why}; give one (-t FILE), and the count is an estimate")
    if own.name not in ENCODINGS or encoding_files.kept_encoding(own.name) is None:
        raise OptionError(
            f"{own.why}, which is not here, and nothing is fetched unless you say so: "
            f"-t {own.name} fetches it, and -t FILE takes a file that you have"
        )
    return own


def _is_same(given: str, name: str) -> bool:
    """Whether what was given is the tokenizer of that name: called so, or its very file."""
    if given == name and not Path(name).exists():
        return True
    if name not in ENCODINGS:
        return False
    return hashlib.sha256(open_source(given).data).hexdigest() == ENCODINGS[name].sha256
