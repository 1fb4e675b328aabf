"""What each part of Tokenizer works with: a spec, and what is built of it when it is first needed.

Rule.    Nothing here ever changes; what is built later is what would have been built at once.
Cost.    Each thing is built once. `encode` needs the core alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from kugiri import _core
from kugiri.formats import native
from kugiri.formats.rows import vocabulary_rows
from kugiri.lazy import lazy_module, lazy_property
from kugiri.patterns import SCANNED
from kugiri.reference.dialect import in_our_dialect
from kugiri.spec import TokenizerSpec, dictionaries_of
from kugiri.tokenizing.encode_options import Asked, EncodeOptions, asked

if TYPE_CHECKING:
    import pickle

    from kugiri import dictionary_batches
    from kugiri.tokenizing import token_strings
else:
    dictionary_batches = lazy_module("kugiri.dictionary_batches")
    pickle = lazy_module("pickle")
    token_strings = lazy_module("kugiri.tokenizing.token_strings")


class Engine:
    """A spec and its engine.

    Attributes:
        spec: the complete description.
    """

    @lazy_property
    def spec(self) -> TokenizerSpec:
        """The complete description."""
        read: Callable[[], TokenizerSpec] = self.__dict__["_read_spec"]
        return read()

    def normalize(self, text: str) -> str:
        """Return what the normalizer makes of a text."""
        return self._core.normalize(text)

    @lazy_property
    def _strings(self) -> token_strings.TokenStrings:
        return token_strings.TokenStrings(self.spec, self.normalize)

    @lazy_property
    def _core(self) -> _core.Core:
        native.check_tables(self.spec.model)
        return _core.Core(*core_input(self.spec))

    @lazy_property
    def _many(self) -> dictionary_batches.Many:
        """What encodes many texts."""
        if not dictionaries_of(self.spec.pre_tokenizer):
            return self._core
        return dictionary_batches.Batches(self._core, lambda: pickle.dumps(self))

    def _asked(self, options: EncodeOptions) -> Asked:
        """What the core is told of the options of a call."""
        return asked(options, self.spec, self._strings.special) if options else None


CoreInput: TypeAlias = tuple[bytes, _core.Vocabulary, dict[str, tuple[str, bytes] | None]]


def core_input(spec: TokenizerSpec) -> CoreInput:
    """What the core builds an engine from: the spec as JSON, the vocabulary, the other tables."""
    model = spec.model
    config = {"spec": in_our_dialect(spec), "scanned": SCANNED}
    columns: dict[str, tuple[str, bytes] | None] = {
        name: None if (column := getattr(model, name, None)) is None else column.content
        for name in ("ids", "scores", "piece_types")
    }
    if (merges := getattr(model, "merges", None)) is not None:
        columns |= {name: merges.stored[name].content for name in ("left", "right", "result")}
    json = msgspec.json.encode(config, enc_hook=lambda table: None)
    return json, vocabulary_rows(model), columns
