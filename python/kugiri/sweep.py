"""Many vocabularies of one corpus, side by side: sizes × models.

Rule.    Tokens are counted on the training text and on evaluation text, which no training saw.
         BPE and WordPiece are trained once, for the largest size: its first merges are the smaller.
         Counts come from encoding; what is not in a vocabulary is one unknown token (tally.py). Of
         BPE only the largest size encodes, and all smaller ones follow from it
         (vocabulary_size/curve.py).
Cost.    One run for all sizes of BPE and of WordPiece, one a size for other models. Each text is
         encoded once by BPE, and by others once a size. The corpus is read once for its size and
         once a model; standard input and iterators are kept in memory instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kugiri.corpus import Corpus
from kugiri.errors import OptionError, TrainingError, VocabularyError, choose
from kugiri.inputs import as_sizes, as_text, as_texts
from kugiri.presets import PRESETS, SENTENCEPIECE_PRESETS
from kugiri.sweep_result import Counted, Entry, Sweep, entry_of
from kugiri.tokenizer import Tokenizer
from kugiri.train import check_options, count_for, train, warn
from kugiri.training.options import MEANT_FOR, Options, read_options
from kugiri.training.tally import (
    Occurrences,
    Tally,
    occurrences,
    occurrences_in_words,
    tally,
    tally_words,
)
from kugiri.training.texts import Size, batches, beginning, for_one_of_two, kept, share_in, size_of
from kugiri.training.train_sizes import train_sizes
from kugiri.training.trainers import MERGING, TRAINERS
from kugiri.training.word_counts import WordCounts
from kugiri.vocabulary_size.curve import Curve, every_size, per_doubling, trained_sizes

MODELS = (*TRAINERS, "unigram")

BASELINES = TRAINERS.keys() - MERGING.keys()

OFTEN_SEEN = 0.01
"""From this share on it is said that evaluation text was trained on."""

SENTENCE_LENGTH = 40
"""How much of a document is shown, in characters, where no sentence is given."""


def sweep(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    *,
    sizes: Iterable[int],
    models: Sequence[str] = ("bpe",),
    evaluation: Corpus | None = None,
    sentences: Sequence[str] | None = None,
    threads: int | None = None,
    **options: Any,
) -> Sweep:
    """Train every size of every model, and count the tokens of the texts.

    Args:
        corpus: as for `train`.
        sizes: vocabulary sizes, everything counted.
        models: as for `train`.
        evaluation: text that no training sees.
        sentences: what to show the splits of (None: the beginning of the first document).
        threads: how many to use (None: all). The result is the same.
        **options: as for `train`, but no size.

    Raises:
        OptionError: there is no size or no model, or an option has no such value.
        TrainingError: one of the texts is empty.
        VocabularyError: a size does not hold the alphabet.

    Example:
        >>> found = sweep(["low lower lowest"] * 9, sizes=[256, 258], evaluation=["slow"])
        >>> [(entry.size, entry.training.tokens, entry.splits) for entry in found.entries]
        [(256, 144, [['s', 'l', 'o', 'w']]), (258, 90, [['s', 'low']])]
    """
    steps = as_sizes("sizes", sizes)
    models = [choose("model", model, MODELS) for model in as_texts(models, "models")]
    if not models or {"vocab_size", "num_merges"} & set(options):
        raise OptionError("a sweep takes at least one model, and no size beside its sizes")
    if sentences is not None:
        sentences = [as_text(sentence) for sentence in as_texts(sentences, "sentences")]
    if (preset := options.get("preset")) in SENTENCEPIECE_PRESETS.keys() - PRESETS.keys():
        raise OptionError(
            f"preset={preset!r} has the options of spm_train, which sweep does not take; for "
            "Unigram give models=['unigram'], or train each size"
        )
    given = {name: value for name, value in options.items() if name not in ("preset", "seed")}
    asked = read_options(options.get("preset"), given)
    for model in set(models) - {"unigram"}:  # all of them before any text is read
        meant = _meant_for(model, models, options)
        check_options(model=model, vocab_size=steps[-1], threads=threads, **meant)
    corpus, reading = kept(corpus, asked)
    held_out, its = (None, reading) if evaluation is None else kept(evaluation, asked)
    size = size_of(corpus, reading)
    evaluation_size = None if held_out is None else size_of(held_out, its)
    if evaluation_size is not None and not evaluation_size.characters:
        raise TrainingError("the evaluation text is empty: no document has a character in it")
    if sentences is None:
        sentences = beginning(corpus if held_out is None else held_out, its, SENTENCE_LENGTH)
    reading = for_one_of_two(corpus, held_out, reading)
    seen = _seen(corpus, reading, held_out, its)
    entries: list[Entry] = []
    tokenizers: list[Tokenizer] = []
    curves: list[Curve] = []
    found: Occurrences | list[Tally]
    for model in dict.fromkeys(models):
        if model == "unigram":
            trained, found = _unigram(corpus, steps, reading, threads)
        else:
            counts, _, splitter = count_for(corpus, model, reading, threads)
            # Words that came counted are cut otherwise when texts are encoded; see count_for.
            source = corpus if isinstance(corpus, Mapping) else counts
            given = _meant_for(model, models, options) | {"pre_tokenizer": splitter}
            trained = _train(source, model, steps, threads=threads, **given)
            found = _in_words(model, trained, counts, threads)
        on_training, known = _counted(model, "training", trained, found, size)
        curves += known
        on_evaluation: list[Counted] | list[None] = [None] * len(steps)
        if held_out is not None and evaluation_size is not None:
            found = _in_texts(model, trained, batches(held_out, its), threads)
            on_evaluation, known = _counted(model, "evaluation", trained, found, evaluation_size)
            curves += known
        # All sizes are from one run where pairs are merged, and it is over with the last.
        seconds = [(trained[-1] if model in MERGING else each).seconds for each in trained]
        rows = zip(steps, trained, seconds, on_training, on_evaluation, strict=True)
        entries += [entry_of(model, *row, sentences) for row in rows]
        tokenizers += trained
    shown = list(sentences)
    return Sweep(size, evaluation_size, seen, options, shown, entries, tokenizers, curves)


def _seen(corpus: Any, reading: Options, held_out: Any, its: Options) -> float | None:
    """Which share of the evaluation text is trained on, with a warning."""
    seen = None if held_out is None else share_in(corpus, reading, held_out, its)
    if seen and seen >= OFTEN_SEEN:
        often = f"{seen:.1%} of the evaluation text stands in the training text too, line by line"
        warn([f"{often}: it takes fewer tokens than new text; give text that is not trained on"])
    return seen


def _meant_for(model: str, models: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """The options without those that are for another of the models only."""
    others = {"bpe", *models} if "unigram" in models else set(models)
    return {
        name: value
        for name, value in options.items()
        if model in MEANT_FOR.get(name, [model]) or not others.intersection(MEANT_FOR[name])
    }


def _train(
    counts: Mapping[Any, int], model: str, steps: list[int], **options: Any
) -> list[Tokenizer]:
    if model in MERGING:
        return list(train_sizes(counts, model=model, vocab_sizes=steps, **options).values())
    return [train(counts, model=model, vocab_size=step, **options) for step in steps]


def _unigram(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    steps: list[int],
    asked: Options,
    threads: int | None,
) -> tuple[list[Tokenizer], list[Tally]]:
    """Unigram has a front of its own, and of the options it shares those of reading."""
    given = {"model": "unigram", "threads": threads, **asdict(asked.reading())}
    trained: list[Tokenizer] = []
    for step in steps:
        try:
            trained.append(train(corpus, vocab_size=step, **given))
        except VocabularyError:  # there are fewer pieces; or more are needed, which is said again
            trained.append(train(corpus, vocab_size=step, hard_vocab_limit=False, **given))
            size = trained[-1].vocab_size
            warn([f"vocab_size={step} was not reached: Unigram keeps {size} pieces of this text"])
    if isinstance(corpus, Mapping):
        counts = corpus if isinstance(corpus, WordCounts) else WordCounts.from_mapping(corpus)
        return trained, tally_words(trained, counts, threads)
    return trained, tally(trained, batches(corpus, asked), threads)


def _in_words(
    model: str, trained: list[Tokenizer], counts: WordCounts, threads: int | None
) -> Occurrences | list[Tally]:
    """What a corpus is in each size; of BPE the largest tells all."""
    if model == "bpe":
        return occurrences_in_words(trained[-1], counts, threads)
    return tally_words(trained, counts, threads)


def _in_texts(
    model: str, trained: list[Tokenizer], parts: Iterable[list[str]], threads: int | None
) -> Occurrences | list[Tally]:
    """The same of texts."""
    if model == "bpe":
        return occurrences(trained[-1], parts, threads)
    return tally(trained, parts, threads)


def _counted(
    model: str,
    text: str,
    trained: Sequence[Tokenizer],
    found: Occurrences | list[Tally],
    size: Size,
) -> tuple[list[Counted], list[Curve]]:
    """The ratios of each size, what it gained over the one before, and the curve of them all."""
    sizes = [tokenizer.vocab_size for tokenizer in trained]
    if isinstance(found, Occurrences):
        curve = every_size(model, text, trained[-1], *found)
        at = [int(curve.tokens[each - curve.sizes[0]]) for each in sizes]
        tallies = [Tally(tokens, found.unknown) for tokens in at]
    else:
        tallies = found
    points = [(each, tokens) for each, (tokens, _) in zip(sizes, tallies, strict=True)]
    if not isinstance(found, Occurrences):
        rows = [(each, *tally) for each, tally in zip(sizes, tallies, strict=True)]
        curve = trained_sizes(model, text, rows)
    counted = [
        Counted(
            tokens=tokens,
            unknown=unknown,
            bytes_per_token=_ratio(size.bytes, tokens),
            characters_per_token=_ratio(size.characters, tokens),
            tokens_per_document=_ratio(tokens, size.documents),
            gain=before and _ratio(before[1] - tokens, before[1]),
            gain_per_doubling=before and per_doubling(before, (vocab_size, tokens)),
        )
        for (tokens, unknown), vocab_size, before in zip(
            tallies, sizes, [None, *points[:-1]], strict=True
        )
    ]
    # Words and characters lose text where they are few, so that fewer tokens are nothing gained.
    return counted, [] if model in BASELINES else [curve]


def _ratio(numerator: int, denominator: int | None) -> float | None:
    return numerator / denominator if denominator else None
