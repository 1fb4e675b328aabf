"""The class of encodings, under tiktoken's own name for the place where it is."""

from kugiri.compat.tiktoken_encoding import Encoding

__all__ = ["Encoding"]
