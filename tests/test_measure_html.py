"""The report as a string: what it says, that text is escaped, and that it names nothing outside."""

from __future__ import annotations

import html
import json
import re
from functools import cache
from importlib import import_module
from itertools import accumulate, pairwise
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from rich.cells import cell_len

import kugiri
from kugiri.measure.answer import sentence
from kugiri.measure.html import page, plots, save_plots
from kugiri.measure.html.answer import answer_table, legend, said, warned
from kugiri.measure.html.behind import details
from kugiri.measure.html.look import LIGHT, THEMED, labels
from kugiri.measure.html.samples import glyphs_of, held_against, samples
from kugiri.measure.html.summary import by_corpus, elsewhere, languages
from kugiri.measure.html.tables import values
from kugiri.measure.metric import Table
from kugiri.measure.numbers import between, decimals, listed, number, percent
from kugiri.measure.report import Loss, MeasuredTokenizer, Report, Split
from kugiri.measure.standing import Standings
from processes import run_python
from tests.measured_reports import FEW, HOSTILE, by_hand, empty, hostile, measured
from tests.test_explain_html import ATTRIBUTES, ELEMENTS, check

MORE_ELEMENTS = ELEMENTS | {
    "figure", "figcaption", "select", "option", "label", "details", "summary", "a", "ul", "nav",
    "colgroup", "col", "wbr",
}  # fmt: skip
MORE_ATTRIBUTES = ATTRIBUTES | {
    "href", "dir", "for", "value", "aria-hidden", "data-by", "data-for", "data-plot", "data-way",
    "colspan", "rowspan", "open",
}  # fmt: skip

REPORTS = {
    "by hand": by_hand,
    "languages": lambda: by_hand(corpora=("ja",), languages=20),
    "one tokenizer": lambda: by_hand(("o200k",)),
    "real": measured,
    "hostile": hostile,
    "empty": empty,
}


@cache
def html_of(name: str) -> str:
    return page(REPORTS[name]())


def without_scripts(name: str) -> str:
    return re.sub("(?s)<script.*?</script>", "", html_of(name))


def words(markup: str) -> str:
    """What is read, without markup."""
    return html.unescape(re.sub("<[^>]*>", "", markup)).replace("\xa0", " ")


# ── the page ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", REPORTS)
def test_the_markup_is_ours_and_closed(name: str) -> None:
    checked = check(html_of(name), MORE_ELEMENTS, MORE_ATTRIBUTES)
    assert json.loads(checked.data) == [
        chart.to_dict(validate=False) for chart in plots(REPORTS[name](), THEMED).values()
    ]


@pytest.mark.parametrize("name", REPORTS)
def test_it_names_nothing_outside(name: str) -> None:
    assert not {"src", "srcset", "action"} & MORE_ATTRIBUTES
    markup = without_scripts(name)
    for word in ("http:", "https:", "url(", "@import"):
        assert word not in markup
    assert all(it.startswith("#") for it in re.findall(r'href="([^"]*)"', markup))


@pytest.mark.parametrize("name", REPORTS)
def test_it_stays_small(name: str) -> None:
    assert len(html_of(name).encode()) < 2_000_000


def test_hostile_text_is_escaped() -> None:
    markup = without_scripts("hostile")
    assert "alert(&#x27;x&#x27;)" in markup
    assert "<img" not in markup
    assert html_of("hostile").count("<script") == 3
    data = re.search('(?s)<script type="application/json".*?</script>', html_of("hostile"))
    assert data is not None
    assert "<" not in data[0][1:-9]


def test_links_have_their_places() -> None:
    markup = without_scripts("by hand")
    links = set(re.findall(r'href="#([^"]*)"', markup))
    places = set(re.findall(r' id="([^"]*)"', markup))
    assert links <= places
    assert len([it for it in links if it.startswith("metric-")]) == 26
    assert links - {f"metric-{note.name}" for note in by_hand().metrics} == {
        "before", "plots", "glance", "texts", "metrics", "what", "made",
    }  # fmt: skip
    (contents,) = re.findall("(?s)<nav.*?</nav>", without_scripts("empty"))
    assert re.findall(r'href="#([^"]*)"', contents) == ["glance", "what", "made"]


