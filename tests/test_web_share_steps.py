"""The steps in a page that is shared: where those of a long text end, and why there may be none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kugiri.web.share_words import WORDS
from tests.asking import ask
from tests.explained import made, unigram
from tests.explained_examples import TOKYO, sennrich
from tests.serving import serving
from tests.test_web_share import data_of, shared

TOKENIZERS = {
    "bytes": made(".kugiri.json"), "bert": made("vocab.txt"), "tokyo": unigram(TOKYO),
    "low": sennrich(),
}  # fmt: skip
STEPS = 400
"""Characters whose steps are drawn."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(TOKENIZERS) as found:
        yield found


@pytest.mark.parametrize(("name", "text"), [
    ("bytes", "a" * 398 + " lower" * 20), ("bytes", "猫" * 500), ("bytes", "lower" * 200),
    ("bert", "unaffable " * 50), ("tokyo", "東京都に住む" * 100),
])  # fmt: skip
@pytest.mark.parametrize("language", ["en", "ja"])
def test_they_end_at_a_cut_of_the_whole_text(
    address: str, name: str, text: str, language: str
) -> None:
    page = shared(address, text, explain=name, add_special_tokens=True, language=language)
    explained = data_of(page)["explanation"]
    encoded = TOKENIZERS[name].encode_with_offsets(text)
    spans = encoded.covering_spans
    edges = {it for span in spans for it in span if it <= STEPS}
    end = max(it for it in edges if all(start >= it or stop <= it for start, stop in spans))
    assert end > STEPS - 10
    assert explained["text"] == text[:end]
    assert explained["ids"] == [
        id for id, (_, at) in zip(encoded.ids, spans, strict=True) if at <= end
    ]
    assert WORDS[language]["part"].format(end) in page
    assert WORDS[language]["edges"].strip() not in page


@pytest.mark.parametrize("language", ["en", "ja"])
def test_tokens_that_are_others_in_the_whole_text_are_confessed(
    address: str, language: str
) -> None:
    text = "low" * 200  # the end of a word becomes part of its last token
    explained = data_of(page := shared(address, text, explain="low", language=language))
    whole = TOKENIZERS["low"].encode(text)
    assert explained["explanation"]["text"] == "low" * 133
    assert explained["explanation"]["ids"] != whole[:133]
    assert WORDS[language]["edges"].strip() in page


@pytest.mark.parametrize(("name", "text"), [
    ("sample WordPiece", " " * 401), ("sample WordPiece", "\n" * 500),
    ("sample WordPiece", " " * 3_000 + "abc"), ("sample Unigram", "\n" * 500),
    ("sample Unigram", "\u200b" * 500), ("sample Unigram", " " * 3_000 + "abc"),
])  # fmt: skip
def test_a_beginning_without_tokens_has_steps(name: str, text: str) -> None:
    with serving() as sample:
        explained = data_of(shared(sample, text, tokenizers=[name], explain=name))["explanation"]
    assert explained["text"] == text[:400]
    assert explained["ids"] == []


@pytest.mark.parametrize("text", [" " * 3_000 + "abc", "\n" * 500])
def test_a_beginning_of_blanks_is_cut_by_bpe(text: str) -> None:
    with serving() as sample:
        page = shared(sample, text, tokenizers=["sample BPE"], explain="sample BPE")
    explained = data_of(page)["explanation"]
    assert (explained["text"].strip(), explained["ids"] == []) == ("", False)


def test_a_token_longer_than_they_are_is_not_cut(address: str) -> None:
    text = "x" * 500 + " low"  # unknown as a whole
    explained = data_of(shared(address, text, explain="bert"))["explanation"]
    assert (explained["text"], explained["tokens"]) == ("x" * 500, ["[UNK]"])


@pytest.mark.parametrize("text", ["東京 low", "low " * 200 + "東京"])
def test_why_there_are_none(address: str, text: str) -> None:
    at = text.index("東")
    page = shared(address, text, tokenizers=["bytes"], explain="low")
    assert f"&#x27;東&#x27; at character {at} is not in the vocabulary" in page
    assert "How <bdi" in page
    data = data_of(page)
    assert data["explanation"] is None
    assert data["columns"][0]["count"] == TOKENIZERS["bytes"].count(text)


def test_special_tokens_are_read_in_them(address: str) -> None:
    (special,) = TOKENIZERS["bytes"].special_tokens
    for text in (f"a{special}b", f"a{special}b" + " low" * 200):
        for options in ({}, {"allow_special": True}):
            page = shared(address, text, explain="bytes", **options)
            found = [token for token, _ in data_of(page)["explanation"]["special_tokens"]]
            assert found == [special] * len(options)


def test_a_tokenizer_that_is_not_there_is_refused(address: str) -> None:
    question = {"text": "low", "tokenizers": ["bytes"], "explain": "nobody"}
    assert ask(address, "share", question).refusal[:2] == (404, "no tokenizer")


def test_those_of_a_short_text_are_of_all_of_it(address: str) -> None:
    text = "unaffable " * 40
    explained = data_of(page := shared(address, text, explain="bert", add_special_tokens=True))
    assert len(text) == STEPS
    asked = TOKENIZERS["bert"].encode(text, add_special_tokens=True)
    assert explained["explanation"]["ids"] == asked
    assert WORDS["en"]["part"].split("{}")[0] not in page
