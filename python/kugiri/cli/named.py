"""Files that are given with names, as `--corpus ja=novel.txt`.

Rule.    A file without a name is called as it is (measure/named.py); a path with `=` in it that
         exists is a path.
Cost.    None.
"""

from __future__ import annotations

import os
from typing import Any

import click

from kugiri.errors import shown


def named(ctx: click.Context, option: click.Parameter, typed: tuple[str, ...]) -> list[Any]:
    """(name, path) of each NAME=PATH; a path alone is called as it is."""
    from kugiri.measure.named import names_of

    found: list[tuple[str | None, str]] = []
    for word in typed:
        name, sign, path = word.partition("=")
        if not sign or os.path.exists(word):  # noqa: PTH110 - Path.exists fails on a long name
            name, path = "", word
        if not path or (sign and path != word and not name.strip()):
            raise click.BadParameter(f"{shown(word)}: give NAME=PATH, or a path alone", ctx, option)
        found.append((name.strip() or None, path))
    unnamed = iter(names_of([path for name, path in found if name is None]))
    return [(name or next(unnamed), path) for name, path in found]
