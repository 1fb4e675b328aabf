"""Hostile templates: each ends in an error, soon and in little memory."""

from __future__ import annotations

import pytest

import kugiri
from chats import said, trained
from processes import run_python

pytest.importorskip("jinja2", reason="chats need jinja2: pip install 'kugiri[chat]'")

NS = "{% set ns = namespace(s='ab', l=[1], n=7) %}"
LONG = "{% set b = 'a' * 2000000 %}"
OFTEN = "{% for i in range(100000) %}"
RUNS = "{% set t = ('x' ~ messages[0].content) * 50000 %}"
TUPLE = "{% set ns = namespace(t=(1,)) %}"
TWICE = TUPLE + "{% for i in range(60) %}{% set ns.t = (ns.t, ns.t) %}{% endfor %}"
# A list of arguments is made by Jinja itself, not written by the template.
DEEP = (
    TUPLE
    + "{% macro f() %}{% set ns.t = varargs %}{% endmacro %}"
    + "{% for i in range(20000) %}{{ f(ns.t) }}{% endfor %}{% macro all() %}"
)
ENDLESS = {
    "loops": OFTEN * 3 + "{% endfor %}" * 3,
    "loops that skip": OFTEN + "{% for b in range(100000) if false %}x{% endfor %}{% endfor %}",
    "macros": "{% macro f(n) %}{% if n %}{{ f(n-1) ~ f(n-1) }}{% endif %}{% endmacro %}{{ f(60) }}",
    "blocks": "{% block z %}{{ self.a0() }}{% endblock %}"
    + "".join(
        f"{{% block a{i} %}}{{{{ self.a{i + 1}() ~ self.a{i + 1}() }}}}{{% endblock %}}"
        for i in range(60)
    )
    + "{% block a60 %}{% endblock %}",
    "doubled": NS + OFTEN + "{% set ns.s = ns.s + ns.s %}{% endfor %}",
    "doubled by ~": NS + OFTEN + "{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
    "doubled block": NS + OFTEN
    + "{% set x %}{{ ns.s }}{{ ns.s }}{% endset %}{% set ns.s = x %}{% endfor %}",
    "doubled list": NS + OFTEN + "{% set ns.l = ns.l + ns.l %}{% endfor %}",
    "nested list": NS
    + "{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}",
    "nested JSON": NS
    + "{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l | tojson }}",
    "times": "{{ 'a' * 10000000000 }}",
    "long text": "{{ 'a' * 3000000 }}",
    "times a list": "{{ 10000000000 * [1] }}",
    "searched": LONG + OFTEN + "{% if 'b' in b %}{% endif %}{% endfor %}",
    "compared": LONG + "{% set c = b ~ '' %}" + OFTEN + "{% if b == c %}{% endif %}{% endfor %}",
    "found": LONG + OFTEN + "{% if b.find('b') %}{% endif %}{% endfor %}",
    "cut": LONG + OFTEN + "{% set x = b[1:] %}{% endfor %}",
    "split": OFTEN + "{% set x = ('a b ' * 9000).split() %}{% endfor %}",
    "characters": LONG + "{{ b | unique | list | length }}",
    "kept lists": NS + OFTEN + "{% set ns.l = ns.l + [range(100000) | list] %}{% endfor %}",
    "sorted": OFTEN + "{% set x = range(100000) | sort %}{% endfor %}",
    "mapped": LONG + "{{ range(100000) | map('replace', '0', b) | list | length }}",
    "selected": LONG + "{{ range(100000) | map('string') | select('in', b) | list | length }}",
    "views": "{% set d = dict.fromkeys(range(50000)) %}"
    + OFTEN + "{% if 'x' in d.values() %}{% endif %}{% endfor %}",
    "odd ones": OFTEN + "{% set x = range(100000) | select('none') | first %}{% endfor %}",
    "mapped lazily": OFTEN
    + "{% if 'x' in (range(100000) | map(attribute='y')) %}{% endif %}{% endfor %}",
    "replaced": "{{ ('a' * 3000) | replace('a', 'b' * 3000) | replace('b', 'c' * 3000) }}",
    "replaced nothing": "{{ ('a' * 3000000) | replace('', 'b' * 3000000) }}",
    "joined": "{{ range(100000) | map('string') | join('x' * 100000) }}",
    "indented": "{{ ('a\n' * 100000) | indent('y' * 100000) }}",
    "tuples": TWICE,
    "repeated tuples": TUPLE + "{% for i in range(60) %}{% set ns.t = (ns.t,) * 2 %}{% endfor %}",
    "repeated arguments": TUPLE
    + "{% macro f() %}{% set ns.t = varargs * 2 %}{% endmacro %}"
    + "{% for i in range(60) %}{{ f(ns.t) }}{% endfor %}{{ messages[0][ns.t] }}",
    "changed": TUPLE
    + "{% macro f() %}{% set ns.t = varargs * 2 %}{% endmacro %}"
    + "{% for i in range(60) %}{{ f(ns.t) }}{{ loop.changed(ns.t) }}{% endfor %}",
    "runs in characters": RUNS + OFTEN + "{% for c in t %}{% endfor %}{% endfor %}",
    "runs in pieces": RUNS + OFTEN + "{% set x = t.split('x') | length %}{% endfor %}",
    "runs in items": RUNS + OFTEN * 2 + "{% set x = t[i:] %}{% endfor %}{% endfor %}",
    "runs put out": RUNS + OFTEN + "{{ t }}{% endfor %}",
    "runs recased": RUNS + OFTEN + "{% set x = t | lower %}{% endfor %}",
    "runs made": "{% set t = ('x' ~ messages[0].content) * 1000000 %}{{ t }}",
    **{
        f"searched by {method}": LONG + "{{ b." + method + "('ab' ~ 'a' * 1000000) }}"
        for method in ("rfind", "rindex", "rsplit", "rpartition")
    },
    "stripped": LONG + "{{ b.strip('b' * 1000000 ~ 'a') }}",
    "compared one by one": LONG
    + "{% set c = 'a' * 1999999 ~ 'b' %}{% set x = b in ([c] * 100000) | select %}",
    "keys of one hash": "{% set ns = namespace(l=[]) %}{% for i in range(100000) %}"
    "{% set ns.l = ns.l + [i * (2 ** 61 - 1)] %}{% endfor %}{{ dict.fromkeys(ns.l) | length }}",
    **{
        f"keys like {key}": "{% set d = namespace(l=[]) %}{% for i in range(4000) %}"
        "{% set d.l = d.l + [" + key + "] %}{% endfor %}{{ dict.fromkeys(d.l) | length }}"
        for key in ("(i, 1.5)", "((), i)", "range(i, i + 1)", "((),)")
    },
    "digits": "{% set n = 64 ** 64 %}{% set n = n * n * n * n * n * n * n * n * n * n %}"
    "{{ ([n] * 60000) | string | length }}",
    "digits of JSON": "{% set n = 64 ** 64 %}{% set n = n * n * n * n * n * n * n * n * n * n %}"
    "{{ ([n] * 60000) | tojson | length }}",
    "copied": "{% set d = dict.fromkeys(range(50000)) %}"
    + OFTEN + "{% set x = d.copy() %}{% endfor %}",
}  # fmt: skip
REFUSED = {
    "{{ 9 ** 9 ** 9 }}": "numbers up to 64",
    NS + OFTEN + "{% set ns.n = ns.n * ns.n %}{% endfor %}": "4000 bits",
    "{{ 'a' | center(1000000000) }}": "the filter center is not run in chat templates",
    "{{ [1] | map('center', 1000000000) | list }}": "the filter center is not run",
    "{{ joiner() }}": "joiner is not run",
    "{{ cycler(1) }}": "cycler is not run",
    "{{ 'a'.center(1000000000) }}": "str.center is not run",
    "{{ 'a'['ljust'](1000000000) }}": "str.ljust is not run",
    "{{ '{:1000000000}'.format(1) }}": "str.format is not run",
    "{{ '%1000000000d' % 1 }}": "% on a text",
    "{{ '%1000000000d' is odd }}": "% on a text",
    "{{ '%1000000000d' is even }}": "% on a text",
    "{{ '%1000000000d' is divisibleby(1) }}": "% on a text",
    "{{ (1).to_bytes(1000000000, 'big') }}": "int.to_bytes is not run",
    "{{ range(100000).count('x') }}": "range.count is not run",
    "{{ messages[0].keys() - [1] }}": "- on a dict_keys is not run",
    "{{ messages[0].keys().isdisjoint([1]) }}": "dict_keys.isdisjoint is not run",
    "{{ messages[0][(1,):] }}": "a part goes from number to number",
    "{{ ('f' * 10000) | int(0, 16) }}": "4000 bits",
    "{% autoescape true %}{{ 1 }}{% endautoescape %}": "autoescape is not run",
    NS + "{% for i in range(2000) %}{% set ns.l = [[[[[[[[[[ns.l]]]]]]]]]] %}"
    "{% endfor %}": "nests values too deeply",
    "{{ [1] | tojson(indent=1000000000) }}": "an indent is 0 to 16",
    "{{ strftime_now('%1000000000d') }}": "strftime_now takes",
    "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}": "nested too deeply",
    "{% for x in [[1]] recursive %}{{ loop([[1]]) }}{% endfor %}": "nested too deeply",
    "{% include 'x' %}": "line 1: include is not run",
    "{% import '/etc/passwd' as x %}": "import is not run",
    "{% from 'x' import y %}": "import is not run",
    "{% extends 'x' %}": "extends is not run",
    "".join(
        f"{{% set a{i} = 1 %}}{{% block b{i} scoped %}}{{% endblock %}}" for i in range(1000)
    ): "scoped is not run",
    "{{ ([1] * 200000) | tojson(separators=('x' * 200000, ':')) }}": "at most 16 characters",
    "{{ 1 | tojson(separators=([1], ':')) }}": "a separator is a text",
    "{{ ''.__class__ }}": "str.__class__ is not run",
    "{{ messages.append(1) }}": "unsafe",
    "{{ messages[0].content._runs }}": "str._runs is not run",
    "{% set x = namespace(__class__=1) %}": "no name for a namespace",
    "{{ namespace() }}": "cannot be put out",
    "{{ messages | map('string') }}": "cannot be put out",
    "{{ [messages | map('string')] }}": "cannot be put out",
    "{{ raise_exception.__globals__.x }}": "function.__globals__ is not run",
    "{{ nothing.at.all }}": "'nothing' is undefined",
    "{{ 1 // 0 }}": "zero",
    "{{ " + "(" * 20000 + "1" + ")" * 20000 + " }}": "nested too deeply",
    "{{ 1" + "+1" * 20000 + " }}": "nested too deeply",
    "{{ messages" + ".a" * 20000 + " }}": "nested too deeply",
    "{% if 1 %}" * 3000 + "{% endif %}" * 3000: "nested too deeply",
    "{% for x in messages %}" * 50 + "{% endfor %}" * 50: "too many statically nested blocks",
    "{{ x }}" + "x" * 100_000: "100,000 at most",
    "{% for %}": "cannot be compiled: line 1:",
    "{% nothing %}": "unknown tag 'nothing'",
}


