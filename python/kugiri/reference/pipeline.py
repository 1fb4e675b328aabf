"""The pipeline, which reads as one sentence.

Rule.    text → special tokens → normalize → pre-tokenize → model → ids → post-process, and back.
Cost.    That of its stages. The core does the same at the speed of the machine.
"""

from collections.abc import Iterable, Iterator

from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.decode import join, to_text
from kugiri.reference.models import build_model
from kugiri.reference.normalize import normalize
from kugiri.reference.oniguruma import in_our_dialect
from kugiri.reference.post_process import post_process
from kugiri.reference.pre_tokenize import pre_tokenize
from kugiri.reference.special_tokens import Allowed, split_special_tokens
from kugiri.reference.vocab import Vocabulary, require_ids
from kugiri.spec import TokenizerSpec


class ReferenceTokenizer:
    """A tokenizer that does the obvious thing."""

    def __init__(self, spec: TokenizerSpec) -> None:
        """Build the stages that have tables."""
        self.spec = spec = in_our_dialect(spec)
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
            yield from [part] if isinstance(part, Token) else self.stretch(self.normalize(part))

    def stretch(self, normalized: Aligned) -> Iterator[Token]:
        """Normalized text without special tokens → tokens."""
        for word in self.words(normalized):
            yield from self.model.encode(word)

    def normalize(self, text: Aligned) -> Aligned:
        """Text → what the model is given of it."""
        version = self.spec.unicode_version
        return normalize(text, self.spec.normalizer, self.vocabulary.user_defined, version)

    def words(self, normalized: Aligned) -> list[Aligned]:
        """Normalized text → pre-tokens."""
        return pre_tokenize(normalized, self.spec.pre_tokenizer)

    def decode(
        self, ids: Iterable[int], errors: str = "replace", skip_special_tokens: bool = False
    ) -> str:
        """Ids → text."""
        pieces = self.vocabulary.pieces(ids, skip_special_tokens)
        return to_text(join(pieces, self.spec), errors, self.spec.decoder)
