"""`kugiri demo`: the whole story on one screen, in a terminal and in a pipe."""

from __future__ import annotations

from test_cli_main import run

from kugiri.cli.demo import BYTE_SIZES, CHARACTER_SIZES, NEXT, SENTENCE
from kugiri.cli.display import readable


def test_demo_tells_the_whole_story() -> None:
    result = run("demo")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert "\x1b" not in result.out
    table = [line.split() for line in lines if line.startswith(("BPE of", "byte-level BPE  "))]
    sizes = [int(row[-3].replace(",", "")) for row in table]
    assert sizes == [*CHARACTER_SIZES, *BYTE_SIZES]
    tokens = [int(row[-2].replace(",", "")) for row in table]
    assert tokens[:4] == sorted(tokens[:4], reverse=True)
    assert tokens[4:] == sorted(tokens[4:], reverse=True)
    assert table[4][-1] == "1.000"
    assert f"  {'|'.join(SENTENCE)}" in lines
    assert "  the same text: yes" in lines
    assert [line.strip() for line in lines[-3:]] == list(NEXT)


def test_every_row_of_the_split_is_the_sentence_again() -> None:
    splits = [line.strip() for line in run("demo").out.splitlines() if "|" in line]
    assert len(splits) == 1 + len(CHARACTER_SIZES) + len(BYTE_SIZES)
    for split in splits:
        if "<" not in split:
            assert split.replace("|", "") == readable(SENTENCE)