def test_it_says_how_it_was_made() -> None:
    text = words(html_of("by hand"))
    report = by_hand()
    for part in (report.command, report.segmenter, *report.warnings, "1,000 of documents, seed 0"):
        assert str(part) in text
    for note in report.metrics:
        for part in (note.definition, note.formula, note.source, note.misleads, note.evidence):
            assert part in text


def test_it_shows_both_averages() -> None:
    text = words(html_of("by hand"))
    assert "Macro, where each weighs the same" in text
    assert re.search(r"2\.250*2\.50*3 corpora", text)
    assert "Macro" not in words(html_of("real"))


def test_a_command_can_be_run_again_where_names_are_alike() -> None:
    command = "kugiri measure -t /a/b/qwen3/tokenizer.json -t /a/b/llama3/tokenizer.json"
    tokenizers = [
        MeasuredTokenizer(name, f"/a/b/{name}/tokenizer.json", "BPE", 300, "5e" * 32)
        for name in ("qwen3", "llama3")
    ]
    text = words(page(msgspec.structs.replace(
        by_hand(("qwen3", "llama3"), names=FEW[:1]), command=command, tokenizers=tokenizers
    )))  # fmt: skip
    said_ = "kugiri measure -t qwen3/tokenizer.json -t llama3/tokenizer.json"
    assert f"{said_} Of paths that are not relative, folders are left out." in text
    assert "/a/b" not in text


def test_it_does_not_say_whose_machine_it_was() -> None:
    command = "kugiri measure -t a=/home/me/a.json -t '~/x y.json' --corpus data/ja.txt --html C:/r"
    tokenizers = [MeasuredTokenizer("a", "/home/me/a.json", "BPE", 300, "5e" * 32)]
    text = words(page(msgspec.structs.replace(
        by_hand(("a",), names=FEW[:1]), command=command, tokenizers=tokenizers
    )))  # fmt: skip
    assert "kugiri measure -t a=a.json -t 'x y.json' --corpus data/ja.txt --html r" in text
    assert "home" not in text.replace("home-", "")


def test_it_says_who_loses_text() -> None:
    loss = Loss(
        "cl100k", "ja", 9, 3, characters=0.032, white_space=0.03, others=0.0, bytes=0.03, tokens=0.1
    )
    spaces = msgspec.structs.replace(loss, corpus="code", white_space=0.0)
    report = msgspec.structs.replace(by_hand(names=FEW), losses=[loss, spaces])
    standings = Standings(report)
    first = answer_table(report, standings)
    assert first.count('<small class="loses">loses 3.2\xa0%</small>') == 2
    assert "what is lost costs nothing, so it looks better than it is" in words(
        legend(report, standings)
    )
    assert "what is lost" not in words(legend(by_hand(names=FEW), Standings(by_hand(names=FEW))))
    table = values(report, report.metrics[1], Standings(report))
    assert table.count('<small class="loses">loses text: 3.2 %</small>') == 2


def test_who_is_ahead_by_what_it_loses_is_not_the_best() -> None:
    report = report_of(ja={"A": 4.0, "B": 3.8})
    loss = Loss(
        "A", "ja", 9, 3, characters=0.032, white_space=0.0, others=0.0, bytes=0.03, tokens=0.5
    )
    report = msgspec.structs.replace(report, losses=[loss])
    standings = Standings(report)
    assert (
        words(said(sentence(report, standings)))
        == "B needs the fewest tokens on ja; A needs fewer, but only by losing text."
    )
    # 0.2 / 4.0 = 5 % fewer
    assert "; A needs 5.0 % fewer tokens (3.8–6.3 %)" in words(by_corpus(report, standings))
    assert "−5.0 %loses 3.2 %" in words(answer_table(report, standings))
    assert "the best" not in words(values(report, report.metrics[0], standings).split(">B<")[0])


