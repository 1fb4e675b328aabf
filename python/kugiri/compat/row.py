"""One row of a call, with the way from its tokens to characters and words, and back.

Rule.    A token belongs to the text whose characters it covers; what the template or the filling
         put in belongs to none. A character is found in the first token that covers it.
Cost.    A walk along the row for each question that begins at a character or a word.
Source.  tokenizers 0.23.3: `Encoding`; transformers 5.24.0: `CharSpan`, `TokenSpan`.
"""

from __future__ import annotations

from typing import NamedTuple

from kugiri.encoding import Batch, Span
from kugiri.inputs import as_whole
from kugiri.tokenizing.model_inputs import ModelInputs


class CharSpan(NamedTuple):
    """Where something stands in a text, in characters."""

    start: int
    end: int


class TokenSpan(NamedTuple):
    """Where something stands in a row, in tokens."""

    start: int
    end: int


class Row:
    """One row, as `tokenizers.Encoding`."""

    def __init__(self, rows: ModelInputs, index: int) -> None:
        """Keep the rows and which it is."""
        self._rows, self._index = rows, index

    def __len__(self) -> int:
        """The number of tokens, filling included."""
        return len(self._rows.input_ids[self._index])

    def __repr__(self) -> str:
        """The number of tokens."""
        return f"Row({len(self)} tokens)"

    @property
    def ids(self) -> list[int]:
        """The id of each token."""
        return self._of(self._rows.input_ids)

    @property
    def type_ids(self) -> list[int]:
        """The number that the template gives each token."""
        return self._of(self._rows.token_type_ids)

    @property
    def attention_mask(self) -> list[int]:
        """1 for a token, 0 where the row was filled up."""
        return self._of(self._rows.attention_mask)

    @property
    def special_tokens_mask(self) -> list[int]:
        """1 where the template or the filling put a token in."""
        return self._of(self._rows.special_tokens_mask)

    @property
    def tokens(self) -> list[str]:
        """The string of each token."""
        return self._rows.tokens[self._index]

    @property
    def offsets(self) -> list[Span]:
        """The span of each token in its text."""
        return self._rows.offset_mapping[self._index]

    @property
    def word_ids(self) -> list[int | None]:
        """The pre-token that each token is part of."""
        return self._rows.word_ids[self._index]

    words = word_ids

    @property
    def sequence_ids(self) -> list[int | None]:
        """The text of the pair that each token is of."""
        return self._rows.sequence_ids[self._index]

    @property
    def n_sequences(self) -> int:
        """How many texts stand in the row."""
        return self._rows.n_sequences

    def _of(self, batch: Batch) -> list[int]:
        numbers: list[int] = batch[self._index].tolist()
        return numbers

    # ── from tokens ───────────────────────────────────────────────────────────────────────────
    def token_to_sequence(self, token_index: int) -> int | None:
        """Return the text that a token is of."""
        index = as_whole("token_index", token_index)
        return self.sequence_ids[index] if index < len(self) else None

    def token_to_word(self, token_index: int) -> int | None:
        """Return the word that a token is part of."""
        text = self.token_to_sequence(token_index)
        return None if text is None else self.word_ids[token_index]

    def token_to_chars(self, token_index: int) -> CharSpan | None:
        """Return the characters that a token covers."""
        text = self.token_to_sequence(token_index)
        return None if text is None else CharSpan(*self.offsets[token_index])

    # ── from characters and words ─────────────────────────────────────────────────────────────
    def char_to_token(self, char_index: int, sequence_index: int = 0) -> int | None:
        """Return the token that covers a character of a text."""
        at = as_whole("char_index", char_index)
        places = enumerate(zip(self.offsets, self.sequence_ids, strict=True))
        covering = (i for i, ((a, b), text) in places if text == sequence_index and a <= at < b)
        return next(covering, None)

    def char_to_word(self, char_index: int, sequence_index: int = 0) -> int | None:
        """Return the word that a character of a text is part of."""
        token = self.char_to_token(char_index, sequence_index)
        return None if token is None else self.token_to_word(token)

    def word_to_tokens(self, word_index: int, sequence_index: int = 0) -> TokenSpan | None:
        """Return the tokens of a word."""
        wanted = as_whole("word_index", word_index), sequence_index
        words = enumerate(zip(self.word_ids, self.sequence_ids, strict=True))
        tokens = [index for index, word in words if word == wanted]
        return TokenSpan(tokens[0], tokens[-1] + 1) if tokens else None

    def word_to_chars(self, word_index: int, sequence_index: int = 0) -> CharSpan | None:
        """Return the characters of a word."""
        tokens = self.word_to_tokens(word_index, sequence_index)
        if tokens is None:
            return None
        return CharSpan(self.offsets[tokens.start][0], self.offsets[tokens.end - 1][1])
