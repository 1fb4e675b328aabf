"""Messages of the library as the command line has to say them: its options, spelled its way.

Rule.    `name=value` becomes `--name value`, and a name with _ in it `--name`, for the options that
         the running command has, the value quoted where a shell needs it; what is then said twice
         stands once. An option that came as `--vary NAME=V,V` is spelled as it was there, and where
         a training has an option that the command has not, but --vary, as `--vary NAME=V`. Whatever
         else looks like an option is left as it is, and so is a dict, which only Python has.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise

import click

_VALUE = (
    r"""\['(?P<listed>[^']*)'\]|'(?P<single>[^']*)'|"(?P<double>[^"]*)"|(?P<bare>[^\s,;:()]*)"""
)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_TWICE = re.compile(r"(--[\w-]+(?: (?:'[^']*'|[^\s(),']+))?)(?: \(\1\)|, \1(?![\w-]))")
_OTHERWISE = {"vocab_size": "sizes", "vocab_sizes": "sizes", "size": "eval_size"}
"""How an option of the library is called by a command that has none of its name."""


def one_line(message: str) -> str:
    r"""A message on one line; what it quotes of others cannot speak to the terminal.

    Example:
        >>> one_line("a\nb\x1b[31m")
        'a b\ufffd[31m'
    """
    return _CONTROLS.sub("\ufffd", " ".join(message.split()))


def options_of(group: click.Group, arguments: Sequence[str]) -> dict[str, click.Option]:
    """The options of the command that is called, by the names that the library has for them."""
    command: click.Command | None = group
    for word in arguments:
        if isinstance(command, click.Group):
            command = command.get_command(click.Context(command), word)
    params = [] if command is None else command.params
    options = {str(each.name): each for each in params if isinstance(each, click.Option)}
    for name, other in _OTHERWISE.items():
        if other in options:
            options.setdefault(name, options[other])
    return options


def varied_of(arguments: Sequence[str]) -> dict[str, str]:
    """The options behind --vary, by the names that the library has for them.

    Example:
        >>> varied_of(["sweep", "--vary", "byte-fallback=true,false", "--vary=tie=first-seen"])
        {'byte_fallback': 'byte-fallback', 'tie': 'tie'}
    """
    joined = [word.removeprefix("--vary=") for word in arguments if word.startswith("--vary=")]
    apart = [word for sign, word in pairwise(arguments) if sign == "--vary"]
    spelled = [word.partition("=")[0].strip() for word in (*apart, *joined)]
    return {name.replace("-", "_"): name for name in spelled if name}


def _trained() -> frozenset[str]:
    """The options of all trainings."""
    from kugiri.sentencepiece.options import SentencePieceOptions
    from kugiri.training.options import Options

    return frozenset({*Options.__dataclass_fields__, *SentencePieceOptions.__dataclass_fields__})


def as_typed(
    message: str, options: Mapping[str, click.Option], varied: Mapping[str, str] | None = None
) -> str:
    """Return a message with the options as they are typed.

    Example:
        >>> limit = click.Option(["--limit-alphabet"], type=int)
        >>> as_typed("use limit_alphabet=9, or unit='byte'", {"limit_alphabet": limit})
        "use --limit-alphabet 9, or unit='byte'"
    """
    beside = _trained() - options.keys() if "vary" in options else frozenset()
    varied = varied or {}
    beside -= varied.keys()
    known = {*options, *varied, *beside}
    if not known:
        return message
    names = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w./-])(?P<name>{names})(?:=(?!{{)(?:{_VALUE})|(?![\w=]|\.\w))")

    def typed(match: re.Match[str]) -> str:
        name, found = match["name"], match.groupdict()
        value = match[0][len(name) :].replace("=True", "=true").replace("=False", "=false")
        if name in varied:
            return varied[name] + value
        if name in beside:
            return f"--vary {name.replace('_', '-')}{value}" if value else name
        if "=" not in match[0] and "_" not in name:
            return match[0]
        option = options[name]
        quoted = found["listed"] or found["single"] or found["double"] or ""
        value = shlex.quote(quoted.replace(r"\\", "\\")) if quoted else found["bare"] or ""
        if option.secondary_opts and value == "False":
            return option.secondary_opts[0]
        spelled = max(option.opts, key=len)
        return f"{spelled} {value}" if value and not option.is_flag else spelled

    return _TWICE.sub(r"\1", pattern.sub(typed, message))
