"""The posts of a WordPress site, by its REST API.

Rule.    Pages of 100 posts in order of their ids, so that a new post moves no other; the header
         X-WP-TotalPages of each answer says how many pages there are. A page that is not there,
         since posts were deleted meanwhile, is the end. A site that changes meanwhile may repeat a
         post, which is left out here, or skip one: X-WP-Total then says another number of posts
         than at first, and a warning says so at the end.
Cost.    One request a page, one after another.
Source.  The REST API handbook of WordPress: the route wp/v2/posts, its arguments and headers.
"""

from __future__ import annotations

import re
import time
import warnings
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit, urlunsplit

import msgspec

from kugiri.corpus.http import Answer, Patience, get, in_ascii
from kugiri.errors import CorpusError, KugiriWarning, OptionError, choose
from kugiri.inputs import as_string, as_whole

FIELDS = ("title", "content")
_PER_PAGE = 100
_ROUTE = "wp/v2/posts"
_PAGES, _TOTAL = "x-wp-totalpages", "x-wp-total"
_SAID, _BEGINNING = 200, 80
"""How much of a message, and of an answer that is none, an error repeats."""

_ENDS_EARLY = "it had announced a page {}, and has none; the pages before it are all there is"
_PASSWORD = re.compile(r"([^/?#]*//)?[^/?#]*@")
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
        total: how many posts the site says that it has.
    """

    number: int
    of: int
    posts: list[Post]
    total: int | None = None


class Seen(msgspec.Struct):
    """What is known of a site while it is read, by which a change is found out.

    Attributes:
        first, last: how many posts it said that it has, at first and last.
        repeated: how many posts came once more.
        ids: of the posts so far; where a fetch goes on, of the page before.
    """

    first: int | None = None
    last: int | None = None
    repeated: int = 0
    ids: set[int] = msgspec.field(default_factory=set)

    def new_of(self, page: Page) -> Page:
        """The page without the posts that came before."""
        new = [post for post in page.posts if post.id is None or post.id not in self.ids]
        self.repeated += len(page.posts) - len(new)
        self.ids.update(post.id for post in new if post.id is not None)
        if page.total is not None:
            self.first = page.total if self.first is None else self.first
            self.last = page.total
        return page._replace(posts=new)

    def change(self) -> str:
        """What to say of a site that has changed; nothing of one that has not."""
        if self.first == self.last and not self.repeated:
            return ""
        return (
            f"it has changed meanwhile: {self.first} posts at first, {self.last} at the end, "
            f"{self.repeated} that came twice (kept once); where one was deleted, another may be "
            f"missing here: to have them all, fetch again"
        )


def read_pages(
    url: str,
    field: str = "title",
    *,
    start: int = 1,
    patience: Patience | None = None,
    seen: Seen | None = None,
) -> Iterator[Page]:
    """Yield the pages of posts of a site, each post once.

    Args:
        url: the site, https:// in front or not; the address of its API will do too.
        field: "title" or "content".
        start: the page to begin with.
        patience: how long to wait, and how often.
        seen: what is known of the site from the pages before `start`.

    Raises:
        CorpusError: the site cannot be reached, or has no such API.
        OptionError: a value is of a wrong type, or the address holds a password.
    """
    choose("field", field, FIELDS)
    start = as_whole("start", start, 1)
    seen = Seen() if seen is None else seen
    patience = patience or Patience()
    site = site_of(url)
    api, answer = _find(site, _query(field, start), patience)
    number, before = start, None
    while True:
        page = _read(answer, field, number)
        if number > 1 and not page.posts:
            warnings.warn(f"{site}: {_ENDS_EARLY.format(number)}", KugiriWarning, stacklevel=2)
            break
        if before is not None and page.posts == before.posts:
            raise CorpusError(
                f"{api}: page {number} is page {number - 1} once more: the site, or a cache before "
                f"it, does not look at page numbers; ask its owner"
            )
        yield seen.new_of(page)
        if number >= page.of:
            break
        time.sleep(patience.pause)
        number, before = number + 1, page
        answer = get(_with(api, _query(field, number)), patience)
    if change := seen.change():
        warnings.warn(f"{site}: {change}", KugiriWarning, stacklevel=2)


def _query(field: str, page: int) -> dict[str, str | int]:
    return {
        "per_page": _PER_PAGE,
        "page": page,
        "orderby": "id",
        "order": "asc",
        "_fields": f"id,link,{field}",
    }


def site_of(url: str) -> str:
    """The address of the front page, without a slash at its end.

    Example:
        >>> site_of("example.org/blog/"), site_of("http://example.org/wp-json/wp/v2/posts?page=2")
        ('https://example.org/blog', 'http://example.org')

    Raises:
        CorpusError: it is none.
        OptionError: it is no str, or holds a name and a password, which would be shown and kept.
    """
    if _PASSWORD.match(as_string("url", url)):
        raise OptionError(
            "the address has a user and a password before its @, which would be shown and kept in "
            "files; leave them out: what is public needs none"
        )
    parts = urlsplit(in_ascii(url if "://" in url else f"https://{url}"))
    path = parts.path.partition("/wp-json")[0].rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def _find(site: str, query: dict[str, Any], patience: Patience) -> tuple[str, Answer]:
    """The address of the API and its first answer; a site without nice links has another one."""
    first, _ = addresses = (f"{site}/wp-json/{_ROUTE}", f"{site}/?rest_route=/{_ROUTE}")
    answers = []
    for address in addresses:
        answers.append(get(_with(address, query), patience))
        if _PAGES in answers[-1].headers or _NO_SUCH_PAGE in answers[-1].body:
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
        found = msgspec.json.decode(_json(answer), type=list[dict[str, Any]])
        rows = [(post.get("id"), post.get("link"), post[field]["rendered"]) for post in found]
        total = answer.headers.get(_TOTAL, "")
        return Page(
            number,
            int(answer.headers[_PAGES]),
            msgspec.convert(rows, list[Post]),
            int(total) if total.isdigit() else None,
        )
    except (msgspec.DecodeError, KeyError, TypeError, ValueError, RecursionError):
        raise CorpusError(
            f"{answer.url.partition('?')[0]}: this is no page of posts with a {field}: "
            f"the site said {answer.status}{_message(answer)}"
        ) from None


def _message(answer: Answer) -> str:
    """What the API says in words, or what came instead of it."""
    try:
        return f": {str(msgspec.json.decode(_json(answer))['message'])[:_SAID]}"
    except (msgspec.DecodeError, KeyError, TypeError, RecursionError):
        kind = answer.headers.get("content-type", "of no type")
        begins = _json(answer)[: 4 * _BEGINNING].decode(errors="replace")[:_BEGINNING].strip()
        return f" ({kind}), beginning with {begins!r}" if begins else f" ({kind})"


def _json(answer: Answer) -> bytes:
    """The body; a byte order mark, which some sites put before it, is none of JSON."""
    return answer.body.removeprefix(BOM_UTF8)
