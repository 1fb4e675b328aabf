"""Post-processing: special tokens around a text or a pair, where the tokenizer's file asks for it.

Rule.    A post-processor is given a list of parts, first one for each text, and gives a new list.
         A template puts its tokens between the texts, and says the type of everything; without
         special tokens only the texts of it stay. Bert's and Roberta's put theirs around each part.
         ByteLevel and Roberta trim spans (spans.py), which no id depends on. A template takes one
         part or two; more come only from another template before it.
Cost.    O(1) beside the tokens themselves.
Source.  tokenizers 0.23.3, which panics where a template is given other than one part or two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kugiri.errors import FormatError, OptionError
from kugiri.lazy import lazy_module
from kugiri.spec import (
    BertProcessing,
    ByteLevelProcessing,
    PostProcessor,
    PostProcessors,
    RobertaProcessing,
    SequencePiece,
    TemplateProcessing,
)

if TYPE_CHECKING:
    from kugiri import encoding
    from kugiri.encoding import Token
else:
    encoding = lazy_module("kugiri.encoding")

MOST_ADDED = 1_000
"""How many things a post-processor may put around a text; it must not double them without end."""


class Item(NamedTuple):
    """One thing that stands in the result: all of a text, or a token by its string and id."""

    content: int | tuple[str, int]
    type_id: int


def layout(processor: PostProcessor | None, texts: int, add_special_tokens: bool) -> list[Item]:
    """What stands around one text, or around a pair.

    Raises:
        OptionError: a template is given parts that another one made, and they are not one or two.
        FormatError: there are too many, or a template for one text asks for a second.

    Example:
        >>> bert = BertProcessing(sep=("[SEP]", 2), cls=("[CLS]", 1))
        >>> [(item.content, item.type_id) for item in layout(bert, 2, False)]
        [(0, 0), (1, 1)]
    """
    parts = [[Item(index, index)] for index in range(texts)]
    return [item for part in _processed(parts, processor, add_special_tokens) for item in part]


def post_process(
    texts: Sequence[list[Token]], processor: PostProcessor | None, add_special_tokens: bool
) -> list[Token]:
    """The tokens of one text or a pair, with what a post-processor adds to them."""
    tokens: list[Token] = []
    for content, _ in layout(processor, len(texts), add_special_tokens):
        tokens += texts[content] if isinstance(content, int) else [_token(*content)]
    return tokens


def _processed(
    parts: list[list[Item]], processor: PostProcessor | None, add: bool
) -> list[list[Item]]:
    match processor:
        case PostProcessors():
            for step in processor.processors:
                parts = _processed(parts, step, add)
        case BertProcessing() if add:
            sep, cls = processor.sep, processor.cls
            first, *others = [[*part, Item(sep, int(i > 0))] for i, part in enumerate(parts)]
            parts = [[Item(cls, 0), *first], *others]
        case RobertaProcessing():
            sep, cls = processor.sep, processor.cls
            parts = [[Item(content, 0) for content, _ in part] for part in parts]
            if add:
                begins = [cls] + [sep] * len(parts)
                parts = [[Item(begins[i], 0), *p, Item(sep, 0)] for i, p in enumerate(parts)]
        case TemplateProcessing():
            parts = _filled(processor, parts, add)
        case None | BertProcessing() | ByteLevelProcessing():
            pass
    if (size := sum(map(len, parts))) > MOST_ADDED:
        raise FormatError(
            f"the post-processor makes {size:,} tokens and texts of one text or a pair; at most "
            f"{MOST_ADDED:,} may be: shorten its template"
        )
    return parts


def _filled(template: TemplateProcessing, parts: list[list[Item]], add: bool) -> list[list[Item]]:
    """A template with its parts put in."""
    if len(parts) not in (1, 2):
        raise OptionError(
            "a template of the post-processor is given parts that another one made, and they are "
            "not one or two; encode with add_special_tokens=False, or mend the file"
        )
    filled: list[list[Item]] = []
    for piece in template.single if len(parts) == 1 else template.pair:
        if not isinstance(piece, SequencePiece):
            named = template.special_tokens[piece.id]
            tokens = zip(named.tokens, named.ids, strict=True)
            filled += [[Item(token, piece.type_id) for token in tokens]] if add else []
        elif piece.id == "B" and len(parts) == 1:
            raise FormatError("the template for one text asks for the text B of a pair")
        else:
            filled.append(
                [Item(content, piece.type_id) for content, _ in parts["AB".index(piece.id)]]
            )
    return filled


def _token(string: str, id: int) -> Token:
    return encoding.Token(id, string.encode(), 0, 0)
