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
from exchequer.core.errors import sentence
from exchequer.core.folder import is_handler, tree_of
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
INSTEAD = {"print": "note an Event in the log", "isinstance": "compare numbers and enums"}
ALLOCATING = {"append", "arange", "argsort", "array", "concatenate", "copy", "empty", "empty_like",
              "flatnonzero", "full", "ones", "ones_like", "sort", "unique", "where", "zeros",
              "zeros_like"}  # of NumPy


def faults_of(game: Game) -> Iterator[str]:
    """What is wrong with the rules in the game's own folder, a sentence for each."""
    for path in sorted(game.folder.glob("*.py")):
        for node in tree_of(path).body:
            if isinstance(node, ast.FunctionDef) and is_marked(node):
                scope = vars(game.module(path.stem)) if path.stem != "__init__" else {}
                for line, fault in faults_in(node, scope, records_of(game)):
                    yield sentence(f"{path.name}:{line}: `{node.name}` {fault}")


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
            yield from field_faults(node, records)
            yield from column_faults(node, records)
            yield from member_faults(node, scope, own)
        elif isinstance(node, ast.Subscript):
            yield from index_faults(node)
        elif isinstance(node, ast.Assign):
            yield from width_faults(node, records)
        if isinstance(node, ast.Assign | ast.AugAssign):
            yield from fraction_faults(node, records)
        if isinstance(node, ast.Return) and refuses(rule):
            yield from refusal_faults(node.value)


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
    if isinstance(node.func, ast.Attribute):
        yield from numpy_faults(node, scope)
    if not isinstance(node.func, ast.Name) or node.func.id in own:
        return
    name = node.func.id
    if name not in scope:
        if name in BUILTINS:
            return
        what = f"a function that rules cannot call: {INSTEAD.get(name, 'write a loop')}" \
            if hasattr(builtins, name) else f"nothing that this module knows{near(name, scope)}"
        yield node.lineno, f"calls `{name}`, {what}"
        return
    called = scope[name]
    if isinstance(called, enum.EnumMeta):
        yield node.lineno, (f"makes a member of `{name}` out of a number: compare the number with "
                            f"`{name}.{next(iter(called)).name}` instead")
    elif isinstance(called, types.FunctionType):
        if not getattr(called, "is_rule", False):
            where = inspect.getsourcefile(called) or called.__module__
            yield node.lineno, (f"calls `{name}`, which is not a rule: mark it with @rule in "
                                f"{where.rsplit('/', 1)[-1]}")
        yield from argument_faults(node, name, called)


def argument_faults(node: ast.Call, name: str, called: types.FunctionType
                    ) -> Iterator[tuple[int, str]]:
    """A rule gets what it takes."""
    takes = inspect.signature(called)
    if any(isinstance(arg, ast.Starred) for arg in node.args) or node.keywords:
        return
    try:
        takes.bind(*node.args)
    except TypeError:
        yield node.lineno, (f"gives `{name}` {len(node.args)} arguments, and it takes "
                            f"{len(takes.parameters)}: {name}{takes}")


