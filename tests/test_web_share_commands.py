"""The commands of the page that is shared: text, without folders or made-up files."""

from __future__ import annotations

from pathlib import Path

import pytest

import kugiri
from kugiri.web.requests import Share
from kugiri.web.share import share
from kugiri.web.store import Store
from tests.asking import drop
from tests.explained import made
from tests.serving import serving
from tests.test_web_share import address, shared

__all__ = ["address"]


def test_names_and_commands_are_text(address: str) -> None:
    name = f"<b>{'猫' * 77}"  # a label has 80 characters
    page = shared(address, "it's <i>", tokenizers=["bytes", name], explain="bytes")
    assert "<b>猫" not in page
    quoted = "&#x27;it&#x27;&quot;&#x27;&quot;&#x27;s &lt;i&gt;&#x27;"
    assert f"kugiri explain -t bytes {quoted}" in page
    assert "kugiri serve -t bytes -t &#x27;&lt;b&gt;" in page


@pytest.mark.parametrize("typed", [
    "/home/somebody/models/o200k_base.tiktoken", "../somebody/o200k_base.tiktoken",
    r"C:\Users\somebody\o200k_base.tiktoken", "o200k_base.tiktoken",
])  # fmt: skip
def test_nothing_tells_in_which_folder_a_file_was(typed: str) -> None:
    store = Store([("o200k", made(".kugiri.json"), "given")], {"o200k": typed})
    page = share(store, Share(text="low", tokenizers=["o200k"], explain="o200k"))
    assert "somebody" not in page
    assert ">kugiri serve -t o200k_base.tiktoken<" in page
    assert ">kugiri explain -t o200k_base.tiktoken low<" in page


def test_files_that_are_called_alike_are_told_apart() -> None:
    paths = {"one": "/somebody/tokenizer.json", "two": "b/tokenizer.json", "three": "3.model"}
    store = Store([(name, made(".kugiri.json"), "given") for name in paths], paths)
    page = share(store, Share(text="low", tokenizers=[*paths], explain="two"))
    told = "-t one/tokenizer.json -t two/tokenizer.json -t 3.model<"
    assert f">kugiri serve {told}" in page
    assert ">kugiri explain -t two/tokenizer.json low<" in page


def test_commands_have_what_was_typed_and_no_names(tmp_path: Path) -> None:
    kugiri.train(["bb bb"], vocab_size=257).save(tmp_path / "t.kugiri.json")
    with serving({"bytes": made(".kugiri.json")}) as address:
        dropped = drop(address, "dropped", (tmp_path / "t.kugiri.json").read_bytes())
        assert dropped.status == 200
        both = ["bytes", "dropped"]
        assert "kugiri serve -t bytes<" in shared(address, "a", tokenizers=both)
        page = shared(address, "a", tokenizers=["dropped"], explain="dropped")
    assert "kugiri explain -t" not in page
    assert "-t dropped" not in page
