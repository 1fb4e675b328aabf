"""The options of spm_train, each under its own name: its meaning, and what is meant without it.

Rule.    An option is honoured, or refused with a reason; none is passed over. Defaults are those of
         spm_train but for max_sentence_length: lines of any length are used, except with
         preset="sentencepiece". docs/training_sentencepiece.md is this table.
Source.  The flags and fields of sentencepiece 0.2.3, and those that it has retired.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from kugiri.errors import OptionError, choose
from kugiri.reference.rules import NAMES as RULES

BOTH = ("unigram", "bpe")
PLAIN = ("word", "char")
MODELS = (*BOTH, *PLAIN)

USUAL_LENGTH = 4192
"""The max_sentence_length of spm_train."""


def _option(
    default: Any,
    meaning: str,
    *,
    least: float | None = None,
    most: float | None = None,
    among: tuple[str, ...] | None = None,
    models: tuple[str, ...] = MODELS,
) -> Any:
    about = {"meaning": meaning, "least": least, "most": most, "among": among, "models": models}
    return field(default=default, metadata=about)


@dataclass(frozen=True, kw_only=True)
class SentencePieceOptions:
    """The options that are honoured; the meaning of each stands beside it."""

    # ── the model ──
    model_type: str = _option("unigram", "the algorithm", among=MODELS)
    vocab_size: int = _option(
        8000, "pieces of the vocabulary, all counted", least=1, most=2**31 - 1
    )
    hard_vocab_limit: bool = _option(
        True, "a vocabulary that comes out smaller is an error; char is never held to it"
    )
    use_all_vocab: bool = _option(
        False, "all words or characters, whatever vocab_size says", models=PLAIN
    )

    # ── the corpus ──
    input_format: str = _option(
        "",
        "lines of files are sentences, or with `tsv` a sentence, a tab and its count",
        among=("", "text", "tsv"),
    )
    max_sentence_length: int | None = _option(
        None, "bytes; longer lines are left out, with a warning that counts them",
        least=10, most=2**30,
    )  # fmt: skip
    input_sentence_size: int = _option(
        0, "sentences to use at most: 0 for all, else more than 100", least=0, most=2**63
    )
    shuffle_input_sentence: bool = _option(
        True, "draw them from the whole corpus by the seed; or else the first ones"
    )

    # ── the normalizer ──
    normalization_rule_name: str = _option("nmt_nfkc", "how text is rewritten", among=RULES)
    normalization_rule_tsv: str = _option(
        "", "a file of rules in its place: code points, a tab, code points, in hexadecimal"
    )
    denormalization_rule_tsv: str = _option("", "the same for decoded text")
    add_dummy_prefix: bool = _option(True, "put a space before a text")
    remove_extra_whitespaces: bool = _option(True, "no spaces at the ends, and one in a row")
    escape_whitespaces: bool = _option(True, "show a space as ▁; no model is trained without")

    # ── the alphabet ──
    character_coverage: float = _option(
        0.9995, "the share of occurrences that the alphabet covers; rarer characters are left out",
        least=0.98, most=1.0,
    )  # fmt: skip
    auto_character_coverage: bool = _option(
        False, "let characters and merges compete for the vocabulary; needs byte_fallback",
        models=("bpe",),
    )  # fmt: skip
    required_chars: str = _option("", "characters that are in the alphabet in any case")
    required_chars_file: str = _option("", "a file of them")

    # ── what a piece may be ──
    max_sentencepiece_length: int = _option(
        16, "characters of a piece at most", least=1, most=512, models=BOTH
    )
    split_by_unicode_script: bool = _option(
        True, "characters of one script only; the three of Japanese are one", models=BOTH
    )
    split_by_number: bool = _option(True, "digits and letters do not mix", models=BOTH)
    split_by_whitespace: bool = _option(True, "no piece goes across a space", models=BOTH)
    split_digits: bool = _option(False, "every digit is a piece of its own", models=BOTH)
    treat_whitespace_as_suffix: bool = _option(False, "▁ ends a piece and does not begin it")
    allow_whitespace_only_pieces: bool = _option(False, "pieces of several ▁ alone", models=BOTH)
    pretokenization_delimiter: str = _option(
        "", "no piece goes across it, and it is dropped, in training only", models=BOTH
    )

    # ── pieces that are given ──
    control_symbols: tuple[str, ...] = _option((), "pieces that no text becomes")
    control_symbols_file: str = _option("", "a file of them, one a line")
    user_defined_symbols: tuple[str, ...] = _option((), "pieces that are always cut out whole")
    user_defined_symbols_file: str = _option("", "a file of them, one a line")
    byte_fallback: bool = _option(False, "256 pieces for the bytes of characters left out")
    unk_id: int = _option(0, "the id of the unknown; -1, for none, needs byte_fallback", least=-1)
    bos_id: int = _option(1, "the id of the beginning; -1 for none", least=-1)
    eos_id: int = _option(2, "the id of the end; -1 for none", least=-1)
    pad_id: int = _option(-1, "the id of padding; -1 for none", least=-1)
    unk_piece: str = _option("<unk>", "the piece of the unknown")
    bos_piece: str = _option("<s>", "the piece of the beginning")
    eos_piece: str = _option("</s>", "the piece of the end")
    pad_piece: str = _option("<pad>", "the piece of padding")
    unk_surface: str = _option(" \u2047 ", "what the unknown is decoded to")

    # ── the run ──
    seed_sentencepiece_size: int = _option(
        1_000_000, "candidates to begin with; 0: eight times vocab_size, at least 100,000",
        least=0, most=2**31 - 1, models=("unigram",),
    )  # fmt: skip
    shrinking_factor: float = _option(
        0.75, "the share of pieces that a round keeps", least=0.5, most=0.95, models=("unigram",)
    )
    num_sub_iterations: int = _option(
        2, "steps of EM a round", least=1, most=10, models=("unigram",)
    )
    num_threads: int | None = _option(
        None, "threads to use, as threads=; the result is the same", least=1, most=1024
    )
    train_extremely_large_corpus: bool = _option(False, "without effect: counts have 64 bits")

    def __post_init__(self) -> None:
        """Check what can be checked without a corpus.

        Raises:
            OptionError: a value is not allowed, or two exclude each other.
        """
        for option in fields(self):
            _check(option.name, getattr(self, option.name), option.default, option.metadata)
        for name in BUT_NEVER_EMPTY:
            if not getattr(self, name):
                raise OptionError(f"{name} is empty; leave it out for the usual one")
        self._check_together()

    def _check_together(self) -> None:
        if 0 < self.input_sentence_size <= 100:
            raise OptionError(
                f"input_sentence_size is {self.input_sentence_size}; it must be 0, for all, or "
                f"more than 100"
            )
        if not self.escape_whitespaces:
            raise OptionError(
                "escape_whitespaces=False is for normalizing alone: the models need ▁ to know "
                "where words begin; leave it out"
            )
        if self.auto_character_coverage and not self.byte_fallback:
            raise OptionError(
                "auto_character_coverage leaves characters to bytes: byte_fallback=True"
            )
        if self.auto_character_coverage and (self.required_chars or self.required_chars_file):
            raise OptionError("auto_character_coverage and required_chars exclude each other")
        if self.unk_id < 0 and not self.byte_fallback:
            raise OptionError("unk_id=-1 needs byte_fallback=True: every character must have an id")


BUT_NEVER_EMPTY = ("unk_piece", "bos_piece", "eos_piece", "pad_piece")

_NO_LONGER = "sentencepiece 0.2.3 has retired it; leave it out"
_NOT_IN_PYTHON = "an experiment of the command spm_train, which no model file records; leave it out"

REFUSED = {
    "input": "the corpus is the first argument: paths, texts, or counted words",
    "sentence_iterator": "the corpus is the first argument: any iterable of texts",
    "sentence_reader": "the corpus is the first argument: any iterable of texts",
    "seed_sentencepieces_file": "the candidates are counted in the corpus, exactly",
    "model_prefix": "tok.save(path) writes the model, and -o on the command line",
    "model_writer": "tok.save(path) writes the model",
    "vocabulary_output_piece_score": "no .vocab file is written; `kugiri inspect` shows the scores",
    "random_seed": "use seed=",
    "minloglevel": "nothing is logged: what you should know comes as a KugiriWarning",
    "logstream": "nothing is logged: what you should know comes as a KugiriWarning",
    "pretokenizer": "cut the texts before, and name the cut with pretokenization_delimiter",
    "allow_inconsistent_pretokenization": "it belongs to pretokenizer, which is refused",
    "normalizer": "use normalization_rule_name or normalization_rule_tsv",
    "use_sparse_pruning": _NOT_IN_PYTHON,
    "post_l1_debias": _NOT_IN_PYTHON,
    "seed_piece_length_power": _NOT_IN_PYTHON,
    "min_freq_alpha": _NOT_IN_PYTHON,
    "accept_language": _NO_LONGER,
    "self_test_sample_size": _NO_LONGER,
    "mining_sentence_size": _NO_LONGER,
    "training_sentence_size": _NO_LONGER,
    "enable_differential_privacy": _NO_LONGER,
    "differential_privacy_noise_level": _NO_LONGER,
    "differential_privacy_clipping_threshold": _NO_LONGER,
}
"""Options of spm_train and of sentencepiece's Python that are refused, and what to do instead."""

