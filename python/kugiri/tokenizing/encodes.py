"""From text to ids: a part of Tokenizer.

Rule.    Special tokens are found in text only where they are allowed. One text and many, files, and
         rows for models have the same ids; places are asked for by calls of their own.
Cost.    That of the pipeline; many texts are encoded on all threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from kugiri.inputs import as_paths, as_texts, as_threads
from kugiri.lazy import lazy_module
from kugiri.tokenizing.encode_options import EncodeOptions
from kugiri.tokenizing.engine import Engine

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Unpack

    from kugiri import chat
    from kugiri import encoding as results
    from kugiri.encoding import Batch, Encoding, Ids
    from kugiri.reference import vocab as vocabularies
    from kugiri.spec import Padding, Truncation
    from kugiri.tokenizing import encode_files
    from kugiri.tokenizing import make_inputs as making
    from kugiri.tokenizing import spans as places
    from kugiri.tokenizing.model_inputs import ModelInputs
else:
    chat = lazy_module("kugiri.chat")
    encode_files = lazy_module("kugiri.tokenizing.encode_files")
    making = lazy_module("kugiri.tokenizing.make_inputs")
    np = lazy_module("numpy")
    places = lazy_module("kugiri.tokenizing.spans")
    results = lazy_module("kugiri.encoding")
    vocabularies = lazy_module("kugiri.reference.vocab")


class Encodes(Engine):
    """What makes ids of text."""

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
