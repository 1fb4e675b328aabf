"""tokenizer.json, the format of Hugging Face tokenizers.

Rule.    Every part becomes its class in spec.py, whether an engine runs it or not. Where the file
         spells a thing in another way than tokenizers 0.23.3 would, that is kept beside it
         (spelling.py), so that what was read is written back as an equal document.
Cost.    The core reads vocabulary and merges into flat buffers; the rest is small.
Source.  tokenizers 0.23.3, quirks included: the "id" of an added token is not believed; it is the
         id of the model, else counted on from the size of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from kugiri.errors import FormatError
from kugiri.formats import spelling
from kugiri.formats.components import FAMILIES, read_part, read_plain, write_fields, write_part
from kugiri.formats.json_parts import Json, convert, only
from kugiri.formats.losses import warn_not_kept
from kugiri.formats.models import (
    merge_list,
    model_tree,
    pieces,
    read_model,
    vocabulary,
)
from kugiri.formats.rows import id_of, vocabulary_rows
from kugiri.lazy import lazy_module
from kugiri.spec import (
    BPE,
    AddedToken,
    Fuse,
    Model,
    Padding,
    TokenizerSpec,
    Truncation,
    Unigram,
    WordLevel,
    respelled,
)

if TYPE_CHECKING:
    from kugiri import unicode
    from kugiri.formats import byte_level, oniguruma
else:
    byte_level = lazy_module("kugiri.formats.byte_level")
    oniguruma = lazy_module("kugiri.formats.oniguruma")
    unicode = lazy_module("kugiri.unicode")

VERSION = "1.0"
PLAIN: dict[str, type[msgspec.Struct]] = {"truncation": Truncation, "padding": Padding}
KEYS = ("version", *PLAIN, "added_tokens", *FAMILIES, "model")
"""The keys of the document, in the order in which tokenizers writes them."""


def read(data: bytes) -> TokenizerSpec:
    """Read a tokenizer.json.

    Raises:
        FormatError: it is malformed, or describes what tokenizers 0.23.3 does not know.
    """
    document = Json(data).fields()
    only(document, KEYS, "a tokenizer.json")
    if "model" not in document:
        raise FormatError("the key 'model' is missing, so this is no tokenizer.json")
    tree = {key: part.value() for key, part in document.items() if key != "model"}
    if tree.get("version", VERSION) != VERSION:
        raise FormatError(f"version {tree['version']!r} of tokenizer.json is unknown; only 1.0 is")
    model, model_as_written = read_model(document["model"])
    spec = TokenizerSpec(
        model=model,
        added_tokens=_read_added_tokens(tree.get("added_tokens", []), model),
        **{family: read_part(family, tree.get(family)) for family in FAMILIES},
        **{key: _read_plain(key, tree.get(key)) for key in PLAIN},
        origin="tokenizer.json",
    )
    changes = list(spelling.differences(_tree(spec), tree | {"model": model_as_written}))
    return msgspec.structs.replace(spec, unknown_fields=spelling.dump(changes))


def write(spec: TokenizerSpec) -> bytes:
    """Write a spec as a tokenizer.json.

    Raises:
        FormatError: tokenizer.json has no place for something that the ids depend on.
    """
    kept = spec if spec.origin == "tokenizer.json" else _in_its_terms(spec)
    document = _tree(kept)
    if spec.origin == "tokenizer.json":
        spelling.apply(spelling.load(spec.unknown_fields), document)
    _fill_tables(document["model"], kept)
    _name_losses(spec, kept)
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _in_its_terms(spec: TokenizerSpec) -> TokenizerSpec:
    """A spec of another origin as tokenizer.json can say it."""
    spec = msgspec.structs.replace(spec, added_tokens=_one_for_each_id(spec.added_tokens))
    if isinstance(spec.model, BPE) and spec.model.unit == "byte":
        spec = byte_level.show_bytes(spec)
    elif spec.decoder is None and not isinstance(spec.model, WordLevel):
        spec = msgspec.structs.replace(spec, decoder=Fuse())  # without one, spaces go between
    return respelled(spec, oniguruma.to_oniguruma)


def _name_losses(spec: TokenizerSpec, kept: TokenizerSpec) -> None:
    other_names = [token for token in spec.added_tokens if token not in kept.added_tokens]
    losses = {
        f"the names {[token.content for token in other_names]} of ids that have two": other_names,
        "the trainer's fields of a .model": spec.trainer,
        "its self-test": spec.self_test,
        f"the normalizers' Unicode {spec.unicode_version}": spec.unicode_version != unicode.CURRENT,
        "fields of its origin": spec.unknown_fields and spec.origin != "tokenizer.json",
    }
    warn_not_kept("tokenizer.json", [name for name, present in losses.items() if present])


def _tree(spec: TokenizerSpec) -> Any:
    """The document as tokenizers would write it, the tables of the model left out."""
    parts = {family: write_part(getattr(spec, family)) for family in FAMILIES}
    plain = {key: _write_plain(getattr(spec, key)) for key in PLAIN}
    tree = {"version": VERSION, **plain, "added_tokens": spec.added_tokens, **parts}
    return msgspec.json.decode(msgspec.json.encode(tree | {"model": model_tree(spec.model)}))


def _read_plain(key: str, value: Any) -> Any:
    return None if value is None else read_plain(PLAIN[key], value, key)


def _write_plain(part: msgspec.Struct | None) -> Any:
    return None if part is None else write_fields(part)


def _fill_tables(tree: dict[str, Any], spec: TokenizerSpec) -> None:
    """Put the tables of the model in their places in its tree."""
    vocab = _with_added_tokens(vocabulary(spec.model), spec)
    tree["vocab"] = pieces(spec.model) if isinstance(spec.model, Unigram) else vocab
    if isinstance(spec.model, BPE):
        tree["merges"] = merge_list(spec.model, vocab, tree["merges"])


# ── added tokens ──────────────────────────────────────────────────────────────────────────────
def _read_added_tokens(value: Any, model: Model) -> tuple[AddedToken, ...]:
    """The added tokens with the ids that tokenizers gives them.

    One that stands twice keeps its first place and its last flags; an empty one is none.
    """
    if not isinstance(value, list):
        raise FormatError("added_tokens must be an array")
    plain = [_added_token_fields(item, f"added_tokens[{i}]") for i, item in enumerate(value)]
    read = convert(plain, list[AddedToken], "added_tokens")
    tokens = {token.content: token for token in read if token.content}
    rows = vocabulary_rows(model).find([content.encode() for content in tokens])
    found = zip(tokens, rows, strict=True)
    known = {content: id_of(model, row) for content, row in found if row is not None}
    numbers = _number(tokens, known, len(model.vocab))
    return tuple(
        msgspec.structs.replace(token, id=numbers[content]) for content, token in tokens.items()
    )


def _added_token_fields(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"{where} must be an object, not {value!r:.60}")
    for name in AddedToken.__struct_fields__:
        if name not in value:
            raise FormatError(f"{where} lacks {name!r}; an added token has all its fields")
    return {name: value[name] for name in AddedToken.__struct_fields__}


def _number(contents: Iterable[str], known: Mapping[str, int], vocab_size: int) -> dict[str, int]:
    """The id of each added token: that of the model, else counted on from the vocabulary's size.

    Example:
        >>> _number(["<a>", "x", "<b>"], {"x": 7}, vocab_size=2)
        {'<a>': 2, 'x': 7, '<b>': 3}
    """
    following = count(vocab_size)
    return {
        content: known[content] if content in known else next(following) for content in contents
    }


def _with_added_tokens(vocab: dict[str, int], spec: TokenizerSpec) -> dict[str, int]:
    """The vocabulary, with the added tokens in it if outside of it they would get other ids.

    Raises:
        FormatError: a token cannot have the id that it has here.
    """
    wanted = {token.content: token.id for token in spec.added_tokens}
    if _number(wanted, vocab, len(spec.model.vocab)) == wanted:
        return vocab
    token_of = {id: token for token, id in vocab.items()}
    for content, id in wanted.items():
        if vocab.get(content, id) != id or token_of.get(id, content) != content:
            raise FormatError(
                f"the added token {content!r} cannot have the id {id} in tokenizer.json, where "
                f"{token_of.get(id, content)!r} has it or it has another id itself"
            )
    if isinstance(spec.model, Unigram):
        raise FormatError("the ids of added tokens must follow those of a Unigram model in order")
    return dict(sorted((vocab | wanted).items(), key=lambda item: item[1]))


def _one_for_each_id(tokens: Sequence[AddedToken]) -> tuple[AddedToken, ...]:
    """The added tokens without those whose id has a later name, which tokenizer.json cannot say."""
    return tuple({token.id: token for token in tokens}.values())
