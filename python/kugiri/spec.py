"""What a tokenizer is, as plain frozen data: the pivot between formats, trainers and engines.

A format file reads into a `TokenizerSpec` and writes from one, a trainer returns one, and both
engines are built from one. The classes follow the pipeline: added tokens, normalizer,
pre-tokenizer, model, post-processor, decoder. They describe every component of tokenizer.json
(tokenizers 0.23.3) and every field of a SentencePiece .model (0.2.3), whether or not an engine runs
it. All are frozen `msgspec.Struct`s: a dataclass whose JSON is typed and checked. What is large
lies in flat buffers (tables.py).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from kugiri.tables import Column, Merges, Tokens


class _Spec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The common form of all parts of a spec."""


class _Tagged(_Spec, frozen=True, tag_field="type", tag=True):
    """A part that is one of several kinds; its JSON carries the kind as "type"."""


class Literally(_Tagged, frozen=True, tag="String"):
    """A pattern that matches itself."""

    text: str


class Regex(_Tagged, frozen=True):
    """A pattern in the regex dialect of its origin (patterns.py expands the classes)."""

    regex: str


Pattern: TypeAlias = Literally | Regex
Behavior: TypeAlias = Literal[
    "removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"
]
PrependScheme: TypeAlias = Literal["always", "first", "never"]
Character: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=1)]


# ── added tokens ──────────────────────────────────────────────────────────────────────────────
class AddedToken(_Spec, frozen=True):
    """A string matched in the text before anything else; `special` ones only when allowed."""

    id: int
    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False
    special: bool = True


# ── normalizers: text → text ──────────────────────────────────────────────────────────────────
class NFC(_Tagged, frozen=True): ...  # noqa: D101


class NFD(_Tagged, frozen=True): ...  # noqa: D101


class NFKC(_Tagged, frozen=True): ...  # noqa: D101


class NFKD(_Tagged, frozen=True): ...  # noqa: D101


class Lowercase(_Tagged, frozen=True): ...  # noqa: D101


class StripAccents(_Tagged, frozen=True): ...  # noqa: D101


class Nmt(_Tagged, frozen=True): ...  # noqa: D101


class ByteLevelNormalizer(_Tagged, frozen=True, tag="ByteLevel"): ...  # noqa: D101


class BertNormalizer(_Tagged, frozen=True):
    """Clean, space out CJK, strip accents, lower-case; `strip_accents` None means as lowercase."""

    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True


class Strip(_Tagged, frozen=True):
    """Remove white space at the ends."""

    strip_left: bool = True
    strip_right: bool = True


class Prepend(_Tagged, frozen=True):
    """Put a string before a text that is not empty."""

    prepend: str


class Replace(_Tagged, frozen=True):
    """Replace each match."""

    pattern: Pattern
    content: str


class Precompiled(_Tagged, frozen=True):
    """SentencePiece's charsmap as tokenizer.json carries it, looked up by grapheme cluster."""

    charsmap: bytes


class SentencePieceNormalizer(_Tagged, frozen=True, tag="SentencePiece"):
    """normalizer_spec (or denormalizer_spec) of a .model file, every field."""

    name: str = ""
    charsmap: bytes = b""
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True
    treat_whitespace_as_suffix: bool = False
    rule_tsv: str = ""
    unknown_fields: bytes = b""


class Normalizers(_Tagged, frozen=True, tag="Sequence"):
    """Several, one after another."""

    normalizers: tuple[Normalizer, ...] = ()


Normalizer: TypeAlias = (
    NFC | NFD | NFKC | NFKD | Lowercase | StripAccents | Nmt | ByteLevelNormalizer
    | BertNormalizer | Strip | Prepend | Replace | Precompiled | SentencePieceNormalizer
    | Normalizers
)  # fmt: skip


# ── pre-tokenizers: text → pre-tokens ─────────────────────────────────────────────────────────
class BertPreTokenizer(_Tagged, frozen=True): ...  # noqa: D101


class Whitespace(_Tagged, frozen=True): ...  # noqa: D101


class WhitespaceSplit(_Tagged, frozen=True): ...  # noqa: D101


class UnicodeScripts(_Tagged, frozen=True): ...  # noqa: D101


