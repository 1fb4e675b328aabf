"""Places: where pre-tokens and tokens stand in the original text, as the libraries tell it.

Rule.    A pre-token stands for the characters that its own come from. In SentencePiece a token
         reaches to where the next one begins: what the normalizer dropped goes to the token before
         it, and a character that became several tokens to the last of them.
Cost.    That of the pipeline.
Source.  tokenizers 0.23.3; sentencepiece 0.2.3.
"""

from itertools import pairwise

from kugiri.encoding import Span, Token
from kugiri.reference.alignment import Aligned, character_span
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.special_tokens import Allowed


def pre_tokens(tokenizer: ReferenceTokenizer, text: str) -> list[tuple[str, Span]]:
    """The pre-tokens of a text without special tokens, each with its characters."""
    words = tokenizer.words(tokenizer.normalize(Aligned.of(text)))
    return [(word.text, character_span(text, *word.named_span)) for word in words]


def word_ids(
    tokenizer: ReferenceTokenizer, text: str, allowed_special: Allowed = frozenset()
) -> list[int]:
    """The number of the pre-token that each token is part of; an added token is one, too."""
    parts = tokenizer.parts(text, allowed_special)
    return [i for i, part in enumerate(parts) for _ in tokenizer.model_tokens([part])]


def sentencepiece_spans(
    tokenizer: ReferenceTokenizer, text: str, allowed_special: Allowed = frozenset()
) -> list[Span]:
    """The characters of each token as SentencePiece reports them."""
    spans: list[Span] = []
    for part in tokenizer.added_tokens.split(Aligned.of(text), allowed_special):
        if isinstance(part, Token):
            tokens, end = [part], part.end
        else:
            normalized = tokenizer.normalize(part)
            parts = tokenizer.normalized_parts(normalized, allowed_special)
            tokens, end = list(tokenizer.model_tokens(parts)), normalized.end
        starts = [character_span(text, token.start, token.end)[0] for token in tokens]
        spans += pairwise([*starts, character_span(text, end, end)[1]])
    return spans
