"""Loaded tokenizers, kept as tables in the folder that KUGIRI_CACHE names.

Rule.    A file is found by what the original file and the settings beside it hold (their size and
         two sums of each) and by the version of kugiri; what is damaged, of another version or of
         another file is not read, and written anew. Kept is what costs: byte-pair encodings of a
         tokenizer.json. A folder that cannot be written to is a warning. To clear the cache, remove
         the folder.
Cost.    One sum of the original file and one read of the tables, each by two threads. The sums find
         damage and change, not forgery: the folder is for oneself, as a folder of programs is.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from kugiri import _core
from kugiri._version import __version__
from kugiri.errors import FormatError
from kugiri.formats.json_parts import convert
from kugiri.formats.named_tokens import settings_of
from kugiri.formats.recognise import recognise
from kugiri.formats.source import Source
from kugiri.lazy import lazy_module
from kugiri.spec import BPE, ChatTemplates, TokenizerSpec
from kugiri.tables import Column, Merges, Tokens
from kugiri.tokenizer import Tokenizer
from kugiri.tokenizing.engine import core_input
from kugiri.warned import warn

if TYPE_CHECKING:
    from kugiri import files
else:
    files = lazy_module("kugiri.files")

VARIABLE = "KUGIRI_CACHE"
_MERGE_COLUMNS = ("left", "right", "result")


class Place(NamedTuple):
    """Where the tables of a content are kept, and what they must be made of."""

    path: Path
    key: tuple[int, int, int]


def place_of(source: Source) -> Place | None:
    """The place for the tables of a file; None where nothing is to be kept."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        return None
    both = zip(_core.content_key(source.data), _core.content_key(settings_of(source)), strict=True)
    size, one, two = ((of_file + of_settings) % 2**64 for of_file, of_settings in both)
    key = size, one, two
    name = "-".join(f"{number:x}" for number in key)
    return Place(Path(folder, f"{name}.kugiri-{__version__}"), key)


def find(place: Place, chat: Callable[[], ChatTemplates | None]) -> Tokenizer | None:
    """The tokenizer that is kept there, if it is whole; its spec is read when asked for.

    What lies beside its file is read now, and is not kept.
    """
    core = _core.Core.kept(place.path, place.key)
    if core is None:
        return None
    beside = chat()
    return Tokenizer.of_core(core, lambda: msgspec.structs.replace(_spec(core), chat=beside))


def keep(place: Place, content: bytes, tokenizer: Tokenizer) -> None:
    """Keep a tokenizer, if it is one that is kept."""
    spec = tokenizer.spec
    told = spec.truncation is not None or spec.padding is not None  # of which loading warns
    if told or not isinstance(spec.model, BPE) or recognise(content, None) != "tokenizer.json":
        return
    file = _core.Core.keep(place.key, *core_input(spec), _parts(spec, spec.model))
    if file is None:
        return
    try:
        place.path.parent.mkdir(parents=True, exist_ok=True)
        with files.write_beside(place.path) as out:
            out.write(file)
    except (FormatError, OSError) as error:
        warn(
            f"the tokenizer was loaded, and cannot be kept in the folder that {VARIABLE} names: "
            f"{error}",
            stacklevel=3,
        )


def _parts(spec: TokenizerSpec, model: BPE) -> list[bytes]:
    """The spec: its JSON with null for the tables, and these."""
    alone = msgspec.structs.replace(spec, chat=None)
    head = msgspec.json.encode(alone, enc_hook=lambda table: None)
    ids = b"" if model.ids is None else model.ids.data
    merges = model.merges or Merges.empty()
    columns = [merges.stored[name].data for name in _MERGE_COLUMNS]
    return [head, model.vocab.data, model.vocab.offset_bytes, ids, *columns]


def _spec(core: _core.Core) -> TokenizerSpec:
    head, data, offsets, ids, *columns = (core.part(index) for index in range(7))
    spec: TokenizerSpec = convert(msgspec.json.decode(head), TokenizerSpec, "spec")
    model = msgspec.structs.replace(
        spec.model,
        vocab=Tokens(data, offsets),
        ids=Column(ids, "uint32") if ids else None,
        merges=Merges(*(Column(column, "uint32") for column in columns)),
    )
    return msgspec.structs.replace(spec, model=model)
