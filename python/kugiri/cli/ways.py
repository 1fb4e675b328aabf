"""`kugiri encode --nbest` and `--sample`: other ways to cut a text than the best."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple, TypeVar

import click

import kugiri
from kugiri.cli.display import print_json, split
from kugiri.cli.lines import Lines
from kugiri.cli.options import Whole
from kugiri.encoding import Hypothesis
from kugiri.tokenizing.sampling import as_sampling

Command = TypeVar("Command", bound=Callable[..., Any])

USUAL_ALPHA = 0.1
"""What SentencePiece's own commands take."""


class Ways(NamedTuple):
    """What was asked for.

    Attributes:
        nbest: so many best ways, or a draw among so many.
        sample: whether one is drawn.
        method, alpha, seed: how it is drawn; each line of the input has a seed one higher.
    """

    nbest: int | None
    sample: bool
    method: str | None
    alpha: float | None
    seed: int | None

    def check(self, *, only_text: bool) -> bool:
        """Whether other ways than the best were asked for.

        Raises:
            UsageError: options do not go together.
        """
        if not self.sample and (self.method, self.alpha, self.seed) != (None, None, None):
            raise click.UsageError(
                "--method, --alpha and --seed are for --sample; add it, or leave them out"
            )
        if (self.sample or self.nbest) and not only_text:
            raise click.UsageError(
                "--nbest and --sample take a text as it is; leave out --allowed-special, "
                "--add-special-tokens, --add-bos, --add-eos and --reverse"
            )
        return self.sample or self.nbest is not None


def ways_options(command: Command) -> Command:
    """The options that say which ways."""
    for option in reversed((
        click.option(
            "--nbest", type=Whole(min=1), metavar="N", help="The N best ways (Unigram)."
        ),
        click.option("--sample", is_flag=True, help="A way at random; with --nbest among these."),
        click.option("--method", metavar="NAME", help="How: bpe-dropout, stochastok, …"),
        click.option("--alpha", type=float, help="Weight of scores, dropout or share. [0.1]"),
        click.option("--seed", type=int, help="Where random numbers begin. [0]"),
    )):  # fmt: skip
        command = option(command)
    return command


def print_ways(tok: kugiri.Tokenizer, lines: Lines, ways: Ways, form: str) -> None:
    """The ways to cut each text; `form` is "ids", "tokens" or "json"."""
    if ways.sample:
        _print_samples(tok, lines, ways, form)
        return
    number = ways.nbest or 1
    found = lines.each(lambda text: (text, tok.nbest(text, number)))
    for text, best in found:
        if form == "json":
            print_json({"text": text, "nbest": [_as_json(way) for way in best]})
            continue
        for way in best:
            cut = " ".join(map(str, way.ids)) if form == "ids" else split(tok, way.tokens)
            print(f"{way.log_prob:.4f}\t{way.posterior:.4f}\t{cut}")


def _as_json(way: Hypothesis) -> dict[str, Any]:
    ids, tokens, log_prob, posterior = way
    return {"token_ids": ids, "tokens": tokens, "log_prob": log_prob, "posterior": posterior}


def _print_samples(tok: kugiri.Tokenizer, lines: Lines, ways: Ways, form: str) -> None:
    how = as_sampling(tok.spec.model, ways.method, ways.alpha, ways.nbest, USUAL_ALPHA)
    seeds = count((ways.seed or 0) + (lines.first or 1) - 1)

    def draw(text: str) -> tuple[str, tuple[list[int], list[str]]]:
        return text, tok._drawn(text, how, next(seeds))

    for text, (ids, tokens) in lines.each(draw):
        if form == "json":
            print_json({"text": text, "token_ids": ids, "tokens": tokens})
        else:
            print(" ".join(map(str, ids)) if form == "ids" else split(tok, tokens))
