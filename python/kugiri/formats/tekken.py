"""tekken.json, the format of Mistral: bytes and ranks of tokens, special tokens before them.

Rule.    Ids begin with `default_num_special_tokens` special tokens; those that the file does not
         name are `<SPECIAL_n>`. A token follows with its rank on top, and only as many of them as
         `default_vocab_size` has room for. Tokens join by rank, as in a `.tiktoken` file, and
         words are the matches of `pattern`. Special tokens are never found in a text unless they
         are allowed. `add_special_tokens` puts `<s>` in front.
Cost.    One visit a token.
Source.  mistral-common, which has tiktoken do the encoding.
"""

from __future__ import annotations

import binascii
from typing import Any

import msgspec

from kugiri import spec
from kugiri.errors import FormatError
from kugiri.formats import spelling
from kugiri.formats.json_parts import Json, convert
from kugiri.formats.losses import require_same
from kugiri.spec import BPE, AddedToken, TokenizerSpec
from kugiri.tables import Column, Tokens

BEGIN = "<s>"
SURPLUS = "surplus"
"""Where the tokens that there is no room for are kept."""

ELDER = (
    "<unk>", BEGIN, "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]",
    "[IMG_END]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
)  # fmt: skip
"""The special tokens of files up to version v7 that name none."""

MOST = 100_000
"""How many special tokens a file may announce; those that it announces are made."""


class _Token(msgspec.Struct, frozen=True):
    rank: int
    token_bytes: str
    token_str: str | None = None


class _Special(msgspec.Struct, frozen=True):
    rank: int
    token_str: str


class _Config(msgspec.Struct, frozen=True):
    pattern: str
    default_vocab_size: int
    default_num_special_tokens: int


# ── reading ───────────────────────────────────────────────────────────────────────────────────
def read(data: bytes) -> TokenizerSpec:
    """Read a tekken.json.

    Raises:
        FormatError: it is malformed, or its numbers do not fit each other.
    """
    document = Json(data).fields()
    for key in ("config", "vocab"):
        if key not in document:
            raise FormatError(f"the key {key!r} is missing, so this is no tekken.json")
    tree = {key: part.value() for key, part in document.items() if key != "vocab"}
    config: _Config = convert(tree["config"], _Config, "config")
    names = _special_tokens(tree.get("special_tokens"), config)
    rows = _rows(document["vocab"])
    room = config.default_vocab_size - len(names)
    if not 256 <= room <= len(rows):
        raise FormatError(
            f"default_vocab_size {config.default_vocab_size} leaves room for {room} tokens beside "
            f"{len(names)} special ones; the file has {len(rows)}, and there are 256 bytes"
        )
    tokens = _bytes(rows[:room])
    described = TokenizerSpec(
        BPE(
            Tokens.from_iter(tokens),
            Column(range(len(names), config.default_vocab_size), "uint32"),
            order="rank",
            ignore_merges=True,
        ),
        added_tokens=tuple(AddedToken(id, name) for id, name in enumerate(names)),
        pre_tokenizer=spec.Split(spec.Regex(config.pattern), "removed", invert=True),
        post_processor=_begin(names),
        origin="tiktoken",
    )
    theirs = tree | {"vocab": [msgspec.to_builtins(row) for row in rows]}
    changes = list(spelling.differences(_tree(described), _with_surplus(theirs, room)))
    return msgspec.structs.replace(described, unknown_fields=spelling.dump(changes))


def _rows(vocab: Json) -> list[_Token]:
    try:
        return msgspec.json.decode(vocab.data, type=list[_Token])
    except msgspec.DecodeError as error:
        raise FormatError(f"vocab: {error}", offset=vocab.offset) from None


