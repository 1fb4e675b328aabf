"""From the ranks of a `.tiktoken` file to a merge list that does the same.

Rule.    Each token is cut into its own bytes and joined by rank, but only as far as ranks below its
         own go: the two parts that are left are its merge. Where more than two are left, the ranks
         reach the token only as a whole word, and no merge list does that. rank_order.py proves
         that the list does what the ranks do.
Cost.    For each token its length squared.
"""

from __future__ import annotations

from itertools import pairwise

import msgspec

from kugiri.errors import FormatError
from kugiri.formats.rank_order import why_not_by_rank
from kugiri.spec import BPE, TokenizerSpec
from kugiri.tables import Merges


def with_merge_list(spec: TokenizerSpec) -> TokenizerSpec:
    """The same tokenizer with merges, if it has ranks; any other as it is.

    Raises:
        FormatError: no merge list does what the ranks do.
    """
    model = spec.model
    if not isinstance(model, BPE) or model.order != "rank":
        return spec
    added = {(token.id, token.content.encode()) for token in spec.added_tokens}
    ids = range(len(model.vocab)) if model.ids is None else model.ids.values.tolist()
    pairs = zip(model.vocab, ids, strict=True)
    rank_of = {token: id for token, id in pairs if (id, token) not in added}
    rows = [
        (*(rank_of[part] for part in _parts(token, id, rank_of)), id)
        for token, id in rank_of.items()
        if len(token) > 1
    ]
    reason = why_not_by_rank(rows, {id: token for token, id in rank_of.items()})
    if reason:
        raise FormatError(f"no merge list gives the same ids as these ranks: {reason}")
    merges = Merges(*zip(*rows, strict=True)) if rows else Merges.empty()
    listed = msgspec.structs.replace(model, order="list", merges=merges, ignore_merges=False)
    return msgspec.structs.replace(spec, model=listed)


def _parts(token: bytes, rank: int, rank_of: dict[bytes, int]) -> tuple[bytes, bytes]:
    """The two parts that a token is joined of.

    Example:
        >>> _parts(b"abc", 5, {b"a": 0, b"b": 1, b"c": 2, b"bc": 3, b"ab": 4, b"abc": 5})
        (b'a', b'bc')
    """
    parts = [token[at : at + 1] for at in range(len(token))]
    while len(parts) > 2:
        joins = (
            (rank_of.get(left + right, rank), at)
            for at, (left, right) in enumerate(pairwise(parts))
        )
        lowest, at = min(joins)
        if lowest >= rank:
            raise FormatError(
                f"no merge list gives the same ids as these ranks: the token {token!r} with rank "
                f"{rank} is met only as a whole word"
            )
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts[0], parts[1]
