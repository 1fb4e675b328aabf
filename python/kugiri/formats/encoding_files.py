"""The file of a public encoding by its name: from a cache, else from where it is published.

Rule.    The folders are those of tiktoken: TIKTOKEN_CACHE_DIR, DATA_GYM_CACHE_DIR, or one among the
         temporary files; the first that is set counts, and an empty name means no cache. A file
         lies there as tiktoken names it or under its own name. Only one with the right SHA-256 is
         taken, whoever put it there; what is fetched is put there whole or not at all.
Cost.    One file read and summed; where it is absent, one request.
Source.  tiktoken 0.14.0.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from kugiri.errors import CorpusError, FormatError
from kugiri.files import write_beside
from kugiri.formats.encodings import ENCODINGS, PublicEncoding
from kugiri.warned import warn

_VARIABLES = ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")


def read_encoding(name: str) -> bytes:
    """The `.tiktoken` file of a name in ENCODINGS.

    Raises:
        FormatError: it is in no cache and cannot be fetched; says which file to put where.
    """
    kept = kept_encoding(name)
    if kept is not None:
        return kept
    encoding, folder = ENCODINGS[name], cache_folder()
    data = _fetch(name, encoding, folder)
    if folder is not None:
        _keep(data, folder, encoding)
    return data


def kept_encoding(name: str) -> bytes | None:
    """The file of a name in ENCODINGS, if a cache has it; nothing is fetched."""
    encoding = ENCODINGS[name]
    for place in _places(cache_folder(), encoding):
        data = _content(place)
        if data is not None and _is_right(data, encoding):
            return data
    return None


def cache_folder() -> Path | None:
    """Where tiktoken keeps its files; None where it is told to keep none."""
    for variable in _VARIABLES:
        if variable in os.environ:
            return Path(os.environ[variable]) if os.environ[variable] else None
    return Path(tempfile.gettempdir(), "data-gym-cache")


def _places(folder: Path | None, encoding: PublicEncoding) -> list[Path]:
    """Where the file may be: under the name that tiktoken gives it there, or its own."""
    return [] if folder is None else [folder / encoding.cache_key, folder / encoding.file]


def _content(place: Path) -> bytes | None:
    try:
        return place.read_bytes()
    except OSError:
        return None


def _is_right(data: bytes, encoding: PublicEncoding) -> bool:
    return hashlib.sha256(data).hexdigest() == encoding.sha256


def _fetch(name: str, encoding: PublicEncoding, folder: Path | None) -> bytes:
    from kugiri.corpus.http import Patience, get

    try:
        answer = get(encoding.url, Patience(retries=1))
    except CorpusError as error:
        raise _not_here(name, encoding, folder, str(error)) from error
    if not answer.status.startswith("200"):
        raise _not_here(name, encoding, folder, f"{encoding.url}: {answer.status}")
    if not _is_right(answer.body, encoding):
        why = f"{encoding.url}: what came is not the file with the SHA-256 {encoding.sha256}"
        raise _not_here(name, encoding, folder, why)
    return answer.body


def _not_here(name: str, encoding: PublicEncoding, folder: Path | None, why: str) -> FormatError:
    if folder is None:
        place = "set TIKTOKEN_CACHE_DIR to a folder with the file in it"
    else:
        place = f"put the file into the folder {folder} ({_VARIABLES[0]} names another)"
    wrong = [str(there) for there in _places(folder, encoding) if there.is_file()]
    here = f"not what {' and '.join(wrong)} holds (another SHA-256)" if wrong else "not here"
    return FormatError(
        f"the encoding {name} is the file {encoding.file}, which is {here} and cannot be "
        f"fetched ({why}); {place}, or give the path of the file itself"
    )


def _keep(data: bytes, folder: Path, encoding: PublicEncoding) -> None:
    """Put a file into the cache; it is of use all the same where that cannot be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with write_beside(folder / encoding.cache_key) as file:
            file.write(data)
    except (OSError, FormatError) as error:
        warn(
            f"{encoding.file} was fetched and cannot be kept in {folder} ({error}); the next time "
            f"it is fetched again",
            stacklevel=2,
        )
