"""The worked examples of the documents, and reports about the original, on real models."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from kugiri.reference.alignment import Aligned
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.vocab import show
from kugiri.spec import TokenizerSpec, Unigram
from kugiri.tables import Column
from kugiri.tokenizing.stream import PieceStreamDecoder
from tests.sentencepiece_models import pair, texts
from vector_rows import table


# ── the worked examples of the documents ──────────────────────────────────────────────────────
def test_seed_normalization() -> None:
    seed = table("seeds")["normalization"]
    for name, configuration in {"nmt_nfkc": "bpe bytes", "identity": "bpe spaces"}.items():
        ours, theirs = pair(configuration)
        for text, expected in seed[name]:
            ids = [token.id for token in ours.encode(text) if token.id is not None]
            assert ours.decode(ids) == theirs.decode(ids) == expected


def test_seed_byte_fallback() -> None:
    seed = table("seeds")["byte_fallback"]
    ours, _ = pair("bpe bytes")
    assert [show(token.text) for token in ours.encode(seed["text"])][-4:] == seed["pieces"]
    ours, _ = pair("kyoto_ja_unigram_8000")
    text, expected = seed["unknown"]
    assert (
        ours.decode([token.id for token in ours.encode(text) if token.id is not None]) == expected
    )


# ── reports about the original ────────────────────────────────────────────────────────────────
def test_token_by_token_no_space_is_lost() -> None:
    ours, _ = pair("botchan_en_unigram_1000")
    ids = [304, 16, 48, 51, 158, 5, 7, 70, 17, 264, 112, 291, 119, 6]
    assert [token.id for token in ours.encode("Dear sir, the red moon came up.")] == ids
    stream = PieceStreamDecoder(ours.vocabulary.piece, ours.spec)
    steps = ["D", "e", "ar", " s", "ir", ",", " the", " re", "d", " mo", "on", " came", " up", "."]
    assert [stream.feed(id) for id in ids] == steps
    assert stream.finish() == ""


def test_joiners_are_what_the_table_of_the_file_says() -> None:
    nmt_nfkc = {
        "\u0d9a\u0dca\u200d\u0dbb\u0dd2\u0dba": "▁\u0d9a\u0dca\u200d\u0dbb\u0dd2\u0dba",
        "\u0c2e\u0c3e\u0c30\u0c4d\u200c\u0c1a\u0c3f": "▁\u0c2e\u0c3e\u0c30\u0c4d▁\u0c1a\u0c3f",
        "\u0646\u0645\u06cc\u200c\u062f\u0627": "▁\u0646\u0645\u06cc▁\u062f\u0627",
        "a\u200bb\ufeffc": "▁a▁b▁c",
        "\U0001f469\u200d\U0001f527": "▁\U0001f469\u200d\U0001f527",
    }
    ours, _ = pair("botchan_en_bpe_1000")
    older, _ = pair("kyoto_ja_unigram_8000")
    for text, expected in nmt_nfkc.items():
        assert ours.normalize(Aligned.of(text)).text == expected
        assert older.normalize(Aligned.of(text)).text == "▁" + text


def test_sums_of_64_bits_are_those_of_tokenizers() -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is absent")
    spec = pair("kyoto_ja_unigram_8000")[0].spec
    assert isinstance(spec.model, Unigram)
    scores = spec.model.scores.values.astype(np.float64)
    pieces = [piece.decode() for piece in spec.model.vocab]
    model = tokenizers.models.Unigram(list(zip(pieces, scores.tolist(), strict=True)), unk_id=0)
    theirs = tokenizers.Tokenizer(model)
    wide = msgspec.structs.replace(spec.model, scores=Column(scores), piece_types=None)
    ours = ReferenceTokenizer(TokenizerSpec(wide))
    for text in texts("kyoto_ja_unigram_8000", 300):
        text = "▁" + text.replace(" ", "▁")
        assert [token.id for token in ours.encode(text)] == theirs.encode(text).ids, text
