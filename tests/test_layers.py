"""A package imports only from those to its left."""

import ast
import pathlib

import pytest

ORDER = ["core", "kit", "starters", "gpu", "games", "printing", "bots", "lab", "table", "envs",
         "agents", "cli"]
PACKAGE = pathlib.Path(__file__).parents[1] / "src" / "exchequer"
FILES = sorted(PACKAGE.rglob("*.py"))


def layer(parts: tuple[str, ...]) -> int:
    name = parts[0].removesuffix(".py")
    if name in ("__main__", "__init__"):  # the program, and what users import, stand on all
        return len(ORDER)
    return ORDER.index(name) if name in ORDER else -1


def imported(path: pathlib.Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return [name for name in names if name.startswith("exchequer.")]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_left(path):
    here = path.relative_to(PACKAGE).parts
    for name in imported(path):
        there = tuple(name.split(".")[1:])
        assert layer(there) <= layer(here), f"{'/'.join(here)} imports {name}"
        if here[0] == "games" and there[0] == "games":
            assert there[1] == here[1], f"the game {here[1]} imports {name}"