def test_languages_are_part_of_the_answer() -> None:
    report = by_hand(names=FEW, languages=3)
    note = msgspec.structs.replace(report.metrics[-1], name="parity", over="translation")
    value = msgspec.structs.replace(report.values[0], metric="parity")
    more = [
        msgspec.structs.replace(value, tokenizer=who, corpus=on, value=size, low=None, high=None)
        for who, on, size in (("o200k", "ja", 1.5), ("cl100k", "ja", 2.25), ("o200k", "zh", 1.25))
    ]
    both = msgspec.structs.replace(report, metrics=[note], values=more)
    assert words(languages(both)) == (
        "The same text in the dearest language takes 1.500 times the tokens of en with o200k (ja), "
        "2.250 with cl100k (ja)."
    )
    one = msgspec.structs.replace(report, metrics=[note], values=more[:2])
    assert words(languages(one)) == (
        "The same text in ja takes 1.500 times the tokens of en with o200k, 2.250 with cl100k."
    )
    assert words(languages(report)) == ""


def test_without_the_extra_it_says_what_to_install() -> None:
    script = """
    import sys
    sys.modules["altair"] = sys.modules["vl_convert"] = None
    from kugiri.errors import KugiriError
    from kugiri.measure.html import page, plots, save_plots
    from tests.measured_reports import empty
    for call in (lambda it: save_plots(it, "."), page, plots):
        try:
            call(empty())
        except KugiriError as error:
            print(error)
    """
    said = run_python(script).splitlines()
    assert said == ["plots need the package altair; pip install 'kugiri[report]'"] * 3


# ── words ─────────────────────────────────────────────────────────────────────────────────────
def report_of(**leads: dict[str, float]) -> Report:
    """Bytes per token by corpus and tokenizer; what is less than 0.05 apart is noise."""
    whole = by_hand(tuple(next(iter(leads.values()))), tuple(leads))
    value, comparison = whole.values[0], whole.comparisons[0]
    replace = msgspec.structs.replace
    values, comparisons = [], []
    for corpus, of in leads.items():
        for name, number_ in of.items():
            low, high = number_ - 0.05, number_ + 0.05
            values.append(
                replace(value, metric="bytes_per_token", tokenizer=name, corpus=corpus,
                        value=number_, low=low, high=high, unit="bytes/token")
            )  # fmt: skip
        for first, second in [(a, b) for a in of for b in of if a < b]:
            apart = of[second] - of[first]
            comparisons.append(
                replace(comparison, metric="bytes_per_token", corpus=corpus, first=first,
                        second=second, difference=apart, low=apart and apart - 0.05,
                        high=apart and apart + 0.05,
                        differs=abs(apart) > 0.05)
            )  # fmt: skip
    notes = [note for note in whole.metrics if note.name == "bytes_per_token"]
    return replace(whole, metrics=notes, values=values, comparisons=comparisons)


def test_where_nobody_can_tell_is_said() -> None:
    report = report_of(ja={"A": 4.0, "B": 3.8}, code={"A": 3.0, "B": 2.0})
    corpora = [
        msgspec.structs.replace(it, documents=1 if it.name == "ja" else 9) for it in report.corpora
    ]
    told = [it for it in report.comparisons if it.corpus == "code"]
    report = msgspec.structs.replace(report, corpora=corpora, comparisons=told)
    assert words(said(sentence(report, Standings(report)))) == (
        "A needs the fewest tokens on code (the next 50 % more); on ja, a single document, nobody "
        "can tell."
    )


TITLES = {
    "one leads everywhere": (
        {"ja": {"A": 4.0, "B": 3.0}, "en": {"A": 5.0, "B": 4.0}},
        "A needs the fewest tokens on ja (the next 33 % more) and en (25 %).",
    ),
    "another one elsewhere": (
        {"ja": {"A": 4.0, "B": 3.0}, "en": {"A": 4.0, "B": 5.0}, "de": {"A": 4.0, "B": 3.0}},
        "A needs the fewest tokens on ja (the next 33 % more) and de (33 %), B on en (25 %).",
    ),
    "two within the noise of each other": (
        {"ja": {"A": 4.0, "B": 3.0}, "en": {"A": 4.0, "B": 4.02}},
        "A needs the fewest tokens on ja (the next 33 % more); on en A and B cannot be told apart.",
    ),
    "noise alone": (
        {"ja": {"A": 4.0, "B": 4.02, "C": 3.0}},
        "On ja A and B cannot be told apart (the next 34 % more).",
    ),
    "the same": (
        {"ja": {"A": 4.0, "B": 4.0}},
        "On ja A and B need the same number of tokens.",
    ),
    "many corpora": (
        {f"c{at}": {"A": 4.0, "B": 3.0} for at in range(9)},
        "A needs the fewest tokens on 9 corpora (the next 33 % more).",
    ),
}


