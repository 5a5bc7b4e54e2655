"""What the lab's tests share: toys that the lab finds like any game, and small runs."""

import sys
import types

import pytest

from exchequer.core import find
from exchequer.lab.executors import Threads
from exchequer.lab.folder import Folder
from exchequer.lab.plan import plan_from
from exchequer.lab.studies import run_study


@pytest.fixture
def as_game(monkeypatch):
    """Have a toy found under its own name, as the games are; it runs as plain Python."""
    def register(game):
        monkeypatch.setenv("EXCHEQUER_PYTHON", "1")
        monkeypatch.setattr(find, "shipped_names", lambda: ("kingdom", game.name))
        monkeypatch.setitem(sys.modules, "exchequer.games." + game.name.replace("/", "."),
                            types.SimpleNamespace(GAME=game))
        return game.name
    return register


@pytest.fixture
def study(tmp_path):
    """Play a plan into a folder of its own; returns the summary and the folder."""
    def run(engine=None, name="run", **plan):
        folder = Folder(tmp_path / name)
        return run_study(plan_from(plan), folder, engine or Threads(2)), folder
    return run
