"""`kugiri count`: how many tokens files have, and what they cost."""

from __future__ import annotations

from typing import Any

import click

import kugiri
from kugiri.cli import LIMIT_BROKEN
from kugiri.cli.chat import as_json as chat_as_json
from kugiri.cli.chat import encode_chat_file, print_chat, print_chats
from kugiri.cli.cost import Bill, Sized, cost_options, money_parts
from kugiri.cli.display import decimal, in_percent, percent, print_json, print_table, ratio
from kugiri.cli.legend import print_legend
from kugiri.cli.options import (
    FILE,
    Whole,
    errors_option,
    examples,
    json_option,
    paths,
    pattern_option,
)
from kugiri.corpus import STDIN
from kugiri.cost import Cost, ModelTokenizer, tokenizer_here
from kugiri.tokenizing.count_files import FileCount, count_files
from kugiri.tokenizing.encode_files import Reading


@click.command(
    "count",
    epilog=examples(
        "kugiri count -t my.kugiri.json novel.txt letters/",
        "kugiri count -t o200k_base.tiktoken --max-tokens 8000 prompt.txt",
        "kugiri count --model gpt-4o --output-tokens 500 long.txt short.txt",
        "kugiri count -t my.model --price-in 2.50 prompt.txt",
        "kugiri count -t Qwen3/ --chat chat.json --generation-prompt",
        "kugiri count -t Qwen3/ --chat request.json --set enable_thinking=false",
    ),
)
@click.argument("files", type=FILE, nargs=-1)
@pattern_option
@click.option("-t", "--tokenizer", type=FILE, metavar="FILE", help="A file, folder or name.")
@cost_options
@click.option(
    "--chat", "chats", multiple=True, type=FILE, metavar="FILE", help="A chat as JSON. Repeatable."
)
@click.option("--generation-prompt", is_flag=True, help="Of a chat: with the head of the answer.")
@click.option("--template", metavar="NAME", help="Of a chat: one of its templates, or a file.")
@click.option(
    "--set",
    "variables",
    multiple=True,
    metavar="NAME=VALUE",
    help="Of a chat: a variable. Repeatable.",
)
@click.option("--max-tokens", type=Whole(min=0), help="Exit with 3 if there are more.")
@errors_option
@json_option
def command(
    files: tuple[str, ...],
    tokenizer: str | None,
    pattern: str | None,
    model: str | None,
    chats: tuple[str, ...],
    generation_prompt: bool,
    template: str | None,
    variables: tuple[str, ...],
    max_tokens: int | None,
    errors: str,
    as_json: bool,
    **costs: Any,
) -> None:
    """Count the tokens of FILES; without FILES or with -, of standard input.

    A file is one text, line ends included, and one request where costs are asked for; of two files
    that have a price, the difference is shown.

    With --chat, count what a chat costs, message by message, as the tokenizer's chat template
    writes it: content is what messages say, overhead what the template puts around it. Of no
    message are other, what is given beside them (tools, variables), and frame, what the template
    says by itself (begin of text, its words about tools, the head of the answer). Of several
    chats each is a line, and of two the difference is shown.
    """
    if chats and files:
        raise click.UsageError("--chat counts chats; leave out FILES")
    if not chats and (generation_prompt or template is not None or variables):
        raise click.UsageError("--generation-prompt, --template and --set are for --chat")
    ctx = click.get_current_context()
    if tokenizer is None and model is None:
        raise click.MissingParameter(ctx=ctx, param=_parameter(ctx, "tokenizer"))
    bill = Bill.of(model=model, **costs)
    counting = None if model is None else tokenizer_here(model, tokenizer)
    if counting and pattern is not None:
        counting = counting._replace(exact=False, why=f"split by --pattern; {counting.why}")
    name = counting.name if counting else tokenizer
    assert name is not None
    tok = kugiri.load(name, pattern=pattern)
    if chats:
        made = [
            encode_chat_file(tok, path, generation_prompt, template, variables, model)
            for path in chats
        ]
        if as_json:
            parts = [chat_as_json(*each, bill) for each in zip(chats, made, strict=True)]
            document = parts[0] if len(parts) == 1 else {"chats": parts}
            print_json({**document, **_sources(bill, counting)})
        else:
            print_chat(made[0], bill) if len(made) == 1 else print_chats(chats, made, bill)
            _print_sources(bill, counting)
        _limit(ctx, sum(map(len, made)), max_tokens)
        return
    reading = Reading(tok._core, None, None, errors)
    counts = list(count_files(paths(files or (STDIN,)), reading))
    if as_json:
        print_json({**_as_json(counts, bill), **_sources(bill, counting)})
    else:
        _print_counts(counts, bill)
        _print_sources(bill, counting)
    _limit(ctx, _total(counts).tokens, max_tokens)


