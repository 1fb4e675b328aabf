"""Fetching from a WordPress site: what comes, where it is, and going on after a failure."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from kugiri.corpus import read_documents
from kugiri.corpus.http import Patience
from kugiri.corpus.wordpress import fetch
from kugiri.errors import CorpusError, KugiriError, KugiriWarning
from test_cli_main import run
from wordpress_site import TITLES, Site, fails, moved, post, titles


# ── what comes ────────────────────────────────────────────────────────────────────────────────
@pytest.mark.usefixtures("waits")
def test_titles_one_a_line(site: Site, tmp_path: Path) -> None:
    output = tmp_path / "titles.txt"
    result = run("fetch", "wordpress", site.url, "--field", "title", "-o", output)
    assert (result.code, result.out) == (0, f"{output}\n")
    assert output.read_text(encoding="utf-8").splitlines() == TITLES
    size = sum(len(title.encode()) for title in TITLES)
    characters = sum(map(len, TITLES))
    assert result.err == (
        f"kugiri: {output}: 250 documents, {characters:,} characters, {size:,} bytes\n"
    )
    assert site.pages == [1, 2, 3]
    assert [file.name for file in tmp_path.iterdir()] == ["titles.txt"]


@pytest.mark.usefixtures("waits")
def test_posts_as_records_and_their_code(site: Site, tmp_path: Path) -> None:
    result = run(
        "fetch", "wordpress", f"{site.url}/wp-json/wp/v2/posts?page=9", "--field", "content",
        "-o", tmp_path / "a.jsonl", "--code-out", tmp_path / "code.csv", "--json", "--quiet",
    )  # fmt: skip
    assert (result.code, result.err) == (0, "")
    records = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert records[7] == {
        "id": 21, "link": "https://example.org/7", "text": "本文7の一行目\n二行目",
    }  # fmt: skip
    code = [document.text for document in read_documents(tmp_path / "code.csv")]
    assert code[:2] == ["x = 0\n\n  y", "x = 1\n\n  y"]
    described = json.loads(result.out)
    assert [file["documents"] for file in described["files"]] == [250, 250]


@pytest.mark.usefixtures("waits")
def test_a_post_is_a_line_and_what_is_lost_is_said(site: Site, tmp_path: Path) -> None:
    result = run("fetch", "wordpress", site.url, "--field", "content", "-o", tmp_path / "a.txt")
    lines = (tmp_path / "a.txt").read_text(encoding="utf-8").splitlines()
    assert (len(lines), lines[0]) == (250, "本文0の一行目 二行目")
    assert "in 250 documents line breaks became spaces" in result.err
    assert "left out 250 blocks of code; keep them with --code-out FILE" in result.err


@pytest.mark.usefixtures("waits")
def test_raw(site: Site, tmp_path: Path) -> None:
    fetch(site.url, tmp_path / "a.jsonl", field="content", raw=True)
    first = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[0])
    assert first["text"] == post(0)["content"]["rendered"].strip("\n")


# ── where it is ───────────────────────────────────────────────────────────────────────────────
@pytest.mark.usefixtures("waits")
def test_a_site_without_nice_links(site: Site) -> None:
    site.pretty = False
    assert len(titles(site)) == 250
    assert [path.partition("?")[2][:27] for path in site.asked[1:]] == [
        "rest_route=/wp/v2/posts&per"
    ] * 3


@pytest.mark.usefixtures("waits")
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_site_that_has_moved(site: Site, status: int) -> None:
    site.trouble = [moved(status, lambda handler: f"{site.url}{handler.path}")]
    assert len(titles(site)) == 250
    assert len(site.asked) == 4  # only the first request is sent on


def test_a_circle_of_redirects(site: Site, waits: list[float]) -> None:
    site.trouble = [moved(301, lambda handler: handler.path)] * 99
    with pytest.raises(CorpusError, match=r"API that answers: .* said 301 .* infinite loop\. \("):
        titles(site)
    assert set(waits) <= {0.0}


def test_a_page_that_went_meanwhile_is_the_end(site: Site, tmp_path: Path) -> None:
    site.last = 2
    with pytest.warns(KugiriWarning, match="it had announced a page 3, and has none; the pages b"):
        assert fetch(site.url, tmp_path / "a.txt", patience=Patience(pause=0)).text.documents == 200
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.usefixtures("waits")
def test_a_page_without_posts_is_the_end(site: Site) -> None:
    many = {"X-WP-TotalPages": "1000000000"}
    page = json.dumps([post(1)]).encode()
    site.trouble = [lambda h: h.answer(200, page, many), lambda h: h.answer(200, b"[]", many)]
    with pytest.warns(KugiriWarning, match="it had announced a page 2, and has none"):
        assert len(titles(site)) == 1


@pytest.mark.usefixtures("waits")
def test_a_site_that_gives_the_same_page_again(site: Site) -> None:
    page = json.dumps([post(number) for number in range(100)]).encode()
    site.trouble = [lambda h: h.answer(200, page, {"X-WP-TotalPages": "3"})] * 2
    with pytest.raises(CorpusError, match="page 2 is page 1 once more: the site, or a cache befo"):
        titles(site)


# ── going on ──────────────────────────────────────────────────────────────────────────────────
def test_a_fetch_goes_on_where_it_was(site: Site, waits: list[float], tmp_path: Path) -> None:
    output = tmp_path / "titles.txt"
    site.trouble = [None, None, *[fails(500)] * 6]
    result = run("fetch", "wordpress", site.url, "-o", output)
    assert (result.code, result.out) == (1, "")
    assert "the server said 500 Internal Server Error, 6 times in a row" in result.err
    assert "2 of 3 pages are here: the same command goes on with the next" in result.err
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "titles.txt.part", "titles.txt.state",
    ]  # fmt: skip
    with (tmp_path / "titles.txt.part").open("ab") as part:
        part.write(b"half a ti")
    site.pages.clear()
    result = run("fetch", "wordpress", site.url, "-o", output)
    assert result.code == 0
    assert output.read_text(encoding="utf-8").splitlines() == TITLES
    assert site.pages == [3]
    assert "250 documents" in result.err
    assert [file.name for file in tmp_path.iterdir()] == ["titles.txt"]
    assert sum(waits) < 40


@pytest.mark.usefixtures("waits")
def test_two_files_go_on_together(site: Site, tmp_path: Path) -> None:
    def again() -> None:
        fetch(site.url, tmp_path / "a.jsonl", field="content", code_out=tmp_path / "code.txt")

    again()
    whole = [(tmp_path / name).read_text() for name in ("a.jsonl", "code.txt")]
    site.trouble = [None, fails(403)]
    with pytest.raises(CorpusError):
        again()
    again()
    assert [(tmp_path / name).read_text() for name in ("a.jsonl", "code.txt")] == whole


@pytest.mark.usefixtures("waits")
def test_another_fetch_for_the_same_file(site: Site, tmp_path: Path) -> None:
    site.trouble = [None, fails(403)]
    with pytest.raises(CorpusError):
        fetch(site.url, tmp_path / "a.txt")
    with pytest.raises(CorpusError, match="another fetch was begun here; go on with that one, del"):
        fetch(site.url, tmp_path / "a.txt", field="content")
    (tmp_path / "a.txt.state").write_text("{")
    with pytest.raises(CorpusError, match="another fetch was begun here"):
        fetch(site.url, tmp_path / "a.txt")


@pytest.mark.usefixtures("waits")
def test_a_part_that_was_lost_is_fetched_anew(site: Site, tmp_path: Path) -> None:
    site.trouble = [None, fails(403)]
    with pytest.raises(CorpusError):
        fetch(site.url, tmp_path / "a.txt")
    (tmp_path / "a.txt.part").unlink()
    assert fetch(site.url, tmp_path / "a.txt").text.documents == 250


def test_ctrl_c_says_how_to_go_on(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(seconds: float) -> None:
        if seconds == 0.5:
            raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", stop)
    command = ["fetch", "wordpress", site.url, "-o", str(tmp_path / "a.txt"), "--pause"]
    stopped = run(*command, "0.5")
    assert stopped.code == 130
    assert stopped.err.split("\n") == [
        "kugiri: what has come is kept: the same command goes on", "", "kugiri: stopped", "",
    ]  # fmt: skip
    assert run(*command, "0").err.startswith(f"kugiri: {tmp_path / 'a.txt'}: 250 documents")
    assert site.pages == [1, 2, 3]


def test_the_end_went_while_it_was_stopped(site: Site, tmp_path: Path) -> None:
    site.trouble = [None, None, fails(403)]
    with pytest.raises(CorpusError):
        fetch(site.url, tmp_path / "a.txt", patience=Patience(pause=0))
    site.last = 2
    with pytest.warns(KugiriWarning, match="it had announced a page 3, and has none"):
        assert fetch(site.url, tmp_path / "a.txt").text.documents == 200


def test_places_that_a_file_cannot_take(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place, message in (tmp_path, "this is a folder"), (tmp_path / "pipe", "no regular file"):
        with pytest.raises(KugiriError, match=message):
            fetch("example.org", place)
        with pytest.raises(KugiriError, match=message):
            fetch("example.org", tmp_path / "a.txt", code_out=place)
    with pytest.raises(KugiriError, match="this place is named twice"):
        fetch("example.org", tmp_path / "a.txt", code_out=tmp_path / "x" / ".." / "a.txt")
    assert [file.name for file in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.usefixtures("waits")
def test_a_link_stays_one(site: Site, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "a.txt").symlink_to(tmp_path / "there" / "b.txt")
    fetch(site.url, tmp_path / "a.txt")
    assert (tmp_path / "a.txt").is_symlink()
    assert (tmp_path / "there" / "b.txt").read_text(encoding="utf-8").splitlines() == TITLES
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.usefixtures("waits")
def test_stopped_while_the_last_step_was_taken(site: Site, tmp_path: Path) -> None:
    def stop(page: Any) -> None:
        if page.number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(site.url, tmp_path / "a.txt", on_page=stop)
    site.pages.clear()
    assert fetch(site.url, tmp_path / "a.txt").text.documents == 250
    assert site.pages == []