class ByteLevel(_Tagged, frozen=True):
    """Show each byte as one character; with `use_regex` first split by GPT-2's pattern."""

    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True


class Metaspace(_Tagged, frozen=True):
    """Show a space as `replacement` and keep it at the head of what follows."""

    replacement: Character = "▁"
    prepend_scheme: PrependScheme = "always"
    split: bool = True


class Split(_Tagged, frozen=True):
    """Cut by a pattern: its matches (or with `invert` what lies between) behave as said."""

    pattern: Pattern
    behavior: Behavior = "isolated"
    invert: bool = False


class Punctuation(_Tagged, frozen=True):
    """Cut at punctuation."""

    behavior: Behavior = "isolated"


class Digits(_Tagged, frozen=True):
    """Cut numbers out, each digit on its own or runs whole."""

    individual_digits: bool = False


class CharDelimiterSplit(_Tagged, frozen=True):
    """Cut at one character and drop it."""

    delimiter: Character


class FixedLength(_Tagged, frozen=True):
    """Cut every `length` characters."""

    length: Annotated[int, msgspec.Meta(ge=1)] = 5


class Package(_Spec, frozen=True):
    """A package that ids depend on."""

    package: str
    version: str


class Dictionary(_Tagged, frozen=True):
    """Cut at the words of a dictionary of Japanese (dictionaries.py); nothing is dropped."""

    name: Literal["sudachi-a", "sudachi-b", "sudachi-c", "mecab-ipadic", "mecab-unidic-lite"]
    library: Package
    dictionary: Package


class PreTokenizers(_Tagged, frozen=True, tag="Sequence"):
    """Several, each cutting the pieces of the one before."""

    pre_tokenizers: tuple[PreTokenizer, ...] = ()


PreTokenizer: TypeAlias = (
    ByteLevel | BertPreTokenizer | Whitespace | WhitespaceSplit | UnicodeScripts | Metaspace
    | Split | Punctuation | Digits | CharDelimiterSplit | FixedLength | Dictionary | PreTokenizers
)  # fmt: skip


def dictionaries_of(component: PreTokenizer | None) -> list[Dictionary]:
    """The dictionaries that pre-tokenizing cuts by."""
    if isinstance(component, PreTokenizers):
        return [found for step in component.pre_tokenizers for found in dictionaries_of(step)]
    return [component] if isinstance(component, Dictionary) else []


def is_byte_level(component: PreTokenizer | None) -> bool:
    """Whether pre-tokenizing ends in ByteLevel: the vocabulary is in its visible characters."""
    if isinstance(component, PreTokenizers):
        return bool(component.pre_tokenizers) and is_byte_level(component.pre_tokenizers[-1])
    return isinstance(component, ByteLevel)


# ── models: pre-token → tokens ────────────────────────────────────────────────────────────────
class _Model(_Tagged, frozen=True):
    """What all models have: token strings in order of id.

    `ids` is None when token i has id i, else uint32, one for each token, ascending.
    """

    vocab: Tokens
    ids: Column | None = None


class PieceType(IntEnum):
    """What a piece of a .model is for; the numbers are those of the file.

    Text becomes NORMAL pieces, and USER_DEFINED ones, which no other piece may cut. UNUSED ones
    only help BPE to merge and never come out. CONTROL, UNKNOWN and BYTE never match text.
    """

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


class BPE(_Model, frozen=True):
    """Byte-pair encoding.

    `unit` says what text is cut into first: UTF-8 bytes, or characters. `order` says which pair
    goes first: "list" = the row in `merges`; "rank" = any pair whose join is a token, lowest id
    first (.tiktoken); "score" = the same by highest score (.model, where unknown characters in a
    row are always one token). `end_of_word` is a symbol of its own after each word;
    `end_of_word_suffix` is HF's, glued to the last character.
    """

    unit: Literal["byte", "char"] = "byte"
    order: Literal["list", "rank", "score"] = "list"
    merges: Merges | None = None
    scores: Column | None = None
    piece_types: Column | None = None
    end_of_word: str = ""
    unk_token: str | None = None
    continuing_subword_prefix: str | None = None
    end_of_word_suffix: str | None = None
    fuse_unk: bool = False
    byte_fallback: bool = False
    ignore_merges: bool = False
    dropout: float | None = None


