"""Text out of markup: what a reader sees, and code apart from it."""

from __future__ import annotations

import time

import pytest

from kugiri.corpus.clean import clean


@pytest.mark.parametrize(
    ("markup", "text", "code"),
    [
        pytest.param("", "", [], id="nothing"),
        pytest.param("猫は魚", "猫は魚", [], id="plain text"),
        pytest.param("1 < 2 & 4 > 3", "1 < 2 & 4 > 3", [], id="signs that are no markup"),
        pytest.param("Q&amp;A &lt;b&gt; &#8220;猫&#x201D; &hellip;", "Q&A <b> “猫” …", [],
                     id="entities"),
        pytest.param("&amp;lt;", "&lt;", [], id="entities are decoded once"),
        pytest.param("<p>猫は<b>魚</b>が<a href=x>好き</a></p>", "猫は魚が好き", [], id="inline"),
        pytest.param("<p>一<p>二<ul><li>三<li>四</ul>五", "一\n二\n三\n四\n五", [], id="unclosed"),
        pytest.param("一<br>二<br/>三", "一\n二\n三", [], id="br"),
        pytest.param("<p>a\n  b\tc</p>", "a b c", [], id="white space is one space"),
        pytest.param("<p>　全角\u00a0</p>", "　全角\u00a0", [], id="other spaces stay"),
        pytest.param("一\n\n 二 \n", "一\n二", [], id="lines outside elements"),
        pytest.param("<table><tr><th>a<td>b<tr><td>c</table>", "a b\nc", [], id="table"),
        pytest.param("<title>t</title><style>s</style><script>1<2</script>本文<!-- c -->", "本文",
                     [], id="what nobody sees"),
        pytest.param("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を", "漢字を", [],
                     id="readings"),
        pytest.param("<math><mi>x</mi></math>", "x", [], id="unknown elements are inline"),
        pytest.param("前<pre class=l><code>if a &lt; b:\n    c\n</code></pre>後", "前\n後",
                     ["if a < b:\n    c"], id="pre"),
        pytest.param("<pre>a<br>b</pre><pre></pre>", "", ["a\nb"], id="br in pre, empty pre"),
        pytest.param("<p>入力は <code>x = 1</code> です</p>", "入力は x = 1 です", [],
                     id="inline code is text"),
        pytest.param("<code>a = 1\nb = 2</code>文", "文", ["a = 1\nb = 2"], id="code of lines"),
        pytest.param("前\n```python\nx: List<int> = a\n```\n後", "前\n後", ["x: List<int> = a"],
                     id="fence"),
        pytest.param("~~~\n```\n~~~~\n後", "後", ["```"], id="fence of tildes"),
        pytest.param("````\n```\n````", "", ["```"], id="longer fence"),
        pytest.param("```\nx\n文", "```\nx\n文", [], id="fence left open"),
        pytest.param("~~~\n````\nx\n```\n文\n````", "~~~", ["x\n```\n文"], id="longer one inside"),
        pytest.param("~~~お知らせ~~~ 夏休み\n文\n~~~", "~~~お知らせ~~~ 夏休み\n文\n~~~", [],
                     id="no fence: tildes after it"),
        pytest.param("~~~~~~~~~~", "~~~~~~~~~~", [], id="an ornament"),
        pytest.param("<p>一<br>\n~~~~~\n二\n~~~~~\n</p>", "一\n~~~~~ 二 ~~~~~", [],
                     id="no fence: in HTML"),
        pytest.param("<div>一</div>\n\n```\nx\n```\n二", "一\n二", ["x"], id="fence after HTML"),
        pytest.param("<pre>\n\n```\nx\n```\n</pre>\n```\ny\n```", "",
                     ["y", "```\nx\n```"], id="fence in pre"),
        pytest.param("```\n```", "", [], id="empty fence"),
        pytest.param("``` a`b", "``` a`b", [], id="no fence: a backtick after it"),
        pytest.param("    ```\n    x", "```\nx", [], id="no fence: indented by four"),
        pytest.param("```\r\nx\r\n```\r\n後", "後", ["x"], id="CRLF"),
    ],
)  # fmt: skip
def test_clean(markup: str, text: str, code: list[str]) -> None:
    assert clean(markup) == (text, code)


@pytest.mark.parametrize("tag", ["<div>", "<b>", "<ul><li>", "<table><tr><td>"])
def test_pages_that_nest_without_end(tag: str) -> None:
    started = time.perf_counter()
    assert clean(tag * 5000 + "深い").text == "深い"
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize(
    ("markup", "times", "lines"),
    [
        pytest.param("<p>猫</p>", 20_000, 20_000, id="paragraphs"),
        pytest.param("猫<br>", 20_000, 20_000, id="lines"),
        pytest.param("<table><tr><td>猫</table>", 20_000, 20_000, id="tables"),
        pytest.param("<code>", 20_000, 1, id="code in code"),
        pytest.param("<code><pre></pre>", 5_000, 1, id="empty pre in code"),
    ],
)
def test_long_pages_cost_what_is_on_them(markup: str, times: int, lines: int) -> None:
    started = time.perf_counter()
    assert len(clean(markup * times + "終").text.split("\n")) in (lines, lines + 1)
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize("line", ["```x\n", "~~~\n```x\n", "~~~ x\n```\n"])
def test_many_fences_left_open(line: str) -> None:
    started = time.perf_counter()
    assert clean(line * 20_000 + "終").text.endswith("終")
    assert time.perf_counter() - started < 10


def test_html_alone_has_no_fences() -> None:
    assert clean("~~~\n猫\n~~~", markdown=False) == ("~~~\n猫\n~~~", [])
