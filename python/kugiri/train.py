"""Training: corpus → word counts → trainer → spec.

`train` reads the options, counts the words, runs a trainer and puts what it learned into a spec.
BPE runs in the core, the baselines in the readable engine (baselines.py).
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any

import msgspec
import numpy as np

from kugiri import _core
from kugiri._version import __version__
from kugiri.baselines import short_of, train_characters, train_words
from kugiri.corpus import Corpus
from kugiri.errors import KugiriWarning, OptionError, TrainingError, VocabularyError, choose
from kugiri.options import Options, read_options
from kugiri.reference.train.bpe_start import Options as BpeOptions
from kugiri.reference.train.bpe_start import check_mark
from kugiri.spec import (
    BPE,
    AddedToken,
    BPEDecoder,
    CharLevel,
    PreTokenizer,
    TokenizerSpec,
    WordLevel,
)
from kugiri.tables import Merges, Tokens
from kugiri.tokenizer import Tokenizer
from kugiri.word_counts import WordCounts, count_words, pre_tokenizer_of

UNKNOWN = "<unk>"


def train(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    *,
    model: str = "bpe",
    vocab_size: int | None = None,
    preset: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    **options: Any,
) -> Tokenizer:
    r"""Train a tokenizer.

    Args:
        corpus: a path, paths, an iterable of texts, a mapping word → count, or WordCounts.
        model: "bpe", or the baselines "word" and "char".
        vocab_size: the size of the vocabulary; everything counts: alphabet, merges, special tokens.
        preset: a named set-up (presets.PRESETS); options given beside it win.
        seed: for models that draw; these draw nothing and are the same for every seed.
        threads: how many to use (None: all). The result is the same.
        **options: see `kugiri.options.Options`.

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
    started = time.perf_counter()
    trainer = TRAINERS[choose("model", model, TRAINERS)]
    asked = read_options(preset, {"vocab_size": vocab_size, **options})
    if model != "bpe":
        _refuse_bpe_options(model, options)
    elif asked.vocab_size is None and asked.num_merges is None:
        raise OptionError("say how large the vocabulary is to be: vocab_size=…, or num_merges=…")
    counts, pre_tokenizer, splitter = count_for(corpus, model, asked, threads)
    if not len(counts):
        raise TrainingError(
            "the corpus is empty: no document has a word in it; "
            "check the paths, and whether the pre-tokenizer keeps anything"
        )
    spec, notes = trainer(counts, asked)
    if counts.replaced:
        notes.append(f"{counts.replaced:,} invalid UTF-8 sequences were read as U+FFFD")
    for note in notes:
        warnings.warn(note, KugiriWarning, stacklevel=2)
    record = {
        "kugiri": __version__,
        "model": model,
        "preset": preset,
        "options": {**asdict(asked), "pre_tokenizer": splitter},
        "words": len(counts),
        "corpus_digest": counts.digest(),
        "warnings": notes,
        **spec.training,
    }
    # Through JSON once, so that the record is the same before saving and after loading.
    record = msgspec.json.decode(msgspec.json.encode(record))
    spec = msgspec.structs.replace(spec, pre_tokenizer=pre_tokenizer, training=record)
    return Tokenizer(spec, seconds=time.perf_counter() - started)


def bpe_options() -> set[str]:
    """The options of the merging algorithm, which mean nothing to a baseline."""
    return {field.name for field in fields(BpeOptions)} - {"vocab_size", "special_tokens"}