@pytest.mark.parametrize(("leads", "answer"), TITLES.values(), ids=TITLES)
def test_the_answer(leads: dict[str, dict[str, float]], answer: str) -> None:
    report = report_of(**leads)
    assert words(said(sentence(report, Standings(report)))) == answer


def test_the_distances() -> None:
    report = report_of(ja={"A": 4.0, "B": 3.2, "C": 3.98})
    # 4.0 / 3.2 - 1 = 25 %; the interval of 0.8 ± 0.05 is 0.75 / 3.2 and 0.85 / 3.2.
    assert words(by_corpus(report, Standings(report))) == (
        "jaA 4.00 bytes/token (3.95–4.05); C cannot be told apart from it; "
        "B needs 25.0 % more tokens (23.4–26.6 %)"
    )


def test_a_direction_that_is_less() -> None:
    report = by_hand()
    standing = Standings(report).of("tokens", "ja")
    assert standing is not None
    assert standing.alone == "o200k"
    assert [it.name for it in standing.others] == ["cl100k", "gemma3"]
    assert all(0 < it.low <= it.apart <= it.high for it in standing.others)


def test_who_is_ahead_elsewhere_is_said_of_what_counts() -> None:
    report = by_hand()  # gemma3 leads by Rényi efficiency and repeated phrases, too
    best = {"o200k": 1.9, "cl100k": 1.9, "gemma3": 1.5}
    changed = [
        msgspec.structs.replace(it, value=best[it.tokenizer])
        if it.metric == "bits_per_byte" and it.corpus == "ja"
        else it
        for it in report.values
    ]
    apart = [
        msgspec.structs.replace(it, difference=-0.4, low=-0.5, high=-0.3, differs=True)
        if (it.metric, it.corpus, it.second) == ("bits_per_byte", "ja", "gemma3")
        else it
        for it in report.comparisons
    ]
    report = msgspec.structs.replace(report, values=changed, comparisons=apart)
    (ahead,) = map(words, elsewhere(report, Standings(report)))
    assert ahead == "gemma3 is ahead in Bits per byte on ja."


def test_what_a_vocabulary_costs() -> None:
    # 200,019 · 4,096 = 819 million
    assert "200,019819 M" in words(answer_table(by_hand(), Standings(by_hand())))


def test_without_comparisons_nobody_leads() -> None:
    report = msgspec.structs.replace(by_hand(), comparisons=[])
    assert words(said(sentence(report, Standings(report)))) == (
        "o200k, cl100k and gemma3, measured on ja, en and code: without intervals nobody can be "
        "told apart."
    )
    assert 'class="best"' not in page(report)


def test_the_best_is_marked_only_beyond_the_noise() -> None:
    report = report_of(ja={"A": 4.0, "B": 3.0}, en={"A": 4.0, "B": 4.02})
    table = values(report, report.metrics[0], Standings(report))
    assert re.findall('class="best">([^<]*)<', table) == ["4.00"]


def test_a_value_that_is_not_defined_is_a_dash() -> None:
    report = report_of(ja={"A": 4.0, "B": 3.0})
    undefined = msgspec.structs.replace(report.values[1], value=None, low=None, high=None)
    report = msgspec.structs.replace(report, values=[report.values[0], undefined])
    assert '<span title="not defined here" class="soft">–</span>' in values(
        report, report.metrics[0], Standings(report)
    )


# ── numbers ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("value", "low", "high", "shown"),
    [
        (3.21456, 3.18, 3.25, "3.21 (3.18–3.25)"),
        (123456.7, 119_000.2, 127_000.4, "123,457 (119,000–127,000)"),
        (0.0123, 0.0119, 0.0127, "0.0123 (0.0119–0.0127)"),
        (-0.98, -1.01, -0.95, "−0.98 (−1.01 to −0.95)"),
        (0.0, 0.0, 0.0, "0 (0–0)"),
    ],
)
def test_as_many_decimals_as_the_interval_gives(
    value: float, low: float, high: float, shown: str
) -> None:
    places = decimals(value, low, high)
    assert f"{number(value, places)} ({between(low, high, places)})" == shown