class WordPiece(_Model, frozen=True):
    """Greedy longest match; later parts of a word carry the prefix."""

    unk_token: str = "[UNK]"
    continuing_subword_prefix: str = "##"
    max_input_chars_per_word: int = 100


class Unigram(_Model, frozen=True, kw_only=True):
    """The path of highest summed score (log probability).

    The type of `scores` says how sums are rounded: float32 as in SentencePiece, float64 as in
    tokenizers. Ties between paths depend on it.
    """

    scores: Column
    piece_types: Column | None = None
    unk_id: int | None = None
    byte_fallback: bool = False


class WordLevel(_Model, frozen=True):
    """A pre-token is a token or unknown; with piece types, each ▁ begins a word of its own."""

    unk_token: str | None = "<unk>"
    scores: Column | None = None
    piece_types: Column | None = None


class CharLevel(_Model, frozen=True):
    """A character is a token or unknown; with piece types, so is a user-defined piece."""

    unk_token: str | None = "<unk>"
    scores: Column | None = None
    piece_types: Column | None = None


Model: TypeAlias = BPE | WordPiece | Unigram | WordLevel | CharLevel


# ── post-processors: ids → ids with template ──────────────────────────────────────────────────
class BertProcessing(_Tagged, frozen=True):
    """[CLS] A [SEP] B [SEP]."""

    sep: tuple[str, int]
    cls: tuple[str, int]


class RobertaProcessing(_Tagged, frozen=True):
    """<s> A </s></s> B </s>, and spans trimmed."""

    sep: tuple[str, int]
    cls: tuple[str, int]
    trim_offsets: bool = True
    add_prefix_space: bool = True


class ByteLevelProcessing(_Tagged, frozen=True, tag="ByteLevel"):
    """Trim white space from spans."""

    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True


class SequencePiece(_Tagged, frozen=True, tag="Sequence"):
    """Where the text goes in a template: A, or in a pair B."""

    id: Literal["A", "B"]
    type_id: int = 0


class SpecialPiece(_Tagged, frozen=True, tag="SpecialToken"):
    """A special token in a template."""

    id: str
    type_id: int = 0


class TemplateToken(_Spec, frozen=True):
    """The ids and strings that a name in a template stands for."""

    id: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...]


TemplatePiece: TypeAlias = SequencePiece | SpecialPiece


class TemplateProcessing(_Tagged, frozen=True):
    """Special tokens around one text or a pair."""

    single: tuple[TemplatePiece, ...] = ()
    pair: tuple[TemplatePiece, ...] = ()
    special_tokens: dict[str, TemplateToken] = {}


class PostProcessors(_Tagged, frozen=True, tag="Sequence"):
    """Several, one after another."""

    processors: tuple[PostProcessor, ...] = ()


PostProcessor: TypeAlias = (
    BertProcessing | RobertaProcessing | ByteLevelProcessing | TemplateProcessing | PostProcessors
)


# ── decoders: tokens → text ───────────────────────────────────────────────────────────────────
class ByteFallback(_Tagged, frozen=True): ...  # noqa: D101


class Fuse(_Tagged, frozen=True): ...  # noqa: D101


class ByteLevelDecoder(_Tagged, frozen=True, tag="ByteLevel"):
    """Back from visible characters to bytes."""

    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True


class MetaspaceDecoder(_Tagged, frozen=True, tag="Metaspace"):
    """Back from `replacement` to a space."""

    replacement: str = "▁"
    prepend_scheme: PrependScheme = "always"
    split: bool = True


class WordPieceDecoder(_Tagged, frozen=True, tag="WordPiece"):
    """Join parts, a space between words."""

    prefix: str = "##"
    cleanup: bool = True


class BPEDecoder(_Tagged, frozen=True):
    """The end-of-word mark becomes a space, and nothing at the end."""

    suffix: str = "</w>"


class CTC(_Tagged, frozen=True):
    """Collapse repeats, drop blanks."""

    pad_token: str = "<pad>"
    word_delimiter_token: str = "|"
    cleanup: bool = True


class StripDecoder(_Tagged, frozen=True, tag="Strip"):
    """Take up to `start` and `stop` of one character from the ends of each token."""

    content: str
    start: int = 0
    stop: int = 0


