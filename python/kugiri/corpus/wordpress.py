"""Fetching the posts of a WordPress site into a file.

Rule.    A page is a step of `Parts`, so that nothing is fetched twice; of each post its field is
         cleaned and written. Posts are HTML, so what looks like Markdown in them is text.
Cost.    One request a page, one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from typing import NamedTuple

import msgspec

from kugiri.corpus.clean import clean
from kugiri.corpus.http import Patience
from kugiri.corpus.prepare import write_code
from kugiri.corpus.resume import Parts
from kugiri.corpus.wordpress_pages import FIELDS, Page, Seen, read_pages, site_of
from kugiri.corpus.write import DocumentWriter, refuse_same
from kugiri.errors import CorpusError, choose
from kugiri.inputs import as_flag, as_path

__all__ = ["FIELDS", "Fetched", "Page", "fetch", "read_pages"]


class Fetched(NamedTuple):
    """What a fetch has brought.

    Attributes:
        text: the writer of the posts, which has counted them.
        code: that of their code, if it is kept.
        left_out: how many blocks of code were not kept.
    """

    text: DocumentWriter
    code: DocumentWriter | None
    left_out: int


def fetch(
    url: str,
    output: str | PathLike[str],
    *,
    field: str = "title",
    raw: bool = False,
    code_out: str | PathLike[str] | None = None,
    patience: Patience | None = None,
    on_page: Callable[[Page], None] = lambda page: None,
) -> Fetched:
    """Write the posts of a site to a file; started again after a failure, it goes on.

    Args:
        url: the site, as for `read_pages`.
        output: the file; a .jsonl or .csv has id, link and text of each post, any other one
            post a line.
        field: "title" or "content".
        raw: keep the HTML, tags and all.
        code_out: where the blocks of code go that are taken out of it.
        patience: how long to wait, and how often.
        on_page: called after each page.

    Raises:
        CorpusError: the site cannot be read, or the file belongs to another fetch.
        OptionError: a value is of a wrong type, or the address holds a password.
        KugiriError: the file cannot be written.
    """
    site_of(url)
    choose("field", field, FIELDS)
    as_flag("raw", raw)
    files = {"text": as_path(output, "output")}
    if code_out is not None:
        files["code"] = as_path(code_out, "code_out")
    refuse_same(files.values())
    code = str(files.get("code", ""))
    request: dict[str, str | bool] = {"url": url, "field": field, "raw": raw, "code": code}
    with Parts(files, request) as parts:
        writer, code_writer = parts.writers["text"], parts.writers.get("code")
        seen = msgspec.convert(parts.known, Seen)
        for page in _pages(url, field, parts, patience, seen):
            for post in page.posts:
                text, blocks = (post.html, []) if raw else clean(post.html, markdown=False)
                parts.left_out += write_code(blocks, code_writer)
                writer.write(text, id=post.id, link=post.link)
            kept = {post.id for post in page.posts if post.id is not None}
            parts.known = msgspec.to_builtins(msgspec.structs.replace(seen, ids=kept))
            parts.step_done(page.number, page.of)
            on_page(page)
        parts.finish()
    return Fetched(writer, code_writer, parts.left_out)


def _pages(
    url: str, field: str, parts: Parts, patience: Patience | None, seen: Seen
) -> Iterator[Page]:
    """The pages that are still to come; a failure says how to go on."""
    if parts.next > (parts.of or 1):
        return
    try:
        yield from read_pages(url, field, start=parts.next, patience=patience, seen=seen)
    except CorpusError as error:
        if parts.next == 1:
            raise
        raise CorpusError(
            f"{error}; {parts.next - 1} of {parts.of} pages are here: the same command goes on "
            f"with the next"
        ) from error
