"""Why a piece is not one token: every cause, the earliest stage first."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri import spec
from kugiri.errors import EncodingError, OptionError
from kugiri.explain.causes import KINDS
from kugiri.explain.step_structure import UnigramSteps
from kugiri.explain.why import MOST_PLACES
from kugiri.tables import Merges, Tokens
from tests.explained import LINES, MADE, made, unigram
from tests.explained_examples import TOKYO, nfkc, scripts, sennrich
from tests.strategies import texts

STAGES = ["added tokens", "normalization", "pre-tokens", "vocabulary", "model"]


def messages(tok: kugiri.Tokenizer, text: str, piece: str, **options: object) -> list[str]:
    reason = tok.why(text, piece, **options)  # type: ignore[arg-type]
    return [f"{cause.stage}: {cause.message}" for cause in reason.causes]


def tied() -> kugiri.Tokenizer:
    return unigram({"ab": 0.25, "c": 0.25, "a": 0.25, "bc": 0.25})


CAUSES: list[tuple[Callable[[], kugiri.Tokenizer], str, str, list[str]]] = [
    (sennrich, "lowest", "low", []),
    (sennrich, "lowest", "est", []),
    (sennrich, "lowest", "es", [
        "model: it is in the vocabulary as 11, made by merge 0, but merge 1 made 「est」 of it",
    ]),
    (sennrich, "lowest", "we", [
        "vocabulary: 「we」 is not in the vocabulary; nearest that are: parts of it 「e」, 「w」; "
        "longer 「newest_」",
        "model: merge 0 took 「es」 first",
    ]),
    (sennrich, "lowest", "wes", [
        "vocabulary: 「wes」 is not in the vocabulary; nearest that are: parts of it 「es」, "
        "「e」, 「s」, 「w」; longer 「newest_」",
        "model: merge 1 took 「est」 first",
    ]),
    (scripts, "仕組み", "仕組み", [
        "pre-tokens: crosses the pre-token boundary at 2, made by Split japanese-scripts: after "
        "kanji, before hiragana",
        "vocabulary: 「仕組み」 is not in the vocabulary; nearest that are: parts of it 「仕組」, "
        "「み」, 「仕」, 「組」",
    ]),
    (lambda: unigram(TOKYO), "東京都に住む", "京都", [
        "model: it is in the vocabulary as 2, but a path worth 3.4 more won: 東京都 (-3.507) over "
        "東|京都 (-6.908)",
    ]),
    (lambda: unigram(TOKYO), "東京都に住む", "住む", []),
    (tied, "abc", "bc", []),
    (tied, "abc", "ab", [
        "model: it is in the vocabulary as 1, but a path worth the same, whose last piece is "
        "longer, won: a|bc (-2.773) over ab|c (-2.773)",
    ]),
    (nfkc, "①ｶﾞｯｺｳ", "ｶﾞｯ", [
        "normalization: normalization turned 「ｶﾞ」 into 「ガ」",
        "normalization: normalization turned 「ｯ」 into 「ッ」",
        "vocabulary: 「ガッ」 is not in the vocabulary; nearest that are: parts of it 「ガ」, "
        "「ッ」; longer 「▁ガッコウ」",
    ]),
    (nfkc, "①ｶﾞｯｺｳ", "ｶ", [
        "normalization: normalization turned 「ｶﾞ」 into 「ガ」, across its edge",
    ]),
    (nfkc, "①ｶﾞｯｺｳ", "ｶﾞ", []),
    (lambda: made("vocab.txt"), "unaffable", "aff", []),
    (lambda: made("vocab.txt"), "unaffable", "una", [
        "vocabulary: 「una」 is not in the vocabulary; nearest that are: parts of it 「un」, 「a」",
        "model: the longest match from character 2 of its word is 「##aff」",
    ]),
    (lambda: made("vocab.txt"), "unx", "un", [
        "model: no token fits from character 2 of the word 「unx」 on, so that the whole word is "
        "unknown",
    ]),
    (lambda: made("vocab.txt"), "a low", " ", [
        "pre-tokens: lies in the pre-token boundary at 1–2, made by WhitespaceSplit: white space "
        "parts words, and is dropped",
    ]),
    (lambda: made("vocab.txt"), " low", " low", [
        "pre-tokens: the pre-tokenizer drops it, or a part of it",
    ]),
    (lambda: made(".kugiri.json, words"), "low lower", "we", [
        "vocabulary: 「we」 is not in the vocabulary; nearest that are: longer 「lower」, "
        "「newest」",
        "model: what is looked up here is 「lower」",
    ]),
    (lambda: made(".model, word"), "low lower", "we", [
        "vocabulary: 「we」 is not in the vocabulary; nearest that are: longer 「▁lower」, "
        "「▁newest」",
        "model: what is looked up here is 「▁lower」",
    ]),
    (lambda: made(".model, char"), "low lower", "ow", [
        "vocabulary: 「ow」 is not in the vocabulary; nearest that are: parts of it 「o」, 「w」",
        "model: what is looked up here is 「o」, 「w」",
    ]),
    # The piece that won is the one that was asked for: no path is better, only its space is lost.
    (lambda: made(".model, unigram"), "名前はま\n", "ま\n", [
        "normalization: normalization dropped 「␊」",
    ]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("make", "text", "piece", "expected"), CAUSES, ids=[f"{c[2]} in {c[1]}" for c in CAUSES]
)
def test_causes(
    make: Callable[[], kugiri.Tokenizer], text: str, piece: str, expected: list[str]
) -> None:
    assert messages(make(), text, piece) == expected


LETTERS = ("a", "b", "c", "cb", "bb", "cbb")


@cache
def cbb() -> kugiri.Tokenizer:
    """Its merge 2 makes cbb out of c and bb, but merge 0 always takes the c before."""
    merges = Merges(left=[2, 1, 2], right=[1, 1, 4], result=[3, 4, 5])
    vocab = Tokens.from_iter(token.encode() for token in LETTERS)
    return kugiri.Tokenizer(spec.TokenizerSpec(spec.BPE(vocab, unit="char", merges=merges)))


@pytest.mark.parametrize("text", ["acbb", "acbbb", "cbba"])
def test_a_piece_whose_own_parts_merge_into_others(text: str) -> None:
    assert messages(cbb(), text, "cbb") == [
        "model: it is in the vocabulary as 5, made by merge 2, but its own parts merge into cb|b, "
        "and no further"
    ]


@given(st.text("abc", min_size=1, max_size=8), st.data())
def test_a_merge_is_named_only_where_the_piece_alone_would_be_a_token(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    piece = text[start : data.draw(st.integers(start + 1, len(text)))]
    alone = cbb().tokens(piece) == [piece]
    for message in messages(cbb(), text, piece):
        if piece in LETTERS:
            assert ("its own parts merge into" in message) != alone


@pytest.mark.parametrize(
    ("make", "text", "piece"), [c[:3] for c in CAUSES], ids=[f"{c[2]} in {c[1]}" for c in CAUSES]
)
def test_the_sentence_is_made_from_kind_and_values(
    make: Callable[[], kugiri.Tokenizer], text: str, piece: str
) -> None:
    for place in json.loads(make().why(text, piece).to_json())["places"]:
        for cause in place["causes"]:
            stage, sentence = KINDS[cause["kind"]]
            assert (stage, sentence(**cause["values"])) == (cause["stage"], cause["message"])


def test_every_place_is_asked() -> None:
    places = unigram(TOKYO).why("京都に東京都", "京都").places
    assert [(place.span, place.is_token, place.tokens) for place in places] == [
        ((0, 2), True, ["京都"]),
        ((4, 6), False, ["東京都"]),
    ]
    assert places[0].causes == []


def test_special_tokens() -> None:
    tok = made(".kugiri.json")
    text = "low<|endoftext|>er"
    first, *_ = messages(tok, text, "<|endoftext|>")
    assert first == (
        "added tokens: it is the special token 329, and text unless that is allowed: "
        "allowed_special={'<|endoftext|>'}"
    )
    assert messages(tok, text, "<|endoftext|>", allowed_special="all") == []
    assert messages(tok, text, "w<|", allowed_special="all") == [
        "added tokens: the added token 「<|endoftext|>」 is cut out before all else, at 3–16"
    ]


def test_a_token_as_it_is_written_in_the_vocabulary() -> None:
    reason = made(".model, bpe").why("東京都", "▁東")
    assert reason.places[0].is_token
    assert reason.id == made(".model, bpe").token_id("▁東")
    (place,) = made("vocab.json and merges.txt").why("a low", "Ġl").places
    assert place.span == (1, 3)


def test_a_word_that_is_a_token_is_taken_whole() -> None:
    tok = made(".tiktoken")
    assert tok.why("low", "low").places[0].is_token
    (cause,) = [it for it in tok.why("low", "lo").causes if it.stage == "model"]
    assert cause.message == "the pre-token 「low」 is a token itself, and is taken as it stands"


def test_pieces_that_no_text_becomes() -> None:
    model = spec.WordPiece(Tokens.from_iter([b"[UNK]", b"a", b"##b", b"b"]))
    tok = kugiri.Tokenizer(spec.TokenizerSpec(model))
    assert tok.why("ab", "b").places[0].is_token
    (cause,) = tok.why("ab", "ab").causes
    assert cause.message.startswith(
        "「ab」 is not in the vocabulary; nearest that are: parts of it"
    )


@pytest.mark.parametrize("piece", ["x", ""])
def test_a_piece_that_is_not_there(piece: str) -> None:
    with pytest.raises(OptionError, match="does not stand in '東京'; ask for a part of the text"):
        unigram(TOKYO).why("東京", piece)


@given(name=st.sampled_from(sorted(MADE)), text=texts, data=st.data())
def test_each_token_is_one_and_all_else_has_a_cause(
    name: str, text: str, data: st.DataObject
) -> None:
    tok = made(name)
    start = data.draw(st.integers(0, max(len(text) - 1, 0)))
    end = data.draw(st.integers(start, len(text)))
    piece = text[start:end] or "x"
    try:
        reason = tok.why(text, piece)
    except OptionError:
        assert piece not in text
        return
    except EncodingError:
        return
    encoding = tok.encode_with_offsets(text)
    stages = [STAGES.index(cause.stage) for place in reason.places for cause in place.causes]
    for place in reason.places:
        order = [STAGES.index(cause.stage) for cause in place.causes]
        assert order == sorted(order)
        if place.is_token:
            assert place.span in encoding.covering_spans
            assert place.causes == []
        else:
            assert place.causes, (name, text, piece)
    assert all(stage >= 0 for stage in stages)


def test_on_lines_of_a_corpus() -> None:
    for line in LINES:
        assert str(made(".kugiri.json").why(line, line[:3])).startswith("「")


@given(st.text("東京都に住む", min_size=1, max_size=8))
def test_the_margin_is_that_of_the_best_way_with_the_piece(text: str) -> None:
    tok = unigram(TOKYO)
    model = tok.explain(text, nbest=10_000).model
    assert isinstance(model, UnigramSteps)
    for node in model.lattice:
        if node.is_best or node.id is None:
            continue
        with_it = next(way for way in model.nbest if node.span in spans_of(way.pieces))
        places = tok.why(text, text[slice(*node.span)]).places
        (place,) = [it for it in places if it.span == node.span] or [None]
        if place is None:  # it overlaps a place before it
            continue
        (cause,) = [it.message for it in place.causes if it.stage == "model"]
        worth = re.search(r"a path worth (\S+) more won|a path worth the same", cause)
        assert worth is not None, cause
        assert float(worth[1] or 0) == pytest.approx(with_it.margin, rel=0.01, abs=1e-9)


def spans_of(pieces: list[str]) -> list[tuple[int, int]]:
    ends = list(accumulate(map(len, pieces)))
    return list(zip([0, *ends], ends, strict=False))


def test_of_many_places_the_first_are_looked_at() -> None:
    reason = made(".kugiri.json").why("a" * 10_000, "a")
    assert (len(reason.places), reason.left_out) == (MOST_PLACES, 10_000 - MOST_PLACES)
    assert str(reason).endswith("\nand in 9,900 places more")


def test_a_place_instead_of_a_piece() -> None:
    tok = unigram(TOKYO)
    everywhere, (one, another) = tok.why("京都京都", "京都"), ((0, 2), (2, 4))
    assert [place.span for place in everywhere.places] == [one, another]
    reason = tok.why("京都京都", another)
    assert (reason.piece, reason.left_out) == ("京都", 0)
    assert reason.places == everywhere.places[1:]
    # Looking from the left would have found it at 0 only.
    assert [place.span for place in tok.why("東東東", (1, 3)).places] == [(1, 3)]


@pytest.mark.parametrize("span", [(0, 0), (2, 1), (0, 5), (-1, 2), (1,), (0, 1.5)])
def test_places_that_are_none(span: tuple[int, ...]) -> None:
    with pytest.raises(OptionError, match=r"place is|whole number"):
        unigram(TOKYO).why("京都京都", span)  # type: ignore[arg-type]


@pytest.mark.parametrize("pattern", ["(a|aa)+$", "(a|aa)+b"])
def test_a_pattern_that_goes_back_without_end_is_refused(
    pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The core runs the second in one pass, and refuses the first; the readable engine goes back.
    monkeypatch.setattr("kugiri.reference.regex_classes.LONGEST", 0.2)
    tok = kugiri.train(["a"], num_merges=0, pre_tokenizer=pattern)
    for ask in (tok.explain, lambda text: tok.why(text, (0, 5))):
        with pytest.raises(EncodingError, match="goes back too often on this text"):
            ask("a" * 250 + "!")
