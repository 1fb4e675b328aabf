"""What a tokenizer is loaded from: bytes, a file, a folder, the name of an encoding or on the hub.

Rule.    A path that is there goes before a name. Of a folder one file is taken: our own format
         first, then as in `PREFERRED`; where others could have been, a warning says so. A name
         `owner/model` is looked up on the Hugging Face hub, if its package is installed.
Cost.    One file read; of the hub, only files of tokenizers are fetched.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kugiri.errors import FormatError
from kugiri.formats.encodings import ENCODINGS
from kugiri.formats.recognise import by_name, known
from kugiri.inputs import as_path
from kugiri.lazy import lazy_module
from kugiri.warned import warn

if TYPE_CHECKING:
    import difflib

    from kugiri.formats import encoding_files
else:
    difflib = lazy_module("difflib")
    encoding_files = lazy_module("kugiri.formats.encoding_files")

PREFERRED = (
    "tokenizer.json",
    "tokenizer.model",
    "spiece.model",
    "sentencepiece.bpe.model",
    "tekken.json",
    "vocab.json",
    "vocab.txt",
)
"""The names that files of tokenizers have in the folder of a model, the most telling first."""

COMPANIONS = {
    "vocab.json": ("merges.txt",),
    "vocab.txt": (),
}
"""Files that say nothing alone, and what they need beside them."""

SETTINGS = (
    "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
    "chat_template.json", "chat_template.jinja", "additional_chat_templates/*.jinja",
)  # fmt: skip
"""What may lie beside them, and says the rest."""

_HUB_NAME = re.compile(r"\w[\w.-]*/\w[\w.-]*")
_LARGEST = 1 << 31


class Source(NamedTuple):
    """The content of a file, and where it is from.

    Attributes:
        data: its bytes.
        path: the file; None for bytes, and for an encoding that was asked for by its name.
        encoding: that name.
        is_folder: whether the folder was asked for, and not the file.
    """

    data: bytes
    path: Path | None = None
    encoding: str | None = None
    is_folder: bool = False

    def beside(self, name: str, other: str) -> bytes | None:
        """The file `other` that belongs to this one, called `name`; None where it is not there.

        What stands before the name is common to both: `my-vocab.json`, `my-merges.txt`.
        """
        if self.path is None:
            return None
        prefix = self.path.name.removesuffix(name) if self.path.name.endswith(name) else ""
        place = self.path.with_name(prefix + other)
        return _read(place) if place.is_file() else None

    def companion(self, other: str) -> bytes | None:
        """The same, whatever this one is called in the folder of a model."""
        named = next((name for name in PREFERRED if self._ends(name)), None)
        return None if named is None else self.beside(named, other)

    def folder(self, name: str, suffix: str) -> dict[str, bytes]:
        """The files of a folder beside that end so, by their names without that."""
        if self.path is None or self.path.name not in PREFERRED:
            return {}
        files = sorted(self.path.with_name(name).glob(f"*{suffix}"))
        return {file.name.removesuffix(suffix): _read(file) for file in files if file.is_file()}

    def _ends(self, name: str) -> bool:
        return self.path is not None and self.path.name.endswith(name)


def open_source(source: str | os.PathLike[str] | bytes) -> Source:
    """Find out what is meant, and read it.

    Args:
        source: bytes, a file, a folder or a name.

    Raises:
        FormatError: there is no such thing, or it cannot be read.
    """
    if isinstance(source, bytes):
        return Source(source)
    path = as_path(source, "a tokenizer is loaded from its bytes or a path, which")
    name = source if isinstance(source, str) else ""
    is_folder = False
    try:
        if is_folder := path.is_dir():
            path = file_in(path)
        elif not path.exists() and name in ENCODINGS:
            return Source(encoding_files.read_encoding(name), None, name)
        elif not path.exists() and _is_hub_name(name):
            path, is_folder = file_in(_snapshot(name)), True
        return Source(_read(path), path, is_folder=is_folder)
    except ValueError as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"this is no name of a file ({error}); check it", path) from error
    except FileNotFoundError:
        raise FormatError(f"there is no such file; {_instead(path)}", path) from None
    except OSError as error:
        why = error.strerror or error
        raise FormatError(f"cannot be read: {why}; check the name and its rights", path) from error


def file_in(folder: Path) -> Path:
    """The file of a folder that holds its tokenizer.

    Raises:
        FormatError: there is none, or nothing says which of several it is.
    """
    names = sorted(item.name for item in folder.iterdir() if item.is_file() and by_name(item))
    usable = [name for name in names if _has_companions(folder, name)]
    own = [name for name in usable if name.endswith(".kugiri.json")]
    ranked = [*(own if len(own) == 1 else ()), *(name for name in PREFERRED if name in usable)]
    chosen = ranked or usable
    if not chosen:
        raise FormatError(f"this folder holds no tokenizer; {_lacking(names)}", folder)
    if not ranked and len(chosen) > 1:
        raise FormatError(f"this is a folder; name the file in it: {', '.join(chosen)}", folder)
    if others := [name for name in usable if name != chosen[0]]:
        warn(
            f"{folder} holds several tokenizers; {chosen[0]} is loaded, and not "
            f"{', '.join(others)}: name another one to have it",
            stacklevel=5,
        )
    return folder / chosen[0]


def _has_companions(folder: Path, name: str) -> bool:
    return all((folder / other).is_file() for other in COMPANIONS.get(name, ()))


def _lacking(names: list[str]) -> str:
    for name in names:
        if name in COMPANIONS:
            return f"{name} needs {' and '.join(COMPANIONS[name])} beside it"
    return known()


def _read(path: Path) -> bytes:
    size = path.stat().st_size
    if size > _LARGEST:
        raise FormatError(f"{size:,} bytes are more than any tokenizer has; is it the model?", path)
    return path.read_bytes()


# ── the hub ───────────────────────────────────────────────────────────────────────────────────
def _is_hub_name(name: str) -> bool:
    """Whether a str can only be a name on the hub: its first part is no folder here."""
    path = Path(name)
    return bool(_HUB_NAME.fullmatch(name)) and by_name(path) is None and not path.parent.exists()


def _snapshot(name: str) -> Path:
    """The folder with the files of a model on the hub that belong to its tokenizer."""
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise FormatError(
            f"there is no file or folder {name}; to look for it on the Hugging Face hub, "
            f"pip install 'kugiri[hub]'"
        ) from error
    wanted = [*PREFERRED, *(other for needed in COMPANIONS.values() for other in needed), *SETTINGS]
    try:
        return Path(snapshot_download(name, allow_patterns=wanted))
    except (OSError, ValueError) as error:
        raise FormatError(
            f"there is no file or folder {name}, and it cannot be had from the Hugging Face hub: "
            f"{str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__}"
        ) from error


def _instead(path: Path) -> str:
    """What to do about a file that is not there."""
    if not path.parent.is_dir():
        return f"nor is there a folder {path.parent}; check the path"
    here = [item.name for item in path.parent.iterdir()]
    encodings = ENCODINGS if path.name == str(path) else ()
    near = difflib.get_close_matches(path.name, [*here, *encodings], n=1)
    if near:
        return f"did you mean {str(path.parent / near[0])!r}?"
    return f"give a file, the folder of a model, or an encoding ({', '.join(ENCODINGS)}); {known()}"
