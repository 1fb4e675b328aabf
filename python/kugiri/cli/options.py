"""The options that several commands share, each written once."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from kugiri.tokenizer import Tokenizer

_Command = TypeVar("_Command", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """The end of a command's help; a backspace keeps click from joining the lines."""
    return "\b\n" + "\n  ".join(["Example:", *lines])


class _Name(click.types.StringParamType):
    """The name of a file or folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse an empty name, as of a variable that is not set."""
        if value == "":
            self.fail("an empty name came where a file is needed; a folder is named .", param, ctx)
        return str(super().convert(value, param, ctx))


FILE = _Name()


class Whole(click.IntRange):
    """A whole number, in all its digits: 128k might be 128,000 or 131,072."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that is meant."""
        try:
            int(value)
        except ValueError:
            self.fail(f"{value!r} is no whole number; write all its digits, as 128000", param, ctx)
        return int(super().convert(value, param, ctx))


class _Amount(click.types.FloatParamType):
    """A number with a word for thousands, millions and so on behind it."""

    def __init__(self, units: str, allowed: str) -> None:
        """Take a unit for each power of a thousand, the first for one; and what to say."""
        self._powers = {unit: 1000**power for power, unit in enumerate(units.lower().split())}
        self._allowed = allowed

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number that is meant."""
        typed = str(value).strip()
        digits = typed.rstrip(string.ascii_letters)
        try:
            power = self._powers.get(typed[len(digits) :].lower())
            return float(typed) if power is None else float(digits) * power
        except ValueError:
            self.fail(f"{typed!r} is no number; write it as {self._allowed}", param, ctx)


PARAMETERS = _Amount("- k M B T", "125000000, 125e6, 125M or 7B (k, M, B, T)")
BYTES = _Amount("B kB MB GB TB PB", "2000000000, 2e9, 500MB or 2GB (B, kB, MB, GB, TB, PB)")


def paths(names: Iterable[str]) -> list[Path]:
    """The files that were named."""
    return [Path(name) for name in names]


pattern_option = click.option("--pattern", help="Of a .tiktoken file: o200k, …, or a regex.")


def load_lacking(names: Iterable[str], pattern: str | None) -> list[Tokenizer]:
    """Several tokenizers; the pattern is for those that lack one, and wrong where none does."""
    import kugiri
    from kugiri.formats import lacks_pattern, open_source

    loaded, is_used = [], pattern is None
    for name in names:
        takes_it = pattern is not None and lacks_pattern(open_source(name))
        is_used |= takes_it
        try:
            loaded.append(kugiri.load(name, pattern=pattern if takes_it else None))
        except kugiri.OptionError as error:
            raise kugiri.OptionError(f"{name}: {error}") from error
    if not is_used:
        raise click.UsageError(
            "--pattern is for a .tiktoken file that is none of the public encodings; the "
            "tokenizers that were given say themselves how they split, so leave it out"
        )
    return loaded


def tokenizer_options(command: _Command) -> _Command:
    """Give a command `tokenizer` and `pattern`, the arguments of kugiri.load."""
    for option in (
        pattern_option,
        click.option(
            "-t", "--tokenizer", required=True, type=FILE, metavar="FILE",
            help="A file, folder or name.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


model_option = click.option("--model", help="bpe (usual), wordpiece, unigram, word or char.")


def training_options(command: _Command) -> _Command:
    """Give a command the options of kugiri.train that say how, not how much."""
    for option in reversed((
        click.option("--preset", help="A named set-up: japanese, bert-japanese, …"),
        click.option("--unit", help="Text is cut into: byte (default) or char."),
        click.option("--pre-tokenizer", help="none, o200k, mecab-ipadic, …, or a regex."),
        click.option("--normalizer", help="none, nfc, nfkc, bert or bert-cased."),
        click.option("--merge-by", help="WordPiece: frequency (default) or likelihood."),
        click.option("--continuing-prefix", metavar="MARK", help="WordPiece: inside a word (##)."),
        click.option(
            "--end-of-word", metavar="MARK", help="Mark after each word; with --unit char."
        ),
        click.option("--tie", help="Tie rule: lowest-ids (default), first-seen, …"),
        click.option("--byte-order", help="Bytes by value (default) or as gpt2."),
        click.option("--min-frequency", type=int, help="How often a pair must occur (2)."),
        click.option("--max-piece-length", type=int, help="The longest token to learn."),
        click.option("--limit-alphabet", type=int, help="How many characters to keep at most."),
        click.option("--initial-alphabet", metavar="CHARS", help="Characters to have in any case."),
        click.option(
            "--special-token", "special_tokens", multiple=True, metavar="TOKEN",
            help="A special token. Repeatable.",
        ),
        click.option(
            "--keep-characters", is_flag=True, default=None,
            help="Join no whole character with a part.",
        ),
        click.option("--threads", type=int, help="Threads to use; the result is the same."),
        click.option("--seed", type=int, help="For models that draw at random."),
    )):  # fmt: skip
        command = option(command)
    return command


def given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given; of the others the library knows what is meant."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def reading_options(command: _Command) -> _Command:
    """Give a command the choices of corpus.Reading."""
    for option in (
        _errors(None),
        click.option("--column", help="The text of a table's row (text)."),
        click.option("--field", help="The text of a JSON record (text)."),
        click.option("--documents", help="Documents: lines (default) or files."),
    ):
        command = option(command)
    return command


def _errors(default: str | None) -> Callable[[_Command], _Command]:
    return click.option(
        "--errors", type=click.Choice(["strict", "replace"]), default=default,
        help="Invalid UTF-8: an error, or U+FFFD.",
    )  # fmt: skip


errors_option = _errors("strict")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
quiet_option = click.option("--quiet", is_flag=True, help="Print results, warnings, errors only.")
