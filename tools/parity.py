"""Compare every id of all the large texts with the original libraries: `make parity`.

Rule.    Ids, bytes of tokens and learned merges are equal, or the run ends with exit code 1 and a
         line that names the first difference. Only then is the table of docs/compatibility.md
         written anew. The tests compare slices (tests/test_parity_*.py) and borrow from here.
Cost.    Some minutes, and memory for a text of 16 MB in the other library.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pytest
from rich.console import Console
from rich.markup import escape

import kugiri
from kugiri.reference.byte_alphabet import CHARACTER_OF
from kugiri.unicode import CURRENT
from tests import sentencepiece_models
from tests.conftest import shared_text
from tests.oracles import oracle_hf, oracle_tiktoken, parity_file
from tools.parity_data import HOW_TO_GET, ORACLES, ROOT
from tools.parity_found import Difference, Equal, compare, table
from tools.parity_places import compare_places
from tools.parity_texts import TEXTS, random_texts, texts_of_every_character

ENCODINGS = ("r50k_base", "p50k_base", "cl100k_base", "o200k_base")
MODELS = ("gpt4o", "llama3", "gptoss", "qwen3", "gemma3", "llama2")
TRAINED = ("ja.txt.gz", "en.txt.gz", "code.txt.gz")
SIZES = (1_000, 4_000, 32_000)
RANDOM_TEXTS = 20_000
RANDOM_TEXTS_OF_MODELS = 100_000
NOVELS = ("neko.txt", "botchan.txt")
MODEL_FILES = sentencepiece_models.ALL

PAGE = ROOT / "docs" / "compatibility.md"
BLOCK_START, BLOCK_END = "<!-- parity -->", "<!-- /parity -->"


class Pair(NamedTuple):
    """One tokenizer in two libraries; text that looks like a special token is text in both."""

    name: str
    library: str
    ours: kugiri.Tokenizer
    encode: Callable[[list[str]], list[list[int]]]  # theirs
    tokens: tuple[Mapping[Any, Any], Mapping[Any, Any]]  # ours, theirs


# ── the two sides ─────────────────────────────────────────────────────────────────────────────
def both_sides() -> Iterator[Pair]:
    """Every tokenizer that is compared, each loaded when its turn comes."""
    for name in ENCODINGS:
        tiktoken = oracle_tiktoken(name)
        tokens = {id: token for token, id in tiktoken._mergeable_ranks.items()}
        tokens |= {id: token.encode() for token, id in tiktoken._special_tokens.items()}
        ours = kugiri.load(parity_file(f"tiktoken/{name}.tiktoken"))
        both = ({id: ours.token_bytes(id) for id in tokens}, tokens)
        yield Pair(name, "tiktoken", ours, tiktoken.encode_ordinary_batch, both)
    for name in MODELS:
        ours = kugiri.load(parity_file(f"npm/{name}/tokenizer.json"))
        vocabularies = (ours.vocab, oracle_hf(name).get_vocab())
        yield Pair(f"{name}/tokenizer.json", "tokenizers", ours, hf_encoder(name), vocabularies)


def hf_encoder(name: str) -> Callable[[list[str]], list[list[int]]]:
    """What gives the ids of texts, text that looks like a special token being text."""
    hf = oracle_hf(name)
    hf.encode_special_tokens = True
    return lambda texts: [e.ids for e in hf.encode_batch_fast(texts, add_special_tokens=False)]


def train_hf(path: Path, vocab_size: int, special_tokens: Sequence[str] = ()) -> Any:
    """The tokenizers.Tokenizer that `preset="gpt2"` imitates."""
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    tokenizer = library.Tokenizer(library.models.BPE())
    tokenizer.pre_tokenizer = library.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = library.trainers.BpeTrainer(
        vocab_size=vocab_size,
        min_frequency=2,
        special_tokens=list(special_tokens),
        initial_alphabet=library.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train([str(path)], trainer)
    return tokenizer


def visible(token: bytes) -> str:
    """A token as tokenizers spells it: one visible character a byte."""
    return "".join(CHARACTER_OF[byte] for byte in token)


def our_merges(tokenizer: kugiri.Tokenizer) -> list[list[str]]:
    """The merges of a byte-level BPE as a tokenizer.json lists them."""
    pairs = ((merge.left, merge.right) for merge in tokenizer.merges)
    return [[visible(side) for side in pair if isinstance(side, bytes)] for pair in pairs]


def hf_merges(tokenizer: Any) -> list[list[str]]:
    """The merges of a tokenizers.Tokenizer."""
    merges: list[list[str]] = json.loads(tokenizer.to_str())["model"]["merges"]
    return merges


# ── the comparisons ───────────────────────────────────────────────────────────────────────────
def compare_ids(pair: Pair, what: str, texts: list[str]) -> int:
    """The number of ids of texts, if they are equal."""
    both = zip(texts, pair.ours.encode_batch(texts).to_lists(), pair.encode(texts), strict=True)
    return sum(
        compare(f"{pair.name}, {what}, text {number} {text[:60]!r}", ours, theirs)
        for number, (text, ours, theirs) in enumerate(both)
    )


def compare_text(pair: Pair, name: str) -> int:
    """The number of ids of a text as one string and of its lines together, if they are equal."""
    text = shared_text(name)
    whole = compare_ids(pair, name, [text])
    return whole + compare_ids(pair, f"lines of {name}", text.splitlines(keepends=True))


def compare_pair(pair: Pair) -> Iterator[Equal]:
    """All comparisons of one tokenizer."""
    row = f"{pair.name} | {pair.library}"
    yield Equal(row, "six texts", sum(compare_text(pair, name) for name in TEXTS))
    yield Equal(row, "random strings", compare_ids(pair, "random", random_texts(RANDOM_TEXTS)))
    yield Equal(row, "every character", compare_ids(pair, "all", texts_of_every_character()))
    ours, theirs = (sorted(tokens.items()) for tokens in pair.tokens)
    yield Equal(row, "tokens", compare(f"{pair.name}, tokens", ours, theirs))


def compare_model(name: str) -> Iterator[Equal]:
    """All comparisons of one .model with sentencepiece, which is slow on very long strings."""
    data = sentencepiece_models.model_file(name)
    theirs = sentencepiece_models.theirs_of(data)
    pair = Pair(f"{name}.model", "sentencepiece", kugiri.load(data), theirs.encode, ({}, {}))
    row = f"{pair.name} | {pair.library}"
    lines = [line for text in TEXTS for line in shared_text(text).splitlines()]
    yield Equal(row, "lines of six texts", compare_ids(pair, "lines", lines))
    novels = [shared_text(text) for text in NOVELS]
    yield Equal(row, "novels as one string", compare_ids(pair, "novels", novels))
    source = random.Random(name)
    texts = [sentencepiece_models.random_text(source) for _ in range(RANDOM_TEXTS_OF_MODELS)]
    yield Equal(row, "random strings", compare_ids(pair, "random", texts))
    yield Equal(row, "every character", compare_ids(pair, "all", texts_of_every_character()))


def compare_training(name: str) -> Iterator[Equal]:
    """The merges that both learn from one text, at each size."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.txt"
        path.write_bytes(shared_text(name).encode())
        for size in SIZES:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", kugiri.KugiriWarning)  # a size may be out of reach
                ours = our_merges(kugiri.train(path, preset="gpt2", vocab_size=size))
            amount = compare(f"merges of {name} at {size:,}", ours, hf_merges(train_hf(path, size)))
            yield Equal(f"{name} | tokenizers", f"{size:,}", amount)


