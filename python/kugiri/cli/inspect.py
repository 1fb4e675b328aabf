"""`kugiri inspect`: what a vocabulary is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import click
import msgspec

import kugiri
from kugiri.cli.display import (
    console,
    number_or_dash,
    print_json,
    print_table,
    readable,
    shortened,
)
from kugiri.cli.lineage import show_lineage
from kugiri.cli.options import (
    FILE,
    Whole,
    examples,
    json_option,
    paths,
    pattern_option,
    reading_options,
)
from kugiri.corpus import Reading, find_files, read_documents
from kugiri.cost import embedding_parameters
from kugiri.explain.phrases import Phrase, phrases
from kugiri.explain.vocabulary import KINDS, Longest, Piece, longest, pieces
from kugiri.spec import BPE, Dictionary, dictionaries_of, is_byte_level

_EXAMPLES = 8
"""Tokens of a kind that are shown beside their number."""

_EXAMPLE_LENGTH, _TOKEN_LENGTH, _PHRASE_LENGTH = 32, 60, 200
"""Characters of each that are shown; --json and --all have them whole."""


@click.command(
    "inspect",
    epilog=examples(
        "kugiri inspect my.kugiri.json --corpus train.txt",
        "kugiri inspect my.kugiri.json --lineage てみた",
    ),
)
@click.argument("tokenizer", type=FILE)
@pattern_option
@click.option("--lineage", "token", metavar="TOKEN", help="Show where a token comes from.")
@click.option("--all", "every", is_flag=True, help="Print every token.")
@click.option(
    "--longest", "most", type=Whole(min=0), default=20, metavar="N",
    help="How many of the longest (20).",
)  # fmt: skip
@click.option(
    "--corpus", multiple=True, type=FILE, metavar="FILE", help="Look for their phrases here."
)
@click.option(
    "--dimension",
    type=Whole(min=1),
    metavar="N",
    help="Of a model: size of its embedding.",
)
@click.option("--untied", is_flag=True, help="The output layer has a table of its own.")
@reading_options
@json_option
def command(
    tokenizer: str,
    pattern: str | None,
    token: str | None,
    every: bool,
    most: int,
    corpus: tuple[str, ...],
    dimension: int | None,
    untied: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Show the vocabulary of TOKENIZER: kinds of tokens, the longest, and what made one."""
    _refuse_idle(click.get_current_context())
    sources = paths(corpus)
    for source in sources:
        find_files(source)
    tok = kugiri.load(tokenizer, pattern=pattern)
    if token is not None:
        show_lineage(tok, token, as_json)
        return
    found = pieces(tok)
    if every:
        _show_all(found, as_json)
        return
    long = longest(tok, found, most)
    repeated: list[Phrase] | None = None
    if corpus:
        given = {name: value for name, value in options.items() if value is not None}
        documents = read_documents(sources, Reading(**given))
        tokens = [tok.decode([each.piece.id]).strip() or each.piece.token for each in long]
        repeated = phrases(tokens, (document.text for document in documents))
    embedding: dict[str, int] = {}
    if dimension is not None:
        size = embedding_parameters(tok.vocab_size, dimension, untied=untied)
        embedding["embedding_parameters"] = size
    if as_json:
        print_json(_described(tok, found, long, repeated) | embedding)
        return
    _show(tok, found, long, repeated)
    for size in embedding.values():
        tables = "2 × " if untied else ""
        product = f"{tables}{tok.vocab_size:,} × {dimension:,}"
        console().print(f"\nThe embedding: {product} = {size:,} parameters")