def _parameter(ctx: click.Context, name: str) -> click.Parameter:
    return next(it for it in ctx.command.params if it.name == name)


def _total(counts: list[FileCount]) -> FileCount:
    return FileCount(
        "total", *(sum(column) for column in zip(*(c[1:] for c in counts), strict=True))
    )


def _request(count: FileCount) -> Sized:
    return Sized(count.characters, count.tokens)


def _total_cost(counts: list[FileCount], bill: Bill) -> Cost | None:
    """The money for all requests; each may have the prices of another tier."""
    costs = [cost for count in counts if (cost := bill.cost(_request(count)))]
    return sum(costs[1:], costs[0]) if costs else None


# ── for programs ──────────────────────────────────────────────────────────────────────────────
def _as_json(counts: list[FileCount], bill: Bill) -> dict[str, Any]:
    total, cost = _sizes(_total(counts)), _total_cost(counts, bill)
    if cost:
        total["cost"] = money_parts(cost)
    files = [
        {"path": count.path, **_sizes(count), **bill.parts(_request(count))} for count in counts
    ]
    document = {"files": files, "total": total}
    if cost and len(counts) == 2:
        document["difference"] = _difference(counts[0], counts[1], bill)
    return document


def _sizes(count: FileCount) -> dict[str, Any]:
    """The sizes and their ratios by name."""
    return {
        "bytes": count.bytes,
        "characters": count.characters,
        "tokens": count.tokens,
        "bytes_per_token": ratio(count.bytes, count.tokens),
        "characters_per_token": ratio(count.characters, count.tokens),
    }


def _difference(first: FileCount, second: FileCount, bill: Bill) -> dict[str, Any]:
    """By how much the second is more."""
    before, after = (bill.cost(_request(count)) for count in (first, second))
    assert before
    assert after
    return {
        "tokens": second.tokens - first.tokens,
        "tokens_percent": percent(first.tokens, second.tokens),
        "cost": money_parts(after - before),
        "cost_percent": percent(before.total, after.total),
    }


def _sources(bill: Bill, counting: ModelTokenizer | None) -> dict[str, Any]:
    parts = bill.described() if bill.is_asked else {}
    return parts | ({"counting": counting._asdict()} if counting else {})


# ── for people ────────────────────────────────────────────────────────────────────────────────
_COLUMNS = ("file", "bytes", "characters", "tokens", "bytes/token", "characters/token")
_BESIDE_COSTS = ("file", "characters", "tokens")
"""What there is room for on a terminal; --json has all."""


def _print_counts(counts: list[FileCount], bill: Bill) -> None:
    rows = [_row(count, bill, bill.cells(_request(count))) for count in counts]
    if len(counts) > 1:
        more = bill.several_cells(_total_cost(counts, bill))
        rows.append(_row(_total(counts), bill, more))
    if bill.price and len(counts) == 2:
        rows += _difference_rows(counts[0], counts[1], bill)
    columns = _BESIDE_COSTS if bill.columns() else _COLUMNS
    print_table([*columns, *bill.columns()], rows, text="file")
    print_legend(bill.columns(), rows)


def _row(count: FileCount, bill: Bill, more: list[str]) -> list[str]:
    if bill.columns():
        return [count.path, f"{count.characters:,}", f"{count.tokens:,}", *more]
    return [
        count.path,
        *(f"{size:,}" for size in count[1:]),
        decimal(ratio(count.bytes, count.tokens)),
        decimal(ratio(count.characters, count.tokens)),
    ]


def _difference_rows(first: FileCount, second: FileCount, bill: Bill) -> list[list[str]]:
    """By how much the second is more, and in percent."""
    before, after = (bill.cost(_request(count)) for count in (first, second))
    assert before
    assert after
    sizes = [(first.characters, second.characters), (first.tokens, second.tokens)]
    more = (f"{b - a:+,}" for a, b in sizes)
    return [
        ["difference", *more, *bill.several_cells(after - before, sign="+")],
        ["in percent", *(in_percent(a, b) for a, b in sizes), *bill.percent_cells(before, after)],
    ]


def _print_sources(bill: Bill, counting: ModelTokenizer | None) -> None:
    for line in bill.lines():
        click.echo(line)
    if counting:
        click.echo(f"tokens: {'exact' if counting.exact else 'an estimate'}, {counting.why}")


def _limit(ctx: click.Context, tokens: int, most: int | None) -> None:
    if most is not None and tokens > most:
        click.echo(f"kugiri: {tokens} tokens, {most} allowed", err=True)
        ctx.exit(LIMIT_BROKEN)
