"""The documentation is true: its Python runs, README's commands run, the site builds from it."""

import doctest
import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

import exchequer
from exchequer.cli.new import new_game

ROOT = pathlib.Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(python|pycon|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LOOSE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page, *languages):
    """What stands in fences of these languages, with the line it begins on."""
    text = page.read_text()
    return [(text.count("\n", 0, found.start()) + 2, found[1], found[2])
            for found in BLOCK.finditer(text) if found[1] in languages]


WITH_PYTHON = [page for page in PAGES if blocks(page, "python", "pycon")]
COMMANDS = [command for _, _, text in blocks(ROOT / "README.md", "sh")
            for command in text.replace("\\\n", " ").splitlines() if command.strip()]


@pytest.mark.xdist_group("kingdom")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_of_the_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "125")
    scope = {"__name__": "__main__"}
    for line, language, text in blocks(page, "python", "pycon"):
        if language == "python":
            exec(compile("\n" * (line - 1) + text, page, "exec"), scope)
        else:
            session(text, scope, page, line)


def session(text, scope, page, line):
    """An interactive session prints what the page says it prints."""
    test = doctest.DocTestParser().get_doctest(text, scope, page.name, str(page), line - 1)
    told: list[str] = []
    failed, tried = doctest.DocTestRunner(optionflags=LOOSE).run(test, out=told.append,
                                                                 clear_globs=False)
    scope.update(test.globs)
    assert tried
    assert not failed, "".join(told)


def test_there_is_python_for_each_kind_of_reader():
    names = {str(page.relative_to(ROOT)) for page in WITH_PYTHON}
    assert {"README.md", "docs/python.md", "docs/tutorials/design.md",
            "docs/tutorials/research.md"} <= names


# README's commands ------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the game that a reader has saved by then."""
    folder = tmp_path_factory.mktemp("readme")
    position = exchequer.game("kingdom").start(seed=7)
    position.play(position.legal()[0])
    position.save(folder / "my-game.toml")
    return folder


@pytest.mark.xdist_group("kingdom")
@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_of_the_readme_runs(command, folder):
    words = shlex.split(command, comments=True)
    if words[0] == "make":
        told = subprocess.check_output(["make", "--dry-run", "--always-make", *words[1:]],
                                       cwd=ROOT, text=True)
        assert told
        return
    if "my_game" in words[2:] and words[1] != "new" and not (folder / "my_game").exists():
        new_game("my_game", "harvest", folder)  # where another worker has made it for its lines
    program = {".venv/bin/exchequer": "exchequer", ".venv/bin/python": ""}[words[0]]
    begin = [sys.executable, *(["-m", program] if program else [])]
    done = subprocess.run([*begin, *words[1:]], cwd=folder, input="q\n", text=True,
                          capture_output=True, env={**os.environ, "COLUMNS": "120"})
    assert done.returncode == 0, done.stdout + done.stderr


def test_make_play_installs_what_the_readme_needs():
    told = subprocess.check_output(["make", "--dry-run", "--always-make", "play"], cwd=ROOT,
                                   text=True)
    assert '".[table,lab,print]"' in told
    assert "exchequer serve" in told


# The site ---------------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """`make docs`, into a folder of its own; strict: a broken link is an error."""
    out = tmp_path_factory.mktemp("site")
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", out],
                          cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.xdist_group("site")
def test_the_reference_has_every_public_name(site):
    import exchequer

    page = (site / "reference.html").read_text()
    headings = set(re.findall(r'<h\d id="(?:[\w.]*\.)?(\w+)"', page))
    assert set(exchequer.__all__) - {"__version__"} <= headings


@pytest.mark.xdist_group("site")
def test_the_site_loads_nothing_from_the_network(site):
    loads = re.compile(r'<(?:script|img|iframe|source)[^>]*\ssrc="(?:https?:)?//[^"]*"'
                       r'|<link(?=[^>]*rel="(?:stylesheet|preconnect|icon)")[^>]*'
                       r'href="(?:https?:)?//[^"]*"|@import\s+url|url\(["\']?https?:')
    found = {f"{path.relative_to(site)}: {hit[:80]}" for path in site.rglob("*")
             if path.suffix in (".html", ".css") for hit in loads.findall(path.read_text())}
    assert not found
