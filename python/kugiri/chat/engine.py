"""Jinja as chat templates know it, in a sandbox, with texts that know where they come from.

Rule.    What stands in the template itself becomes a traced text as the template's own, and puts
         together, prints and filters with all others as `traced.py` says. Filters and methods are
         those that can be followed or answer a question; others are refused by name. What a step
         costs is charged before it is made (`budget.py`): the sandbox asks about calls and
         operators, and compiled templates (`compiling.py`) report their steps.
Cost.    A few times that of plain Jinja.
Source.  transformers 5.24 for what a template may use: trim_blocks, lstrip_blocks, loop controls,
         `{% generation %}`, tojson without escapes for HTML, raise_exception, strftime_now.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import NoneType
from typing import Any

from jinja2 import ext, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError
from jinja2.parser import Parser
from jinja2.runtime import Context, LoopContext, Macro, TemplateReference, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from kugiri.chat.attribution import Message, current
from kugiri.chat.budget import STEP, bulk, charge, weigh, weighed
from kugiri.chat.filters import (
    ANSWERING,
    FILTERS,
    GLOBALS,
    KEPT,
    REFUSED_FUNCTIONS,
    Dict,
    charged,
    nothing,
    refused,
    text_of,
)
from kugiri.chat.numbers import TESTS, require_number, require_small
from kugiri.chat.runs import Origin
from kugiri.chat.traced import Traced, joined, plain

METHODS = frozenset({
    "capitalize", "count", "endswith", "find", "index", "isalnum", "isalpha", "isascii",
    "isdecimal", "isdigit", "isidentifier", "islower", "isnumeric", "isprintable", "isspace",
    "istitle", "isupper", "join", "lower", "lstrip", "partition", "removeprefix", "removesuffix",
    "replace", "rfind", "rindex", "rpartition", "rsplit", "rstrip", "split", "splitlines",
    "startswith", "strip", "title", "upper",
})  # fmt: skip
"""What a template may call of a text: what is followed, and what answers a question."""

_OPEN = (Dict, LoopContext, Macro, Namespace, TemplateReference, Undefined, dict, list, tuple)
"""What templates may take attributes of, beside texts."""


class _Generator(CodeGenerator):
    """Constants of the template are made as its own, and `~` keeps origins."""

    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:
        value = node.as_const(frame.eval_ctx)
        if isinstance(value, str):
            self.write(f"environment.own({value!r})")
        else:
            super().visit_Const(node, frame)

    def visit_TemplateData(self, node: nodes.TemplateData, frame: Frame) -> None:
        self.write(f"environment.own({node.data!r})")

    def _output_const_repr(self, group: Iterable[Any]) -> str:
        return f"environment.own({''.join(group)!r})"

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("environment.concat_any((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")


class _Generation(ext.Extension):
    """`{% generation %} … {% endgeneration %}` marks what the assistant says."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        """A call of `_mark` with the body."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_mark"), [], [], body).set_lineno(line)

    def _mark(self, caller: Macro) -> Traced:
        text = joined([caller()])
        runs = ((length, origin._replace(generated=True)) for length, origin in text._runs)
        return Traced(plain(text), tuple(runs))


class _Missing(Undefined):
    """What is not there; of a message, its number and role say which it is."""

    @property
    def _undefined_message(self) -> str:
        message, name = self._undefined_obj, self._undefined_name
        if not isinstance(message, Message):
            text: str = super()._undefined_message
            return text
        return f"message {message._number} ({message.get('role')}) has no {name!s:.60}"


