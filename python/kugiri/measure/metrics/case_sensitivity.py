"""Case sensitivity: how many more tokens the letters of a text take in capitals.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["hello Hello"], merges=["hello"])
    >>> seen.tokenizer.tokens("hello Hello")
    ['hello', ' ', 'H', 'e', 'l', 'l', 'o']
    >>> seen.tokenizer.tokens("HELLO HELLO")
    ['H', 'E', 'L', 'L', 'O', ' ', 'H', 'E', 'L', 'L', 'O']
    >>> value(METRIC, seen)  # 10 tokens of letters for 6
    1.6667
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kugiri.measure.characters import occurrences
from kugiri.measure.draws import Draws, Floats, Integers, ratio
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation
from kugiri.measure.places import Places, TextBytes, places_of

CASES: dict[str, Callable[[str], str]] = {
    "lower case": str.lower,
    "Title Case": str.title,
    "UPPER CASE": str.upper,
}


def _values(seen: Observation, draws: Draws) -> Floats:
    return ratio(draws.sum(_tokens(seen, str.upper)), draws.sum(_as_written(seen)))


def _as_written(seen: Observation) -> Integers:
    """(documents,): the tokens of each that touch a letter with two cases."""
    return _with_case(seen.places, seen.corpus.text)


def _tokens(seen: Observation, change: Callable[[str], str]) -> Integers:
    """(documents,): the same in another case."""
    text = TextBytes([change(text) for text in seen.corpus.documents])
    return _with_case(places_of(seen.tokenizer, text), text)


def _with_case(places: Places, text: TextBytes) -> Integers:
    codes = np.flatnonzero(occurrences(text.code_points)).tolist()
    cased = [code for code in codes if chr(code).lower() != chr(code).upper()]
    before = np.concatenate([[0], np.cumsum(np.isin(text.code_points, cased))])
    starts, ends = (it[places.starts < places.ends] for it in places)
    first, last = text.character_at[starts], text.character_at[ends - 1] + 1
    touching = starts[before[last] > before[first]]
    of_documents = np.searchsorted(text.byte_starts, touching, side="right") - 1
    return np.bincount(of_documents, minlength=len(text.documents))


def _details(seen: Observation) -> list[Table]:
    before = int(_as_written(seen).sum())
    rows = [("as written", before, 1.0 if before else None)]
    for name, change in CASES.items():
        tokens = int(_tokens(seen, change).sum())
        rows.append((name, tokens, tokens / before if before else None))
    return [Table("Tokens of letters by case", ("case", "tokens", "to as written"), list(rows))]


METRIC = Metric(
    name="case_sensitivity",
    title="Tokens in capitals",
    unit="ratio",
    better="less",
    definition="Tokens of the text in capitals to tokens of the text as it is, both times those "
    "that touch a letter with two cases; 1 if letter case makes no difference, not defined where "
    "no letter has case. The table has lower case and title case too.",
    formula="Σ |T(upper(x)), with a letter| / Σ |T(x), with a letter| over documents x, by the "
    "full case mappings of Unicode",
    source="kugiri",
    misleads="Of text with few letters of two cases, as Japanese, it says what becomes of these "
    "few. A tokenizer that makes all text lower case gives 1 and has lost the case: see round "
    "trip.",
    evidence="TokSuite 2025 (arXiv:2512.20757) trains 14 models of a billion parameters that "
    "differ in their tokenizers alone, and changes the writing in ways that leave the "
    "meaning: some tokenizers bear it better, and larger models hardly do, as others "
    "report it. Capitals are one change of many there, and Japanese is none of its "
    "languages.",
    values=_values,
    weight=lambda seen: _as_written(seen).sum(),
    sampled=True,
    details=_details,
)
