"""The readable engine against sentencepiece: pieces, ids, spans, text, normalized text."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from kugiri.formats import sentencepiece
from kugiri.reference.alignment import Aligned
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.vocab import show
from sentencepiece_models import CONFIGURATIONS, oracle_sentencepiece, texts, trained
from test_reference_pieces import described, normalizer_of
from test_reference_vectors import rows
from tests.oracles import parity_file

SHIPPED = ["botchan_en_bpe_1000", "botchan_en_unigram_1000", "kyoto_ja_unigram_8000"]


@cache
def pair(name: str) -> tuple[ReferenceTokenizer, Any]:
    """Ours and theirs of one model."""
    is_ours = name in CONFIGURATIONS
    data = trained(name) if is_ours else parity_file(f"spm/{name}.model").read_bytes()
    spec = sentencepiece.read(data)
    return ReferenceTokenizer(spec), oracle_sentencepiece().SentencePieceProcessor(model_proto=data)


@pytest.mark.parametrize("row", rows("pieces", "case"))
def test_rows_of_pieces(row: dict[str, Any]) -> None:
    if row.get("float64"):
        pytest.skip("a .model has scores of 32 bits")
    theirs = oracle_sentencepiece().SentencePieceProcessor(
        model_proto=sentencepiece.write(described(row))
    )
    expected = theirs.encode(row["text"], return_type="offset_mapping")
    assert (row["ids"], row["tokens"]) == (expected["ids"], expected["pieces"])
    assert ReferenceTokenizer(described(row)).spans(row["text"]) == expected["offsets"]


@pytest.mark.parametrize("row", rows("normalize", "case"))
def test_rows_of_normalize(row: dict[str, Any]) -> None:
    """Their offsets are the byte where each byte of the normalized text comes from."""
    symbols = [[symbol, 0.0, "USER_DEFINED"] for symbol in row.get("user_defined", [])]
    base = described({"model": "char", "pieces": [["a", 0.0], *symbols]})
    model = msgspec.structs.replace(base, normalizer=normalizer_of(row))
    theirs = oracle_sentencepiece().SentencePieceProcessor(model_proto=sentencepiece.write(model))
    text, offsets = theirs.normalize(row["text"].encode(), with_offsets=True)
    assert text.decode() == row["normalized"]
    ours = [
        start
        for character, (start, _) in zip(row["normalized"], row["spans"], strict=True)
        for _ in character.encode()
    ]
    assert offsets == ([*ours, row["end"]] if row["normalized"] else [])


@pytest.mark.parametrize("name", [*CONFIGURATIONS, *SHIPPED])
def test_same_as_sentencepiece(name: str) -> None:
    ours, theirs = pair(name)
    for text in texts(name, 300):
        tokens = ours.encode(text)
        expected = theirs.encode(text, return_type="offset_mapping")
        ids = [token.id for token in tokens]
        assert ids == expected["ids"], text
        assert [show(token.text) for token in tokens] == expected["pieces"], text
        assert ours.spans(text) == expected["offsets"], text
        assert ours.normalize(Aligned.of(text)).text == theirs.normalize(text), text
        assert ours.decode(ids) == theirs.decode(ids), text
