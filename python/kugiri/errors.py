"""Every exception and warning of the package; the Rust core raises these very classes.

KugiriError
├── EncodingError (ValueError)    a text or ids that cannot be encoded or decoded
├── FormatError (ValueError)      a file that is not what its format says: carries path and offset
├── TrainingError (ValueError)    a corpus or options that no tokenizer can be trained from
├── VocabularyError (ValueError)  a size, token or id that does not fit the vocabulary
├── OptionError (TypeError)       an unknown option, options that exclude each other, or a value
│                                 of a wrong type anywhere
└── CorpusError (OSError)         text that cannot be read: carries path, line and byte

KugiriWarning (UserWarning)       something was left out or decided for you, and you should know

A message says what came, what is allowed and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike, fspath
from typing import TYPE_CHECKING

from kugiri.lazy import lazy_module

if TYPE_CHECKING:
    import difflib
else:
    difflib = lazy_module("difflib")

_LONGEST = 500
"""How much of a path a message repeats."""


class KugiriError(Exception):
    """The root of all errors of this package."""


class EncodingError(KugiriError, ValueError):
    """A text that cannot become ids, or ids that cannot become text."""


class FormatError(KugiriError, ValueError):
    """A tokenizer file that is malformed, hostile, or of another format than said.

    Attributes:
        path: the file, where there is one.
        offset: the byte in it at which reading stopped, where known.
        kind: what is wrong, where others than these words may say it; else "".
        values: what it names.
    """

    def __init__(
        self,
        message: str,
        path: str | PathLike[str] | None = None,
        offset: int | None = None,
        kind: str = "",
        **values: object,
    ) -> None:
        """Keep the place beside the message."""
        self.path = None if path is None else fspath(path)
        self.offset, self.kind, self.values = offset, kind, values
        super().__init__(message)

    def __str__(self) -> str:
        """The message, with its place in front."""
        path = self.path or ""
        path = path if len(path) <= _LONGEST else f"{path[:_LONGEST]}…"
        place = [path.replace("\0", "\\0")] if path else []
        if self.offset is not None:
            place.append(f"byte {self.offset}")
        return ": ".join([", ".join(place), super().__str__()] if place else [super().__str__()])


class TrainingError(KugiriError, ValueError):
    """Nothing can be trained from this corpus with these options."""


class VocabularyError(KugiriError, ValueError):
    """A size, a token or an id that does not fit the vocabulary."""


class OptionError(KugiriError, TypeError):
    """An option that does not exist, options that exclude each other, a value of a wrong type."""


class CorpusError(KugiriError, OSError):
    """A corpus that cannot be read.

    Attributes:
        path: the file, where there is one.
        line, byte: the place in it, from 1, where known.
    """

    def __init__(
        self,
        message: str,
        path: str | None = None,
        line: int | None = None,
        byte: int | None = None,
    ) -> None:
        """Keep the place beside the message, which names it too."""
        self.path, self.line, self.byte = path, line, byte
        super().__init__(message)


class KugiriWarning(UserWarning):
    """Something was left out or decided for the caller."""


_SHOWN = 60
"""How much of a value a message repeats."""
_LISTED = 64
"""How many names a message lists; a model may have hundreds of special tokens."""


def choose(what: str, given: str, allowed: Iterable[str]) -> str:
    """Return `given` if it is allowed; otherwise say what is, and name the nearest.

    The nearest is one that begins with it, or else one that is spelled alike.

    Raises:
        OptionError: `given` is not in `allowed`.

    Example:
        >>> choose("tie", "lowest-id", ["lowest-ids", "first-seen"])
        Traceback (most recent call last):
        ...
        kugiri.errors.OptionError: unknown tie 'lowest-id'; did you mean 'lowest-ids'?
        allowed: lowest-ids, first-seen
    """
    names = list(allowed)
    if given in names:
        return given
    if not names:
        raise OptionError(f"unknown {what} {shown(given)}; there is none here")
    asked = given if isinstance(given, str) else shown(given)
    begun = [name for name in names if name.startswith(asked) and len(asked) > 2]
    near = begun or difflib.get_close_matches(asked, names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ";"
    listed = ", ".join(names[:_LISTED])
    more = f", … ({len(names):,} in all)" if len(names) > _LISTED else ""
    raise OptionError(f"unknown {what} {shown(given)}{hint} allowed: {listed}{more}")


def described(value: object, most: int = _SHOWN) -> str:
    """Return what a value is, for a message: its type, and itself, cut where it is long.

    Example:
        >>> described(b"low"), described(3), described(None)
        ("a bytes (b'low')", 'an int (3)', 'None')
    """
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} ({shown(value, most)})"


def shown(value: object, most: int = _SHOWN) -> str:
    """A value as Python writes it, cut where it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write integers of thousands of digits
        return "a number of thousands of digits"
    return text if len(text) <= most else f"{text[:most]}…"
