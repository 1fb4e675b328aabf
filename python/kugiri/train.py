"""Training: corpus → word counts → trainer → spec.

`train` reads the options, counts the words, runs a trainer and puts what it learned into a spec.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from kugiri import warned
from kugiri._version import __version__
from kugiri.corpus import Corpus
from kugiri.errors import OptionError, TrainingError, choose
from kugiri.inputs import as_whole
from kugiri.named_stages import normalizer_of, pre_tokenizer_of
from kugiri.sentencepiece import normalize
from kugiri.sentencepiece.asked import by_name
from kugiri.sentencepiece.trainer import read_asked, train_sentencepiece
from kugiri.spec import Normalizer, PreTokenizer, TokenizerSpec
from kugiri.tokenizer import Tokenizer
from kugiri.training.options import MEANT_FOR, Options, model_of, read_options
from kugiri.training.trainers import MERGING, TRAINERS, unknown_of
from kugiri.training.word_counts import WordCounts, count_words, counter_of

USUAL = {"char": "none", "wordpiece": "bert"}
"""The pre-tokenizers of models that have one of their own."""


def train(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    *,
    model: str | None = None,
    vocab_size: int | None = None,
    preset: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    **options: Any,
) -> Tokenizer:
    r"""Train a tokenizer.

    Args:
        corpus: a path, paths, an iterable of texts, a mapping word → count, or WordCounts.
        model: "bpe", "wordpiece", "unigram", or the baselines "word" and "char"; None is that of
            the preset, or "bpe".
        vocab_size: the size of the vocabulary; everything counts: alphabet, merges, special tokens.
        preset: a named set-up (see presets.py); options given beside it win.
        seed: for input_sentence_size, which draws sentences; nothing else draws.
        threads: how many to use (None: all). The result is the same.
        **options: see `kugiri.training.options.Options`; with model "unigram" or a preset of
            SentencePiece those of spm_train, see `kugiri.sentencepiece.options`.

    Raises:
        OptionError: an option is unknown or its value not allowed.
        TrainingError: the corpus is empty.
        VocabularyError: the alphabet does not fit into `vocab_size`.
        CorpusError: the corpus cannot be read.

    Example:
        >>> tok = train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, unit="char",
        ...             end_of_word="_", tie="first-seen", num_merges=4)
        >>> [merge.result for merge in tok.merges]
        ['es', 'est', 'est_', 'lo']
    """
    as_whole("seed", seed, None)
    asked = {"vocab_size": vocab_size, **options}
    of_spm_train = by_name(model, preset, asked)
    if of_spm_train is not None:
        tok = train_sentencepiece(corpus, of_spm_train, preset=preset, seed=seed, threads=threads)
    else:
        model = model_of(model, preset)
        run = begin(corpus, model, preset, threads, asked)
        tok = run.finish(*TRAINERS[model](run.counts, run.options))
    warn(tok.training["warnings"])
    return tok


def check_options(
    *,
    model: str | None = None,
    preset: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    **options: Any,
) -> None:
    """Refuse what no training could honour, before any text is read.

    Args:
        model: this and all else as for `train`.
        preset: as for `train`.
        seed: as for `train`.
        threads: as for `train`.
        **options: as for `train`.

    Raises:
        OptionError: an option is unknown or its value not allowed.
    """
    as_whole("seed", seed, None)
    of_spm_train = by_name(model, preset, options)
    if of_spm_train is not None:
        of_sentencepiece, _, _ = read_asked(of_spm_train)
        normalize.normalizer_of(of_sentencepiece)
        normalize.denormalizer_of(of_sentencepiece)
        return
    meant = choose("model", model_of(model, preset), TRAINERS)
    asked = options_for(meant, preset, options)
    if meant == "wordpiece":
        unknown_of(asked.special_tokens)
    cutter, rewriter = asked.pre_tokenizer or "none", asked.normalizer or "none"
    counter_of(pre_tokenizer_of(cutter), normalizer_of(rewriter), threads)


@dataclass(frozen=True)
class Run:
    """One call of `train`: what was asked, and the corpus, counted.

    Attributes:
        started: when, in seconds of a clock of its own.
        model, preset, options: what was asked.
        counts: the words.
        normalizer, pre_tokenizer: what will rewrite and cut texts when they are encoded.
        splitter: the name of the latter.
    """

    started: float
    model: str
    preset: str | None
    options: Options
    counts: WordCounts
    normalizer: Normalizer | None
    pre_tokenizer: PreTokenizer | None
    splitter: str | None

    def finish(self, spec: TokenizerSpec, notes: list[str]) -> Tokenizer:
        """A tokenizer of what a trainer gave, with the record of the run."""
        if self.counts.replaced:
            replaced = f"{self.counts.replaced:,} invalid UTF-8 sequences were read as U+FFFD"
            notes = [*notes, replaced]
        record = {
            "kugiri": __version__,
            "model": self.model,
            "preset": self.preset,
            "options": {**asdict(self.options), "pre_tokenizer": self.splitter},
            "words": len(self.counts),
            "corpus_digest": self.counts.digest(),
            "warnings": notes,
            **spec.training,
        }
        # Through JSON once, so that the record is the same before saving and after loading.
        record = msgspec.json.decode(msgspec.json.encode(record))
        spec = msgspec.structs.replace(
            spec,
            normalizer=self.normalizer,
            pre_tokenizer=self.pre_tokenizer,
            training=record,
        )
        return Tokenizer(spec, seconds=time.perf_counter() - self.started)


def begin(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    model: str,
    preset: str | None,
    threads: int | None,
    options: Mapping[str, Any],
) -> Run:
    """Read the options and count the words.

    Raises:
        OptionError: an option is unknown or its value not allowed.
        TrainingError: the corpus is empty.
    """
    started = time.perf_counter()
    choose("model", model, TRAINERS)
    asked = options_for(model, preset, options)
    if model in MERGING and asked.vocab_size is None and asked.num_merges is None:
        raise OptionError("say how large the vocabulary is to be: vocab_size=…, or num_merges=…")
    counts, pre_tokenizer, splitter = count_for(corpus, model, asked, threads)
    if not len(counts):
        raise TrainingError(
            "the corpus is empty: no document has a word in it; "
            "check the paths, and whether the pre-tokenizer keeps anything"
        )
    counted = isinstance(corpus, WordCounts)
    normalizer = counts.normalizer if counted else normalizer_of(asked.normalizer or "none")
    return Run(started, model, preset, asked, counts, normalizer, pre_tokenizer, splitter)


def warn(notes: Iterable[str]) -> None:
    """Say what the user should know, at the line that called `train` or `train_sizes`."""
    for note in notes:
        warned.warn(note, stacklevel=3)


def options_for(model: str, preset: str | None, given: Mapping[str, Any]) -> Options:
    """The options of a preset, overlaid with those given.

    Raises:
        OptionError: a name or a value is not allowed, or means nothing to this model.
    """
    model_of(model, preset)
    for name, models in sorted(MEANT_FOR.items()):
        if given.get(name) is not None and model not in models:
            why = "leave it out" if model in MERGING else f"model={model!r} merges nothing"
            raise OptionError(f"{name} is for model={models[0]!r}; {why}")
    return read_options(preset, {**given, "unit": "char"} if model == "wordpiece" else given)


def count_for(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    model: str,
    options: Options,
    threads: int | None,
) -> tuple[WordCounts, PreTokenizer | None, str | None]:
    """The words of the corpus, what will cut texts when they are encoded, and its name."""
    if isinstance(corpus, WordCounts):
        asked = options.pre_tokenizer
        if asked is not None and pre_tokenizer_of(asked) != corpus.pre_tokenizer:
            raise _counted_otherwise("pre-tokenizer", asked)
        asked_normalizer = options.normalizer
        if asked_normalizer is not None and normalizer_of(asked_normalizer) != corpus.normalizer:
            raise _counted_otherwise("normalizer", asked_normalizer)
        return corpus, corpus.pre_tokenizer, asked
    between_spaces = model in ("word", "wordpiece") or bool(options.end_of_word)
    usual = USUAL.get(model, "whitespace" if between_spaces else "o200k")
    if isinstance(corpus, Mapping):
        usual = "whitespace" if between_spaces else "none"
    splitter = options.pre_tokenizer or usual
    counts = count_words(
        corpus,
        pre_tokenizer=splitter,
        normalizer=options.normalizer or "none",
        documents=options.documents,
        field=options.field,
        column=options.column,
        keep_newlines=options.keep_newlines,
        errors=options.errors,
        threads=threads,
    )
    return counts, pre_tokenizer_of(splitter), splitter


def _counted_otherwise(stage: str, asked: str) -> OptionError:
    return OptionError(
        f"these words were counted with another {stage} than {asked!r}; "
        f"leave {stage.replace('-', '_')} out, or count them anew"
    )