@pytest.fixture(scope="module")
def tok() -> kugiri.Tokenizer:
    return trained()


@pytest.mark.parametrize("template", REFUSED, ids=REFUSED.values())
def test_refused(tok: kugiri.Tokenizer, template: str) -> None:
    with pytest.raises(kugiri.EncodingError, match=REFUSED[template]):
        tok.encode_chat([said("low")], template=template)


@pytest.mark.parametrize(
    "use",
    [
        "{{ {ns.t: 1} }}", "{{ messages[0][ns.t] }}", "{{ messages[0].get(ns.t) }}",
        "{{ dict.fromkeys(ns.t) }}", "{{ dict([[ns.t, 1]]) }}", "{{ ns.t in messages[0] }}",
        "{{ ns.t == ns.t }}", "{{ ns.t }}", "{{ ns.t | tojson }}", "{{ ns.t is filter }}",
        "{{ messages | map(attribute=ns.t) | list }}", "{{ messages | join(attribute=ns.t) }}",
        "{{ messages | groupby(ns.t) }}", "{{ (ns.t, 1) | unique | list }}",
        "{% for i in [1, 2] %}{{ loop.changed(ns.t) }}{% endfor %}",
        "{{ [1] | map('default', ns.t) | list }}{{ [ns.t] }}",
    ],
)  # fmt: skip
def test_values_that_are_nested_deeply_are_refused(tok: kugiri.Tokenizer, use: str) -> None:
    """Making the hash of one crashes Python."""
    with pytest.raises(kugiri.EncodingError, match="nests values too deeply"):
        tok.encode_chat([said("low")], template=DEEP + "{% endmacro %}" + use)


