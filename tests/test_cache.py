"""KUGIRI_CACHE: what is kept gives the same as the file itself, and is never trusted blindly."""

from __future__ import annotations

import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import kugiri
from hard_texts import HARD
from kugiri import Tokenizer, cache
from oracles import parity_file
from processes import run_python

NAMES = ["gemma3", "gpt4o", "llama2", "llama3", "qwen3"]
TEXT = "low lower lowest, 東京都 é"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tokenizer.json"
    corpus = ["low lower lowest", "東京都に行く"] * 3
    kugiri.train(corpus, vocab_size=270, special_tokens=["<|end|>"]).save(path)
    return path


def is_kept(tokenizer: Tokenizer) -> bool:
    return "_read_spec" in tokenizer.__dict__


def assert_same(one: Tokenizer, other: Tokenizer, texts: list[str]) -> None:
    for text in texts:
        ids = one.encode(text)
        assert ids == other.encode(text)
        assert one.tokens(text) == other.tokens(text)
        assert one.decode(ids) == other.decode(ids)
        assert one.encode(text, allowed_special="all") == other.encode(text, allowed_special="all")
    assert (one, one.vocab, hash(one)) == (other, other.vocab, hash(other))
    assert pickle.loads(pickle.dumps(one)) == other


def test_nothing_is_kept_unless_asked(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    assert not is_kept(kugiri.load(file))
    assert not is_kept(kugiri.load(file))


def test_the_second_load_is_of_what_was_kept(file: Path, folder: Path) -> None:
    first, second, third = kugiri.load(file), kugiri.load(file), kugiri.load(file.read_bytes())
    assert (is_kept(first), is_kept(second), is_kept(third)) == (False, True, True)
    assert len(list(folder.iterdir())) == 1
    assert_same(first, second, [TEXT, "", "low<|end|>", "\ud7ff\U0010ffff"])


@pytest.mark.parametrize("name", NAMES)
def test_real_vocabularies(name: str, folder: Path) -> None:
    path = parity_file(f"npm/{name}/tokenizer.json")
    first, second = kugiri.load(path), kugiri.load(path)
    assert is_kept(second)
    assert folder.exists()
    for text in HARD:
        assert first.encode(text, allowed_special="all") == second.encode(
            text, allowed_special="all"
        )
    assert first.spec == second.spec


def test_damage_anywhere_is_seen(file: Path, folder: Path) -> None:
    expected = kugiri.load(file).encode(TEXT)
    (kept,) = folder.iterdir()
    whole = kept.read_bytes()
    step = len(whole) // 60
    for place in [*range(0, 200, 3), *range(200, len(whole), step), len(whole) - 1]:
        kept.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        tokenizer = kugiri.load(file)
        assert not is_kept(tokenizer), f"byte {place}"
        assert tokenizer.encode(TEXT) == expected
        assert is_kept(kugiri.load(file))  # written anew
    for damaged in (whole[: len(whole) // 2], b"", whole + b"x"):
        kept.write_bytes(damaged)
        assert not is_kept(kugiri.load(file))


def test_another_content_is_another_tokenizer(file: Path, folder: Path) -> None:
    kugiri.load(file)
    times = file.stat()
    (kept,) = folder.iterdir()
    changed = file.read_bytes().replace(b'"<|end|>"', b'"<|fin|>"')
    file.write_bytes(changed)  # of the same size, and the same time
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    tokenizer = kugiri.load(file)
    assert not is_kept(tokenizer)
    assert "<|fin|>" in tokenizer.special_tokens
    (other,) = set(folder.iterdir()) - {kept}
    kept.replace(other)  # what was made of one file under the name of another
    assert "<|fin|>" in kugiri.load(file).special_tokens


def test_other_formats_and_options_are_read_as_ever(tmp_path: Path, folder: Path) -> None:
    own = tmp_path / "a.kugiri.json"
    kugiri.train(["low lower"] * 2, vocab_size=258).save(own)
    assert not is_kept(kugiri.load(own))
    assert not is_kept(kugiri.load(own))
    assert not folder.exists()


def test_options_go_by_the_file(file: Path, folder: Path) -> None:
    kugiri.load(file)
    assert not is_kept(kugiri.load(file, unicode="current"))
    assert not is_kept(kugiri.load(file, format="tokenizer.json"))


def test_a_folder_that_cannot_be_written_is_a_warning(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").write_text("a file")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "taken" / "cache"))
    with pytest.warns(kugiri.KugiriWarning, match="cannot be kept in the folder"):
        tokenizer = kugiri.load(file)
    assert tokenizer.decode(tokenizer.encode(TEXT)) == TEXT


def test_what_is_no_file_is_a_warning(file: Path, folder: Path) -> None:
    kugiri.load(file)
    (kept,) = folder.iterdir()
    for put in (
        kept.mkdir,
        lambda: os.mkfifo(kept),
        lambda: kept.symlink_to(kept),
        lambda: kept.symlink_to("/dev/zero"),
    ):
        kept.rmdir() if kept.is_dir() else kept.unlink()
        put()
        with pytest.warns(kugiri.KugiriWarning, match="cannot be kept in the folder"):
            tokenizer = kugiri.load(file)
        assert tokenizer.decode(tokenizer.encode(TEXT)) == TEXT


def test_many_at_once(file: Path, folder: Path) -> None:
    expected = kugiri.load(file).encode(TEXT)
    for kept in folder.iterdir():
        kept.unlink()
    with ThreadPoolExecutor(8) as threads:
        loaded = list(threads.map(lambda _: kugiri.load(file), range(32)))
    assert all(tokenizer.encode(TEXT) == expected for tokenizer in loaded)
    assert is_kept(kugiri.load(file))
    assert len(list(folder.iterdir())) == 1


def test_in_another_process(file: Path, folder: Path) -> None:
    kugiri.load(file)
    printed = run_python(
        f"import kugiri; t = kugiri.load({str(file)!r}); print('_read_spec' in vars(t))"
    )
    assert printed.strip() == "True"
