"""Which tokenizer a model has, and whether what is counted with it is exact or an estimate.

Rule.    exact: the model has a public encoding, by tiktoken's table, or a tokenizer that its makers
         publish; and the name is one of theirs: behind its beginning stand one of the sizes that
         they made, versions, dates and words like instruct. A name with anything else is that of a
         model made from another (deepseek-r1-distill-llama-70b, deepseek-r1:8b): its tokenizer may
         be of either, an estimate. A model that was fine-tuned (ft:) keeps its tokenizer.
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
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kugiri.compat.tiktoken_models import beginning_of
from kugiri.errors import KugiriError, OptionError, shown
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
_LLAMA_3 = "meta-llama/Llama-3.1-8B"

PUBLISHED: dict[str, tuple[str, tuple[str, ...]]] = {
    "gemini-2.0-flash": (_GEMMA_3, ()),
    "gemini-2.5-flash": (_GEMMA_3, ()),
    "gemini-2.5-pro": (_GEMMA_3, ()),
    "gemini-3-pro-preview": (_GEMMA_3, ()),
    "gemma-3-": (_GEMMA_3, ("270m", "1b", "4b", "12b", "27b")),
    "llama-3.1-": (_LLAMA_3, ("8b", "70b", "405b")),
    "llama-3.2-": (_LLAMA_3, ("1b", "3b", "11b", "90b")),
    "llama-3.3-": (_LLAMA_3, ("70b",)),
    "deepseek-v3": ("deepseek-ai/DeepSeek-V3", ("671b", "685b")),
    "deepseek-r1": ("deepseek-ai/DeepSeek-R1", ("671b", "685b")),
}
"""What names begin with → where the tokenizer is published, as kugiri.load takes it, and which
sizes its makers gave the model; one of another size was made from another model."""

_SIZES = ("20b", "120b")
"""Of gpt-oss; other models of OpenAI have no sizes in their names."""
_WORDS = (
    "instruct|base|it|pt|chat|zero|lite|exp|preview|latest|turbo|fp8|versatile|instant|speciale"
    "|terminus|thinking|free|qat|vision|mini|nano|pro|audio|realtime|search|api|deep|research"
    "|transcribe|tts|codex|max|high|medium|low|safeguard|image|16k|32k|diarize|sol|luna|terra|astra"
)
_WHEN = r"\d{4}-\d{2}-\d{2}|\d{2}-\d{2}(?:\d{2})?|\d{3,8}"
_OWN = re.compile(rf"(?:\.\d{{1,2}})?(?:[-:@](?:{_WHEN}|{_WORDS}|v\d(?::\d)?))*")
"""What stands behind the beginning of a name, and the size, that makers and those who serve a model
give it: a version, a date, words."""

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
    if name.startswith("ft:"):  # ft:gpt-4o-mini:organisation::number
        name = name.split(":")[1]
    if (found := beginning_of(name)) is not None:
        encoding, start = found
        return _made_by(name, start, _SIZES, encoding, f"the encoding {encoding}")
    for start, (published, sizes) in PUBLISHED.items():
        if name.startswith(start):
            return _made_by(name, start, sizes, published, f"the tokenizer of {published}")
    for part, stand_in in STAND_INS.items():
        if part in name:  # us.anthropic.claude-… where another provider sells it
            why = f"the tokenizer of {name} is not published; {stand_in} stands in for it"
            return ModelTokenizer(stand_in, False, why)
    return ModelTokenizer(None, False, f"which tokenizer {name} has is not known here")


def _made_by(
    name: str, start: str, sizes: Sequence[str], tokenizer: str, its: str
) -> ModelTokenizer:
    """The tokenizer of a name that begins so, exact if all of it is its makers'."""
    rest = name[len(start.rstrip("-")) :]
    for size in sizes:
        found, between, behind = rest.partition(f"-{size}")
        if not between:
            found, between, behind = rest.partition(f":{size}")
        if between and behind[:1] in ("", "-", ":", "@"):
            rest = found + behind
            break
    if _OWN.fullmatch(rest):
        return ModelTokenizer(tokenizer, True, f"{name} has {its}")
    why = f"{name} may be made from another model; {tokenizer} stands in for its tokenizer"
    return ModelTokenizer(tokenizer, False, why)


def tokenizer_here(model: str, given: str | None = None) -> ModelTokenizer:
    """The tokenizer to count with for a model, without asking the network.

    Args:
        model: its name; of PROVIDER/MODEL, the last part counts.
        given: what the caller wants to count with, as kugiri.load takes it.

    Returns:
        What was given, else the model's own or what stands in for it.

    Raises:
        OptionError: nothing is given, and none is known.
        KugiriError: the one that is known is not here.
    """
    own = tokenizer_of(model)
    if given is not None:
        if own.name is not None and _is_same(given, own.name):
            return own._replace(name=given)
        return ModelTokenizer(given, False, f"counted with {given}; {own.why}")
    if own.name is None:
        raise OptionError(f"{own.why}; give one (-t FILE), and the count is an estimate")
    if own.name not in ENCODINGS or encoding_files.kept_encoding(own.name) is None:
        raise KugiriError(
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
