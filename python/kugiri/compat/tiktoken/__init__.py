"""tiktoken's names: `from kugiri.compat import tiktoken` in place of `import tiktoken`.

Source.  tiktoken 0.14.0.
"""

from kugiri.compat.tiktoken import core, load, model, registry
from kugiri.compat.tiktoken.core import Encoding
from kugiri.compat.tiktoken.model import encoding_for_model, encoding_name_for_model
from kugiri.compat.tiktoken.registry import get_encoding, list_encoding_names
from kugiri.compat.tiktoken_errors import UnknownError

__version__ = "0.14.0"
"""The tiktoken whose calls these are."""

__all__ = [
    "Encoding",
    "UnknownError",
    "core",
    "encoding_for_model",
    "encoding_name_for_model",
    "get_encoding",
    "list_encoding_names",
    "load",
    "model",
    "registry",
]