ELSEWHERE = {
    "num_merges": "use vocab_size",
    "special_tokens": "use control_symbols, or user_defined_symbols for those that texts hold",
    "initial_alphabet": "use required_chars",
    "limit_alphabet": "use character_coverage",
    "max_piece_length": "use max_sentencepiece_length",
    "end_of_word": "use treat_whitespace_as_suffix",
    "pre_tokenizer": "use split_by_whitespace, split_by_unicode_script and split_by_number",
    **dict.fromkeys(("unit", "keep_characters"), "leave it out: pieces are made of characters"),
    **dict.fromkeys(("continuing_prefix", "merge_by"), "they are for model='wordpiece'"),
    **dict.fromkeys(
        ("tie", "min_frequency", "byte_order", "keep_newlines", "compatibility"),
        "leave it out: all is as sentencepiece has it",
    ),
}
"""Options of the other trainers, and what to do instead."""


def _check(name: str, value: Any, default: Any, about: Mapping[str, Any]) -> None:
    if value is None and default is None:
        return
    kind = int if default is None else type(default)
    numbers = kind is float and type(value) is int
    if type(value) is not kind and not numbers:
        raise OptionError(f"{name} is {value!r}; it must be {_KINDS[kind]}")
    if about["among"] is not None:
        choose(name, value, about["among"])
    least, most = about["least"], about["most"]
    if least is not None and not (least <= value and (most is None or value <= most)):
        upper = "" if most is None else f" to {most}"
        raise OptionError(f"{name} is {value!r}; it must be {least}{upper}")
    for text in value if isinstance(value, tuple) else (value,):
        if isinstance(text, str) and any("\ud800" <= character <= "\udfff" for character in text):
            raise OptionError(f"{name} has a lone surrogate, which no text can hold: {text!r}")


_KINDS: dict[Callable[..., Any], str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a str",
    tuple: "a list of str",
}