class Environment(ImmutableSandboxedEnvironment):
    """The sandbox."""

    code_generator_class = _Generator
    concat = staticmethod(joined)
    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "**", "%"])

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[_Generation, ext.loopcontrols],
            finalize=_printed,
            undefined=_Missing,
            optimized=False,
        )
        kept = {name: charged(self.filters[name], weight) for name, weight in KEPT.items()}
        left_out = {name: refused(f"the filter {name}") for name in self.filters}
        self.filters = {**left_out, **kept, **FILTERS}
        tests: dict[str, Any] = {**self.tests}
        self.tests = {
            name: charged(test, nothing if name in ANSWERING else weigh)
            for name, test in tests.items()
        }
        self.tests |= {name: charged(test) for name, test in TESTS.items()}
        left_out = {name: refused(name) for name in REFUSED_FUNCTIONS}
        self.globals = {**left_out, **GLOBALS, "range": self.globals["range"]}

    # ── what compiled templates call ──────────────────────────────────────────────────────────
    def own(self, text: str) -> Traced:
        """A text of the template itself, in the message that it is at."""
        return Traced.of(text, Origin(current().message, template=True))

    def concat_any(self, values: Iterable[Any]) -> Traced:
        """What `~` does."""
        return joined([text_of(value) for value in values])

    def step(self, cost: int, depth: int = 0, target: object = None) -> bool:
        """One step of a loop or a macro, in a loop over messages at one of them."""
        charge(STEP * cost)
        if isinstance(target, Message):
            current().enter(depth, target._number)
        return True

    def leave(self, depth: int) -> str:
        """The end of a loop."""
        current().leave(depth)
        return ""

    def weighed(self, value: Any) -> Any:
        """A value that is compared, a key, or written by the template as a list or an object."""
        return weighed(value)

    def bound(self, value: Any) -> Any:
        """Where a part of something begins or ends: no key, of which Python makes a hash."""
        if not isinstance(value, (int, NoneType)):
            raise SecurityError(f"a part goes from number to number; a {type(value).__name__} came")
        return value

    def cut(self, value: Any) -> Any:
        """A value that a part is taken of."""
        charge(bulk(value))
        return value

    # ── what the sandbox asks ─────────────────────────────────────────────────────────────────
    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Of a text, what is followed; a text that is not traced comes from Jinja itself.

        Of numbers and what else Python has, nothing.
        """
        if isinstance(obj, str) and not (isinstance(obj, Traced) and attr in METHODS):
            raise SecurityError(f"str.{attr} is not run in chat templates")
        if not isinstance(obj, (str, *_OPEN)):
            raise SecurityError(f"{type(obj).__name__}.{attr} is not run in chat templates")
        return super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: Any) -> None:
        """Leave str.format to `is_safe_attribute`, which refuses it."""

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Call what is safe, at a price."""
        charge(STEP)
        owner = getattr(__obj, "__self__", None)
        if isinstance(__obj, Macro) or owner is __self:  # one of the methods above
            return super().call(__context, __obj, *args, **kwargs)
        charge(weigh(owner) if isinstance(owner, (str, list, tuple)) else bulk(owner))
        args = tuple(map(weighed, args))
        kwargs = {name: weighed(value) for name, value in kwargs.items()}
        result = super().call(__context, __obj, *args, **kwargs)
        charge(bulk(result))
        return result

    def getitem(self, obj: Any, argument: Any) -> Any:
        """An item, at the price of its key."""
        return super().getitem(obj, weighed(argument))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """An operator whose result may be large."""
        sized = next((it for it in (left, right) if isinstance(it, (str, list, tuple))), None)
        if operator not in ("+", "*"):
            for it in (left, right):
                require_number(operator, it)
        if operator == "**" and not all(abs(it) <= 64 for it in (left, right)):
            raise SecurityError("** is run for numbers up to 64 in chat templates")
        require_small(left, right)
        if isinstance(left, (list, tuple)) and operator == "+":
            charge(len(left) + bulk(right))
        if sized is not None and operator == "*":
            charge(len(sized) * max(0, right if sized is left else left))
        return require_small(super().call_binop(context, operator, left, right))


def _printed(value: Any) -> Traced:
    """What `{{ }}` puts out; the template's own of no message is of that which it stands at.

    That is the one whose loop it is in; outside of one, that whose content stands beside it.
    """
    text = text_of(value)
    charge(STEP * len(text._runs))
    message = current().message
    if message is None:
        messages = {origin.message for _, origin in text._runs} - {None}
        message = messages.pop() if len(messages) == 1 else None
    runs = ((length, origin._replace(message=message)
             if origin.template and origin.message is None else origin)
            for length, origin in text._runs)  # fmt: skip
    return Traced(plain(text), tuple(runs))
