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
ENDLESS = {
    "loops": OFTEN * 3 + "{% endfor %}" * 3,
    "loops that skip": OFTEN + "{% for b in range(100000) if false %}x{% endfor %}{% endfor %}",
    "macros": "{% macro f(n) %}{% if n %}{{ f(n-1) ~ f(n-1) }}{% endif %}{% endmacro %}{{ f(60) }}",
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
    "escaped": "{% autoescape true %}{% set x %}a{% endset %}{{ x * 10000000000 }}"
    "{% endautoescape %}",
    "replaced": "{{ ('a' * 3000) | replace('a', 'b' * 3000) | replace('b', 'c' * 3000) }}",
    "replaced nothing": "{{ ('a' * 3000000) | replace('', 'b' * 3000000) }}",
    "joined": "{{ range(100000) | map('string') | join('x' * 100000) }}",
    "indented": "{{ ('a\n' * 100000) | indent('y' * 100000) }}",
}  # fmt: skip
REFUSED = {
    "{{ 9 ** 9 ** 9 }}": "numbers up to 64",
    NS + OFTEN + "{% set ns.n = ns.n * ns.n %}{% endfor %}": "4000 bits",
    "{{ 'a' | center(1000000000) }}": "No filter named 'center'",
    "{{ 'a'.center(1000000000) }}": "str.center is not run",
    "{{ 'a'['ljust'](1000000000) }}": "str.ljust is not run",
    "{{ '{:1000000000}'.format(1) }}": "str.format is not run",
    "{{ '%1000000000d' % 1 }}": "% on a text",
    "{% autoescape 1 %}{% set x %}a{% endset %}{{ x.strip() }}{% endautoescape %}": "str.strip is",
    "{{ [1] | tojson(indent=1000000000) }}": "an indent is 0 to 16",
    "{{ strftime_now('%1000000000d') }}": "strftime_now takes",
    "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}": "nested too deeply",
    "{% for x in [[1]] recursive %}{{ loop([[1]]) }}{% endfor %}": "nested too deeply",
    "{% include 'x' %}": "no loader",
    "{% import '/etc/passwd' as x %}": "no loader",
    "{{ ''.__class__ }}": "str.__class__ is not run",
    "{{ messages.append(1) }}": "unsafe",
    "{{ messages[0].content._runs }}": "str._runs is not run",
    "{% set x = namespace(__class__=1) %}": "no name for a namespace",
    "{{ namespace() }}": "cannot be put out",
    "{{ messages | map('string') }}": "cannot be put out",
    "{{ [messages | map('string')] }}": "cannot be put out",
    "{{ raise_exception.__globals__.x }}": "unsafe",
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
    for length, count in ((500, 200), (1, 300)):
        chat = tok.encode_chat([said("low 猫 " * length)] * count, template=template)
        assert len({its.content for its in chat.messages}) <= 3
