"""Requests to a running server of the page, whatever a browser would not send included."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

JSON = "application/json"
BYTES = "application/octet-stream"


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> tuple[int, str]:
        """The status and the words of a refusal."""
        assert self.json.keys() - {"kind", "values"} == {"error"}, self.json
        return self.status, self.json["error"]

    @property
    def refusal(self) -> tuple[int, str, dict[str, Any]]:
        """The status of a refusal, and what is said of it as data."""
        assert self.json.keys() == {"error", "kind", "values"}, self.json
        return self.status, self.json["kind"], self.json["values"]


def send(
    address: str,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str | None] = {},
) -> Answer:
    """Send a request; of its headers those that are None are left out."""
    place = urlsplit(address).netloc
    connection = http.client.HTTPConnection(place, timeout=60)
    all_headers = {"Host": place, **headers}
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    if body is not None:
        all_headers = {"Content-Length": str(len(body)), **all_headers}
    for name, value in all_headers.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(body)
    response = connection.getresponse()
    found = {name.lower(): value for name, value in response.getheaders()}
    answer = Answer(response.status, found, response.read())
    connection.close()
    return answer


def get(address: str, path: str, **headers: str | None) -> Answer:
    """Get something."""
    return send(address, "GET", path, None, _named(headers))


def ask(address: str, name: str, question: object, **headers: str | None) -> Answer:
    """Ask a question: a structure, or the bytes that are sent in the place of one."""
    body = question if isinstance(question, bytes) else json.dumps(question).encode()
    its = {"Content-Type": JSON, **_named(headers)}
    return send(address, "POST", f"/api/{name}", body, its)


def drop(address: str, name: str, file: bytes, at: str = "tokenizers") -> Answer:
    """Drop a file on the page."""
    return send(address, "PUT", f"/api/{at}?name={quote(name)}", file, {"Content-Type": BYTES})


def names(address: str) -> list[str]:
    """The tokenizers that are there."""
    return [it["name"] for it in get(address, "/api/state").json["tokenizers"]]


def raw(address: str, *parts: bytes) -> bytes:
    """Send bytes as they are, and read what comes until the server closes."""
    place = urlsplit(address)
    with socket.create_connection((place.hostname, place.port), timeout=30) as connection:
        try:
            for part in parts:
                connection.sendall(part)
        except OSError:  # it has heard enough
            pass
        found = b""
        try:
            while part := connection.recv(65_536):
                found += part
        except OSError:
            pass
        return found


def _named(headers: Mapping[str, str | None]) -> dict[str, str | None]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