def test_a_number_that_is_not_finite_is_no_error() -> None:
    assert number(float("inf"), decimals(float("inf"))) == "inf"
    assert percent(0.5, 0.5, 0.5) == ("50\xa0%", "50–50\xa0%")
    assert "".join(listed([])) == ""


# ── what is folded, and how tables are set ────────────────────────────────────────────────────
def test_only_what_is_looked_at_first_is_open() -> None:
    markup = without_scripts("by hand")
    heads = re.findall(r'<details class="metric"([^>]*)>.*?id="metric-(\w+)"', markup, re.DOTALL)
    assert len(heads) == 26
    assert [name for opened, name in heads if opened] == [
        "tokens", "bytes_per_token", "fertility", "unknown_rate", "broken_characters",
        "round_trip", "bits_per_byte",
    ]  # fmt: skip
    few = page(by_hand(names=("tokens", "zipf_slope")))
    assert few.count('<details class="metric" open="">') == 3


def test_one_tokenizer_has_its_values_at_once() -> None:
    markup = without_scripts("one tokenizer")
    report = REPORTS["one tokenizer"]()
    ja, en, code = (
        report.value("bytes_per_token", "o200k", it.name).value for it in report.corpora
    )
    assert words(re.findall("<h1.*?</h1>", markup)[0]) == (
        f"o200k: {ja:.2f} bytes/token on ja, {en:.2f} on en, {code:.2f} on code."
    )
    assert "1 tokenizer on 3 corpora" in words(markup)
    assert "Nobody is the best" not in markup
    (glance,) = re.findall('<table class="overview">.*?</table>', markup)
    assert glance.count("<tr>") == 27


def test_warnings_stand_at_their_corpus() -> None:
    report = by_hand(names=FEW)
    about = "corpus 'code' is 61% Latin and 22% Han by its letters: a mixture"
    report = msgspec.structs.replace(report, warnings=[about, "the aligned texts have no English"])
    standings = Standings(report)
    assert words(warned(report, standings)) == (
        f"! code{about}! allthe aligned texts have no English"
    )
    heads = re.findall("<th[^>]*>(.*?)</th>", answer_table(report, standings))
    assert ["href" in it for it in heads[:3]] == [False, False, True]


def test_a_lossy_one_is_warned_of_beside_its_values_alone() -> None:
    loss = Loss("cl100k", "ja", 9, 3, characters=0.032, white_space=0.0, others=0.0, bytes=0.03,
                tokens=0.1)  # fmt: skip
    note = "tokenizer 'cl100k' does not give back 3 of 9 documents of 'ja' as they were: it loses"
    report = msgspec.structs.replace(by_hand(names=FEW), losses=[loss], warnings=[note])
    assert words(warned(report, Standings(report))) == ""
    without = msgspec.structs.replace(report, losses=[])
    assert note in words(warned(without, Standings(without)))


def test_many_corpora_leave_the_table_to_the_vocabularies() -> None:
    report = report_of(**{f"c{at}": {"A": 4.0, "B": 3.0} for at in range(9)})
    table = words(answer_table(report, Standings(report)))
    assert table.startswith("vocabularyembeddingA200,019")


def test_columns_of_words_are_no_numbers_and_have_no_marks() -> None:
    table = Table("Lost", ("character", "name", "times"), [("\u3000", "U+3000 A SPACE", 3)])
    shown = details(table)
    assert '<i class="glyph">IDSP</i>' in shown
    assert "<bdi>U+3000 A SPACE</bdi>" in shown
    kinds = re.findall(r"<t[hd][^>]*?(?: class=\"(\w+)\")?(?: data-\w+=\"[^\"]*\")*>", shown)
    assert kinds.count("number") == 2


def test_names_break_behind_their_signs_alone() -> None:
    report = by_hand(("kyoto_ja_unigram_8000", "a"), names=FEW)
    assert "kyoto_<wbr>ja_<wbr>unigram_<wbr>8000" in answer_table(report, Standings(report))


def test_sorting_begins_with_the_best() -> None:
    report = by_hand(names=FEW)
    more, less = (values(report, note, Standings(report)) for note in report.metrics[1::-1])
    assert (more.count('data-way="descending"'), less.count("data-way")) == (3, 0)