def numpy_faults(node: ast.Call, scope: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Chance is the game's own, and a rule makes no arrays."""
    called = ast.unparse(node.func)
    first, _, rest = called.partition(".")
    module = getattr(scope.get(first), "__name__", "")
    if module == "random" or (module == "numpy" and rest.startswith("random.")):
        yield node.lineno, (f"calls `{called}`, whose chance is not the game's: use roll(s, n) for "
                            "a number from 0 to n - 1")
    elif module == "numpy" and rest in ALLOCATING:
        yield node.lineno, (f"calls `{called}`, which makes an array: keep it as a field of the "
                            "state, or write a loop")


def value_faults(node: ast.Name, scope: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """A global of a rule is a rule, an enum, a number, a tuple or an array."""
    if node.id not in scope and not hasattr(builtins, node.id):
        yield node.lineno, f"uses `{node.id}`, which nothing defines{near(node.id, scope)}"
    try:
        described(scope.get(node.id, 0))
    except TypeError:
        kind = type(scope[node.id]).__name__
        yield node.lineno, (f"uses `{node.id}`, a {kind}, which rules cannot: make it a tuple, an "
                            "array or a number of the content")


def field_faults(node: ast.Attribute, records: dict[str, np.dtype]) -> Iterator[tuple[int, str]]:
    """`s.gold` must be a field of the state, `c.price` one of the content."""
    if not isinstance(node.value, ast.Name) or node.value.id not in records:
        return
    fields = records[node.value.id].names or ()
    if node.attr not in fields:
        record = "State in state.py" if node.value.id == "s" else "the content"
        yield node.lineno, (f"reads `{node.value.id}.{node.attr}`, and {record} has no field "
                            f"`{node.attr}`{near(node.attr, fields)}")


def column_faults(node: ast.Attribute, records: dict[str, np.dtype]) -> Iterator[tuple[int, str]]:
    """`c.building[kind].price` must be a column of that table."""
    if not isinstance(node.value, ast.Subscript):
        return
    field = field_at(node.value, records)
    if field is not None and field.names and node.attr not in field.names \
            and not hasattr(np.ndarray, node.attr):
        yield node.lineno, (f"reads `{ast.unparse(node)}`, and the table has no column "
                            f"`{node.attr}`{near(node.attr, field.names)}")


def index_faults(node: ast.Subscript) -> Iterator[tuple[int, str]]:
    """Rules count from 0: machine code does not ask whether an index is below."""
    for index in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
        if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub):
            yield node.lineno, (f"counts from the end in `{ast.unparse(node)}`, which rules "
                                "cannot: the last of a row is at len(row) - 1")


def member_faults(node: ast.Attribute, scope: dict[str, Any], own: set[str]
                  ) -> Iterator[tuple[int, str]]:
    """`Crop.WHEAT` must be a member of the enum."""
    if not isinstance(node.value, ast.Name) or node.value.id in own:
        return
    members = scope.get(node.value.id)
    if isinstance(members, enum.EnumMeta) and not hasattr(members, node.attr):
        yield node.lineno, (f"reads `{ast.unparse(node)}`, and `{node.value.id}` has no member "
                            f"`{node.attr}`{near(node.attr, members.__members__)}")


def field_at(node: ast.expr, records: dict[str, np.dtype]) -> np.dtype | None:
    """The type of a field of a record, or of an entry of it."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) \
            and node.value.id in records:
        fields = records[node.value.id].fields
        return fields[node.attr][0].base if fields and node.attr in fields else None
    return None


def fraction_faults(node: ast.Assign | ast.AugAssign, records: dict[str, np.dtype]
                    ) -> Iterator[tuple[int, str]]:
    """`/` makes a fraction, and a field of whole numbers would cut it off."""
    divides = (isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div)) or \
        (isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Div))
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        field = field_at(target, records)
        if divides and field is not None and field.kind in "iu":
            yield node.lineno, (f"writes a fraction into `{ast.unparse(target)}`, which holds "
                                "whole numbers: divide with `//`")


def refuses(rule: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name)
               and mark.func.id == "refuses" for mark in rule.decorator_list)


def refusal_faults(value: ast.expr | None) -> Iterator[tuple[int, str]]:
    """What `@refuses` marks says why not; yes and no would be taken for members of the enum."""
    if isinstance(value, ast.IfExp):
        yield from refusal_faults(value.body)
        yield from refusal_faults(value.orelse)
    elif isinstance(value, ast.Compare | ast.BoolOp | ast.Constant) or (
            isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)):
        yield value.lineno, (f"returns `{ast.unparse(value)}`, and a refusal is a member of "
                             "Refusal: NONE where the answer is possible, else the reason")


def width_faults(node: ast.Assign, records: dict[str, np.dtype]) -> Iterator[tuple[int, str]]:
    """A number that is written must fit the field."""
    if not isinstance(node.value, ast.Constant) or not isinstance(node.value.value, int):
        return
    for target in node.targets:
        found = field_at(target, records)
        if found is not None and found.kind in "iu" and not \
                np.iinfo(found).min <= node.value.value <= np.iinfo(found).max:
            yield node.lineno, (f"writes {node.value.value} into `{name_of(target)}`, whose type "
                                f"{found.name} holds {np.iinfo(found).min} to "
                                f"{np.iinfo(found).max}: give it a wider type in state.py")


def name_of(target: ast.expr) -> str:
    """`safe` of `s.safe[seat]`."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target.attr if isinstance(target, ast.Attribute) else ast.unparse(target)


def near(name: str, known: Any) -> str:
    close = difflib.get_close_matches(name, [str(one) for one in known], 1, 0.6)
    return f"; did you mean `{close[0]}`?" if close else ""
