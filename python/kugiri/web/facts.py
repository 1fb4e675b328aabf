"""What is asked of a vocabulary again and again, in a form that answers at once.

Rule.    The rank of a token is that of the first merge that results in it; of a vocabulary that has
         none it is the token's id; of one whose merges go by score there is a score instead.
Cost.    A sort of the merges, once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kugiri.explain.readings import read
from kugiri.formats.growth import growth
from kugiri.spec import BPE, Model, is_byte_level
from kugiri.tokenizer import Tokenizer


@dataclass(frozen=True)
class Facts:
    """What is known of a vocabulary.

    Attributes:
        visible_bytes: whether its strings are in the visible characters of bytes.
        special: the ids of special tokens.
        unknown: the id of the unknown token, where there is one.
        added: the ids of added tokens, which have neither rank nor score.
        growth: how many characters normalizing and decoding may make of one, at the worst.
    """

    visible_bytes: bool
    special: frozenset[int]
    unknown: int | None
    added: frozenset[int]
    growth: float
    _model: Model
    _made: npt.NDArray[np.int64]
    _ranks: npt.NDArray[np.int64]

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Facts:
        """Find out."""
        spec = tokenizer.spec
        model = spec.model
        merges = model.merges if isinstance(model, BPE) else None
        made, ranks = np.unique(merges.result, return_index=True) if merges else ([], [])
        return cls(
            visible_bytes=is_byte_level(spec.pre_tokenizer),
            special=frozenset(tokenizer.special_tokens.values()),
            unknown=tokenizer.unknown_id,
            added=frozenset(token.id for token in spec.added_tokens),
            growth=growth(spec.normalizer) * growth(spec.decoder),
            _model=model,
            _made=np.array(made, np.int64),
            _ranks=np.array(ranks, np.int64),
        )

    def read(self, id: int, string: str) -> str:
        """The string of a token as what is to be read; an added token is text as it stands."""
        return read(string, self.visible_bytes and id not in self.added)

    def rank(self, id: int) -> int | None:
        """The rank of a token; None for one that no merge made."""
        model = self._model
        if not isinstance(model, BPE) or model.order == "score" or id in self.added:
            return None
        if model.merges is None:
            return id
        row = int(np.searchsorted(self._made, id))
        found = row < len(self._made) and self._made[row] == id
        return int(self._ranks[row]) if found else None

    def score(self, id: int) -> float | None:
        """The score of a token, where the model has them."""
        scores, ids = getattr(self._model, "scores", None), self._model.ids
        if scores is None or id in self.added:
            return None
        row = id if ids is None else int(np.searchsorted(ids.values, np.uint32(id)))
        return float(scores.values[row]) if row < len(scores.values) else None
