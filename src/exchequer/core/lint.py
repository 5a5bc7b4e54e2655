"""Lint: what the rules of a game may not say, told with file and line before anything is compiled.

Rules run as plain Python, as machine code and on a GPU. What only the first of these knows (lists,
dictionaries, strings, exceptions, calls of functions that are no rules, fields that the record has
not) works in a first try and fails late, in a compiler's words. Here it is a sentence.
"""

import ast
import builtins
import difflib
import enum
import inspect
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from exchequer.core.binding import described
from exchequer.core.folder import is_handler
from exchequer.core.game import Game

FORBIDDEN: dict[type[ast.AST], tuple[str, str]] = {
    ast.List: ("a list", "keep what has to be remembered in an array of the state"),
    ast.ListComp: ("a list comprehension", "write a loop over a field of the state"),
    ast.Dict: ("a dictionary", "use an array of the content, indexed by an enum"),
    ast.DictComp: ("a dictionary", "use an array of the content, indexed by an enum"),
    ast.Set: ("a set", "use a bit mask, or compare one by one"),
    ast.SetComp: ("a set", "use a bit mask, or compare one by one"),
    ast.GeneratorExp: ("a generator", "write a loop"),
    ast.JoinedStr: ("a string", "note an Event in the log; `words.toml` makes a sentence of it"),
    ast.Raise: ("an exception", "refuse the action in `refusal`, or return early"),
    ast.Try: ("an exception", "ask before, instead of catching afterwards"),
    ast.Assert: ("an assertion", "report it in `fault`"),
    ast.With: ("a `with`", "rules open nothing"),
    ast.Lambda: ("a lambda", "write a rule of its own"),
    ast.Yield: ("a generator", "put a step on the agenda (`then`)"),
    ast.YieldFrom: ("a generator", "put a step on the agenda (`then`)"),
    ast.Await: ("an `await`", "put a question on the agenda (`then`)"),
    ast.Global: ("a global variable", "keep it in the state"),
    ast.Nonlocal: ("a variable of another function", "keep it in the state"),
    ast.Import: ("an import", "import at the top of the module"),
    ast.ImportFrom: ("an import", "import at the top of the module"),
}
BUILTINS = {"abs", "bool", "enumerate", "float", "int", "len", "max", "min", "range", "round"}


