"""Fetching over HTTP with patience: one request at a time, again where it may help.

Rule.    What a moment may cure is tried again: no answer in time, one that only drips, a broken
         connection, too many requests (429), a server that fails (500, 502, 503, 504). The waits
         double from one second on; a server that names a time with Retry-After gets it. Any other
         answer is returned.
Cost.    With the usual patience at most a minute of waiting for one request.
Source.  RFC 9110 for the statuses and Retry-After. The standard library does all that is needed
         here, redirects and the proxies of the environment included, so nothing need be installed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException, IncompleteRead, InvalidURL
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit, urlunsplit
from urllib.request import Request

from kugiri._version import __version__
from kugiri.corpus.opener import opener
from kugiri.errors import CorpusError, OptionError, shown
from kugiri.inputs import as_number, as_whole

_CURABLE_STATUSES = (429, 500, 502, 503, 504)
_FIRST_WAIT = 1.0
LONGEST_WAIT = 120.0
"""Seconds; a server that asks for more is left alone, and the user told when to come back."""

LARGEST = 256 << 20
"""Bytes of one answer; a hundred long posts are a few million."""

_SLOWEST = 1000
"""Bytes a second that an answer must bring, so that one that drips does not last forever."""

_CHUNK = 1 << 16
_DAY = 86_400
_PLAIN = "/%:@!$&'()*+,;=~?"
"""Signs that mean something in an address, and are left as they are."""


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long to wait, and how often.

    Attributes:
        timeout: seconds until a silent server counts as failed.
        retries: how many times a request is made again.
        pause: seconds between two requests, out of politeness.
        on_retry: is told why a request is made again, and after how long.
    """

    timeout: float = 30.0
    retries: int = 5
    pause: float = 1.0
    on_retry: Callable[[str], None] = lambda why: None

    def __post_init__(self) -> None:
        """Refuse what is no time.

        Raises:
            OptionError: a number is none, or not within a day.
        """
        as_whole("retries", self.retries)
        for name, above in ("timeout", True), ("pause", False):
            seconds = as_number(name, getattr(self, name))
            if not 0 <= seconds <= _DAY or (above and not seconds):
                bound = "above 0" if above else "from 0"
                raise OptionError(
                    f"{name} is {shown(seconds)}; it must be a number of seconds {bound}, "
                    f"at most {_DAY:,}, a day"
                )


class Answer(NamedTuple):
    """What a server said.

    Attributes:
        url: where it was said, after redirects.
        status: 200 and so on, with its name.
        headers: by their names in lower case.
        body: the bytes.
    """

    url: str
    status: str
    headers: dict[str, str]
    body: bytes


def in_ascii(url: str) -> str:
    """Return an address as the network wants it.

    Raises:
        CorpusError: it is none.

    Example:
        >>> in_ascii("https://日本語.example/猫?a=%20")
        'https://xn--wgv71a119e.example/%E7%8C%AB?a=%20'
    """
    try:
        parts = urlsplit(url)
        host = parts.netloc.encode("idna").decode()
    except ValueError as error:
        raise CorpusError(f"{url!r} is no web address: {error}") from None
    rest = (quote(part, safe=_PLAIN) for part in parts[2:])
    return urlunsplit((parts.scheme, host, *rest))


def get(url: str, patience: Patience) -> Answer:
    """Return what a server answers to a GET request, whatever its status.

    Raises:
        CorpusError: there is no answer, or still none after all that patience.
    """
    place = url.partition("?")[0]
    if urlsplit(url).scheme not in ("http", "https"):
        raise CorpusError(
            f"{place}: this is no web address; it must start with https:// or http://"
        )
    wait, why = 0.0, ""
    for attempt in range(patience.retries + 1):
        if attempt:
            patience.on_retry(f"{why}; trying again in {wait:.0f} s …")
        time.sleep(wait)
        wait = _FIRST_WAIT * 2**attempt
        try:
            answer = _ask(url, patience.timeout)
        except CorpusError:
            raise
        except (OSError, HTTPException) as error:
            why = _curable(error, patience.timeout)
            if not why:
                raise CorpusError(f"{place}: cannot be reached: {_said(error)}") from error
            continue
        if int(answer.status.split()[0]) not in _CURABLE_STATUSES:
            return answer
        why = f"the server said {answer.status}"
        wait = max(wait, _retry_after(answer.headers.get("retry-after", "")))
        if wait > LONGEST_WAIT:
            raise CorpusError(f"{place}: {why}, and asks to come back in {wait:.0f} seconds")
    raise CorpusError(f"{place}: {why}, {patience.retries + 1} times in a row")


def _ask(url: str, timeout: float) -> Answer:
    request = Request(url, headers={"User-Agent": f"kugiri/{__version__}"})
    try:
        response = opener().open(request, timeout=timeout)
    except HTTPError as error:
        response = error
    with response:
        return Answer(
            response.geturl(),
            f"{response.status} {str(response.reason).partition(chr(10))[0]}",
            {name.lower(): value for name, value in response.headers.items()},
            _body(response, url, timeout),
        )


def _body(response: Any, url: str, timeout: float) -> bytes:
    """All that a server sends, if it ends, and in time."""
    whole, started = response.length, time.monotonic()
    body = bytearray()
    while (whole is None or len(body) < whole) and (part := response.read1(_CHUNK)):
        body += part
        if len(body) > LARGEST:
            raise CorpusError(
                f"{url.partition('?')[0]}: the answer is larger than {LARGEST >> 20} MB; "
                f"this is no page of posts"
            )
        if time.monotonic() - started > timeout + len(body) / _SLOWEST:
            raise TimeoutError
    if whole is not None and len(body) < whole:
        raise IncompleteRead(bytes(body), whole - len(body))
    return bytes(body)


def _curable(error: Exception, timeout: float) -> str:
    """What went wrong, if the next moment may cure it; empty for a host that is not there."""
    cause = _cause(error)
    if isinstance(cause, TimeoutError):
        return f"no answer within {timeout:g} seconds"
    broken = isinstance(cause, (HTTPException, ConnectionError))
    if broken and not isinstance(cause, (ConnectionRefusedError, InvalidURL)):
        return f"the connection broke ({type(cause).__name__})"
    return ""


def _cause(error: Exception) -> BaseException | str:
    return error.reason if isinstance(error, URLError) else error


def _said(error: Exception) -> str:
    cause = _cause(error)
    return str((isinstance(cause, OSError) and cause.strerror) or cause)


def _retry_after(header: str) -> float:
    """Seconds that a server asks to wait: it names a number of them, or a date."""
    if header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0