# ── the page ──────────────────────────────────────────────────────────────────────────────────
def write_page(
    encoded: Sequence[Equal],
    placed: Sequence[Equal],
    models: Sequence[Equal],
    trained: Sequence[Equal],
) -> None:
    """Put the results between the markers of the page."""
    page = PAGE.read_text(encoding="utf-8")
    peers = ", ".join(
        f"{name} {ORACLES[name]}" for name in ("tiktoken", "tokenizers", "sentencepiece")
    )
    block = f"""{BLOCK_START}
Written by `make parity`: kugiri {kugiri.__version__} with Unicode {CURRENT}, {peers}.
Each number is how much was compared and found equal. Nothing differed.

Ids (in the last column, tokens):

{table("tokenizer", encoded)}

Ids, tokens, `spans` and decoded text of tokenizer.json files; those without a file name are trained
by tokenizers from the components that the name says:

{table("tokenizer", placed)}

Ids of `.model` files, most of them trained by the tests with various options:

{table("model", models)}

Merges learned with `preset="gpt2"`, by size of the vocabulary:

{table("text", trained)}
"""
    start, end = page.index(BLOCK_START), page.index(BLOCK_END)
    PAGE.write_text(page[:start] + block + page[end:], encoding="utf-8")


def main() -> int:
    """Compare everything, then write the page."""
    console = Console(stderr=True)

    def shown(equal: Equal) -> Equal:
        console.print(f"[green]equal[/] {equal.amount:>12,}  {equal.row} | {equal.column}")
        return equal

    try:
        with console.status("comparing; this takes some minutes"):
            encoded = [shown(equal) for pair in both_sides() for equal in compare_pair(pair)]
            placed = [shown(equal) for equal in compare_places(MODELS)]
            models = [shown(equal) for name in MODEL_FILES for equal in compare_model(name)]
            trained = [shown(equal) for name in TRAINED for equal in compare_training(name)]
    except (Difference, pytest.skip.Exception) as reason:
        console.print(f"[red]stopped[/] {escape(str(reason))}")
        return 1
    write_page(encoded, placed, models, trained)
    console.print(f"all equal; written into {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
