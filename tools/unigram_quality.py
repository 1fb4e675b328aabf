"""Unigram training beside sentencepiece: held-out tokens and likelihood, and the time it takes.

    python tools/unigram_quality.py TEXT…      prints the table of docs/algorithms/unigram.md

Of every text (.txt or .txt.gz) each 20th line is held out. Both trainers get the other lines, the
same options and two threads; sentencepiece also runs with 16, since its result depends on them.
One scorer takes both models: the tokens of the best cuts, and the log likelihood over all cuts, an
unknown character at ten below the lowest score. Times are of whole texts: for sentencepiece the
training from the file, for kugiri reading, counting words and training.
"""

from __future__ import annotations

import gzip
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from kugiri import _core
from kugiri.reference.vocab import SPACE
from kugiri.tables import Tokens

SIZES = [1000, 4000, 8000, 32000]
META = 3
"""<unk>, <s> and </s>, which sentencepiece counts."""
COVERAGE = 0.9995
UNKNOWN_PENALTY = 10.0


class Score(NamedTuple):
    """What a model makes of a text."""

    tokens: int
    log_likelihood: float


def split(text: str) -> tuple[list[str], list[str]]:
    """The lines to learn from, and each 20th, which is held out."""
    lines = [line for line in text.splitlines() if line.strip()]
    learned = [line for number, line in enumerate(lines) if number % 20 != 19]
    return learned, lines[19::20]


def words_of(lines: Iterable[str]) -> Counter[str]:
    """Count words as SentencePiece cuts them: ▁ for spaces, one before the line, none doubled."""
    words: Counter[str] = Counter()
    for line in lines:
        words.update(SPACE + word for word in line.split(" ") if word)
    return words


def alphabet_of(words: Mapping[str, int]) -> str:
    """The most frequent characters that make up the usual coverage."""
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for character in word:
            counts[character] += count
    kept, covered = [], 0
    for character, count in sorted(counts.items(), key=lambda it: (-it[1], it[0])):
        if covered / counts.total() >= COVERAGE:
            break
        covered += count
        kept.append(character)
    return "".join(kept)


def by_kugiri(words: Mapping[str, int], size: int) -> dict[str, float]:
    """The model that the core learns."""
    tokens = Tokens.from_iter(word.encode() for word in words)
    options = {
        "vocab_size": size - META, "given_pieces": META, "alphabet": alphabet_of(words),
        "rules": {}, "seed_sentencepiece_size": 1_000_000, "shrinking_factor": 0.75,
        "num_sub_iterations": 2, "threads": 2,
    }  # fmt: skip
    counts = np.fromiter(words.values(), np.uint64, len(words))
    data, offsets, scores, _ = _core.train_unigram(
        tokens.data, tokens.offsets, counts, json.dumps(options).encode()
    )
    pieces = (piece.decode() for piece in Tokens(data, offsets))
    return dict(zip(pieces, scores.tolist(), strict=True))


def by_sentencepiece(
    lines: Iterable[str], size: int, threads: int, folder: Path
) -> dict[str, float]:
    """The model that sentencepiece learns.

    Raises:
        RuntimeError: it cannot reach this size.
    """
    import sentencepiece

    text, prefix = folder / "text.txt", folder / "model"
    text.write_text("\n".join(lines) + "\n", "utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(prefix), model_type="unigram", vocab_size=size,
        normalization_rule_name="identity", max_sentence_length=1 << 30, num_threads=threads,
        minloglevel=4,
    )  # fmt: skip
    model = sentencepiece.SentencePieceProcessor(model_file=f"{prefix}.model")
    return {model.id_to_piece(id): model.get_score(id) for id in range(META, len(model))}


def score(model: Mapping[str, float], words: Mapping[str, int]) -> Score:
    """Cut words in the best way, and sum over all ways."""
    beginnings = {piece[:end] for piece in model for end in range(1, len(piece))}
    unknown = min(model.values()) - UNKNOWN_PENALTY
    tokens, log_likelihood = 0, 0.0
    for word, count in words.items():
        best = [(0.0, 0)] + [(-math.inf, 0)] * len(word)
        ways: list[list[float]] = [[0.0]] + [[] for _ in word]
        for start in range(len(word)):
            before = _log_sum(ways[start])
            for end, piece_score in _nodes(word, start, model, beginnings, unknown):
                new = best[start][0] + piece_score
                if new > best[end][0]:
                    best[end] = (new, best[start][1] + 1)
                ways[end].append(before + piece_score)
        tokens += count * best[-1][1]
        log_likelihood += count * _log_sum(ways[-1])
    return Score(tokens, log_likelihood)


def _nodes(
    word: str, start: int, model: Mapping[str, float], beginnings: set[str], unknown: float
) -> Iterator[tuple[int, float]]:
    """The ends and scores of the pieces at a place."""
    yield start + 1, model.get(word[start], unknown)
    for end in range(start + 2, len(word) + 1):
        if word[start : end - 1] not in beginnings:
            return
        if word[start:end] in model:
            yield end, model[word[start:end]]


def _log_sum(logs: list[float]) -> float:
    highest = max(logs)
    return highest + math.log(sum(math.exp(log - highest) for log in logs))


def rows(path: Path, folder: Path) -> Iterator[str]:
    """The rows of the table for one text."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    learned, held_out = split(text)
    words, others = words_of(learned), words_of(held_out)
    for size in SIZES:
        try:
            models = [by_sentencepiece(learned, size, threads, folder) for threads in (2, 16)]
        except RuntimeError:
            yield f"| {path.name} | {size:,} | sentencepiece cannot reach this size | | | | | |"
            continue
        mine, theirs = score(by_kugiri(words, size), others), [score(it, others) for it in models]
        seconds = _time(text, size, folder)
        fewest = min(it.tokens for it in theirs)
        highest = max(it.log_likelihood for it in theirs)
        yield (
            f"| {path.name} | {size:,} "
            f"| {mine.tokens:,} | {fewest:,} | {mine.tokens / fewest - 1:+.2%} "
            f"| {mine.log_likelihood / highest - 1:+.2%} | {seconds[0]:.2f} | {seconds[1]:.2f} |"
        )


def _time(text: str, size: int, folder: Path) -> tuple[float, float]:
    """How long kugiri and sentencepiece take for a whole text, in seconds."""
    file = folder / "whole.txt"
    file.write_text(text, "utf-8")
    start = time.perf_counter()
    by_kugiri(words_of(file.read_text("utf-8").splitlines()), size)
    middle = time.perf_counter()
    by_sentencepiece(text.splitlines(), size, 2, folder)
    return middle - start, time.perf_counter() - middle


def main(paths: list[str]) -> None:
    """Print the table."""
    print("| text | size | tokens | sentencepiece | | −log likelihood | seconds | sentencepiece |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    with TemporaryDirectory() as folder:
        for path in paths:
            for row in rows(Path(path), Path(folder)):
                print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