def _refuse_idle(ctx: click.Context) -> None:
    """Refuse options that would do nothing beside others, or without them."""
    given = {
        name
        for name in ctx.params
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    for way, idle in _IDLE.items():
        for name in idle if way in given else ():
            if name in given:
                raise click.UsageError(
                    f"{_SPELLED[way]} shows nothing that {_SPELLED[name]} would change; "
                    f"leave one of them out"
                )
    if "untied" in given and "dimension" not in given:
        raise click.UsageError("--untied is said of an embedding; give its --dimension too")
    for name in ("documents", "field", "column", "errors"):
        if name in given and "corpus" not in given:
            raise click.UsageError(f"--{name} says how --corpus is read; name that too")


_SPELLED = {
    "token": "--lineage", "every": "--all", "most": "--longest", "corpus": "--corpus",
    "dimension": "--dimension",
}  # fmt: skip
_IDLE = {
    "token": ("every", "most", "corpus", "dimension"),
    "every": ("most", "corpus", "dimension"),
}
"""What a way to look leaves without effect."""


def _score(piece: Piece) -> str:
    return "–" if piece.score is None else f"{piece.score:.4g}"


def _show_all(found: list[Piece], as_json: bool) -> None:
    if as_json:
        print_json({"tokens": msgspec.to_builtins(found)})
        return
    if any(piece.score is not None for piece in found):
        scored = (
            (str(it.id), readable(it.token), it.kind, it.type or "–", _score(it)) for it in found
        )
        print_table(
            ["id", "token", "kind", "type", "score"], scored, text=("token", "kind", "type")
        )
        return
    rows = (
        (str(piece.id), readable(piece.token), piece.kind, number_or_dash(piece.count))
        for piece in found
    )
    print_table(["id", "token", "kind", "count"], rows, text=("token", "kind"))


def _described(
    tok: kugiri.Tokenizer, found: list[Piece], long: list[Longest], repeated: list[Phrase] | None
) -> dict[str, Any]:
    numbers = Counter(piece.kind for piece in found)
    described = {
        "model": type(tok.spec.model).__name__,
        "vocab_size": tok.vocab_size,
        "merges": len(tok.merges),
        "origin": tok.spec.origin,
        "unicode_version": tok.spec.unicode_version,
        "special_tokens": tok.special_tokens,
        "dictionaries": msgspec.to_builtins(dictionaries_of(tok.spec.pre_tokenizer)),
        "training": tok.training,
        "kinds": {kind: numbers[kind] for kind in KINDS},
        "longest": msgspec.to_builtins(long),
    }
    for row, phrase in zip(described["longest"], repeated or [], strict=False):
        row["phrase"] = msgspec.to_builtins(phrase)
    return described


def _show(
    tok: kugiri.Tokenizer, found: list[Piece], long: list[Longest], repeated: list[Phrase] | None
) -> None:
    out = console()
    out.print(_headline(tok), style="bold")
    kinds = (
        (kind, f"{len(of_kind):,}", _some(of_kind))
        for kind in KINDS
        if (of_kind := [piece for piece in found if piece.kind == kind])
    )
    print_table(["kind", "tokens", "for example"], kinds, text=("kind", "for example"))
    if long:
        out.print("\nThe longest, without those inside a longer one", style="bold")
        header = [_SCORED.get(name, name) if long[0].piece.type else name for name in _LONGEST]
        print_table(header, map(_long_row, long), text="token")
    if repeated:
        out.print("\nThe phrases that they are from", style="bold")
        print_table(_PHRASES, _phrase_rows(repeated), text="phrase")


_LONGEST = ["characters", "count", "alone", "token"]
_SCORED = {"count": "score"}
_PHRASES = ["found", "documents", "in phrase", "phrase"]


def _long_row(each: Longest) -> tuple[str, ...]:
    count = _score(each.piece) if each.piece.type else number_or_dash(each.piece.count)
    token = shortened(readable(each.piece.token), _TOKEN_LENGTH)
    return f"{each.characters:,}", count, number_or_dash(each.alone), token


def _phrase_rows(repeated: list[Phrase]) -> Iterator[tuple[str, ...]]:
    """A row a phrase, those that come most often first."""
    unique = {phrase.text: phrase for phrase in repeated if phrase.token_occurrences}
    for phrase in sorted(unique.values(), key=lambda phrase: -phrase.occurrences):
        numbers = (phrase.token_occurrences, phrase.documents, phrase.occurrences)
        text = shortened(readable(phrase.text), _PHRASE_LENGTH)
        yield (*(f"{number:,}" for number in numbers), text)


def _headline(tok: kugiri.Tokenizer) -> str:
    model = tok.spec.model
    units = ""
    if isinstance(model, BPE):
        of_bytes = model.unit == "byte" or is_byte_level(tok.spec.pre_tokenizer)
        units = f" of {'bytes' if of_bytes else 'characters'}"
    parts = [f"{type(model).__name__}{units}: {tok.vocab_size:,} tokens"]
    if len(tok.merges):
        parts.append(f"{len(tok.merges):,} merges")
    if tok.training:
        parts.append(f"trained on {tok.training['words']:,} different words")
    parts.extend(f"words of {_words(step)}" for step in dictionaries_of(tok.spec.pre_tokenizer))
    return ", ".join([*parts, f"from {tok.spec.origin}"])


def _words(step: Dictionary) -> str:
    """A dictionary, with the versions that its words are of."""
    versions = (f"{its.package} {its.version}" for its in (step.library, step.dictionary))
    return f"{step.name} ({', '.join(versions)})"


def _some(of_kind: list[Piece]) -> str:
    """A few tokens of a kind; of longer ones the first that were learned."""
    if of_kind[0].rank is not None:
        of_kind = sorted(of_kind, key=lambda piece: piece.rank or 0)
    return " ".join(
        shortened(readable(piece.token), _EXAMPLE_LENGTH) for piece in of_kind[:_EXAMPLES]
    )