@pytest.mark.parametrize(
    "use",
    [
        "{{ varargs | select | unique | list }}{% endmacro %}{{ all(ns.t) }}",
        "{{ dict(varargs | select) }}{% endmacro %}{{ all((ns.t, 1)) }}",
        "{{ 1 in varargs | select }}{% endmacro %}{{ all(ns.t) }}",
    ],
)
def test_deep_items_that_come_one_by_one_are_refused(tok: kugiri.Tokenizer, use: str) -> None:
    with pytest.raises(kugiri.EncodingError, match="nests values too deeply"):
        tok.encode_chat([said("low")], template=DEEP + use)


def test_a_budget_is_of_one_rendering(tok: kugiri.Tokenizer) -> None:
    """However much has been rendered before."""
    from kugiri.chat.budget import _left

    before = _left.get()
    tok.encode_chat([said("low")], template="{{ messages[0].content }}")
    assert _left.get() == before


def test_endless_templates_end() -> None:
    """In a process that may have no more than a gigabyte of memory, and a minute or two."""
    printed = run_python(
        f"""
        import resource, kugiri
        resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))
        tok = kugiri.train(["low lower"] * 2, vocab_size=258)
        for name, template in {ENDLESS!r}.items():
            try:
                tok.encode_chat([{{"role": "user", "content": "low"}}], template=template)
            except kugiri.EncodingError as error:
                print(name if "too many steps" in str(error) else error)
        """
    )
    assert printed.splitlines() == list(ENDLESS)


