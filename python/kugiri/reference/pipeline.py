"""The pipeline, which reads as one sentence.

Rule.    text → special tokens → normalize → pre-tokenize → model → ids → post-process, and back.
Cost.    That of its stages. The core does the same at the speed of the machine.
Source.  The pipeline of tokenizers 0.23.3; tiktoken and SentencePiece are cases of it.
"""

from collections.abc import Iterable, Iterator

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
        for part in split_special_tokens(text, self.spec.added_tokens, allowed_special):
            if isinstance(part, Token):
                yield part
            else:
                for word in self._words(part):
                    yield from self.model.encode(word)

    def _words(self, text: Aligned) -> list[Aligned]:
        text = normalize(text, self.spec.normalizer)
        return pre_tokenize(text, self.spec.pre_tokenizer, self.spec.unicode_version)

    def pre_tokenize(self, text: str) -> list[tuple[str, Span]]:
        """Text → pre-tokens, each with the characters that it comes from."""
        return [(w.text, character_span(text, *w.span)) for w in self._words(Aligned.of(text))]

    def decode(
        self, ids: Iterable[int], errors: str = "replace", skip_special_tokens: bool = False
    ) -> str:
        """Ids → text."""
        pieces = self.vocabulary.pieces(ids, skip_special_tokens)
        return to_text(join(pieces, self.spec), errors)
