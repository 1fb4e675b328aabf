"""The posts of a WordPress site, by its REST API.

Rule.    Pages of 100 posts in order of their ids, so that a post that is added meanwhile moves no
         other; the header X-WP-TotalPages of each answer says how many there are. A page that is
         not there, since posts were deleted meanwhile, is the end, and a warning.
Cost.    One request a page, one after another.
Source.  The REST API handbook of WordPress: the route wp/v2/posts, its arguments and headers.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit, urlunsplit

import msgspec

from kugiri.corpus.clean import clean
from kugiri.corpus.http import Answer, Patience, get, in_ascii
from kugiri.corpus.prepare import write_code
from kugiri.corpus.resume import Parts
from kugiri.corpus.write import DocumentWriter, refuse_same
from kugiri.errors import CorpusError, KugiriWarning, choose

FIELDS = ("title", "content")
_PER_PAGE = 100
_ROUTE = "wp/v2/posts"
_TOTAL = "x-wp-totalpages"
_ENDS_EARLY = "it had announced a page {}, and has none; the pages before it are all there is"
_NO_SUCH_PAGE = b'"rest_post_invalid_page_number"'


class Post(NamedTuple):
    """One post.

    Attributes:
        id: its number.
        link: its address.
        html: the field that was asked for, as the site shows it.
    """

    id: int | None
    link: str | None
    html: str


class Page(NamedTuple):
    """Up to 100 posts.

    Attributes:
        number: from 1.
        of: how many pages there are.
        posts: the posts.
    """

    number: int
    of: int
    posts: list[Post]


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


def read_pages(
    url: str, field: str = "title", *, start: int = 1, patience: Patience | None = None
) -> Iterator[Page]:
    """Yield the pages of posts of a site.

    Args:
        url: the site, https:// in front or not; the address of its API will do too.
        field: "title" or "content".
        start: the page to begin with.
        patience: how long to wait, and how often.

    Raises:
        CorpusError: the site cannot be reached, or has no such API.
    """
    choose("field", field, FIELDS)
    patience = patience or Patience()
    site = _site(url)
    api, answer = _find(site, _query(field, start), patience)
    number, before = start, None
    while True:
        page = _read(answer, field, number)
        if number > 1 and not page.posts:
            warnings.warn(f"{site}: {_ENDS_EARLY.format(number)}", KugiriWarning, stacklevel=2)
            return
        if before is not None and page.posts == before.posts:
            raise CorpusError(
                f"{api}: page {number} is page {number - 1} once more: the site, or a cache before "
                f"it, does not look at page numbers; ask its owner"
            )
        yield page
        if number >= page.of:
            return
        time.sleep(patience.pause)
        number, before = number + 1, page
        answer = get(_with(api, _query(field, number)), patience)


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
        output: the file; a .jsonl has id, link and text of each post, any other one post a line.
        field: "title" or "content".
        raw: keep the HTML, tags and all.
        code_out: where the blocks of code go that are taken out of it.
        patience: how long to wait, and how often.
        on_page: called after each page.

    Raises:
        CorpusError: the site cannot be read, or the file belongs to another fetch.
        KugiriError: the file cannot be written.
    """
    files = {"text": Path(output)}
    if code_out is not None:
        files["code"] = Path(code_out)
    refuse_same(files.values())
    code = str(files.get("code", ""))
    request: dict[str, str | bool] = {"url": url, "field": field, "raw": raw, "code": code}
    with Parts(files, request) as parts:
        writer, code_writer = parts.writers["text"], parts.writers.get("code")
        for page in _pages(url, field, parts, patience):
            for post in page.posts:
                text, blocks = (post.html, []) if raw else clean(post.html)
                parts.left_out += write_code(blocks, code_writer)
                writer.write(text, id=post.id, link=post.link)
            parts.step_done(page.number, page.of)
            on_page(page)
        parts.finish()
    return Fetched(writer, code_writer, parts.left_out)


def _pages(url: str, field: str, parts: Parts, patience: Patience | None) -> Iterator[Page]:
    """The pages that are still to come; a failure says how to go on."""
    if parts.next > (parts.of or 1):
        return
    try:
        yield from read_pages(url, field, start=parts.next, patience=patience)
    except CorpusError as error:
        if parts.next == 1:
            raise
        raise CorpusError(
            f"{error}; {parts.next - 1} of {parts.of} pages are here: the same command goes on "
            f"with the next"
        ) from error


def _query(field: str, page: int) -> dict[str, str | int]:
    return {
        "per_page": _PER_PAGE,
        "page": page,
        "orderby": "id",
        "order": "asc",
        "_fields": f"id,link,{field}",
    }


def _site(url: str) -> str:
    """The address of the front page, without a slash at its end.

    Example:
        >>> _site("example.org/blog/"), _site("http://example.org/wp-json/wp/v2/posts?page=2")
        ('https://example.org/blog', 'http://example.org')
    """
    parts = urlsplit(in_ascii(url if "://" in url else f"https://{url}"))
    path = parts.path.partition("/wp-json")[0].rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def _find(site: str, query: dict[str, Any], patience: Patience) -> tuple[str, Answer]:
    """The address of the API and its first answer; a site without nice links has another one."""
    first, _ = addresses = (f"{site}/wp-json/{_ROUTE}", f"{site}/?rest_route=/{_ROUTE}")
    answers = []
    for address in addresses:
        answers.append(get(_with(address, query), patience))
        if _TOTAL in answers[-1].headers or _NO_SUCH_PAGE in answers[-1].body:
            return _moved(address, answers[-1].url), answers[-1]
    raise CorpusError(
        f"{site}: this site has no WordPress REST API that answers: {first} said "
        f"{answers[0].status}{_message(answers[0])}; check the address, or ask its owner whether "
        f"the API is switched off"
    )


def _with(address: str, query: dict[str, Any]) -> str:
    return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"


def _moved(address: str, answered: str) -> str:
    """The address after redirects, so that later pages need none."""
    there, route = urlsplit(answered), urlsplit(address).query
    return urlunsplit((there.scheme, there.netloc, there.path, route, ""))


def _read(answer: Answer, field: str, number: int) -> Page:
    """The posts in an answer.

    Raises:
        CorpusError: it is no page of posts.
    """
    if _NO_SUCH_PAGE in answer.body:
        return Page(number, number - 1, [])
    try:
        found = msgspec.json.decode(answer.body, type=list[dict[str, Any]])
        rows = [(post.get("id"), post.get("link"), post[field]["rendered"]) for post in found]
        return Page(number, int(answer.headers[_TOTAL]), msgspec.convert(rows, list[Post]))
    except (msgspec.DecodeError, KeyError, TypeError, ValueError, RecursionError):
        raise CorpusError(
            f"{answer.url.partition('?')[0]}: this is no page of posts with a {field}: "
            f"the site said {answer.status}{_message(answer)}"
        ) from None


def _message(answer: Answer) -> str:
    """What the API says in words, or what came instead of it."""
    try:
        said = msgspec.json.decode(answer.body)["message"]
        return f": {said}"
    except (msgspec.DecodeError, KeyError, TypeError, RecursionError):
        return f" ({answer.headers.get('content-type', 'of no type')})"
