"""Tokenizer: what users hold. It keeps a spec, and an engine that is built when first needed.

Its calls come from tokenizing/: encodes.py (text → ids), decodes.py (ids → text), canonical_ids.py
(which ids text becomes), ways.py (other ways to cut a text); engine.py has what they work with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from kugiri import _core
from kugiri.errors import EncodingError, OptionError, described
from kugiri.formats import native, write_file
from kugiri.formats.spec_check import check_spec
from kugiri.inputs import as_span, as_text, as_whole
from kugiri.lazy import lazy_module, lazy_property
from kugiri.spec import BPE, TokenizerSpec
from kugiri.tokenizing.canonical_ids import CanonicalIds
from kugiri.tokenizing.encode_options import EncodeOptions, only_finds
from kugiri.tokenizing.ways import Ways

if TYPE_CHECKING:
    import copy
    import hashlib

    from typing_extensions import Unpack

    from kugiri import chat
    from kugiri.chat.encoding import ChatEncoding
    from kugiri.encoding import Chunk, Span
    from kugiri.explain.lineage import Step
    from kugiri.explain.seed import Seed
    from kugiri.explain.structure import Explanation
    from kugiri.explain.why import Reason
    from kugiri.reference import vocab as vocabularies
    from kugiri.reference.pipeline import ReferenceTokenizer
    from kugiri.tokenizing import limits
    from kugiri.tokenizing import merges as merging
    from kugiri.tokenizing import spans as places
    from kugiri.tokenizing.merges import MergeList
else:
    chat = lazy_module("kugiri.chat")
    copy = lazy_module("copy")
    hashlib = lazy_module("hashlib")
    limits = lazy_module("kugiri.tokenizing.limits")
    merging = lazy_module("kugiri.tokenizing.merges")
    places = lazy_module("kugiri.tokenizing.spans")
    vocabularies = lazy_module("kugiri.reference.vocab")


class Tokenizer(CanonicalIds, Ways):
    """A tokenizer: immutable, hashable, picklable, safe to share between threads and after a fork.

    Made by `kugiri.load` and `kugiri.train`.

    Attributes:
        spec: the complete description.
        seconds: how long training took, 0.0 where it was loaded.
        round_seconds: how long each round of it took, where it has rounds; files do not keep it.
    """

    seconds: float
    round_seconds: tuple[float, ...]

    def __init__(
        self, spec: TokenizerSpec, seconds: float = 0.0, round_seconds: tuple[float, ...] = ()
    ) -> None:
        """Check a spec and take it; the engine is built when it is first needed.

        Raises:
            OptionError: it is no spec.
            FormatError: a field of it has a value that it may not have.
        """
        if not isinstance(spec, TokenizerSpec):
            raise OptionError(
                f"a Tokenizer is made from a TokenizerSpec, {described(spec)} came; kugiri.load "
                f"reads one from a file, kugiri.train makes one"
            )
        check_spec(spec)
        self.__dict__.update(spec=spec, seconds=seconds, round_seconds=round_seconds)

    @classmethod
    def of_core(cls, core: _core.Core, read_spec: Callable[[], TokenizerSpec]) -> Tokenizer:
        """The tokenizer of an engine that is built, and of a spec that is read when asked for."""
        tokenizer = cls.__new__(cls)
        kept = {"_core": core, "_read_spec": read_spec, "seconds": 0.0, "round_seconds": ()}
        tokenizer.__dict__.update(kept)
        return tokenizer

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a tokenizer never changes.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(f"a Tokenizer never changes, {name!r} cannot be set; make a new one")

    def __delattr__(self, name: str) -> None:
        """Refuse: a tokenizer never changes.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(f"a Tokenizer never changes, {name!r} cannot be deleted")

    def encode_chat(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        continue_final_message: bool | str = False,
        template: str | None = None,
        **variables: Any,
    ) -> ChatEncoding:
        """Return the tokens of a chat, written as its template says (needs kugiri[chat]).

        Control tokens are where the template has them. Text of a message that looks like one is
        text. The template puts the begin of text, if it has one; no other is added.

        Args:
            messages: in the form that the template knows, as `{"role": "user", "content": "…"}`.
            tools: what the model may call, as JSON schemas.
            add_generation_prompt: end with the head of the answer, if the template asks for this.
            continue_final_message: end inside the last message, which the model goes on with; a
                name is that of the field to go on with, as `reasoning_content`.
            template: the name of one of the tokenizer's templates, or a Jinja template; None is the
                usual one.
            **variables: further ones that the template reads, as `enable_thinking=False`.

        Raises:
            EncodingError: the template refuses the messages, goes wrong or takes too long; or the
                text cannot be encoded.
            OptionError: there is no template, or no such variable; a message is none; or the
                package jinja2 is not installed.
        """
        return chat.encode(
            self,
            messages,
            tools,
            add_generation_prompt,
            template,
            variables,
            continue_final_message,
        )

    def tokens(
        self,
        text: str,
        **options: Unpack[EncodeOptions],
    ) -> list[str]:
        """Return the tokens of a text as strings: those of the original library's vocabulary.

        A byte-level token that is not whole characters is shown as `<e5 b0>`; an unknown character
        by itself, whether or not it has an id; an unknown word of WordPiece, or of a vocabulary of
        words, as the unknown token.
        """
        try:
            encoding = self.encode_with_offsets(text, **options)
        except EncodingError:  # perhaps a character without an id; it can be shown all the same
            if self._strings.all_text_is_known or not only_finds(options):
                raise
            allowed = options.get("allowed_special") or frozenset()
            tokens = self._reference.tokens(as_text(text), allowed)
            return [vocabularies.show(token.text) for token in tokens]
        return encoding.tokens

    # ── the vocabulary ────────────────────────────────────────────────────────────────────────
    @property
    def vocab_size(self) -> int:
        """The highest id + 1."""
        return self._strings.size

    @property
    def special_tokens(self) -> dict[str, int]:
        """Special tokens with their ids."""
        return dict(self._strings.special)

    @property
    def vocab(self) -> Mapping[str, int]:
        """Every token, as `tokens` shows it, with its id; added tokens included."""
        return self._strings.ids

    def token_bytes(self, id: int) -> bytes:
        """Return the bytes that an id stands for in text.

        Raises:
            VocabularyError: the id is not in the vocabulary.
        """
        return self.decode_bytes([id])

    def token_id(self, token: str | bytes) -> int:
        """Return the id of a token, given as `tokens` shows it or as bytes.

        Raises:
            VocabularyError: there is no such token.
        """
        return self._strings.id(token)

    @property
    def unknown_id(self) -> int | None:
        """The id that stands for what is not in the vocabulary; None where there is none."""
        return self._strings.unknown_id

    @property
    def merges(self) -> MergeList:
        """The merges of a BPE model, in order of rank; empty for other models."""
        model = self.spec.model
        return merging.MergeList(model if isinstance(model, BPE) else None)

    def explain(
        self, text: str, *, nbest: int = 12, **options: Unpack[EncodeOptions]
    ) -> Explanation:
        """Return what becomes of a text, stage by stage, with every step of the model.

        Args:
            text: a sentence rather than a book: a word of more than 500 units has no steps.
            nbest: how many ways to cut the text (Unigram).
            **options: as for `encode`.

        Raises:
            EncodingError: the text has a lone surrogate, or a character that has no id.
            OptionError: as for `encode`, or `nbest` is less than 1.
        """
        from kugiri.explain.steps import explain

        self._asked(options)
        return explain(self, self._reference, as_text(text), as_whole("nbest", nbest, 1), options)

    def why(self, text: str, piece: str | Span, **options: Unpack[EncodeOptions]) -> Reason:
        """Return why a piece of a text is not one token: every cause.

        Args:
            text: the text.
            piece: the piece, wherever it stands; or where it stands, as `(3, 5)`.
            **options: as for `encode`.

        Raises:
            EncodingError: the text has a lone surrogate, or a character that has no id.
            OptionError: the piece does not stand in the text.
        """
        from kugiri.explain.why import why

        self._asked(options)
        text = as_text(text)
        asked_for = as_span(piece, text) if isinstance(piece, tuple) else as_text(piece)
        return why(self, self._reference, text, asked_for, options)

    def lineage(self, token: str | bytes) -> list[Step] | Seed:
        """Return the merges that made a token, in order of rank; none for one of the alphabet.

        Of Unigram, which makes no tokens, return the seed that it was.

        Raises:
            VocabularyError: there is no such token, or it was given, or the model does not tell.
        """
        from kugiri.explain.lineage import lineage

        return lineage(self, token)

    @property
    def training(self) -> dict[str, Any]:
        """The record of the training run: options, corpus digest, warnings, seconds, version."""
        record = copy.deepcopy(self.spec.training)
        for its, seconds in zip(record.get("rounds", ()), self.round_seconds, strict=False):
            its["seconds"] = seconds
        return {**record, "seconds": self.seconds} if record else {}

    # ── single stages, limits, files ──────────────────────────────────────────────────────────

    def pre_tokenize(self, text: str) -> list[tuple[str, Span]]:
        """Return the pre-tokens of a text with their spans; no token crosses their boundaries.

        They are shown as tokenizers does: what the model is given, bytes in visible characters.
        """
        words, named = self._core.pre_tokenize(text)
        return list(zip(words, places.covering_spans(text, named.reshape(-1, 2)), strict=True))

    def truncate(self, text: str, max_tokens: int) -> str:
        """Return the beginning of a text that its first tokens cover, at most `max_tokens` of them.

        Never inside a character. Where a beginning alone is cut into more tokens than within the
        whole text, it is shortened until it is not. Of the text no more is looked at than eight
        characters a token, or twice as many while all of them fit; so a word that is longer than
        that may be cut though it is one token.
        """
        return limits.truncate(self._core, text, max_tokens)

    def chunks(self, text: str, max_tokens: int, overlap: int = 0) -> list[Chunk]:
        """Cut a text into parts of at most `max_tokens` tokens, never inside a character.

        Each part begins where the last `overlap` tokens of the one before do.
        """
        return limits.chunks(self._core, text, max_tokens, overlap)

    def save(self, path: str | PathLike[str], format: str | None = None) -> None:
        """Write a tokenizer file; the name says the format unless `format` does.

        Raises:
            FormatError: the format cannot hold this tokenizer.
        """
        write_file(self.spec, path, format)

    # ── what Python asks for ──────────────────────────────────────────────────────────────────
    @lazy_property
    def digest(self) -> str:
        """SHA-256 of the description, as `.kugiri.json` spells it, in hex."""
        return hashlib.sha256(native.write(self.spec)).hexdigest()

    def __eq__(self, other: object) -> bool:
        """Same description."""
        return self.spec == other.spec if isinstance(other, Tokenizer) else NotImplemented

    def __hash__(self) -> int:
        """A hash of the description."""
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle is the native file."""
        return _unpickle, (native.write(self.spec), self.seconds, self.round_seconds)

    def __repr__(self) -> str:
        """Model, size, origin."""
        model = type(self.spec.model).__name__
        return f"Tokenizer({model}, {self.vocab_size:,} tokens, from {self.spec.origin})"

    # ── inside ────────────────────────────────────────────────────────────────────────────────
    @lazy_property
    def _reference(self) -> ReferenceTokenizer:
        from kugiri.reference.pipeline import ReferenceTokenizer

        return ReferenceTokenizer(self.spec)

    @lazy_property
    def _marks(self) -> chat.Marks:
        """The pieces that are control tokens where a chat template has them."""
        return chat.Marks(self)


def _unpickle(file: bytes, seconds: float, round_seconds: tuple[float, ...]) -> Tokenizer:
    return Tokenizer(native.read(file), seconds, round_seconds)
