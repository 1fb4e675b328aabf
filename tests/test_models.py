"""The models of tokenizer.json: rows for both engines and tokenizers, then any model and text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri.reference.byte_alphabet import BYTE_OF, visible
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.tokenizing.spans import covering_spans
from tests.model_rows import BYTE_LEVEL, BYTES, ROWS, WHITESPACE, Answer, Json, file
from tools.parity_data import HOW_TO_GET

every_row = pytest.mark.parametrize(
    ("data", "answers"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)


def on_core(tok: kugiri.Tokenizer, text: str) -> Answer | None:
    """Ids, spans and covering spans of the core; None where it refuses the text."""
    try:
        encoding = tok.encode_with_offsets(text)
    except kugiri.EncodingError:
        with pytest.raises(kugiri.EncodingError):
            tok.encode(text)
        return None
    ids: list[int] = encoding.ids.tolist()
    assert tok.encode(text) == tok.encode(text) == ids
    assert tok.count(text) == len(ids)
    return ids, encoding.spans, encoding.covering_spans


def on_reference(tok: ReferenceTokenizer, text: str) -> Answer | None:
    """Ids and covering spans of the readable engine; None where it refuses the text."""
    try:
        tokens = tok.encode(text)
    except kugiri.EncodingError:
        return None
    places = np.array([(token.start, token.end) for token in tokens], np.int64).reshape(-1, 2)
    return [token.id for token in tokens if token.id is not None], covering_spans(text, places)


def on_tokenizers(tok: Any, text: str) -> Answer | None:
    """Ids and spans of tokenizers; None where it refuses the text."""
    try:
        encoding = tok.encode(text)
    except Exception:  # all its errors are of this class
        return None
    return encoding.ids, encoding.offsets


def theirs(data: bytes) -> Any:
    """The same file in tokenizers."""
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    return library.Tokenizer.from_buffer(data)


def as_tokenizers(answer: Answer | None) -> Answer | None:
    """Ids and spans."""
    return answer and answer[:2]


def covering(answer: Answer | None) -> Answer | None:
    """Ids and covering spans, which are the spans where they are not given."""
    return answer and (answer[0], answer[-1])


# ── rows ──────────────────────────────────────────────────────────────────────────────────────
@every_row
def test_rows_on_the_core(data: bytes, answers: dict[str, Answer | None]) -> None:
    tok = kugiri.load(data)
    found = {text: on_core(tok, text) for text in answers}
    assert {text: as_tokenizers(answer) for text, answer in found.items()} == {
        text: as_tokenizers(answer) for text, answer in answers.items()
    }
    assert {text: covering(answer) for text, answer in found.items()} == {
        text: covering(answer) for text, answer in answers.items()
    }


@every_row
def test_rows_on_the_readable_engine(data: bytes, answers: dict[str, Answer | None]) -> None:
    tok = ReferenceTokenizer(kugiri.load(data).spec)
    found = {text: on_reference(tok, text) for text in answers}
    assert found == {text: covering(answer) for text, answer in answers.items()}


@every_row
def test_rows_on_tokenizers(data: bytes, answers: dict[str, Answer | None]) -> None:
    tok = theirs(data)
    found = {text: on_tokenizers(tok, text) for text in answers}
    assert found == {text: as_tokenizers(answer) for text, answer in answers.items()}


# ── any model ─────────────────────────────────────────────────────────────────────────────────
LETTERS = "ab猫é# "
SHOWN = list(dict.fromkeys(visible(LETTERS.encode())))
strings = st.text(LETTERS, min_size=1, max_size=4)
shown_strings = strings.map(lambda string: visible(string.encode()))
some_texts = st.text(LETTERS + "z", max_size=12) | st.text(LETTERS, min_size=50, max_size=70)
FLAGS = st.booleans()


@st.composite
def bpe_models(draw: st.DrawFn, units: list[str]) -> Json:
    prefix = draw(st.sampled_from([None, "", "##", "a"]))
    suffix = draw(st.sampled_from([None, "", "</w>", "a"]))
    forms = [
        form
        for unit in units
        for form in (unit, f"{prefix or ''}{unit}", f"{unit}{suffix or ''}")
        if draw(st.integers(0, 9)) < 7
    ]
    unk = draw(st.sampled_from([None, "<unk>", "a", "[X]"]))
    of_letters = [BYTES[byte] for unit in units for byte in unit.encode()]
    fallback = draw(st.sampled_from([[], of_letters, of_letters[:5], BYTES]))
    tokens = [*forms, *fallback, *([unk] if unk in ("<unk>", "a") else [])]
    names = list(dict.fromkeys(tokens))
    merges = []
    for _ in range(draw(st.integers(0, 10)) if names else 0):
        left, right = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        if right.startswith(prefix or ""):
            merges.append([left, right])
            names = list(dict.fromkeys([*names, left + right[len(prefix or "") :]]))
    return {
        "type": "BPE",
        "unk_token": unk,
        "continuing_subword_prefix": prefix,
        "end_of_word_suffix": suffix,
        "fuse_unk": draw(FLAGS),
        "byte_fallback": draw(FLAGS),
        "ignore_merges": draw(FLAGS),
        "vocab": {name: id for id, name in enumerate(names)},
        "merges": draw(st.permutations(merges)),
    }


@st.composite
def word_piece_models(draw: st.DrawFn, strings: st.SearchStrategy[str]) -> Json:
    prefix = draw(st.sampled_from(["##", "", "a", "猫", "#"]))
    begin, go_on = draw(st.sets(strings, max_size=12)), draw(st.sets(strings, max_size=12))
    tokens = [*sorted(begin), *(prefix + string for string in sorted(go_on)), prefix]
    known = draw(st.sampled_from([["[UNK]"], []]))
    names = dict.fromkeys([*tokens, *known] if prefix else [*tokens[:-1], *known])
    return {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": prefix,
        "max_input_chars_per_word": draw(st.sampled_from([100, 3, 0])),
        "vocab": {name: id for id, name in enumerate(names)},
    }


@st.composite
def word_level_models(draw: st.DrawFn, strings: st.SearchStrategy[str]) -> Json:
    names = sorted(draw(st.sets(strings, max_size=12)))
    vocab = {name: id for id, name in enumerate([*names, *draw(st.sampled_from([["u"], []]))])}
    return {"type": "WordLevel", "unk_token": "u", "vocab": vocab}


@st.composite
def unigram_models(draw: st.DrawFn, strings: st.SearchStrategy[str]) -> Json:
    scores = st.sampled_from([-1.1, -1.3, -2.2, -2.4, -3.3])
    pieces = draw(st.lists(st.tuples(strings, scores), min_size=1, max_size=25))
    missing = draw(st.sampled_from([set(), {BYTES[0xC3]}, {BYTES[0x61], BYTES[0xAB]}, {*BYTES}]))
    vocab = [*pieces, *((byte, -9.0) for byte in BYTES if byte not in missing)]
    return {
        "type": "Unigram",
        "unk_id": draw(st.none() | st.integers(0, len(pieces) - 1)),
        "vocab": vocab,
        "byte_fallback": draw(FLAGS),
    }


def models(units: list[str], strings: st.SearchStrategy[str]) -> st.SearchStrategy[Json]:
    """A model of any kind over these units and strings."""
    return st.one_of(
        bpe_models(units),
        word_piece_models(strings),
        word_level_models(strings),
        unigram_models(strings),
    )


PLAIN = st.tuples(
    models(list(LETTERS), strings), st.sampled_from([None, WHITESPACE, {"type": "WhitespaceSplit"}])
)
ON_BYTES = st.tuples(models(SHOWN, shown_strings), st.just(BYTE_LEVEL))


@given(parts=PLAIN | ON_BYTES, some=st.lists(some_texts, min_size=1, max_size=4))
def test_any_model_and_any_text(parts: tuple[Json, Json | None], some: list[str]) -> None:
    model, pre_tokenizer = parts
    data = file(model, pre_tokenizer)
    oracle = theirs(data)
    core = kugiri.load(data)
    readable = ReferenceTokenizer(core.spec)
    affixed = model.get("continuing_subword_prefix") or model.get("end_of_word_suffix")
    for text in some:
        expected, found = on_tokenizers(oracle, text), on_core(core, text)
        assert on_reference(readable, text) == covering(found)
        if affixed and model.get("byte_fallback"):
            # Bytes of an affix reach beyond the word, where tokenizers loses its place
            # (docs/compatibility.md): the ids are the same.
            assert (found and found[0]) == (expected and expected[0])
        else:
            assert as_tokenizers(found) == expected


@given(text=st.lists(strings, max_size=8).map("".join))
def test_text_that_looks_like_a_special_token(text: str) -> None:
    """No text becomes the id of a special token, in either engine."""
    token = {"id": 0, "content": "ab", "special": True, "normalized": False}
    flags = {"single_word": False, "lstrip": False, "rstrip": False}
    vocab = {name: id for id, name in enumerate(["ab", "a", "b", "##b", "##ab", "[UNK]"])}
    model = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": vocab,
    }
    tok = kugiri.load(file(model, WHITESPACE, added_tokens=[{**token, **flags}]))
    assert 0 not in tok.encode(text)
    assert on_reference(ReferenceTokenizer(tok.spec), text) == covering(on_core(tok, text))


@pytest.mark.parametrize("special", ["a", "Ġ", "ab"])
@pytest.mark.parametrize("ignore_merges", [False, True])
def test_a_byte_that_is_a_special_token_is_still_a_byte(special: str, ignore_merges: bool) -> None:
    """No byte of a text is dropped: merges start from it, and then give what tokenizers gives."""
    strings = [*BYTE_OF, "ab", "abc", "Ġa"]
    vocab = {string: id for id, string in enumerate(strings)}
    merges = [["a", "b"], ["ab", "c"], ["Ġ", "a"]]
    model = {"type": "BPE", "vocab": vocab, "merges": merges, "ignore_merges": ignore_merges}
    token = {"id": vocab[special], "content": special, "special": True, "normalized": False}
    flags = {"single_word": False, "lstrip": False, "rstrip": False}
    data = file(model, BYTE_LEVEL, added_tokens=[{**token, **flags}])
    tok = kugiri.load(data)
    oracle = theirs(data)
    oracle.encode_special_tokens = True
    for text in ("a", "ab", "abc", "abcab", " a", "x abc a", "猫a"):
        found = on_core(tok, text)
        assert (found or [None])[0] == oracle.encode(text).ids
        assert on_reference(ReferenceTokenizer(tok.spec), text) == covering(found)
