"""Training against tokenizers: the same merges in the same order, the same ids.

`make parity` trains on all of the large texts; here it is on a fixed slice of each.
"""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import kugiri
from tests.conftest import sliced
from tests.strategies import texts
from tools.parity import TRAINED, hf_merges, our_merges, train_hf, visible
from tools.parity_data import HOW_TO_GET


def train(corpus: Any, **options: Any) -> kugiri.Tokenizer:
    """Train; the size may be more than a slice supports."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*was not reached", kugiri.KugiriWarning)
        return kugiri.train(corpus, **options)


def compare_training(path: Path, vocab_size: int, special_tokens: tuple[str, ...] = ()) -> None:
    tok = train(path, preset="gpt2", vocab_size=vocab_size, special_tokens=special_tokens)
    theirs = train_hf(path, vocab_size, special_tokens)
    assert our_merges(tok) == hf_merges(theirs)
    ids = {visible(tok.token_bytes(id)): id for id in range(tok.vocab_size)}
    special = {visible(token.encode()): token for token in special_tokens}
    assert {special.get(token, token): id for token, id in ids.items()} == theirs.get_vocab()


@pytest.mark.parametrize("special_tokens", [(), ("<s>", "<|終|>")], ids=["plain", "special tokens"])
@pytest.mark.parametrize("vocab_size", [1_000, 4_000])
@pytest.mark.parametrize("text_name", TRAINED)
def test_training(
    text_name: str, vocab_size: int, special_tokens: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes(sliced(text_name).encode())
    compare_training(path, vocab_size, special_tokens)


@pytest.mark.parametrize(
    ("text_name", "share", "merges"),
    [
        ("ja.txt.gz", 0.16, 31_744),
        ("code.txt.gz", 0.8, 31_744),
        ("en.txt.gz", 1, 30_291),  # all that this text supports
    ],
)
def test_training_at_32k(text_name: str, share: float, merges: int, tmp_path: Path) -> None:
    """More of each text, since 2 % of it do not support so many merges."""
    path = tmp_path / "corpus.txt"
    path.write_bytes(sliced(text_name, share).encode())
    tok = train(path, preset="gpt2", vocab_size=32_000)
    assert our_merges(tok) == hf_merges(train_hf(path, 32_000))
    assert len(tok.merges) == merges


def is_read_alike(corpus: str) -> bool:
    """Whether there is a text, and no byte order mark, which kugiri drops and tokenizers keeps."""
    return bool(corpus) and not corpus.startswith("\ufeff")


few_letters = st.text("ab猫\n\r '1", max_size=30)
corpora = st.lists(st.one_of(few_letters, texts), min_size=1, max_size=6).map("".join)


@given(corpus=corpora.filter(is_read_alike), room=st.integers(0, 40), special_tokens=st.booleans())
@example(corpus="aaaa aaa aaaaa\r\naaaa\raaa\u2028aaaa\n\n\n aaaa", room=20, special_tokens=False)
@example(corpus="<s>a<s>a<|終|><|終|>", room=20, special_tokens=True)
def test_training_on_any_text(corpus: str, room: int, special_tokens: bool) -> None:
    special = ("<s>", "<|終|>") if special_tokens else ()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.txt"
        path.write_bytes(corpus.encode())
        compare_training(path, 256 + len(special) + room, special)


@given(
    counts=st.dictionaries(
        st.text("abあ猫", min_size=1, max_size=9), st.integers(1, 5), min_size=1
    ),
    room=st.integers(0, 12),
    min_frequency=st.integers(1, 3),
)
def test_training_of_characters(counts: dict[str, int], room: int, min_frequency: int) -> None:
    library = pytest.importorskip("tokenizers", reason=f"tokenizers is absent: {HOW_TO_GET}")
    corpus = [" ".join([word] * count) for word, count in counts.items()]
    size = len(set("".join(counts))) + room
    theirs = library.Tokenizer(library.models.BPE())
    theirs.pre_tokenizer = library.pre_tokenizers.WhitespaceSplit()
    options = {"vocab_size": size, "min_frequency": min_frequency}
    trainer = library.trainers.BpeTrainer(show_progress=False, **options)
    theirs.train_from_iterator(corpus, trainer)
    tok = train(corpus, unit="char", pre_tokenizer="whitespace", **options)
    assert [list(merge[:2]) for merge in tok.merges] == hf_merges(theirs)
    assert tok.vocab == theirs.get_vocab()
