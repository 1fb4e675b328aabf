"""Texts that find faults: any character, and what split patterns are about, side by side."""

from __future__ import annotations

from hypothesis import strategies as st

CONTRACTIONS = ["'s", "'S", "'ſ", "'t", "'ll", "'LL", "'Ve", "'re", "'", "''s"]
SPACES = [" ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2028", "\x85", " \n "]
WORDS = [
    *["a", "B", "Ab", "aB", "é", "e\u0301", "ß", "Ǆ", "ǅ", "ʰ", "日本", "語", "は", "トー", "ｶﾞ"],
    *[
        "か\u3099",
        "ไทย",
        "हिन्दी",
        "한",
        "12",
        "1234",
        "٣",
        "①",
        "½",
        "Ⅷ",
        "_",
        "/",
        "//",
        ".",
        "。",
    ],
    *["👩\u200d🔧", "🇯🇵", "\u200b", "\ufeff", "\x00", "\u0378", "\U000e0061", "<|end|>"],
]

any_text = st.text(max_size=40)
mixed_text = st.lists(
    st.one_of(st.sampled_from(CONTRACTIONS + SPACES + WORDS), st.text(max_size=3)), max_size=20
).map("".join)
texts = st.one_of(any_text, mixed_text)

words = st.text(alphabet="abc", min_size=1, max_size=8)
small_corpora = st.lists(words, min_size=1, max_size=12)
"""Few letters, so that pairs repeat, overlap and make strings that exist already."""

japanese_corpora = st.lists(
    st.text(alphabet="のはますでしたき猫aé🐈 ", min_size=1, max_size=12), min_size=1, max_size=8
)
