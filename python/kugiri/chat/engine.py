"""Jinja as chat templates know it, in a sandbox, with texts that know where they come from.

Rule.    What stands in the template itself becomes a traced text as the template's own, and puts
         together, prints and filters with all others as `traced.py` says. Filters and methods are
         those that can be followed or answer a question; others are refused by name. What a step
         costs is charged before it is made (`budget.py`): calls are put into the syntax tree for
         loops, macros, comparisons and slices, and the sandbox asks about all the rest.
Cost.    Compiling takes milliseconds, so the last templates are kept.
Source.  transformers 5.24 for what a template may use: trim_blocks, lstrip_blocks, loop controls,
         `{% generation %}`, tojson without escapes for HTML, raise_exception, strftime_now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, ClassVar

import jinja2
from jinja2 import ext, meta, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.parser import Parser
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment, SecurityError

from kugiri.chat.attribution import Attribution, Message, current
from kugiri.chat.budget import budget, charge, weigh
from kugiri.chat.filters import FILTERS, GLOBALS, KEPT, charged, text_of
from kugiri.chat.traced import METHODS, Origin, Traced, joined, plain
from kugiri.errors import EncodingError

LONGEST = 500_000
"""Characters that a template may have; real ones have some ten thousand."""
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

    tags: ClassVar[set[str]] = {"generation"}

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
    concat = staticmethod(joined)  # type: ignore[assignment]
    intercepted_binops = frozenset(["+", "*", "**", "%"])

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[_Generation, ext.loopcontrols],
            finalize=_printed,
            optimized=False,
        )
        kept = {name: charged(self.filters[name]) for name in KEPT}
        self.filters = {**kept, **FILTERS}
        self.tests = {name: charged(test) for name, test in self.tests.items()}
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
        charge(cost)
        if isinstance(target, Message):
            current().enter(depth, target.number)
        return True

    def leave(self, depth: int) -> str:
        """The end of a loop."""
        current().leave(depth)
        return ""

    def looked_at(self, value: Any) -> Any:
        """A value that is compared or cut."""
        charge(weigh(value))
        return value

    # ── what the sandbox asks ─────────────────────────────────────────────────────────────────
    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Of a text, what is followed."""
        if isinstance(obj, str) and attr not in METHODS:
            raise SecurityError(f"str.{attr} is not run in chat templates")
        return super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: Any) -> None:
        """Leave str.format to `is_safe_attribute`, which refuses it."""

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: B902, N805
        """Call what is safe, at a price."""
        owner = getattr(__obj, "__self__", None)
        charge(weigh(owner if isinstance(owner, (str, list)) else None, args, kwargs))
        result = super().call(__context, __obj, *args, **kwargs)
        charge(weigh(result) if isinstance(result, (str, list)) else 1)
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
        if isinstance(sized, (list, tuple)) and operator == "*":
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


# ── compiling ─────────────────────────────────────────────────────────────────────────────────
class Compiled:
    """A template that is ready to be rendered.

    Attributes:
        variables: the names that it reads.
    """

    def __init__(self, source: str) -> None:
        """Parse, charge and compile it.

        Raises:
            EncodingError: it is no template, or one that asks for what is not run.
        """
        if len(source) > LONGEST:
            raise EncodingError(
                f"the chat template has {len(source):,} characters; {LONGEST:,} at most are run"
            )
        environment = Environment()

        def compiled() -> jinja2.Template:
            tree = environment.parse(source)
            self.variables = meta.find_undeclared_variables(tree)
            _charge_loops(tree, 0)
            for part in tree.find_all((nodes.Macro, nodes.CallBlock)):
                part.body.insert(0, _statement("step", nodes.Const(_size(part))))
            for operand in tree.find_all(nodes.Operand):
                operand.expr = _call("looked_at", operand.expr)
            for cut in tree.find_all(nodes.Getitem):
                if isinstance(cut.arg, nodes.Slice):
                    cut.node = _call("looked_at", cut.node)
            tree.set_environment(environment).set_lineno(1)
            return environment.from_string(tree)

        self._template = guarded(compiled, 0, "compiled")

    def render(self, values: dict[str, Any], size: int) -> Traced:
        """The text.

        Args:
            values: by name, texts in them traced.
            size: how many characters and items they hold.

        Raises:
            EncodingError: the template refuses them, or goes wrong.
        """
        with Attribution():
            return joined([guarded(lambda: self._template.render(values), size, "rendered")])


@lru_cache(maxsize=16)
def compiled(source: str) -> Compiled:
    """A template, compiled once."""
    return Compiled(source)


def guarded(work: Callable[[], Any], size: int, what: str) -> Any:
    """Do what a template asks for; whatever goes wrong in it is an error of ours.

    Raises:
        EncodingError: it went wrong.
    """
    try:
        with budget(size):
            return work()
    except EncodingError:
        raise
    except (RecursionError, MemoryError):
        raise EncodingError(f"the chat template cannot be {what}: nested too deeply") from None
    except Exception as error:  # a template may do anything, and Jinja raises what Python does
        line = getattr(error, "lineno", None)
        place = f"line {line}: " if line else ""
        message = f"{str(error) or type(error).__name__:.300}"
        raise EncodingError(f"the chat template cannot be {what}: {place}{message}") from error


def _charge_loops(node: nodes.Node, depth: int) -> None:
    """Put a step into each loop, at its item, and its end behind it."""
    for name, value in list(node.iter_fields()):
        if not isinstance(value, list):
            continue
        with_ends: list[Any] = []
        for child in value:
            with_ends.append(child)
            if isinstance(child, nodes.For):
                with_ends.append(_statement("leave", nodes.Const(depth)))
        setattr(node, name, with_ends)
    for child in node.iter_child_nodes():
        _charge_loops(child, depth + isinstance(child, nodes.For))
    if isinstance(node, nodes.For):
        cost = nodes.Const(_size(node))
        at = [nodes.Name(node.target.name, "load")] if isinstance(node.target, nodes.Name) else []
        if node.test is not None:
            node.test = nodes.And(_call("step", cost), node.test)
        node.body.insert(0, _statement("step", cost, nodes.Const(depth - 1), *at))


def _size(node: nodes.Node) -> int:
    return sum(1 for _ in node.find_all(nodes.Node))


def _call(name: str, *arguments: nodes.Expr) -> nodes.Call:
    """A call of a method of the environment, which no template can name."""
    return nodes.Call(nodes.EnvironmentAttribute(name), list(arguments), [], None, None)


def _statement(name: str, *arguments: nodes.Expr) -> nodes.ExprStmt:
    return nodes.ExprStmt(_call(name, *arguments))
