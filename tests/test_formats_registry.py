"""Recognising formats, and reading and writing by path."""

from __future__ import annotations

import base64
import gzip
import json
import os
from pathlib import Path

import pytest

from kugiri.errors import FormatError, OptionError
from kugiri.formats import FORMATS, read_file, write_file
from kugiri.formats.recognise import SUFFIXES
from kugiri.spec import AddedToken, Split
from tests.test_spec import FAMILIES, GPT2

TIKTOKEN = b"".join(base64.b64encode(bytes([byte])) + b" %d\n" % byte for byte in range(256))
VOCAB = b'{"a": 0}'


@pytest.mark.parametrize("name", ["kugiri", "tokenizer.json"])
def test_content_goes_before_the_name(name: str, tmp_path: Path) -> None:
    for other in ("x.json", "x.tiktoken", "tokenizer.json", "x.kugiri.json", "x"):
        path = tmp_path / other
        write_file(GPT2, path, format=name)
        assert read_file(path) == GPT2
        assert read_file(str(path)) == GPT2
        assert read_file(path.read_bytes()) == GPT2


@pytest.mark.parametrize("name", ["kugiri", "tokenizer.json"])
@pytest.mark.parametrize("lead", ["\n", "\r\n", " ", "\t"])
@pytest.mark.parametrize("indent", [None, 2, 4, "\t"])
def test_white_space_before_json(
    name: str, lead: str, indent: int | str | None, tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    write_file(GPT2, path, format=name)
    text = json.dumps(json.loads(path.read_bytes()), indent=indent)
    assert read_file((lead + text).encode()) == GPT2


def test_tiktoken_by_content_and_by_name(tmp_path: Path) -> None:
    assert read_file(TIKTOKEN, pattern="gpt2") == read_file(
        TIKTOKEN, pattern="gpt2", format="tiktoken"
    )
    path = tmp_path / "o200k_harmony.tiktoken"
    path.write_bytes(TIKTOKEN)
    read = read_file(path)
    assert isinstance(read.pre_tokenizer, Split)
    assert AddedToken(200012, "<|call|>") in read.added_tokens


@pytest.mark.parametrize("name", FAMILIES)
def test_written_in_the_format_of_the_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / "猫.kugiri.json"
    path.write_bytes(b"what was there before")
    write_file(FAMILIES[name], path)
    assert read_file(path) == FAMILIES[name]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.json", b"", "the file is empty"),
        ("x.json", b" \n", "the file is empty"),
        ("x.json", b"hello", "this is no tokenizer file that kugiri knows; the formats are kugiri"),
        ("vocab.json", VOCAB, "a vocab.json says nothing without its merges.txt"),
        ("tokenizer.json", VOCAB, "unknown key 'a' in a tokenizer.json"),
        ("x.kugiri.json", VOCAB, 'the key "kugiri" is missing'),
        ("x.json", b'{"model": {', "byte 10: EOF"),
        ("x.json", b'{"model": [], "model": 2}', 'the key "model" stands twice'),
        ("tokenizer.json", b"version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS"),
        ("x.json", b"version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS"),
        ("x", b"\n<!DOCTYPE html><html>", "a web page"),
        ("x.zip", b"PK\x03\x04", "a ZIP archive"),
        ("x.gz", gzip.compress(TIKTOKEN), "compressed with gzip"),
        (
            "x.model",
            b"\n\x0e\n\x05<unk>",
            "byte 0: field 1 should be 14 bytes long, but 7 are left",
        ),
        ("merges.txt", b"#version: 0.2\na b\n", "a merges.txt"),
        ("x.tiktoken", TIKTOKEN, "give pattern="),
        ("x.tiktoken", b"\x00\x01", "is not base64, a space and a rank"),
    ],
)
def test_not_read(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        read_file(path)
    assert message in str(caught.value)
    assert caught.value.path == str(path)
    assert str(caught.value).startswith(str(path))


def test_a_folder_names_the_files_in_it(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="this folder holds no tokenizer; the formats are"):
        read_file(tmp_path)
    for name in ("a.kugiri.json", "b.kugiri.json"):
        write_file(GPT2, tmp_path / name)
    with pytest.raises(
        FormatError, match=r"name the file in it: a\.kugiri\.json, b\.kugiri\.json$"
    ):
        read_file(tmp_path)
    with pytest.raises(FormatError, match="this is a folder; name a file in it"):
        write_file(GPT2, tmp_path, format="kugiri")


def test_paths_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no such file; give a file"):
        read_file(tmp_path / "absent.kugiri.json")
    with pytest.raises(
        FormatError, match=r"cannot be written: there is no folder .*absent; make it first"
    ):
        write_file(GPT2, tmp_path / "absent" / "x.kugiri.json")
    with pytest.raises(FormatError, match="the end of this name is that of no format"):
        write_file(GPT2, tmp_path / "x.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_may_not_be_written_to(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(FormatError, match="cannot be written: Permission denied"):
        write_file(GPT2, tmp_path / "x.kugiri.json")


def test_nothing_is_left_where_the_format_has_no_place(tmp_path: Path) -> None:
    path = tmp_path / "x.tiktoken"
    path.write_bytes(TIKTOKEN)
    with pytest.raises(FormatError) as caught:
        write_file(FAMILIES["bert"], path)
    assert caught.value.path == str(path)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == TIKTOKEN


def test_options() -> None:
    with pytest.raises(OptionError, match="unknown format 'tiktokens'; did you mean 'tiktoken'"):
        read_file(TIKTOKEN, format="tiktokens")
    with pytest.raises(OptionError, match=r"pattern= is for \.tiktoken files; a tokenizer"):
        read_file(b'{"model": {}}', pattern="gpt2")
    with pytest.raises(OptionError, match=r"special_tokens= is for \.tiktoken files"):
        read_file(b'{"kugiri": 1}', special_tokens={})
    assert list(FORMATS) == list(SUFFIXES)
    assert all(its.suffix == SUFFIXES[name] for name, its in FORMATS.items())
