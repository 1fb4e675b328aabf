"""What explain prints: glyphs, widths, sixteen colours, none, and pipes."""

from __future__ import annotations

import sys
from pathlib import Path
from unicodedata import category

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from
from rich.cells import cell_len

import kugiri
from kugiri.cli.explain import command
from kugiri.cli.symbols import near
from kugiri.explain.glyphs import GLYPHS, glyphs, visible
from tests.explained import made, unigram
from tests.explained_examples import EXAMPLES, HOSTILE, INVISIBLE, TOKYO
from tests.strategies import texts
from tests.terminals import codes, on_terminal, plain

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")


# ── glyphs ────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b", "a␠b"),
        ("\t\n\r\x00\x1b\x7f", "␉␊␍␀␛␡"),
        ("\x85\x9b", "<NEL><U+009B>"),
        ("\u3000\u00a0\u202f\u2003", "<IDSP><NBSP><NNBSP><EMSP>"),
        ("\u200b\u200c\u200d\u2060\ufeff", "<ZWSP><ZWNJ><ZWJ><WJ><BOM>"),
        ("\ufe0e\ufe0f\U000e0100", "<VS15><VS16><VS17>"),
        (
            "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e",
            "<LRM><RLM><ALM><LRE><RLE><PDF><LRO><RLO>",
        ),
        ("\u2066\u2067\u2068\u2069", "<LRI><RLI><FSI><PDI>"),
        ("\U000e0067\U000e0020\U000e007f", "<TAG g><TAG ␠><TAG END>"),
        ("\u00ad\u034f\u115f\u3164\uffa0\u2800", "<SHY><CGJ><HCF><HF><HWHF><BRAILLE SP>"),
        ("\u2028\u2029", "<LSEP><PSEP>"),
        ("\u0301a\u0301", "◌\u0301a\u0301"),
        ("👩\u200d🔧", "👩<ZWJ>🔧"),
        ("<e5 b0>", "<e5 b0>"),
        ("日本", "日本"),
    ],
)
def test_glyphs(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_every_character_without_ink_has_a_glyph() -> None:
    for code in [*range(0x20000), *range(0xE0000, 0xE1000)]:
        character = chr(code)
        ((shown, is_glyph),) = glyphs(character)
        if category(character) in ("Cf", "Zs", "Zl", "Zp", "Cc", "Cs") or code >= 0xE0000:
            assert is_glyph, hex(code)
            assert shown.isprintable()
            assert shown != character
        elif not is_glyph:
            assert shown in (character, f"◌{character}")


def test_no_two_are_shown_alike() -> None:
    assert len({*GLYPHS.values()}) == len(GLYPHS)


@given(texts)
def test_nothing_that_is_shown_is_unseen(text: str) -> None:
    for character in visible(text):
        assert category(character) not in ("Cf", "Zl", "Zp", "Cc")


# ── the command ───────────────────────────────────────────────────────────────────────────────
@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tokenizers in files."""
    folder = tmp_path_factory.mktemp("explain")
    unigram(TOKYO).save(folder / "tokyo.kugiri.json")
    made(".kugiri.json").save(folder / "bytes.kugiri.json")
    made("tokenizer.json").save(folder / "tokenizer.json")
    (folder / "small.txt").write_text("低い 低い 低さ\n", encoding="utf-8")
    return folder


CASES = {
    "tokyo": ("-t", "tokyo.kugiri.json", "東京都に住む" * 6),
    "bytes": ("-t", "bytes.kugiri.json", "吾輩は猫である。" + INVISIBLE.replace("\n", "")),
    "hostile": ("-t", "tokenizer.json", HOSTILE + "\x1b]0;x\x07\x9b31m"),
    "training": ("--training", "small.txt", "--unit", "char", "--num-merges", "2"),
    "training, unigram": ("--training", "small.txt", "--model", "unigram", "--vocab-size", "10"),
}


def arguments(folder: Path, name: str) -> list[str]:
    files = {path.name: str(path) for path in folder.iterdir()}
    return [files.get(each, each) for each in CASES[name]]


@posix
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("width", [60, 200])
def test_it_fits_and_has_few_colours(folder: Path, name: str, width: int) -> None:
    output = on_terminal(width, "explain", *arguments(folder, name))
    lines = plain(output).split("\n")
    assert max(map(cell_len, lines)) <= width
    # Bold, dim, italic; yellow and cyan, which are among the first sixteen.
    assert codes(output) <= {"", "0", "1", "2", "3", "33", "36"}
    unseen = {it for it in plain(output) if category(it) in ("Cf", "Cc", "Zl", "Zp", "Zs")}
    assert unseen <= {"\n", " "}


@posix
def test_without_colour(folder: Path) -> None:
    output = on_terminal(80, "explain", *arguments(folder, "tokyo"), NO_COLOR="1")
    assert codes(output) <= {"", "0", "1", "2", "3"}


@pytest.mark.parametrize("name", CASES)
def test_pipes_get_plain_text(folder: Path, name: str) -> None:
    run = CliRunner().invoke(command, arguments(folder, name))
    assert (run.exit_code, "\x1b" in run.output) == (0, False)
    assert not any(line.endswith(" ") for line in run.output.splitlines())


def test_the_lattice(folder: Path) -> None:
    text = ["-t", str(folder / "tokyo.kugiri.json"), "東京都に住む"]
    lines = CliRunner().invoke(command, text).output.splitlines()
    at = lines.index("model         Unigram: 12 ways to cut it, entropy 0.780 nats")
    assert lines[at + 1 : at + 6] == [
        " 東 京 都 に 住 む",
        "│東 京 都│に│住 む│",
        "│東│京│都│  │住│む│",
        "│東 京│都 に│",
        "   │京 都│",
    ]
    assert " 1    -9.251   0.000       0.7653  ████████████████  東京都|に|住む" in lines


def test_merges_and_their_tree(folder: Path) -> None:
    kugiri.train(
        {"low": 5, "lower": 2, "newest": 6, "widest": 3},
        unit="char", end_of_word="_", tie="first-seen", num_merges=10,
    ).save(folder / "low.kugiri.json")  # fmt: skip
    text = ["-t", str(folder / "low.kugiri.json"), "lowest"]
    output = CliRunner().invoke(command, text).output
    assert output.startswith("text          lowest\ntokens        low|est_\nnormalized")
    assert "   3  l + o → lo      lo|w|est_\n" in output
    assert "tree          ((l o) w) (((e s) t) _)\n" in output


@given(
    lists(sampled_from(["l", "<e3 81>", "図書館"]), min_size=1, max_size=20),
    integers(0, 19),
    integers(11, 60),
)
def test_a_row_of_symbols_has_the_new_one_and_fits(symbols: list[str], new: int, room: int) -> None:
    new %= len(symbols)
    row = near(symbols, new, room)
    assert cell_len(row.plain) <= room
    shown = row.plain.split("|")
    kept = [each for each in shown if each != "…"]
    assert symbols[new] in kept
    assert "|".join(kept) in "|".join(symbols)
    assert (len(kept) < len(symbols)) == ("…" in shown)


def test_why(folder: Path) -> None:
    text = ["-t", str(folder / "tokyo.kugiri.json"), "--why", "東京", "東京都に住む"]
    assert CliRunner().invoke(command, text).output == (
        "「東京」 at 0–2 is not one token: 東京都\n"
        "  model: it is in the vocabulary as 1, but a path worth 1.57 more won: "
        "東京都|に (-6.032) over 東京|都に (-7.601)\n"
    )
    found = CliRunner().invoke(command, [*text, "--json"])
    assert '"causes":[{"stage":"model"' in found.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["東京"], "name a tokenizer with -t FILE, or a corpus with --training FILE"),
        (["-t", "x", "--vocab-size", "9", "a"], "--vocab-size is an option of a training"),
        (["--training", "x", "-t", "y"], "-t is for a text; leave it out with --training"),
        (["--training", "x", "東京"], "TEXT is for a text"),
        (["-t", "TOKYO", "--why", "東", "--nbest", "3", "東京"], "--nbest is for the ways to cut"),
        (["-t", "x", "--json", "--html", "y", "a"], "--json and --html exclude each other"),
    ],
)
def test_what_does_not_go_together(folder: Path, arguments: list[str], message: str) -> None:
    tokyo = str(folder / "tokyo.kugiri.json")
    run = CliRunner().invoke(command, [tokyo if it == "TOKYO" else it for it in arguments])
    assert run.exit_code == 2
    assert message in run.output


def test_a_page(folder: Path, tmp_path: Path) -> None:
    text = ["-t", str(folder / "tokyo.kugiri.json"), "--html", str(tmp_path / "page.html"), "東京"]
    assert CliRunner().invoke(command, text).output == f"{tmp_path / 'page.html'}\n"
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!doctype html>\n<html")
    two = CliRunner().invoke(command, [*text[:-1]], input="東京\n京都\n")
    assert two.exit_code == 2
    assert "--html makes a page of one text; several lines came" in two.output
    none = CliRunner().invoke(command, [*text[:-1]], input="")
    assert none.exit_code == 2
    assert "--html makes a page of one text; none came" in none.output


def test_no_page_of_a_line_so_long_that_others_come_later(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    asked = ["-t", str(folder / "tokyo.kugiri.json"), "--html", str(page)]
    run = CliRunner().invoke(command, asked, input="東" * 2_800_000 + "\n京\n")
    assert run.exit_code == 2
    assert not page.exists()


def test_examples_are_drawn() -> None:
    from kugiri.cli.explanation import draw

    for example in EXAMPLES.values():
        draw(example.explained())
