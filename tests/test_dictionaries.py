"""Words of Japanese dictionaries as a stage: both engines, every call, files, processes.

What the words are is for the dictionaries to say; the expectations of whole tokenizers are what the
libraries give by themselves, and transformers' BertJapaneseTokenizer. Without the packages of
'kugiri[ja]' the tests of a dictionary are skipped.
"""

from __future__ import annotations

import json
import multiprocessing
import pickle
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

import kugiri
from kugiri import dictionaries, spec
from kugiri.dictionaries import DICTIONARIES
from kugiri.errors import EncodingError, FormatError, KugiriError, KugiriWarning, OptionError
from kugiri.formats import native
from kugiri.named_stages import words_of_dictionary
from kugiri.reference.pipeline import ReferenceTokenizer
from kugiri.reference.train.word_counts import count_words
from processes import run_python
from strategies import texts
from test_cli_main import run, train

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "python/kugiri/sample"
TEXT = "灰色の猫が  東京　都庁に\nいる。 San Francisco の①ｶﾞｯｺｳ𠮷野家\0㍿x\r\n"
BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
MODELS = {
    "wordpiece": {"vocab_size": 1800, "special_tokens": BERT, "normalizer": "nfkc"},
    "bpe": {"vocab_size": 600, "special_tokens": ["[MASK]"]},
    "word": {"vocab_size": 900, "special_tokens": ["<unk>", "[MASK]"]},
    "char": {"vocab_size": 900, "special_tokens": ["<unk>", "[MASK]"]},
}


def require(name: str) -> str:
    try:
        dictionaries.installed(name)
    except KugiriError as error:
        pytest.skip(str(error))
    return name


@cache
def trained(model: str, name: str) -> kugiri.Tokenizer:
    require(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KugiriWarning)  # of sizes that are not reached
        return kugiri.train(SAMPLE, model=model, pre_tokenizer=name, **MODELS[model])


def lossless(name: str) -> kugiri.Tokenizer:
    """Bytes and words, and nothing is dropped between."""
    (step,) = spec.dictionaries_of(words_of_dictionary(require(name)))
    return kugiri.Tokenizer(replace(trained("bpe", name).spec, pre_tokenizer=step))


def japanese() -> list[str]:
    return (SAMPLE / "japanese.txt").read_text(encoding="utf-8").splitlines()


# ── words ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("sudachi-a", "灰色の猫", ["灰", "色", "の", "猫"]),
        ("sudachi-b", "灰色の猫", ["灰色", "の", "猫"]),
        ("sudachi-c", "灰色の猫 ", ["灰色", "の", "猫"]),
        ("mecab-ipadic", "もものうち", ["もも", "の", "うち"]),
        ("mecab-ipadic", " 猫が\nいる。 ", ["猫", "が", "いる", "。"]),
        ("mecab-unidic-lite", "国家公務員です", ["国家", "公務", "員", "です"]),
        ("mecab-ipadic", "", []),
        ("sudachi-c", " \n ", []),
    ],
)
def test_words(name: str, text: str, expected: list[str]) -> None:
    words = trained("bpe", name).pre_tokenize(text)
    assert [text[start:end] for _, (start, end) in words] == expected


@pytest.mark.parametrize("name", DICTIONARIES)
def test_words_are_those_that_the_library_gives(name: str) -> None:
    cut = kugiri.train(["猫"], model="char", pre_tokenizer=require(name)).pre_tokenize
    if name.startswith("sudachi"):
        import sudachipy

        size = dictionaries.installed(name).dictionary[0].removeprefix("sudachidict-")
        opened = sudachipy.Dictionary(dict=size)
        make = getattr(opened, "tokenizer", None) or opened.create
        tokenizer = make(mode=getattr(sudachipy.SplitMode, name[-1].upper()))

        def expected(line: str) -> list[str]:
            return [each.surface() for each in tokenizer.tokenize(line)]
    else:
        import fugashi

        module = __import__(name.removeprefix("mecab-").replace("-", "_"))
        tagger = fugashi.GenericTagger(f'-r "{module.DICDIR}/mecabrc" -d "{module.DICDIR}"')

        def expected(line: str) -> list[str]:
            return [each.surface for each in tagger(line)]

    for line in japanese():
        visible = [part for word in expected(line) for part in word.split()]
        assert [word for word, _ in cut(line)] == visible


