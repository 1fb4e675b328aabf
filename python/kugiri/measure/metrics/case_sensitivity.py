"""Case sensitivity: how many more tokens words take in capitals.

Example:
    >>> from kugiri.measure.example import observe, value
    >>> seen = observe(["hello Hello"], merges=["hello"])
    >>> seen.tokenizer.tokens("hello Hello")
    ['hello', ' ', 'H', 'e', 'l', 'l', 'o']
    >>> seen.tokenizer.tokens("HELLO HELLO")
    ['H', 'E', 'L', 'L', 'O', ' ', 'H', 'E', 'L', 'L', 'O']
    >>> value(METRIC, seen)  # 11 tokens for 7
    1.5714
"""

from __future__ import annotations

from collections.abc import Callable

from kugiri.measure.draws import Draws, Floats, Integers, ratio
from kugiri.measure.metric import Metric, Table
from kugiri.measure.observation import Observation

CASES: dict[str, Callable[[str], str]] = {
    "lower case": str.lower,
    "Title Case": str.title,
    "UPPER CASE": str.upper,
}


def _values(seen: Observation, draws: Draws) -> Floats:
    return ratio(draws.sum(_tokens(seen, str.upper)), draws.sum(_tokens(seen, str)))


def _tokens(seen: Observation, change: Callable[[str], str]) -> Integers:
    """(documents,): the tokens of the words with case of each, in another one."""
    words = [change(text) for text in seen.corpus.words_with_case]
    return seen.tokenizer.count_batch(words, threads=seen.threads)


def _details(seen: Observation) -> list[Table]:
    before = int(_tokens(seen, str).sum())
    rows = [("as written", before, 1.0 if before else None)]
    for name, change in CASES.items():
        tokens = int(_tokens(seen, change).sum())
        rows.append((name, tokens, tokens / before if before else None))
    columns = ("case", "tokens", "to as written")
    return [Table("Tokens of words with case, by case", columns, list(rows))]


METRIC = Metric(
    name="case_sensitivity",
    title="Tokens in capitals",
    unit="ratio",
    better="less",
    definition="Tokens of the words with case in capitals to tokens of them as they are; 1 if "
    "letter case makes no difference, not defined where no letter has case. Words with case are "
    "the runs of letters of two cases in each document, put together with a space between them. "
    "The table has lower case and title case too.",
    formula="Σ |T(upper(w(x)))| / Σ |T(w(x))| over documents x with the words w(x), by the full "
    "case mappings of Unicode",
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
    weight=lambda seen: _tokens(seen, str).sum(),
    sampled=True,
    details=_details,
)
