"""train_variants: a tokenizer for each value of an option, to see what the option does.

Rule.    Every combination of the values is trained, of every size; all else is the same. `added` is
         no option but text that is added to the corpus, so that its effect can be seen like that of
         an option.
Cost.    A run of `train` for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import product
from os import PathLike
from pathlib import Path
from typing import Any

from kugiri.corpus import Corpus
from kugiri.corpus.sources import find_files, reads_once, split_kinds
from kugiri.errors import CorpusError, OptionError, choose, described
from kugiri.inputs import as_sizes, as_string, is_list
from kugiri.sentencepiece.options import SentencePieceOptions
from kugiri.tokenizer import Tokenizer
from kugiri.train import check_options, train
from kugiri.training.options import Options

ADDED = "added"
_GIVEN = {
    "vocab_size": "give several sizes instead",
    "num_merges": "give several sizes instead",
    **dict.fromkeys(("threads", "num_threads"), "the result is the same for any"),
}
"""What is an option of `train` and cannot be varied, and why."""
_NAMES = {field.name for kind in (Options, SentencePieceOptions) for field in fields(kind)}
VARIED = sorted(
    name.replace("_", "-") for name in (_NAMES - {*_GIVEN}) | {ADDED, "model", "preset", "seed"}
)
"""What can be, spelled as on the command line."""


def train_variants(
    corpus: Corpus,
    *,
    vary: Mapping[str, Sequence[Any]],
    vocab_sizes: Iterable[int],
    threads: int | None = None,
    tell: Callable[[str], None] | None = None,
    **options: Any,
) -> dict[str, Tokenizer]:
    """Train with each value of some options, for example to measure what they change.

    Args:
        corpus: as for `train`, as paths or texts.
        vary: option → its values, the option spelled as in Python or as on the command line
            (byte-fallback); "added" → paths of text that is added to the corpus, None for no text.
        vocab_sizes: the sizes, everything counted.
        threads: how many to use (None: all). The result is the same.
        tell: is called with a few words before each training.
        **options: what all have in common, as for `train`.

    Returns:
        The tokenizers by what differs, spelled as in `vary`: "byte_fallback=true", with several
        sizes "byte_fallback=true 2000".

    Raises:
        OptionError: an option has no value, or is given twice.

    Example:
        >>> found = train_variants(["low lower"] * 9, vary={"tie": ["lowest-ids", "first-seen"]},
        ...                        vocab_sizes=[257])
        >>> {name: tok.merges[0].result for name, tok in found.items()}
        {'tie=lowest-ids': b'lo', 'tie=first-seen': b'lo'}
    """
    sizes = as_sizes("vocab_sizes", vocab_sizes)
    if not isinstance(vary, Mapping) or not vary:
        raise OptionError(f"vary is option → values; {described(vary)} came")
    named = _names(vary, options)
    if reads_once(corpus):
        raise CorpusError("each variant reads the corpus; give paths, or a list of texts")
    several = [name for name, values in vary.items() if len(values) > 1]
    asked: dict[str, tuple[Corpus, dict[str, Any]]] = {}
    for values, size in product(product(*vary.values()), sizes):
        chosen = dict(zip(vary, values, strict=True))
        name = ", ".join(f"{option}={_spelled(chosen[option])}" for option in several)
        name = f"{name} {size}".strip() if len(sizes) > 1 or not name else name
        if name in asked:
            raise OptionError(f"vary has {name!r} twice; leave one of them out")
        values_of = {named[spelled]: value for spelled, value in chosen.items()}
        text = _with(corpus, values_of.pop(ADDED, None))
        asked[name] = text, {"vocab_size": size, **options, **values_of}
    for _, its in asked.values():  # all of them before any of them is trained
        check_options(threads=threads, **its)
    trained: dict[str, Tokenizer] = {}
    for name, (text, its) in asked.items():
        if tell is not None:
            tell(f"training {name} …")
        trained[name] = train(text, threads=threads, **its)
    return trained


def _names(vary: Mapping[str, Sequence[Any]], options: Mapping[str, Any]) -> dict[str, str]:
    """What is varied, as it is spelled → as `train` calls it."""
    named: dict[str, str] = {}
    for spelled, values in vary.items():
        name = as_string("a name in vary", spelled).replace("-", "_")
        if not is_list(values) or not list(values):
            raise OptionError(f"vary has a list of values for {spelled}; {described(values)} came")
        if name in _GIVEN:
            raise OptionError(
                f"{spelled} cannot be varied: {_GIVEN[name]}; all other options of training can "
                f"be, and {ADDED}"
            )
        choose("option to vary", name.replace("_", "-"), VARIED)
        if name in options:
            raise OptionError(f"{spelled} is given, and varied too; leave one of them out")
        if name in named.values():
            raise OptionError(f"vary has {spelled} twice; leave one of them out")
        named[spelled] = name
    return named


def _spelled(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, PathLike):
        return Path(value).name
    if is_list(value):
        return "+".join(map(str, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _with(corpus: Corpus, added: Any) -> Corpus:
    """The corpus and files that are added to it."""
    if added is None:
        return corpus
    files, _ = split_kinds(corpus)
    if not files:
        raise CorpusError("added text is files, and so must the corpus be; give its path")
    more = [added] if isinstance(added, (str, PathLike)) else list(added)
    for path in more:
        find_files(path)  # before time is spent on training
    return [Path(path) for path in (*files, *more)]
