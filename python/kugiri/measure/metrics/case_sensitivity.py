"""Case sensitivity: how many more tokens a text takes in capitals.

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
    return ratio(draws.sum(_tokens(seen, str.upper)), draws.sum(seen.tokens))


def _tokens(seen: Observation, change: Callable[[str], str]) -> Integers:
    """(documents,): the tokens of each in another case."""
    return seen.tokenizer.count_batch(
        [change(text) for text in seen.corpus.documents], threads=seen.threads
    )


def _details(seen: Observation) -> list[Table]:
    before = int(seen.tokens.sum())
    rows = [("as written", before, 1.0 if before else None)]
    for name, change in CASES.items():
        tokens = int(_tokens(seen, change).sum())
        rows.append((name, tokens, tokens / before if before else None))
    return [Table("Tokens of the text by case", ("case", "tokens", "to as written"), list(rows))]


METRIC = Metric(
    name="case_sensitivity",
    title="Tokens in capitals",
    unit="ratio",
    better="less",
    definition="Tokens of the text in capitals to tokens of the text as it is; 1 if letter case "
    "makes no difference. The table has lower case and title case too.",
    formula="Σ |T(upper(x))| / Σ |T(x)| over documents x, by the full case mappings of Unicode",
    source="kugiri",
    misleads="Text without letters of two cases, as Japanese, gives 1 whatever the tokenizer. A "
    "tokenizer that makes all text lower case gives 1 and has lost the case: see round trip.",
    evidence="TokSuite 2025 (arXiv:2512.20757) trains 14 models of a billion parameters that "
    "differ in their tokenizers alone, and changes the writing in ways that leave the "
    "meaning: some tokenizers bear it better, and larger models hardly do, as others "
    "report it. Capitals are one change of many there, and Japanese is none of its "
    "languages.",
    values=_values,
    weight=lambda seen: seen.tokens.sum(),
    sampled=True,
    details=_details,
)
