"""The public encodings by name: from a cache, or fetched, or an error that says what to do.

No test asks the network: what would be fetched is made here.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import kugiri
from kugiri.corpus import http
from kugiri.errors import CorpusError, FormatError, KugiriWarning
from kugiri.formats import encoding_files
from kugiri.formats.encodings import ENCODINGS, PublicEncoding
from tests.oracles import oracle_tiktoken, parity_file
from tests.test_formats_tiktoken import SMALL

FILE = PublicEncoding(ENCODINGS["o200k_base"].sha256, "o200k", {}).file


class Web:
    """What is fetched, and how often."""

    def __init__(self, status: str = "200 OK", body: bytes = SMALL) -> None:
        self.status, self.body, self.asked = status, body, list[str]()

    def get(self, url: str, patience: http.Patience) -> http.Answer:
        self.asked.append(url)
        if not self.status:
            raise CorpusError(f"{url}: cannot be reached: no route")
        return http.Answer(url, self.status, {}, self.body)


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Web:
    """A web that has the file of o200k_base, which is a small one here; and an empty cache."""
    web = Web()
    small = ENCODINGS["o200k_base"]._replace(sha256=hashlib.sha256(SMALL).hexdigest())
    monkeypatch.setattr(PublicEncoding, "file", property(lambda self: FILE))
    monkeypatch.setitem(ENCODINGS, "o200k_base", small)
    monkeypatch.setattr(http, "get", web.get)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "cache"))
    return web


def test_addresses_are_those_of_tiktoken() -> None:
    assert {name: its.url.rpartition("/")[2] for name, its in ENCODINGS.items()} == {
        "r50k_base": "r50k_base.tiktoken",
        "gpt2": "r50k_base.tiktoken",
        "p50k_base": "p50k_base.tiktoken",
        "p50k_edit": "p50k_base.tiktoken",
        "cl100k_base": "cl100k_base.tiktoken",
        "o200k_base": "o200k_base.tiktoken",
        "o200k_harmony": "o200k_base.tiktoken",
    }
    # The name that tiktoken gives the file in its cache.
    assert ENCODINGS["o200k_base"].cache_key == "fb374d419588a4632f3f557e76b4b70aebbca790"


def test_fetched_once_then_taken_from_the_cache(web: Web, tmp_path: Path) -> None:
    first = kugiri.load("o200k_base")
    assert kugiri.load("o200k_base") == first
    assert web.asked == ["https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"]
    cached = list((tmp_path / "cache").iterdir())
    assert [path.read_bytes() for path in cached] == [SMALL]
    assert first.special_tokens == {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}


@pytest.mark.parametrize("name", ["key", "file"])
def test_a_file_in_the_cache_is_found_by_either_name(web: Web, tmp_path: Path, name: str) -> None:
    its = ENCODINGS["o200k_base"]
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / (its.cache_key if name == "key" else its.file)).write_bytes(SMALL)
    kugiri.load("o200k_base")
    assert web.asked == []


def test_a_wrong_file_in_the_cache_is_not_taken(web: Web, tmp_path: Path) -> None:
    place = tmp_path / "cache" / ENCODINGS["o200k_base"].cache_key
    place.parent.mkdir()
    place.write_bytes(SMALL[:-9])
    kugiri.load("o200k_base")
    assert len(web.asked) == 1
    assert place.read_bytes() == SMALL


def test_a_wrong_file_is_named_where_no_other_can_be_had(web: Web, tmp_path: Path) -> None:
    web.status = ""
    place = tmp_path / "cache" / FILE
    place.parent.mkdir()
    place.write_bytes(SMALL[:-9])
    with pytest.raises(FormatError, match="another SHA-256") as caught:
        kugiri.load("o200k_base")
    assert f"which is not what {place} holds" in str(caught.value)
    assert place.read_bytes() == SMALL[:-9]


def test_other_folders(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_GYM_CACHE_DIR", str(tmp_path / "gym"))
    assert encoding_files.cache_folder() == tmp_path / "cache"
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    assert encoding_files.cache_folder() == tmp_path / "gym"
    monkeypatch.delenv("DATA_GYM_CACHE_DIR")
    default = encoding_files.cache_folder()
    assert default is not None
    assert default.name == "data-gym-cache"


def test_no_cache(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    kugiri.load("o200k_base")
    kugiri.load("o200k_base")
    assert len(web.asked) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_cannot_be_written_to(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "file" / "cache"))
    (tmp_path / "file").write_bytes(b"")
    with pytest.warns(KugiriWarning, match="was fetched and cannot be kept in"):
        kugiri.load("o200k_base")


@pytest.mark.parametrize(
    ("status", "body", "why"),
    [
        ("", SMALL, "cannot be reached: no route"),
        ("403 Forbidden", SMALL, r"o200k_base\.tiktoken: 403 Forbidden"),
        ("200 OK", b"<html>", "what came is not the file with the SHA-256"),
    ],
)
def test_where_it_cannot_be_fetched(
    web: Web, tmp_path: Path, status: str, body: bytes, why: str
) -> None:
    web.status, web.body = status, body
    with pytest.raises(FormatError, match=why) as caught:
        kugiri.load("o200k_base")
    message = str(caught.value)
    assert message.startswith("the encoding o200k_base is the file o200k_base.tiktoken, which is")
    assert f"put the file into the folder {tmp_path / 'cache'} (TIKTOKEN_CACHE_DIR" in message
    assert not (tmp_path / "cache").exists()


def test_without_a_cache_the_error_names_the_variable(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.status = ""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    with pytest.raises(FormatError, match="set TIKTOKEN_CACHE_DIR to a folder with the file in it"):
        kugiri.load("o200k_base")


def test_a_file_of_that_name_goes_first(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kugiri.load(SMALL, pattern="gpt2").save("gpt2", "kugiri")
    assert kugiri.load("gpt2").spec.origin == "tiktoken"
    assert web.asked == []


@pytest.mark.parametrize("name", ["r50k_base", "cl100k_base"])
def test_the_cache_of_tiktoken_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = oracle_tiktoken(name)
    folder = parity_file(f"tiktoken/cache/{ENCODINGS[name].cache_key}").parent
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
    text = "吾輩は猫である。 We'RE 12345\n\n  <|endoftext|>"
    tok = kugiri.load(name)
    assert tok.encode(text) == oracle.encode(text, disallowed_special=())
    assert tok.special_tokens == oracle._special_tokens
