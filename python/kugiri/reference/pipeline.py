"""The pipeline, which reads as one sentence.

Rule.    text → special tokens → normalize → pre-tokenize → model → ids → post-process, and back.
Cost.    That of its stages. The core does the same at the speed of the machine.
Source.  The pipeline of tokenizers 0.23.3; tiktoken and SentencePiece are cases of it.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from kugiri.encoding import Span, Token
from kugiri.reference.alignment import Aligned, character_span
from kugiri.reference.decode import join, to_text
from kugiri.reference.models import build_model
from kugiri.reference.normalize import normalize
from kugiri.reference.post_process import post_process
from kugiri.reference.pre_tokenize import pre_tokenize
from kugiri.reference.special_tokens import Allowed, split_special_tokens
from kugiri.reference.vocab import Vocabulary, require_ids
from kugiri.spec import TokenizerSpec


class ReferenceTokenizer:
    """A tokenizer that does the obvious thing."""

    def __init__(self, spec: TokenizerSpec) -> None:
        """Build the stages that have tables."""
        self.spec = spec
        self.vocabulary = Vocabulary(spec.model, spec.added_tokens)
        self.model = build_model(spec.model, self.vocabulary)

    def encode(
        self, text: str, allowed_special: Allowed = frozenset(), add_special_tokens: bool = False
    ) -> list[Token]:
        """Text → tokens, each with its id."""
        tokens = require_ids(self.tokens(text, allowed_special), text)
        return post_process(tokens, self.spec.post_processor) if add_special_tokens else tokens

    def tokens(self, text: str, allowed_special: Allowed = frozenset()) -> Iterator[Token]:
        """Text → tokens as the model gives them; the id of an unknown one may be None."""
        for tokens, _ in self._parts(text, allowed_special):
            yield from tokens

    def spans(self, text: str, allowed_special: Allowed = frozenset()) -> list[Span]:
        """The characters of each token as SentencePiece reports them.

        A token reaches to where the next one begins. What the normalizer dropped goes to the token
        before it, and a character that became several tokens to the last of them.
        """
        spans: list[Span] = []
        for tokens, end in self._parts(text, allowed_special):
            starts = [character_span(text, token.start, token.end)[0] for token in tokens]
            spans += pairwise([*starts, character_span(text, end, end)[1]])
        return spans

    def _parts(self, text: str, allowed_special: Allowed) -> Iterator[tuple[list[Token], int]]:
        """The tokens of each stretch between special tokens, with the byte where it ends."""
        for part in split_special_tokens(text, self.spec.added_tokens, allowed_special):
            if isinstance(part, Token):
                yield [part], part.end
            else:
                normalized = self.normalize(part)
                words = self._words(normalized)
                yield [token for word in words for token in self.model.encode(word)], normalized.end

    def normalize(self, text: Aligned) -> Aligned:
        """Text → what the model is given of it."""
        return normalize(text, self.spec.normalizer, self.vocabulary.user_defined)

    def _words(self, normalized: Aligned) -> list[Aligned]:
        return pre_tokenize(normalized, self.spec.pre_tokenizer, self.spec.unicode_version)

    def words(self, text: str) -> list[Aligned]:
        """Text → pre-tokens."""
        return self._words(self.normalize(Aligned.of(text)))

    def pre_tokenize(self, text: str) -> list[tuple[str, Span]]:
        """Text → pre-tokens, each with the characters that it comes from."""
        return [(word.text, character_span(text, *word.span)) for word in self.words(text)]

    def decode(
        self, ids: Iterable[int], errors: str = "replace", skip_special_tokens: bool = False
    ) -> str:
        """Ids → text."""
        data = self.decode_bytes(ids, skip_special_tokens)
        return to_text(data, errors, self.spec.decoder)

    def decode_bytes(self, ids: Iterable[int], skip_special_tokens: bool = False) -> bytes:
        """Ids → the bytes of the text."""
        return join(self.vocabulary.pieces(ids, skip_special_tokens), self.spec)
