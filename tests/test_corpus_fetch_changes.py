"""A site that changes while it is fetched, files that are not ours, what sites really answer."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from kugiri.corpus import read_documents
from kugiri.corpus.http import Patience
from kugiri.corpus.wordpress import fetch, read_pages
from kugiri.errors import CorpusError, KugiriError, KugiriWarning, OptionError
from test_cli_main import run
from wordpress_site import TITLES, Handler, Site, fails, post, titles

QUICK = Patience(pause=0, timeout=0.3)


def deleted(site: Site) -> Any:
    """The first post goes before the next page is asked for."""
    return lambda page: site.posts.__delitem__(0) if page.number == 1 else None


def published(site: Site) -> Any:
    """A draft with a low id becomes a post."""
    early = {**post(0), "id": 1}
    return lambda page: site.posts.insert(0, early) if page.number == 1 else None


@pytest.mark.parametrize(
    ("change", "documents", "message"),
    [
        (deleted, 249, "it has changed meanwhile: 250 posts at first, 249 at the end, 0 that came"),
        (published, 250, "250 posts at first, 251 at the end, 1 that came twice"),
    ],
)
def test_a_site_that_changes(
    site: Site, tmp_path: Path, change: Any, documents: int, message: str
) -> None:
    with pytest.warns(KugiriWarning, match=message):
        fetched = fetch(site.url, tmp_path / "a.txt", patience=QUICK, on_page=change(site))
    assert fetched.text.documents == documents
    lines = (tmp_path / "a.txt").read_text(encoding="utf-8").splitlines()
    assert len(set(lines)) == len(lines)


@pytest.mark.usefixtures("waits")
def test_a_site_that_changed_while_it_was_stopped(site: Site, tmp_path: Path) -> None:
    site.trouble = [None, fails(403)]
    with pytest.raises(CorpusError):
        fetch(site.url, tmp_path / "a.txt")
    site.posts.insert(0, {**post(0), "id": 1})
    with pytest.warns(KugiriWarning, match="250 posts at first, 251 at the end, 1 that came twice"):
        fetch(site.url, tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text(encoding="utf-8").splitlines() == TITLES


def test_a_part_that_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "mine.txt.part").write_text("mine")
    with pytest.raises(KugiriError, match=r"mine\.txt\.part: this file is there already, and no"):
        fetch("example.invalid", tmp_path / "mine.txt")
    assert (tmp_path / "mine.txt.part").read_text() == "mine"


@pytest.mark.usefixtures("waits")
def test_two_fetches_to_one_file(site: Site, tmp_path: Path) -> None:
    def again(page: Any) -> None:
        if page.number == 2:
            with pytest.raises(KugiriError, match="another fetch is writing this file now; wait"):
                fetch(site.url, tmp_path / "a.txt")

    assert fetch(site.url, tmp_path / "a.txt", on_page=again).text.documents == 250
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.usefixtures("waits")
def test_a_csv_that_goes_on(site: Site, tmp_path: Path) -> None:
    site.trouble = [None, fails(403)]
    with pytest.raises(CorpusError):
        fetch(site.url, tmp_path / "a.csv")
    fetch(site.url, tmp_path / "a.csv")
    assert [document.text for document in read_documents(tmp_path / "a.csv")] == TITLES
    assert (tmp_path / "a.csv").read_text(encoding="utf-8").startswith("id,link,text\n0,https://")


@pytest.mark.usefixtures("waits")
def test_a_title_is_no_markdown(site: Site) -> None:
    site.posts[0]["title"]["rendered"] = "~~~お知らせ~~~ 夏休み"
    site.posts[1]["title"]["rendered"] = "```"
    assert titles(site)[:2] == ["~~~お知らせ~~~ 夏休み", "```"]


# ── what sites really answer ──────────────────────────────────────────────────────────────────
@pytest.mark.usefixtures("waits")
def test_a_byte_order_mark(site: Site) -> None:
    body = b"\xef\xbb\xbf" + json.dumps([post(0)]).encode()
    site.trouble = [lambda h: h.answer(200, body, {"X-WP-TotalPages": "1"})]
    assert len(titles(site)) == 1


@pytest.mark.usefixtures("waits")
def test_php_that_speaks_before_the_json(site: Site) -> None:
    body = b"<br />\n<b>Warning</b>: Undefined variable $x in a.php on line 3" + b"[]" * 99
    site.trouble = [lambda h: h.answer(200, body, {"X-WP-TotalPages": "1"})]
    with pytest.raises(CorpusError, match=r"beginning with '<br />\\n<b>Warning</b>: Undef") as it:
        titles(site)
    assert len(str(it.value)) < 300


@pytest.mark.usefixtures("waits")
def test_a_server_that_speaks_at_length(site: Site) -> None:
    body = json.dumps({"message": "x" * 10_000}).encode()
    site.trouble = [lambda h: h.answer(403, body, {})] * 2
    with pytest.raises(CorpusError, match=r"said 403 Forbidden: x{200};"):
        titles(site)


def test_a_head_that_drips(site: Site, waits: list[float]) -> None:
    ended = threading.Event()

    def drip(handler: Handler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(60):
            if ended.wait(0.1):
                return
            try:
                handler.wfile.write(f"X-{number}: x\r\n".encode())
                handler.wfile.flush()
            except OSError:
                return

    site.trouble = [drip]
    said: list[str] = []
    started = time.monotonic()
    patience = Patience(pause=0, timeout=0.5, on_retry=said.append)
    pages = list(read_pages(site.url, patience=patience))
    ended.set()
    assert time.monotonic() - started < 4
    assert sum(len(page.posts) for page in pages) == 250
    assert said == ["no answer within 0.5 seconds; trying again in 1 s …"]
    assert max(waits) == 1.0


def test_a_password_is_not_shown(tmp_path: Path) -> None:
    for url in (
        "https://me:secret@example.org",
        "me:secret@example.org/wp-json",
        "http://a:secret@[x",
    ):
        result = run("fetch", "wordpress", url, "-o", tmp_path / "a.txt")
        assert result.code == 2
        assert "the address has a user and a password before its @, which would be" in result.err
        assert "secret" not in result.err
    assert not list(tmp_path.iterdir())


# ── values of wrong kinds ─────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("seconds", ["nan", "inf", "1e12", "0", "-1"])
def test_times_that_are_none(tmp_path: Path, seconds: str) -> None:
    result = run("fetch", "wordpress", "example.org", "-o", tmp_path / "a", "--timeout", seconds)
    assert (result.code, result.err.count("timeout is")) == (2, 1)
    pause = "-1" if seconds == "0" else seconds
    with pytest.raises(OptionError, match="pause is"):
        Patience(pause=float(pause))


@pytest.mark.parametrize("url", [None, 5, b"example.org"])
def test_addresses_that_are_none(tmp_path: Path, url: Any) -> None:
    with pytest.raises(OptionError, match="url is"):
        fetch(url, tmp_path / "x")
    with pytest.raises(OptionError, match="url is"):
        list(read_pages(url))
    with pytest.raises(OptionError, match="output is"):
        fetch("example.org", url)
