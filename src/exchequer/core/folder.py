"""Whether a game's folder keeps the contract of `core.modules`.

A name that is missing, or one that neither Exchequer reads nor the game uses (most often a
misspelling), is refused by `exchequer check`.
"""

import ast
import difflib
import pathlib
from collections.abc import Iterator

from exchequer.core.errors import imports_named
from exchequer.core.modules import MODULES


def faults_of(folder: pathlib.Path) -> Iterator[str]:
    """What is wrong with the names in a game's folder, a sentence for each."""
    trees = {path: tree_of(path)
             for path in sorted(folder.glob("*.py")) if not path.name.startswith("test_")}
    for name, module in MODULES.items():
        if not module.without and folder / f"{name}.py" not in trees:
            yield f"{name}.py is missing; it holds {module.purpose}."
    used = {name for tree in trees.values() for name in names_used(tree)}
    for path, tree in trees.items():
        if not any(map(is_handler, tree.body)):
            yield from unread_module(path, used)
        yield from name_faults(path, tree, used)


def tree_of(path: pathlib.Path) -> ast.Module:
    """A file of the game's folder, parsed."""
    with imports_named(path.parent.name, path.parent):
        return ast.parse(path.read_text(encoding="utf-8"), str(path))


def unread_module(path: pathlib.Path, used: set[str]) -> Iterator[str]:
    if path.stem not in MODULES and path.stem not in used:
        yield (f"{path.name} is imported by no module of the game, and Exchequer does not read "
               f"it.{hint(path.stem, MODULES, '.py')}")


def name_faults(path: pathlib.Path, tree: ast.Module, used: set[str]) -> Iterator[str]:
    """Names that Exchequer needs and does not find, and names that nobody reads."""
    module = MODULES.get(path.stem)
    defined = dict(names_defined(tree))
    known = module.names if module else ()
    have = defined.keys() | names_imported(tree)
    for name in module.needed if module else ():
        if name not in have:
            yield f"{path.name} has no `{name}`; it holds {module.purpose}."  # type: ignore[union-attr]
    missing = [name for name in known if name not in have]
    rules = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)
             and any(isinstance(mark, ast.Name) and mark.id == "rule"
                     for mark in node.decorator_list)}
    handlers = {node.name for node in tree.body
                if is_handler(node) and isinstance(node, ast.FunctionDef)}
    for name, line in defined.items():
        if name not in {*used, *known, *handlers} and not name.startswith("_"):
            yield (f"{path.name}:{line}: `{name}` is used by nothing in the game, and Exchequer "
                   f"does not read it.{hint(name, missing, '', name in rules)}")


def is_handler(node: ast.stmt) -> bool:
    """Whether the agenda calls it, see `core.handlers`."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name)
        and mark.func.id in ("handles", "refuses") for mark in node.decorator_list)


def hint(name: str, known: object, ending: str = "", is_rule: bool = False) -> str:
    close = difflib.get_close_matches(name, list(known), 1, 0.7)  # type: ignore[call-overload]
    if close:
        return f" Did you mean `{close[0]}{ending}`?"
    return " Mark it with @handles if the agenda is to call it, or delete it." if is_rule \
        else " Delete it."


def names_defined(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """What a module defines at its top, with the line."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                for part in ast.walk(target):
                    if isinstance(part, ast.Name):
                        yield part.id, node.lineno


def names_imported(tree: ast.Module) -> set[str]:
    return {alias.asname or alias.name for node in tree.body
            if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}


def names_used(tree: ast.Module) -> Iterator[str]:
    """Every name a module reads, by itself, as an attribute or by import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")
            yield from (alias.name for alias in node.names)