# ── texts ─────────────────────────────────────────────────────────────────────────────────────
def sample(text: str, **cuts: str) -> str:
    """A text that is cut at each |."""
    spans, tokens = {}, {}
    for name, cut in cuts.items():
        tokens[name] = cut.split("|")
        spans[name] = list(pairwise(accumulate(map(len, tokens[name]), initial=0)))
    known = [MeasuredTokenizer(name, None, "BPE", 9, "00") for name in cuts]
    report = msgspec.structs.replace(
        empty(), tokenizers=known, splits=[Split("c", text, tokens, spans)], reference=None
    )
    return "".join(samples(report))


def test_tokens_that_the_first_does_not_have_are_marked() -> None:
    shown = sample("abcd", A="ab|c|d", B="ab|cd", C="abcd")
    own = re.findall('<li class="own"><bdi>([^<]*)<', shown)
    assert own == ["cd", "abcd"]
    assert shown.count("<li><bdi>ab</bdi></li>") == 2
    assert 'class="own"' not in sample("abcd", A="ab|c|d")


def test_bytes_are_no_whole_character() -> None:
    split = Split("c", "急", {"A": ["<e6 80>", "<a5>"], "B": ["急"], "C": ["<0xE6 80>", "<a5>"],
                             "D": ["<e6>", "<80 a5>"]},
                  {name: [(0, 1), (0, 1)] for name in "ACD"} | {"B": [(0, 1)]})  # fmt: skip
    known = [MeasuredTokenizer(name, None, "BPE", 9, "00") for name in "ABD"]
    report = msgspec.structs.replace(empty(), tokenizers=known, splits=[split], reference=None)
    rows = "".join(samples(report)).split("<dt>")[1:]
    assert [row.count('class="own"') for row in rows] == [0, 1, 1, 2]
    assert rows[1].count("(its own)") == 1


def test_code_has_letters_of_one_width() -> None:
    assert 'class="split code"' in sample("    return f(x)", A="    |return| f|(x)")
    assert 'class="split code"' not in sample("A word (or two); more.", A="A word| (or two); more.")


def test_what_is_named_is_explained() -> None:
    report = msgspec.structs.replace(
        empty(), splits=[Split("c", "\u3000猫\n", {"A": ["猫"]}, {"A": [(1, 2)]})]
    )
    assert words(glyphs_of(report)[0]) == (
        "Named are characters that cannot be seen: LF line feed, IDSP ideographic space."
    )
    assert glyphs_of(empty()) == []


def test_the_reference_is_what_the_others_are_held_against() -> None:
    assert held_against(by_hand()) == "cl100k"
    assert held_against(by_hand(("a", "b"))) == "a"
    assert held_against(by_hand(("a",))) is None
    assert "Underlined are those that cl100k does not have there." in words(html_of("by hand"))


def test_spaces_and_bytes_have_one_form() -> None:
    split = Split("c", "a 猫▁", {"bytes": ["a", "␠", "<e7 8c>", "<ab>", "▁"],
                                 "pieces": ["▁a", "▁", "<0xE7>", "<0x8C>", "<0xAB>", "▁"]},
                  {"bytes": [(0, 1), (1, 2), (2, 3), (2, 3), (3, 4)],
                   "pieces": [(0, 1), (1, 2), (2, 3), (2, 3), (2, 3), (3, 4)]})  # fmt: skip
    shown = "".join(samples(msgspec.structs.replace(empty(), splits=[split])))
    space = '<i class="space"> </i>'
    assert shown.count(space) == 3
    assert f"<bdi>{space}a</bdi>" in shown
    assert shown.count('<i class="mark">▁</i>') == 2  # that of the text
    for part in ("e7 8c", "e7", "8c"):
        assert f'<bdi class="bytes">{part}</bdi>' in shown
    assert shown.count('<bdi class="bytes">ab</bdi>') == 2
    assert "0xE7" not in shown


@pytest.mark.parametrize(
    ("code", "spoken"),
    [("ja", "ja"), ("zh-Hant", "zh-Hant"), ("a\0\u202e", "ja"), ("very long name", "ja")],
)
def test_the_language_is_a_code_or_what_the_text_shows(code: str, spoken: str) -> None:
    report = by_hand(names=FEW[:1])
    size = msgspec.structs.replace(report.corpora[0], language=code)
    (first, *_) = samples(msgspec.structs.replace(report, corpora=[size]))[1:]
    assert set(re.findall('lang="([^"]*)"', first)) == {spoken}


