"""Fetching from a WordPress site: what comes, where it is, and going on after a failure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kugiri.corpus.wordpress import fetch
from kugiri.errors import CorpusError
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
        "-o", tmp_path / "a.jsonl", "--code-out", tmp_path / "code.txt", "--json", "--quiet",
    )  # fmt: skip
    assert (result.code, result.err) == (0, "")
    records = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert records[7] == {
        "id": 21, "link": "https://example.org/7", "text": "本文7の一行目\n二行目",
    }  # fmt: skip
    code = (tmp_path / "code.txt").read_text().splitlines()
    assert code[:4] == ["x = 0", "  y", "x = 1", "  y"]
    described = json.loads(result.out)
    assert [file["documents"] for file in described["files"]] == [250, 500]


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
    with pytest.raises(CorpusError, match=r"has no WordPress REST API that answers: .* said 301"):
        titles(site)
    assert set(waits) <= {0.0}


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
