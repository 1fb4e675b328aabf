"""A text on its way through a tokenizer, stage by stage: what `Tokenizer.explain` gives.

Rule.    Stages and steps are those of the readable engine, ids and spans those of the core; both
         have the same rules, and tests compare them. Drawings are made from the result alone.
Cost.    That of the readable engine: for sentences, not for books.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from kugiri.encoding import Encoding, Span, Token
from kugiri.explain.boundaries import Cut, cuts
from kugiri.explain.model_steps import Part, model_steps
from kugiri.explain.normalization import explain_normalization
from kugiri.explain.structure import Boundary, Decoded, Explanation, Fallback, PostProcess
from kugiri.reference.alignment import Aligned
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.post_process import layout
from kugiri.reference.special_tokens import Allowed
from kugiri.reference.vocab import show
from kugiri.spec import is_byte_level
from kugiri.tokenizing.encode_options import EncodeOptions
from kugiri.tokenizing.spans import covering_spans

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer

SCHEMA: Final = 1


def explain(
    tok: Tokenizer,
    reference: ReferenceTokenizer,
    text: str,
    nbest: int,
    options: EncodeOptions,
) -> Explanation:
    """Say what becomes of a text, given both engines of a tokenizer."""
    encoding = tok.encode_with_offsets(text, **options)
    allowed = options.get("allowed_special") or frozenset()
    parts = placed(text, parts_of(reference, text, allowed))
    words = [part for part in parts if not isinstance(part.it, Token)]
    model = model_steps(reference, text, words, nbest, allowed)
    ids = encoding.ids.tolist()
    added = [number for number, of in enumerate(encoding.sequence_ids) if of is None]
    found = [(text[slice(*part.span)], part.span) for part in parts if isinstance(part.it, Token)]
    of_text = [id for number, id in enumerate(ids) if number not in added]
    return Explanation(
        schema=SCHEMA,
        text=text,
        visible_bytes=is_byte_level(tok.spec.pre_tokenizer),
        special_tokens=found,
        left_as_text=_left_as_text(reference, text, found, allowed),
        normalization=explain_normalization(reference, text, allowed),
        pre_tokens=[(part.it.text, part.span) for part in words if isinstance(part.it, Aligned)],
        boundaries=_boundaries(parts),
        model=model,
        fallbacks=_fallbacks(reference, text, encoding),
        post_process=PostProcess(_template(reference), added),
        ids=ids,
        tokens=encoding.tokens,
        bytes=[tok.token_bytes(id).hex() for id in ids],
        spans=encoding.spans,
        covering_spans=encoding.covering_spans,
        byte_spans=encoding.byte_spans,
        special=encoding.special,
        decoded=_decoded(tok, text, of_text[::-1] if options.get("reverse") else of_text),
    )


# ── the stages before the model ───────────────────────────────────────────────────────────────
def parts_of(
    reference: ReferenceTokenizer, text: str, allowed: Allowed = frozenset()
) -> list[Token | Cut]:
    """Added tokens and words, each with what parts it from the one before.

    As ReferenceTokenizer.parts, but for the rules.
    """
    found: list[Token | Cut] = []
    for raw in reference.added_tokens.split(Aligned.of(text), allowed):
        if isinstance(raw, Token):
            found.append(raw)
            continue
        for part in reference.added_tokens.split_normalized(reference.normalize(raw), allowed):
            if isinstance(part, Token):
                found.append(part)
            else:
                found += cuts(part, reference.spec.pre_tokenizer)
    return found


def placed(text: str, parts: Sequence[Token | Cut]) -> list[Part]:
    """The parts with their characters of the text."""
    places = [it[2:] if isinstance(it, Token) else it.text.named_span for it in parts]
    spans = covering_spans(text, np.array(places, np.int64).reshape(-1, 2))
    return [
        Part(it, span) if isinstance(it, Token) else Part(it.text, span, it.step, it.rule)
        for it, span in zip(parts, spans, strict=True)
    ]


def _left_as_text(
    reference: ReferenceTokenizer, text: str, found: list[tuple[str, Span]], allowed: Allowed
) -> list[tuple[str, Span]]:
    """What would be cut out if all special tokens were allowed."""
    if allowed == "all":
        return []
    every = placed(text, [it for it in reference.parts(text, "all") if isinstance(it, Token)])
    stand = [(text[slice(*part.span)], part.span) for part in every]
    return [each for each in stand if each not in found]


def _boundaries(parts: list[Part]) -> list[Boundary]:
    """What parts each two pre-tokens that follow one another, and those beside added tokens."""
    boundaries = []
    for left, right in pairwise(parts):
        added = next((it for it in (left, right) if isinstance(it.it, Token)), None)
        if added is not None and isinstance(added.it, Token):
            step, rule = "added token", f"{show(added.it.text)} is cut out before all else"
        else:
            step, rule = right.step or "added tokens", right.rule or "an added token stood here"
        boundaries.append(Boundary((left.span[1], right.span[0]), step, rule))
    return boundaries


# ── the stages behind it ──────────────────────────────────────────────────────────────────────
def _fallbacks(reference: ReferenceTokenizer, text: str, encoding: Encoding) -> list[Fallback]:
    """The tokens that are bytes of what has no token, or unknown."""
    vocabulary = reference.vocabulary
    of_bytes = {*vocabulary.byte_ids.values()}
    rows = []
    for id, span, of in zip(
        encoding.ids.tolist(), encoding.covering_spans, encoding.sequence_ids, strict=True
    ):
        if of is not None and (id in of_bytes or id == vocabulary.unknown_id):
            rows.append(("bytes" if id in of_bytes else "unknown", span, id))
    return [
        Fallback(text[slice(*span)], span, became, [id for *_, id in group])
        for (became, span), group in groupby(rows, key=lambda row: row[:2])
    ]


def _template(reference: ReferenceTokenizer) -> list[str]:
    """What add_special_tokens would put around a text."""
    items = layout(reference.spec.post_processor, 1, add_special_tokens=True)
    return ["$A" if isinstance(item.content, int) else item.content[0] for item in items]


def _decoded(tok: Tokenizer, text: str, ids: list[int]) -> Decoded:
    decoded = tok.decode(ids)
    if decoded == text:
        return Decoded(decoded, True, None)
    pairs = zip(decoded, text, strict=False)
    shorter = min(len(decoded), len(text))
    differs_at = next((at for at, (was, is_) in enumerate(pairs) if was != is_), shorter)
    return Decoded(decoded, False, differs_at)
