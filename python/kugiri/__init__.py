"""kugiri (区切り): trains, runs, explains and measures subword tokenizers.

**text → special tokens → normalize → pre-tokenize → model → ids → post-process, and decode back.**
**corpus → word counts → trainer → spec → format file.**

Names are imported when they are first used, so that `import kugiri` costs next to nothing.
"""

# msgspec imports it while it is imported, and would go on without it if Ctrl-C came meanwhile.
import datetime as _datetime  # noqa: F401
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kugiri._version import __version__
from kugiri.lazy import imported

if TYPE_CHECKING:
    from kugiri.chat.encoding import ChatEncoding, MessageTokens
    from kugiri.check import Finding, Findings, check
    from kugiri.convert import convert
    from kugiri.encoding import Batch, Chunk, Encoding, Hypothesis, Padded
    from kugiri.errors import (
        CorpusError,
        EncodingError,
        FormatError,
        KugiriError,
        KugiriWarning,
        OptionError,
        TrainingError,
        VocabularyError,
    )
    from kugiri.load import load
    from kugiri.measure import Report, measure
    from kugiri.plan import Plan, plan
    from kugiri.spec import Padding, Truncation
    from kugiri.sweep import sweep
    from kugiri.sweep_result import Sweep
    from kugiri.tokenizer import Tokenizer
    from kugiri.tokenizing.merges import Merge
    from kugiri.tokenizing.model_inputs import ModelInputs
    from kugiri.train import train
    from kugiri.training.train_sizes import train_sizes
    from kugiri.training.train_variants import train_variants
    from kugiri.training.word_counts import WordCounts, count_words
    from kugiri.verify import Difference, Verification, verify
    from kugiri.vocabulary_size.recommendation import recommend
    from kugiri.vocabulary_size.result import Recommendation

_HOMES = {
    "kugiri.chat.encoding": ["ChatEncoding", "MessageTokens"],
    "kugiri.check": ["Finding", "Findings", "check"],
    "kugiri.convert": ["convert"],
    "kugiri.load": ["load"],
    "kugiri.encoding": ["Batch", "Chunk", "Encoding", "Hypothesis", "Padded"],
    "kugiri.errors": [
        "CorpusError", "EncodingError", "FormatError", "KugiriError", "KugiriWarning",
        "OptionError", "TrainingError", "VocabularyError",
    ],
    "kugiri.measure": ["Report", "measure"],
    "kugiri.tokenizing.merges": ["Merge"],
    "kugiri.tokenizing.model_inputs": ["ModelInputs"],
    "kugiri.plan": ["Plan", "plan"],
    "kugiri.spec": ["Padding", "Truncation"],
    "kugiri.sweep": ["sweep"],
    "kugiri.sweep_result": ["Sweep"],
    "kugiri.tokenizer": ["Tokenizer"],
    "kugiri.train": ["train"],
    "kugiri.training.train_sizes": ["train_sizes"],
    "kugiri.training.train_variants": ["train_variants"],
    "kugiri.verify": ["Difference", "Verification", "verify"],
    "kugiri.vocabulary_size.recommendation": ["recommend"],
    "kugiri.vocabulary_size.result": ["Recommendation"],
    "kugiri.training.word_counts": ["WordCounts", "count_words"],
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Batch",
    "ChatEncoding",
    "Chunk",
    "CorpusError",
    "Difference",
    "Encoding",
    "EncodingError",
    "Finding",
    "Findings",
    "FormatError",
    "Hypothesis",
    "KugiriError",
    "KugiriWarning",
    "Merge",
    "MessageTokens",
    "ModelInputs",
    "OptionError",
    "Padded",
    "Padding",
    "Plan",
    "Recommendation",
    "Report",
    "Sweep",
    "Tokenizer",
    "TrainingError",
    "Truncation",
    "Verification",
    "VocabularyError",
    "WordCounts",
    "__version__",
    "check",
    "convert",
    "count_words",
    "load",
    "measure",
    "plan",
    "recommend",
    "sweep",
    "train",
    "train_sizes",
    "train_variants",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'kugiri' has no attribute {name!r}")
    value = getattr(imported(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


class _Package(ModuleType):
    """`kugiri.train` is the function, though a module has that name too.

    Python sets a module as an attribute of its package when it is first imported; here the public
    name wins, whatever was imported before.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
