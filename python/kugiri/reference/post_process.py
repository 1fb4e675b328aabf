"""Post-processing: special tokens around a text, where the tokenizer's file asks for them.

Rule.    A template puts its tokens before and after those of the text. They stand for no bytes.
Cost.    O(1) beside the tokens themselves.
Source.  tokenizers 0.23.3: TemplateProcessing for a single text. ByteLevel trims spans there and
         leaves ids alone, so here it does nothing.
"""

from __future__ import annotations

from kugiri.encoding import Token
from kugiri.reference.not_run import not_run
from kugiri.spec import (
    ByteLevelProcessing,
    PostProcessor,
    PostProcessors,
    SequencePiece,
    TemplateProcessing,
)


def post_process(tokens: list[Token], processor: PostProcessor | None) -> list[Token]:
    """Add what a post-processor adds to one text.

    Raises:
        OptionError: a post-processor that this engine does not run.
    """
    match processor:
        case None | ByteLevelProcessing():
            return tokens
        case PostProcessors():
            for step in processor.processors:
                tokens = post_process(tokens, step)
            return tokens
        case TemplateProcessing():
            return _fill(processor, tokens)
        case _:
            raise not_run("post-processor", processor)


def _fill(template: TemplateProcessing, tokens: list[Token]) -> list[Token]:
    filled: list[Token] = []
    for piece in template.single:
        if isinstance(piece, SequencePiece):
            filled += tokens
        else:
            named = template.special_tokens[piece.id]
            for id, content in zip(named.ids, named.tokens, strict=True):
                filled.append(Token(id, content.encode(), 0, 0))
    return filled
