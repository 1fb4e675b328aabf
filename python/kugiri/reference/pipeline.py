"""The pipeline, which reads as one sentence.

Rule.    text → special tokens → normalize → pre-tokenize → model → ids → post-process, and back.
Cost.    That of its stages. The core does the same at the speed of the machine.
"""

from collections.abc import Iterable, Iterator

from kugiri.encoding import Token
from kugiri.reference.alignment import Aligned
from kugiri.reference.decode import join, to_text
from kugiri.reference.dialect import in_our_dialect
from kugiri.reference.models import build_model
from kugiri.reference.normalize import normalize
from kugiri.reference.post_process import post_process
from kugiri.reference.pre_tokenize import pre_tokenize
from kugiri.reference.special_tokens import AddedTokens, Allowed
from kugiri.reference.vocab import Vocabulary, require_ids
from kugiri.spec import TokenizerSpec


class ReferenceTokenizer:
    """A tokenizer that does the obvious thing."""

    def __init__(self, spec: TokenizerSpec) -> None:
        """Build the stages that have tables."""
        self.spec = spec = in_our_dialect(spec)
        self.added_tokens = added_tokens(spec)
        self.vocabulary = Vocabulary(spec.model, spec.added_tokens, self.added_tokens.forms)
        self.model = build_model(spec, self.vocabulary)

    def encode(
        self,
        text: str,
        allowed_special: Allowed = frozenset(),
        add_special_tokens: bool = False,
        pair: str | None = None,
        *,
        begin: Token | None = None,
        end: Token | None = None,
        reverse: bool = False,
    ) -> list[Token]:
        """A text, or a pair of them → tokens, each with its id; `reverse` turns a text round."""
        texts = [text] if pair is None else [text, pair]
        encoded = [require_ids(self.tokens(text, allowed_special), text) for text in texts]
        if reverse:
            encoded = [tokens[::-1] for tokens in encoded]
        tokens = post_process(encoded, self.spec.post_processor, add_special_tokens)
        return [*filter(None, [begin]), *tokens, *filter(None, [end])]

    def tokens(self, text: str, allowed_special: Allowed = frozenset()) -> Iterator[Token]:
        """Text → tokens as the model gives them; the id of an unknown one may be None."""
        return self.model_tokens(self.parts(text, allowed_special))

    def parts(self, text: str, allowed_special: Allowed) -> Iterator[Token | Aligned]:
        """Text → special tokens → normalize → pre-tokenize: added tokens, and words."""
        for part in self.added_tokens.split(Aligned.of(text), allowed_special):
            if isinstance(part, Token):
                yield part
            else:
                yield from self.normalized_parts(self.normalize(part), allowed_special)

    def normalized_parts(
        self, text: Aligned, allowed_special: Allowed
    ) -> Iterator[Token | Aligned]:
        """Normalized text → added tokens, and words."""
        for part in self.added_tokens.split_normalized(text, allowed_special):
            yield from [part] if isinstance(part, Token) else self.words(part)

    def model_tokens(self, parts: Iterable[Token | Aligned]) -> Iterator[Token]:
        """Words → tokens."""
        for part in parts:
            yield from [part] if isinstance(part, Token) else self.model.encode(part)

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
        return to_text(join(pieces, self.spec, errors), errors, self.spec.decoder)


def added_tokens(spec: TokenizerSpec) -> AddedTokens:
    """The added tokens of a spec."""

    def normalized(content: str) -> str:
        return normalize(Aligned.of(content), spec.normalizer).text

    return AddedTokens(spec.added_tokens, normalized, spec.origin == "tokenizer.json")
