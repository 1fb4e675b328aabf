"""What a normalizer did, change by change: put together the changes give what it made."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import kugiri
from kugiri import spec
from kugiri.cli import explain as command
from kugiri.explain.normalization import explain_normalization
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.sentencepiece.normalize import normalizer_of
from kugiri.sentencepiece.options import SentencePieceOptions
from kugiri.tables import Tokens
from tests.strategies import texts

NMT = normalizer_of(SentencePieceOptions())
SUFFIX = normalizer_of(
    SentencePieceOptions(treat_whitespace_as_suffix=True, normalization_rule_name="nfkc_cf")
)
NORMALIZERS: dict[str, spec.Normalizer | None] = {
    "none": None,
    "NFC": spec.NFC(),
    "NFD": spec.NFD(),
    "NFKD": spec.NFKD(),
    "ByteLevel": spec.ByteLevelNormalizer(),
    "Bert": spec.BertNormalizer(),
    "strip": spec.Normalizers((spec.NFKC(), spec.Strip(), spec.Prepend("▁"))),
    "replace": spec.Replace(spec.Regex(r"\s+"), "▁"),
    "nmt_nfkc": NMT,
    "nfkc_cf, spaces behind": SUFFIX,
}


def described(normalizer: spec.Normalizer | None) -> spec.TokenizerSpec:
    model = spec.WordLevel(Tokens.from_iter([b"<unk>"]))
    return spec.TokenizerSpec(model, normalizer=normalizer)


@pytest.mark.parametrize(
    ("name", "text", "changes"),
    [
        ("none", "ｶﾞ ①", []),
        ("NFC", "cafe\u0301 が", [((3, 5), "e\u0301", "é")]),
        ("NFKD", "é㌔", [((0, 1), "é", "e\u0301"), ((1, 2), "㌔", "キロ")]),
        # Marks are put in order: U+0323 goes before U+0301.
        ("NFD", "a\u0301\u0323b", [((1, 3), "\u0301\u0323", "\u0323\u0301")]),
        ("ByteLevel", "aあ", [((1, 2), "あ", "ãģĤ")]),
        ("strip", " ａ", [((0, 1), " ", ""), ((1, 1), "", "▁"), ((1, 2), "ａ", "a")]),
        ("Bert", "Ａ猫\x00", [
            ((0, 1), "Ａ", "ａ"), ((1, 1), "", " "), ((2, 3), "\x00", ""), ((3, 3), "", " "),
        ]),
        ("replace", "a \n b", [((1, 4), " \n ", "▁")]),
        ("nmt_nfkc", " ｶﾞ\u200b①", [
            ((0, 1), " ", ""), ((1, 1), "", "▁"), ((1, 3), "ｶﾞ", "ガ"), ((3, 4), "\u200b", "▁"),
            ((4, 5), "①", "1"),
        ]),
    ],
)  # fmt: skip
def test_changes(name: str, text: str, changes: list[tuple[tuple[int, int], str, str]]) -> None:
    found = explain_normalization(ReferenceTokenizer(described(NORMALIZERS[name])), text).changes
    assert [(change.span, change.before, change.after) for change in found] == changes


@given(
    name=st.sampled_from(sorted(NORMALIZERS)),
    text=texts | st.text("a\u0301\u0323\u0327\u0f71\u0f74が\u3099ﾞ가\u11a8 "),
)
def test_put_together_they_give_what_it_made(name: str, text: str) -> None:
    tok = kugiri.Tokenizer(described(NORMALIZERS[name]))
    found = explain_normalization(ReferenceTokenizer(tok.spec), text)
    made, done = "", 0
    for change in found.changes:
        start, end = change.span
        assert text[start:end] == change.before != change.after
        made += text[done:start] + change.after
        done = end
    assert made + text[done:] == found.after == tok.normalize(text)


def test_added_tokens_are_cut_out_first() -> None:
    tokens = spec.TokenizerSpec(
        spec.WordLevel(Tokens.from_iter([b"<unk>", b"1"]), unk_token="<unk>"),
        normalizer=spec.NFKC(),
        added_tokens=(spec.AddedToken(2, "②", special=False, normalized=False),),
    )
    found = kugiri.Tokenizer(tokens).explain("①②①")
    changes = [(change.span, change.before, change.after) for change in found.normalization.changes]
    assert changes == [((0, 1), "①", "1"), ((2, 3), "①", "1")]
    assert found.normalization.after == "1②1"
    assert found.special_tokens == [("②", (1, 2))]
    assert found.pre_tokens == [("1", (0, 1)), ("1", (2, 3))]
    assert found.tokens == ["1", "②", "1"]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("\u200b\u00a0", "0–2   <ZWSP><NBSP>         0–0"),
        ("か\u3099", "0–2   U+304B U+3099  U+304C  1–2"),
        ("\x1b", "0–1   ␛              0–0"),
    ],
)
def test_nothing_that_changed_is_unseen(tmp_path: object, text: str, row: str) -> None:
    path = f"{tmp_path}/t.model"
    kugiri.train(["が 1"] * 9, model_type="char", vocab_size=6).save(path)
    run = CliRunner().invoke(command.command, ["-t", path, text])
    assert row in run.output.splitlines()


def test_the_command(tmp_path: object) -> None:
    path = f"{tmp_path}/t.model"
    kugiri.train(["ガッコウ 1"] * 9, model_type="char", vocab_size=12).save(path)
    run = CliRunner().invoke(command.command, ["-t", path, "ｶﾞｯｺｳ ①"])
    assert (
        run.output
        == (
            "text          ｶﾞｯｺｳ␠①\n"
            "tokens        ▁|ガ|ッ|コ|ウ|▁|1\n"
            "normalized    ▁ガッコウ▁1\n"
            "span  before  after  span after\n"
            "0–0           ▁      0–1\n"
            "0–2   ｶﾞ      ガ     1–2\n"
            "2–3   ｯ       ッ     2–3\n"
            "3–4   ｺ       コ     3–4\n"
            "4–5   ｳ       ウ     4–5\n"
            "5–6   ␠       ▁      5–6\n"
            "6–7   ①       1      6–7\n"
            "pre-tokens    ▁ガッコウ▁1\n"
            "model         words, or characters, are looked up as they stand\n"
            "template      <s> $A </s> (not asked for)\n"
        )
        + run.output[run.output.index("id  token") :]
    )
    run = CliRunner().invoke(command.command, ["-t", path, "--json", "①"])
    shown = json.loads(run.output)
    assert shown["normalization"] == {
        "before": "①",
        "after": "▁1",
        "changes": [
            {"span": [0, 0], "before": "", "after": "▁", "after_span": [0, 1]},
            {"span": [0, 1], "before": "①", "after": "1", "after_span": [1, 2]},
        ],
    }
    assert (shown["tokens"], shown["spans"]) == (["▁", "1"], [[0, 0], [0, 1]])
