"""tokenizer.json files with a model and next to nothing else, and what tokenizers makes of texts.

Each row is a name, the file and, for some texts, ids and spans as tokenizers 0.23.3 gives them, or
None where it refuses the text. Where the characters that the tokens truly touch are others, these
follow, worked out by hand.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
Spans: TypeAlias = list[tuple[int, int]]
Answer: TypeAlias = tuple[list[int], Spans] | tuple[list[int], Spans, Spans]

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
WHITESPACE = {"type": "Whitespace"}
BYTE_LEVEL = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": True,
    "use_regex": False,
}


def file(model: Json, pre_tokenizer: Json | None = None, **parts: Any) -> bytes:
    """A tokenizer.json."""
    return json.dumps(
        {"version": "1.0", "pre_tokenizer": pre_tokenizer, "model": model, **parts}
    ).encode()


def bpe(vocab: str | Json, merges: str = "", **fields: Any) -> Json:
    """A BPE: tokens in order of id, or with ids; merges like "a b, ab c"."""
    ids = (
        vocab if isinstance(vocab, dict) else {token: id for id, token in enumerate(vocab.split())}
    )
    rows = [merge.split() for merge in merges.split(",")] if merges else []
    return {"type": "BPE", "vocab": ids, "merges": rows, **fields}


def word_piece(vocab: str, prefix: str = "##", most: int = 100, unk: str = "[UNK]") -> Json:
    """A WordPiece model: tokens in order of id."""
    return {
        "type": "WordPiece",
        "vocab": {token: id for id, token in enumerate(vocab.split())},
        "unk_token": unk,
        "continuing_subword_prefix": prefix,
        "max_input_chars_per_word": most,
    }


def unigram(
    *pieces: tuple[str, float], unk_id: int | None = 0, byte_fallback: bool = False
) -> Json:
    """A Unigram model."""
    vocab = [list(piece) for piece in pieces]
    return {"type": "Unigram", "vocab": vocab, "unk_id": unk_id, "byte_fallback": byte_fallback}


@cache
def letters() -> tuple[tuple[str, float], ...]:
    """A piece for the unknown, the letter a, and all bytes."""
    return (("<unk>", 0.0), ("a", -1.0), *((byte, -20.0) for byte in BYTES))


FALLBACK = bpe({"b": 1, "<unk>": 3, "<0x61>": 4}, unk_token="<unk>", byte_fallback=True)
UNKNOWN_MERGES = bpe("a u ua uu", "u a, u u", unk_token="u")
PREFIX = bpe(
    "a ##b ab ##c abc ##bc <unk>",
    "a ##b, ##b ##c, ab ##c",
    unk_token="<unk>",
    continuing_subword_prefix="##",
)
SUFFIX = bpe("a b</w> ab</w> c <unk>", "a b</w>", unk_token="<unk>", end_of_word_suffix="</w>")
BOTH = bpe(
    "a ##b</w> ab</w> ##c a</w> <unk>",
    "a ##b</w>",
    unk_token="<unk>",
    end_of_word_suffix="</w>",
    continuing_subword_prefix="##",
)
UNK_IS_MISSING = bpe("a b", unk_token="[X]")
RUN = unigram(("<unk>", 0.0), ("▁", -3.0), ("m", -1.1), ("mm", -2.2), ("mmm", -3.3), ("h", -1.7))
"""Bug case 6: huggingface/tokenizers #1213."""

