"""The commands that show a shared comparison again, where its files are.

Rule.    A file is named without its folder, which is nobody else's business; where several files
         are called alike, as tokenizer.json, each has its tokenizer's name for a folder. What came
         otherwise than from a file has no name.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import PureWindowsPath

from kugiri.web import requests as asked
from kugiri.web.store import Store

_TYPED = 200
"""Characters of a text that a command repeats."""


def commands(store: Store, its: asked.Share) -> Iterator[str]:
    """`kugiri serve` with all of them, and `kugiri explain` of a short text."""
    files = _files(store, its)
    yield shlex.join(["kugiri", "serve", *chain.from_iterable(("-t", it) for it in files.values())])
    file = files.get(its.explain or "")
    if file is not None and len(its.text) <= _TYPED and its.text.isprintable():
        yield shlex.join(["kugiri", "explain", "-t", file, its.text])


def _files(store: Store, its: asked.Share) -> dict[str, str]:
    """The file of each tokenizer that came from one."""
    paths = {name: store.get(name).path for name in its.tokenizers}
    files = {  # parts at / and at \
        name: PureWindowsPath(path).name for name, path in paths.items() if path is not None
    }
    times = Counter(files.values())
    return {name: file if times[file] == 1 else f"{name}/{file}" for name, file in files.items()}