def faults_of(game: Game) -> Iterator[str]:
    """What is wrong with the rules in the game's own folder, a sentence for each."""
    for path in sorted(game.folder.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and is_marked(node):
                scope = vars(game.module(path.stem)) if path.stem != "__init__" else {}
                for line, sentence in faults_in(node, scope, records_of(game)):
                    yield f"{path.name}:{line}: `{node.name}` {sentence}."


def is_marked(node: ast.FunctionDef) -> bool:
    return is_handler(node) or any(isinstance(mark, ast.Name) and mark.id in ("rule", "apart")
                                   for mark in node.decorator_list)


def records_of(game: Game) -> dict[str, np.dtype]:
    """The records that rules know by one letter."""
    return {"s": game.state, "c": game.schema.dtype}


def faults_in(rule: ast.FunctionDef, scope: dict[str, Any], records: dict[str, np.dtype]
              ) -> Iterator[tuple[int, str]]:
    """Everything one rule may not say, with its line."""
    own = {arg.arg for arg in rule.args.args} | {
        name.id for name in ast.walk(rule)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
    for node in body_of(rule):
        if type(node) in FORBIDDEN:
            what, remedy = FORBIDDEN[type(node)]
            yield node.lineno, f"uses {what}, which rules cannot: {remedy}"  # type: ignore[attr-defined]
        elif isinstance(node, ast.FunctionDef):
            yield node.lineno, f"defines `{node.name}` inside: write a rule of its own"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, ("uses a string, which rules cannot: use an enum and let "
                                "`words.toml` name it")
        elif isinstance(node, ast.Constant) and node.value is None:
            yield node.lineno, "uses None, which is no number: use NOBODY, or a number of your own"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in own:
            yield from value_faults(node, scope)
        elif isinstance(node, ast.Call):
            yield from call_faults(node, scope, own)
        elif isinstance(node, ast.Attribute):
            yield from field_faults(node, records, own)
        elif isinstance(node, ast.Assign):
            yield from width_faults(node, records)


def body_of(rule: ast.FunctionDef) -> Iterator[ast.AST]:
    """Every node of a rule's body but its docstring and what stands inside a forbidden node."""
    body: list[ast.AST] = list(rule.body)
    if ast.get_docstring(rule) is not None:
        body = body[1:]
    while body:
        node = body.pop(0)
        yield node
        if type(node) not in FORBIDDEN and not isinstance(node, ast.FunctionDef):
            body = [*ast.iter_child_nodes(node), *body]


def call_faults(node: ast.Call, scope: dict[str, Any], own: set[str]
                ) -> Iterator[tuple[int, str]]:
    """A rule calls rules, numbers' types and a few builtins; nothing else."""
    if not isinstance(node.func, ast.Name) or node.func.id in own:
        return
    name = node.func.id
    if name not in scope:
        if name in BUILTINS:
            return
        what = "a function that rules cannot call" if hasattr(builtins, name) else \
            f"nothing that this module knows{near(name, scope)}"
        yield node.lineno, f"calls `{name}`, {what}"
        return
    called = scope[name]
    if isinstance(called, enum.EnumMeta):
        yield node.lineno, (f"makes a member of `{name}` out of a number: compare the number with "
                            f"`{name}.{next(iter(called)).name}` instead")
    elif isinstance(called, types.FunctionType) and not getattr(called, "is_rule", False):
        where = inspect.getsourcefile(called) or called.__module__
        yield node.lineno, (f"calls `{name}`, which is not a rule: mark it with @rule in "
                            f"{where.rsplit('/', 1)[-1]}")


def value_faults(node: ast.Name, scope: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """A global of a rule is a rule, an enum, a number, a tuple or an array."""
    try:
        described(scope.get(node.id, 0))
    except TypeError:
        kind = type(scope[node.id]).__name__
        yield node.lineno, (f"uses `{node.id}`, a {kind}, which rules cannot: make it a tuple, an "
                            "array or a number of the content")


def field_faults(node: ast.Attribute, records: dict[str, np.dtype], own: set[str]
                 ) -> Iterator[tuple[int, str]]:
    """`s.gold` must be a field of the state, `c.price` one of the content."""
    if not isinstance(node.value, ast.Name) or node.value.id not in records:
        return
    fields = records[node.value.id].names or ()
    if node.attr not in fields:
        record = "State in state.py" if node.value.id == "s" else "the content"
        yield node.lineno, (f"reads `{node.value.id}.{node.attr}`, and {record} has no field "
                            f"`{node.attr}`{near(node.attr, fields)}")


def width_faults(node: ast.Assign, records: dict[str, np.dtype]) -> Iterator[tuple[int, str]]:
    """A number that is written must fit the field."""
    if not isinstance(node.value, ast.Constant) or not isinstance(node.value.value, int):
        return
    for target in node.targets:
        while isinstance(target, ast.Subscript):
            target = target.value
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) \
                and target.value.id in records:
            kind = records[target.value.id].fields
            found = kind[target.attr][0].base if kind and target.attr in kind else None
            if found is not None and found.kind in "iu" and not \
                    np.iinfo(found).min <= node.value.value <= np.iinfo(found).max:
                yield node.lineno, (f"writes {node.value.value} into `{target.attr}`, whose type "
                                    f"{found.name} holds {np.iinfo(found).min} to "
                                    f"{np.iinfo(found).max}: give it a wider type in state.py")


def near(name: str, known: Any) -> str:
    close = difflib.get_close_matches(name, [str(one) for one in known], 1, 0.6)
    return f"; did you mean `{close[0]}`" if close else ""
