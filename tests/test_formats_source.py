"""What a tokenizer is loaded from: folders, companions, names on the hub; all of it offline."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import pytest

import kugiri
from kugiri.errors import FormatError, KugiriWarning
from kugiri.formats import source, write_file
from tests.test_spec import GPT2, T5

VOCAB_TXT = b"[UNK]\n[CLS]\n[SEP]\nlow\n##er\n"
HUB = "owner/some-model"


def fill(folder: Path, *names: str) -> Path:
    """A folder with files of tokenizers."""
    contents = {"vocab.json": b'{"a": 0, "b": 1}', "merges.txt": b"", "vocab.txt": VOCAB_TXT}
    folder.mkdir(exist_ok=True, parents=True)
    for name in names:
        if name in contents:
            (folder / name).write_bytes(contents[name])
        else:
            write_file(T5 if name == "tokenizer.json" else GPT2, folder / name)
    return folder


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["tokenizer.json"], "tokenizer.json"),
        (["vocab.txt"], "vocab.txt"),
        (["vocab.json", "merges.txt"], "vocab.json"),
        (["vocab.json", "vocab.txt"], "vocab.txt"),
        (["strange.kugiri.json"], "strange.kugiri.json"),
    ],
)
def test_the_one_in_a_folder(tmp_path: Path, names: list[str], chosen: str) -> None:
    folder = fill(tmp_path, *names)
    assert source.file_in(folder) == folder / chosen
    assert kugiri.load(folder) == kugiri.load(folder / chosen)
    assert kugiri.load(str(folder)) == kugiri.load(folder / chosen)


@pytest.mark.parametrize(
    ("names", "chosen", "others"),
    [
        (["tokenizer.json", "vocab.txt"], "tokenizer.json", "vocab.txt"),
        (
            ["vocab.txt", "vocab.json", "merges.txt", "tokenizer.json"],
            "tokenizer.json",
            "vocab.json, vocab.txt",
        ),
        (["mine.kugiri.json", "tokenizer.json"], "mine.kugiri.json", "tokenizer.json"),
    ],
)
def test_one_of_several(tmp_path: Path, names: list[str], chosen: str, others: str) -> None:
    folder = fill(tmp_path, *names)
    with pytest.warns(KugiriWarning, match=f"{chosen} is loaded, and not {others}: name"):
        assert kugiri.load(folder).spec == kugiri.load(folder / chosen).spec


def test_folders_without_one(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="this folder holds no tokenizer; the formats are"):
        kugiri.load(tmp_path)
    with pytest.raises(FormatError, match=r"no tokenizer; vocab\.json needs merges\.txt beside it"):
        kugiri.load(fill(tmp_path, "vocab.json"))


def test_bytes_have_no_companions() -> None:
    with pytest.raises(FormatError, match=r"says nothing without its merges\.txt"):
        kugiri.load(b'{"a": 0, "b": 1}')
    assert kugiri.load(VOCAB_TXT).special_tokens == {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2}


def test_settings_are_no_tokenizer(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer_config.json"
    path.write_bytes(b'{"tokenizer_class": "BertTokenizer"}')
    with pytest.raises(FormatError, match="the settings of a tokenizer; load the file beside it"):
        kugiri.load(path)


def test_a_vocabulary_may_hold_the_keys_of_other_formats(tmp_path: Path) -> None:
    tokens = ["model", "kugiri", "config", "vocab", "tokenizer_class"]
    numbered = ", ".join(f'"{token}": {id}' for id, token in enumerate(tokens))
    (tmp_path / "anything.json").write_text(f"{{{numbered}}}")
    with pytest.raises(FormatError, match=r"a vocab\.json says nothing without its merges\.txt"):
        kugiri.load(tmp_path / "anything.json")


# ── the hub ───────────────────────────────────────────────────────────────────────────────────
class Hub:
    """Stands for the package huggingface_hub."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked = folder, list[tuple[str, list[str]]]()

    def snapshot_download(self, name: str, *, allow_patterns: list[str]) -> str:
        self.asked.append((name, allow_patterns))
        if name != HUB:
            raise OSError(f"404: no repository {name}\nand more")
        return str(self.folder)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """A hub with one model."""
    hub = Hub(fill(tmp_path / "snapshot", "tokenizer.json"))
    module: Any = types.ModuleType("huggingface_hub")
    module.snapshot_download = hub.snapshot_download
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)
    monkeypatch.chdir(tmp_path)
    return hub


def test_a_name_on_the_hub(hub: Hub) -> None:
    assert kugiri.load(HUB) == kugiri.load(hub.folder)
    [(name, wanted)] = hub.asked
    assert name == HUB
    assert {"tokenizer.json", "merges.txt", "tokenizer_config.json"} < set(wanted)
    assert not any("safetensors" in each for each in wanted)


def test_a_name_that_the_hub_does_not_have(hub: Hub) -> None:
    with pytest.raises(FormatError, match="cannot be had from the Hugging Face hub: 404: no repo"):
        kugiri.load("owner/other")


@pytest.mark.parametrize("path", [HUB, "snapshot/absent", "a/b/c", "absent", "./owner/model",
                                  "owner/x.tiktoken", "owner/tokenizer.json"])  # fmt: skip
def test_what_is_here_or_names_a_file_is_not_asked_for(hub: Hub, tmp_path: Path, path: str) -> None:
    if path == HUB:
        fill(tmp_path / HUB, "tokenizer.json")
        kugiri.load(path)
        kugiri.load(Path(path))
    else:
        with pytest.raises(FormatError, match="there is no such file"):
            kugiri.load(path)
    assert hub.asked == []


def test_a_path_is_no_name(hub: Hub) -> None:
    with pytest.raises(FormatError, match="there is no such file"):
        kugiri.load(Path(HUB))
    assert hub.asked == []


def test_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FormatError, match=r"no file or folder owner/some-model; .*'kugiri\[hub\]'"):
        kugiri.load(HUB)