def _refuse_bpe_options(model: str, given: Mapping[str, Any]) -> None:
    for name in sorted(bpe_options()):
        if given.get(name) is not None:
            raise OptionError(f"{name} is for model='bpe'; model={model!r} merges nothing")


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
            raise OptionError(
                f"these words were counted with another pre-tokenizer than {asked!r}; "
                f"leave pre_tokenizer out, or count them anew"
            )
        return corpus, corpus.pre_tokenizer, asked
    between_spaces = model == "word" or bool(options.end_of_word)
    usual = "none" if model == "char" else "whitespace" if between_spaces else "o200k"
    if isinstance(corpus, Mapping):
        usual = "whitespace" if between_spaces else "none"
    splitter = options.pre_tokenizer or usual
    counts = count_words(
        corpus,
        pre_tokenizer=splitter,
        documents=options.documents,
        field=options.field,
        column=options.column,
        keep_newlines=options.keep_newlines,
        errors=options.errors,
        threads=threads,
    )
    return counts, pre_tokenizer_of(splitter), splitter


def _train_bpe(counts: WordCounts, options: Options) -> tuple[TokenizerSpec, list[str]]:
    specials = options.special_tokens
    like_tokenizers = options.compatibility == "tokenizers"
    check_mark(counts.words, options.end_of_word)
    names = (
        "unit", "vocab_size", "num_merges", "min_frequency", "max_piece_length", "tie",
        "byte_order", "initial_alphabet", "limit_alphabet", "keep_characters",
    )  # fmt: skip
    asked = {
        **{name: getattr(options, name) for name in names},
        "special_tokens": len(specials),
        "end_of_word": options.end_of_word or None,
        "alphabet_may_exceed": like_tokenizers,
    }
    words = counts.words
    trained = _core.train_bpe(words.data, words.offsets, counts.counts, msgspec.json.encode(asked))
    data, offsets, left, right, result, count, applied, about = trained
    vocab, added = _add_specials(Tokens(data, offsets), specials, first=like_tokenizers)
    moved = np.uint32(len(specials) if like_tokenizers else 0)
    model = BPE(
        vocab=vocab,
        unit=options.unit,
        merges=Merges(left + moved, right + moved, result + moved, count, applied),
        end_of_word=options.end_of_word,
        unk_token=_unknown(specials),
    )
    info = msgspec.json.decode(about)
    spec = TokenizerSpec(
        model=model,
        added_tokens=added,
        decoder=BPEDecoder(suffix=options.end_of_word) if options.end_of_word else None,
        training={"initial_tokens": info["initial_tokens"], "alphabet": info["alphabet"]},
    )
    return spec, _notes(info, len(vocab), options)


def _notes(info: dict[str, Any], size: int, options: Options) -> list[str]:
    """What the user should know about a run that was not all that was asked for."""
    notes = []
    if info["left_out_characters"]:
        notes.append(
            f"limit_alphabet={options.limit_alphabet} left out {info['left_out_characters']:,} "
            f"different characters, {info['left_out_occurrences']:,} occurrences in all"
        )
    asked = options.vocab_size
    if asked is not None and size > asked:
        notes.append(
            f"the alphabet alone is larger than the vocabulary asked for: {size} > {asked}; "
            f"as with tokenizers, it is kept whole and there are no merges"
        )
    elif info["exhausted"]:
        goal = f"num_merges={options.num_merges}" if asked is None else f"vocab_size={asked}"
        notes.append(
            f"{goal} was not reached: no further pair occurs {options.min_frequency} times; "
            f"the largest vocabulary possible here is {size}; lower min_frequency, or use more text"
        )
    return notes


def _train_words(counts: WordCounts, options: Options) -> tuple[TokenizerSpec, list[str]]:
    specials = options.special_tokens or (UNKNOWN,)
    tokens = train_words(counts, options.vocab_size, specials)
    vocab, added = _add_specials(Tokens.from_iter(tokens[: -len(specials)]), specials)
    return TokenizerSpec(
        model=WordLevel(vocab=vocab, unk_token=_unknown(specials)), added_tokens=added
    ), short_of("words", len(vocab), options.vocab_size)


def _train_characters(counts: WordCounts, options: Options) -> tuple[TokenizerSpec, list[str]]:
    specials = options.special_tokens or (UNKNOWN,)
    tokens = train_characters(counts, options.vocab_size, specials)
    vocab, added = _add_specials(Tokens.from_iter(tokens[: -len(specials)]), specials)
    return TokenizerSpec(
        model=CharLevel(vocab=vocab, unk_token=_unknown(specials)), added_tokens=added
    ), short_of("characters", len(vocab), options.vocab_size)