def test_a_long_chat_is_not_hostile(tok: kugiri.Tokenizer) -> None:
    """Templates look at the whole chat for every message."""
    template = (
        "{% macro text(m, all) %}{% if 'x' in m.content %}{{ m.content.split('x')[-1] }}"
        "{% else %}{{ m.content | trim }}{% endif %}{% endmacro %}"
        "{% for m in messages %}<|im_start|>{{ m.role }}{{ (messages | length - 1) - loop.index0 }}"
        "{% if tools is defined and messages[loop.index0 + 1:] | length == 0 %}!{% endif %}"
        "{% if messages | selectattr('role', 'equalto', 'tool') | list %}?{% endif %}"
        "{% if (messages[::-1] | first).content is string %}{{ text(m, messages) }}{% endif %}"
        "<|im_end|>{% endfor %}"
    )
    so_far = (
        "{% set ns = namespace(s='') %}{% for m in messages %}"
        "{% set ns.s = ns.s ~ '<|im_start|>' ~ m.role ~ m.content ~ '<|im_end|>' %}{% endfor %}"
        "{{ ns.s }}"
    )
    chat = tok.encode_chat([said("low " * 50)] * 700, template=so_far)
    assert {its.content for its in chat.messages} == {chat.messages[0].content}
    for length, count in ((500, 200), (1, 300)):
        chat = tok.encode_chat([said("low 猫 " * length)] * count, template=template)
        assert len({its.content for its in chat.messages}) <= 3