# ── every call gives the same ─────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", DICTIONARIES)
@pytest.mark.parametrize("model", MODELS)
def test_all_calls_and_both_engines_agree(model: str, name: str, tmp_path: Path) -> None:
    tok = trained(model, name)
    given = [*japanese()[:60], TEXT, "", "[MASK]猫[MASK]"]
    readable = ReferenceTokenizer(tok.spec)
    rows = [[token.id for token in readable.encode(text)] for text in given]
    assert [tok.encode(text) for text in given] == rows
    assert [tok.encode_array(text).tolist() for text in given] == rows
    assert [tok.count(text) for text in given] == [len(row) for row in rows]
    for threads in (1, 2, None):
        assert tok.encode_batch(given, threads=threads).to_lists() == rows
        assert tok.count_batch(given, threads=threads).tolist() == [len(row) for row in rows]
    files = []
    for number, text in enumerate(given):
        files.append(tmp_path / f"{number:03}.txt")
        files[-1].write_bytes(text.encode())
    assert tok.encode_files(files).to_lists() == rows
    assert [tok.encode_with_offsets(text).ids.tolist() for text in given] == rows
    assert [len(tok.tokens(text)) for text in given] == [len(row) for row in rows]
    assert tok.model_inputs(given, add_special_tokens=False).to_lists("input_ids") == {
        "input_ids": rows
    }
    for text in given[-4:]:
        explained = tok.explain(text)
        assert explained.ids == tok.encode(text)


@pytest.mark.parametrize("name", DICTIONARIES)
def test_special_tokens_are_cut_out_first(name: str) -> None:
    tok = trained("wordpiece", name)
    mask = tok.special_tokens["[MASK]"]
    text = "東京[MASK]都庁"
    parts = [tok.encode("東京"), [mask], tok.encode("都庁")]
    joined = [id for part in parts for id in part]
    assert tok.encode(text, allowed_special="all") == joined
    framed = tok.encode(text, allowed_special="all", add_special_tokens=True, pair="猫")
    cls, sep = tok.special_tokens["[CLS]"], tok.special_tokens["[SEP]"]
    assert framed == [cls, *joined, sep, *tok.encode("猫"), sep]


@pytest.mark.parametrize("name", DICTIONARIES)
def test_places_are_those_of_the_text_before_it_is_normalized(name: str) -> None:
    tok = trained("wordpiece", name)
    text = "ｶﾞｯｺｳ で、 ①を\u3000みる"
    encoding = tok.encode_with_offsets(text)
    shown = {text[start:end] for start, end in encoding.covering_spans}
    assert "①" in shown
    assert not any(part.isspace() for part in shown)
    words = tok.pre_tokenize(text)
    assert "".join(text[start:end] for _, (start, end) in words) == "ｶﾞｯｺｳで、①をみる"
    assert words[0][0].startswith("ガ")


@pytest.mark.parametrize("name", DICTIONARIES)
def test_nothing_is_lost_without_the_step_that_drops_white_space(name: str) -> None:
    tok = lossless(name)
    readable = ReferenceTokenizer(tok.spec)

    @settings(max_examples=60)
    @given(texts)
    def check(text: str) -> None:
        ids = tok.encode(text)
        assert tok.decode(ids) == text
        assert [token.id for token in readable.encode(text)] == ids
        encoding = tok.encode_with_offsets(text)
        assert encoding.ids.tolist() == ids
        assert b"".join(text.encode()[start:end] for start, end in encoding.byte_spans) == (
            text.encode()
        )

    check()


@pytest.mark.parametrize("name", ["mecab-ipadic", "sudachi-c"])
def test_long_texts_are_cut_at_the_ends_of_lines_into_blocks(name: str, tmp_path: Path) -> None:
    lines = [line.rstrip("。") for line in japanese()] * 120
    text = "\n".join(lines) + "\n"
    assert len(text.encode()) > 1 << 19
    for tok in (trained("wordpiece", name), lossless(name)):
        ids = tok.encode(text)
        newline = tok.encode("\n")
        rows = tok.encode_batch(lines).to_lists()
        assert ids == [id for row in rows for id in row + newline]
        (tmp_path / "long.txt").write_text(text, encoding="utf-8", newline="")
        assert tok.encode_files(tmp_path / "long.txt").ids.tolist() == ids
        assert tok.encode_array(text).tolist() == ids


