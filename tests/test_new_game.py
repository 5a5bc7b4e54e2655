"""A game that `exchequer new` made, with a rule of one's own: in every place where ours are."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pymupdf
import pyspiel
import pytest
from pettingzoo.test import api_test

from exchequer.cli.new import new_game
from exchequer.core import find
from exchequer.core.find import address_of, find_game
from exchequer.envs import openspiel, pettingzoo
from exchequer.lab.executors import Threads
from exchequer.lab.folder import Folder
from exchequer.lab.plan import plan_from
from exchequer.lab.studies import run_study
from exchequer.printing.press import print_and_play
from exchequer.printing.rulebook import rulebook_pdf

OWN_RULE = ("    s.points[seat] += c.crop[crop].points\n",
            "    s.points[seat] += c.crop[crop].points + 1  # a rule of my own\n")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Harvest, where every card is worth a point more."""
    monkeypatch.setenv(find.VARIABLE, "")
    monkeypatch.setenv("EXCHEQUER_PYTHON", "1")
    folder = new_game("orchard", "harvest", tmp_path)
    rules = (folder / "rules.py").read_text()
    assert OWN_RULE[0] in rules
    (folder / "rules.py").write_text(rules.replace(*OWN_RULE))
    return folder


def exchequer(*words, given="", cwd=None):
    return subprocess.run([sys.executable, "-m", "exchequer", *map(str, words)], input=given,
                          capture_output=True, text=True, cwd=cwd,
                          env={**os.environ, "COLUMNS": "100"})


def test_it_is_played_in_the_terminal_by_the_new_rule(folder):
    done = exchequer("play", folder, "--seed", "1", given="1\n1\n1\nq\n")
    assert done.returncode == 0, done.stderr
    assert "Which card do you play?" in done.stdout and "Ann plays" in done.stdout
    position = find_game(folder).start(seed=1)
    while "play:wheat" not in map(repr, position.legal()):
        position.play(position.legal()[0])
    seat, before = position.actor, position.scores()
    position.play("play:wheat")
    assert position.scores()[seat] == before[seat] + 2


@pytest.mark.filterwarnings("ignore")
def test_the_suites_of_pettingzoo_and_openspiel_pass(folder):
    api_test(pettingzoo.env(folder), num_cycles=50)
    pyspiel.random_sim_test(openspiel.load_game(folder, players=2), num_sims=2, serialize=True,
                            verbose=False)


def test_the_lab_reports_its_cards_and_says_what_is_a_guess(folder, tmp_path):
    plan = plan_from({"game": address_of(find_game(folder)), "seats": 2,
                      "lineups": [{"bots": "greedy", "games": 24}]})
    found = run_study(plan, Folder(tmp_path / "run"), Threads(1))
    report = pathlib.Path(found["report"]).read_text()
    assert "Melon" in report and "crop played" in report
    assert "and runs to its end in 100\N{NO-BREAK SPACE}% of cases" in report


def test_it_is_printed_without_a_design(folder):
    game = find_game(folder)
    pdf, decks = print_and_play(game, game.content())
    text = "".join(page.get_text() for page in pymupdf.open(stream=pdf))
    assert decks[0].copies == 21 and text.count("Melon") >= 4 and "Heavy to carry." in text
    book = "".join(page.get_text() for page in pymupdf.open(stream=rulebook_pdf(
        game, game.content())))
    assert "Each of the others loses 2 points" in " ".join(book.split())


def test_a_package_installed_by_pip_brings_a_game(tmp_path, monkeypatch):
    """By the entry point `exchequer.games`, found by its name from anywhere."""
    monkeypatch.setenv(find.VARIABLE, "")
    monkeypatch.setenv("EXCHEQUER_PYTHON", "1")
    new_game("orchard", "harvest", tmp_path / "source")
    (tmp_path / "source" / "pyproject.toml").write_text(textwrap.dedent("""\
        [build-system]
        requires = ["hatchling"]
        build-backend = "hatchling.build"
        [project]
        name = "orchard"
        version = "1.0"
        [project.entry-points."exchequer.games"]
        orchard = "orchard:GAME"
        [tool.hatch.build.targets.wheel]
        packages = ["orchard"]
        """))
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
                           "--no-build-isolation", "--no-index", "--disable-pip-version-check",
                           "--target", str(tmp_path / "site"), str(tmp_path / "source")],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    path = os.pathsep.join([str(tmp_path / "site"), *filter(None, [os.environ.get("PYTHONPATH")])])
    monkeypatch.setenv("PYTHONPATH", path)
    assert "orchard" in exchequer("games", cwd=tmp_path).stdout
    told = exchequer("simulate", "orchard", "--games", "5", "--json", cwd=tmp_path)
    assert told.returncode == 0 and '"games": 5' in told.stdout, told.stderr
    printed = exchequer("print", "orchard", cwd=tmp_path)
    assert printed.returncode == 0 and (tmp_path / "orchard.pdf").exists(), printed.stderr
