"""Many vocabularies of one corpus, side by side: sizes × models.

Rule.    Tokens are counted on the training text and on evaluation text, which no training saw.
         BPE is trained once, for the largest size: its first merges are the smaller vocabularies,
         and each merge recorded how many tokens it saved in the training text. All other counts
         come from encoding; what is not in a vocabulary is one unknown token (tally.py).
Cost.    One run for all sizes of BPE, one a size for other models. The corpus is read once for its
         size and once a model; standard input and iterators are kept in memory instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import msgspec

from kugiri._version import __version__
from kugiri.corpus import Corpus
from kugiri.errors import OptionError, choose
from kugiri.files import write_beside
from kugiri.inputs import as_path, as_sizes, as_text, as_texts
from kugiri.options import Options, read_options
from kugiri.spec import BPE
from kugiri.tally import Tally, tally, tally_words
from kugiri.texts import Size, batches, beginning, kept, size_of
from kugiri.tokenizer import Tokenizer
from kugiri.train import count_for, train
from kugiri.train_sizes import train_sizes
from kugiri.trainers import TRAINERS, bpe_options
from kugiri.word_counts import WordCounts

SENTENCE_LENGTH = 40
"""How much of the first document is shown, in characters, where no sentence is given."""


class Counted(msgspec.Struct, frozen=True):
    """A text as one tokenizer sees it.

    Attributes:
        tokens, unknown: how many, and how many of these are unknown.
        bytes_per_token, characters_per_token, tokens_per_document: of that text.
        gain: the share of its tokens that the size before needed more; None for the first.
    """

    tokens: int
    unknown: int
    bytes_per_token: float | None
    characters_per_token: float | None
    tokens_per_document: float | None
    gain: float | None


class Entry(msgspec.Struct, frozen=True):
    """One vocabulary.

    Attributes:
        model: "bpe", "char" or "word".
        size: the size that was asked for.
        vocab_size: the size that it has.
        merges: how many merges.
        seconds: of the run that it is from; all sizes of BPE are from one.
        training, evaluation: the two texts.
        splits: the sentences, as `Tokenizer.tokens` gives them.
    """

    model: str
    size: int
    vocab_size: int
    merges: int
    seconds: float
    training: Counted
    evaluation: Counted | None
    splits: list[list[str]]


class Sweep(msgspec.Struct, frozen=True):
    """The vocabularies, and what was counted.

    Attributes:
        training, evaluation: the sizes of the texts.
        options: those that were given for training.
        sentences: what the splits are of.
        entries: by model in the order given, sizes ascending.
        tokenizers: one an entry.
    """

    training: Size
    evaluation: Size | None
    options: dict[str, Any]
    sentences: list[str]
    entries: list[Entry]
    tokenizers: list[Tokenizer]

    def summary(self) -> dict[str, Any]:
        """Everything but the tokenizers, as JSON has it."""
        names = ("training", "evaluation", "options", "sentences", "entries")
        values = {name: msgspec.to_builtins(getattr(self, name)) for name in names}
        return {"schema": 1, "kugiri": __version__, **values}

    def save(self, folder: str | PathLike[str]) -> None:
        """Write every tokenizer, and summary.json, into a folder, which is made where needed."""
        home = as_path(folder)
        home.mkdir(parents=True, exist_ok=True)
        summary = self.summary()
        for entry, tokenizer in zip(summary["entries"], self.tokenizers, strict=True):
            entry["file"] = f"{entry['model']}-{entry['size']}.kugiri.json"
            tokenizer.save(home / entry["file"])
        with write_beside(home / "summary.json") as file:
            file.write(msgspec.json.format(msgspec.json.encode(summary), indent=2) + b"\n")


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
        VocabularyError: a size does not hold the alphabet.

    Example:
        >>> found = sweep(["low lower lowest"] * 9, sizes=[256, 258], evaluation=["slow"])
        >>> [(entry.size, entry.training.tokens, entry.splits) for entry in found.entries]
        [(256, 144, [['s', 'l', 'o', 'w']]), (258, 90, [['s', 'low']])]
    """
    steps = as_sizes("sizes", sizes)
    models = [choose("model", model, TRAINERS) for model in as_texts(models, "models")]
    if not models or {"vocab_size", "num_merges"} & set(options):
        raise OptionError("a sweep takes at least one model, and no size beside its sizes")
    if sentences is not None:
        sentences = [as_text(sentence) for sentence in as_texts(sentences, "sentences")]
    given = {name: value for name, value in options.items() if name not in ("preset", "seed")}
    asked = read_options(options.get("preset"), given)
    corpus, asked = kept(corpus, asked)
    held_out = None if evaluation is None else kept(evaluation, asked)[0]
    size = size_of(corpus, asked)
    evaluation_size = None if held_out is None else size_of(held_out, asked)
    if sentences is None:
        sentences = beginning(corpus if held_out is None else held_out, asked, SENTENCE_LENGTH)
    entries: list[Entry] = []
    tokenizers: list[Tokenizer] = []
    for model in dict.fromkeys(models):
        counts, _, splitter = count_for(corpus, model, asked, threads)
        # Words that came counted are cut otherwise when texts are encoded; see count_for.
        source = corpus if isinstance(corpus, Mapping) else counts
        given = _meant_for(model, models, options) | {"pre_tokenizer": splitter}
        trained = _train(source, model, steps, threads=threads, **given)
        on_training = [_on_training(tok, counts, asked, threads) for tok in trained]
        on_evaluation: list[Counted] | list[None] = [None] * len(steps)
        if held_out is not None and evaluation_size is not None:
            tallies = tally(trained, batches(held_out, asked), threads)
            on_evaluation = _counted(tallies, evaluation_size)
        rows = zip(steps, trained, _counted(on_training, size), on_evaluation, strict=True)
        entries += [_entry(model, *row, sentences) for row in rows]
        tokenizers += trained
    return Sweep(size, evaluation_size, options, list(sentences), entries, tokenizers)