@pytest.mark.parametrize("name", DICTIONARIES)
def test_within_a_limit(name: str) -> None:
    for tok in (trained("wordpiece", name), lossless(name)):
        for text in (TEXT, "".join(japanese()[:20])):
            beginning = tok.truncate(text, 7)
            assert text.startswith(beginning)
            assert tok.count(beginning) <= 7 < tok.count(text)
            chunks = tok.chunks(text, 9)
            assert "".join(chunk.text for chunk in chunks) == text
            assert all(chunk.ids.tolist() == tok.encode(chunk.text) for chunk in chunks)
            assert max(len(chunk.ids) for chunk in chunks) <= 9


@pytest.mark.parametrize("name", DICTIONARIES)
def test_words_are_counted_as_the_readable_engine_counts_them(name: str, tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("\n".join(japanese()), encoding="utf-8")
    expected = count_words(japanese(), words_of_dictionary(require(name)), normalizer=spec.NFKC())
    for corpus in (japanese(), tmp_path / "lines.txt"):
        for threads in (1, 2):
            counts = kugiri.count_words(
                corpus, pre_tokenizer=name, normalizer="nfkc", threads=threads
            )
            assert list(counts.items()) == list(expected.items())
    counts.save(tmp_path / "counts.npz")
    again = kugiri.WordCounts.load(tmp_path / "counts.npz")
    assert again.pre_tokenizer == words_of_dictionary(name)
    tok = kugiri.train(again, model="wordpiece", pre_tokenizer=name, num_merges=10)
    assert tok.spec.pre_tokenizer == words_of_dictionary(name)


def test_what_may_come_next_is_not_told() -> None:
    tok = trained("bpe", "mecab-ipadic")
    assert tok.is_canonical(tok.encode("東京都庁")) is True
    calls: list[Callable[[], object]] = [
        lambda: tok.next_tokens([]), lambda: tok.heal([65]), lambda: tok.neighbours(65),
        lambda: tok.tokens_with_prefix(b"a"),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(OptionError, match=r"mecab-ipadic.*is_canonical works"):
            call()


def test_an_error_of_the_dictionary_is_an_error_of_the_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tok = trained("bpe", "mecab-ipadic")
    tok.encode("猫")
    words = dictionaries.opened("mecab-ipadic", "ipadic")

    def says(what: Any) -> None:
        def make() -> dictionaries.Cutter:
            def cut(part: str) -> list[tuple[int, int]]:
                if isinstance(what, Exception):
                    raise what
                return list(what)

            return cut

        monkeypatch.setattr(words, "_free", [])
        monkeypatch.setattr(words, "_make", make)

    says(ValueError("no memory left"))
    with pytest.raises(EncodingError, match="no memory left"):
        tok.encode("猫が")
    with pytest.raises(EncodingError, match="text 1: no memory left"):
        tok.encode_batch(["", "猫が"] * 300)
    says([(0, 7)])
    with pytest.raises(EncodingError, match="do not cover the text"):
        tok.encode("猫が")
    says([(0, 1)])
    assert [word for word, _ in tok.pre_tokenize("ab")] == ["a", "b"]


# ── saved and loaded ──────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", DICTIONARIES)
@pytest.mark.parametrize("model", MODELS)
def test_saved_and_loaded(model: str, name: str, tmp_path: Path) -> None:
    tok = trained(model, name)
    path = tmp_path / "a.kugiri.json"
    tok.save(path)
    assert (again := kugiri.load(path)) == tok
    assert again.encode(TEXT) == tok.encode(TEXT)
    assert pickle.loads(pickle.dumps(tok)) == tok
    (step,) = spec.dictionaries_of(tok.spec.pre_tokenizer)
    library, dictionary = dictionaries.installed(name)
    assert (step.name, step.library) == (name, spec.Package(*library))
    assert step.dictionary == spec.Package(*dictionary)


def in_another_version(tok: kugiri.Tokenizer, which: str) -> bytes:
    step, dropped = tok.spec.pre_tokenizer.pre_tokenizers  # type: ignore[union-attr]
    other = replace(step, **{which: replace(getattr(step, which), version="0.0.1")})
    return native.write(replace(tok.spec, pre_tokenizer=spec.PreTokenizers((other, dropped))))


def test_another_version_of_a_dictionary_is_refused() -> None:
    file = in_another_version(trained("wordpiece", "mecab-ipadic"), "dictionary")
    there = dictionaries.installed("mecab-ipadic").dictionary[1]
    said = rf"ipadic 0\.0\.1, and ipadic {there} is installed.*pip install ipadic==0\.0\.1"
    with pytest.raises(KugiriError, match=said):
        kugiri.load(file)


def test_another_version_of_a_library_is_a_warning() -> None:
    tok = trained("wordpiece", "mecab-ipadic")
    with pytest.warns(KugiriWarning, match=r"fugashi 0\.0\.1, and fugashi .* is installed"):
        again = kugiri.load(in_another_version(tok, "library"))
    assert again.encode(TEXT) == tok.encode(TEXT)


def test_a_dictionary_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    tok = trained("wordpiece", "mecab-ipadic")
    file, pickled = native.write(tok.spec), pickle.dumps(tok)
    monkeypatch.setattr(dictionaries, "find_spec", lambda module: None)
    with pytest.raises(KugiriError, match=r"mecab-ipadic.*pip install fugashi ipadic"):
        pickle.loads(pickled)
    with pytest.raises(KugiriError, match=r"mecab-ipadic.*pip install fugashi ipadic"):
        kugiri.load(file)
    with pytest.raises(KugiriError, match=r"sudachi-c.*pip install sudachipy sudachidict-small"):
        kugiri.train(["猫"], vocab_size=300, pre_tokenizer="sudachi-c")


def test_a_wrong_name() -> None:
    with pytest.raises(OptionError, match="did you mean 'mecab-ipadic'"):
        kugiri.train(["猫"], vocab_size=300, pre_tokenizer="mecab-ipa-dic")
    package = spec.Package("fugashi", "1")
    step = spec.Dictionary("mecab-neologd", package, package)  # type: ignore[arg-type]
    with pytest.raises(FormatError, match=r"pre_tokenizer.name is 'mecab-neologd'"):
        kugiri.Tokenizer(spec.TokenizerSpec(trained_model(), pre_tokenizer=step))
    step = spec.Dictionary("mecab-ipadic", package, spec.Package("mecab", "1"))
    with pytest.raises(OptionError, match="unknown dictionary for 'mecab-ipadic' 'mecab'"):
        kugiri.Tokenizer(spec.TokenizerSpec(trained_model(), pre_tokenizer=step))


def trained_model() -> spec.Model:
    return kugiri.train(["a"], num_merges=0).spec.model


def test_other_formats_refuse(tmp_path: Path) -> None:
    tok = trained("bpe", "mecab-ipadic")
    with pytest.raises(FormatError, match=r"words of a dictionary \(mecab-ipadic\).*kugiri.json"):
        tok.save(tmp_path / "tokenizer.json")
    for name in ("a.tiktoken", "a.model", "tekken.json", "vocab.json", "vocab.txt"):
        with pytest.raises(FormatError):
            tok.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_inspect_names_the_dictionary(tmp_path: Path) -> None:
    require("mecab-ipadic")
    file = str(tmp_path / "a.kugiri.json")
    train(file, "--vocab-size", "300", "--pre-tokenizer", "mecab-ipadic", text="灰色の猫\n" * 9)
    shown = " ".join(run("inspect", file).out.split())
    as_json = json.loads(run("inspect", file, "--json").out)
    (library, at), (dictionary, version) = dictionaries.installed("mecab-ipadic")
    assert f"words of mecab-ipadic ({library} {at}, {dictionary} {version})" in shown
    assert as_json["dictionaries"] == [
        {
            "type": "Dictionary",
            "name": "mecab-ipadic",
            "library": {"package": library, "version": at},
            "dictionary": {"package": dictionary, "version": version},
        }
    ]


# ── processes ─────────────────────────────────────────────────────────────────────────────────
def encoded(tok: kugiri.Tokenizer, given: list[str]) -> list[list[int]]:
    return tok.encode_batch(given).to_lists()


@pytest.mark.parametrize("method", ["spawn", "fork"])
@pytest.mark.parametrize("name", ["mecab-ipadic", "sudachi-a"])
def test_worker_processes(name: str, method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system starts no process by {method}")
    tok = trained("wordpiece", name)
    given = japanese()[:40]
    expected = encoded(tok, given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads
        with multiprocessing.get_context(method).Pool(2) as pool:
            parts = [given[start : start + 10] for start in range(0, 40, 10)]
            rows = pool.starmap(encoded, [(tok, part) for part in parts])
    assert [row for part in rows for row in part] == expected


def test_threads_share_a_tokenizer() -> None:
    name = require("sudachi-c")
    run_python(f"""
        import threading, kugiri
        lines = open({str(SAMPLE / "japanese.txt")!r}, encoding="utf-8").read().splitlines()
        tok = kugiri.train(lines, vocab_size=400, pre_tokenizer={name!r})
        expected = [tok.encode(line) for line in lines]
        wrong = []
        def work():
            for line, ids in zip(lines, expected):
                if tok.encode(line) != ids or tok.encode_batch([line] * 3).to_lists() != [ids] * 3:
                    wrong.append(line)
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert not wrong, wrong
    """)


def test_a_script_without_a_main_guard() -> None:
    """Nothing of a large batch may start the script again."""
    name = require("sudachi-c")
    out = run_python(f"""
        import kugiri
        lines = open({str(SAMPLE / "japanese.txt")!r}, encoding="utf-8").read().splitlines() * 200
        tok = kugiri.train(lines[:300], vocab_size=400, pre_tokenizer={name!r})
        once = sum(map(tok.count, lines[: len(lines) // 200]))
        print(tok.encode_batch(lines).offsets[-1] == once * 200)
    """)
    assert out == "True\n"


# ── BERT for Japanese ─────────────────────────────────────────────────────────────────────────
def test_the_preset() -> None:
    require("mecab-ipadic")
    tok = kugiri.train(SAMPLE, preset="bert-japanese", vocab_size=1800)
    assert list(tok.special_tokens.items()) == [(name, id) for id, name in enumerate(BERT)]
    assert tok.spec.normalizer == spec.NFKC()
    assert tok.tokens("ﾄｳｷｮｳ、東京", add_special_tokens=True)[
        :: len(tok.encode("ﾄｳｷｮｳ、東京")) + 1
    ] == [
        "[CLS]",
        "[SEP]",
    ]
    with pytest.warns(KugiriWarning, match="vocab_size=32000 was not reached"):
        kugiri.train(["東京 " * 3], preset="bert-japanese")


@pytest.mark.parametrize("name", DICTIONARIES)
def test_a_vocab_txt_is_read_again(name: str, tmp_path: Path) -> None:
    tok = trained("wordpiece", name)
    package, version = dictionaries.installed(name).dictionary
    with pytest.warns(KugiriWarning, match=f"does not keep the version of {package}, {version}"):
        tok.save(tmp_path / "vocab.txt")
    with pytest.warns(KugiriWarning, match=f"says nothing of the version of {package}"):
        again = kugiri.load(tmp_path)
    assert again.encode(TEXT, add_special_tokens=True) == tok.encode(TEXT, add_special_tokens=True)
    assert again.decode(again.encode(TEXT)) == tok.decode(tok.encode(TEXT))
    assert again.spec.pre_tokenizer == tok.spec.pre_tokenizer


VOCAB = "\n".join([*BERT, "猫", "が", "##が", "a"]) + "\n"


def load_with(folder: Path, **said: Any) -> kugiri.Tokenizer:
    (folder / "vocab.txt").write_text(VOCAB, encoding="utf-8")
    config = {"tokenizer_class": "BertJapaneseTokenizer", **said}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KugiriWarning)
        return kugiri.load(folder)


@pytest.mark.parametrize(
    ("said", "name", "normalizer"),
    [
        ({"word_tokenizer_type": "mecab", "mecab_kwargs": {"mecab_dic": "ipadic"}},
         "mecab-ipadic", spec.NFKC()),
        ({"word_tokenizer_type": "mecab", "sudachi_kwargs": None}, "mecab-unidic-lite",
         spec.NFKC()),
        ({"word_tokenizer_type": "sudachi",
          "sudachi_kwargs": {"sudachi_split_mode": "C", "sudachi_dict_type": "small",
                             "normalize_text": False, "sudachi_projection": None}},
         "sudachi-c", None),
    ],
)  # fmt: skip
def test_settings(
    said: dict[str, Any], name: str, normalizer: spec.NFKC | None, tmp_path: Path
) -> None:
    tok = load_with(tmp_path, **said) if require(name) else None
    assert tok is not None
    assert [step.name for step in spec.dictionaries_of(tok.spec.pre_tokenizer)] == [name]
    assert tok.spec.normalizer == normalizer
    assert tok.encode("猫が", add_special_tokens=True) == [2, 5, 6, 3]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({}, "word_tokenizer_type .* is 'basic'.*read here: mecab, sudachi"),
        ({"word_tokenizer_type": "jumanpp"}, "word_tokenizer_type .* is 'jumanpp'"),
        ({"word_tokenizer_type": ["mecab"]}, "word_tokenizer_type"),
        ({"word_tokenizer_type": "mecab", "do_lower_case": True}, "do_lower_case .* is True"),
        ({"word_tokenizer_type": "mecab", "do_word_tokenize": 0}, "do_word_tokenize .* is 0"),
        ({"word_tokenizer_type": "mecab", "subword_tokenizer_type": "character"},
         "subword_tokenizer_type .* is 'character'.*read here: wordpiece"),
        ({"word_tokenizer_type": "mecab", "mecab_kwargs": {"mecab_dic": "unidic"}},
         "mecab_dic .* is 'unidic'.*read here: ipadic, unidic_lite"),
        ({"word_tokenizer_type": "mecab", "mecab_kwargs": {"mecab_option": "-d x"}},
         "has 'mecab_option', which is not run here"),
        ({"word_tokenizer_type": "mecab", "mecab_kwargs": "x"}, "mecab_kwargs .* is 'x'"),
        ({"word_tokenizer_type": "sudachi", "sudachi_kwargs": {"sudachi_split_mode": "D"}},
         "sudachi_split_mode .* is 'D'.*read here: A, B, C"),
    ],
)  # fmt: skip
def test_settings_that_are_not_run(said: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        load_with(tmp_path, **said)


@pytest.mark.parametrize("name", DICTIONARIES)
def test_the_ids_are_those_of_transformers(name: str, tmp_path: Path) -> None:
    library = pytest.importorskip("transformers", reason="absent: pip install transformers==5.24.0")
    tok = trained("wordpiece", name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KugiriWarning)
        tok.save(tmp_path / "vocab.txt")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of Sudachi, whose names it calls
        theirs = library.BertJapaneseTokenizer.from_pretrained(str(tmp_path))
    marked = ["[MASK]です。[CLS]", "a\tb", "  ", "㍿選挙", "e\u0301 か\u3099", "👨‍👩‍👧 𠮷野家①"]
    for text in [*japanese(), *marked]:
        ids = tok.encode(text, add_special_tokens=True, allowed_special="all")
        assert theirs(text)["input_ids"] == ids
        assert theirs.decode(ids) == tok.decode(ids)
    pair = tok.model_inputs(["猫が"], ["いる"]).to_lists("input_ids", "token_type_ids")
    other = theirs("猫が", "いる", return_token_type_ids=True)
    assert {name: [list(other[name])] for name in pair} == pair


def test_the_spec_knows_the_same_names() -> None:
    (kind,) = (it for it in get_args(spec.PreTokenizer) if it is spec.Dictionary)
    assert set(get_args(get_type_hints(kind)["name"])) == set(DICTIONARIES)
