"""A tokenizer with the calls of `tiktoken.Encoding`.

Rule.    What a text may not hold is in disallowed.py, what becomes of ids in tiktoken_decoding.py.
         Errors of texts, tokens and ids are of the classes that tiktoken raises, too. Where one
         special token begins another, the longest that is allowed is found; in tiktoken, whichever
         its hash table names first.
Cost.    That of the Tokenizer, and a search of the text for what is disallowed.
Source.  tiktoken 0.14.0.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

from kugiri.compat.disallowed import Allowed, Disallowed, checked, repaired
from kugiri.compat.tiktoken_decoding import Decoding, as_items
from kugiri.compat.tiktoken_errors import UnknownError
from kugiri.errors import OptionError, VocabularyError, described, shown
from kugiri.formats.encodings import END
from kugiri.inputs import as_text
from kugiri.lazy import lazy_property
from kugiri.load import load
from kugiri.spec import BPE, is_byte_level
from kugiri.tokenizer import Tokenizer

if TYPE_CHECKING:
    from kugiri.encoding import Ids


class Encoding(Decoding):
    """A tokenizer with the calls of `tiktoken.Encoding`.

    Attributes:
        name: of the encoding.
        tokenizer: what does the work.

    Example:
        >>> import kugiri
        >>> tok = kugiri.train(["low lower"] * 2, vocab_size=259, special_tokens=["<|end|>"])
        >>> encoding = Encoding.of(tok, "tiny")
        >>> encoding.encode("low<|end|>", allowed_special="all"), encoding.n_vocab
        ([257, 258], 259)
    """

    def __init__(
        self,
        name: str,
        *,
        pat_str: str,
        mergeable_ranks: dict[bytes, int],
        special_tokens: dict[str, int],
        explicit_n_vocab: int | None = None,
    ) -> None:
        """Make an encoding of its parts.

        Raises:
            FormatError: the ranks are no tokenizer.
            VocabularyError: `explicit_n_vocab` is not how many tokens there are.
        """
        count = len(mergeable_ranks) + len(special_tokens)
        if explicit_n_vocab and count != explicit_n_vocab:
            raise VocabularyError(
                f"explicit_n_vocab is {explicit_n_vocab}, and {count} tokens came; mend either"
            )
        by_rank = sorted(mergeable_ranks.items(), key=lambda item: item[1])
        file = b"".join(b64encode(token) + b" %d\n" % rank for token, rank in by_rank)
        tokenizer = load(file, format="tiktoken", pattern=pat_str, special_tokens=special_tokens)
        self._keep(name, tokenizer, pat_str)

    @classmethod
    def of(cls, tokenizer: Tokenizer, name: str, pat_str: str = "") -> Encoding:
        """The same calls for a byte-level tokenizer of kugiri.

        Raises:
            OptionError: it is another one, whose tokens are no bytes of the text.
        """
        model = tokenizer.spec.model
        is_bytes = isinstance(model, BPE) and model.unit == "byte"
        if not is_bytes and not is_byte_level(tokenizer.spec.pre_tokenizer):
            raise OptionError(
                f"a byte-level tokenizer is needed; this is {tokenizer!r}, so use its own calls"
            )
        encoding = cls.__new__(cls)
        encoding._keep(name, tokenizer, pat_str)
        return encoding

    def _keep(self, name: str, tokenizer: Tokenizer, pat_str: str) -> None:
        self.name, self.tokenizer, self._pat_str = name, tokenizer, pat_str

    def __repr__(self) -> str:
        """The name."""
        return f"<Encoding {self.name!r}>"

    # ── text → ids ────────────────────────────────────────────────────────────────────────────
    def encode(
        self,
        text: str,
        *,
        allowed_special: Allowed = frozenset(),
        disallowed_special: Disallowed = "all",
    ) -> list[int]:
        """Return the ids of a text.

        Args:
            text: the text.
            allowed_special: special tokens that are found in it.
            disallowed_special: strings that it may not hold; "all" are the other special tokens.

        Raises:
            EncodingError: it holds one of these; a ValueError.
        """
        allowed = self._checked([text], allowed_special, disallowed_special)
        return self.tokenizer.encode(repaired(text), allowed_special=allowed)

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the ids of a text in which special tokens are text."""
        return self.tokenizer.encode(repaired(text))

    def encode_to_numpy(
        self,
        text: str,
        *,
        allowed_special: Allowed = frozenset(),
        disallowed_special: Disallowed = "all",
    ) -> Ids:
        """Return the ids of a text as a uint32 array."""
        allowed = self._checked([text], allowed_special, disallowed_special)
        return self.tokenizer.encode_array(repaired(text), allowed_special=allowed)

    def encode_batch(
        self,
        text: list[str],
        *,
        num_threads: int | None = None,
        allowed_special: Allowed = frozenset(),
        disallowed_special: Disallowed = "all",
    ) -> list[list[int]]:
        """Return the ids of several texts; None threads are all of the machine."""
        texts = as_items(text)
        allowed = self._checked(texts, allowed_special, disallowed_special)
        batch = self.tokenizer.encode_batch(
            map(repaired, texts), threads=num_threads, allowed_special=allowed
        )
        return batch.to_lists()

    def encode_ordinary_batch(
        self, text: list[str], *, num_threads: int | None = None
    ) -> list[list[int]]:
        """Return the ids of several texts in which special tokens are text."""
        texts = map(repaired, as_items(text))
        return self.tokenizer.encode_batch(texts, threads=num_threads).to_lists()

    def encode_single_token(self, text_or_bytes: str | bytes) -> int:
        """Return the id of a token.

        Raises:
            UnknownError: there is none; a KeyError.
            OptionError: it is no str and no bytes.
        """
        if not isinstance(text_or_bytes, (str, bytes)):
            raise OptionError(f"a token is a str or a bytes; {described(text_or_bytes)} came")
        is_text = isinstance(text_or_bytes, str)
        token = as_text(text_or_bytes, "a token").encode() if is_text else text_or_bytes
        if token not in self._ids:
            raise UnknownError(f"{shown(token)} is no token of {self.name}; encode it to see its")
        return self._ids[token]

    def encode_with_unstable(self, text: str, **options: object) -> NoReturn:
        """Refuse: which ids may still change is asked of the tokenizer itself.

        Raises:
            OptionError: always.
        """
        raise OptionError(
            "encode_with_unstable is not here; encoding.tokenizer.heal(ids) cuts the end that may "
            "change, and tokenizer.next_tokens(ids) gives what may follow"
        )

    def _checked(
        self, texts: Iterable[str], allowed: Allowed, disallowed: Disallowed
    ) -> frozenset[str]:
        return checked(texts, self.special_tokens_set, allowed, disallowed)

    # ── the vocabulary ────────────────────────────────────────────────────────────────────────
    @property
    def max_token_value(self) -> int:
        """The highest id."""
        return self.tokenizer.vocab_size - 1

    @property
    def n_vocab(self) -> int:
        """The highest id + 1."""
        return self.tokenizer.vocab_size

    @property
    def eot_token(self) -> int:
        """The id of `<|endoftext|>`.

        Raises:
            UnknownError: there is none; a KeyError.
        """
        if END not in self._special_tokens:
            raise UnknownError(f"{self.name} has no token {END!r}")
        return self._special_tokens[END]

    @lazy_property
    def special_tokens_set(self) -> set[str]:
        """The special tokens."""
        return set(self._special_tokens)

    def is_special_token(self, token: int) -> bool:
        """Return whether an id is that of a special token."""
        return token in self._special_tokens.values()

    def token_byte_values(self) -> list[bytes]:
        """Return the bytes of all tokens that text is made of, in their own order."""
        return sorted(self._mergeable_ranks)

    @lazy_property
    def _special_tokens(self) -> dict[str, int]:
        return self.tokenizer.special_tokens

    @lazy_property
    def _mergeable_ranks(self) -> dict[bytes, int]:
        model = self.tokenizer.spec.model
        numbers = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
        # A special token that is spelled like one of the model has its name in `vocab`.
        ids = {*numbers, *self.tokenizer.vocab.values()} - {*self._special_tokens.values()}
        return {self.tokenizer.token_bytes(id): id for id in sorted(ids)}

    @lazy_property
    def _ids(self) -> dict[bytes, int]:
        special = {token.encode(): id for token, id in self._special_tokens.items()}
        return special | self._mergeable_ranks
