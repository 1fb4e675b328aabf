"""`covering_spans`: every token covers exactly the characters that it touches.

Each row is a difference from the places of tokenizers, which `spans` follow; the table of
docs/compatibility.md names the issues there.
"""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.encoding import Span
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.tokenizing.spans import covering_spans
from tests.model_rows import BYTE_LEVEL, BYTES, WHITESPACE, Json, bpe, file, unigram, word_piece
from tests.oracles import parity_file
from tools.parity_data import HOW_TO_GET


def one_word(normalizer: dict[str, Any]) -> bytes:
    """A tokenizer.json for which every text is one unknown word."""
    model = {"type": "WordLevel", "vocab": {"u": 0}, "unk_token": "u"}
    return json.dumps({"normalizer": normalizer, "model": model}).encode()


ROWS: dict[str, tuple[str | dict[str, Any], str, list[Span], list[Span]]] = {
    "a mark put before a text touches nothing": (
        "llama2",
        "猫a",
        [(0, 1), (0, 1), (1, 2)],
        [(0, 0), (0, 1), (1, 2)],
    ),
    "bytes of a character touch all of it": (
        "llama2",
        "龘a",
        [(0, 1), (0, 1), (0, 1), (0, 1), (1, 2)],
        [(0, 0), (0, 1), (0, 1), (0, 1), (1, 2)],
    ),
    "a composed character is all its parts": (
        "qwen3",
        "か\u3099ぎ",
        [(0, 1), (2, 3)],
        [(0, 2), (2, 3)],
    ),
    "two marks on a letter": ("qwen3", "a\u0323\u0302", [(0, 1)], [(0, 3)]),
    "a syllable of three jamo": ({"type": "NFC"}, "\u1112\u1161\u11ab", [(0, 1)], [(0, 3)]),
    "a replacement stands for all that it replaces": (
        {"type": "Replace", "pattern": {"String": "abc"}, "content": "x"},
        "abcd",
        [(2, 4)],
        [(0, 4)],
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_where_they_differ(name: str) -> None:
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    source, text, named, covering = ROWS[name]
    if isinstance(source, str):
        file = parity_file(f"npm/{source}/tokenizer.json").read_bytes()
    else:
        file = one_word(source)
    encoding = kugiri.load(file).encode_with_offsets(text)
    assert (encoding.spans, encoding.covering_spans) == (named, covering)
    assert (
        library.Tokenizer.from_buffer(file).encode(text, add_special_tokens=False).offsets == named
    )


# ── places worked out by hand, where most of them are those of tokenizers ─────────────────────
WORDS = {"type": "WordLevel", "vocab": {"u": 0}, "unk_token": "u"}
LETTERS = unigram(("<unk>", 0.0), ("a", -1.0), ("b", -1.0), ("▁", -1.0), ("▁a", -1.5))
ON_BYTES = bpe("a b Ġ Ġa Ġb <unk>", "Ġ a, Ġ b", unk_token="<unk>")
STRIP = {"type": "Strip", "strip_left": True, "strip_right": True}


def added(**flags: bool) -> list[Json]:
    """A token <m>, which takes what the flags say."""
    off = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return [{"id": 1, "content": "<m>", "special": False, **off, **flags}]


def metaspace(scheme: str) -> Json:
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": True}


def removed(pattern: str) -> Json:
    pattern_ = {"String": pattern}
    return {"type": "Split", "pattern": pattern_, "behavior": "Removed", "invert": False}


PLACES: dict[str, tuple[bytes, str, list[Span]]] = {
    "WordPiece: an unknown word is all of it": (
        file(word_piece("a ##b [UNK]"), WHITESPACE), "ab  axb a", [(0, 1), (1, 2), (4, 7), (8, 9)],
    ),
    "Unigram: unknown characters in a row": (
        file(LETTERS), "a猫犬b", [(0, 1), (1, 3), (3, 4)],
    ),
    "Strip: what is dropped at the ends is nobody's": (
        file(WORDS, normalizer=STRIP), "  ab  ", [(2, 4)],
    ),
    "Strip, then Prepend": (
        file(LETTERS, normalizer={"type": "Sequence", "normalizers": [
            STRIP, {"type": "Prepend", "prepend": "▁b"}]}),
        "  ab  ", [(2, 2), (2, 2), (2, 3), (3, 4)],
    ),
    "NFKD: one character, two tokens; both touch it": (
        file(bpe("a b ab"), normalizer={"type": "NFKD"}), "aªb", [(0, 1), (1, 2), (2, 3)],
    ),
    "NFKD: a ligature of three": (
        file(bpe("f i"), normalizer={"type": "NFKD"}), "iﬃ", [(0, 1), *[(1, 2)] * 3],
    ),
    "NFKD and a merge across what was put in order": (
        file(bpe("a \u0323 \u0302 \u0323\u0302", "\u0323 \u0302"), normalizer={"type": "NFKD"}),
        "a\u0302\u0323", [(0, 1), (1, 3)],
    ),
    "Metaspace: a mark before a text touches nothing": (
        file(LETTERS, metaspace("always")), "b a", [(0, 0), (0, 1), (1, 3)],
    ),
    "Metaspace: a piece with the mark touches its letter": (
        file(LETTERS, metaspace("always")), "a b", [(0, 1), (1, 2), (2, 3)],
    ),
    "ByteLevel: a space before a text": (
        file(ON_BYTES, {**BYTE_LEVEL, "add_prefix_space": True}), "ab b",
        [(0, 1), (1, 2), (2, 4)],
    ),
    "ByteLevel: bytes of what is unknown": (
        file(ON_BYTES, BYTE_LEVEL), "a猫b", [(0, 1), *[(1, 2)] * 3, (2, 3)],
    ),
    "Split: what is removed is nobody's": (
        file(WORDS, removed("-")), "a--bc-", [(0, 1), (3, 5)],
    ),
    "an added token takes the spaces before it": (
        file(WORDS, WHITESPACE, added_tokens=added(lstrip=True)), "a  <m> b",
        [(0, 1), (1, 6), (7, 8)],
    ),
    "an added token takes the spaces behind it": (
        file(WORDS, WHITESPACE, added_tokens=added(rstrip=True)), "a <m>  b",
        [(0, 1), (2, 7), (7, 8)],
    ),
    "BPE: a byte of an affix stands for nothing": (
        file(bpe(" ".join(["a", "##b", "<unk>", *BYTES]), unk_token="<unk>", byte_fallback=True,
                 continuing_subword_prefix="##")),
        "acb", [(0, 1), (1, 1), (1, 1), (1, 2), (2, 3)],
    ),
    "BPE: a byte of a suffix stands for nothing": (
        file(bpe(" ".join(["a", "<unk>", *BYTES]), unk_token="<unk>", byte_fallback=True,
                 end_of_word_suffix="/")),
        "ac", [(0, 1), (1, 2), (2, 2)],
    ),
    "BPE: a word that is a token is taken whole, with what else would be dropped": (
        file(bpe("a b axb ab", "a b", ignore_merges=True), WHITESPACE), "axb xab axbx",
        [(0, 3), (5, 7), (8, 11)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_places_of_both_engines(name: str) -> None:
    data, text, expected = PLACES[name]
    tok = kugiri.load(data)
    assert tok.encode_with_offsets(text, allowed_special="all").covering_spans == expected
    tokens = ReferenceTokenizer(tok.spec).encode(text)
    places = np.array([(token.start, token.end) for token in tokens], np.int64)
    assert covering_spans(text, places) == expected


# ── any BPE with unknown characters ───────────────────────────────────────────────────────────
@st.composite
def unknowns(draw: st.DrawFn) -> Json:
    """A BPE that lacks some letters; neither the unknown token nor bytes are merged."""
    letters = draw(st.sets(st.sampled_from("abcé猫"), min_size=1))
    names = sorted(letters)
    merges = []
    for _ in range(draw(st.integers(0, 6))):
        left, right = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        merges.append([left, right])
        names = list(dict.fromkeys([*names, left + right]))
    unk = draw(st.sampled_from([None, "<unk>"]))
    fallback = draw(st.sets(st.sampled_from("abcé猫")))
    of_fallback = [BYTES[byte] for letter in sorted(fallback) for byte in letter.encode()]
    tokens = dict.fromkeys([*names, *of_fallback, *([unk] if unk else [])])
    return {
        "type": "BPE",
        "unk_token": unk,
        "fuse_unk": draw(st.booleans()),
        "byte_fallback": draw(st.booleans()),
        "ignore_merges": draw(st.booleans()),
        "vocab": {name: id for id, name in enumerate(tokens)},
        "merges": merges,
    }


@given(model=unknowns(), text=st.text("abcé猫", max_size=14))
def test_each_token_covers_the_characters_that_it_stands_for(model: Json, text: str) -> None:
    known = set(model["vocab"])

    def falls_back(character: str) -> bool:
        spelled = {BYTES[byte] for byte in character.encode()}
        return bool(model["byte_fallback"]) and character not in known and spelled <= known

    def is_lost(character: str) -> bool:
        return character not in known and not falls_back(character)

    encoding = kugiri.load(file(model)).encode_with_offsets(text)
    names = {id: name for name, id in model["vocab"].items()}
    touched: set[int] = set()
    for id, (start, end), bytes_ in zip(
        encoding.ids.tolist(), encoding.covering_spans, encoding.byte_spans, strict=True
    ):
        covered = text[start:end]
        touched.update(range(start, end))
        if names[id] == "<unk>":
            assert is_lost(covered[0])
            assert is_lost(covered[-1])
            assert all(is_lost(character) or falls_back(character) for character in covered)
        elif names[id].startswith("<0x"):
            assert falls_back(covered)
            assert BYTES[text.encode()[slice(*bytes_)][0]] == names[id]
        else:
            assert names[id] == covered or (
                model["unk_token"] is None
                and not is_lost(covered[0])
                and not is_lost(covered[-1])
                and names[id] == "".join(it for it in covered if not is_lost(it))
            )
    drops = model["unk_token"] is None
    assert {at for at, it in enumerate(text) if not (drops and is_lost(it))} <= touched
    for (start, end), (other_start, other_end) in combinations(encoding.byte_spans, 2):
        is_apart = end <= other_start or other_end <= start
        is_inside = (start <= other_start and other_end <= end) or (
            other_start <= start and end <= other_end
        )
        assert is_apart or is_inside
