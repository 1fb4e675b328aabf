"""`kugiri sweep --vary`: what an option does, measured on other text."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import click

from kugiri.cli.display import console, print_without_ends, working
from kugiri.cli.options import given
from kugiri.corpus import Reading
from kugiri.corpus.sources import find_files
from kugiri.errors import choose
from kugiri.training.train_variants import ADDED, train_variants

_WORDS = {"true": True, "false": False}


def varied(
    ctx: click.Context, option: click.Parameter, typed: tuple[str, ...]
) -> dict[str, list[Any]]:
    """Each OPTION=VALUE,VALUE… as values, the option as it is typed.

    Of added text and of special tokens, a value may be nothing.
    """
    found: dict[str, list[Any]] = {}
    for word in typed:
        name, sign, values = word.partition("=")
        name = name.strip()
        if not sign or not name:
            raise click.BadParameter(
                f"{word!r}: give an option and its values, as in byte_fallback=true,false",
                ctx,
                option,
            )
        if name.replace("-", "_") in (each.replace("-", "_") for each in found):
            raise click.BadParameter(
                f"{name} is varied twice; give all its values at once, as in {name}=V,V",
                ctx,
                option,
            )
        listed = [value.strip() for value in values.split(",")]
        found[name] = [_value(name.replace("-", "_"), it) for it in listed]
    return found


def _value(name: str, typed: str) -> Any:
    """A path, or a list, where one is meant; a number, true or false where it looks so."""
    if name == ADDED:
        return Path(typed) if typed else None
    if name == "special_tokens":
        return [typed] if typed else []
    if typed.lower() in _WORDS:
        return _WORDS[typed.lower()]
    for kind in (int, float):
        try:
            return kind(typed)
        except ValueError:
            pass
    return typed


def refuse_with_vary(
    texts: Mapping[str, Sequence[Path]], sentences: tuple[str, ...], output: str | None
) -> None:
    """Refuse what a sweep without --vary has."""
    if not texts:
        raise click.UsageError("--vary measures on text that is not trained on; give --eval")
    if sentences or output is not None:
        raise click.UsageError(
            "--vary shows and saves no tokenizers; train the one that you choose with kugiri train"
        )


def measure_variants(
    corpus: Sequence[Path],
    vary: Mapping[str, Sequence[Any]],
    sizes: Sequence[int],
    models: Sequence[str],
    texts: Mapping[str, list[Path]],
    metrics: Sequence[str],
    output: Mapping[str, bool],
    options: Mapping[str, Any],
) -> None:
    """Train each variant, measure all on each of the evaluation texts, and print that."""
    from kugiri.cli.measured import measured
    from kugiri.measure.metrics import BY_NAME
    from kugiri.measure.table import Tables
    from kugiri.measure.wanted import Given

    asked = given(dict(options))
    reading = {name: asked[name] for name in Reading.__dataclass_fields__ if name in asked}
    seed, threads = asked.get("seed", 0), asked.get("threads")
    if len(models) > 1:
        vary = {"model": models, **vary}
    elif models:
        asked["model"] = models[0]
    for path in chain.from_iterable(texts.values()):  # before time is spent on training
        find_files(path)
    there = Given([*texts], [], None, has_reference=False).places(None)
    for name in metrics:
        if choose("metric", name, BY_NAME) not in there:
            raise click.UsageError(
                f"--metric {name} compares with another tokenizer or language, which --vary "
                f"does not have; train with kugiri train, and use kugiri measure"
            )
    with working("training …", output["quiet"]) as tell:
        trained = train_variants(list(corpus), vary=vary, vocab_sizes=sizes, tell=tell, **asked)
        found = measured(
            trained,
            texts,
            is_table=not (output["json"] or output["csv"]),
            metrics=metrics or None,
            seed=seed,
            threads=threads,
            tell=tell,
            **reading,
        )
    if output["json"]:
        print(found.to_json().decode())
    elif output["csv"]:
        sys.stdout.write(found.to_csv())
    else:
        print_without_ends(console(), Tables(found, is_brief=not metrics))
