"""How the files of a corpus become documents: where one ends, and which part of a record is text.

Rule.    In a file of text a document is a line, blank ones skipped, or the whole file. In a file of
         records (.jsonl, .csv, .tsv, .parquet) it is a record, with its line breaks; an empty or
         null text is a blank document. A page (.html, .htm) is one document, and a Python text.
"""

from __future__ import annotations

from dataclasses import dataclass

from kugiri.errors import choose
from kugiri.inputs import as_string


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The choices there are.

    Attributes:
        documents: in files of text, "lines" or whole "files" are documents.
        field: the text of a JSON record, "meta.title" for one inside another (None: "text").
        column: the text of a row of a table (None: "text", or the only one).
        errors: "strict", or "replace" to read invalid UTF-8 as U+FFFD.
    """

    documents: str = "lines"
    field: str | None = None
    column: str | None = None
    errors: str = "strict"

    def __post_init__(self) -> None:
        """Refuse what is not a choice.

        Raises:
            OptionError: `documents` or `errors` is none of those named, a name is no str.
        """
        for name in ("field", "column"):
            if (value := getattr(self, name)) is not None:
                as_string(name, value)
        choose("documents", self.documents, ["lines", "files"])
        choose("errors", self.errors, ["strict", "replace"])
