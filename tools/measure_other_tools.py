"""The metrics beside those of other tools, on the sample text: the table of a page.

    python tools/measure_other_tools.py    prints the table of docs/measure_other_tools.md

Needs `make parity-data`, and tokenization-scorer 1.1.8, tokscope 0.2.0 and toklens 0.1.2 installed
with pip, which the project does without otherwise.
Each tool does its own counting. tokenization-scorer is given the ids of kugiri as words, a document
a line; tokscope and toklens encode with the original libraries, all text as one document.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import redirect_stderr
from io import StringIO
from typing import Any, NamedTuple

import numpy as np

from kugiri import load
from kugiri.lazy import imported
from kugiri.measure.draws import Draws
from kugiri.measure.frequencies import entropy, shares
from kugiri.measure.metrics import BY_NAME
from kugiri.measure.observation import MeasuredCorpus, Observation
from tools.parity_data import ROOT, parity_dir

O200K = "tiktoken/o200k_base.tiktoken"
KYOTO = "spm/kyoto_ja_unigram_8000.model"
LLAMA2 = "npm/llama2/tokenizer.json"
DIGITS = 6


class Row(NamedTuple):
    """A figure of another tool and ours."""

    tool: str
    theirs: str
    tokenizer: str
    their_value: float
    ours: str
    our_value: float

    def cells(self) -> tuple[str, ...]:
        """For a table."""
        same = abs(self.their_value - self.our_value) < 10**-DIGITS
        values = (f"{value:.{DIGITS}g}" for value in (self.their_value, self.our_value))
        names = (self.tool, self.theirs, self.tokenizer)
        return (*names, next(values), self.ours, next(values), "same" if same else "**other**")


def sample() -> list[str]:
    """The lines of the sample text."""
    folder = ROOT / "python/kugiri/sample"
    texts = (path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt")))
    return [line for text in texts for line in text.splitlines() if line.strip()]


def seen(path: str, documents: list[str]) -> Observation:
    """A real tokenizer on documents."""
    corpus = MeasuredCorpus("sample", documents, Draws(len(documents), 0, 0))
    return Observation(path, load(parity_dir() / path), corpus)


def value(metric: str, observation: Observation) -> float:
    """One of our metrics."""
    return float(BY_NAME[metric].values(observation, observation.corpus.draws)[0])


def of_scorer(path: str, name: str) -> Iterator[Row]:
    """tokenization-scorer: entropies and lengths from tokens as words."""
    ours = seen(path, sample())
    lines = [" ".join(map(str, ids)) for ids in ours.batch.to_lists()]
    score: Any = imported("tokenization_scorer").score

    def theirs(metric: str, **options: float) -> float:
        with redirect_stderr(StringIO()):
            return float(score(lines, metric=metric, **options))

    share = shares(ours)
    used = np.log2((share > 0).sum())
    for metric, options, own, our_value in (
        ("renyi", {"power": 2.5}, "renyi_efficiency", value("renyi_efficiency", ours)),
        ("renyi", {"power": 3.0}, "renyi_efficiency, α = 3 of its table", entropy(share, 3) / used),
        ("shannon", {}, "renyi_efficiency, α = 1 of its table", entropy(share, 1) / used),
        ("renyi_entropy", {"power": 2.5}, "renyi_entropy", value("renyi_entropy", ours)),
        ("entropy", {}, "shannon_entropy", value("shannon_entropy", ours)),
        ("seq_len", {}, "−tokens_per_document", -value("tokens_per_document", ours)),
        ("bits", {}, "−tokens · log₂ used", -value("tokens", ours) * used),
    ):
        power = f", power {options['power']}" if options else ""
        found = theirs(metric, **options)
        yield Row("tokenization-scorer", metric + power, name, found, own, float(our_value))
    lines = [" ".join(ours.tokenizer.tokens(text)) for text in ours.corpus.documents]
    found, our_value = theirs("renyi", power=2.5), value("renyi_efficiency", ours)
    yield Row("tokenization-scorer", "renyi of strings", name, found, "renyi_efficiency", our_value)


def of_tokscope(path: str, spec: str, name: str) -> Iterator[Row]:
    """tokscope: lengths and shares of tokens, of the text as one document."""
    text = "\n".join(sample())
    ours = seen(path, [text])
    adapter = imported("tokscope.adapters").load(spec)
    tokens, unknown, of_bytes = adapter.tokenize_with_bytes(text)
    report = imported("tokscope.metrics").build_report(
        name, text, tokens, unknown, None, byte_token_count=of_bytes
    )
    for theirs, own in (
        ("token_count", "tokens"),
        ("chars_per_token", "characters_per_token"),
        ("bytes_per_token", "bytes_per_token"),
        ("byte_token_rate", "byte_fallback_rate"),
        ("unk_rate", "unknown_rate"),
    ):
        yield Row("tokscope", theirs, name, getattr(report, theirs), own, value(own, ours))


def of_toklens(path: str, name: str) -> Iterator[Row]:
    """toklens: lengths, of the text as one document."""
    text = "\n".join(sample())
    ours = seen(path, [text])
    metrics = imported("toklens.metrics")
    tokenizer = imported("tokenizers").Tokenizer.from_file(str(parity_dir() / path))
    for theirs, own in (
        ("compute_cpt", "characters_per_token"),
        ("compute_compression_ratio", "bytes_per_token"),
        ("compute_nsl", "tokens_per_character"),
    ):
        found = float(getattr(metrics, theirs)(tokenizer, text))
        yield Row("toklens", theirs.removeprefix("compute_"), name, found, own, value(own, ours))


def main() -> None:
    """Print the table."""
    os.environ["TIKTOKEN_CACHE_DIR"] = str(parity_dir() / "tiktoken/cache")
    rows = [
        *of_scorer(O200K, "o200k_base"),
        *of_scorer(KYOTO, "kyoto"),
        *of_tokscope(O200K, "tiktoken:o200k_base", "o200k_base"),
        *of_tokscope(KYOTO, f"sp:{parity_dir() / KYOTO}", "kyoto"),
        *of_toklens(LLAMA2, "llama2"),
    ]
    print("| tool | figure | tokenizer | theirs | ours | value | |")
    print("|---|---|---|---:|---|---:|---|")
    for row in rows:
        print("|", " | ".join(row.cells()), "|")


if __name__ == "__main__":
    main()
