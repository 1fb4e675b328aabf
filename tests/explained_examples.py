"""The fixed examples of explain: seeds.json among them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import kugiri
from kugiri.explain.structure import Explanation
from kugiri.explain.training import explain_training
from kugiri.explain.training_structure import Training
from tests.explained import made, saved, unigram

TOKYO = {
    "東京": 0.05, "京都": 0.05, "東": 0.02, "京": 0.02, "都": 0.03, "に": 0.08, "住": 0.02,
    "住む": 0.04, "む": 0.02, "東京都": 0.03, "都に": 0.01,
}  # fmt: skip
SENNRICH = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}

SUBJECTS = ["私は", "彼は", "猫が", "犬が", "先生は", "学生が"]
PLACES = ["東京で", "学校で", "公園で", "図書館で", "家で"]
ACTIONS = [
    "本を読みます", "ご飯を食べます", "友達と話します", "走ります", "勉強します", "寝ます",
]  # fmt: skip

INVISIBLE = "a\u3000b\u00a0c\u200d❤\ufe0f\u202ed\U000e0067\t\n"
HOSTILE = "<script>alert('x')</script>&amp;\"><img src=x onerror=alert(1)>"


def sennrich() -> kugiri.Tokenizer:
    return kugiri.train(SENNRICH, unit="char", end_of_word="_", tie="first-seen", num_merges=10)


def sentences() -> kugiri.Tokenizer:
    """Document 000's generator of sentences, 60 merges."""
    draw = random.Random(0)
    lines = [
        draw.choice(SUBJECTS) + draw.choice(PLACES) + draw.choice(ACTIONS) + "。"
        for _ in range(2000)
    ]
    return kugiri.train(
        lines, unit="char", pre_tokenizer="none", tie="first-seen", num_merges=60,
        special_tokens=["<unk>"],
    )  # fmt: skip


def scripts() -> kugiri.Tokenizer:
    lines = ["仕組みを学ぶ", "仕組みと仕事", "組み立てる"]
    return kugiri.train(
        lines, unit="char", pre_tokenizer="japanese-scripts", tie="greatest-pair", num_merges=1,
        special_tokens=["<unk>"],
    )  # fmt: skip


def nfkc() -> kugiri.Tokenizer:
    tok = kugiri.train(
        ["ガッコウ 1 2 ABC カタカナ デプロイ成功"] * 3, model="unigram", vocab_size=290,
        byte_fallback=True, hard_vocab_limit=False,
    )  # fmt: skip
    return saved(tok, "t.model")


class Example(NamedTuple):
    """A tokenizer, a text, and how it is encoded."""

    tokenizer: Callable[[], kugiri.Tokenizer]
    text: str
    options: Mapping[str, object] = MappingProxyType({})

    def explained(self) -> Explanation:
        return self.tokenizer().explain(self.text, **self.options)  # type: ignore[arg-type]


EXAMPLES: dict[str, Example] = {
    "tokyo": Example(lambda: unigram(TOKYO), "東京都に住む"),
    "lowest": Example(sennrich, "lowest newer"),
    "shikumi": Example(scripts, "仕組み"),
    "sentence": Example(sentences, "猫が駅で本を読みました。"),
    "bytes": Example(lambda: made(".kugiri.json"), "猫🐈 low"),
    "rank": Example(lambda: made(".tiktoken"), "東京 it's 1234"),
    "nfkc": Example(nfkc, "①ｶﾞｯｺｳ ＡＢＣ１"),
    "fallback": Example(nfkc, "デプロイ成功🎉"),
    "score": Example(lambda: made(".model, bpe"), "東京都に住む猫"),
    "word_piece": Example(
        lambda: made("vocab.txt"), "unaffable lowest, x 東京", {"add_special_tokens": True}
    ),
    "special": Example(
        lambda: made(".kugiri.json"), "low<|endoftext|>er", {"allowed_special": "all"}
    ),
    "look-alike": Example(lambda: made(".kugiri.json"), "low<|endoftext|>er"),
    "invisible": Example(lambda: made(".kugiri.json, characters"), INVISIBLE),
    "hostile": Example(lambda: made("tokenizer.json"), HOSTILE),
}

TRAININGS: dict[str, Callable[[], Training]] = {
    "training-sennrich": lambda: explain_training(
        SENNRICH, unit="char", end_of_word="_", tie="first-seen", num_merges=10
    ),
    "training-hugs": lambda: explain_training(HUGS, model="unigram", vocab_size=13),
}
