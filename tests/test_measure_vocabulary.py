"""What the ids of a vocabulary stand for: marks of words are no text, in whatever form it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

import kugiri
from kugiri import Tokenizer
from kugiri.explain.vocabulary import longest, pieces
from kugiri.measure.example import observed
from kugiri.measure.metrics import BY_NAME
from kugiri.measure.vocabulary import Vocabulary
from measured import OURS, wordpiece
from tests.model_files import SMALL

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never", "split": True}


def bpe_file(
    tokens: list[str],
    merges: list[str],
    *,
    pre_tokenizer: dict[str, Any] | None,
    decoder: dict[str, Any] | None = None,
    **model: Any,
) -> Tokenizer:
    """A tokenizer.json of BPE."""
    vocab = {token: id for id, token in enumerate(tokens)}
    parts = {"pre_tokenizer": pre_tokenizer, "decoder": decoder, "added_tokens": []}
    file = {**parts, "model": {"type": "BPE", "vocab": vocab, "merges": merges, **model}}
    return kugiri.load(json.dumps(file).encode())


def clip() -> Tokenizer:
    """The form of CLIP: visible characters of bytes, and a suffix at the end of words."""
    return bpe_file(
        ["l", "o", "w", "w</w>", "lo", "low</w>", "ç", "Į", "«</w>", "Į«</w>", "çĮ«</w>", "o</w>"],
        ["l o", "lo w</w>", "Į «</w>", "ç Į«</w>"],
        pre_tokenizer={
            "type": "Sequence",
            "pretokenizers": [{"type": "WhitespaceSplit"}, BYTE_LEVEL],
        },
        decoder=BYTE_LEVEL,
        end_of_word_suffix="</w>",
    )


def texts(tokenizer: Tokenizer) -> dict[str, bytes]:
    """What each token stands for, by its name in the file."""
    table = Vocabulary(tokenizer)
    return {token: table.texts[id] for token, id in tokenizer.vocab.items()}


# ── marks ─────────────────────────────────────────────────────────────────────────────────────
def test_the_end_of_a_word_is_no_text_of_a_byte_level_file() -> None:
    found = texts(clip())
    assert found["low</w>"] == b"low"
    assert found["çĮ«</w>"] == "猫".encode()
    assert found["Į«</w>"] == "猫".encode()[1:]
    assert found["w"] == b"w"


def test_a_name_shows_a_part_of_a_character_beside_its_mark() -> None:
    tokenizer = clip()
    table = Vocabulary(tokenizer)
    names = {token: table.name(id) for token, id in tokenizer.vocab.items()}
    assert [names[it] for it in ("Į«</w>", "«</w>", "çĮ«</w>", "ç", "low</w>")] == [
        "<8c ab></w>", "<ab></w>", "猫</w>", "<e7>", "low</w>",
    ]  # fmt: skip
    assert not (table.begins_inside & table.leaves_open).any()


def test_metrics_of_clips_form() -> None:
    seen = observed(clip(), ["low 猫", "lo"])
    assert seen.tokenizer.tokens("low 猫 lo") == ["low</w>", "çĮ«</w>", "l", "o</w>"]
    values = {
        name: float(BY_NAME[name].values(seen, seen.corpus.draws)[0])
        for name in ("token_length", "longest_pieces", "byte_fallback_rate", "broken_characters")
    }
    assert values == {
        "token_length": (3 + 3 + 1 + 1) / 4,
        "longest_pieces": 3,
        "byte_fallback_rate": 0,
        "broken_characters": 0,
    }
    lengths = next(table for table in BY_NAME["token_length"].details(seen) if table.rows)
    # l o w w</w> ç Į «</w> o</w>; lo Į«</w>; low</w> çĮ«</w>
    assert [(length, entries) for length, entries, *_ in lengths.rows] == [
        ("1", 8), ("2", 2), ("3", 2),
    ]  # fmt: skip


def test_the_longest_are_those_of_text() -> None:
    # lowe is longer than low</w>, of which four signs are a mark.
    tok = bpe_file(
        ["l", "o", "w", "e", "w</w>", "lo", "we", "lowe", "low</w>"],
        ["l o", "lo w</w>", "w e", "lo we"],
        pre_tokenizer=BYTE_LEVEL,
        end_of_word_suffix="</w>",
    )
    (table,) = BY_NAME["longest_pieces"].details(observed(tok, []))
    assert [(row[0], row[2]) for row in table.rows][:2] == [("lowe", 4), ("low</w>", 3)]
    (table,) = BY_NAME["longest_pieces"].details(observed(wordpiece(), []))
    assert [(row[0], row[2]) for row in table.rows] == [
        ("cat", 3), ("the", 3), ("##s", 1), ("##i", 1),
    ]  # fmt: skip


def test_a_mark_is_one_character_where_tokens_are_shown_as_written() -> None:
    found = longest(clip(), pieces(clip()), 1)
    assert [(it.piece.token, it.characters) for it in found] == [("low</w>", 4)]


def test_the_mark_inside_a_word_is_no_text() -> None:
    tok = bpe_file(
        ["c", "##a", "##t", "##at", "cat", "Ġ"],
        ["##a ##t", "c ##at"],
        pre_tokenizer=BYTE_LEVEL,
        continuing_subword_prefix="##",
    )
    assert tok.tokens("catat") == ["cat", "##at"]
    found = texts(tok)
    assert (found["##at"], found["##a"], found["cat"]) == (b"at", b"a", b"cat")
    assert found["Ġ"] == b" "
    plain = bpe_file(["c", "##a"], [], pre_tokenizer=None, continuing_subword_prefix="##")
    assert texts(plain)["##a"] == b"a"


@pytest.mark.parametrize("suffix", ["</w>", "@@", "_"])
def test_any_suffix(suffix: str) -> None:
    tok = bpe_file(
        ["a", f"a{suffix}"], [], pre_tokenizer={"type": "Whitespace"}, end_of_word_suffix=suffix
    )
    assert texts(tok)[f"a{suffix}"] == b"a"


def test_the_end_of_a_word_as_a_symbol_of_its_own() -> None:
    tok = kugiri.train(["low low"] * 9, unit="char", end_of_word="</w>", num_merges=3)
    found = texts(tok)
    assert found["low</w>"] == b"low"
    assert found == {token: token.removesuffix("</w>").encode() for token in tok.vocab}


@pytest.mark.parametrize(
    ("pre_tokenizer", "decoder", "text"),
    [
        (METASPACE, METASPACE, b" a"),
        (METASPACE, None, b" a"),  # a space to the one who put it there
        ({"type": "Sequence", "pretokenizers": [METASPACE]}, None, b" a"),
        (None, {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, b" a"),
        (None, None, "▁a".encode()),  # a letter like others
    ],
)
def test_a_space_that_is_shown(pre_tokenizer: Any, decoder: Any, text: bytes) -> None:
    tok = bpe_file(["▁", "a", "▁a"], ["▁ a"], pre_tokenizer=pre_tokenizer, decoder=decoder)
    assert texts(tok)["▁a"] == text


# ── what known text does not become ───────────────────────────────────────────────────────────
def test_special_and_unknown_tokens_are_not_of_use_or_unused() -> None:
    tok = kugiri.load(SMALL)
    table = Vocabulary(tok)
    never = {token for token, id in tok.vocab.items() if not table.regular[id]}
    assert never == {"<unk>", "<s>", "</s>", "▁a"}  # ▁a is UNUSED: it only helps to merge
    seen = observed(tok, [])
    values = BY_NAME["never_used"].values(seen, seen.corpus.draws)
    assert values[0] == 2 + 256  # <sep>, a, and the bytes


def test_the_unknown_token_of_a_file_is_never_unused() -> None:
    tok = bpe_file(["<unk>", "a", "b"], [], pre_tokenizer=None, unk_token="<unk>")
    for documents, never in ((["a"], 1), (["a猫"], 1), (["ab猫"], 0)):
        seen = observed(tok, documents)
        assert BY_NAME["never_used"].values(seen, seen.corpus.draws)[0] == never


def test_every_metric_takes_clips_form() -> None:
    seen = observed(clip(), ["low 猫", "", "lo"])
    for metric in OURS:
        assert len(metric.values(seen, seen.corpus.draws)) == len(seen.corpus.draws)
