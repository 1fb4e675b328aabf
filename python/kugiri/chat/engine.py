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
from typing import Any

from jinja2 import ext, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError
from jinja2.parser import Parser
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment

from kugiri.chat.attribution import Message, current
from kugiri.chat.budget import STEP, bulk, charge, weigh
from kugiri.chat.filters import FILTERS, GLOBALS, KEPT, READING, charged, nothing, text_of
from kugiri.chat.traced import METHODS, Origin, Traced, joined, plain

_DIGITS = 4000
"""Bits that a whole number may have."""


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


class Environment(ImmutableSandboxedEnvironment):
    """The sandbox."""

    code_generator_class = _Generator
    concat = staticmethod(joined)
    intercepted_binops = frozenset(["+", "*", "**", "%"])

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[_Generation, ext.loopcontrols],
            finalize=_printed,
            optimized=False,
        )
        kept = {name: charged(self.filters[name], weight) for name, weight in KEPT.items()}
        self.filters = {**kept, **FILTERS}
        tests: dict[str, Any] = {**self.tests}
        self.tests = {
            name: charged(test, weigh if name in READING else nothing)
            for name, test in tests.items()
        }
        self.globals = {**GLOBALS, "range": self.globals["range"]}

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

    def compared(self, value: Any) -> Any:
        """A value that is compared with another, or looked into for it."""
        charge(weigh(value))
        return value

    def cut(self, value: Any) -> Any:
        """A value that a part is taken of."""
        charge(bulk(value))
        return value

    # ── what the sandbox asks ─────────────────────────────────────────────────────────────────
    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Of a text, what is followed; a text that is not traced comes from Jinja itself."""
        if isinstance(obj, str) and not (isinstance(obj, Traced) and attr in METHODS):
            raise SecurityError(f"str.{attr} is not run in chat templates")
        return super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: Any) -> None:
        """Leave str.format to `is_safe_attribute`, which refuses it."""

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Call what is safe, at a price."""
        owner = getattr(__obj, "__self__", None)
        if not isinstance(owner, (str, list, tuple)):
            charge(STEP + (0 if isinstance(__obj, Macro) else sum(map(bulk, args))))
            return super().call(__context, __obj, *args, **kwargs)
        charge(STEP + weigh(owner, args, kwargs))
        result = super().call(__context, __obj, *args, **kwargs)
        charge(bulk(result))
        return result

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """An operator whose result may be large."""
        sized = next((it for it in (left, right) if isinstance(it, (str, list, tuple))), None)
        if operator == "%" and isinstance(left, str):
            raise SecurityError("% on a text is not run in chat templates")
        if operator == "**" and not all(abs(it) <= 64 for it in (left, right)):
            raise SecurityError("** is run for numbers up to 64 in chat templates")
        if sized is not None and operator == "+" and isinstance(right, (str, list, tuple)):
            charge(len(left) + len(right))
        if sized is not None and operator == "*":
            charge(len(sized) * max(0, right if sized is left else left))
        result = super().call_binop(context, operator, left, right)
        if isinstance(result, int) and result.bit_length() > _DIGITS:
            raise SecurityError(f"a number of more than {_DIGITS} bits came in a chat template")
        return result


def _printed(value: Any) -> Traced:
    """What `{{ }}` puts out: the template's own of no message beside content of one is of that."""
    text = text_of(value)
    messages = {origin.message for _, origin in text._runs} - {None}
    if len(messages) != 1:
        return text
    message = messages.pop()
    runs = ((length, origin._replace(message=message) if origin.template else origin)
            for length, origin in text._runs)  # fmt: skip
    return Traced(plain(text), tuple(runs))
