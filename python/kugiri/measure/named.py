"""What is measured, by name: tokenizers and corpora as callers give them.

Rule.    A mapping says the names. Otherwise a file is called as it is, without what its kind adds
         (`my.kugiri.json` is my), or as its folder where the file itself is called as all are
         (`llama3/tokenizer.json` is llama3); two of one name get their folders in front, and
         numbers if that does not help. An object is called by what it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from kugiri.corpus.sources import PACKED, PAGES, SUFFIXES
from kugiri.errors import OptionError, described
from kugiri.inputs import as_string, is_list
from kugiri.load import load
from kugiri.tokenizer import Tokenizer
from kugiri.training.tally import with_unknown

_ENDINGS = (".json", ".kugiri", ".tiktoken", ".model", *SUFFIXES, *PAGES, *PACKED)
_SAY_NOTHING = {"tokenizer", "vocab", "tekken", "spiece", "sentencepiece", "sentencepiece.bpe"}
"""How the files of all models are called."""


class Named(NamedTuple):
    """A tokenizer to measure.

    Attributes:
        name: in the report.
        tokenizer: as it came.
        source: the file or name that it was loaded from, None for an object.
        able: it, or where it has no id for what is unknown, the same with one: each such character
            or word is then one token, as everywhere in the package (tally.py).
    """

    name: str
    tokenizer: Tokenizer
    source: str | None
    able: Tokenizer


def named_tokenizers(tokenizers: Any) -> list[Named]:
    """The tokenizers by their names, those of files loaded.

    Raises:
        OptionError: there is none, or something is neither a tokenizer nor a path.
        FormatError: a file is no tokenizer.
    """
    sources = _by_name(tokenizers, "tokenizer")
    if not sources:
        raise OptionError("there is no tokenizer to measure; give at least one")
    return [_named(name, source) for name, source in sources.items()]


def named_tokenizer(source: Any) -> Named:
    """One tokenizer.

    Raises:
        OptionError: it is neither a tokenizer nor a path.
        FormatError: the file is no tokenizer.
    """
    return named_tokenizers([source])[0]


def _named(name: str, source: Any) -> Named:
    tokenizer = source
    if isinstance(source, (str, PathLike)):
        try:
            tokenizer = load(source)
        except OptionError as error:
            raise OptionError(f"tokenizer {name!r}: {error}") from error
    elif not isinstance(source, Tokenizer):
        raise OptionError(f"tokenizer {name!r} is {described(source)}; give a Tokenizer or a path")
    path = None if tokenizer is source else readable(fspath(source))
    spec = with_unknown(tokenizer.spec)
    able = tokenizer if spec is tokenizer.spec else Tokenizer(spec)
    return Named(name, tokenizer, path, able)


def named_corpora(corpora: Any) -> dict[str, Any]:
    """The corpora by their names; one that comes alone may come without.

    Raises:
        OptionError: a name is no str, or counts of words came.
    """
    if corpora is None:
        return {}
    if isinstance(corpora, Mapping):
        if any(isinstance(value, int) for value in corpora.values()):
            raise OptionError(
                "corpora are named: name → paths or texts; counts of words came, which have no "
                "documents to measure"
            )
        return _by_name(corpora, "corpus")
    paths = [corpora] if isinstance(corpora, (str, PathLike)) else corpora
    first = next(iter(paths), None) if is_list(paths) and isinstance(paths, Sequence) else None
    is_path = isinstance(first, PathLike) or paths is not corpora
    return {_stem(fspath(first)) if is_path and first is not None else "corpus": corpora}


def _by_name(given: Any, what: str) -> dict[str, Any]:
    if isinstance(given, Mapping):
        for name in given:
            if not as_string(f"the name of a {what}", name).strip():
                raise OptionError(f"the name of a {what} is empty; give it one")
        return dict(given)
    items = list(given) if is_list(given) else [given]
    return dict(zip(names_of(items), items, strict=True))


def names_of(items: Sequence[Any]) -> list[str]:
    """A name for each, all different.

    Example:
        >>> names_of(["a/bpe-800.kugiri.json", "b/bpe-800.kugiri.json", "llama3/tokenizer.json"])
        ['a/bpe-800', 'b/bpe-800', 'llama3']
    """
    names = [_name(item) for item in items]
    often = Counter(names)
    names = [
        f"{readable(Path(item).absolute().parent.name)}/{name}"
        if often[name] > 1 and isinstance(item, (str, PathLike))
        else name
        for name, item in zip(names, items, strict=True)
    ]
    seen: Counter[str] = Counter()
    for at, name in enumerate(names):
        seen[name] += 1
        while names[at] in names[:at]:
            names[at] = f"{name} #{seen[name]}"
            seen[name] += 1
    return names


def readable(path: str) -> str:
    r"""A path as text: what is no UTF-8 in it as its number.

    Example:
        >>> readable("novel-\udcff.txt")
        'novel-\\udcff.txt'
    """
    return path.encode(errors="backslashreplace").decode()


def _name(item: Any) -> str:
    if isinstance(item, Tokenizer):
        return f"{type(item.spec.model).__name__} {item.vocab_size}"
    if isinstance(item, (str, PathLike)):
        return _stem(fspath(item))
    return type(item).__name__


def _stem(path: str) -> str:
    """The name of a file without its endings, or of its folder."""
    file = Path(path)
    name = without_endings(file.name)
    if says_nothing(name) and file.name != name:
        name = file.absolute().parent.name or name
    return readable(name or path)


def without_endings(name: str) -> str:
    """The name of a file without its endings.

    Example:
        >>> without_endings("qwen3.kugiri.json"), without_endings("gpt-4.1")
        ('qwen3', 'gpt-4.1')
    """
    while (ending := _ending(name)) is not None:
        name = name[: -len(ending)]
    return name


def says_nothing(name: str) -> bool:
    """Whether the files of all models are called so."""
    return name in _SAY_NOTHING


def _ending(name: str) -> str | None:
    found = (it for it in _ENDINGS if name.lower().endswith(it) and len(name) > len(it))
    return next(found, None)
