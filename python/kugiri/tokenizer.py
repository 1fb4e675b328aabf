"""Tokenizer: what users hold. It keeps a spec, and an engine that is built when first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from kugiri import _core
from kugiri.encode_options import Asked, EncodeOptions, asked, only_finds
from kugiri.errors import EncodingError, OptionError, choose, described
from kugiri.formats import native, write_file
from kugiri.formats.rows import vocabulary_rows
from kugiri.formats.spec_check import check_spec
from kugiri.inputs import (
    as_ids,
    as_paths,
    as_text,
    as_texts,
    as_threads,
    as_whole,
)
from kugiri.lazy import lazy_module, lazy_property
from kugiri.patterns import SCANNED
from kugiri.reference.dialect import in_our_dialect
from kugiri.spec import BPE, SentencePieceDecoder, TokenizerSpec, dictionaries_of
from kugiri.ways import Ways

if TYPE_CHECKING:
    import copy
    import hashlib
    import pickle

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Unpack

    from kugiri import canonical, chat, dictionary_batches, encode_files, limits, token_strings
    from kugiri import encoding as results
    from kugiri import make_inputs as making
    from kugiri import merges as merging
    from kugiri import spans as places
    from kugiri import stream as streaming
    from kugiri.chat.encoding import ChatEncoding
    from kugiri.encoding import Batch, Chunk, Encoding, Ids, Span
    from kugiri.explain.lineage import Step
    from kugiri.explain.seed import Seed
    from kugiri.explain.structure import Explanation
    from kugiri.explain.why import Reason
    from kugiri.merges import MergeList
    from kugiri.model_inputs import ModelInputs
    from kugiri.reference import decode as decoding
    from kugiri.reference import vocab as vocabularies
    from kugiri.reference.pipeline import ReferenceTokenizer
    from kugiri.reference.vocab import Piece
    from kugiri.spec import Padding, Truncation
    from kugiri.stream import StreamDecoder
else:
    canonical = lazy_module("kugiri.canonical")
    chat = lazy_module("kugiri.chat")
    copy = lazy_module("copy")
    decoding = lazy_module("kugiri.reference.decode")
    dictionary_batches = lazy_module("kugiri.dictionary_batches")
    encode_files = lazy_module("kugiri.encode_files")
    hashlib = lazy_module("hashlib")
    making = lazy_module("kugiri.make_inputs")
    limits = lazy_module("kugiri.limits")
    merging = lazy_module("kugiri.merges")
    np = lazy_module("numpy")
    pickle = lazy_module("pickle")
    places = lazy_module("kugiri.spans")
    results = lazy_module("kugiri.encoding")
    streaming = lazy_module("kugiri.stream")
    token_strings = lazy_module("kugiri.token_strings")
    vocabularies = lazy_module("kugiri.reference.vocab")


class Tokenizer(Ways):
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

    @lazy_property
    def spec(self) -> TokenizerSpec:
        """The complete description."""
        read: Callable[[], TokenizerSpec] = self.__dict__["_read_spec"]
        return read()

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

    # ── encoding ──────────────────────────────────────────────────────────────────────────────
    def encode(
        self,
        text: str,
        *,
        pair: str | None = None,
        **options: Unpack[EncodeOptions],
    ) -> list[int]:
        """Return the ids of a text.

        Args:
            text: any str without lone surrogates.
            pair: a second text, which goes with the first into one template.
            **options: `add_special_tokens` (False) puts the special tokens of the tokenizer's
                template around it. `allowed_special` (none) are special tokens, or "all", that may
                be found in the text; others that stand in it are text. `add_bos`, `add_eos`
                (False) put the begin or end of a `.model` around it, `reverse` (False) gives its
                tokens in reverse order. All calls that encode take these.

        Raises:
            EncodingError: the text has a lone surrogate, or a character that has no id.
            OptionError: there is no such option, special token, begin or end.

        Example:
            >>> import kugiri
            >>> kugiri.train(["low lower"] * 2, vocab_size=258).encode("low")
            [257]
        """
        return self._core.encode(text, self._asked(options) if options else None, pair)

    def encode_array(
        self,
        text: str,
        **options: Unpack[EncodeOptions],
    ) -> Ids:
        """Return the ids of a text as a uint32 array."""
        return self._core.encode_array(text, self._asked(options))

    def count(
        self,
        text: str,
        **options: Unpack[EncodeOptions],
    ) -> int:
        """Return the number of tokens of a text."""
        return self._core.count(text, self._asked(options) if options else None)

    def encode_batch(
        self,
        texts: Iterable[str],
        *,
        threads: int | None = None,
        **options: Unpack[EncodeOptions],
    ) -> Batch:
        """Return the ids of many texts, worked out on several threads."""
        special = self._asked(options)
        return results.Batch(
            *self._many.encode_batch(as_texts(texts), special, as_threads(threads))
        )

    def encode_files(
        self,
        paths: str | PathLike[str] | Sequence[str | PathLike[str]],
        *,
        threads: int | None = None,
        errors: str = "strict",
        out: str | PathLike[str] | None = None,
        **options: Unpack[EncodeOptions],
    ) -> Batch:
        """Return the ids of files, each one document, whatever its size.

        Args:
            paths: files, folders or globs; .gz and .zst are unpacked.
            threads: how many; None for all of the machine. The ids are the same for any number.
            errors: "strict", or "replace" for U+FFFD in place of bytes that are not UTF-8.
            out: a .npy that the ids are written to as they come, with a .offsets.npy beside it; the
                batch then reads them from there. None keeps them in memory.
            **options: as for `encode`.

        Raises:
            CorpusError: a file cannot be read, or is not UTF-8 and `errors` is "strict".
            EncodingError: a character of a file has no id.
            FormatError: `out` cannot be written.
        """
        reading = encode_files.Reading(
            self._core, self._asked(options), as_threads(threads), errors
        )
        return encode_files.encode_files(as_paths(paths), reading, out)

    def count_batch(
        self,
        texts: Iterable[str],
        *,
        threads: int | None = None,
        **options: Unpack[EncodeOptions],
    ) -> npt.NDArray[np.int64]:
        """Return the number of tokens of each text, int64."""
        special = self._asked(options)
        return self._many.count_batch(as_texts(texts), special, as_threads(threads))

    def encode_with_offsets(
        self,
        text: str,
        *,
        pair: str | None = None,
        **options: Unpack[EncodeOptions],
    ) -> Encoding:
        """Return the tokens of a text or a pair, with the place of each in its text.

        Those of a template stand nowhere, at (0, 0).
        """
        ids, spans, named, reaches, met, types, of_text, words = self._core.encode_spans(
            text, self._asked(options), pair
        )
        tokens = self._strings.shown(ids.tolist(), met)
        texts = [text] if pair is None else [text, pair]
        arrays = (spans.reshape(-1, 2), named.reshape(-1, 2), reaches)
        placed = places.places_in_texts(self.spec, texts, of_text, tokens, arrays)
        return results.Encoding(
            ids=ids,
            tokens=tokens,
            spans=placed.library,
            covering_spans=placed.covering,
            byte_spans=[(start, end) for start, end in spans.reshape(-1, 2).tolist()],
            special=[id in self._strings.special_ids for id in ids.tolist()],
            type_ids=types.tolist(),
            sequence_ids=[None if number < 0 else number for number in of_text.tolist()],
            word_ids=[None if number < 0 else number for number in words.tolist()],
        )

    def model_inputs(
        self,
        texts: Iterable[str],
        pairs: Iterable[str] | None = None,
        *,
        padding: Padding | bool | None = None,
        truncation: Truncation | int | None = None,
        overflow: bool = False,
        threads: int | None = None,
        **options: Unpack[EncodeOptions],
    ) -> ModelInputs:
        """Return texts as a model is given them: rows of ids, with masks beside them.

        Args:
            texts: each is a row.
            pairs: second texts, one for each.
            padding: how rows are filled up; True as the tokenizer's file says. None leaves them.
            truncation: how they are cut; True as the file says, a number is the most tokens of a
                row. None cuts nothing.
            overflow: let what is cut away become further rows.
            threads: how many; None for all of the machine.
            **options: as for `encode`, but that the template is filled unless
                `add_special_tokens=False`.

        Raises:
            EncodingError: as for `encode`, or the text that is to be cut is too short for it.
            OptionError: an option has a wrong value, or the file says nothing of what it is asked.

        Example:
            >>> import kugiri
            >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
            >>> rows = tok.model_inputs(["low", "lowest"], padding=kugiri.Padding(), truncation=3)
            >>> rows.to_lists("input_ids", "attention_mask")
            {'input_ids': [[257, 0, 0], [257, 101, 115]], 'attention_mask': [[1, 0, 0], [1, 1, 1]]}
        """
        source = making.Source(self._core, self._many, self.spec, self._strings)
        how = making.How(padding, truncation, overflow, as_threads(threads))
        asked = self._asked({"add_special_tokens": True, **options})
        return making.model_inputs(source, texts, pairs, asked, how)

    def encode_chat(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
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
            template: the name of one of the tokenizer's templates, or a Jinja template; None is the
                usual one.
            **variables: further ones that the template reads, as `enable_thinking=False`.

        Raises:
            EncodingError: the template refuses the messages, goes wrong or takes too long; or the
                text cannot be encoded.
            OptionError: there is no template, or no such variable; a message is none; or the
                package jinja2 is not installed.
        """
        return chat.encode(self, messages, tools, add_generation_prompt, template, variables)

    def tokens(
        self,
        text: str,
        **options: Unpack[EncodeOptions],
    ) -> list[str]:
        """Return the tokens of a text as strings: those of the original library's vocabulary.

        A byte-level token that is not whole characters is shown as `<e5 b0>`; an unknown character
        by itself, whether or not it has an id.
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

    # ── decoding ──────────────────────────────────────────────────────────────────────────────
    def decode(
        self,
        ids: Iterable[int] | Ids,
        *,
        errors: str = "replace",
        skip_special_tokens: bool = False,
    ) -> str:
        """Return the text of ids.

        Args:
            ids: a list or array of ids.
            errors: what to do with bytes that are not UTF-8: "replace", "strict" or "ignore".
            skip_special_tokens: leave special tokens out.

        Raises:
            VocabularyError: an id is not in the vocabulary.
            EncodingError: the bytes are not UTF-8 and `errors` is "strict".
        """
        replace = choose("errors", errors, decoding.UTF8_ERRORS) == "replace"
        if not replace and isinstance(self.spec.decoder, SentencePieceDecoder):
            return self._decode_pieces(as_ids(ids).tolist(), errors, skip_special_tokens)
        data = self._core.decode_bytes(ids, bool(skip_special_tokens), replace)
        return decoding.to_text(data, errors, self.spec.decoder)

    def _decode_pieces(self, ids: list[int], errors: str, skip_special_tokens: bool) -> str:
        """The same piece by piece: the core replaces broken bytes before the last ones itself."""
        stream = self.decoder(errors=errors)
        left_out = self._strings.special_ids if skip_special_tokens else frozenset()
        steps = [stream.feed(id) for id in ids if id not in left_out]
        return "".join(steps) + stream.finish()

    def decode_bytes(self, ids: Iterable[int] | Ids, *, skip_special_tokens: bool = False) -> bytes:
        """Return the bytes of ids."""
        return self._core.decode_bytes(ids, bool(skip_special_tokens), False)

    def decode_batch(
        self,
        batch: Batch | Iterable[Iterable[int]],
        *,
        errors: str = "replace",
        skip_special_tokens: bool = False,
        threads: int | None = None,
    ) -> list[str]:
        """Return the text of each row of ids."""
        if not isinstance(batch, results.Batch):
            batch = results.Batch.from_lists(batch)
        skip, replace = bool(skip_special_tokens), choose("errors", errors, decoding.UTF8_ERRORS)
        if replace != "replace" and isinstance(self.spec.decoder, SentencePieceDecoder):
            texts: list[str] = []
            try:
                for row in batch.to_lists():
                    texts.append(self._decode_pieces(row, errors, skip))
            except EncodingError as error:
                raise EncodingError(f"row {len(texts)}: {error}") from error
            return texts
        decoded = self._core.decode_batch_bytes(
            batch.ids, batch.offsets, skip, replace == "replace", as_threads(threads)
        )
        return decoding.to_texts(decoded, errors, self.spec.decoder)

    def decoder(self, *, errors: str = "replace", stop: Iterable[str] = ()) -> StreamDecoder:
        """Return a decoder that takes ids one by one.

        Args:
            errors: as for `decode`.
            stop: strings that end the text. The one that is whole first counts, wherever tokens
                begin and end; the decoder's `stopped` names it.

        Raises:
            OptionError: `errors` has another value, or a stop is empty or no str.

        Example:
            >>> import kugiri
            >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
            >>> stream = tok.decoder(stop=["er"])
            >>> [stream.feed(id) for id in tok.encode("low lower")], stream.stopped
            (['low', ' ', 'low', '', ''], 'er')
        """
        stream: StreamDecoder
        if isinstance(self.spec.decoder, SentencePieceDecoder):
            stream = streaming.PieceStreamDecoder(self._vocabulary.piece, self.spec, errors)
        else:
            steps = decoding.decoding_steps(in_our_dialect(self.spec), errors)
            stream = streaming.StreamDecoder(self._piece, steps, errors)
        return streaming.StoppingDecoder(stream, stop) if stop != () else stream

    def _piece(self, id: int) -> Piece:
        self._core.decode_bytes(as_ids([id]), False, False)  # which refuses an unknown id
        return self._strings.piece(id)

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

    def why(self, text: str, piece: str, **options: Unpack[EncodeOptions]) -> Reason:
        """Return why a piece of a text is not one token, wherever it stands: every cause.

        Raises:
            EncodingError: the text has a lone surrogate, or a character that has no id.
            OptionError: the piece does not stand in the text.
        """
        from kugiri.explain.why import why

        self._asked(options)
        return why(self, self._reference, as_text(text), as_text(piece), options)

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

    # ── canonical ids ─────────────────────────────────────────────────────────────────────────
    def is_canonical(self, ids: Iterable[int] | Ids, **options: Unpack[EncodeOptions]) -> bool:
        """Return whether ids are what `encode` gives for their text; never if that is not UTF-8.

        Raises:
            VocabularyError: an id is not in the vocabulary.

        Example:
            >>> import kugiri
            >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
            >>> tok.is_canonical(tok.encode("low")), tok.is_canonical(list(b"low"))
            (True, False)
        """
        ids = as_ids(ids)
        try:
            text = self.decode(ids, errors="strict")
            return bool(np.array_equal(self.encode_array(text, **options), ids))
        except EncodingError:
            return False

    def tokens_with_prefix(self, prefix: bytes) -> Ids:
        """Return the ids of the tokens that begin with these bytes, in the order of their bytes.

        Special tokens are left out, since no text becomes one.

        Raises:
            OptionError: the tokenizer is no byte-level BPE, or `prefix` is no bytes.
        """
        return self._text_tokens.with_prefix(prefix)

    def heal(self, ids: Iterable[int] | Ids) -> canonical.Healed:
        """Return ids without the longest end whose bytes begin a longer token, and these bytes.

        Special tokens are never cut.

        Raises:
            OptionError: the tokenizer is no byte-level BPE.

        Example:
            >>> import kugiri
            >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
            >>> tok.heal(list(b"a lo"))
            Healed(ids=[97, 32], prefix=b'lo')
            >>> tok.tokens_with_prefix(b"lo").tolist()
            [256, 257]
        """
        return self._text_tokens.heal(as_ids(ids))

    def next_tokens(self, ids: Iterable[int] | Ids) -> Ids:
        """Return the ids that can come next, ascending: with each of them, ids are still canonical.

        Ids that end inside a character can come next if some character goes on so. None can, if the
        ids are not canonical. Only what comes behind the last special token counts.

        Raises:
            OptionError: the tokenizer is no byte-level BPE.
            VocabularyError: an id is not in the vocabulary.

        Example:
            >>> import kugiri
            >>> tok = kugiri.train(["low lower"] * 2, vocab_size=258)
            >>> ord("w") in tok.next_tokens(tok.encode("lo"))  # it would be low
            False
        """
        return self._text_tokens.after(as_ids(ids))

    def neighbours(self, id: int) -> Ids:
        """Return the ids that merging can leave behind one inside a pre-token, ascending.

        None, if merging never gives this one.

        Raises:
            OptionError: the tokenizer is no byte-level BPE.
            VocabularyError: the id is not in the vocabulary.
        """
        self.decode_bytes([id])  # which refuses an unknown id
        return self._text_tokens.neighbours(id)

    # ── single stages, limits, files ──────────────────────────────────────────────────────────
    def normalize(self, text: str) -> str:
        """Return what the normalizer makes of a text."""
        return self._core.normalize(text)

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
    def _strings(self) -> token_strings.TokenStrings:
        return token_strings.TokenStrings(self.spec, self.normalize)

    @lazy_property
    def _text_tokens(self) -> canonical.TextTokens:
        return canonical.TextTokens(self.spec, self._core, self._strings.special_ids)

    @lazy_property
    def _vocabulary(self) -> vocabularies.Vocabulary:
        return vocabularies.Vocabulary(self.spec.model, self.spec.added_tokens)

    @lazy_property
    def _reference(self) -> ReferenceTokenizer:
        from kugiri.reference.pipeline import ReferenceTokenizer

        return ReferenceTokenizer(self.spec)

    @lazy_property
    def _marks(self) -> chat.Marks:
        """The pieces that are control tokens where a chat template has them."""
        return chat.Marks(self)

    @lazy_property
    def _core(self) -> _core.Core:
        native.check_tables(self.spec.model)
        return _core.Core(*core_input(self.spec))

    @lazy_property
    def _many(self) -> dictionary_batches.Many:
        """What encodes many texts."""
        if not dictionaries_of(self.spec.pre_tokenizer):
            return self._core
        return dictionary_batches.Batches(self._core, lambda: pickle.dumps(self))

    def _asked(self, options: EncodeOptions) -> Asked:
        """What the core is told of the options of a call."""
        return asked(options, self.spec, self._strings.special) if options else None


def _unpickle(file: bytes, seconds: float, round_seconds: tuple[float, ...]) -> Tokenizer:
    return Tokenizer(native.read(file), seconds, round_seconds)


CoreInput: TypeAlias = tuple[bytes, _core.Vocabulary, dict[str, tuple[str, bytes] | None]]


def core_input(spec: TokenizerSpec) -> CoreInput:
    """What the core builds an engine from: the spec as JSON, the vocabulary, the other tables."""
    model = spec.model
    config = {"spec": in_our_dialect(spec), "scanned": SCANNED}
    columns: dict[str, tuple[str, bytes] | None] = {
        name: None if (column := getattr(model, name, None)) is None else column.content
        for name in ("ids", "scores", "piece_types")
    }
    if (merges := getattr(model, "merges", None)) is not None:
        columns |= {name: merges.stored[name].content for name in ("left", "right", "result")}
    json = msgspec.json.encode(config, enc_hook=lambda table: None)
    return json, vocabulary_rows(model), columns
