"""How a lineage looks on a terminal, and as JSON."""

from __future__ import annotations

from typing import Any

import click

import kugiri
from kugiri.cli.display import number_or_dash, print_json, print_table, readable, spelled
from kugiri.explain.lineage import Step
from kugiri.explain.seed import Seed
from kugiri.explain.vocabulary import pieces, reading


def show_lineage(tok: kugiri.Tokenizer, token: str, as_json: bool) -> None:
    """Print where a token comes from."""
    found = tok.lineage(_written(tok, token))
    if isinstance(found, Seed):
        if as_json:
            print_json({"token": token, "seed": found._asdict()})
        else:
            _show_seed(found)
        return
    steps = [_as_read(tok, step) for step in found]
    if as_json:
        print_json({"token": token, "lineage": [_step(step) for step in steps]})
    elif not steps:
        click.echo(f"{readable(token)}: of the alphabet, made by no merge")
    else:
        print_table(["rank", "merge", "count", "applied"], map(_row, steps), text="merge")


def _show_seed(seed: Seed) -> None:
    kind = "a character, there" if len(seed.piece) == 1 else "a seed, there"
    click.echo(f"{readable(seed.piece)}: {kind} from the beginning and not pruned")
    click.echo(f"score     {seed.score:.2f}, number {seed.place + 1:,}{_expected(seed.expected)}")
    cut = "nothing else spells it"
    if seed.margin is not None:
        compared = "worse" if seed.margin >= 0 else "better"
        cut = f"{'|'.join(map(readable, seed.instead))}, {abs(seed.margin):.2f} {compared}"
    click.echo(f"without   {cut}")


def _expected(count: float | None) -> str:
    if count is None:
        return ""
    return f", expected about {count:,.1f} times" if count >= 1 else ", expected less than once"


def _written(tok: kugiri.Tokenizer, token: str) -> str:
    """The token that is shown as what was typed, if there is none that is written so."""
    if token in tok.vocab:
        return token
    ids = {piece.id for piece in pieces(tok) if token in (piece.token, readable(piece.token))}
    return next((name for name, id in tok.vocab.items() if id in ids), token)


def _as_read(tok: kugiri.Tokenizer, step: Step) -> Step:
    left, right, result = (reading(tok, part) for part in (step.left, step.right, step.result))
    return step._replace(left=left, right=right, result=result)


def _step(step: Step) -> dict[str, Any]:
    strings = {name: spelled(getattr(step, name)) for name in ("left", "right", "result")}
    return {"rank": step.rank, **strings, "count": step.count, "applied": step.applied}


def _row(step: Step) -> tuple[str, ...]:
    return (
        f"{step.rank:,}",
        f"{readable(step.left)} + {readable(step.right)} → {readable(step.result)}",
        number_or_dash(step.count),
        number_or_dash(step.applied),
    )
