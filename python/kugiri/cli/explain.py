"""`kugiri explain`: what becomes of a text, stage by stage."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import click

import kugiri
from kugiri.cli.display import print_table, visible
from kugiri.cli.lines import lines_of
from kugiri.cli.options import errors_option, examples, tokenizer_options
from kugiri.corpus import STDIN
from kugiri.encoding import Span
from kugiri.explain.steps import Explanation
from kugiri.explain.vocabulary import reading


@click.command(
    "explain",
    epilog=examples(
        'kugiri explain -t my.model "ｶﾞｯｺｳ ①"',
        'kugiri explain -t tokenizer.json --json "東京の図書館"',
    ),
)
@click.argument("text", required=False, default=STDIN)
@tokenizer_options
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a text.")
@errors_option
def command(text: str, tokenizer: str, pattern: str | None, as_json: bool, errors: str) -> None:
    """Show what becomes of TEXT: normalized, cut into pre-tokens, and made tokens.

    Without TEXT or with -, each line of standard input. Spans are characters of the text.
    """
    tok = kugiri.load(tokenizer, pattern=pattern)
    for lines in lines_of(text, errors):
        for explained in lines.each(tok.explain):
            if as_json:
                print(explained.to_json())
            else:
                _draw(tok, explained)


def _told_apart(*before_after: str) -> Iterator[str]:
    """What was and what became of it for the eye; in code points where both look alike."""
    alike = len({unicodedata.normalize("NFC", text) for text in before_after}) == 1
    for text in before_after:
        yield " ".join(f"U+{ord(it):04X}" for it in text) if alike else visible(text)


def _draw(tok: kugiri.Tokenizer, explained: Explanation) -> None:
    normalization = explained.normalization
    print(f"text        {visible(explained.text)}")
    if normalization.changes:
        print(f"normalized  {visible(normalization.after)}")
        rows = [
            (_shown(change.span), *_told_apart(change.before, change.after))
            for change in normalization.changes
        ]
        print_table(("span", "before", "after"), rows, text=("span", "before", "after"))
    else:
        print("normalized  as it is")
    if explained.special_tokens:
        print(f"cut out     {'|'.join(visible(token) for token, _ in explained.special_tokens)}")
    words = (visible(reading(tok, word)) for word, _ in explained.pre_tokens)
    print(f"pre-tokens  {'|'.join(words)}")
    tokens = zip(explained.ids, explained.tokens, explained.spans, strict=True)
    rows = [(str(id), visible(reading(tok, token)), _shown(span)) for id, token, span in tokens]
    print_table(("id", "token", "span"), rows, text=("token", "span"))


def _shown(span: Span) -> str:
    return f"{span[0]}–{span[1]}"
