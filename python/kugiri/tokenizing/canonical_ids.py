"""Which ids text becomes, and which may come next: a part of Tokenizer.

Rule.    canonical.py has it.
Cost.    docs/canonical.md has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kugiri.errors import EncodingError
from kugiri.inputs import as_ids
from kugiri.lazy import lazy_module, lazy_property
from kugiri.tokenizing.decodes import Decodes
from kugiri.tokenizing.encode_options import EncodeOptions
from kugiri.tokenizing.encodes import Encodes

if TYPE_CHECKING:
    import numpy as np
    from typing_extensions import Unpack

    from kugiri.encoding import Ids
    from kugiri.tokenizing import canonical
else:
    canonical = lazy_module("kugiri.tokenizing.canonical")
    np = lazy_module("numpy")


class CanonicalIds(Encodes, Decodes):
    """What can be asked about ids that nobody encoded."""

    def is_canonical(self, ids: Iterable[int] | Ids, **options: Unpack[EncodeOptions]) -> bool:
        """Return whether ids are what `encode` gives for their text; never if that is not UTF-8.

        Raises:
            VocabularyError: an id is not in the vocabulary.

        Example:
            >>> import kugiri
            >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
            >>> tok.is_canonical(tok.encode("low")), tok.is_canonical(list(b"low"))
            (True, False)
        """
        ids = as_ids(ids)
        try:
            text = self.decode(ids, errors="strict")
            return bool(np.array_equal(self.encode_array(text, **options), ids))
        except EncodingError:
            return False

    def tokens_with_prefix(self, prefix: bytes) -> Ids:
        """Return the ids of the tokens that begin with these bytes, in the order of their bytes.

        Special tokens are left out, since no text becomes one.

        Raises:
            OptionError: the tokenizer is no byte-level BPE, or `prefix` is no bytes.
        """
        return self._text_tokens.with_prefix(prefix)

    def heal(self, ids: Iterable[int] | Ids) -> canonical.Healed:
        """Return ids without the longest end whose bytes begin a longer token, and these bytes.

        Special tokens are never cut.

        Raises:
            OptionError: the tokenizer is no byte-level BPE.

        Example:
            >>> import kugiri
            >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
            >>> tok.heal(list(b"a lo"))
            Healed(ids=[97, 32], prefix=b'lo')
            >>> tok.tokens_with_prefix(b"lo").tolist()
            [256, 257]
        """
        return self._text_tokens.heal(as_ids(ids))

    def next_tokens(self, ids: Iterable[int] | Ids) -> Ids:
        """Return the ids that can come next, ascending: with each of them, ids are still canonical.

        Ids that end inside a character can come next if some character goes on so. None can, if the
        ids are not canonical. Only what comes behind the last special token counts.

        Raises:
            OptionError: the tokenizer is no byte-level BPE.
            VocabularyError: an id is not in the vocabulary.

        Example:
            >>> import kugiri
            >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
            >>> ord("w") in tok.next_tokens(tok.encode("lo"))  # it would be low
            False
        """
        return self._text_tokens.after(as_ids(ids))

    def neighbours(self, id: int) -> Ids:
        """Return the ids that merging can leave behind one inside a pre-token, ascending.

        None, if merging never gives this one.

        Raises:
            OptionError: the tokenizer is no byte-level BPE.
            VocabularyError: the id is not in the vocabulary.
        """
        self.decode_bytes([id])  # which refuses an unknown id
        return self._text_tokens.neighbours(id)

    @lazy_property
    def _text_tokens(self) -> canonical.TextTokens:
        return canonical.TextTokens(self.spec, self._core, self._strings.special_ids)