def _special_tokens(value: Any, config: _Config) -> list[str]:
    """The names of the special tokens, in order of id."""
    total = config.default_num_special_tokens
    if not 0 <= total <= MOST:
        raise FormatError(f"default_num_special_tokens is {total}; it must be from 0 to {MOST}")
    if value is None:
        names = list(ELDER)
    else:
        given = convert(value, list[_Special], "special_tokens")
        given.sort(key=lambda token: token.rank)
        if [token.rank for token in given] != list(range(len(given))):
            raise FormatError("the ranks of special_tokens must be 0, 1, 2, … without a hole")
        names = [token.token_str for token in given]
    if len(names) > total:
        raise FormatError(f"there are {len(names)} special tokens, and only {total} announced")
    names += [f"<SPECIAL_{id}>" for id in range(len(names), total)]
    if len(set(names)) < total or "" in names:
        raise FormatError("a special token stands twice, or is empty")
    return names


def _bytes(rows: list[_Token]) -> list[bytes]:
    tokens = []
    for place, row in enumerate(rows):
        try:
            token = binascii.a2b_base64(row.token_bytes)
        except (binascii.Error, ValueError):
            token = b""
        if not token or row.rank != place:
            raise FormatError(f"vocab[{place}] is not the token of rank {place} in base64")
        tokens.append(token)
    if len(set(tokens)) < len(tokens):
        raise FormatError("a token stands twice in vocab")
    if tokens[:256] != [bytes([byte]) for byte in range(256)]:
        raise FormatError("the first 256 tokens of vocab must be the bytes in their order")
    return tokens


def _begin(names: list[str]) -> spec.TemplateProcessing | None:
    if BEGIN not in names:
        return None
    first = spec.SpecialPiece(BEGIN)
    return spec.TemplateProcessing(
        (first, spec.SequencePiece("A")),
        (first, spec.SequencePiece("A"), first, spec.SequencePiece("B", 1)),
        {BEGIN: spec.TemplateToken(BEGIN, (names.index(BEGIN),), (BEGIN,))},
    )


def _with_surplus(tree: dict[str, Any], room: int) -> dict[str, Any]:
    """The tokens that there is no room for apart, so that they are kept in one place."""
    surplus = tree["vocab"][room:]
    return tree | {"vocab": tree["vocab"][:room]} | ({SURPLUS: surplus} if surplus else {})


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def write(described: TokenizerSpec) -> bytes:
    """Write a spec as a tekken.json.

    Raises:
        FormatError: it has no place for something that the ids depend on: special tokens come
            first, then the bytes in their order, and tokens join by rank.
    """
    document = _tree(described)
    if described.origin == "tiktoken" and described.unknown_fields:
        spelling.apply(spelling.load(described.unknown_fields), document)
    document["vocab"] += document.pop(SURPLUS, [])
    data = msgspec.json.encode(document)
    require_same(described, read(data), "a tekken.json")
    return data


def _tree(described: TokenizerSpec) -> dict[str, Any]:
    """The document as kugiri would write it."""
    model, split = described.model, described.pre_tokenizer
    if not isinstance(model, BPE) or model.unit != "byte" or model.order != "rank":
        raise FormatError(
            "a tekken.json holds bytes that join by rank, as a .tiktoken file does, not "
            f"{'merges' if isinstance(model, BPE) else 'a ' + type(model).__name__}; "
            "save as .kugiri.json"
        )
    if not isinstance(split, spec.Split) or not isinstance(split.pattern, spec.Regex):
        raise FormatError("a tekken.json is split by the matches of one regex")
    names = [token.content for token in described.added_tokens]
    size = len(model.vocab) + len(names)
    return {
        "config": {
            "pattern": split.pattern.regex,
            "num_vocab_tokens": len(model.vocab),
            "default_vocab_size": size,
            "default_num_special_tokens": len(names),
            "version": "v7",
        },
        "vocab": [
            {
                "rank": rank,
                "token_bytes": binascii.b2a_base64(token, newline=False).decode(),
                "token_str": _string(token),
            }
            for rank, token in enumerate(model.vocab)
        ],
        "special_tokens": [
            {"rank": id, "token_str": name, "is_control": True} for id, name in enumerate(names)
        ],
    }


def _string(token: bytes) -> str | None:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return None