def test_a_long_text_says_what_it_leaves_out() -> None:
    line = "あ" * 1_000_000
    shown = sample(line, A="|".join(line), B=line)
    assert len(shown) < 100_000
    assert "The first 400 of 1,000,000 characters." in words(shown)
    assert "1,000,000 tokens, the first 400 shown" in words(shown)
    assert "… 999,920 more characters" in words(shown)


def test_what_cannot_be_seen_is_shown_and_the_language_is_named() -> None:
    shown = sample("猫が\0\u202e", A="猫が|\0\u202e")
    assert 'lang="ja"' in shown
    assert '<i class="glyph">NUL</i><i class="glyph">RLO</i>' in shown
    assert 'dir="rtl"' in sample("مرحبا", A="مرحبا")


# ── plots ─────────────────────────────────────────────────────────────────────────────────────
def test_every_plot_by_its_name() -> None:
    report = by_hand(languages=10)
    names = list(plots(report))
    with_values = {it.metric for it in report.values if it.corpus is not None}
    assert names == [
        *(note.name for note in report.metrics if note.name in with_values),
        *(f"token_length-{corpus}" for corpus in ("ja", "en", "code")),
        *(f"zipf_slope-{corpus}" for corpus in ("ja", "en", "code")),
    ]


def test_the_shades_of_the_page_are_those_of_the_pictures() -> None:
    style = re.findall(r"--shade-(\d): (#\w+)", html_of("by hand"))
    assert tuple(colour for _, colour in style[:6]) == LIGHT.shades


def test_pictures(tmp_path: object) -> None:
    report = by_hand(("o200k", "東京"), ("a/b", "a:b"))
    keep = {"bytes_per_token", "token_length"}
    report = msgspec.structs.replace(
        report,
        metrics=[it for it in report.metrics if it.name in keep],
        details=[it for it in report.details if it.metric in keep],
    )
    written = save_plots(report, f"{tmp_path}/new")
    stems = ("bytes_per_token", "token_length", "token_length-a_b", "token_length-a_b-2")
    assert [it.name for it in written] == [f"{it}.{of}" for it in stems for of in ("svg", "png")]
    assert "東京" in written[0].read_text(encoding="utf-8")
    assert written[1].read_bytes().startswith(b"\x89PNG")
    assert sorted(it.name for it in written[0].parent.iterdir()) == sorted(
        it.name for it in written
    )


def test_a_character_that_no_font_has_is_named(tmp_path: object) -> None:
    report = by_hand(("a", "b"), ("\U0010fffd\U000f1234Ω", "𐀀"))
    report = msgspec.structs.replace(report, metrics=report.metrics[:1], details=[])
    with pytest.warns(kugiri.KugiriWarning, match="no font of this system has"):
        save_plots(report, f"{tmp_path}", formats=["png"])


def test_a_format_that_is_none(tmp_path: object) -> None:
    with pytest.raises(kugiri.OptionError, match="did you mean 'svg'"):
        save_plots(by_hand(), f"{tmp_path}", formats=["svgz"])


def test_the_hostile_names_are_drawn_as_text(tmp_path: object) -> None:
    report = msgspec.structs.replace(hostile(), details=[])
    report = msgspec.structs.replace(report, metrics=report.metrics[1:2])
    (picture,) = save_plots(report, f"{tmp_path}", formats=["svg"])
    text = picture.read_text(encoding="utf-8")
    assert "<script" not in text
    assert "<img" not in text
    assert HOSTILE[0] in html.unescape(text)


KEYS = ("constructor", "toString", "__proto__", "a.b[0]", "hasOwnProperty", "猫" * 30, "猫" * 31)
"""Names that mean more to Vega or JavaScript than a name, and two that begin alike."""


def test_names_that_are_keys_are_drawn_as_all_others(tmp_path: Path) -> None:
    report = by_hand(KEYS, KEYS[::-1][:4], names=("bytes_per_token", "token_length"))
    for path in save_plots(report, tmp_path, formats=["svg"]):
        drawn = html.unescape(path.read_text(encoding="utf-8"))
        for name in labels(KEYS):
            assert f">{name}</text>" in drawn
        if path.stem == "bytes_per_token":
            assert drawn.count('aria-roledescription="point"') == len(KEYS) * 4