class SentencePieceDecoder(_Tagged, frozen=True, tag="SentencePiece"):
    """▁ to spaces, bytes to text, then the denormalizer of the .model."""

    unk_surface: str = " \u2047 "
    denormalizer: SentencePieceNormalizer | None = None


class Decoders(_Tagged, frozen=True, tag="Sequence"):
    """Several, one after another."""

    decoders: tuple[Decoder, ...] = ()


Decoder: TypeAlias = (
    ByteLevelDecoder | ByteFallback | Fuse | MetaspaceDecoder | WordPieceDecoder | BPEDecoder
    | CTC | StripDecoder | Replace | SentencePieceDecoder | Decoders
)  # fmt: skip


# ── the rest of the files of others ───────────────────────────────────────────────────────────
class Truncation(_Spec, frozen=True):
    """How rows of tokens are cut: what a file says, or a caller of `Tokenizer.model_inputs`."""

    max_length: int
    direction: Literal["left", "right"] = "right"
    strategy: Literal["longest_first", "only_first", "only_second"] = "longest_first"
    stride: int = 0


class Padding(_Spec, frozen=True):
    """How rows of tokens are filled up, likewise; `length` None is the longest of a batch.

    Of `pad_id` and `pad_token`, one is enough for a call: each is looked up by the other. A spec
    has both.
    """

    length: int | None = None
    direction: Literal["left", "right"] = "right"
    pad_to_multiple_of: int | None = None
    pad_id: int | None = None
    pad_type_id: int = 0
    pad_token: str | None = None


class SentencePieceTrainer(_Spec, frozen=True):
    """trainer_spec of a .model: the fields that were set, by name; unknown ones as bytes."""

    fields: dict[str, bool | int | float | str | tuple[str, ...]] = {}
    unknown_fields: bytes = b""

    def mark(self, role: Literal["bos", "eos"]) -> str:
        """The piece for begin or end; whether there is one is another matter."""
        return str(self.fields.get(f"{role}_piece") or {"bos": "<s>", "eos": "</s>"}[role])


class ChatTemplates(_Spec, frozen=True):
    """How a chat becomes text: Jinja templates, the usual one as "default".

    `tokens` are the special tokens that they may name, by role, as in `bos_token` → `<s>`;
    `special` are those that the settings list without a role.
    """

    templates: dict[str, str] = {}
    tokens: dict[str, str] = {}
    special: tuple[str, ...] = ()


class TokenizerSpec(_Spec, frozen=True):
    """A whole tokenizer.

    `unicode_version` "16.0" normalizes by the tables of the original library, whatever their age,
    "17.0" by the newest ones. `unknown_fields` is what the format of its origin keeps for itself.
    """

    model: Model
    added_tokens: tuple[AddedToken, ...] = ()
    normalizer: Normalizer | None = None
    pre_tokenizer: PreTokenizer | None = None
    post_processor: PostProcessor | None = None
    decoder: Decoder | None = None
    truncation: Truncation | None = None
    padding: Padding | None = None
    unicode_version: Literal["16.0", "17.0"] = "16.0"
    origin: Literal["kugiri", "tokenizer.json", "tiktoken", "sentencepiece"] = "kugiri"
    trainer: SentencePieceTrainer | None = None
    self_test: tuple[tuple[str, str], ...] = ()
    unknown_fields: bytes = b""
    training: dict[str, Any] = {}
    chat: ChatTemplates | None = None


def respelled(spec: TokenizerSpec, respell: Callable[[str], str]) -> TokenizerSpec:
    """The same tokenizer with every regex spelled anew."""

    def new(part: Any) -> Any:
        if isinstance(part, Regex):
            return Regex(respell(part.regex))
        if isinstance(part, tuple):
            return tuple(map(new, part))
        if isinstance(part, msgspec.Struct):
            fields = {name: new(getattr(part, name)) for name in part.__struct_fields__}
            return msgspec.structs.replace(part, **fields)
        return part

    parts = {name: new(getattr(spec, name)) for name in ("normalizer", "pre_tokenizer", "decoder")}
    return msgspec.structs.replace(spec, **parts)
