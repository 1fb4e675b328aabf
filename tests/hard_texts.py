"""Strings that tokenizers get wrong: white space, marks, scripts, look-alikes, repeats."""

from __future__ import annotations

HARD = [
    *["", " ", "  ", "\n", "\t\r\n", " \u3000\u00a0\u2028\x85 ", "\u200b\ufeff\u2060", "\x00a\x01"],
    *["a", " a", "a ", "  a  b  ", "\n a\n\nb", "▁", "▁▁a", " ▁ a", "Ġa", "Ċ", "##a", "a</w>"],
    *["it's I'LL we'Ve", "don't!!! (yes)", "1234567.89", "①½Ⅷ²", "x=1;y+=2", "#!/usr/bin/env"],
    *["日本語のテキスト。", "東京、大阪!", "ｶﾞｷﾞ ﾊﾟ", "㍿㌢", "か\u3099", "葛\U000e0100飾", "𠮷野家"],
    *["한국어", "\u1112\u1161\u11ab", "ไทย", "हिन्दी", "Ελληνικός"],
    *["العربية 123", "\u202eabc\u202c", "\u202bעברית\u202c (x)"],
    *[
        "𰻞𮬽㐂",
        "﨑髙濵",
        "<|endoftext|>",
        "<|begin_of_text|>x",
        "<start_of_turn>",
        "</s>",
        "<|im_end|>",
    ],
    *["👩\u200d🔧👨\u200d👩\u200d👧", "🇯🇵🇺🇸", "❤\ufe0f", "e\u0301\u0327", "ẛ\u0323", "İıſßǅ", "ﬁ"],
    *["<unk>", "<s>", "[CLS]x[SEP]", "<mask>", " <mask> ", "a<mask>b", "<|end|>  x", "<|en", "|>"],
    *["Tokyo", "xTokyo", "Tokyo.", "日本日本", "  日本  ", "<0x41>", "\U0010ffff", "\ufffd\ufffe"],
    *["a" * 200, "日" * 200, " " * 100, "\u0301" * 50, "ab" * 500 + " " + "あ" * 500],
    *["a" * 10_000, "あ" * 10_000, " " * 10_000, "\n" * 10_000, "^" * 10_000, "👩\u200d🔧" * 2_500],
]
