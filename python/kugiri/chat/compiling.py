"""Templates, compiled so that every step is charged and knows which message it is at.

Rule.    Calls are put into the syntax tree: a step into each loop and macro, at the cost of the
         nodes in it; a look at what is compared, sliced, or a key, and at each list and object that
         the template writes. A loop whose items are messages says which one it has reached.
         Whatever goes wrong in a template is an EncodingError.
Cost.    Compiling takes milliseconds, so the last templates are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import jinja2
from jinja2 import meta, nodes
from jinja2.visitor import NodeTransformer

from kugiri.chat.attribution import Attribution
from kugiri.chat.budget import STEP, budget, charge
from kugiri.chat.engine import Environment
from kugiri.chat.traced import Traced, joined
from kugiri.errors import EncodingError

LONGEST = 100_000
"""Characters that a template may have; real ones have some ten thousand."""

_NOT_RUN = {
    nodes.ScopedEvalContextModifier: "autoescape",
    nodes.Extends: "extends",
    nodes.FromImport: "import",
    nodes.Import: "import",
    nodes.Include: "include",
}


class Compiled:
    """A template that is ready to be rendered.

    Attributes:
        variables: the names that it reads before it gives them a value itself.
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
            self.variables = _read_first(tree)
            _refuse(tree)
            _charge_loops(tree, 0)
            _charge_calls(tree)
            _ChargeValues().visit(tree)
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
            text: Traced = guarded(lambda: self._put_out(values), size, "rendered")
            return text

    def _put_out(self, values: dict[str, Any]) -> Traced:
        text = joined([self._template.render(values)])
        charge(STEP * len(text))  # a token takes more room than a character
        return text


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
    except RecursionError:
        raise EncodingError(f"the chat template cannot be {what}: nested too deeply") from None
    except MemoryError:
        raise EncodingError(
            f"the chat template cannot be {what}: Python has too little memory for it"
        ) from None
    except Exception as error:  # a template may do anything, and Jinja raises what Python does
        line = getattr(error, "lineno", None)
        place = f"line {line}: " if line else ""
        message = str(getattr(error, "message", None) or error) or type(error).__name__
        raise EncodingError(f"the chat template cannot be {what}: {place}{message:.300}") from error


def _read_first(tree: nodes.Template) -> set[str]:
    """The names that come from outside: of those that are set in some branch, the ones read first.

    Some templates set what is not given, as a date; all set names of their own in branches.
    """
    first: dict[str, str] = {}
    for name in _names(tree):
        first.setdefault(name.name, name.ctx)
    return {name for name in meta.find_undeclared_variables(tree) if first.get(name) == "load"}


def _names(node: nodes.Node) -> Iterator[nodes.Name]:
    """Names in the order in which they are read and set: what is set to a value behind that."""
    if isinstance(node, nodes.Name):
        yield node
    children = list(node.iter_child_nodes())
    source = getattr(node, "node" if isinstance(node, nodes.Assign) else "iter", None)
    for child in sorted(children, key=lambda child: child is not source):
        yield from _names(child)


def _refuse(tree: nodes.Template) -> None:
    """Refuse what is not run; of other templates and scoped blocks, compiling would not end.

    Raises:
        EncodingError: it is there.
    """
    for kind, name in _NOT_RUN.items():
        if found := tree.find(kind):
            raise EncodingError(f"line {found.lineno}: {name} is not run in chat templates")
    for block in tree.find_all(nodes.Block):
        if block.scoped:
            raise EncodingError(f"line {block.lineno}: scoped is not run in chat templates")


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


def _charge_calls(tree: nodes.Template) -> None:
    """Put a step into each macro and each block that is given to one."""
    for macro in tree.find_all(nodes.Macro):
        macro.body.insert(0, _statement("step", nodes.Const(_size(macro))))
    blocks: list[nodes.Block | nodes.CallBlock] = [
        *tree.find_all(nodes.Block),
        *tree.find_all(nodes.CallBlock),
    ]
    for block in blocks:
        block.body.insert(0, _statement("step", nodes.Const(_size(block))))


class _ChargeValues(NodeTransformer):
    """Puts a look at what is compared, sliced, a key, or written as a list or an object."""

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:
        node.expr = _call("weighed", node.expr)
        for operand in node.ops:
            operand.expr = _call("weighed", operand.expr)
        return self.generic_visit(node)

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:
        its = node.arg
        if isinstance(its, nodes.Slice):
            node.node = _call("cut", node.node)
            for name in ("start", "stop", "step"):
                if (bound := getattr(its, name)) is not None:
                    setattr(its, name, _call("bound", bound))
        return self.generic_visit(node)

    def visit_Pair(self, node: nodes.Pair) -> nodes.Node:
        node.key = _call("weighed", node.key)
        return self.generic_visit(node)

    def visit_List(self, node: nodes.List | nodes.Dict) -> nodes.Node:
        return _call("weighed", self.generic_visit(node))

    visit_Dict = visit_List

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:
        made = self.generic_visit(node)
        return _call("weighed", made) if node.ctx == "load" else made


def _size(node: nodes.Node) -> int:
    return sum(1 for _ in node.find_all(nodes.Node))


def _call(name: str, *arguments: Any) -> nodes.Call:
    """A call of a method of the environment, which no template can name."""
    return nodes.Call(nodes.EnvironmentAttribute(name), list(arguments), [], None, None)


def _statement(name: str, *arguments: nodes.Expr) -> nodes.ExprStmt:
    return nodes.ExprStmt(_call(name, *arguments))
