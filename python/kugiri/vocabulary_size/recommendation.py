"""kugiri.recommend: how large a vocabulary should be, for a text and a model.

Rule.    A model of N parameters without its vocabulary, with V entries of d numbers, takes
         6 (N + V d) FLOPs to train on a token and 2 (N + V d) to give one. A larger vocabulary
         makes tokens dearer and fewer. Recommended is the size at which the text as a whole is
         cheapest, by its own curve (curve.py): on text that no training saw, where there is some.
         Training and giving differ by a factor only, so one size is the best for both.
         Of BPE it is no larger than the largest size of which 95 % of the merged entries stand at
         least 100 times in the text of the model, where it is said how much that is and there is
         such a size. The alphabet is not asked: it is there whatever the size.
Cost.    O(sizes), and of BPE O(merges).
Source.  The cost: Tao et al. 2024 (arXiv:2407.13623), whose laws for English stand beside it
         (laws.py). The bound: Gowda & May 2020, "Finding the Optimal Vocabulary Size for NMT".
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from kugiri.corpus import Corpus
from kugiri.errors import OptionError, TrainingError, choose, shown
from kugiri.inputs import as_number, as_whole
from kugiri.sweep_result import Sweep
from kugiri.training.texts import Size
from kugiri.vocabulary_size.alone import NEAR, alone, run_around
from kugiri.vocabulary_size.curve import Counts, Curve
from kugiri.vocabulary_size.laws import dimension_of, laws, tokens_per_character
from kugiri.vocabulary_size.reasons import reasons
from kugiri.vocabulary_size.result import Point, Recommendation

OFTEN = 100
"""How often an entry must stand in the training text of the model to be learned."""
ENOUGH = 0.95
"""The share of the entries of which that must be so."""
MOST = 1e18
"""Parameters, or bytes of text: a million times what the largest models have."""
MOST_DIMENSION = 1_000_000


def recommend(
    found: Sweep,
    *,
    parameters: float,
    dimension: int | None = None,
    untied: bool = False,
    training_bytes: float | None = None,
    model: str | None = None,
    texts: Mapping[str, Corpus] | None = None,
) -> Recommendation:
    """Recommend the size of a vocabulary, of those that a sweep knows.

    Args:
        found: what `kugiri.sweep` gave; of BPE every size up to its largest is looked at.
        parameters: of the language model, without its vocabulary.
        dimension: of an embedding (None: the usual one of a model of so many parameters).
        untied: whether the output layer has parameters of its own.
        training_bytes: how much text like that of the sweep the language model is trained on.
        model: which of the sweep's (None: its first).
        texts: what the evaluation text is made of, by name: each is looked at alone as well.

    Raises:
        OptionError: a value is not allowed, or the sweep has no such model.
        TrainingError: the text has no token.

    Example:
        >>> from kugiri import sweep
        >>> words = {"ab": 90, "abc": 9, "abcd": 2, "xy": 2, "xyz": 2}
        >>> found = sweep(words, sizes=[11], unit="char")
        >>> it = recommend(found, parameters=10, dimension=10)
        >>> it.size, it.near, it.is_open
        (8, (8, 8), False)
    """
    check_model(parameters, dimension, training_bytes)
    parameters = float(parameters)
    dimension = dimension_of(parameters) if dimension is None else int(dimension)
    curve, on_training = _curves(found, model)
    text = found.training if curve is on_training else found.evaluation
    assert text is not None
    if not curve.tokens.any():
        raise TrainingError("the text has no token in it, so that no size is better than another")
    costs = (parameters + curve.sizes * float(dimension)) * curve.tokens
    least = int(np.argmin(costs))
    sufficient = _sufficient(on_training, found.training, training_bytes, int(curve.sizes[least]))
    chosen = min(least, _up_to(curve.sizes, sufficient) - 1) if sufficient else least
    size = int(curve.sizes[chosen])
    hardly_more = costs <= (1 + NEAR) * costs[least]
    is_open = run_around(hardly_more, least)[1] == len(curve.sizes) - 1
    if sufficient:
        hardly_more[_up_to(curve.sizes, sufficient) :] = False
    low, high = run_around(hardly_more, chosen)
    flops = None
    if training_bytes is not None:
        flops = float(6 * costs[chosen] * training_bytes / text.bytes)

    def point(size: int) -> Point:
        place = _up_to(curve.sizes, size) - 1
        embeddings = size * dimension * (2 if untied else 1)
        return Point(
            size=size,
            tokens_per_character=float(curve.tokens[place] / text.characters),
            unknown=float(curve.unknown[place] / max(1, curve.tokens[place])),
            gain=curve.gain(size),
            embedding_parameters=embeddings,
            embedding_share=embeddings / (parameters + embeddings),
            flops_per_character=float(2 * costs[place] / text.characters),
            cost=float(costs[place] / costs[least]),
            english=tokens_per_character(size),
        )

    recommendation = Recommendation(
        model=curve.model,
        text=curve.text,
        size=size,
        least=int(curve.sizes[least]),
        seen=found.seen,
        is_open=is_open,
        text_ends=_text_ends(found, curve),
        near=(int(curve.sizes[low]), int(curve.sizes[high])),
        parameters=parameters,
        dimension=dimension,
        untied=untied,
        training_bytes=training_bytes,
        training_flops=flops,
        sufficient=sufficient,
        needs_bytes=_needs(on_training, found.training, size),
        last_applied=_last_applied(on_training, size),
        flat_from=curve.flat_from,
        tokens=int(curve.tokens[chosen]),
        unknown=int(curve.unknown[chosen]),
        steps=[point(each) for each in _around(curve, size)],
        points=[point(each) for each in curve.shown()],
        laws=laws(parameters, dimension, flops),
        alone=alone(found, curve.model, texts or {}, parameters, dimension, size),
        reasons=[],
    )
    return msgspec.structs.replace(recommendation, reasons=reasons(recommendation))


def check_model(parameters: float, dimension: int | None, training_bytes: float | None) -> None:
    """Refuse a model that there cannot be.

    Raises:
        OptionError: a value is not allowed.
    """
    given = {"parameters": parameters, "training_bytes": training_bytes}
    for name, number in given.items():
        if number is not None and as_number(name, number, 1) > MOST:
            raise OptionError(f"{name} is {number:g}; it must be at most {MOST:g}")
    if dimension is not None and as_whole("dimension", dimension, 1) > MOST_DIMENSION:
        raise OptionError(f"dimension is {shown(dimension)}; at most {MOST_DIMENSION:,} is allowed")


def _curves(found: Sweep, model: str | None) -> tuple[Curve, Curve]:
    """The curve that decides, and that of the training text, which may be the same."""
    known = list(dict.fromkeys(curve.model for curve in found.curves))
    if not known:
        raise OptionError(
            "a size is recommended of bpe, wordpiece and unigram; the sweep has words or "
            "characters only, which lose text where they are few"
        )
    wanted = known[0] if model is None else choose("model", model, known)
    of_model = {curve.text: curve for curve in found.curves if curve.model == wanted}
    return of_model.get("evaluation", of_model["training"]), of_model["training"]


def _text_ends(found: Sweep, curve: Curve) -> bool:
    """Whether a larger size was asked for than there is."""
    asked = max(entry.size for entry in found.entries if entry.model == curve.model)
    return asked > int(curve.sizes[-1])


def _sufficient(curve: Curve, text: Size, training_bytes: float | None, size: int) -> int | None:
    """The largest size whose merged entries a text of so many bytes has often enough; 0: none.

    What stands nowhere in one text may stand in a longer one. So where an entry need not even
    stand once in this text, it tells no bound, but only that there is enough for a `size`.
    """
    if training_bytes is None or curve.merges is None:
        return None
    least = OFTEN * text.bytes / training_bytes
    enough = curve.sizes[1:][curve.merges.shares_of(max(least, 1))[1:] >= ENOUGH]
    largest = int(enough[-1]) if len(enough) else 0
    return largest if least >= 1 or largest >= size else None


def _needs(curve: Curve, text: Size, size: int) -> float | None:
    """How many bytes of text have the merged entries of this size often enough."""
    if curve.merges is None:
        return None
    entries = np.sort(curve.merges.merged(size - int(curve.sizes[0])))
    if not len(entries):
        return None
    rarest = int(entries[int((1 - ENOUGH) * len(entries))])
    return OFTEN * text.bytes / rarest if rarest else None


def _last_applied(curve: Curve, size: int) -> int | None:
    merges = size - int(curve.sizes[0])
    return int(curve.merges.times[merges - 1]) if curve.merges is not None and merges else None


def _around(curve: Curve, size: int) -> list[int]:
    """The sizes beside one: halves and doubles of it where all are known, else all there are."""
    if curve.merges is None:
        return curve.shown()
    first, last = int(curve.sizes[0]), int(curve.sizes[-1])
    sizes = [size // 4, size // 2, size, 2 * size, 4 * size]
    return [each for each in sizes if first <= each <= last]


def _up_to(sizes: Counts, size: int) -> int:
    """How many sizes are not larger."""
    return int(np.searchsorted(sizes, size, side="right"))