def test_many_corpora_with_such_names(tmp_path: Path) -> None:
    report = by_hand(("__proto__", "b"), (*KEYS, "x", "y"), names=("bytes_per_token",))
    (picture,) = save_plots(report, tmp_path, formats=["svg"])
    drawn = html.unescape(picture.read_text(encoding="utf-8"))
    assert drawn.count('aria-roledescription="rect mark"') == 2 * 9
    for name in ("__proto__", *labels(KEYS)):
        assert f">{name}</text>" in drawn


def test_labels_are_all_different() -> None:
    names = [f"{'a' * 60}{at}{'b' * 60}" for at in range(12)]
    assert len(set(labels(names))) == 12
    assert all(cell_len(it) <= 20 for it in labels([*names, *KEYS]))
    assert labels(["ja", "en"]) == ["ja", "en"]


def test_a_value_far_away_is_a_triangle_and_figures_have_the_same_decimals(
    tmp_path: Path,
) -> None:
    report = report_of(ja={"A": 4.44, "B": 4.46, "C": 4.34, "D": 1.0739})
    narrow = [
        msgspec.structs.replace(it, low=1.0738, high=1.0741) if it.tokenizer == "D" else it
        for it in report.values
    ]
    report = msgspec.structs.replace(report, values=narrow)
    rows = plots(report)["bytes_per_token"].to_dict()["datasets"]["rows"]
    assert [(row["shape"], row["shown"]) for row in rows] == [
        ("circle", "4.44"), ("circle", "4.46"), ("circle", "4.34"), ("triangle-left", "1.07"),
    ]  # fmt: skip
    assert 4.2 < rows[3]["place"] < 4.29
    two = plots(report_of(ja={"A": 4.4, "B": 1.0}))["bytes_per_token"].to_dict()["datasets"]["rows"]
    assert [row["shape"] for row in two] == ["circle", "circle"]


def test_ticks_are_numbers_as_people_write_them(tmp_path: Path) -> None:
    report = by_hand(("a", "b"), ("ja",), names=("tokens", "bytes_per_token", "token_length"))
    for scale in (1e-3, 1, 10, 1e3):
        scaled = [msgspec.structs.replace(it, value=(it.value or 0) * scale,
                                          low=(it.low or 0) * scale, high=(it.high or 0) * scale)
                  for it in report.values]  # fmt: skip
        for path in save_plots(msgspec.structs.replace(report, values=scaled), tmp_path, ["svg"]):
            assert not re.search(r">[\d.]+e[+-]?\d+<", path.read_text(encoding="utf-8"))


def test_a_plot_that_cannot_be_drawn_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(spec: object) -> str:
        raise ValueError("conversion failed:\nError: no\n    at https://cdn")

    save = import_module("kugiri.measure.html.save")
    for drawing, why in (
        (fails, "conversion failed: Error: no"),
        (lambda _: "<svg/>", "it draws no"),
    ):
        monkeypatch.setattr(save, "vl_convert", SimpleNamespace(vegalite_to_svg=drawing))
        said = f"cannot draw the plot 'tokens': {why}"
        with pytest.raises(kugiri.KugiriError, match=re.escape(said)):
            save_plots(by_hand(names=("tokens",)), tmp_path, formats=["svg"])
        assert list(tmp_path.iterdir()) == []


def test_a_plot_says_who_loses_text(tmp_path: Path) -> None:
    report = by_hand(("a", "b"), ("ja", "en"), names=("bytes_per_token",))
    loss = Loss(
        "b", "ja", 9, 3, characters=0.032, white_space=0.0, others=0.0, bytes=0.03, tokens=0.1
    )
    report = msgspec.structs.replace(report, losses=[loss])
    picture = save_plots(report, tmp_path, formats=["svg"])[0].read_text(encoding="utf-8")
    assert ">b (lossy)</text>" in picture
    assert "95 %; lossy: loses text" in picture
    assert "3.2 % of characters" in str(plots(report)["bytes_per_token"].to_dict())