ROWS: list[tuple[str, bytes, dict[str, Answer | None]]] = [
    (
        "BPE: byte tokens overtake an unknown character that waits",
        file(FALLBACK),
        {
            "cab": ([4, 3, 1], [(0, 1), (1, 2), (2, 3)], [(1, 2), (0, 1), (2, 3)]),
            "cc": ([3, 3], [(0, 1), (1, 2)]),
            "cac": ([4, 3, 3], [(0, 1), (1, 2), (2, 3)], [(1, 2), (0, 1), (2, 3)]),
        },
    ),
    (
        "BPE: unknown characters in a row are one, whatever bytes stand between",
        file({**FALLBACK, "fuse_unk": True}),
        {
            "cab": ([4, 3, 1], [(0, 1), (1, 2), (2, 3)], [(1, 2), (0, 1), (2, 3)]),
            "cc": ([3], [(0, 2)]),
            "cac": ([4, 3], [(0, 1), (1, 3)], [(1, 2), (0, 3)]),
            "ccacb": ([4, 3, 1], [(0, 1), (1, 4), (4, 5)], [(2, 3), (0, 4), (4, 5)]),
            "猫a猫b": ([4, 3, 1], [(0, 1), (0, 3), (3, 4)], [(1, 2), (0, 3), (3, 4)]),
        },
    ),
    (
        "BPE: without an unknown token a character is dropped, and what follows moves there",
        file(bpe("a b ab", "a b")),
        {
            "acb": ([2], [(0, 2)], [(0, 3)]),
            "cab": ([2], [(0, 2)], [(1, 3)]),
            "猫ab猫": ([2], [(0, 1)], [(1, 3)]),
            "猫a b": ([2], [(0, 1)], [(1, 4)]),
            "c": ([], []),
        },
    ),
    (
        "BPE: unknown tokens are merged too",
        file(UNKNOWN_MERGES),
        {
            "xa": ([2], [(0, 2)]),
            "xxa": ([1, 2], [(0, 1), (1, 3)]),
            "axx": ([0, 3], [(0, 1), (1, 3)]),
            "xyxa": ([3, 2], [(0, 2), (2, 4)]),
        },
    ),
    (
        "BPE: fused unknown tokens are merged too",
        file({**UNKNOWN_MERGES, "fuse_unk": True}),
        {
            "xxa": ([2], [(0, 3)]),
            "axx": ([0, 1], [(0, 1), (1, 3)]),
            "xuyxa": ([3, 2], [(0, 2), (2, 5)]),
        },
    ),
    (
        "BPE: byte tokens are merged too",
        file(bpe("a <0xC3> <0xA9> <0xC3><0xA9>", "<0xC3> <0xA9>", byte_fallback=True)),
        {"éaé": ([3, 0, 3], [(0, 1), (1, 2), (2, 3)]), "ç": ([], [])},
    ),
    (
        "BPE: a continuing prefix",
        file(PREFIX),
        {
            "abc": ([4], [(0, 3)]),
            "aabc": ([0, 6, 5], [(0, 1), (1, 2), (2, 4)]),
            "bc": ([6, 3], [(0, 1), (1, 2)]),
            "abb": ([2, 1], [(0, 2), (2, 3)]),
        },
    ),
    (
        "BPE: an end-of-word suffix",
        file(SUFFIX),
        {
            "ab": ([2], [(0, 2)]),
            "aab": ([0, 2], [(0, 1), (1, 3)]),
            "a": ([4], [(0, 1)]),
            "cab": ([3, 2], [(0, 1), (1, 3)]),
            "ba": ([4, 4], [(0, 1), (1, 2)]),
        },
    ),
    (
        "BPE: prefix and suffix",
        file(BOTH),
        {
            "ab": ([2], [(0, 2)]),
            "acb": ([0, 3, 1], [(0, 1), (1, 2), (2, 3)]),
            "a": ([4], [(0, 1)]),
            "cab": ([5, 5, 1], [(0, 1), (1, 2), (2, 3)]),
        },
    ),
    (
        "BPE: ignore_merges knows no affixes",
        file(bpe("a b</w> ab", end_of_word_suffix="</w>", ignore_merges=True)),
        {
            "ab": ([2], [(0, 2)]),
            "aab": ([0, 0, 1], [(0, 1), (1, 2), (2, 3)]),
            "b</w>": ([1], [(0, 5)]),
        },
    ),
    (
        "BPE: of a merge that stands twice the last row counts",
        file(bpe("a b ab c bc", "a b, b c, a b")),
        {"abc": ([0, 4], [(0, 1), (1, 3)])},
    ),
    (
        "BPE: an unknown token that is not in the vocabulary is missed only where it is needed",
        file(UNK_IS_MISSING),
        {"ab": ([0, 1], [(0, 1), (1, 2)]), "abc": None},
    ),
    (
        "BPE on visible bytes: some are missing",
        file(bpe("a b Ġ Ġb", "Ġ b"), BYTE_LEVEL),
        {
            "c b": ([3], [(0, 2)], [(1, 3)]),
            "猫 b": ([3], [(0, 1)], [(1, 3)]),
            "a\nb": ([0, 1], [(0, 1), (1, 2)], [(0, 1), (2, 3)]),
            "xxx b b": ([3, 3], [(0, 3), (3, 5)], [(3, 5), (5, 7)]),
        },
    ),
    (
        "BPE on visible bytes: some are unknown",
        file(bpe("a b Ġ Ġb <unk>", "Ġ b", unk_token="<unk>"), BYTE_LEVEL),
        {
            "c b": ([4, 3], [(0, 1), (1, 3)]),
            "猫 b": ([4, 4, 4, 3], [(0, 1), (0, 1), (0, 1), (1, 3)]),
        },
    ),
    (
        "BPE on visible bytes: an end-of-word suffix, as CLIP has it",
        file(
            bpe(
                "a b</w> Ġ ab</w> <unk> Ġ</w>",
                "a b</w>",
                unk_token="<unk>",
                end_of_word_suffix="</w>",
            ),
            BYTE_LEVEL,
        ),
        {
            "ab": ([3], [(0, 2)]),
            "a ": ([0, 5], [(0, 1), (1, 2)]),
            "aba": ([0, 4, 4], [(0, 1), (1, 2), (2, 3)]),
        },
    ),
    (
        "BPE on visible bytes: those of a visible character fall back",
        file(bpe("a <0xC4> <0xA0> <unk>", unk_token="<unk>", byte_fallback=True), BYTE_LEVEL),
        {
            "a a": ([0, 1, 2, 0], [(0, 1), (1, 2), (1, 2), (2, 3)]),
            "猫 a": (
                [3, 3, 1, 2, 3, 0],
                [(0, 1), (0, 1), (0, 1), (0, 1), (1, 2), (2, 3)],
                [(0, 1), (0, 1), (1, 2), (1, 2), (0, 1), (2, 3)],
            ),
        },
    ),
    (
        "WordPiece: the longest match, a prefix that is a token and stands in texts",
        file(word_piece("a ## ##b [UNK] # ###")),
        {
            "ab": ([0, 2], [(0, 1), (1, 2)]),
            "##": ([1], [(0, 2)]),
            "##b": ([2], [(0, 3)]),
            "a#": ([0, 5], [(0, 1), (1, 2)]),
            "###": ([5], [(0, 3)]),
            "a##": ([0, 5, 5], [(0, 1), (1, 2), (2, 3)]),
            "##a": ([3], [(0, 3)]),
            "#b": ([4, 2], [(0, 1), (1, 2)]),
        },
    ),
    (
        "WordPiece: words that are too long",
        file(word_piece("a ##a [UNK]", most=3), WHITESPACE),
        {"aaa aaaa": ([0, 1, 1, 2], [(0, 1), (1, 2), (2, 3), (4, 8)])},
    ),
    (
        "WordPiece: no character at all may be in a word",
        file(word_piece("a [UNK]", most=0)),
        {"a": ([1], [(0, 1)]), "": ([], [])},
    ),
    (
        "WordPiece: an empty prefix",
        file(word_piece("a ab b [UNK]", prefix="")),
        {"abb": ([1, 2], [(0, 2), (2, 3)]), "bab": ([2, 1], [(0, 1), (1, 3)])},
    ),
    (
        "WordPiece: an unknown token that is not in the vocabulary",
        file(word_piece("a ab", unk="[X]")),
        {"ab": ([1], [(0, 2)]), "abc": None},
    ),
    (
        "WordPiece on visible bytes",
        file(word_piece("a Ġa ##b [UNK]", most=3), {**BYTE_LEVEL, "use_regex": True}),
        {"ab a": ([0, 2, 1], [(0, 1), (1, 2), (2, 4)]), "abbb": ([3], [(0, 4)])},
    ),
    (
        "WordLevel",
        file(
            {"type": "WordLevel", "vocab": {"a": 0, "ab": 1, "u": 2}, "unk_token": "u"}, WHITESPACE
        ),
        {"ab a b": ([1, 0, 2], [(0, 2), (3, 4), (5, 6)])},
    ),
    (
        "WordLevel: an unknown token that is not in the vocabulary",
        file({"type": "WordLevel", "vocab": {"ab": 0}, "unk_token": "[X]"}),
        {"ab": ([0], [(0, 2)]), "abc": None},
    ),
    (
        "Unigram: the bytes of unknown characters in a row stand for all of them",
        file(unigram(*letters(), byte_fallback=True)),
        {
            "aéça": ([1, 197, 171, 197, 169, 1], [(0, 1), *[(1, 3)] * 4, (3, 4)]),
            "é": ([197, 171], [(0, 1), (0, 1)]),
            "<unk>": ([0], [(0, 5)]),
            "<unk>é": ([62, 119, 112, 109, 64, 197, 171], [(0, 6)] * 7),
            "<0x41>": ([67], [(0, 6)]),
        },
    ),
    (
        "Unigram: with some bytes missing",
        file(unigram(*letters()[:178], byte_fallback=True)),
        {
            "aéça": ([1, 0, 1], [(0, 1), (1, 3), (3, 4)]),
            "z": ([124], [(0, 1)]),
            "zé": ([0], [(0, 2)]),
        },
    ),
    (
        "Unigram: without an unknown token even a text that could do without is refused",
        file(unigram(("a", -1.0), ("ab", -1.0), ("bc", -1.0), unk_id=None)),
        {
            "aab": ([0, 1], [(0, 1), (1, 3)]),
            "b": None,
            "bc": None,
        },
    ),
    (
        "Unigram: without an unknown token bytes do not fall back either",
        file(unigram(*letters()[1:], unk_id=None, byte_fallback=True)),
        {"a": ([0], [(0, 1)]), "aé": None},
    ),
    (
        "Unigram: what is unknown in a row is looked up once more",
        file(unigram(("u", 0.0), ("uu", -1.0), ("x", -1.0))),
        {
            "uu": ([1], [(0, 2)]),
            "xuux": ([2, 1, 2], [(0, 1), (1, 3), (3, 4)]),
            "uuu": ([0], [(0, 3)]),
        },
    ),
    (
        "Unigram: of a piece that stands twice the last one counts",
        file(unigram(("u", 0.0), ("x", -1.0), ("x", -3.0))),
        {"xx": ([2, 2], [(0, 1), (1, 2)])},
    ),
    (
        "Unigram: ties in 64 bits (bug case 6)",
        file(RUN),
        {
            "▁hmm": ([1, 5, 3], [(0, 1), (1, 2), (2, 4)]),
            "▁hmmm": ([1, 5, 4], [(0, 1), (1, 2), (2, 5)]),
            "▁hmmmm": ([1, 5, 4, 2], [(0, 1), (1, 2), (2, 5), (5, 6)]),
            "▁hmmmmm": ([1, 5, 3, 4], [(0, 1), (1, 2), (2, 4), (4, 7)]),
            "▁hmmmmmmm": ([1, 5, 4, 2, 4], [(0, 1), (1, 2), (2, 5), (5, 6), (6, 9)]),
        },
    ),
    (
        "Unigram: sums so large that scores which differ are lost in them",
        file(unigram(("<unk>", 0.0), ("A", -1e37), ("C", -1e24), ("D", -1e24), ("CD", -2.7e24))),
        {
            "CD": ([2, 3], [(0, 1), (1, 2)]),
            "A" * 1000 + "CD": (
                [1] * 1000 + [4],
                [*((at, at + 1) for at in range(1000)), (1000, 1002)],
            ),
        },
    ),
    (
        "Unigram on visible bytes",
        file(unigram(("<unk>", 0.0), ("Ġa", -1.0), ("b", -2.0)), BYTE_LEVEL),
        {"b a": ([2, 1], [(0, 1), (1, 3)]), "猫": ([0], [(0, 1)])},
    ),
]
