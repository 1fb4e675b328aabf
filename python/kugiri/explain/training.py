"""Training, step by step, on a small corpus.

Rule.    The options are those of `kugiri.train`, and so is the result; the steps are those of the
         readable engine, which counts everything anew each time. Of Unigram, pieces go for three
         reasons: a round expects them less than half a time; pruning finds them of no use, since no
         word or their own string is cut better without them; or the corpus misses them least.
Cost.    That of the readable engine: a corpus of more than LARGEST units is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from itertools import islice
from typing import Any, Final

from kugiri.corpus import Corpus
from kugiri.errors import OptionError
from kugiri.explain.training_limits import check_size, few_enough, few_seeds
from kugiri.explain.training_structure import (
    MOST_PIECES,
    MOST_WORDS,
    BPETraining,
    Dropped,
    MergeStep,
    Rival,
    ScoredPiece,
    Training,
    UnigramRound,
    UnigramTraining,
    WordState,
)
from kugiri.inputs import as_whole
from kugiri.reference.models.lattice import Lattice, best_paths
from kugiri.reference.train.auto_coverage import divide
from kugiri.reference.train.bpe import TrainStep, train_steps
from kugiri.reference.train.bpe_pieces import merge_steps, runs_of, states
from kugiri.reference.train.bpe_start import Options, Word, start
from kugiri.reference.train.expectation import LEAST, lattice
from kugiri.reference.train.unigram import Round, UnigramOptions, train_rounds
from kugiri.reference.train.valid_pieces import PieceRules
from kugiri.reference.vocab import show
from kugiri.sentencepiece.asked import by_name
from kugiri.sentencepiece.learn import Prepared, seed_limit
from kugiri.sentencepiece.trainer import begin as begin_sentencepiece
from kugiri.train import begin
from kugiri.training.word_counts import WordCounts

SCHEMA: Final = 1


def explain_training(
    corpus: Corpus | Mapping[str, int] | WordCounts,
    *,
    model: str | None = None,
    preset: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    **options: Any,
) -> Training:
    """Train a tokenizer, and say what happened in each step.

    Args:
        corpus: as for `kugiri.train`, but small.
        model: "bpe" (usual) or "unigram".
        preset: a named set-up.
        seed: for models that draw at random.
        threads: for counting the words.
        **options: as for `kugiri.train`.

    Raises:
        OptionError: an option is not allowed, or the corpus is too large to be shown.
        TrainingError: there is nothing to train from.
        VocabularyError: the vocabulary is too small or too large.

    Example:
        >>> words = {"low": 5, "lower": 2, "newest": 6}
        >>> training = explain_training(words, unit="char", num_merges=2)
        >>> for step in training.model.steps:
        ...     print(step.left, step.right, step.count, [it.count for it in step.rivals])
        w e 8 [7, 7, 6, 6]
        l o 7 [6, 6, 6, 6]
    """
    seed = as_whole("seed", seed, None)
    asked = {name: value for name, value in options.items() if value is not None}
    of_spm_train = by_name(model, preset, asked)
    if of_spm_train is not None:
        prepared = begin_sentencepiece(corpus, of_spm_train, seed=seed, threads=threads).prepared
        check_size(prepared.words)
        return Training(SCHEMA, len(prepared.words), _of_pieces(prepared))
    if (model or "bpe") != "bpe":
        raise _not_shown(f"model={model!r}")
    run = begin(corpus, "bpe", preset, threads, asked)
    check_size(run.counts)
    counts = dict(run.counts.items())
    # Of what may be asked, BPE's own part: WordPiece joins pieces otherwise.
    bpe = Options(**{field.name: getattr(run.options, field.name) for field in fields(Options)})
    steps = few_enough(train_steps(counts, bpe))
    return Training(SCHEMA, len(counts), _bpe(start(counts, bpe).words, steps, bpe.tie))


def _not_shown(what: str) -> OptionError:
    return OptionError(
        f"the steps of {what} are not shown; those of BPE and Unigram are, SentencePiece's too"
    )


# ── BPE ───────────────────────────────────────────────────────────────────────────────────────
def _bpe(words: Sequence[Word], steps: list[TrainStep], tie: str) -> BPETraining:
    by_count = sorted(range(len(words)), key=lambda at: -words[at].count)
    chosen = sorted(by_count[:MOST_WORDS])
    states = [words, *(step.words for step in steps)]
    return BPETraining(
        tie=tie,
        tokens=sum(len(word.symbols) * word.count for word in words),
        words_left_out=len(words) - len(chosen),
        words=_states(words, chosen),
        steps=[_step(step, before, chosen) for step, before in zip(steps, states, strict=False)],
    )


def _step(step: TrainStep, before: Sequence[Word], chosen: list[int]) -> MergeStep:
    rivals = [Rival(show(left), show(right), count) for (left, right), count in step.rivals]
    changed = [
        number for number, at in enumerate(chosen) if before[at].symbols != step.words[at].symbols
    ]
    return MergeStep(
        left=show(step.left),
        right=show(step.right),
        result=show(step.left + step.right),
        id=step.result,
        count=step.count,
        applied=step.applied,
        ties=sum(rival.count == step.count for rival in rivals),
        rivals=rivals,
        changed=changed,
        words=_states(step.words, chosen),
    )


def _states(words: Sequence[Word], chosen: list[int]) -> list[WordState]:
    return [WordState([show(it) for it in words[at].symbols], words[at].count) for at in chosen]


# ── SentencePiece ───────────────────────────────────────────────────────────────────────────────
def _of_pieces(prepared: Prepared) -> BPETraining | UnigramTraining:
    options = prepared.options
    if options.model_type == "unigram":
        return _unigram(prepared)
    if options.model_type != "bpe":
        raise _not_shown(f"model_type={options.model_type!r}")
    words = {word.decode(): count for word, count in prepared.words.items()}
    alphabet, room = prepared.merged(), prepared.room
    runs = runs_of(words, alphabet)
    before = states(runs)
    merges = merge_steps(runs, PieceRules(**prepared.rules()))
    if options.auto_character_coverage:
        steps = few_enough(islice(merges, room))
        counts = {(step.left + step.right).decode(): step.count for step in steps}
        steps = steps[: len(counts.keys() & divide(counts, alphabet, room))]
    else:
        steps = few_enough(islice(merges, room - len(alphabet)))
    given = options.vocab_size - prepared.room
    return _bpe(before, [replace(it, result=given + it.result) for it in steps], "sentencepiece")


def _unigram(prepared: Prepared) -> UnigramTraining:
    options = prepared.options
    asked = UnigramOptions(
        vocab_size=prepared.room,
        alphabet="".join(prepared.alphabet),
        given_pieces=options.vocab_size - prepared.room,
        hard_vocab_limit=options.hard_vocab_limit,
        rules=PieceRules(**prepared.rules()),
        seed_sentencepiece_size=seed_limit(options),
        shrinking_factor=options.shrinking_factor,
        num_sub_iterations=options.num_sub_iterations,
    )
    rounds = few_seeds(train_rounds(dict(prepared.words.items()), asked))
    # Before the first estimate nothing is pruned, so the scores of the seeds are not asked for.
    before: list[Mapping[str, float]] = [rounds[0].expected, *(each.scores for each in rounds)]
    last = rounds[-1]
    return UnigramTraining(
        seeds=len(rounds[0].expected),
        rounds=[
            _round(number, each, scores)
            for number, (each, scores) in enumerate(zip(rounds, before, strict=False), 1)
        ],
        pieces=[ScoredPiece(it, score, last.expected[it]) for it, score in last.pieces()],
    )


def _round(number: int, each: Round, before: Mapping[str, float]) -> UnigramRound:
    unexpected = [
        Dropped(piece, f"expected {count:.3f} times, less than {LEAST}", None, None, [])
        for piece, count in each.expected.items()
        if piece in before and piece not in each.scores
    ]
    pruned = [_pruned(piece, loss, before) for piece, loss in each.pruned.items()]
    return UnigramRound(
        number=number,
        pieces=len(each.scores),
        objective=each.objective,
        tokens=each.tokens,
        tokens_per_piece=each.tokens_per_piece,
        best=[
            ScoredPiece(piece, score, each.expected[piece])
            for piece, score in each.pieces()[:MOST_PIECES]
        ],
        pruned=sorted(pruned, key=lambda it: (it.loss is not None, it.loss or 0.0)),
        unexpected=unexpected,
        returned=[piece for piece in each.scores if piece not in before],
    )


def _pruned(piece: str, loss: float | None, scores: Mapping[str, float]) -> Dropped:
    """Why pruning dropped a piece, and what its string is cut into without it."""
    ways = lattice(piece, scores, list(scores))
    others = [node for node in ways.nodes() if node.end - node.start < len(piece)]
    (split,) = best_paths(Lattice(len(piece), others))
    instead = [piece[node.start : node.end] for node in split.nodes]
    better = None
    if loss is not None:
        why = f"missed least: {loss:.4f} nats a token"
    elif split.score > scores[piece]:
        better = split.score - scores[piece]
        why = f"its own string is cut better, by {better:.3f}"
    else:
        why = "in the best cut of no word"
    return Dropped(piece, why, loss, better, instead)