TRAINERS = {"bpe": _train_bpe, "word": _train_words, "char": _train_characters}
"""By model: counted words and options → the spec, but for its pre-tokenizer, and notes."""


def _unknown(specials: tuple[str, ...]) -> str | None:
    return UNKNOWN if UNKNOWN in specials else None


def _add_specials(
    pieces: Tokens, specials: tuple[str, ...], first: bool = False
) -> tuple[Tokens, tuple[AddedToken, ...]]:
    """The vocabulary with special tokens at its end (or start), and their descriptions."""
    contents = [special.encode() for special in specials]
    for content in set(contents).intersection(pieces):
        raise VocabularyError(
            f"the special token {content.decode()!r} is also an ordinary token of this "
            f"vocabulary; give it a name that the corpus does not hold"
        )
    start = 0 if first else len(pieces)
    vocab = Tokens.from_iter([*contents, *pieces] if first else [*pieces, *contents])
    return vocab, tuple(
        AddedToken(id=start + index, content=special) for index, special in enumerate(specials)
    )


def train_sizes(
    corpus: Corpus | Mapping[str, int] | WordCounts, *, vocab_sizes: Iterable[int], **options: Any
) -> dict[int, Tokenizer]:
    """Train once and give a tokenizer for each size: BPE's smaller vocabularies are its first rows.

    Args:
        corpus: as for `train`.
        vocab_sizes: the sizes, everything counted.
        **options: as for `train`; model "bpe" only.

    Raises:
        OptionError: no sizes, or another model.
        VocabularyError: the smallest size does not hold the alphabet.

    Example:
        >>> toks = train_sizes(["low lower lowest"] * 9, vocab_sizes=[256, 258])
        >>> {size: tok.encode("low") for size, tok in toks.items()}
        {256: [108, 111, 119], 258: [257]}
    """
    sizes = sorted(set(vocab_sizes))
    if not sizes or options.get("model", "bpe") != "bpe":
        raise OptionError('train_sizes takes at least one size, and model="bpe"')
    largest = train(corpus, vocab_size=sizes[-1], **options)
    return {size: _first_rows(largest, size) for size in sizes}


def _first_rows(trained: Tokenizer, size: int) -> Tokenizer:
    """The tokenizer that training with a smaller `vocab_size` would have given."""
    spec, model = trained.spec, trained.spec.model
    assert isinstance(model, BPE)
    assert model.merges is not None
    specials = tuple(token.content for token in spec.added_tokens)
    smallest = spec.training["alphabet"] + len(specials)
    if size < smallest:
        fewer = ", or keep fewer characters with limit_alphabet" if model.unit == "char" else ""
        raise VocabularyError(
            f"vocab_size={size} is too small: the smallest is {smallest}, the alphabet and the "
            f"special tokens; leave this size out{fewer}"
        )
    if size >= len(model.vocab):
        return trained
    specials_first = bool(specials) and spec.added_tokens[0].id == 0
    moved = len(specials) if specials_first else 0
    pieces = model.vocab[moved : moved + size - len(specials)]
    too_new = np.flatnonzero(model.merges.result >= moved + len(pieces))
    rows = int(too_new[0]) if len(too_new) else len(model.merges)
    vocab, added = _add_specials(Tokens.from_iter(pieces), specials, first=specials_first)
    merges = Merges(**{name: column[:rows] for name, column in model.merges.columns().items()})
    options = {**spec.training["options"], "vocab_size": size}
    smaller = msgspec.structs.replace(
        spec,
        model=msgspec.structs.replace(model, vocab=vocab, merges=merges),
        added_tokens=added,
        training={**spec.training, "options": options},
    )
    return Tokenizer(smaller, seconds=trained.seconds)