def _meant_for(model: str, models: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """The options without those of BPE, where another of the models has use for these."""
    if model == "bpe" or "bpe" not in models:
        return options
    return {name: value for name, value in options.items() if name not in bpe_options()}


def _train(
    counts: Mapping[Any, int], model: str, steps: list[int], **options: Any
) -> list[Tokenizer]:
    if model == "bpe":
        return list(train_sizes(counts, vocab_sizes=steps, **options).values())
    return [train(counts, model=model, vocab_size=step, **options) for step in steps]


def _on_training(
    tokenizer: Tokenizer, counts: WordCounts, asked: Options, threads: int | None
) -> Tally:
    model = tokenizer.spec.model
    # Characters that limit_alphabet left out are no tokens in training, but unknown ones in a text.
    if isinstance(model, BPE) and model.merges is not None and asked.limit_alphabet is None:
        assert model.merges.applied is not None
        saved = int(model.merges.applied.sum())
        return Tally(int(tokenizer.training["initial_tokens"]) - saved, 0)
    return tally_words(tokenizer, counts, threads)


def _counted(tallies: Sequence[Tally], size: Size) -> list[Counted]:
    """The ratios of each, and what it gained over the one before."""
    before = [None, *(tally.tokens for tally in tallies)]
    return [
        Counted(
            tokens=tokens,
            unknown=unknown,
            bytes_per_token=_ratio(size.bytes, tokens),
            characters_per_token=_ratio(size.characters, tokens),
            tokens_per_document=_ratio(tokens, size.documents),
            gain=None if more is None else _ratio(more - tokens, more),
        )
        for (tokens, unknown), more in zip(tallies, before, strict=False)
    ]


def _ratio(numerator: int, denominator: int | None) -> float | None:
    return numerator / denominator if denominator else None


def _entry(
    model: str,
    size: int,
    tokenizer: Tokenizer,
    training: Counted,
    evaluation: Counted | None,
    sentences: Sequence[str],
) -> Entry:
    return Entry(
        model=model,
        size=size,
        vocab_size=tokenizer.vocab_size,
        merges=len(tokenizer.merges),
        seconds=tokenizer.seconds,
        training=training,
        evaluation=evaluation,
        splits=[tokenizer.tokens(sentence) for sentence in sentences],
    )
